/// How far a futures price is from the spot price of the same venue and pair: `(futures - spot) / spot * 100`.
package struct Disparity: Sendable, Hashable {
  /// The row of the futures price, which stands beside the figure with its 24h change.
  package let futures: Int

  /// The row of the spot price.
  package let spot: Int

  /// Signed and unrounded.
  package let percent: Decimal

  /// `futures - spot`, in the payment currency.
  package let difference: Decimal

  package init(futures: Int, spot: Int, percent: Decimal, difference: Decimal) {
    self.futures = futures
    self.spot = spot
    self.percent = percent
    self.difference = difference
  }

  /// The disparities of all futures rows that have one, in the order of the rows.
  ///
  /// Both rows must be usable. Of two usable spot rows of one venue and pair the first counts.
  package static func all(in rows: [Ticker], anyPriceBasis: Bool = false) -> [Disparity] {
    struct Listing: Hashable {
      let exchange: String
      let pair: Pair
    }
    var spots: [Listing: (row: Int, price: Decimal)] = [:]
    for (index, row) in rows.enumerated() where row.market == .spot {
      let listing = Listing(exchange: row.exchange, pair: row.pair)
      guard spots[listing] == nil, let price = row.headlinePrice(anyBasis: anyPriceBasis) else { continue }
      spots[listing] = (index, price)
    }
    return rows.indices.compactMap { index in
      let row = rows[index]
      guard row.market == .futures, let price = row.headlinePrice(anyBasis: anyPriceBasis),
        let spot = spots[Listing(exchange: row.exchange, pair: row.pair)]
      else { return nil }
      return Disparity(futures: index, price: price, spot: spot.row, spotPrice: spot.price)
    }
  }

  /// nil when the spot price is zero.
  private init?(futures: Int, price: Decimal, spot: Int, spotPrice: Decimal) {
    let difference = price - spotPrice
    guard let ratio = difference.divided(by: spotPrice) else { return nil }
    self.futures = futures
    self.spot = spot
    self.percent = ratio.scaledByPowerOfTen(2)
    self.difference = difference
  }
}
