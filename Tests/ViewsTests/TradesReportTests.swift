import MarketData
import Quotes
import Terminal
import TestSupport
import Testing

@testable import Views

@Suite struct TradesReportTests {
  @Test func one() {
    let report = TradesReport([SampleResponses.upbit], at: SampleResponses.now, zone: .seoul)
    Golden.expect(report.forms(widths: [80]), matches: "trades-one.txt")
    #expect(report.notes == ["Upbit spot: 1 of 10 rows left out: no price"])
  }

  @Test func several() {
    let report = TradesReport(
      [SampleResponses.upbit, SampleResponses.gate, SampleResponses.failed("Luno", .timeout)], at: SampleResponses.now,
      zone: .utc)
    Golden.expect(report.forms(widths: [160, 80]), matches: "trades-several.txt")
  }

  @Test func days() {
    let report = DailyReport(
      [
        SampleResponses.candles(
          "Upbit", .oneDay, from: "2026-11-12T15:00:00Z", count: 6, zoneSeconds: 32400, missing: [2]),
        SampleResponses.candles("Binance", .oneDay, from: "2026-11-14T00:00:00Z", count: 5, seed: 3),
        SampleResponses.failed("bitFlyer", .notOffered),
      ], at: SampleResponses.now)
    Golden.expect(report.forms(widths: [160, 80]), matches: "daily.txt")
  }

  /// A day that is built from impossible hours says so in every form of data, and has no volume made of them.
  @Test func impossibleDays() {
    let start = SampleCandles.moment("2026-11-14T00:00:00Z")
    let half = CandleGrid(.twelveHours)
    func candle(_ index: Int, close: Decimal = 10, volume: Decimal = 2) -> Candle {
      Candle(
        start: half.moment(index, after: start), open: 10, high: 12, low: 9, close: close, volume: .value(volume),
        turnover: .missing(.notOffered))
    }
    let halves = CandleSeries(
      [candle(0), candle(1), candle(2, volume: -3), candle(3), candle(4, close: 13), candle(5)], on: half)
    let findings = CandleCheck(halves).findings(ticker: nil, identityPercent: 20, arrival: nil)
    let days = halves.built(on: CandleGrid(.oneDay), reachesBack: true, findings: findings)
    let answer = PairAnswer(
      exchange: "A", market: .spot, pair: SampleResponses.pair, .success(days), findings: findings)
    let report = DailyReport([answer], newest: 2, at: SampleResponses.now)
    #expect(
      String(decoding: report.csv(), as: UTF8.self).split(separator: "\r\n").dropFirst() == [
        "A,spot,BTC/USDT,2026-11-15,2026-11-15T00:00:00Z,10,0,0,,,true,UTC,volume negative; turnover not-offered; "
          + "candle candle-shape,",
        "A,spot,BTC/USDT,2026-11-16,2026-11-16T00:00:00Z,10,0,0,4,,true,UTC,turnover not-offered; candle candle-shape,",
      ])
    let reasons = [
      #""reasons":{"volume":"negative","turnover":"not-offered","candle":"candle-shape"}}"#,
      #""reasons":{"turnover":"not-offered","candle":"candle-shape"}}"#,
    ]
    let lines = String(decoding: report.ndjson(), as: UTF8.self).split(separator: "\n")
    #expect(lines.count == 2 && zip(lines, reasons).allSatisfy { $0.hasSuffix($1) }, "\(lines)")
  }

  /// On a narrow screen whole columns are dropped, and their names given.
  @Test(arguments: [44, 52]) func narrow(_ width: Int) {
    let trades = TradesReport([SampleResponses.upbit], at: SampleResponses.now, zone: .seoul)
    let days = DailyReport(
      [SampleResponses.candles("Binance", .oneDay, from: "2026-11-14T00:00:00Z", count: 5)], at: SampleResponses.now)
    let text = trades.text(on: SampleResponses.page(width)) + days.text(on: SampleResponses.page(width))
    Golden.expect(text, matches: "trades-narrow-\(width).txt")
  }

  /// Milliseconds give way, then the word of the side, whose mark stays.
  @Test(arguments: [
    (44, "14:12:05.846  ▴ buy   134512000       0.0161"), (43, "14:12:05  ▴ buy   134512000       0.0161"),
    (40, "14:12:05  ▴ buy   134512000       0.0161"), (39, "14:12:05  ▴  134512000       0.0161"),
    (35, "14:12:05  ▴  134512000       0.0161"), (20, "14:12:05  ▴  134512000       0.0161"),
  ])
  func sideStays(_ width: Int, _ row: String) throws {
    let answer = SampleResponses.upbit
    let lines = TradesReport([answer], at: SampleResponses.now, zone: .seoul)
      .table(try #require(answer.value), answer, on: SampleResponses.page(width))
    #expect(lines.map { $0.painted(with: .plain) }.first { $0.contains("0.0161") } == row)
  }

  /// A pipe has no width: no column is hidden, however long the numbers are.
  @Test func pipe() {
    let trade = Trade(
      time: SampleResponses.now, price: 65000, size: .value(Decimal("12345678901234567890.123456789") ?? 0), side: .buy,
      id: "1")
    let answer = PairAnswer(exchange: "A", market: .spot, pair: SampleResponses.pair, .success([trade, trade]))
    let trades = TradesReport([answer], at: SampleResponses.now, zone: .utc)
    let days = DailyReport(
      [
        SampleResponses.candles(
          "A", .oneDay, from: "2026-11-14T00:00:00Z", count: 5, price: Decimal("12345678901234567890") ?? 0)
      ], at: SampleResponses.now)
    func tables(_ width: Int?) -> [[StyledText]] {
      let page = SampleResponses.page(width)
      return [trades.table([trade, trade], answer, on: page), days.table(0, on: page)]
    }
    #expect(tables(nil) == tables(400))
    let narrow = tables(50).map { $0.flatMap(\.runs).map(\.text).joined() }
    #expect(narrow.map { $0.contains(" hidden: ") } == [true, true])
  }

  /// Large trades are bold, the others have the colour of their side.
  @Test func colours() {
    let report = TradesReport([SampleResponses.upbit], at: SampleResponses.now, zone: .seoul)
    let page = Page(palette: Palette(scheme: .kr, isColored: true), width: 80)
    Golden.expect(report.text(on: page), matches: "trades-colours.txt")
  }
}
