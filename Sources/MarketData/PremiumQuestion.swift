package import Quotes

/// What is asked of the premium of an asset in one country.
package struct PremiumQuestion: Sendable {
  package var asset: String
  /// The local money: KRW.
  package var local: String
  /// What counts as dollars on the other side: the dollar and tokens for it.
  package var dollars: [String]
  /// How much local money changes hands: the order books are walked for it. nil compares last prices.
  package var size: Decimal?
  /// Whether taker fees are taken off and put on.
  package var countsFees: Bool
  package var anyPriceBasis: Bool

  package init(
    asset: String, local: String, dollars: [String], size: Decimal? = nil, countsFees: Bool = false,
    anyPriceBasis: Bool = false
  ) {
    self.asset = asset
    self.local = local
    self.dollars = dollars
    self.size = size
    self.countsFees = countsFees
    self.anyPriceBasis = anyPriceBasis
  }

  /// The token whose price on the local exchange stands for a payment currency: the dollar is taken as one tether.
  package static func token(for payment: String) -> String { payment == "USD" ? "USDT" : payment }
}
