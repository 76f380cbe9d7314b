import Config
import JSONPath
import Quotes

/// A condition of `where` about a member of the row. Those about anything else are not evaluated on samples.
struct SampleCondition {
  let path: String
  private let test: ConditionSpec.Test

  /// Returns nil if the condition is of another form.
  init?(_ value: ConfigValue) {
    guard let members = value.members, members.count == 2, case .text(let path)? = value["path"],
      let key = members.first(where: { $0.name != "path" }), let test = ConditionSpec.Test(key.name, key.value)
    else { return nil }
    (self.path, self.test) = (path, test)
  }

  /// - Parameter text: The value as written; nothing and null are the same.
  func holds(for text: String?) -> Bool {
    switch test {
    case .equals(let wanted): text == wanted
    case .isIn(let texts): texts.contains(text)
    case .notIn(let texts): !texts.contains(text)
    case .prefix(let prefix): text?.hasPrefix(prefix) == true
    case .suffix(let suffix): text?.hasSuffix(suffix) == true
    case .match(let expression): text.map(expression.matchesWhole) ?? false
    case .above(let limit): bothKnown([text.flatMap(Decimal.init)], [Decimal(limit)]).contains { $0 > $1 }
    case .shape(let shape): shape == .empty ? text?.isEmpty == true : (text != nil) == (shape == .present)
    }
  }
}

extension ConditionSpec.Test {
  /// Returns nil for an invalid test, and for one that no scalar passes.
  ///
  /// - Parameter key: `equals`
  fileprivate init?(_ key: String, _ operand: ConfigValue) {
    let texts = (key == "equals" ? [operand] : operand.items).compactMap(\.scalar)
    guard let first = texts.first, key == "equals" || texts.count == operand.items.count else { return nil }
    switch (key, first) {
    case ("equals", _): self = .equals(first)
    case ("in", _): self = .isIn(texts)
    case ("notIn", _): self = .notIn(texts)
    case ("prefix", let text?): self = .prefix(text)
    case ("suffix", let text?): self = .suffix(text)
    case ("above", let text?): self = .above(text)
    case ("match", let text?):
      guard let expression = try? IRegexp(text, allowingNamedGroups: true) else { return nil }
      self = .match(expression)
    case ("is", let text?):
      guard let shape = ConditionSpec.Shape(rawValue: text), ![.array, .object].contains(shape) else { return nil }
      self = .shape(shape)
    default: return nil
    }
  }
}

extension ConfigValue {
  fileprivate var items: [ConfigValue] { if case .list(let items) = self { items } else { [self] } }

  /// The value as text, which is nil for null; nil if it is no scalar.
  fileprivate var scalar: String?? {
    switch self {
    case .null: .some(nil)
    default: scalarText.map { .some($0) }
    }
  }
}

extension SampleRows {
  /// Returns the rows that the given conditions keep or, without any, those of one market if a column tells them apart.
  func selected(_ hints: SampleHints) -> SampleRows {
    guard shape != .single else { return self }
    guard hints.conditions.isEmpty else {
      var rows = self
      for condition in hints.conditions.compactMap(SampleCondition.init) {
        guard let column = rows.column(at: condition.path) else { continue }
        rows = rows.keeping { condition.holds(for: rows.columns[column].texts[$0]) }
      }
      return rows
    }
    guard let found = columns.lazy.compactMap({ MarketColumn($0, hints.isFutures ? .futures : .spot) }).first,
      let column = columns.first(where: { $0.path.text == found.path })
    else { return self }
    let words = Set(found.kept.map(\.text))
    var rows = keeping { words.contains(column.texts[$0] ?? "") }
    rows.market = found
    return rows
  }
}
