import Config
import Mapping
import Quotes
import Testing

@testable import MarketData
@testable import Views

/// `market fx --explain` says what became of every provider, also of one that was asked or refused beside the rate.
@Suite struct FxReportTests {
  private static func report(_ verdicts: [RateVerdict], labels: [RateLabel]) throws -> RateReport {
    let rules = verdicts.indices.map { #"{ "use": "Provider\#($0)" }"# }.joined(separator: ", ")
    let config = #"{ "version": 1, "fx": { "routes": { "USD/KRW": { "zone": "+09:00", "rules": [\#(rules)] } } } }"#
    let file = try ConfigFile(name: "test", bytes: Array(config.utf8))
    let route = try #require(try Configuration(file) { () throws(ConfigSyntaxError) in file }.routes.first)
    let pair = Pair(asset: "USD", payment: "KRW")
    var quote = RateQuote(pair, 1272, since: nil, provider: "Provider0")
    quote.labels = labels
    var report = RateReport(pair: pair, moment: Instant(nanoseconds: 0), quote: quote)
    report.route = route
    report.steps = zip(route.rules, verdicts).map { .init(rule: $0, verdict: $1) }
    return report
  }

  private static func reading(_ time: String) -> RateReading {
    var reading = RateReading(pair: Pair(asset: "USD", payment: "KRW"), rate: 1270)
    reading.time = Instant.iso8601(time, defaultOffsetSeconds: 0)
    return reading
  }

  @Test func outcomes() throws {
    let verdicts: [RateVerdict] = [
      .taken, .notNeeded, .witness(Decimal("1464.5")), .witness(nil), .old(Self.reading("2023-07-18T00:02:00Z")),
      .notNewer(Self.reading("2023-07-17T00:02:00Z")), .implausible(rate: 2, known: 1270, by: nil),
      .implausible(rate: 2, known: 1270, by: "Other"),
    ]
    let report = try Self.report(verdicts, labels: [.daily])
    #expect(
      report.steps.map { report.explanation(of: $0) } == [
        "taken", "not needed", "asked as a witness, which says 1464.50", "asked as a witness, without a usable answer",
        "its rate is from 2023-07-18 09:02:00, which is too old",
        "its rate is from 2023-07-17 09:02:00, not newer than the one taken",
        "2.00000 is more than 20 % away from the last known 1270.00, and no other source confirms it",
        "2.00000 is more than 20 % away from Other's 1270.00, and no other source confirms it",
      ])
    #expect(
      report.steps.map { report.explanation(of: $0, .korean) } == [
        "사용", "필요 없음", "검증용 조회, 1464.50", "검증용 조회, 쓸 수 있는 응답 없음", "2023-07-18 09:02:00 환율, 너무 오래됨",
        "2023-07-17 09:02:00 환율, 사용한 것보다 새롭지 않음", "2.00000, 직전 1270.00 대비 20% 넘게 차이, 다른 제공처의 확인 없음",
        "2.00000, Other의 1270.00 대비 20% 넘게 차이, 다른 제공처의 확인 없음",
      ])
  }

  /// A percentage that its own open contradicts, and a change from an open that is not known, say so in every form.
  @Test(
    arguments: [
      (
        "-3.30", "-22.5", "USD/KRW 1461.50", "change    -3.30 (- contradictory)", #""changePercent":"contradictory""#,
        "changePercent contradictory"
      ),
      (
        nil, "-0.23", "USD/KRW 1461.50", "change    - (open-unknown)",
        #""change":"open-unknown","changePercent":"open-unknown""#,
        "change open-unknown; changePercent open-unknown"
      ),
      ("-3.30", "-0.23", "USD/KRW 1461.50 (-0.23%)", "change    -3.30 (-0.23%)", "", ""),
    ] as [(String?, String, String, String, String, String)])
  func changes(
    _ change: String?, _ percent: String, _ title: String, _ line: String, _ reasons: String, _ column: String
  ) throws {
    var reading = RateReading(pair: Pair(asset: "USD", payment: "KRW"), rate: Decimal("1461.50") ?? 0)
    reading.change = change.flatMap { Decimal($0) }
    reading.changePercent = Decimal(percent)
    let quote = RateQuote(reading, provider: "Dunamu")
    let report = FxReport(
      RateReport(pair: reading.pair, moment: SampleResponses.now, quote: quote), amount: nil, isExplained: false)
    let lines = report.text(on: SampleResponses.page(80)).split(separator: "\n")
    #expect(lines.prefix(2) == [title[...], line[...]])
    let json = String(decoding: report.json(), as: UTF8.self).filter { !$0.isWhitespace }
    #expect(json.contains(#""reasons":{\#(reasons)}"#), "\(json)")
    let rows = String(decoding: report.csv(), as: UTF8.self).split(separator: "\r\n")
    #expect(rows.map { $0.split(separator: ",", omittingEmptySubsequences: false).last } == ["reasons", column[...]])
  }

  /// An answer that was refused is not called the one taken, nor a missing one.
  @Test func earlierAnswer() throws {
    let failure = TableFailure(.implausible, "0.000682000 is more than 20 % away from the last known 1465.50")
    let report = try Self.report([.taken], labels: [.kept(failure)])
    let sentence =
      "taken, an earlier answer; now: implausible: 0.000682000 is more than 20 % away from the last known 1465.50"
    #expect(report.steps.map { report.explanation(of: $0) } == [sentence])
    #expect(RateView(try #require(report.quote), at: report.moment).remarks() == ["last known, implausible"])
    #expect(
      String(decoding: FxReport(report, amount: nil, isExplained: false).json(), as: UTF8.self).contains(sentence))
  }
}
