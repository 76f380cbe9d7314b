package import Config
package import Mapping
package import Quotes

/// What a mapping made of one table, counted: how often each field was filled, why it was not, and which checks failed.
package struct TableTrial: Sendable {
  package struct Field: Sendable, Hashable {
    package let field: TickerField
    package let filled: Int
    /// How often each reason was given, most frequent first.
    package let missing: [Count]
    /// How many rows fail a check that looks at this field, by the check's code, most frequent first.
    package let failed: [Count]

    /// Why no row has the field, where all of them give one reason.
    package func reasonForAll(of rowCount: Int) -> String? {
      guard filled == 0, let only = missing.first, only.count == rowCount else { return nil }
      return only.reason
    }
  }

  package struct Check: Sendable, Hashable {
    /// The flag's code.
    package let code: String
    package let count: Int
    /// The symbol of the first such row, and what it says.
    package let example: String
    /// The advice that most rows agree on, where there is one: `scale it by 100`.
    package let advice: Count?
  }

  package struct Count: Sendable, Hashable {
    package let reason: String
    package let count: Int
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
    var flags: [String: [(symbol: String, flag: Flag)]] = [:]
    for row in rows {
      for flag in row.ticker.flags { flags[flag.code, default: []].append((row.ticker.symbol, flag)) }
    }
    fields = TickerField.allCases.filter { spec.fields[$0.rawValue] != nil }.map { field in
      var reasons: [String: Int] = [:]
      for row in rows {
        if let reason = row.reasonForNo(field) { reasons[reason.code, default: 0] += 1 }
      }
      let missing = Self.sorted(reasons)
      let failed = flags.filter { field.checkCodes.contains($0.key) }.mapValues(\.count)
      return Field(
        field: field, filled: rows.count - missing.reduce(0) { $0 + $1.count }, missing: missing,
        failed: Self.sorted(failed))
    }
    checks = flags.sorted { $0.key < $1.key }.map { code, found in
      Check(
        code: code, count: found.count, example: "\(found[0].symbol): \(found[0].flag.message)",
        advice: Self.commonAdvice(found.map(\.flag)))
    }
    comparableChanges = rows.count {
      $0.ticker.changePricePercent24.value != nil && $0.ticker.price.value != nil && $0.ticker.open.value != nil
    }
    changeScale = spec.fields[TickerField.changePricePercent24.rawValue]?.scale ?? 1
  }

  /// The checks that too many rows fail, in sentences; empty where none is.
  ///
  /// A check that more than one row in a hundred fails is no accident: single rows of dead coins are. Old times are:
  /// quiet pairs have them, so only a majority of them speaks of a wrong unit or zone.
  package var failedChecks: [TrialFinding] {
    checks.filter { $0.count * ($0.code == "stale" ? 2 : 100) > rowCount }.map { check in
      if check.code == "change", let advice = check.advice, let finding = scaleFinding(advice) { return finding }
      let advice = check.advice.map { " (\($0.reason))" } ?? ""
      return TrialFinding(
        .problem, "\(check.code): \(check.count) of \(rowCount) rows fail\(advice), for example \(check.example)")
    }
  }

  /// `changePricePercent24: 1019 of 1019 rows look 100 times too small: use "scale": 100`.
  private func scaleFinding(_ advice: Count) -> TrialFinding? {
    let field = TickerField.changePricePercent24.rawValue
    let rows = "\(advice.count) of \(comparableChanges) rows"
    switch advice.reason {
    case "scale it by 100":
      return TrialFinding(.problem, "\(field): \(rows) look 100 times too small: \(use(changeScale * 100))")
    case "scale it by 0.01":
      let smaller = changeScale.scaledByPowerOfTen(-2)
      return TrialFinding(.problem, "\(field): \(rows) look 100 times too large: \(use(smaller))")
    case "its sign is the wrong way round":
      return TrialFinding(
        .problem, "\(field): \(rows) have the wrong sign: is it an unsigned member, or a fall as a rise?")
    default: return nil
    }
  }

  private func use(_ scale: Decimal) -> String {
    scale == 1 ? "take its \"scale\" out" : "use \"scale\": \(scale.shortest)"
  }

  /// The words behind the last colon of a finding, when most rows have the same.
  private static func commonAdvice(_ flags: [Flag]) -> Count? {
    var counts: [String: Int] = [:]
    for flag in flags {
      guard let colon = flag.message.range(ofLast: ": ") else { continue }
      counts[String(flag.message[colon...]), default: 0] += 1
    }
    guard let best = sorted(counts).first, best.count * 2 > flags.count else { return nil }
    return best
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

extension TickerField {
  /// The checks of meaning that speak about the field.
  fileprivate var checkCodes: [String] {
    switch self {
    case .price: ["range"]
    case .changePricePercent24: ["change"]
    case .volume24, .turnover24: ["turnover"]
    case .bid, .ask: ["bid-ask"]
    case .time: ["stale"]
    case .open, .high, .low: []
    }
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
