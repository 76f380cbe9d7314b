package import Config
package import Mapping
package import Quotes

/// The rate of a pair at a moment: the quote with open, change, provider, time and labels, or why there is none; and of
/// each rule of the pair's route what became of it.
///
///     let report = await client.rate(of: Pair(asset: "USD", payment: "KRW"), configuration, options)
///     if let quote = report.quote { … quote.rate, quote.open, quote.provider, quote.age(at: now), quote.labels … }
///     else { … report.reason, report.lastKnown … }
package struct RateReport: Sendable {
  /// A rule of the route that was followed, and what became of it.
  package struct Step: Sendable {
    package let rule: RateRoute.Rule
    package let verdict: RateVerdict
  }

  package let pair: Pair
  /// The moment it was asked for.
  package let moment: Instant
  /// nil when no rule of the route gave a rate. What is here may be used; it is never the last known rate alone.
  package let quote: RateQuote?
  /// Where there is no quote: the newest rate that anybody of the route is known to have named. To be shown with its
  /// age, and never to be reckoned with.
  package var lastKnown: RateQuote?
  /// Why the open, and so the change, is not known, where a rule measures it from another provider's rate.
  package var openReason: String?
  /// The route that was followed; nil where the config has none.
  package var route: RateRoute?
  /// In the order of the rules.
  package var steps: [Step] = []
  /// The two reports that a cross rate is made of.
  package var legs: [RateReport] = []
  /// What is worth a line with `--verbose`: a call that brought nothing new.
  package var notes: [String] = []

  /// Why there is no rate: `Dunamu: timeout; OpenExchangeRates: no-secret`.
  package var reason: String? {
    guard quote == nil else { return nil }
    if route == nil { return "no route" }
    let own = steps.filter(\.verdict.isFailure).map { "\($0.rule.use): \($0.verdict.code)" }
    let ofLegs = legs.compactMap { leg in leg.reason.map { "\(leg.pair): \($0)" } }
    let reasons = own + ofLegs
    return reasons.isEmpty ? "no provider" : reasons.joined(separator: "; ")
  }

  /// The rules that have failed, those of the legs too, each provider once: what a rate that was found could have come of
  /// first. A provider without a key is none of them where there is a rate.
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
    self.pair = pair
    self.moment = moment
    self.quote = quote
  }
}
