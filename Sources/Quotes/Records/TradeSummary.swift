/// The totals of a set of trades.
package struct TradeSummary: Sendable, Hashable {
  /// The trades of one side.
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
  /// Trades without a taker, for example in auctions.
  package private(set) var others = Part()
  /// The number of trades whose size is missing; they are not part of any sum.
  package private(set) var unsized = 0
  /// The median size, the lower one if there are two; nil if no trade has a size.
  package let medianSize: Decimal?

  package init(_ trades: [Trade]) {
    medianSize = trades.compactMap(\.size.value).lowerMedian
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

  /// The share of buys in the traded size, in percent; nil if there were neither buys nor sells.
  package var buyPercent: Decimal? { buys.size.percent(of: buys.size + sells.size) }

  /// The multiple of the median from which a trade is large.
  package static let largeFactor = 20

  /// Returns a large trade's multiple of the median, or nil for any other trade.
  package func factor(ofLarge trade: Trade) -> Decimal? {
    guard let medianSize, let factor = trade.size.value?.divided(by: medianSize), factor >= Decimal(Self.largeFactor)
    else { return nil }
    return factor
  }
}
