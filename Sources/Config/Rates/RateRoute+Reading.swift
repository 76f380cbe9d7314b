import JSON
import Quotes

extension SpecReader {
  mutating func readRoute(_ member: ConfigMember) -> RateRoute? {
    guard checkKeys(member.value, .route) else { return nil }
    let pattern = PairPattern(member.name)
    if pattern == nil { report(.badPairPattern(member.name, at: member.key.place)) }
    let zone = member.value["zone"].flatMap { readZone($0) } ?? 0
    let via = member.value["via"].flatMap { $0.json.isNull ? nil : readText($0) }
    guard let rules = member.value["rules"] else {
      report(.missingKey("rules", in: "this route", at: member.value))
      return nil
    }
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
    guard let use = rule["use"] else {
      report(.missingKey("use", in: "this rule", at: rule))
      return nil
    }
    // A rule whose hours cannot be read must not hold all day.
    guard let name = readText(use), !diagnostics[before...].contains(where: { $0.severity == .error }) else {
      return nil
    }
    return .init(hours: hours, needsToday: needsToday, use: name, open: open, node: rule)
  }

  /// Without `from` from midnight, without `to` until midnight.
  private mutating func readHours(_ rule: ConfigNode) -> DayHours? {
    guard rule["from"] != nil || rule["to"] != nil else { return nil }
    func seconds(_ key: String, default other: Int) -> Int? {
      guard let node = rule[key] else { return other }
      guard let text = readText(node) else { return nil }
      guard let seconds = DayHours.seconds(text) else {
        report(.badTimeOfDay(text, at: node))
        return nil
      }
      return seconds
    }
    guard let from = seconds("from", default: 0), let to = seconds("to", default: DayHours.secondsPerDay) else {
      return nil
    }
    guard from < to else {
      report(.reversedHours(DayHours(from: from, to: to), at: rule["to"] ?? rule["from"] ?? rule))
      return nil
    }
    return DayHours(from: from, to: to)
  }

  /// `{ "date": "today" }`
  private mutating func readNeedsToday(_ node: ConfigNode) -> Bool {
    guard checkKeys(node, .routeWhen), let date = node["date"] else { return false }
    guard let text = readText(date) else { return false }
    if text != "today" { report(.notOneOf(["today"], found: text, at: date)) }
    return text == "today"
  }
}
