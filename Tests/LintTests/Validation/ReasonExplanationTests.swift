import Config
import Files
import Mapping
import MarketData
import Quotes
import TestSupport
import Testing

@testable import Lint

/// Every reason that is shown has an explanation, and the tables of docs/config.md are made from them.
@Suite struct ReasonExplanationTests {
  private static let shown =
    Missing.Plain.allCases.map(\.rawValue) + NotSent.allCases.map(\.rawValue)
    + NoAnswer.allCases.map { Missing.noAnswer($0).code }
    + Flag.Kind.allCases.map(\.rawValue)
    + DataFinding.Kind.allCases.map(\.rawValue)
    + [
      Missing.lookupFailed("contracts"), .http(451), .noAnswer(.tls), .stream("stream-closed 1006"),
      .exchangeError("40034"), .exchangeError(""),
    ].map(\.code)
    + InactiveReason.allCases.map(\.rawValue) + objections.map(\.code) + routes.map(\.code) + gaps.map(\.code)
    + verdicts.map(\.code)

  private static let objections: [HeadlineObjection] =
    PriceBasis.allCases.filter { $0 != .last }.map { .basis($0) } + [.oldTrade(nanoseconds: 1), .noTrades]

  private static let gaps: [WalletSide.Gap] = [.noKey, .notTold, .notNamed, .notSaid]

  private static let routes: [WalletRoute] = [
    .sameExchange, .open(network: "eth"), .closed([]), .unknown([]), .otherNetworks, .unnamedNetwork([]),
  ]

  private static let verdicts: [RateVerdict] = {
    let reading = RateReading(pair: Pair(asset: "USD", payment: "KRW"), rate: 1400)
    return [
      .taken, .notNeeded, .witness(nil), .old(reading), .notNewer(reading), .outsideHours(DayHours(from: 0, to: 1)),
      .excluded(.unreadable("")), .excluded(.disabled), .excluded(.withoutPair), .notOfToday(reading),
      .implausible(rate: 1, known: 2, by: nil),
    ]
  }()

  @Test(arguments: shown) func hasExplanation(_ code: String) {
    #expect(ReasonExplanation.explanations(spelled: code) != [])
  }

  /// Codes of streams, which are made in one file.
  @Test func streamCodesHaveExplanations() throws {
    let file = Checkout.path("Sources/Mapping/Streams/StreamLapse.swift")
    let text = String(decoding: try FileSystem.read(file), as: UTF8.self)
    let found = Set(text.matches(of: /: "(stream-[a-z]+)/).map { String($0.1) })
    #expect(found.count > 7)
    #expect(found.filter { ReasonExplanation.explanations(spelled: $0).isEmpty } == [])
  }

  @Test(arguments: [
    ("json-null", ["json-null"]), ("JSON-NULL", ["json-null"]), ("stale", ["stale", "stale", "stale"]),
    ("http", ["http-NNN"]),
    ("http-500", ["http-500"]), ("http-404 http-503", ["http-404", "http-503"]), ("http-soon", ["http-NNN"]),
    ("tls", ["no-answer tls"]), ("no-answer tls", ["no-answer tls"]),
    ("no-answer new", ["no-answer REASON"]), ("lookup-failed contracts", ["lookup-failed NAME"]),
    ("stream-closed 1006", ["stream-closed CODE"]), ("volume not-offered", ["not-offered"]),
    ("spot stale", ["spot REASON", "stale", "stale", "stale"]), ("open json-null", ["json-null"]),
    ("http-500 zero", ["http-500", "zero"]), ("zero negative tls", ["zero", "negative", "no-answer tls"]),
    ("lookup-failed zero", ["lookup-failed NAME"]), ("nonsense zero", []), ("zero nonsense", []),
    ("volume nonsense", []), ("stream-behind", ["stream-behind"]),
    ("last-known timeout", ["last-known REASON", "timeout"]),
    ("json-nul", []), ("", []), (" ", []),
  ]) func spelled(_ word: String, _ codes: [String]) {
    #expect(ReasonExplanation.explanations(spelled: word).map(\.code) == codes)
  }

  @Test(arguments: ReasonExplanation.Topic.allCases) func tableIsOnThePage(_ topic: ReasonExplanation.Topic) throws {
    let page = String(decoding: try FileSystem.read(Checkout.path("docs/config.md")), as: UTF8.self)
    let heading = "### \(topic.rawValue.prefix(1).uppercased() + topic.rawValue.dropFirst())"
    let section = page.split(separator: "\n", omittingEmptySubsequences: false).drop { $0 != heading }.dropFirst()
      .prefix { !$0.hasPrefix("#") }
    let rows = ReasonExplanation.all.filter { $0.topic == topic }.map { "| `\($0.code)` | \($0.text) |" }
    #expect(section.filter { $0.hasPrefix("|") } == (["| code | meaning |", "|---|---|"] + rows).map { $0[...] })
  }
}
