package import Config
package import HTTP
package import Quotes

/// How an exchange spells one of its pairs, as a row of its table of all pairs has it.
package struct ListedPair: Sendable, Hashable {
  package let pair: Pair
  package let spelling: PairSpelling
  /// What the exchange counts the asset in: 1000 for `1000PEPE`; nil for the asset itself.
  package let multiplier: Decimal?
}

/// The names of a table of all pairs, compiled.
package struct ListingPlan: Sendable {
  private let record: RecordPlan<ListingField>
  private let globalAliases: [String: String]

  package init(_ spec: TableSpec, market: Market, globalAliases: [String: String]) {
    var table = spec
    table.fields = [:]
    if case .rules(var text?, _) = spec.symbol {
      // As the exchange writes it, before anything is taken off.
      (text.capture, text.strip) = (nil, nil)
      table.fields[ListingField.symbol.rawValue] = text
    }
    record = RecordPlan(table, market: market, usesScan: true)
    self.globalAliases = globalAliases
  }

  /// How the exchange spells a pair; nil where it does not list it.
  ///
  /// - Throws: `TableFailure` where the answer is an error or has no rows.
  package func spelling(
    of pair: Pair, in answer: HTTPResponse, request: RequestContext, lookups: [String: LookupState],
    hooks: HookRegistry
  ) throws(TableFailure) -> ListedPair? {
    var request = request
    request.pair = pair
    let context = ReadingContext(request: request, lookups: lookups, hooks: hooks)
    return try record.records(in: answer, context, globalAliases: globalAliases, ListingBuilder()).all.first
  }
}

/// What a row of a table is called.
enum ListingField: String, RecordField {
  case symbol

  var kind: FieldKind { .text }
}

private struct ListingBuilder: RecordBuilder {
  func record<Rows>(_ row: RecordRow<Rows, ListingField>) -> ListedPair? {
    guard let symbol = row.symbol else { return nil }
    return ListedPair(
      pair: symbol.pair,
      spelling: PairSpelling(asset: symbol.asset, payment: symbol.payment, symbol: row.text(.symbol)),
      multiplier: symbol.multiplier)
  }
}
