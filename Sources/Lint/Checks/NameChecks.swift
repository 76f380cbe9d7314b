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
    for file in inspection.configuration.files {
      for member in file.root["exchanges"]?.members ?? [] { keys[member.value.place] = member.key }
    }
    for source in sources { if let key = keys[source.node.place] { take(source.name, of: source.name, at: key) } }
    for source in sources {
      for name in source.personal("names")?.elements ?? [] {
        if let text = name.json.string { take(text, of: source.name, at: name) }
      }
    }
    return result
  }

  /// Returns the key of an exchange's nearest block.
  static func key(of source: ExchangeSource) -> ConfigNode? {
    let file = source.node.file
    return file.root["exchanges"]?.members.last { $0.value.place == source.node.place }?.key
  }
}

/// A check for circular aliases, and aliases that have no effect.
enum AliasCheck: ConfigCheck {
  static func findings(in inspection: Inspection) -> [Finding] {
    var result: [Finding] = []
    for file in inspection.configuration.files {
      result += findings(file.root["aliases"]?.members ?? [], global: [:])
    }
    for table in inspection.tables {
      let members = table.spec.block?.members(of: .aliases) ?? []
      result += findings(members, global: inspection.configuration.aliases).map(table.own)
    }
    return result
  }

  private static func findings(_ members: [ConfigMember], global: [String: String]) -> [Finding] {
    if members.isEmpty { return [] }
    let pairs = members.compactMap { member in member.value.json.string.map { (member.name, $0) } }
    var next = global.merging(pairs) { _, own in own }
    // Names whose chain ends: it is followed once, however many names lead into it.
    var sound: Set<String> = []
    var result: [Finding] = []
    for member in members {
      guard let target = member.value.json.string else { continue }
      if target == member.name {
        result.append(.unusedAlias(member.name, "it names itself", at: member.key))
        continue
      }
      var trail = [member.name]
      var passed: Set<String> = []
      var name = member.name
      while let following = next[name], !sound.contains(following), passed.insert(following).inserted {
        trail.append(following)
        name = following
        if name == member.name { break }
      }
      guard trail.count > 1, name == member.name else {
        // A cycle that it leads into is found from one of the cycle's own names.
        let circle = next[name].flatMap { trail.firstIndex(of: $0) } ?? trail.endIndex
        sound.formUnion(trail[..<circle])
        continue
      }
      result.append(.circularAlias(trail, at: member.key))
      // One finding per cycle.
      for name in trail { next[name] = nil }
    }
    return result
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
    return routes.flatMap { overlaps(in: $0) + gaps(in: $0) + strangers(in: $0, inspection.providers) }
      + circles(in: routes)
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
