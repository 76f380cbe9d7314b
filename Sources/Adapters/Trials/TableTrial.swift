package import Quotes

/// What a mapping made of an answer, counted: how often each field was filled, why it was not, and which checks failed.
package struct TableTrial: Sendable {
  package struct Field: Sendable, Hashable {
    package let field: TickerField
    package let filled: Int
    /// How often each reason was given, most frequent first.
    package let missing: [Count]
  }

  package struct Check: Sendable, Hashable {
    /// The flag's code.
    package let code: String
    package let count: Int
    /// What the first such row says.
    package let example: String
    /// The advice that most rows agree on, where there is one: `scale it by 100`.
    package let advice: String?
  }

  package struct Count: Sendable, Hashable {
    package let reason: String
    package let count: Int
  }

  package let rowCount: Int
  /// The fields that the mapping has.
  package let fields: [Field]
  package let checks: [Check]

  /// - Parameter mapped: the fields that the mapping has.
  package init(_ rows: [TickerRow], mapped: Set<TickerField>) {
    rowCount = rows.count
    fields = TickerField.allCases.filter(mapped.contains).map { field in
      var reasons: [String: Int] = [:]
      for row in rows {
        if let reason = row.reasonForNo(field) { reasons[reason.code, default: 0] += 1 }
      }
      let missing = Self.sorted(reasons)
      return Field(field: field, filled: rows.count - missing.reduce(0) { $0 + $1.count }, missing: missing)
    }
    var flags: [String: [Flag]] = [:]
    for row in rows {
      for flag in row.ticker.flags { flags[flag.code, default: []].append(flag) }
    }
    checks = flags.sorted { $0.key < $1.key }.map { code, flags in
      Check(code: code, count: flags.count, example: flags[0].message, advice: Self.commonAdvice(flags))
    }
  }

  /// What is wrong with the mapping, in sentences; empty where nothing is.
  ///
  /// A field that is empty in every row for want of its path has lost it. A check that more than one row in a hundred
  /// fails is no accident: single rows of dead coins are. Old times are: quiet pairs have them, so only a majority of
  /// them speaks of a wrong unit or zone.
  package var problems: [String] {
    guard rowCount > 0 else { return ["not a single row"] }
    var problems: [String] = []
    for field in fields where field.missing.first == Count(reason: Missing.pathMiss.code, count: rowCount) {
      problems.append("\(field.field.rawValue): the path leads nowhere in any of \(rowCount) rows")
    }
    for check in checks where check.count * (check.code == "stale" ? 2 : 100) > rowCount {
      let advice = check.advice.map { ": \($0)" } ?? ""
      problems.append("\(check.code): \(check.count) of \(rowCount) rows fail\(advice) (for example: \(check.example))")
    }
    return problems
  }

  /// The words behind the last colon of a finding, when most rows have the same.
  private static func commonAdvice(_ flags: [Flag]) -> String? {
    var counts: [String: Int] = [:]
    for flag in flags {
      guard let colon = flag.message.range(ofLast: ": ") else { continue }
      counts[String(flag.message[colon...]), default: 0] += 1
    }
    guard let best = sorted(counts).first, best.count * 2 > flags.count else { return nil }
    return best.reason
  }

  private static func sorted(_ counts: [String: Int]) -> [Count] {
    counts.map { Count(reason: $0.key, count: $0.value) }
      .sorted { ($1.count, $0.reason) < ($0.count, $1.reason) }
  }
}

extension TickerRow {
  fileprivate func reasonForNo(_ field: TickerField) -> Missing? {
    field == .time ? (ticker.time == nil ? ticker.timeMissing : nil) : ticker.cell(field).missing
  }
}

extension String {
  /// Where the text behind the last occurrence of a mark begins.
  fileprivate func range(ofLast mark: String) -> String.Index? {
    var index = endIndex
    while index > startIndex {
      index = self.index(before: index)
      if self[index...].hasPrefix(mark) { return self.index(index, offsetBy: mark.count) }
    }
    return nil
  }
}
