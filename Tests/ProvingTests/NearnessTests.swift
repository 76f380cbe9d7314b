import Quotes
import Testing

@testable import Proving

/// What a pair's own request and its row in the table of all pairs must agree about.
@Suite struct NearnessTests {
  /// A change near zero since midnight may be any share of one over 24 hours: only those of one span tell a ratio from a
  /// percentage.
  @Test(arguments: [
    ("1.36", ChangeBasis.rolling24h, "0.01", ChangeBasis.utc8Day, false),
    ("1.36", .rolling24h, "0.0136", .rolling24h, true), ("1.36", .utc8Day, "1.35", .utc8Day, false),
  ])
  func changesOfOneSpanAreCompared(
    _ one: String, _ span: ChangeBasis, _ other: String, _ otherSpan: ChangeBasis, _ differs: Bool
  ) throws {
    func ticker(_ change: String, _ basis: ChangeBasis) throws -> Ticker {
      Ticker(
        exchange: "Alpha", market: .spot, symbol: "BTCUSDT", pair: Pair(asset: "BTC", payment: "USDT"),
        price: .value(try #require(Decimal("91500"))), changePricePercent24: .value(try #require(Decimal(change))),
        changeBasis: basis)
    }
    let texts = try ticker(one, span).disagreements(withTable: try ticker(other, otherSpan))
    #expect(
      texts == (differs ? ["changePricePercent24 is \(one) here and \(other) in the table of all pairs"] : []))
  }
}
