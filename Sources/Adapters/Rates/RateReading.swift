package import Quotes

/// What a rate provider says of one pair.
package struct RateReading: Sendable, Hashable {
  package let pair: Pair
  /// The payment currency for one unit of the asset.
  package let rate: Decimal
  /// What the change is measured from; nil where the provider does not say.
  package var open: Decimal?
  /// In the payment currency.
  package var change: Decimal?
  package var changePercent: Decimal?
  /// When the rate was quoted.
  package var time: Instant?
  /// The day of the rate, in the provider's own words.
  package var date: String?
  /// Who quotes, in the provider's own words.
  package var quotedBy: String?

  package init(pair: Pair, rate: Decimal) {
    self.pair = pair
    self.rate = rate
  }
}
