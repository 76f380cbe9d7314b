package import Config
import JSON
import Mapping

/// What one condition of a `where` did with the rows of answers.
package struct ConditionTrial: Sendable {
  /// The value's path and the test, as a config would write them: `$.status "equals"`.
  package let name: String
  package let rowCount: Int
  /// How many rows pass it.
  package let passed: Int
  /// The values that the rows have, most frequent first. Text of an exchange.
  package let values: [TableTrial.Count]
  /// The texts of a list that no row has.
  package let unusedTexts: [String]

  /// The trials of a table's conditions, but for those that need a lookup.
  package static func trials(of spec: TableSpec, _ bodies: [[UInt8]]) -> [ConditionTrial] {
    let conditions = spec.conditions.filter { $0.value.lookupNames.isEmpty && !$0.value.readsRequest }
    guard !conditions.isEmpty, let answer = AnswerColumns(bodies, rows: spec.rows), !answer.rows.isEmpty else {
      return []
    }
    return conditions.map { ConditionTrial($0, answer) }
  }

  private init(_ condition: ConditionSpec, _ answer: AnswerColumns) {
    rowCount = answer.rows.count
    let compiled = TreeCondition(condition)
    passed = answer.rows.count { compiled.holds(for: $0) }
    var counts: [String: Int] = [:]
    let texts = answer.texts(of: condition.value)
    for text in texts { counts[text ?? "nothing", default: 0] += 1 }
    values = counts.map { TableTrial.Count(reason: $0.key, count: $0.value) }
      .sorted { ($1.count, $0.reason) < ($0.count, $1.reason) }
    name = [condition.value.firstPath, condition.test.keyword].compactMap(\.self).joined(separator: " ")
    // An empty text or a zero in a list stands for nothing.
    unusedTexts = condition.test.texts.filter { counts[$0] == nil && $0.contains(where: \.isLetter) }
  }
}

extension ValueSpec {
  fileprivate var readsRequest: Bool {
    if case .path(_, .request) = origin { return true }
    return parts.contains { $0.readsRequest }
  }

  fileprivate var firstPath: String? {
    if case .path(let path, let source) = origin { return path?.text ?? (source == .key ? "the key" : nil) }
    return parts.lazy.compactMap(\.firstPath).first
  }
}

extension ConditionSpec.Test {
  /// The key that the config writes it with.
  fileprivate var keyword: String {
    switch self {
    case .equals: "\"equals\""
    case .isIn: "\"in\""
    case .notIn: "\"notIn\""
    case .prefix: "\"prefix\""
    case .suffix: "\"suffix\""
    case .match: "\"match\""
    case .above: "\"above\""
    case .shape(let shape): "\"is\" \(shape.rawValue)"
    }
  }

  /// The texts of a list of allowed values.
  fileprivate var texts: [String] {
    if case .isIn(let texts) = self { texts.compactMap(\.self) } else { [] }
  }
}
