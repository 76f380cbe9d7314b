import Config
import JSON
import Quotes

/// Routes of exchange rates: hours that overlap or leave a gap, providers that cannot have the pair, circles.
enum RouteCheck: ConfigCheck {
  static func findings(in inspection: Inspection) -> [Finding] {
    let routes = inspection.configuration.routes
    return routes.flatMap { overlaps(in: $0) + gaps(in: $0) + strangers(in: $0, inspection.providers) }
      + circles(in: routes)
  }

  /// Rules of the same hours are a list of fallbacks; others that overlap in part are most likely a slip.
  private static func overlaps(in route: RateRoute) -> [Finding] {
    var result: [Finding] = []
    for (index, rule) in route.rules.enumerated() {
      guard let hours = rule.hours else { continue }
      for earlier in route.rules[..<index] {
        guard let other = earlier.hours, other != hours, let overlap = hours.overlap(with: other) else { continue }
        result.append(.overlappingHours(overlap, line: earlier.node.place.start.line, at: rule.node))
        break
      }
    }
    return result
  }

  private static func gaps(in route: RateRoute) -> [Finding] {
    guard let last = route.rules.last, last.hours != nil, route.rules.allSatisfy({ $0.hours != nil }) else { return [] }
    var gaps: [DayHours] = []
    var covered = 0
    for hours in route.rules.compactMap(\.hours).sorted(by: { $0.from < $1.from }) {
      if hours.from > covered { gaps.append(DayHours(from: covered, to: hours.from)) }
      covered = max(covered, hours.to)
    }
    if covered < DayHours.secondsPerDay { gaps.append(DayHours(from: covered, to: DayHours.secondsPerDay)) }
    return gaps.isEmpty ? [] : [.uncoveredHours(gaps, at: last.node)]
  }

  private static func strangers(in route: RateRoute, _ providers: [RateProvider]) -> [Finding] {
    guard let pair = route.pattern.pair else { return [] }
    return route.rules.flatMap { rule in
      ["use", "open"].compactMap { key -> Finding? in
        guard let node = rule.node[key], let provider = providers.first(where: { $0.name == node.json.string }),
          !provider.canHold(pair)
        else { return nil }
        return .neverAsked(provider.name, "\(pair)", at: node)
      }
    }
  }

  /// Every pair of the currencies that routes name, and one that none names, is followed through `via`.
  private static func circles(in routes: [RateRoute]) -> [Finding] {
    var currencies = ["any"]
    for name in routes.flatMap({ [$0.pattern.asset, $0.pattern.payment, $0.via] }).compactMap(\.self)
    where !currencies.contains(name) {
      currencies.append(name)
    }
    var found: [Place: Finding] = [:]
    var sound: Set<Pair> = []
    func follow(_ pair: Pair, _ path: [Pair]) {
      guard !sound.contains(pair), let route = routes.route(for: pair), let legs = route.legs(of: pair) else { return }
      if let start = path.firstIndex(of: pair) {
        let node = route.node["via"] ?? route.node
        found[node.place] = found[node.place] ?? .circularVia((path[start...] + [pair]).map(\.description), at: node)
        return
      }
      follow(legs.first, path + [pair])
      follow(legs.second, path + [pair])
      sound.insert(pair)
    }
    for asset in currencies {
      for payment in currencies where payment != asset { follow(Pair(asset: asset, payment: payment), []) }
    }
    // One circle is seen from each of its routes; the first to be met is told.
    return found.sorted { $0.key.range.lowerBound < $1.key.range.lowerBound }.prefix(1).map(\.value)
  }
}
