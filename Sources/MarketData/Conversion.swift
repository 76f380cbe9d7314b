import Mapping
package import Quotes

/// Prices in another currency than the one they are paid in.
package struct Conversion: Sendable {
  /// What prices are shown in beside their own currency.
  package let currency: String
  /// What the prices are paid in.
  package let payment: String
  /// The money that the payment currency counts as: the dollar for a token of it; else itself.
  package let countedAs: String
  /// The money that `currency` counts as: the dollar for a token of it; else itself.
  package let target: String
  /// The rate between the two, in the direction in which providers quote it; nil where the two are one.
  package let rate: RateReport?

  init(currency: String, payment: String, countedAs: String, target: String, rate: RateReport?) {
    self.currency = currency
    self.payment = payment
    self.countedAs = countedAs
    self.target = target
    self.rate = rate
  }

  /// By a rate that is at hand. Where another one is needed there is none.
  ///
  /// - Parameter moment: when it is wanted.
  package init(
    from payment: String, to currency: String, by known: RateReport?, dollarTokens: [String], at moment: Instant
  ) {
    let (countedAs, target) = Self.money(from: payment, to: currency, dollarTokens: dollarTokens)
    let rate = Self.pair(from: countedAs, to: target).map { pair in
      let names: Set = [pair.asset, pair.payment]
      return known.flatMap { [$0.pair.asset, $0.pair.payment].allSatisfy(names.contains) ? $0 : nil }
        ?? RateReport(pair: pair, moment: moment, quote: nil)
    }
    self.init(currency: currency, payment: payment, countedAs: countedAs, target: target, rate: rate)
  }

  /// The money that two currencies count as. A price is in its own currency already, token or not.
  static func money(
    from payment: String, to currency: String, dollarTokens: [String]
  ) -> (countedAs: String, target: String) {
    func money(_ name: String) -> String { payment != currency && dollarTokens.contains(name) ? "USD" : name }
    return (money(payment), money(currency))
  }

  /// True where a token is taken for the money that it promises.
  package var isAssumed: Bool { payment != countedAs }

  /// A price in the other currency, unrounded; nil where there is no rate.
  package func converted(_ price: Decimal) -> Decimal? {
    guard let rate else { return price }
    guard let figure = rate.quote?.rate else { return nil }
    return rate.pair.asset == countedAs ? price * figure : price.divided(by: figure)
  }

  /// A price in the other currency with the digits that mean something: a product as it is, a quotient with 12 significant
  /// digits; nil where there is no rate.
  package func figure(_ price: Decimal) -> Decimal? {
    guard let value = converted(price) else { return nil }
    let isExact = rate.map { $0.pair.asset == countedAs } ?? true
    return isExact ? value : value.rounded(toSignificantDigits: 12)
  }

  /// The same as files carry it, in its shortest form.
  package func text(_ price: Decimal?) -> String? { price.flatMap(figure)?.shortest }

  /// Why there is no converted price; nil where there is one.
  package var reason: String? { rate?.reason }

  /// The currency to show beside prices that are paid in foreign money: the dollar. nil where they are paid in dollars, in
  /// a token of it, or in a coin.
  package static func customary(for payment: String, dollarTokens: [String]) -> String? {
    FiatCurrency.codes.contains(payment) && payment != "USD" && !dollarTokens.contains(payment) ? "USD" : nil
  }

  /// The pair whose rate leads from a payment currency to another, as providers quote it: against the dollar, the dollar
  /// comes first. nil where the two are one.
  package static func pair(from payment: String, to currency: String) -> Pair? {
    if payment == currency { return nil }
    return currency == "USD" ? Pair(asset: currency, payment: payment) : Pair(asset: payment, payment: currency)
  }
}
