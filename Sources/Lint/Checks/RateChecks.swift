import Config
import JSON
import Quotes

/// A check for unknown names of rate providers and exchanges in the exchange rates.
enum ReferenceCheck: ConfigCheck {
  static func findings(in inspection: Inspection) -> [Finding] {
    let configuration = inspection.configuration
    // A config of another version was not read at all, so its names lead nowhere; reporting that would help no one.
    if configuration.providerNames.isEmpty, configuration.exchangeNames.isEmpty { return [] }
    return unknownProviders(in: configuration)
      + inspection.providers.compactMap { unknownExchange(of: $0, in: configuration) }
  }

  /// Finds rules of routes that name no provider.
  private static func unknownProviders(in configuration: Configuration) -> [Finding] {
    let known = configuration.providerNames
    let routes = configuration.files.flatMap { $0.root["fx"]?["routes"]?.members ?? [] }
    let rules = routes.flatMap { $0.value["rules"]?.elements ?? [] }
    return rules.flatMap { rule in ["use", "open"].compactMap { rule[$0] } }.compactMap { node -> Finding? in
      guard let name = node.json.string, !known.contains(name) else { return nil }
      return .unknownProvider(name, known: known, at: node)
    }
  }

  /// Returns a finding about a provider whose rate is the price of an exchange that there is not.
  private static func unknownExchange(of provider: RateProvider, in configuration: Configuration) -> Finding? {
    let known = configuration.exchangeNames
    guard case .ticker(let exchange, _) = provider.source, !known.contains(exchange),
      let node = provider.node["ticker"]?["exchange"]
    else { return nil }
    // If a nearer file removed the exchange, report it there.
    let removal = configuration.files.last { $0.root["exchanges"]?[exchange]?.json.isNull == true }
    if let place = removal?.root["exchanges"]?[exchange] {
      return .removedExchange(exchange, neededBy: provider.name, at: place)
    }
    return .unknownExchange(exchange, known: known, at: node)
  }
}

/// A check for problems in routes: hours that overlap or leave a gap, providers that cannot have the pair, and cycles.
enum RouteCheck: ConfigCheck {
  static func findings(in inspection: Inspection) -> [Finding] {
    let routes = inspection.configuration.routes
    return routes.flatMap { route in
      overlaps(in: route) + gaps(in: route) + repeated(in: route) + strangers(in: route, inspection.providers)
    } + cycles(in: routes) + inspection.providers.flatMap { foreignPrices(of: $0, inspection) }
  }

  /// Finds rules behind one that asks the same provider in all cases.
  private static func repeated(in route: RateRoute) -> [Finding] {
    route.rules.indices.compactMap { index in
      let rule = route.rules[index]
      let earlier = route.rules[..<index].first { $0.use == rule.use && $0.hours == nil && !$0.needsToday }
      guard let earlier, let node = rule.node["use"] else { return nil }
      return .repeatedProvider(rule.use, line: earlier.node.place.start.line, at: node)
    }
  }

  /// Finds a price that is not the rate it is taken for, or that its exchange does not have.
  private static func foreignPrices(of provider: RateProvider, _ inspection: Inspection) -> [Finding] {
    guard case .ticker(let exchange, let price) = provider.source, let node = provider.node["ticker"] else { return [] }
    // What usually counts as a dollar may stand for one in a rate, whatever the user's prices are converted by.
    let dollars = inspection.configuration.settings.dollarTokens + Settings().dollarTokens
    func stands(_ symbol: String, for currency: String?) -> Bool {
      currency == nil || currency == symbol || currency == "USD" && dollars.contains(symbol)
        || currency == "EUR" && KnownAsset.euros.contains(symbol)
    }
    let isItsRate = provider.pairs.contains { pattern in
      stands(price.asset, for: pattern.asset) && stands(price.payment, for: pattern.payment)
    }
    if !isItsRate, let pair = provider.pairs.first {
      return [.foreignRate(provider.name, "\(pair)", price: "\(price)", at: node)]
    }
    let tables = inspection.tables.filter { $0.source?.name == exchange && $0.isOfTickers }
    let aliases = inspection.configuration.aliases
    guard !tables.isEmpty, !tables.contains(where: { $0.spec.canHold(payment: price.payment, globalAliases: aliases) })
    else { return [] }
    return [.unservedRate(exchange, "\(price)", at: node["payment"] ?? node)]
  }

  /// Finds overlaps. Rules with the same hours are a list of fallbacks; a partial overlap is most likely a mistake.
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
        return .unusedProvider(provider.name, "\(pair)", at: node)
      }
    }
  }

  /// Follows every pair of the currencies that routes name, and of one that none names, through `via`.
  private static func cycles(in routes: [RateRoute]) -> [Finding] {
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
        found[node.place] = found[node.place] ?? .circularRoute((path[start...] + [pair]).map(\.description), at: node)
        return
      }
      follow(legs.first, path + [pair])
      follow(legs.second, path + [pair])
      sound.insert(pair)
    }
    for asset in currencies {
      for payment in currencies where payment != asset { follow(Pair(asset: asset, payment: payment), []) }
    }
    // A cycle is found from each of its routes; only the first is reported.
    return found.sorted { $0.key.range.lowerBound < $1.key.range.lowerBound }.prefix(1).map(\.value)
  }
}
