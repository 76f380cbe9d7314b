/// The result of buying an asset on one exchange and selling it at once on another.
package struct RoundTrip: Sendable, Hashable {
  /// The cost of the purchase and the proceeds of the sale, before fees, in one currency.
  package let cost: Decimal
  package let proceeds: Decimal

  /// - Parameters:
  ///   - cost: Above zero.
  package init(cost: Decimal, proceeds: Decimal) { (self.cost, self.proceeds) = (cost, proceeds) }

  /// Returns the profit in percent of what was paid; negative for a loss.
  ///
  /// - Parameters:
  ///   - buyFee: The fee that the buying exchange adds, in percent.
  ///   - sellFee: The fee that the selling exchange deducts, in percent.
  package func percent(buyFee: Decimal = 0, sellFee: Decimal = 0) -> Decimal? {
    let paid = cost + cost * buyFee.scaledByPowerOfTen(-2)
    let received = proceeds - proceeds * sellFee.scaledByPowerOfTen(-2)
    return received.percent(above: paid)
  }
}
