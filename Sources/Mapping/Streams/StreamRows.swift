import Config
import Quotes

/// Says which pair of a connection a row of a message is of.
struct StreamRows: Sendable {
  let pairs: [StreamPair]
  private let index: SymbolIndex
  private let isSpelled: Bool
  private let globalAliases: [String: String]
  /// Whether paths or lookups name the pair.
  private let namesPair: Bool

  init<Field>(_ spec: StreamSpec, _ plan: RecordPlan<Field>, _ pairs: [StreamPair], _ options: Interpretation) {
    self.pairs = pairs
    index = SymbolIndex(pairs)
    if case .spelled = spec.symbol { isSpelled = true } else { isSpelled = false }
    globalAliases = options.globalAliases
    namesPair = plan.fillsPaths
  }

  /// Calls `body` for each row of a pair of the connection, with the place of the pair; any other row is left out.
  func forEach<Field, Rows>(
    _ plan: RecordPlan<Field>, _ reader: ValueReader<Rows>, _ body: (_ pair: Int, RowPlace) -> Void
  ) {
    // The rules need names and aliases sorted: most streams spell the pair as the table does.
    var selector =
      isSpelled || plan.symbol.isRequest ? nil : RowSelector(plan, wanted: nil, globalAliases: globalAliases)
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
