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
