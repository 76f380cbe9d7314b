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

  /// Large trades are bold, the others have the colour of their side.
  @Test func colours() {
    let report = TradesReport([SampleResponses.upbit], at: SampleResponses.now, zone: .seoul)
    let page = Page(palette: Palette(scheme: .kr, isColored: true), width: 80)
    Golden.expect(report.text(on: page), matches: "trades-colours.txt")
  }
}
