package import Quotes

/// Which providers are asked for a pair, and when: the rules are tried in order, each one that fails passes on.
package struct RateRoute: Sendable {
  /// One provider, and what must hold for it to be taken.
  package struct Rule: Sendable {
    /// When the rule holds, by the route's clock; nil: all day.
    package let hours: DayHours?
    /// Whether the provider's rate must be of today, by the route's clock.
    package let needsToday: Bool
    /// The provider.
    package let use: String
    /// The provider whose last rate of an earlier day the change is measured from; nil: what `use` says itself.
    package let open: String?
    package let node: ConfigNode

    package init(hours: DayHours? = nil, needsToday: Bool = false, use: String, open: String? = nil, node: ConfigNode) {
      self.hours = hours
      self.needsToday = needsToday
      self.use = use
      self.open = open
      self.node = node
    }
  }

  package let pattern: PairPattern
  /// How far the route's clock is ahead of UTC.
  package let zoneSeconds: Int
  package let rules: [Rule]
  /// The currency that a pair is put together through where no rule has it; nil: none.
  package let via: String?
  package let node: ConfigNode

  package init(pattern: PairPattern, zoneSeconds: Int, rules: [Rule], via: String?, node: ConfigNode) {
    self.pattern = pattern
    self.zoneSeconds = zoneSeconds
    self.rules = rules
    self.via = via
    self.node = node
  }

  /// Every provider that a rule names, each once, in the order of the rules.
  package var providers: [String] {
    var names: [String] = []
    for name in rules.flatMap({ [$0.use] + ($0.open.map { [$0] } ?? []) }) where !names.contains(name) {
      names.append(name)
    }
    return names
  }

  /// The two pairs whose rates make that of a pair; nil where `via` is none or one of the two currencies.
  package func legs(of pair: Pair) -> (first: Pair, second: Pair)? {
    guard let via, via != pair.asset, via != pair.payment else { return nil }
    return (Pair(asset: pair.asset, payment: via), Pair(asset: via, payment: pair.payment))
  }

  /// The same route with one provider alone, at any time.
  package func only(_ provider: String) -> RateRoute {
    RateRoute(
      pattern: pattern, zoneSeconds: zoneSeconds, rules: [Rule(use: provider, node: node)], via: nil, node: node)
  }
}

extension [RateRoute] {
  /// The route of a pair: the one that names the most of it, the earlier of two that name as much.
  package func route(for pair: Pair) -> RateRoute? {
    filter { $0.pattern.matches(pair) }.reduce(nil) { best, route in
      guard let best, best.pattern.exactness >= route.pattern.exactness else { return route }
      return best
    }
  }
}
