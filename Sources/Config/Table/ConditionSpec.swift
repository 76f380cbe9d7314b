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

  package let value: ValueSpec
  package let test: Test

  static let testKeys = ObjectShape.tests.map(\.name)
}

extension SpecReader {
  mutating func readConditions(_ node: ConfigNode, lookups: [String] = []) -> [ConditionSpec] {
    readConditions(readElements(node) ?? [], lookups: lookups)
  }

  mutating func readConditions(_ nodes: [ConfigNode], lookups: [String]) -> [ConditionSpec] {
    nodes.compactMap { readCondition($0, lookups: lookups) }
  }

  private mutating func readCondition(_ node: ConfigNode, lookups: [String]) -> ConditionSpec? {
    guard node.json.kind == .object else {
      return rejected(.wrongType("a condition such as { \"path\": \"$.code\", \"equals\": 0 }", at: node))
    }
    isReadingPresenceTest = allowsMultiValuePresence && node["is"]?.json.string == "present"
    defer { isReadingPresenceTest = false }
    let value = readValue(node, as: .condition, extraKeys: ConditionSpec.testKeys, lookups: lookups)
    let present = ConditionSpec.testKeys.filter { node[$0] != nil }
    guard present.count <= 1 else { return rejected(.conflictingKeys(present, at: node)) }
    guard let key = present.first, let operand = node[key] else {
      return rejected(.missingKeys("key \(ConditionSpec.testKeys.quoted.listed("or"))", in: "this condition", at: node))
    }
    guard let value, let test = readTest(key, operand) else { return nil }
    return ConditionSpec(value: value, test: test)
  }

  private mutating func readTest(_ key: String, _ operand: ConfigNode) -> ConditionSpec.Test? {
    switch key {
    case "equals": return readComparand(operand).map { .equals($0) }
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
    let values = elements.map { readComparand($0) }
    return values.contains { $0 == nil } ? nil : values.map { $0 ?? nil }
  }

  /// Reads a scalar to compare with, as text; the inner nil is null.
  private mutating func readComparand(_ node: ConfigNode) -> String?? {
    if node.json.isNull { return .some(nil) }
    guard let text = node.json.scalarText else {
      return rejected(.wrongType("a string, a number, true, false or null", at: node))
    }
    return .some(text)
  }
}
