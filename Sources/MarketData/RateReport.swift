package import Adapters
package import Quotes

/// An exchange rate, where it comes from, and who failed before.
package struct RateReport: Sendable {
  package struct Quote: Sendable {
    package let reading: RateReading
    /// The provider's name in the config.
    package let provider: String
    /// nil when the answer's arrival is not known.
    package let arrival: Instant?
  }

  package let pair: Pair
  /// nil when no provider has the rate.
  package let quote: Quote?
  /// The providers that were asked in vain, in order.
  package let failures: [(provider: String, failure: TableFailure)]

  /// Why there is no rate: `Dunamu: timeout; OpenExchangeRates: no-secret`.
  package var reason: String? {
    guard quote == nil else { return nil }
    let reasons = failures.map { "\($0.provider): \($0.failure.reason.code)" }
    return reasons.isEmpty ? "no provider" : reasons.joined(separator: "; ")
  }
}
