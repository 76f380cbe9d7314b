package import Config
import HTTP
package import Mapping
package import Quotes

/// All currencies of one provider, against the dollar and the won.
package struct RateListing: Sendable {
  package struct Row: Sendable, Hashable {
    package let currency: String
    /// The price of one unit in dollars; nil if the provider has none.
    package let dollars: Decimal?
    /// The price of one unit in won.
    package let won: Decimal?
  }

  /// The provider's name in the config.
  package let provider: String
  /// One of its rates, for the quoting institution, time and day.
  package let sample: RateQuote
  /// By currency.
  package let rows: [Row]
}

extension MarketClient {
  /// Returns a provider's rates of these currencies. It is asked at most once, and no more often than its rules allow.
  package func listing(
    of name: String, _ currencies: [String], _ configuration: Configuration, _ options: Interpretation
  ) async throws(AnswerFailure) -> RateListing {
    let (provider, diagnostics) = configuration.readProvider(name)
    guard let provider else {
      throw AnswerFailure(.noAnswer(.config), diagnostics.first?.message ?? "unknown provider")
    }
    guard case .table(let spec, let daysBack) = provider.source, !spec.request.asksForPair else {
      throw AnswerFailure(.notOffered, "it answers for one pair at a time: market fx USD KRW --provider \(name)")
    }
    func query(_ pair: Pair) -> ProviderQuery { .init(provider, spec, pair, daysBack, nil, options) }
    let probes = [("USD", "KRW"), ("EUR", "USD"), ("USD", "EUR")].map { Pair(asset: $0.0, payment: $0.1) }
    guard let probe = probes.first(where: { provider.canHold($0) }) else {
      throw AnswerFailure(.notOffered, "none of its pairs include the dollar or the won")
    }
    let (answer, sample) = try await reply(query(probe)).get()
    // Each pair is read once, though many rates are derived from it.
    var readings: [Pair: RateReading?] = [probe: sample]
    func reading(_ asset: String, _ payment: String) -> RateReading? {
      let pair = Pair(asset: asset, payment: payment)
      if let known = readings[pair] { return known }
      guard provider.canHold(pair) else { return nil }
      let reader = RateReader(query(pair), context(for: spec.owner, pair: pair), hooks)
      let reading = try? reader.reading(of: answer).get()
      readings[pair] = .some(reading)
      return reading
    }
    let rows = currencies.compactMap { currency -> RateListing.Row? in
      let row = RateListing.Row(
        currency: currency, dollars: Self.rate(currency, "USD", reading), won: Self.rate(currency, "KRW", reading))
      return row.dollars == nil && row.won == nil ? nil : row
    }
    var quote = RateQuote(sample, provider: name)
    quote.arrival = answer.arrival
    return RateListing(provider: name, sample: quote, rows: rows.sorted { $0.currency < $1.currency })
  }

  /// Returns a rate from the contents of one answer: directly, inverted, or through a third currency.
  private static func rate(
    _ asset: String, _ payment: String, _ reading: (String, String) -> RateReading?
  ) -> Decimal? {
    if asset == payment { return reading("USD", "KRW") == nil && reading("EUR", "USD") == nil ? nil : 1 }
    func step(_ from: String, _ to: String) -> Decimal? {
      reading(from, to)?.rate ?? reading(to, from).flatMap { Decimal(1).divided(by: $0.rate) }
    }
    // A quotient has as many digits as fit; twelve are enough.
    func short(_ rate: Decimal) -> Decimal {
      rate.significantDigits > 24 ? rate.rounded(toSignificantDigits: 12) : rate
    }
    if let rate = step(asset, payment) { return short(rate) }
    for other in ["USD", "KRW", "EUR"] where other != asset && other != payment {
      if let first = step(asset, other), let second = step(other, payment) {
        return short(first * second)
      }
    }
    return nil
  }
}
