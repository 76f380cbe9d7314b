package import Adapters
package import Catalog

extension Gatherer {
  /// How prices in one currency are shown in another.
  package func conversion(
    from payment: String, to currency: String, _ catalog: Catalog, _ options: Interpretation
  ) async -> Conversion {
    let countedAs = catalog.settings.dollarTokens.contains(payment) ? "USD" : payment
    guard let pair = Conversion.pair(from: countedAs, to: currency) else {
      return Conversion(currency: currency, payment: payment, countedAs: countedAs, rate: nil)
    }
    return Conversion(
      currency: currency, payment: payment, countedAs: countedAs, rate: await rate(of: pair, catalog, options))
  }
}
