import JSON
package import JSONPath
import Quotes

/// A value and one test that it must pass.
package struct ConditionSpec: Sendable {
  package enum Test: Sendable {
    /// nil stands for null, which also equals a missing value.
    case equals(String?)
    case isIn([String?])
    case notIn([String?])
    case prefix(String)
    case suffix(String)
    case match(IRegexp)
    /// Numerically greater.
    case above(String)
    case shape(Shape)
  }

  package enum Shape: String, CaseIterable, Sendable { case present, absent, empty, array, object }

  /// What a row that fails the test says of its pair.
  enum Else: String, CaseIterable { case halted, unlisted }

  package let value: ValueSpec
  package let test: Test
  /// The values of a wallet that is closed, if the test has those of an open one: any other means neither. nil if
  /// whatever fails the test does.
  package var closed: [String?]?
  /// Whether a row that fails the test is of a pair that the exchange does not list, rather than of one that is halted.
  package var marksUnlisted = false

  /// What a condition decides: which keys it may have beside its value and test.
  enum Use { case answer, row, wallet }

  static let testKeys = ObjectShape.tests.map(\.name)
  static let stateKeys = ObjectShape.states.map(\.name)
  static let elseKey = "else"
}

extension SpecReader {
  mutating func readConditions(
    _ node: ConfigNode, lookups: [String] = [], as use: ConditionSpec.Use = .answer
  ) -> [ConditionSpec] {
    readConditions(readElements(node) ?? [], lookups: lookups, as: use)
  }

  mutating func readConditions(
    _ nodes: [ConfigNode], lookups: [String], as use: ConditionSpec.Use = .answer
  ) -> [ConditionSpec] {
    nodes.compactMap { readCondition($0, lookups: lookups, as: use) }
  }

  private mutating func readCondition(
    _ node: ConfigNode, lookups: [String], as use: ConditionSpec.Use
  ) -> ConditionSpec? {
    guard node.json.kind == .object else {
      return rejected(.wrongType("a condition such as { \"path\": \"$.code\", \"equals\": 0 }", at: node))
    }
    isReadingPresenceTest = allowsMultiValuePresence && node["is"]?.json.string == "present"
    defer { isReadingPresenceTest = false }
    let keys = ConditionSpec.testKeys + (use == .wallet ? ConditionSpec.stateKeys : [])
    let extraKeys = keys + (use == .row ? [ConditionSpec.elseKey] : [])
    let value = readValue(node, as: .condition, extraKeys: extraKeys, lookups: lookups)
    let present = keys.filter { node[$0] != nil }
    if present == ConditionSpec.stateKeys {
      let lists = present.compactMap { node[$0].flatMap { readValues($0) } }
      guard let value, lists.count == 2 else { return nil }
      if let both = lists[0].first(where: lists[1].contains) {
        return rejected(.meansBoth(both ?? "null", present[0], present[1], at: node))
      }
      return ConditionSpec(value: value, test: .isIn(lists[0]), closed: lists[1])
    }
    guard present.count <= 1 else { return rejected(.conflictingKeys(present, at: node)) }
    guard let key = present.first, let operand = node[key] else {
      return rejected(.missingKeys("key \(keys.quoted.listed("or"))", in: "this condition", at: node))
    }
    if let other = ConditionSpec.stateKeys.first(where: { $0 != key }), ConditionSpec.stateKeys.contains(key) {
      return rejected(.missingKey(other, in: "this condition", at: node))
    }
    guard let value, let test = readTest(key, operand) else { return nil }
    let sense = use == .row ? node[ConditionSpec.elseKey].flatMap { readCase($0, as: ConditionSpec.Else.self) } : nil
    return ConditionSpec(value: value, test: test, marksUnlisted: sense == .unlisted)
  }

  /// Reads one value to compare with, or a list of them.
  private mutating func readValues(_ node: ConfigNode) -> [String?]? {
    if node.json.kind == .array { return readComparands(node) }
    return isComparand(node) ? [node.json.scalarText] : nil
  }

  private mutating func readTest(_ key: String, _ operand: ConfigNode) -> ConditionSpec.Test? {
    switch key {
    case "equals": return isComparand(operand) ? .equals(operand.json.scalarText) : nil
    case "in": return readComparands(operand).map { .isIn($0) }
    case "notIn": return readComparands(operand).map { .notIn($0) }
    case "prefix": return readAffix(operand).map { .prefix($0) }
    case "suffix": return readAffix(operand).map { .suffix($0) }
    case "match":
      if [".*", "(.*)"].contains(operand.json.string) { report(.matchesEverything(at: operand)) }
      return readRegularExpression(operand).map { .match($0) }
    case "above":
      guard let text = operand.json.numberText ?? operand.json.string else {
        return rejected(.wrongType("a number", at: operand))
      }
      if Decimal(text) == nil { report(.invalidNumber("a number", at: operand)) }
      return .above(text)
    default: return readCase(operand, as: ConditionSpec.Shape.self).map { .shape($0) }
    }
  }

  /// Reads a prefix or suffix. Every string begins with nothing.
  private mutating func readAffix(_ node: ConfigNode) -> String? {
    guard let text = readText(node) else { return nil }
    if text.isEmpty { report(.invalidText("at least one character", at: node)) }
    return text
  }

  private mutating func readComparands(_ node: ConfigNode) -> [String?]? {
    guard let elements = readElements(node) else { return nil }
    // An empty list makes a test that never fails, or always.
    if elements.isEmpty { report(.wrongType("at least one value", at: node)) }
    let faulty = elements.count { !isComparand($0) }
    return faulty == 0 ? elements.map(\.json.scalarText) : nil
  }

  /// Whether a value can be compared with, as its text, which null has not.
  private mutating func isComparand(_ node: ConfigNode) -> Bool {
    if node.json.isNull || node.json.scalarText != nil { return true }
    report(.wrongType("a string, a number, true, false or null", at: node))
    return false
  }
}
