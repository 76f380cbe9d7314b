import Config
import Quotes

/// A condition of `where` that compares a member of the row with constants. Others are not evaluated on samples.
struct SampleCondition {
  let path: String
  private let texts: Set<String>
  private let isExcluding: Bool

  /// Returns nil if the condition is of another form.
  init?(_ value: ConfigValue) {
    guard case .text(let path)? = value["path"], value["from"] == nil,
      let (test, expected) = ["equals", "in", "notIn"].lazy.compactMap({ name in value[name].map { (name, $0) } }).first
    else { return nil }
    var texts: Set<String> = []
    for item in test == "equals" ? [expected] : expected.items {
      switch item {
      case .text(let text), .raw(let text): texts.insert(text)
      case .list, .object: return nil
      }
    }
    (self.path, self.texts, isExcluding) = (path, texts, test == "notIn")
  }

  func holds(for text: String?) -> Bool {
    // Nothing and null are the same.
    texts.contains(text ?? "null") != isExcluding
  }
}

extension ConfigValue {
  fileprivate var items: [ConfigValue] { if case .list(let items) = self { items } else { [self] } }
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
