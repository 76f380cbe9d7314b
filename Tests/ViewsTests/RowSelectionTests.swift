import Mapping
import MarketData
import Quotes
import Testing

@testable import Views

/// The order of rows in `show --sort`.
@Suite struct RowSelectionTests {
  /// Changes are ranked within their span: 24 hours, an unknown one, then each other one. Behind them are a row that is in
  /// no headline, and one without a change.
  @Test(arguments: [(false, "FCDEABGH"), (true, "CFDAEBGH")])
  func changesOfOneSpanAreRanked(_ isReversed: Bool, _ order: String) {
    let changes: [(exchange: String, change: Decimal?, span: ChangeBasis?)] = [
      ("A", 5, .kstDay), ("B", 9, .utcDay), ("C", 1, .rolling24h), ("D", 7, nil), ("E", 6, .kstDay),
      ("F", 2, .rolling24h), ("G", 8, .rolling24h), ("H", nil, .rolling24h),
    ]
    let rows = changes.map { exchange, change, span in
      let ticker = Ticker(
        exchange: exchange, market: .spot, symbol: "BTC", pair: SampleResponses.pair, price: .value(1),
        changePricePercent24: change.map { .value($0) } ?? .missing(.notOffered), changeBasis: span,
        flags: exchange == "G" ? [Flag(.range, .repeatedMember)] : [])
      return TickerRow(ticker)
    }
    let places = RowSelection<RowSort>(key: .change, isReversed: isReversed).places(of: rows, .standard) { _ in nil }
    #expect(places.map { rows[$0].ticker.exchange }.joined() == order)
  }
}
