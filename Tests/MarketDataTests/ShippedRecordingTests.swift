import Adapters
import Catalog
import JSON
import Quotes
import TestSupport
import Testing

/// Recorded bodies of the endpoints that the shipped mappings ask today: their numbers must fit together.
///
/// Only bodies that were recorded from a venue (tiers A and B) count; samples of documents hold invented numbers. Most
/// venues have no such body and ship as documented.
@Suite("Recorded bodies through the shipped mappings", .enabled(if: SharedCorpora.arePresent))
struct ShippedRecordingTests {
  /// A recorded body, the table that asks for it, and what reading it came to.
  struct Case: Sendable, CustomTestStringConvertible {
    let recorded: RecordedBody
    let shipped: ShippedMarket
    let table: TableSpec
    /// The pair that was asked for, where the path says it.
    let pair: Pair?
    var testDescription: String { "\(shipped.testDescription) \(recorded.file)" }
  }

  /// Bodies that are no answer of the venue as it was.
  static let exceptions: [String: String] = [
    "raw/bithumb/spot-ticker-one@ccxt.json": "its source wrapped the rows in the older API's envelope",
    "raw/binance/futures-usdtm-ticker-one@gct.json": "the error for an unknown symbol",
  ]

  /// Answers of lookups that belong to recorded tables.
  static let lookups = [
    "contracts": "raw/binance/futures-coinm-symbols@cryptofeed.json",
    "pairs": "raw/kraken/spot-symbols@cryptofeed.json",
  ]

  /// Hosts that have another name today.
  static let formerHosts = ["api.mybitx.com": "api.luno.com"]

  static let cases: [Case] = ShippedConfig.markets.flatMap { shipped in
    RecordedBody.all.filter { $0.venue == shipped.venue.name && ["A", "B"].contains($0.tier) }.compactMap { recorded in
      table(for: recorded, of: shipped).map {
        Case(recorded: recorded, shipped: shipped, table: $0.table, pair: $0.pair)
      }
    }
  }

  /// The table whose request this is, and the pair that stands in the path: the same path, and the same host where the
  /// recorder kept it.
  private static func table(
    for recorded: RecordedBody, of shipped: ShippedMarket
  ) -> (table: TableSpec, pair: Pair?)? {
    let host = recorded.host.map { formerHosts[$0] ?? $0 }
    func isOfThisHost(_ base: String) -> Bool { host.map { base.contains("//\($0)") } ?? true }
    // Kraken's table of all pairs names its rows by itself, that of one pair by the request.
    let isSingle = recorded.hasQuery && !recorded.url.contains("symbols=") && shipped.venue.name != "Kraken"
    let tables = isSingle ? shipped.market.ticker : shipped.market.tickers
    for table in tables {
      let path = table.set.reduce(table.path) { $0.replacing("{\($1.name)}", with: $1.value) }
      for base in table.baseURLs where isOfThisHost(base) && RecordedBody.path(of: base + path) == recorded.path {
        return (table, nil)
      }
    }
    // "/trading-pairs/{asset}-{payment}/ticker"
    for table in shipped.market.ticker where table.path.contains("{asset}") && table.path.contains("{payment}") {
      let pattern = table.path.replacing("{asset}", with: "([A-Z0-9]+)").replacing("{payment}", with: "([A-Z0-9]+)")
      guard let regex = try? Regex<(Substring, Substring, Substring)>(pattern),
        let match = recorded.path.wholeMatch(of: regex), table.baseURLs.contains(where: isOfThisHost)
      else { continue }
      return (table, Pair(asset: String(match.1), payment: String(match.2)))
    }
    return nil
  }

  @Test(arguments: cases)
  func ninetyNineOfAHundredRowsFit(in item: Case) throws {
    var states: [String: LookupState] = [:]
    for lookup in item.table.lookups {
      guard let file = Self.lookups[lookup.name] else { continue }
      let body = try Project.bytes("\(SharedCorpora.root ?? "")/recordings/\(file)")
      let answer = Answer(body: body, arrival: nil)
      states[lookup.name] = .table(try LookupTable(lookup, answer: answer, hooks: HookRegistry()))
    }
    let comparison = EngineComparison(
      item.table, item.shipped.market.market, try item.recorded.bytes(), pair: item.pair, lookups: states)
    #expect(comparison.agree)
    guard Self.exceptions[item.recorded.file] == nil else { return }
    let rows = comparison.scan.tickers
    let flagged = rows.filter { !$0.flags.isEmpty }
    #expect(comparison.scan.failures == [])
    #expect(
      flagged.count * 100 <= rows.count, "\(flagged.map { "\($0.symbol): \($0.flags.map(\.message))" })")
    print("\(item.testDescription): \(rows.count) rows, \(flagged.count) flagged, \(comparison.scan.dropped)")
  }

  @Test func theseVenuesHaveRecordedTickers() {
    let names = Set(Self.cases.filter { Self.exceptions[$0.recorded.file] == nil }.map(\.shipped.testDescription))
    print("recorded bodies of the present endpoint: \(names.sorted().joined(separator: ", "))")
    let others = ShippedConfig.markets.map(\.testDescription).filter { !names.contains($0) }
    print("as documented: \(others.joined(separator: ", "))")
    #expect(
      names == [
        "Binance spot", "Binance futures", "Kraken spot", "Upbit spot", "Gopax spot", "BithumbLegacy spot", "Gmo spot",
        "Gmo futures", "Luno spot",
      ])
  }
}

extension TableSpec {
  /// The path of its request, with its templates.
  fileprivate var path: String { request.node["path"]?.json.string ?? "" }
}
