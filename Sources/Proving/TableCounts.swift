package import Config
package import Mapping
package import Quotes

/// What a mapping made of one table, counted: how often each field was filled, why it was not, and which checks failed.
package struct TableCounts: Sendable {
  /// How often something came.
  package struct Count<Value: Hashable & Sendable>: Sendable, Hashable {
    package let value: Value
    package let count: Int
  }

  package struct Field: Sendable, Hashable {
    package let field: TickerField
    package let filled: Int
    /// How often each reason was given, most frequent first.
    package let missing: [Count<Missing>]
    /// How many rows fail a check that looks at this field, most frequent first.
    package let failed: [Count<Flag.Kind>]

    /// Why no row has the field, where all of them give one reason.
    func reasonForAll(of rowCount: Int) -> Missing? {
      guard filled == 0, let only = missing.first, only.count == rowCount else { return nil }
      return only.value
    }
  }

  package struct Check: Sendable, Hashable {
    package let kind: Flag.Kind
    package let count: Int
    /// The symbol of the first such row, and what it says.
    package let example: String
    /// The advice that most rows agree on, where there is one.
    package let advice: Count<Flag.Advice>?
    /// Whether so many rows fail that it is no accident.
    ///
    /// One row in a hundred is: single rows fail now and then. Old times and dead pairs are not: quiet exchanges have them, so
    /// only a majority of them speaks of a wrong unit or zone, or of members that are always zero.
    package let isProblem: Bool

    /// What it says about the scale or sign of the change: then the mapping is to be edited, and how is known.
    package var changeAdvice: Flag.Advice? {
      guard isProblem, kind == .change, let advice, advice.value != .otherOpen else { return nil }
      return advice.value
    }
  }

  package let rowCount: Int
  /// The fields that the mapping has.
  package let fields: [Field]
  package let checks: [Check]
  /// How many rows have what the check of the change compares.
  private let comparableChanges: Int
  /// The factor that the mapping has for the change.
  private let changeScale: Decimal

  package init(_ rows: [TickerRow], of spec: TableSpec) {
    rowCount = rows.count
    var flags: [Flag.Kind: [(symbol: String, flag: Flag)]] = [:]
    for row in rows {
      for flag in row.ticker.flags where flag.excludes {
        flags[flag.kind, default: []].append((row.ticker.symbol, flag))
      }
    }
    fields = TickerField.allCases.filter { spec.fields[$0.rawValue] != nil }.map { field in
      let missing = rows.compactMap { $0.reasonForNo(field) }.counted(\.code)
      let failed = field.checks.flatMap { kind in (flags[kind] ?? []).map { _ in kind } }.counted(\.rawValue)
      return Field(
        field: field, filled: rows.count - missing.reduce(0) { $0 + $1.count }, missing: missing, failed: failed)
    }
    checks = flags.sorted { $0.key.rawValue < $1.key.rawValue }.map { kind, found in
      let advice = found.compactMap(\.flag.advice).counted(\.text).first { $0.count * 2 > found.count }
      return Check(
        kind: kind, count: found.count, example: "\(found[0].symbol): \(found[0].flag.message)", advice: advice,
        isProblem: found.count * ([.stale, .dead].contains(kind) ? 2 : 100) > rows.count)
    }
    comparableChanges = rows.count {
      let ticker = $0.ticker
      return ticker.changePricePercent24.value != nil && ticker.price.value != nil
        && (ticker.open.value != nil || ticker.high.value != nil && ticker.low.value != nil)
    }
    changeScale = spec.fields[TickerField.changePricePercent24.rawValue]?.scale ?? 1
  }

  /// The checks that too many rows fail, in sentences; empty where none is.
  var failedChecks: [(check: Check, text: String)] {
    checks.filter(\.isProblem).map { check in
      let advice = check.advice.map { " (\($0.value.text))" } ?? ""
      return (
        check,
        changeText(check)
          ?? "\(check.kind.rawValue): \(check.count) of \(rowCount) rows fail\(advice), for example \(check.example)"
      )
    }
  }

  /// `changePricePercent24: 1019 of 1019 rows look 100 times too small: use "scale": 100`.
  private func changeText(_ check: Check) -> String? {
    guard let advice = check.changeAdvice, let count = check.advice?.count else { return nil }
    let rows = "\(TickerField.changePricePercent24.rawValue): \(count) of \(comparableChanges) rows"
    switch advice {
    case .scale(let power):
      let scale = changeScale.scaledByPowerOfTen(power)
      return "\(rows) look 100 times too \(power > 0 ? "small" : "large"): \(scale.asScaleAdvice)"
    case .otherSign: return "\(rows) have the wrong sign: is it an unsigned member, or a fall as a rise?"
    default: return nil
    }
  }
}

/// What one condition of a `where` did with the rows of answers.
struct ConditionCounts {
  /// The value's path and the test, as a config would write them: `$.status "equals"`.
  let name: String
  let rowCount: Int
  /// How many rows pass it.
  let passed: Int
  /// The values that the rows have, most frequent first; nil for nothing at all. Text of an exchange.
  let values: [TableCounts.Count<String?>]
  /// The texts of a list that no row has.
  let unusedTexts: [String]

  /// Whether it reads nothing in any row.
  var isDead: Bool { values.map(\.value) == [nil] }

  /// Those of a table's conditions, but for those that need a lookup.
  static func all(of spec: TableSpec, _ bodies: [[UInt8]]) -> [ConditionCounts] {
    let conditions = spec.conditions.filter { $0.value.lookupNames.isEmpty && !$0.value.readsRequest }
    guard !conditions.isEmpty, let answer = AnswerColumns(bodies, rows: spec.rows), !answer.rows.isEmpty else {
      return []
    }
    return conditions.map { ConditionCounts($0, answer) }
  }

  private init(_ condition: ConditionSpec, _ answer: AnswerColumns) {
    rowCount = answer.rows.count
    passed = answer.count(passing: condition)
    let texts = answer.texts(of: condition.value)
    values = texts.counted { $0 ?? "nothing" }
    name = [condition.value.firstPath, condition.test.keyword].compactMap(\.self).joined(separator: " ")
    // An empty text or a zero in a list stands for nothing.
    unusedTexts = condition.test.texts.filter { !texts.contains($0) && $0.contains(where: \.isLetter) }
  }
}

extension Sequence where Element: Hashable & Sendable {
  /// How often each element comes, most frequent first, then by name.
  fileprivate func counted(_ name: (Element) -> String) -> [TableCounts.Count<Element>] {
    reduce(into: [Element: Int]()) { $0[$1, default: 0] += 1 }.map { TableCounts.Count(value: $0.key, count: $0.value) }
      .sorted { ($1.count, name($0.value)) < ($0.count, name($1.value)) }
  }
}

extension TickerRow {
  fileprivate func reasonForNo(_ field: TickerField) -> Missing? {
    field == .time ? (ticker.time == nil ? ticker.timeMissing : nil) : ticker.cell(field).missing
  }
}

extension TickerField {
  /// The checks of meaning that speak about the field.
  fileprivate var checks: [Flag.Kind] {
    switch self {
    case .price: [.range]
    case .changePricePercent24: [.change]
    case .volume24, .turnover24: [.turnover, .dead]
    case .bid, .ask: [.bidAsk, .dead]
    case .time: [.stale, .time]
    case .open, .high, .low: []
    }
  }
}

extension ValueSpec {
  fileprivate var readsRequest: Bool {
    if case .path(_, .request) = origin { return true }
    return parts.contains { $0.readsRequest }
  }

  var firstPath: String? {
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
  fileprivate var texts: [String] { if case .isIn(let texts) = self { texts.compactMap(\.self) } else { [] } }
}
