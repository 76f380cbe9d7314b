import Config
import Quotes

/// The mapping from message rows to the pairs of a connection.
final class StreamRows: Sendable {
  let pairs: [StreamPair]
  /// The number of units that the exchange counts as one, by pair; nil means 1.
  let multipliers: [Decimal?]
  private let index: SymbolIndex
  /// Set if rules split the symbol; nil if the stream spells pairs like the table.
  private let rules: RowSelector?
  /// Asked first: to look whether there are rules is to copy them.
  private let hasRules: Bool
  /// Whether paths or lookups use the pair's name.
  private let namesPair: Bool

  /// - Parameter namesPair: whether paths outside the plan may use the pair's name.
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

  /// Calls `body` for each row of a pair of the connection, with the index of the pair; skips any other row.
  func forEach<Field, Rows>(
    _ plan: RecordPlan<Field>, _ reader: ValueReader<Rows>, _ body: (_ pair: Int, RowPlace) -> Void
  ) {
    if hasRules, var rules {
      forEach(reader, body) { place in rules.names(reader, at: place).flatMap { index[$0.pair, $0.product] } }
    } else {
      forEach(reader, body) { place in pair(plan, reader, at: place) }
    }
  }

  @inline(__always)
  private func forEach<Rows>(
    _ reader: ValueReader<Rows>, _ body: (_ pair: Int, RowPlace) -> Void, _ pair: (RowPlace) -> Int?
  ) {
    for row in 0..<reader.rows.count {
      var place = RowPlace(index: row)
      guard let pair = pair(place) else { continue }
      if namesPair {
        let spelling = pairs[pair].spelling
        (place.asset, place.payment) = (spelling.asset, spelling.payment)
        place.symbol = spelling.symbol ?? pairs[pair].row.symbol
      }
      body(pair, place)
    }
  }

  private func pair<Field, Rows>(
    _ plan: RecordPlan<Field>, _ reader: ValueReader<Rows>, at place: RowPlace
  ) -> Int? {
    if plan.symbol.isRequest { return pairs.count == 1 ? 0 : nil }
    if let path = plan.symbol.plainPath, let bytes = reader.plainBytes(path, at: place) { return index[bytes] }
    return plan.symbol.text.flatMap { reader.text($0, at: place) }.flatMap { index[$0] }
  }
}
