/// What is bid and asked for at one moment, best price first.
package struct OrderBook: Sendable, Hashable {
  /// So much of the asset at one price.
  package struct Level: Sendable, Hashable {
    package let price: Decimal
    package let size: Decimal

    package init(price: Decimal, size: Decimal) {
      self.price = price
      self.size = size
    }
  }

  /// Highest price first.
  package let bids: [Level]
  /// Lowest price first.
  package let asks: [Level]

  /// Puts the levels in order, whatever the exchange's: levels without a price or a size are padding and left out.
  package init(bids: [Level], asks: [Level]) {
    func real(_ levels: [Level]) -> [Level] { levels.filter { $0.price.signum > 0 && $0.size.signum > 0 } }
    self.bids = real(bids).sorted { $0.price > $1.price }
    self.asks = real(asks).sorted { $0.price < $1.price }
  }

  /// Whether somebody bids more than another asks: such a book is of two moments, or has its sides swapped.
  package var isCrossed: Bool {
    guard let bid = bids.first, let ask = asks.first else { return false }
    return bid.price > ask.price
  }

  /// The average price at which so much money is spent on the asset; nil where the book holds less.
  package func averagePrice(buyingFor money: Decimal) -> Decimal? { Self.averagePrice(asks, for: money) }

  /// The average price at which the asset is sold until so much money has come in; nil where the book holds less.
  package func averagePrice(sellingFor money: Decimal) -> Decimal? { Self.averagePrice(bids, for: money) }

  /// Walks from the best price on. `money` is in the payment currency and above zero.
  private static func averagePrice(_ levels: [Level], for money: Decimal) -> Decimal? {
    var rest = money
    var amount = Decimal(0)
    for level in levels {
      let worth = level.price * level.size
      if worth >= rest {
        guard let last = rest.divided(by: level.price) else { return nil }
        return money.divided(by: amount + last)
      }
      rest = rest - worth
      amount = amount + level.size
    }
    return nil
  }
}
