package import Config
package import HTTP
package import Quotes

/// The compiled table for the balances of one account.
package final class BalancePlan: Sendable {
  package let account: String
  package let spec: TableSpec
  private let record: RecordPlan<BalanceField>
  private let globalAliases: [String: String]

  /// The content of a response.
  package struct Reading: Sendable {
    /// Unchanged and in order.
    package fileprivate(set) var rows: [Balance] = []
    /// The number of rows that name no asset.
    package fileprivate(set) var incomplete = 0
    /// The number of rows that no account takes.
    package fileprivate(set) var leftOut = 0
    /// What those of them are that nothing in the config names, unless they are zero throughout; one for each row.
    package fileprivate(set) var unknownKinds: [String] = []
  }

  /// - Parameters:
  ///   - claims: see ``AccountSpec/Part/claims``.
  ///   - usesScan: false reads every response through a tree: see ``RecordPlan``.
  package init(
    _ spec: TableSpec, account: String, claims: [[ConditionSpec]] = [], globalAliases: [String: String] = [:],
    usesScan: Bool = true
  ) {
    self.account = account
    self.spec = spec
    self.globalAliases = globalAliases
    var records = RecordSpec(spec)
    records.needsEveryList = true
    records.claims = claims
    record = RecordPlan(records, of: spec, market: nil, usesScan: usesScan)
  }

  /// Returns the rows of a response. An account with an empty list is empty, not an error; one that lacks a list on the
  /// way to its rows is unknown.
  ///
  /// - Throws: `AnswerFailure` if the response is an error, or lacks such a list.
  package func rows(in answer: HTTPResponse, _ context: ReadingContext) throws(AnswerFailure) -> Reading {
    let names = SymbolReader(plan: record.symbol, globalAliases: globalAliases)
    do {
      let builder = BalanceBuilder(account: account, names: names)
      return try record.read(answer, context, BalanceCollector(plan: record, builder: builder))
    } catch {
      if isEmptyAccount(error) { return Reading() }
      throw error
    }
  }

  /// Explains the rows of a response that have any nonzero amount, in order.
  package func explained(
    in answer: HTTPResponse, _ context: ReadingContext
  ) throws(AnswerFailure) -> [ExplainedRecord] {
    let names = SymbolReader(plan: record.symbol, globalAliases: globalAliases)
    let builder = CountedBalanceBuilder(names: names, builder: BalanceBuilder(account: account, names: names))
    do {
      return try record.traces(in: answer, context, builder) {
        !$0.balance.completed.isZero
      } multiplier: {
        $0.multiplier
      } result: {
        $0.balance.explainedText($1)
      }.map { found in
        let balance = found.record.balance
        return ExplainedRecord(.balance(account: account, asset: balance.asset), Self.completed(found.fields, balance))
      }
    } catch {
      if isEmptyAccount(error) { return [] }
      throw error
    }
  }

  /// Whether the response is an empty list, which is not a failure.
  private func isEmptyAccount(_ failure: AnswerFailure) -> Bool {
    failure.reason == .emptyAnswer && !spec.rows.isOneRow
  }
}

extension BalancePlan {
  /// Returns the traces, completed with that of an amount computed from the other two, if there is one.
  private static func completed(_ traces: [FieldTrace], _ balance: Balance) -> [FieldTrace] {
    func sources(_ fields: BalanceField...) -> [FieldTrace.Source] {
      fields.flatMap { field in traces.first { $0.name == field.rawValue }?.sources ?? [] }
    }
    func trace(_ field: BalanceField, _ operation: String, _ sources: [FieldTrace.Source]) -> FieldTrace {
      FieldTrace(
        name: field.rawValue, operation: operation, sources: sources, steps: [],
        result: balance.completed.explainedText(field))
    }
    return traces.map { own in
      switch own.name {
      case BalanceField.total.rawValue where balance.total.value == nil && balance.completed.total.value != nil:
        trace(.total, "sum", sources(.free, .locked))
      case BalanceField.free.rawValue where balance.free.value == nil && balance.completed.free.value != nil:
        trace(.free, "difference", sources(.total, .locked))
      case BalanceField.locked.rawValue where balance.locked.value == nil && balance.completed.locked.value != nil:
        trace(.locked, "difference", sources(.total, .free))
      default: own
      }
    }
  }
}

/// A collector of balances, and of what is left out beside them.
private struct BalanceCollector: RowVisitor {
  let plan: RecordPlan<BalanceField>
  let builder: BalanceBuilder

  func read<Rows>(_ reader: ValueReader<Rows>) throws(AnswerFailure) -> BalancePlan.Reading {
    let records = try plan.records(of: reader, builder)
    var reading = BalancePlan.Reading()
    (reading.rows, reading.incomplete) = (records.all, records.incomplete)
    guard !plan.claims.isEmpty else { return reading }
    for index in 0..<reader.rows.count {
      if index > 0, index % Rows.rowsBetweenTimeChecks == 0, reader.isLate() { throw .late }
      let row = RecordRow(plan: plan, reader: reader, place: RowPlace(index: index))
      let claim = reader.claim(ofAll: plan.claims, at: row.place)
      guard claim != .taken else { continue }
      reading.leftOut += 1
      guard case .unknown(let kind) = claim else { continue }
      if builder.record(row)?.completed.isZero != true { reading.unknownKinds.append(kind) }
    }
    return reading
  }
}

/// A builder of balances with the multiplier that their exchange counts them in.
private struct CountedBalanceBuilder: RecordBuilder {
  let names: SymbolReader
  let builder: BalanceBuilder

  func record<Rows>(_ row: RecordRow<Rows, BalanceField>) -> (balance: Balance, multiplier: Decimal?)? {
    builder.record(row).map { ($0, row.text(.asset).flatMap { names.asset($0).multiplier }) }
  }
}

private struct BalanceBuilder: RecordBuilder {
  let account: String
  let names: SymbolReader

  func record<Rows>(_ row: RecordRow<Rows, BalanceField>) -> Balance? {
    guard let asset = row.text(.asset) else { return nil }
    var row = row
    // Names in paths are spelled the exchange's way.
    row.place.asset = asset
    let (name, multiplier) = names.asset(asset)
    func cell(_ field: BalanceField) -> Cell {
      guard case .value(let amount) = row.amount(field), let multiplier else { return row.amount(field) }
      return .value(amount * multiplier)
    }
    return Balance(account: account, asset: name, free: cell(.free), locked: cell(.locked), total: cell(.total))
  }
}
