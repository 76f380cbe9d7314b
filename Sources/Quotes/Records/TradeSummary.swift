/// What some trades come to.
package struct TradeSummary: Sendable, Hashable {
  /// The trades of one kind of taker.
  package struct Part: Sendable, Hashable {
    package var count = 0
    /// In the asset.
    package var size = Decimal(0)
    /// In the payment currency.
    package var money = Decimal(0)

    fileprivate mutating func add(_ size: Decimal, _ price: Decimal) {
      count += 1
      self.size = self.size + size
      money = money + size * price
    }
  }

  package private(set) var buys = Part()
  package private(set) var sells = Part()
  /// Trades without a taker, as in auctions.
  package private(set) var others = Part()
  /// Trades whose size is missing: they enter no sum.
  package private(set) var unsized = 0
  /// The size in the middle of all: of two the lower; nil where no trade has one.
  package let medianSize: Decimal?

  package init(_ trades: [Trade]) {
    let sizes = trades.compactMap(\.size.value).sorted()
    medianSize = sizes.isEmpty ? nil : sizes[(sizes.count - 1) / 2]
    for trade in trades {
      guard let size = trade.size.value else {
        unsized += 1
        continue
      }
      switch trade.side {
      case .buy?: buys.add(size, trade.price)
      case .sell?: sells.add(size, trade.price)
      case nil: others.add(size, trade.price)
      }
    }
  }

  /// The share of the buys in what was bought and sold, by size, in percent; nil where there was neither.
  package var buyPercent: Decimal? { buys.size.scaledByPowerOfTen(2).divided(by: buys.size + sells.size) }

  /// From how many times the median on a trade is a large one.
  package static let largeFactor = 20

  /// How many times the median a large trade is; nil for every other one.
  package func factor(ofLarge trade: Trade) -> Decimal? {
    guard let medianSize, let factor = trade.size.value?.divided(by: medianSize), factor >= Decimal(Self.largeFactor)
    else { return nil }
    return factor
  }
}
