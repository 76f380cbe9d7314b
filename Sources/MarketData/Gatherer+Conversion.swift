package import Config
package import Mapping

extension Gatherer {
  /// How prices in one currency are shown in another.
  package func conversion(
    from payment: String, to currency: String, _ configuration: Configuration, _ options: Interpretation
  ) async -> Conversion {
    let tokens = configuration.settings.dollarTokens
    // A price is in its own currency already, token or not.
    func money(_ name: String) -> String { payment != currency && tokens.contains(name) ? "USD" : name }
    let (countedAs, target) = (money(payment), money(currency))
    var report: RateReport?
    if let pair = Conversion.pair(from: countedAs, to: target) { report = await rate(of: pair, configuration, options) }
    return Conversion(currency: currency, payment: payment, countedAs: countedAs, target: target, rate: report)
  }
}
