import Files
import Foundation
import TestSupport
import Testing

@testable import Shell
@testable import market

/// How many recorded tables of tickers become an exchange through `add-exchange --from-sample FILE --yes` alone, and
/// whether that exchange's table agrees with an independent project's.
///
/// No table may be wrong. Refused samples lack a pair or payment currency, or are a chart: there a person is asked.
@Suite(.enabled(if: SharedCorpora.arePresent))
struct AddExchangeAgreementTests {
  private static let wantsDetail = ProcessInfo.processInfo.environment["MARKET_INFERENCE_DETAIL"] != nil

  @Test func tablesAgreeWithTheReference() async throws {
    var byHalf: [Bool: [AgreementJudge.Verdict: Int]] = [:]
    var details: [String] = []
    for body in RecordedTickers.all where body.file.contains("/spot-tickers@vcr") {
      let verdict = try await Self.verdict(on: body)
      let cause: AgreementJudge.Verdict =
        switch verdict {
        case .agrees: .agrees(missing: [])
        case .wrong: .wrong("")
        default: verdict
        }
      byHalf[body.isHeldOut, default: [:]][cause, default: 0] += 1
      if verdict != .agrees(missing: []) {
        details.append("\(body.isHeldOut ? "held out" : "development") \(body.file): \(verdict)")
      }
    }
    var agreed = 0
    var judged = 0
    for (isHeldOut, counts) in byHalf.sorted(by: { !$0.key && $1.key }) {
      print(isHeldOut ? "held out" : "development")
      for (verdict, count) in counts.sorted(by: { "\($0.key)" < "\($1.key)" }) {
        print("  \(count)  \(verdict)")
        if case .notJudged = verdict { continue }
        judged += count
        if case .agrees = verdict { agreed += count }
        if case .wrong = verdict { Issue.record("\(count) tables are wrong") }
      }
    }
    let sum = "\(agreed) of \(judged) tables of two pairs or more agree with the reference"
    print("add-exchange --yes: \(sum)")
    try CoveragePage.expect(between: "<!-- inference -->\n", and: "<!-- end -->", Self.page(sum, byHalf))
    if Self.wantsDetail { print(details.joined(separator: "\n")) }
    #expect(agreed * 100 >= judged * 90)
  }

  /// Returns the page's content: the total, and each verdict with its count.
  private static func page(_ sum: String, _ byHalf: [Bool: [AgreementJudge.Verdict: Int]]) -> String {
    let counts = byHalf.values.reduce(into: [:]) { $0.merge($1, uniquingKeysWith: +) }
    let lines = counts.map { (verdict: "\($0.key)", count: $0.value) }
      .sorted { ($1.count, $0.verdict) < ($0.count, $1.verdict) }
    return "\(sum).\n\n| verdict | bodies |\n| --- | --- |\n"
      + lines.map { "| \($0.verdict) | \($0.count) |\n" }.joined()
  }

  private static func verdict(on body: RecordedTickers) async throws -> AgreementJudge.Verdict {
    guard let judge = AgreementJudge(body), let root = SharedCorpora.root else {
      return .notJudged("the reference names no last price of two rows in the recording")
    }
    let folder = try TemporaryFolder()
    let config = "\(folder.path)/exchanges.json"
    let sample = "\(root)/recordings/\(body.file)"
    var adding = TestWorld([
      "add-exchange", "Newex", "--from-sample", sample, "--tickers", "https://exchange.example/t", "--yes", "--config",
      config,
    ])
    adding.context.executablePath = { Checkout.path(".build/debug/market") }
    guard await Program.market.run(in: adding.context) == .answer else {
      return .refused(cause(of: adding.errorOutput))
    }
    var reading = TestWorld(["tickers", "Newex", "--response", sample, "-f", "json", "--config", config])
    reading.context.executablePath = { Checkout.path(".build/debug/market") }
    guard await Program.market.run(in: reading.context) == .answer else { return .wrong("no table") }
    return judge.verdict(on: Array(reading.output.utf8))
  }

  private static func cause(of message: String) -> String {
    if message.contains("cannot split '") { return "no field names the pair" }
    for cause in [
      "no price is certain", "the pair of a row is uncertain", "no field names the pair", "not tickers",
      "has no tickers",
    ]
    where message.contains(cause) { return cause.contains("tickers") ? "is not a ticker" : cause }
    return "other"
  }
}
