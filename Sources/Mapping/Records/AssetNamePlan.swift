package import Config
package import HTTP
package import Quotes

/// What people call the assets of a market, compiled.
package struct AssetNamePlan: Sendable {
  private let record: RecordPlan<AssetNameField>

  /// - Parameter usesScan: false reads every answer through a tree: see ``RecordPlan``.
  package init(_ spec: TableSpec, usesScan: Bool = true) {
    record = RecordPlan(spec, market: nil, usesScan: usesScan)
  }

  /// The names by asset, under the names that the config knows assets by. A row may stand for each pair of an asset: the
  /// first that has a name counts.
  ///
  /// - Throws: `TableFailure` where the answer is an error or no row has a name.
  package func names(
    in answer: HTTPResponse, request: RequestContext, globalAliases: [String: String], hooks: HookRegistry
  ) throws(TableFailure) -> [String: AssetName] {
    let context = ReadingContext(request: request, hooks: hooks)
    let records = try record.records(in: answer, context, globalAliases: globalAliases, AssetNameBuilder())
    let names = Dictionary(records.all.map { ($0.asset, $0.name) }) { first, _ in first }
    guard !names.isEmpty else { throw TableFailure(.emptyAnswer, "no row has a name") }
    return names
  }
}

private struct AssetNameBuilder: RecordBuilder {
  func record<Rows>(_ row: RecordRow<Rows, AssetNameField>) -> (asset: String, name: AssetName)? {
    guard let symbol = row.symbol else { return nil }
    let name = AssetName(korean: row.text(.korean), english: row.text(.english))
    // What is counted by the thousand is named for what it is.
    return name.isEmpty ? nil : (symbol.pair.asset, name)
  }
}
