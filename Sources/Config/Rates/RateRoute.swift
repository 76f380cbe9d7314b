import JSON
package import Quotes

/// The providers used for a pair, and when. Rules are tried in order, and a rule that fails passes on to the next.
package struct RateRoute: Sendable {
  /// A provider and the conditions for using it.
  package struct Rule: Sendable {
    /// The hours when the rule applies, in the route's time zone; nil means all day.
    package let hours: DayHours?
    /// Whether the provider's rate must be from today, in the route's time zone.
    package let needsToday: Bool
    /// The provider.
    package let use: String
    /// The provider whose last rate of an earlier day is the basis of the change; nil uses what `use` itself reports.
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
  /// The offset of the route's time zone, in seconds east of UTC.
  package let zoneSeconds: Int
  package let rules: [Rule]
  /// The currency through which a pair is computed if no rule has it; nil means none.
  package let via: String?
  package let node: ConfigNode

  /// The providers that the rules name, without duplicates, in rule order.
  package var providers: [String] { rules.flatMap { [$0.use, $0.open].compactMap(\.self) }.unique }

  /// Returns the two pairs whose rates combine into that of `pair`; nil if there is no `via` or it is one of the two
  /// currencies.
  package func legs(of pair: Pair) -> (first: Pair, second: Pair)? {
    guard let via, via != pair.asset, via != pair.payment else { return nil }
    return (Pair(asset: pair.asset, payment: via), Pair(asset: via, payment: pair.payment))
  }

  /// Returns the same route with a single provider, at any time.
  package func only(_ provider: String) -> RateRoute {
    RateRoute(
      pattern: pattern, zoneSeconds: zoneSeconds, rules: [Rule(use: provider, node: node)], via: nil, node: node)
  }
}

extension [RateRoute] {
  /// Returns the route of a pair: the most specific match, the earlier one if equally specific.
  package func route(for pair: Pair) -> RateRoute? {
    filter { $0.pattern.matches(pair) }.reduce(nil) { best, route in
      guard let best, best.pattern.exactness >= route.pattern.exactness else { return route }
      return best
    }
  }
}

extension SpecReader {
  mutating func readRoute(_ member: ConfigMember) -> RateRoute? {
    guard checkKeys(member.value, .route) else { return nil }
    let pattern = PairPattern(member.name)
    if pattern == nil { report(.invalidPair(member.name, at: member.key.place)) }
    let zone = member.value["zone"].flatMap { readZone($0) } ?? 0
    let via = member.value["via"].flatMap { $0.json.isNull ? nil : readText($0) }
    guard let rules = required("rules", of: member.value, in: "this route") else { return nil }
    let read = (readElements(rules) ?? []).compactMap { readRule($0) }
    guard let pattern else { return nil }
    return RateRoute(pattern: pattern, zoneSeconds: zone, rules: read, via: via?.uppercased(), node: member.value)
  }

  private mutating func readRule(_ rule: ConfigNode) -> RateRoute.Rule? {
    guard checkKeys(rule, .routeRule) else { return nil }
    let before = diagnostics.count
    let hours = readHours(rule)
    let needsToday = rule["when"].map { readNeedsToday($0) } ?? false
    let open = rule["open"].flatMap { readText($0) }
    guard let use = required("use", of: rule, in: "this rule") else { return nil }
    // A rule with unreadable hours must not apply all day.
    guard let name = readText(use), !hasErrors(since: before) else { return nil }
    return .init(hours: hours, needsToday: needsToday, use: name, open: open, node: rule)
  }

  /// Reads the hours: `from` defaults to midnight, `to` to the end of the day.
  private mutating func readHours(_ rule: ConfigNode) -> DayHours? {
    guard rule["from"] != nil || rule["to"] != nil else { return nil }
    func seconds(_ key: String, default other: Int) -> Int? {
      guard let node = rule[key] else { return other }
      guard let text = readText(node) else { return nil }
      return DayHours.seconds(text) ?? rejected(.invalidTimeOfDay(text, at: node))
    }
    guard let from = seconds("from", default: 0), let to = seconds("to", default: DayHours.secondsPerDay) else {
      return nil
    }
    guard from < to else {
      return rejected(.reversedHours(DayHours(from: from, to: to), at: rule["to"] ?? rule["from"] ?? rule))
    }
    return DayHours(from: from, to: to)
  }

  /// `{ "date": "today" }`
  private mutating func readNeedsToday(_ node: ConfigNode) -> Bool {
    guard checkKeys(node, .routeWhen), let date = node["date"] else { return false }
    guard let text = readText(date) else { return false }
    if text != "today" { report(.unknownValue(["today"], found: text, at: date)) }
    return text == "today"
  }
}
