import Config
import Mapping
import Quotes

/// What the mapping has and the rows do not use: worth knowing, and no failure, for another day may have it.
extension TrialReviewer {
  func looseEnds(of table: TrialTable) -> [TrialFinding] {
    guard table.pair == nil, !table.rows.isEmpty else { return [] }
    return idleConditions(of: table) + unpaid(table) + rareFields(of: table)
  }

  /// Conditions that no row passes, for a table that has lost all rows to them.
  func closedConditions(of table: TrialTable) -> String? {
    let closed = conditionTrials(of: table).filter { $0.passed == 0 }
    guard !closed.isEmpty else { return nil }
    return closed.map { condition in
      let values = condition.values.prefix(4).map { "\($0.reason) (\($0.count))" }.joined(separator: ", ")
      let more = condition.values.count > 4 ? ", …" : ""
      return "no row passes the condition \(condition.name): they have \(values)\(more)"
    }.joined(separator: "; ")
  }

  private func conditionTrials(of table: TrialTable) -> [ConditionTrial] {
    ConditionTrial.trials(of: table.spec, table.side(hooks).bodies)
  }

  private func idleConditions(of table: TrialTable) -> [TrialFinding] {
    conditionTrials(of: table).flatMap { condition -> [TrialFinding] in
      var findings: [TrialFinding] = []
      // One that reads nothing is told of by itself.
      let isDead = condition.values.map(\.reason) == ["nothing"]
      if condition.passed == condition.rowCount, condition.rowCount > 1, !isDead {
        findings.append(
          TrialFinding(.note, "the condition \(condition.name) in \"where\" drops none of \(condition.rowCount) rows"))
      }
      if !condition.unusedTexts.isEmpty, !isDead {
        findings.append(
          TrialFinding(.note, "no row has \(Self.list(condition.unusedTexts)) of the condition \(condition.name)"))
      }
      return findings
    }
  }

  private func unpaid(_ table: TrialTable) -> [TrialFinding] {
    let payments = Set(table.rows.map(\.ticker.pair.payment))
    let symbols = Set(table.rows.map { $0.ticker.symbol.uppercased() })
    let unused = table.spec.paymentCurrencies.flatMap(\.currencies).filter { currency in
      let own = table.spec.aliases.first { $0.from == currency }?.to ?? currency
      if payments.contains(own.uppercased()) || payments.contains(currency.uppercased()) { return false }
      // Renamed by an alias of the whole file.
      return own == currency || !symbols.contains { $0.hasSuffix(currency.uppercased()) }
    }
    guard !unused.isEmpty else { return [] }
    return [
      TrialFinding(
        .note, "no row has the \(Self.noun("payment currency", "payment currencies", unused)) \(Self.list(unused))")
    ]
  }

  private func rareFields(of table: TrialTable) -> [TrialFinding] {
    let count = table.rows.count
    guard count >= 20 else { return [] }
    return table.trial.fields.filter { $0.filled > 0 && $0.filled * 20 < count }.map { field in
      let reasons = field.missing.map { "\($0.count) \($0.reason)" }.joined(separator: ", ")
      return TrialFinding(.note, "\(field.field.rawValue): only \(field.filled) of \(count) rows have it (\(reasons))")
    }
  }

  /// Other names and multipliers of the exchange that no row of any table has.
  var unusedNames: [TrialFinding] {
    let whole = tables.filter { $0.pair == nil }
    guard !whole.isEmpty, whole.allSatisfy({ !$0.rows.isEmpty }) else { return [] }
    let rows = whole.flatMap(\.rows).map(\.ticker)
    let symbols = rows.map { $0.symbol.uppercased() }
    var aliases: [String] = []
    for alias in whole.flatMap(\.spec.aliases) where !aliases.contains(alias.from) {
      let from = alias.from.uppercased()
      let isUsed = zip(rows, symbols).contains { row, symbol in
        symbol.contains(from) && (row.pair.asset != from || row.pair.payment != from)
          && (row.pair.asset == alias.to.uppercased() || row.pair.payment == alias.to.uppercased())
      }
      if !isUsed { aliases.append(alias.from) }
    }
    var marks: [String] = []
    for multiplier in whole.flatMap(\.spec.multipliers) {
      let mark = multiplier.isBehind ? "*" + multiplier.mark : multiplier.mark
      let isUsed = zip(rows, symbols).contains { row, symbol in
        row.multiplier == multiplier.factor && symbol.contains(multiplier.mark.uppercased())
      }
      if !isUsed, !marks.contains(mark) { marks.append(mark) }
    }
    return [
      aliases.isEmpty ? nil : "no row has the \(Self.noun("alias", "aliases", aliases)) \(Self.list(aliases))",
      marks.isEmpty ? nil : "no row has the \(Self.noun("multiplier", "multipliers", marks)) \(Self.list(marks))",
    ].compactMap(\.self).map { TrialFinding(.note, $0) }
  }

  private static func noun(_ one: String, _ many: String, _ names: [String]) -> String {
    names.count == 1 ? one : many
  }

  private static func list(_ names: [String]) -> String {
    names.count <= 6
      ? names.joined(separator: ", ") : "\(names.prefix(5).joined(separator: ", ")) and \(names.count - 5) more"
  }
}
