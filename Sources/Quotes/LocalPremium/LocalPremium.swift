/// By how much a coin is dearer where it is paid for in local money (won) than where it is paid for in dollars:
/// `(local - dollars * price of a dollar) / (dollars * price of a dollar) * 100`. Negative: a reverse premium.
package struct LocalPremium: Sendable, Hashable {
  /// The row of the local price.
  package let local: Int
  /// The row of the dollar price.
  package let dollar: Int
  /// Signed and unrounded; a basis without a price of the dollar has none.
  package let percents: [DollarBasis: Decimal]

  package init(local: Int, dollar: Int, percents: [DollarBasis: Decimal]) {
    self.local = local
    self.dollar = dollar
    self.percents = percents
  }

  /// Whether one basis says premium and the other says discount, as printed: zero sides with neither.
  package var basesDisagree: Bool {
    let signs = Set(percents.values.map { $0.rounded(toPlaces: 2).signum })
    return signs.contains(1) && signs.contains(-1)
  }

  /// The premium of one price over another.
  ///
  /// - Parameters:
  ///   - local: what one unit brings in local money.
  ///   - dollars: what one unit costs in dollars.
  ///   - dollarPrice: what a dollar costs in local money.
  /// - Returns: percent; nil where a figure is zero or less.
  package static func percent(local: Decimal, dollars: Decimal, dollarPrice: Decimal) -> Decimal? {
    guard local.signum > 0, dollars.signum > 0, dollarPrice.signum > 0 else { return nil }
    let cost = dollars * dollarPrice
    return (local - cost).divided(by: cost)?.scaledByPowerOfTen(2)
  }
}
