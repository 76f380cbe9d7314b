import Mapping
package import Quotes

/// A conversion of prices into another currency.
package final class Conversion: Sendable {
  /// The currency in which prices are also shown.
  package let currency: String
  /// The payment currency of the prices.
  package let payment: String
  /// The currency that the payment currency counts as: the dollar for a dollar token; otherwise itself.
  package let pegCurrency: String
  /// The currency that `currency` counts as: the dollar for a dollar token; otherwise itself.
  package let target: String
  /// The rate between the two, in the direction in which providers quote it; nil if they are the same.
  package let rate: RateReport?

  /// Creates a conversion with a known rate. If a different rate is needed, there is none.
  ///
  /// - Parameter moment: The moment for which the rate is wanted.
  package init(
    from payment: String, to currency: String, by known: RateReport?, dollarTokens: [String], at moment: Instant
  ) {
    (self.payment, self.currency) = (payment, currency)
    (pegCurrency, target) = Self.money(from: payment, to: currency, dollarTokens: dollarTokens)
    rate = Self.pair(from: pegCurrency, to: target).map { pair in
      let names: Set = [pair.asset, pair.payment]
      return known.flatMap { [$0.pair.asset, $0.pair.payment].allSatisfy(names.contains) ? $0 : nil }
        ?? RateReport(pair: pair, moment: moment, quote: nil)
    }
  }

  /// Returns the currencies that two currencies count as. Between equal currencies nothing is replaced, token or not.
  static func money(
    from payment: String, to currency: String, dollarTokens: [String]
  ) -> (pegCurrency: String, target: String) {
    func money(_ name: String) -> String { payment != currency && dollarTokens.contains(name) ? "USD" : name }
    return (money(payment), money(currency))
  }

  /// Whether a token is assumed to be worth the currency it is pegged to.
  package var assumesPeg: Bool { payment != pegCurrency }

  /// Returns the price in the other currency, unrounded; nil if there is no rate.
  package func converted(_ price: Decimal) -> Decimal? {
    guard let rate else { return price }
    guard let figure = rate.quote?.rate else { return nil }
    return rate.pair.asset == pegCurrency ? price * figure : price.divided(by: figure)
  }

  /// Returns the price in the other currency with meaningful digits: a product unchanged, a quotient with 12
  /// significant digits; nil if there is no rate.
  package func figure(_ price: Decimal) -> Decimal? {
    guard let value = converted(price) else { return nil }
    let isExact = rate.map { $0.pair.asset == pegCurrency } ?? true
    return isExact ? value : value.rounded(toSignificantDigits: 12)
  }

  /// Returns the same figure as written to files, in its shortest form.
  package func text(_ price: Decimal?) -> String? { price.flatMap(figure)?.shortest }

  /// Why there is no converted price; nil if there is one.
  package var reason: String? { rate?.reason }

  /// Returns the currency to show next to prices in a foreign currency: the dollar. nil if they are in dollars, a
  /// dollar token, or a coin.
  package static func customary(for payment: String, dollarTokens: [String]) -> String? {
    FiatCurrency.codes.contains(payment) && payment != "USD" && !dollarTokens.contains(payment) ? "USD" : nil
  }

  /// Returns the pair whose rate converts from one currency to another, as providers quote it: the dollar always comes
  /// first. nil if the two are the same.
  package static func pair(from payment: String, to currency: String) -> Pair? {
    if payment == currency { return nil }
    return currency == "USD" ? Pair(asset: currency, payment: payment) : Pair(asset: payment, payment: currency)
  }
}
