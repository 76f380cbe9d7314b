import Quotes
import Testing

@testable import Proving

/// Prices that are outside of the offers in nearly all rows of a table.
@Suite struct PriceScaleTests {
  private static let arrival = Instant(nanoseconds: 1_763_442_727_000_000_000)

  /// Returns rows with offers around 100, by how far the price is from it and how old its trade is.
  private static func rows(_ prices: [Decimal], seconds: Int?) -> [Ticker] {
    prices.map { price in
      Ticker(
        exchange: "Alpha", market: .spot, symbol: "AB", pair: Pair(asset: "A", payment: "B"),
        price: .value(100 + price),
        volume24: .value(5), bid: .value(Decimal(mantissa: 999, exponent: -1)),
        ask: .value(Decimal(mantissa: 1001, exponent: -1)), time: arrival.advanced(by: .seconds(-(seconds ?? 0))),
        arrival: arrival, timeBasis: seconds == nil ? .quote : .trade)
    }
  }

  /// An open or an average is on both sides of the offers; prices that are left behind are on one.
  @Test(
    arguments: [
      ([1, 2, 1, 3, 2], nil, true), ([0, 0, 1, 3, 2], nil, false), ([1, 2, 1, 3, 2], 30, true),
      ([1, 2, 1, 3, 2], 600, false), ([1, -2, 1, -3, 2], 600, true), ([1, -2, 1, -3, 2], 1000, false),
    ] as [([Decimal], Int?, Bool)])
  func pricesOutsideOfOffers(_ prices: [Decimal], seconds: Int?, isFound: Bool) {
    #expect(PriceScale.findings(of: Self.rows(prices, seconds: seconds)).map(\.field) == (isFound ? [.price] : []))
  }
}
