package import Config
package import Mapping
package import Quotes

extension MarketClient {
  /// Returns the current rate of a pair, by its route in the config.
  ///
  /// Each provider is only asked if the route needs it, at most once, and no more often than its `refresh` and `budget`
  /// allow; its previous answers are stored. If no provider has the pair, it is combined through the route's `via`; if
  /// only the inverse pair has its own route, that is inverted.
  ///
  /// - Parameter only: A single provider, instead of the route's rules.
  package func rate(
    of pair: Pair, _ configuration: Configuration, _ options: Interpretation, only: String? = nil
  ) async -> RateReport {
    await rate(of: pair, RateContext(configuration: configuration, options: options, only: only), path: [])
  }

  package func headerRate(_ configuration: Configuration, _ options: Interpretation) async -> RateReport {
    await rate(of: configuration.settings.headerRate, configuration, options)
  }

  private func rate(of pair: Pair, _ asking: RateContext, path: [Pair]) async -> RateReport {
    let moment = now()
    if pair.asset == pair.payment {
      return RateReport(pair: pair, moment: moment, quote: RateQuote(pair, 1, since: nil, provider: "-"))
    }
    if asking.isTurned(pair) {
      var report = await rate(of: Pair(asset: pair.payment, payment: pair.asset), asking, path: path)
      report.pair = pair
      (report.quote, report.lastKnown) = (report.quote?.inverted, report.lastKnown?.inverted)
      return report
    }
    guard let route = asking.route(for: pair) else {
      return RateReport(pair: pair, moment: moment, quote: nil)
    }
    var report = await direct(pair, route, asking, moment)
    guard report.quote == nil, !path.contains(pair), let legs = route.legs(of: pair) else { return report }
    async let first = rate(of: legs.first, asking, path: path + [pair])
    async let second = rate(of: legs.second, asking, path: path + [pair])
    report.legs = [await first, await second]
    report.notes += report.legs.flatMap(\.notes)
    if let first = report.legs[0].quote, let second = report.legs[1].quote {
      (report.quote, report.lastKnown) = (first.crossed(with: second), nil)
    }
    return report
  }

  /// Follows the rules of a route, and asks the providers that they need.
  private func direct(
    _ pair: Pair, _ route: RateRoute, _ asking: RateContext, _ moment: Instant
  ) async -> RateReport {
    let source = asking.configuration.source(of: route)
    let scope = scope(isShipped: source.isShipped, source.text)
    let known = rates.map { $0.lastRate(of: pair, in: scope) } ?? .unremembered
    var states: [String: RouteProvider] = [:]
    var notes: [String] = []
    func decided() -> RateDecision { .init(route, at: moment, states, known: known, isOtherTime: isOtherTime) }
    var decision = decided()
    // Each round settles at least one provider.
    for _ in 0...route.providers.count where !decision.wanted.isEmpty {
      let heard = await concurrently(decision.wanted) { want in
        (want.provider, await self.state(of: want, pair, asking, known))
      }
      for (name, (state, note)) in heard {
        states[name] = state
        if let note { notes.append(note) }
      }
      decision = decided()
    }
    var report = RateReport(pair: pair, moment: moment, quote: decision.quote)
    report.route = route
    report.steps = zip(route.rules, decision.verdicts).map { .init(rule: $0, verdict: $1) }
    report.openReason = decision.openReason
    report.notes = notes
    if let quote = decision.quote {
      let used: RateDecision.Known =
        quote.labels.contains(.unchecked)
        ? .unchecked(quote.rate, provider: quote.provider, at: quote.time ?? quote.arrival) : .rate(quote.rate)
      // The next rate is compared with the last one that nothing speaks against.
      if !quote.isUnconfirmed, known != used { rates?.remember(used, of: pair, in: scope, now: moment) }
    } else {
      report.lastKnown = lastKnown(route, states, known, at: moment)
    }
    return report
  }

  /// Returns the newest rate from any provider of a route, except those rejected as implausible, or of the future; nil
  /// if the very first rates contradict each other.
  private func lastKnown(
    _ route: RateRoute, _ states: [String: RouteProvider], _ known: RateDecision.Known, at moment: Instant
  ) -> RateQuote? {
    let all = route.providers.flatMap { name -> [RateQuote] in
      guard case .known(let state)? = states[name] else { return [] }
      return state.replies.compactMap { reply in
        guard let reading = reply.reading else { return nil }
        if let known = known.rate, RateDecision.isFar(reading.rate, from: known) { return nil }
        var quote = RateQuote(reading, provider: name)
        quote.arrival = reply.arrival
        return quote.time?.isFuture(at: moment) == true ? nil : quote
      }
    }
    guard let first = all.first, all.allSatisfy({ !RateDecision.isFar($0.rate, from: first.rate) }) else { return nil }
    func time(of quote: RateQuote) -> Instant { quote.time ?? quote.arrival ?? Instant(nanoseconds: .min) }
    return all.max { time(of: $0) < time(of: $1) }
  }
}

/// The constants of a request for a rate.
struct RateContext: Sendable {
  let configuration: Configuration
  let options: Interpretation
  /// A single provider, instead of the route's rules; nil for the route.
  let only: String?

  func route(for pair: Pair) -> RateRoute? {
    let route = configuration.routes.route(for: pair)
    guard let only else { return route }
    return route?.only(only)
  }

  /// Returns whether the inverse pair's route is to be used, because only that one names its pair.
  func isTurned(_ pair: Pair) -> Bool {
    func exactness(_ pair: Pair) -> Int { configuration.routes.route(for: pair)?.pattern.exactness ?? -1 }
    return exactness(Pair(asset: pair.payment, payment: pair.asset)) > max(0, exactness(pair))
  }
}

extension MarketClient {
  /// Returns how prices in one currency are shown in another.
  package func conversion(
    from payment: String, to currency: String, _ configuration: Configuration, _ options: Interpretation
  ) async -> Conversion {
    let tokens = configuration.settings.dollarTokens
    let (pegCurrency, target) = Conversion.money(from: payment, to: currency, dollarTokens: tokens)
    var report: RateReport?
    if let pair = Conversion.pair(from: pegCurrency, to: target) {
      report = await rate(of: pair, configuration, options)
    }
    return Conversion(from: payment, to: currency, by: report, dollarTokens: tokens, at: now())
  }
}
