import Config
import Quotes
import Terminal
import Testing

@testable import Mapping
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

  /// The head of a report says which option shows more of its failures; other lines, and live screens, do not.
  @Test func failuresNameTheOptionOnce() throws {
    let failed = RateVerdict.failed(AnswerFailure(.timeout))
    var report = try Self.report([failed, failed], labels: [])
    report.quote = nil
    let head = Page(palette: .plain, width: nil).header("BTC", time: report.moment, rate: report)
    #expect(head.hasSuffix("\nUSD/KRW - (2 providers failed, -v shows more)\n"))
    let conversion = Conversion(from: "USD", to: "KRW", by: report, dollarTokens: [], at: report.moment)
    #expect([conversion].parts(at: report.moment) == ["no rate for USD/KRW: 2 providers failed"])
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
      report.steps.map { report.explanation(of: $0, .english) } == [
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

  /// Why a rate has no open is said in the language of the page, codes apart; in files in English.
  @Test(
    arguments: [
      (.unusable(code: "timeout"), "timeout", "timeout"),
      (.noneOfEarlierDay, "no rate from an earlier day", "전일 이전 환율 없음"),
      (.undated, "its rate has no date", "날짜 없는 환율"),
      (.ofToday, "its rate is from today, so it is not a close", "당일 환율이라 종가가 아님"),
      (.old(days: 12), "its last rate is 12 days old, so it is not the last close", "마지막 환율이 12일 전 것이라 직전 종가가 아님"),
      (
        .early(isByClockAhead: false, code: "timeout"),
        "it was last requested before midnight, so its rate may not be a close (timeout)",
        "마지막 조회가 자정 전이라 종가가 아닐 수 있음 (timeout)"
      ),
      (
        .early(isByClockAhead: true, code: nil),
        "a clock that was ahead recorded when it was last requested, so its rate may not be a close",
        "마지막 조회 시각을 앞선 시계로 기록해 종가가 아닐 수 있음"
      ),
      (
        .later(isUndated: true), "its last rate may be later than this one, which has no date",
        "날짜 없는 이 환율보다 나중 것일 수 있음"
      ),
      (.later(isUndated: false), "its last rate is later than this one", "마지막 환율이 이 환율보다 나중 것"),
    ] as [(OpenAbsence.Reason, String, String)])
  func missingOpen(_ reason: OpenAbsence.Reason, _ english: String, _ korean: String) throws {
    var report = try Self.report([.taken], labels: [])
    report.openReason = OpenAbsence(provider: "Hana", reason: reason)
    let fx = FxReport(report, amount: nil, isExplained: true)
    for (language, words) in [(Language.english, english), (.korean, korean)] {
      let lines = fx.text(on: Page(palette: .plain, width: nil, language: language)).split(separator: "\n")
      #expect(
        lines.filter { $0.contains("Hana") }.map(String.init) == [
          language("open      ", "기준 환율  ") + "- (Hana: \(words))",
          language("no open: ", "기준 환율 없음: ") + "Hana: \(words)",
        ])
    }
    #expect(String(decoding: fx.csv(), as: UTF8.self).contains("Hana: \(english)"))
  }

  /// So is why there is no rate at all.
  @Test(arguments: [(false, "no route", "환율 규칙 없음"), (true, "no provider", "제공처 없음")])
  func missingRate(_ hasRoute: Bool, _ english: String, _ korean: String) throws {
    var report = try Self.report([.notNeeded], labels: [])
    report.quote = nil
    if !hasRoute { report.route = nil }
    let fx = FxReport(report, amount: nil, isExplained: false)
    for (language, line) in [(Language.english, "reason  \(english)"), (.korean, "이유  \(korean)")] {
      let text = fx.text(on: Page(palette: .plain, width: nil, language: language))
      #expect(text == "USD/KRW -\n\(line)\n")
    }
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
    let failure = AnswerFailure(.implausible, "0.000682000 is more than 20 % away from the last known 1465.50")
    let report = try Self.report([.taken], labels: [.kept(failure)])
    let sentence =
      "taken, an earlier answer; now: implausible: 0.000682000 is more than 20 % away from the last known 1465.50"
    #expect(report.steps.map { report.explanation(of: $0, .english) } == [sentence])
    #expect(RateView(try #require(report.quote), at: report.moment).remarks(.english) == ["last known, implausible"])
    #expect(
      String(decoding: FxReport(report, amount: nil, isExplained: false).json(), as: UTF8.self).contains(sentence))
  }
}
