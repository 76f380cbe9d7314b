import Config
import Quotes

/// Says which pair of a connection a row of a message is of.
final class StreamRows: Sendable {
  let pairs: [StreamPair]
  /// What the exchange counts the asset of each in, where that is not one.
  let multipliers: [Decimal?]
  private let index: SymbolIndex
  /// Where rules take the symbol apart; nil where the stream spells the pair as the table does.
  private let rules: RowSelector?
  private let hasRules: Bool
  /// Whether paths or lookups name the pair.
  private let namesPair: Bool

  /// - Parameter namesPair: true where paths that the plan does not hold may name the pair.
  init<Field>(
    _ spec: StreamSpec, _ plan: RecordPlan<Field>, _ pairs: [StreamPair], _ options: Interpretation,
    namesPair: Bool = false
  ) {
    self.pairs = pairs
    multipliers = pairs.map(\.row.multiplier)
    index = SymbolIndex(pairs)
    if case .rules = spec.symbol, !plan.symbol.isRequest {
      rules = RowSelector(plan, wanted: nil, globalAliases: options.globalAliases)
    } else {
      rules = nil
    }
    hasRules = rules != nil
    self.namesPair = namesPair || plan.fillsPaths
  }

  /// Calls `body` for each row of a pair of the connection, with the place of the pair; any other row is left out.
  func forEach<Field, Rows>(
    _ plan: RecordPlan<Field>, _ reader: ValueReader<Rows>, _ body: (_ pair: Int, RowPlace) -> Void
  ) {
    // A copy of none would be a large one, too.
    var selector: RowSelector?
    if hasRules { selector = rules }
    for row in 0..<reader.rows.count {
      var place = RowPlace(index: row)
      guard let pair = pair(plan, reader, at: place, &selector) else { continue }
      if namesPair {
        let spelling = pairs[pair].spelling
        (place.asset, place.payment) = (spelling.asset, spelling.payment)
        place.symbol = spelling.symbol ?? pairs[pair].row.symbol
      }
      body(pair, place)
    }
  }

  private func pair<Field, Rows>(
    _ plan: RecordPlan<Field>, _ reader: ValueReader<Rows>, at place: RowPlace, _ selector: inout RowSelector?
  ) -> Int? {
    if plan.symbol.isRequest { return pairs.count == 1 ? 0 : nil }
    if selector != nil {
      return selector?.names(reader, at: place).flatMap { index[$0.pair, $0.product] }
    }
    if let path = plan.symbol.plainPath, let bytes = reader.plainBytes(path, at: place) { return index[bytes] }
    return plan.symbol.text.flatMap { reader.text($0, at: place) }.flatMap { index[$0] }
  }
}
