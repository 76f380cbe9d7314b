/// What buying so much of an asset on one exchange and selling it on another at once leaves.
package struct RoundTrip: Sendable, Hashable {
  /// What the purchase costs and what the sale brings, before fees, in one currency.
  package let cost: Decimal
  package let proceeds: Decimal

  /// - Parameters:
  ///   - cost: above zero.
  package init(cost: Decimal, proceeds: Decimal) {
    self.cost = cost
    self.proceeds = proceeds
  }

  /// What is left, in percent of what was paid; negative for a loss.
  ///
  /// - Parameters:
  ///   - buyFee: what the exchange of the purchase takes on top, in percent.
  ///   - sellFee: what the exchange of the sale keeps, in percent.
  package func percent(buyFee: Decimal = 0, sellFee: Decimal = 0) -> Decimal? {
    let paid = cost + cost * buyFee.scaledByPowerOfTen(-2)
    let received = proceeds - proceeds * sellFee.scaledByPowerOfTen(-2)
    return (received - paid).scaledByPowerOfTen(2).divided(by: paid)
  }
}
