package import Config
package import HTTP
package import Quotes

/// One part of an account, compiled.
package struct BalancePlan: Sendable {
  package let account: String
  package let spec: TableSpec
  private let record: RecordPlan<BalanceField>
  private let globalAliases: [String: String]

  /// - Parameter usesScan: false reads every answer through a tree: see ``RecordPlan``.
  package init(_ spec: TableSpec, account: String, globalAliases: [String: String] = [:], usesScan: Bool = true) {
    self.account = account
    self.spec = spec
    self.globalAliases = globalAliases
    record = RecordPlan(spec, market: nil, usesScan: usesScan)
  }

  /// The rows of an answer as they stand, in their order; rows that name no asset are counted. An account without
  /// rows is empty, and no failure.
  ///
  /// - Throws: `TableFailure` where the answer is an error.
  package func rows(
    in answer: HTTPResponse, request: RequestContext, lookups: [String: LookupState] = [:], hooks: HookRegistry
  ) throws(TableFailure) -> (rows: [Balance], incomplete: Int) {
    let context = ReadingContext(request: request, lookups: lookups, hooks: hooks)
    let names = SymbolReader(plan: record.symbol, globalAliases: globalAliases)
    do {
      let records = try record.records(in: answer, context, BalanceBuilder(account: account, names: names))
      return (records.all, records.incomplete)
    } catch {
      if error.reason == .emptyAnswer { return ([], 0) }
      throw error
    }
  }
}

private struct BalanceBuilder: RecordBuilder {
  let account: String
  let names: SymbolReader

  func record<Rows>(_ row: RecordRow<Rows, BalanceField>) -> Balance? {
    guard let asset = row.text(.asset) else { return nil }
    var row = row
    // Names in paths are the exchange's own.
    row.place.asset = asset
    let (name, multiplier) = names.asset(asset)
    func cell(_ field: BalanceField) -> Cell {
      guard case .value(let amount) = row.amount(field), let multiplier else { return row.amount(field) }
      return .value(amount * multiplier)
    }
    return Balance(account: account, asset: name, free: cell(.free), locked: cell(.locked), total: cell(.total))
  }
}
