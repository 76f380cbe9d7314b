package import Config
package import HTTP
package import Quotes

/// An exchange's spelling of a pair, from its row in the table of all pairs.
package struct ListedPair: Sendable, Hashable {
  package let pair: Pair
  package let spelling: PairSpelling
  /// The number of units that the exchange counts as one: 1000 for `1000PEPE`; nil for single units.
  package let multiplier: Decimal?
  /// The group of futures; nil if there is none.
  package let product: String?
}

/// The compiled names of a table of all pairs.
package struct ListingPlan: Sendable {
  private let record: RecordPlan<ListingField>
  private let globalAliases: [String: String]

  package init(_ spec: TableSpec, market: Market, globalAliases: [String: String]) {
    var table = spec
    table.fields = [:]
    if case .rules(var text?, _) = spec.symbol {
      // As the exchange writes it, before anything is stripped.
      (text.capture, text.strip) = (nil, nil)
      table.fields[ListingField.symbol.rawValue] = text
    }
    record = RecordPlan(table, market: market, usesScan: true)
    self.globalAliases = globalAliases
  }

  /// Returns the exchange's spelling of a pair; nil if it is not listed.
  ///
  /// - Parameter product: The group of futures; nil for the first.
  /// - Throws: `AnswerFailure` if the response is an error or has no rows.
  package func spelling(
    of pair: Pair, product: String? = nil, in answer: HTTPResponse, _ context: ReadingContext
  ) throws(AnswerFailure) -> ListedPair? {
    var context = context
    context.request?.pair = pair
    return try record.records(in: answer, context, globalAliases: globalAliases, ListingBuilder()).all
      .first { product == nil || $0.product == product }
  }

  /// Returns all pairs that are listed.
  ///
  /// - Throws: `AnswerFailure` if the response is an error or has no rows.
  package func pairs(
    in answer: HTTPResponse, _ context: ReadingContext
  ) throws(AnswerFailure) -> [ListedPair] {
    return try record.records(in: answer, context, globalAliases: globalAliases, ListingBuilder()).all
  }
}

/// The field that names a row of a table.
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
      multiplier: symbol.multiplier, product: symbol.product)
  }
}
