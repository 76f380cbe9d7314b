package import Config
package import Mapping
package import Quotes

/// The rate of a pair at a moment: the quote with open, change, provider, time and labels, or why there is none, and
/// the outcome of each rule of the pair's route.
///
///     let report = await client.rate(of: Pair(asset: "USD", payment: "KRW"), configuration, options)
///     if let quote = report.quote { … quote.rate, quote.open, quote.provider, quote.age(at: now), quote.labels … }
///     else { … report.reason, report.lastKnown … }
package struct RateReport: Sendable {
  /// A rule of the route and its outcome.
  package struct Step: Sendable {
    package let rule: RateRoute.Rule
    package let verdict: RateVerdict
  }

  package internal(set) var pair: Pair
  /// The moment for which the rate was requested.
  package let moment: Instant
  /// nil if no rule of the route produced a rate. Always valid for calculation; never merely the last known rate.
  package internal(set) var quote: RateQuote?
  /// If there is no quote, the newest known rate from any provider of the route. For display with its age only, never
  /// for calculation.
  package var lastKnown: RateQuote?
  /// Why the open, and thus the change, is unknown if a rule measures it from another provider's rate.
  package var openReason: OpenAbsence?
  /// The route that was followed; nil if the config has none.
  package var route: RateRoute?
  /// The outcome of each rule, in order.
  package var steps: [Step] = []
  /// The two reports that a cross rate is composed of.
  package var legs: [RateReport] = []
  /// What is wrong with the rate, if it contradicts prices on exchanges; then there is no quote.
  private var contradiction: Flag?
  /// Notes for `--verbose`: one for each call made.
  package var notes: [String] = []

  /// Why there is no rate, where no provider's code says it.
  package enum Absence {
    /// The prices on exchanges contradict it.
    case refused(Flag)
    case noRoute
    case noProvider
  }

  /// Why there is no rate: `Dunamu: timeout; OpenExchangeRates: no-secret`.
  package var reason: String? {
    reason { absence in
      switch absence {
      case .refused(let flag): flag.message
      case .noRoute: "no route"
      case .noProvider: "no provider"
      }
    }
  }

  /// Returns the same in other words.
  package func reason(_ words: (Absence) -> String) -> String? {
    guard quote == nil else { return nil }
    if let refusal { return (refusal.leg.map { "\($0): " } ?? "") + words(.refused(refusal.flag)) }
    if route == nil { return words(.noRoute) }
    let own = steps.filter(\.verdict.isFailure).map { "\($0.rule.use): \($0.verdict.code)" }
    let ofLegs = legs.compactMap { leg in leg.reason(words).map { "\(leg.pair): \($0)" } }
    let reasons = own + ofLegs
    return reasons.isEmpty ? words(.noProvider) : reasons.joined(separator: "; ")
  }

  /// Why a provider's rate, or that of a leg, is not used: the prices on exchanges contradict it. The leg is nil if it is
  /// the pair's own.
  package var refusal: (leg: Pair?, flag: Flag)? {
    contradiction.map { (nil, $0) }
      ?? legs.lazy.compactMap { leg in leg.refusal.map { ($0.leg ?? leg.pair, $0.flag) } }.first
  }

  /// Returns the report without a rate that contradicts prices on exchanges, its own or that of a leg.
  ///
  /// - Parameter finding: Compares a rate of a pair with such prices; nil if it fits.
  func checked(_ finding: (Decimal, Pair) -> Flag?) -> RateReport {
    var report = self
    report.legs = legs.map { $0.checked(finding) }
    report.contradiction = quote.flatMap { finding($0.rate, pair) }
    if report.refusal != nil { report.quote = nil }
    return report
  }

  /// The failed rules, including those of the legs, once per provider: sources that would have come before the rate
  /// that was found. Excludes a provider without a key if there is a rate.
  package var failedSteps: [Step] {
    var providers: Set<String> = []
    return (steps + legs.flatMap(\.failedSteps)).filter { step in
      if quote != nil {
        switch step.verdict {
        case .notOfToday: return false
        case .failed(let failure) where failure.reason == .noSecret: return false
        default: break
        }
      }
      return step.verdict.isFailure && providers.insert(step.rule.use).inserted
    }
  }

  package init(pair: Pair, moment: Instant, quote: RateQuote?) {
    (self.pair, self.moment, self.quote) = (pair, moment, quote)
  }
}
