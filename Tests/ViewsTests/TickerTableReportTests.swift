import Mapping
import Quotes
import Testing

@testable import MarketData
@testable import Views

@Suite struct TickerTableReportTests {
  /// The codes among the remarks are explained below the table: a few rows of each.
  @Test func flagsAreExplained() {
    func row(_ asset: String, _ flags: [Flag]) -> TickerRow {
      let pair = Pair(asset: asset, payment: "KRW")
      let ticker = Ticker(
        exchange: "Alpha", market: .spot, symbol: asset, pair: pair, price: .value(1), time: SampleResponses.now,
        arrival: SampleResponses.now, flags: flags)
      return TickerRow(ticker: ticker, rank: ProductRank(), traces: [])
    }
    func report(_ market: Market, _ rows: [TickerRow]) -> ExchangeReport {
      var table = TickerTable()
      table.rows = rows
      return ExchangeReport(exchange: "Alpha", market: market, GatheredTable(table, of: nil, requests: []))
    }
    let rows =
      [row("BTC", [Flag(.range, "it is above the high")])]
      + (1...5).map { row("A\($0)", [Flag(.offers, "its price is far from its bid and ask")]) }
    func remarks(_ reports: [ExchangeReport]) -> [String] {
      TickerTableReport(exchange: "Alpha", reports: reports).text(on: SampleResponses.page(nil))
        .split(separator: "\n").dropFirst(1 + reports.reduce(0) { $0 + $1.table.rows.count }).map(String.init)
    }
    #expect(
      remarks([report(.spot, rows)]) == [
        "BTC/KRW: left out, range: it is above the high",
        "A1/KRW: left out, offers: its price is far from its bid and ask",
        "A2/KRW: left out, offers: its price is far from its bid and ask",
        "A3/KRW: left out, offers: its price is far from its bid and ask", "2 more rows: offers",
      ])
    #expect(
      remarks([report(.spot, [rows[0]]), report(.futures, [])]) == [
        "BTC/KRW spot: left out, range: it is above the high"
      ])
    #expect(remarks([report(.spot, [row("BTC", [])])]) == [])
  }
}
