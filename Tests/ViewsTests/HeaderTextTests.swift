import Config
import Mapping
import MarketData
import Quotes
import Terminal
import TestSupport
import Testing

@testable import Views

/// The page header states what must be known about the dollar rate in won.
@Suite struct HeaderTextTests {
  private static let pair = Pair(asset: "USD", payment: "KRW")

  private static func instant(_ text: String) -> Instant { .seoul(text) }

  private static func quote(
    _ rate: String, open: String?, at time: String, by provider: String, quotedBy: String? = nil,
    labels: [RateLabel] = []
  ) -> RateQuote {
    var quote = RateQuote(pair, Decimal(rate) ?? 0, since: open.flatMap { Decimal($0) }, provider: provider)
    quote.time = instant(time)
    quote.quotedBy = quotedBy
    quote.labels = labels
    return quote
  }

  private static func line(_ report: RateReport, at moment: String, language: Language = .english) -> [String] {
    let page = Page(palette: .plain, width: nil, language: language) { _ in
      ClockZone(offsetSeconds: 9 * 3600, name: "KST")
    }
    let text = page.header("BTC/KRW", time: instant(moment), rate: report)
    return text.split(separator: "\n").map(String.init)
  }

  @Test func byDay() {
    let quote = Self.quote("1272.00", open: "1274.00", at: "2023-07-27T11:58:36", by: "Dunamu", quotedBy: "하나은행")
    let report = RateReport(pair: Self.pair, moment: Self.instant("2023-07-27T11:58:51"), quote: quote)
    #expect(
      Self.line(report, at: "2023-07-27T11:58:51", language: .korean) == [
        "BTC/KRW", "UTC 2023-07-27 (목) 02:58:51   KST 2023-07-27 (목) 11:58:51",
        "USD/KRW 1272.00 (-0.16%)  하나은행  2023-07-27 11:58:36 KST (15초 전)",
      ])
  }

  @Test func utcIsTheOnlyClock() {
    let page = Page(palette: .plain, width: nil)
    let text = page.header("BTC/KRW", time: Self.instant("2023-07-27T11:58:51"), rate: nil)
    #expect(text == "BTC/KRW\nUTC 2023-07-27 (Thu) 02:58:51\n")
  }

  /// Without its time beside it, a rate too old to describe the present is shown with its age.
  @Test(arguments: [
    ([], "2023-07-28T02:00:00", "USD/KRW 1275.18, World"),
    ([RateLabel.old], "2023-07-27T20:00:00", "USD/KRW 1275.18, World, 7h ago, old"),
    ([], "2023-07-27T20:00:00", "USD/KRW 1275.18, World, 7h ago, old"),
    ([.daily], "2023-07-27T20:00:00", "USD/KRW 1275.18, World, daily"),
    ([.daily], "2023-07-24T04:00:00", "USD/KRW 1275.18, World, daily"),
    ([.daily], "2023-07-23T02:00:00", "USD/KRW 1275.18, World, 5d ago, daily, old"),
  ])
  func besideConvertedPrices(_ labels: [RateLabel], _ time: String, _ part: String) {
    let quote = Self.quote("1275.18", open: nil, at: time, by: "World", labels: labels)
    let now = Self.instant("2023-07-28T03:00:00")
    let conversion = Conversion(
      from: "USD", to: "KRW", by: RateReport(pair: Self.pair, moment: now, quote: quote), dollarTokens: [], at: now)
    #expect([conversion].parts(at: now) == [part])
  }

  @Test(arguments: [
    ([RateLabel.daily], "  daily"),
    ([.kept(AnswerFailure(.noAnswer(.overBudget))), .old], "  last known, no-answer over-budget; old"),
    ([.crossed("USD"), .implied], "  through USD; implied by a stablecoin's price"),
    ([.unchecked], "  unchecked"),
    ([.unconfirmed(since: 1272, by: "World")], "  far from World's, 1272.00, unconfirmed"),
    ([.unconfirmed(since: 1272)], "  far from the last, 1272.00, unconfirmed"),
  ])
  func labels(_ labels: [RateLabel], remark: String) {
    let quote = Self.quote("1275.18", open: nil, at: "2023-07-28T02:00:00", by: "World", labels: labels)
    let report = RateReport(pair: Self.pair, moment: Self.instant("2023-07-28T03:00:00"), quote: quote)
    #expect(
      Self.line(report, at: "2023-07-28T03:00:00")[2]
        == "USD/KRW 1275.18  World  2023-07-28 02:00:00 KST (1h ago)" + remark)
  }

  /// On a live screen of any width, an outdated rate is shown and marked as such.
  @Test(
    arguments: [
      ([], "12:11:48", nil, "19s"), ([], "05:12:07", "old", "7h"),
      ([.kept(AnswerFailure(.http(503)))], "11:12:07", "last known", "1h"),
      ([.kept(AnswerFailure(.http(503))), .old], "05:12:07", "old", "7h"),
      ([.unchecked], "12:11:48", "unchecked", "19s"),
    ] as [([RateLabel], String, String?, String)])
  func everyWidth(_ labels: [RateLabel], _ time: String, _ word: String?, _ age: String) {
    let quote = Self.quote(
      "1461.50", open: "1464.87", at: "2026-11-18T\(time)", by: "Dunamu", quotedBy: "하나은행",
      labels: labels)
    let now = Self.instant("2026-11-18T12:12:07")
    let board = WatchBoard(
      BoardState(feeds: [], rate: RateReport(pair: Self.pair, moment: now, quote: quote)), pairs: [], at: now,
      WatchReplay.settings(.english))
    for width in 40...200 {
      let header = WatchHeader(board: board, width: width)
      let lines = header.lines(StyledText("Watchlist 9"))
      let text = lines.map { $0.painted(with: .plain) }.joined(separator: "\n")
      #expect(lines.allSatisfy { $0.width <= width }, "\(width): \(text)")
      #expect(text.contains(word ?? "1461.50") || width < 49, "\(width): \(text)")
      #expect(text.contains("1461.50") || width < 66, "\(width): \(text)")
      #expect(text.contains(age) || width < 66, "\(width): \(text)")
      let line = header.line(StyledText("BTC/USDT")).painted(with: .plain)
      #expect(line.contains(word.map { "\($0) \(age)" } ?? "1461.50 (-0.23%)") || width < 49, "\(width): \(line)")
      // A doubt says what it is about.
      for shown in [text, line] where !shown.contains("1461.50") {
        if let word, shown.contains(word) { #expect(shown.contains("rate \(word)"), "\(width): \(shown)") }
      }
    }
  }

  @Test func none() {
    var report = RateReport(pair: Self.pair, moment: Self.instant("2023-07-28T03:00:00"), quote: nil)
    #expect(Self.line(report, at: "2023-07-28T03:00:00")[2] == "USD/KRW - (no route)")
    report.lastKnown = Self.quote("1272.00", open: nil, at: "2023-07-27T23:59:50", by: "Dunamu", quotedBy: "하나은행")
    #expect(
      Self.line(report, at: "2023-07-28T03:00:00")[2]
        == "USD/KRW - (no route)  last known 1272.00  하나은행  2023-07-27 23:59:50 KST (3h ago)")
  }
}
