import Config
import Mapping
package import Quotes

/// Statistics of a mapped table: how often each field was filled, why it was not, and which checks failed.
struct TableCounts: Sendable {
  /// How often a value occurred.
  struct Count<Value: Hashable & Sendable>: Sendable, Hashable {
    let value: Value
    let count: Int
  }

  struct Field: Sendable, Hashable {
    let field: TickerField
    let filled: Int
    /// The number of times for each reason, most frequent first.
    let missing: [Count<Missing>]
    /// How many rows fail each check of this field, most frequent first.
    let failed: [Count<Flag.Kind>]

    /// Returns why no row has the field, if all have the same reason.
    func reasonForAll(of rowCount: Int) -> Missing? {
      guard filled == 0, let only = missing.first, only.count == rowCount else { return nil }
      return only.value
    }
  }

  struct Check: Sendable, Hashable {
    let kind: Flag.Kind
    let count: Int
    /// The symbol of the first such row, and its message.
    let example: String
    /// The most common advice, if any; one about a scale only if three quarters of the rows that can tell suggest it.
    let advice: Count<Flag.Advice>?
    /// Whether so many rows fail that it is not by chance.
    ///
    /// The limit is one row in a hundred, as single rows fail now and then. Old times and dead pairs occur on quiet
    /// exchanges, so only a majority of them suggests a wrong unit or zone, or members that are always zero. Prices
    /// outside of their offers are judged by all rows together: see ``PriceScale``.
    let isProblem: Bool

    /// The check's advice on the scale or sign of the change, in which case it is known how to edit the mapping.
    var changeAdvice: Flag.Advice? {
      guard isProblem, kind == .change, let advice else { return nil }
      switch advice.value {
      case .scale, .otherSign: return advice.value
      default: return nil
      }
    }
  }

  let rowCount: Int
  /// The fields of the mapping.
  let fields: [Field]
  let checks: [Check]
  /// How many rows have the values that the change check compares.
  private let comparableChanges: Int
  /// The mapping's factor for the change.
  private let changeScale: Decimal

  init(_ rows: [TickerRow], of spec: TableSpec) {
    rowCount = rows.count
    // A row may fail one check in two ways: an open and a price outside the range.
    var flags: [Flag.Kind: [(symbol: String, flags: [Flag])]] = [:]
    for row in rows {
      for (kind, own) in Dictionary(grouping: row.ticker.flags.filter(\.excludes), by: \.kind) {
        flags[kind, default: []].append((row.ticker.symbol, own))
      }
    }
    fields = TickerField.allCases.filter { spec.fields[$0.rawValue] != nil }.map { field in
      let missing = rows.compactMap { $0.ticker.missing(field) }.counted(\.code)
      let failed = field.checks.flatMap { kind in (flags[kind] ?? []).map { _ in kind } }.counted(\.rawValue)
      return Field(
        field: field, filled: rows.count - missing.reduce(0) { $0 + $1.count }, missing: missing, failed: failed)
    }
    checks = flags.sorted { $0.key.rawValue < $1.key.rawValue }.map { kind, found in
      let common = found.flatMap { $0.flags.compactMap(\.advice).unique }.counted(\.text)
        .first { $0.count * 2 > found.count }
      let advice = common.flatMap { Self.isSupported($0, by: found.count, of: kind, rows) ? $0 : nil }
      let first = found[0].flags[0]
      // A scale that the other rows refute is not repeated from one of them.
      let text = first.isOfScale && first.advice != advice?.value ? "\(first.fact)" : first.message
      return Check(
        kind: kind, count: found.count, example: "\(found[0].symbol): \(text)", advice: advice,
        isProblem: kind != .offers && found.count * ([.stale, .dead].contains(kind) ? 2 : 100) > rows.count)
    }
    comparableChanges = rows.count {
      let ticker = $0.ticker
      return ticker.changePricePercent24.value != nil && ticker.price.value != nil
        && (ticker.open.value != nil || ticker.high.value != nil && ticker.low.value != nil)
    }
    changeScale = spec.fields[TickerField.changePricePercent24.rawValue]?.scale ?? 1
  }

  /// Returns whether the rows bear out an advice: another scale must fit three quarters or more of those that can tell,
  /// which are the ones that fail and the ones that confirm their change as it is.
  private static func isSupported(
    _ advice: Count<Flag.Advice>, by failed: Int, of kind: Flag.Kind, _ rows: [TickerRow]
  ) -> Bool {
    guard kind == .change, case .scale = advice.value else { return true }
    let confirming = rows.count { row in
      !row.ticker.flags.contains { $0.kind == kind && $0.excludes } && MeaningCheck.confirmsChange(row.ticker)
    }
    return advice.count * 4 >= (failed + confirming) * 3
  }

  /// The checks failed by too many rows, in sentences; empty if there are none.
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
    case .otherSign: return "\(rows) have the wrong sign: is the member unsigned, or inverted?"
    default: return nil
    }
  }
}

/// The effect of one condition of a `where` on the rows of answers.
struct ConditionCounts {
  /// The value's path and the test, in config form: `$.status "equals"`.
  let name: String
  let rowCount: Int
  /// How many rows pass it.
  let passed: Int
  /// The rows' values, most frequent first; nil for none at all. Texts from an exchange.
  let values: [TableCounts.Count<String?>]
  /// The texts of a list that no row has.
  let unusedTexts: [String]

  /// Whether it reads nothing in any row.
  var isDead: Bool { values.map(\.value) == [nil] }

  /// Returns the conditions of a table, except those that need a lookup.
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
    // Empty texts and zeros in a list are only placeholders.
    unusedTexts = condition.test.texts.filter { !texts.contains($0) && $0.contains(where: \.isLetter) }
  }
}

extension Sequence where Element: Hashable & Sendable {
  /// Returns how often each element occurs, most frequent first, then by name.
  fileprivate func counted(_ name: (Element) -> String) -> [TableCounts.Count<Element>] {
    reduce(into: [Element: Int]()) { $0[$1, default: 0] += 1 }.map { TableCounts.Count(value: $0.key, count: $0.value) }
      .sorted { ($1.count, name($0.value)) < ($0.count, name($1.value)) }
  }
}

extension Ticker {
  /// Returns why the field is missing; nil if it is not.
  package func missing(_ field: TickerField) -> Missing? {
    field == .time ? (time == nil ? timeMissing : nil) : cell(field).missing
  }
}

extension Flag {
  fileprivate var isOfScale: Bool { if case .scale? = advice { true } else { false } }
}

extension TickerField {
  /// The meaning checks of the field.
  fileprivate var checks: [Flag.Kind] {
    switch self {
    case .price: [.range, .offers]
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
  /// Its key in the config.
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
