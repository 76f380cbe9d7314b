import Config
import JSON
import Quotes

/// A check for exchange names that differ only in case, spaces and punctuation, or that another exchange uses too:
/// which one is meant would be arbitrary.
enum ExchangeNameCheck: ConfigCheck {
  static func findings(in inspection: Inspection) -> [Finding] {
    var owners: [String: String] = [:]
    var result: [Finding] = []
    func take(_ name: String, of exchange: String, at node: ConfigNode) {
      if let other = owners[Spelling.folded(name)], other != exchange {
        result.append(.ambiguousName(name, other: other, at: node))
      } else {
        owners[Spelling.folded(name)] = exchange
      }
    }
    let sources = inspection.configuration.exchanges
    var keys: [Place: ConfigNode] = [:]
    var files: [String: Int] = [:]
    for (index, file) in inspection.configuration.files.enumerated() {
      for member in file.root["exchanges"]?.members ?? [] {
        keys[member.value.place] = member.key
        files[member.name] = files[member.name] ?? index
      }
    }
    for source in sources {
      guard let key = keys[source.node.place] else { continue }
      if source.name.allSatisfy(\.isWhitespace) { result.append(.invalidText("a name that can be typed", at: key)) }
      let other = owners[Spelling.folded(source.name)]
      if let other, let below = files[other], let own = files[source.name], below < own {
        let standsAlone = ["baseUrls", "like", "markets"].contains { source.node[$0] != nil }
        result.append(.respeltExchange(source.name, as: other, isChange: !standsAlone, at: key))
      } else {
        take(source.name, of: source.name, at: key)
      }
    }
    for source in sources {
      for name in source.personal("names")?.elements ?? [] {
        if let text = name.json.string { take(text, of: source.name, at: name) }
      }
    }
    return result + retired(in: inspection, owners, files)
  }

  /// Finds names of closed exchanges that an enabled one goes by.
  ///
  /// - Parameters:
  ///   - owners: the exchange that goes by each name.
  ///   - files: the first file of each exchange. One that is newer than the list of the closed ones has opened again.
  private static func retired(
    in inspection: Inspection, _ owners: [String: String], _ files: [String: Int]
  ) -> [Finding] {
    let open = Set(inspection.exchanges.filter(\.exchange.isEnabled).map(\.source.name))
    return inspection.configuration.files.enumerated().flatMap { index, file in
      (file.root["retired"]?.members ?? []).filter { !$0.value.json.isNull }.flatMap { member in
        let others = (member.value["names"]?.elements ?? []).map { ($0.json.string ?? "", $0) }
        return ([(member.name, member.key)] + others).compactMap { name, node -> Finding? in
          guard let owner = owners[Spelling.folded(name)], open.contains(owner), (files[owner] ?? 0) <= index else {
            return nil
          }
          return .openAndRetired(name, other: owner, at: node)
        }
      }
    }
  }

  /// Returns the key of an exchange's nearest block.
  static func key(of source: ExchangeSource) -> ConfigNode? {
    let file = source.node.file
    return file.root["exchanges"]?.members.last { $0.value.place == source.node.place }?.key
  }
}

/// A check for unknown names of rate providers and exchanges in the exchange rates.
enum ReferenceCheck: ConfigCheck {
  static func findings(in inspection: Inspection) -> [Finding] {
    let providers = inspection.configuration.providerNames
    let exchanges = inspection.configuration.exchangeNames
    var result: [Finding] = []
    // A config of another version was not read at all, so its names lead nowhere; reporting that would help nobody.
    if providers.isEmpty, exchanges.isEmpty { return [] }
    for file in inspection.configuration.files {
      for route in file.root["fx"]?["routes"]?.members ?? [] {
        for rule in route.value["rules"]?.elements ?? [] {
          for key in ["use", "open"] {
            if let node = rule[key], let name = node.json.string, !providers.contains(name) {
              result.append(.unknownProvider(name, known: providers, at: node))
            }
          }
        }
      }
    }
    for provider in inspection.providers {
      guard case .ticker(let exchange, _) = provider.source, !exchanges.contains(exchange),
        let node = provider.node["ticker"]?["exchange"]
      else { continue }
      // If a nearer file removed the exchange, report it there.
      let removal = inspection.configuration.files.last { $0.root["exchanges"]?[exchange]?.json.isNull == true }
      if let place = removal?.root["exchanges"]?[exchange] {
        result.append(.removedExchange(exchange, neededBy: provider.name, at: place))
      } else {
        result.append(.unknownExchange(exchange, known: exchanges, at: node))
      }
    }
    return result
  }
}

/// A check for problems in routes: hours that overlap or leave a gap, providers that cannot have the pair, and cycles.
enum RouteCheck: ConfigCheck {
  static func findings(in inspection: Inspection) -> [Finding] {
    let routes = inspection.configuration.routes
    return routes.flatMap { route in
      overlaps(in: route) + gaps(in: route) + repeated(in: route) + strangers(in: route, inspection.providers)
    } + circles(in: routes) + inspection.providers.flatMap { foreignPrices(of: $0, inspection) }
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
