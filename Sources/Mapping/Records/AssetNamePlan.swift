package import Config
package import HTTP
package import Quotes

/// The compiled table of a market's asset names.
package struct AssetNamePlan: Sendable {
  private let record: RecordPlan<AssetNameField>

  /// - Parameter usesScan: false reads every response through a tree: see ``RecordPlan``.
  package init(_ spec: TableSpec, usesScan: Bool = true) {
    record = RecordPlan(spec, market: nil, usesScan: usesScan)
  }

  /// Returns the names by asset, keyed by the config's own symbols. An asset may have a row for each of its pairs: the
  /// first one with a name is used.
  ///
  /// - Throws: `AnswerFailure` if the response is an error or no row has a name.
  package func names(
    in answer: HTTPResponse, _ context: ReadingContext, globalAliases: [String: String]
  ) throws(AnswerFailure) -> [String: AssetName] {
    let records = try record.records(in: answer, context, globalAliases: globalAliases, AssetNameBuilder())
    let names = Dictionary(records.all.map { ($0.asset, $0.name) }) { first, _ in first }
    guard !names.isEmpty else { throw AnswerFailure(.emptyAnswer, "no row has a name") }
    return names
  }
}

private struct AssetNameBuilder: RecordBuilder {
  func record<Rows>(_ row: RecordRow<Rows, AssetNameField>) -> (asset: String, name: AssetName)? {
    guard let symbol = row.symbol else { return nil }
    let name = AssetName(korean: row.text(.korean), english: row.text(.english))
    // An asset counted in thousands gets the name of the asset itself.
    return name.isEmpty ? nil : (symbol.pair.asset, name)
  }
}
