import Quotes

/// How much a place of the response looks like the rows of a ticker table.
struct RowsScore {
  var rows: SampleRows
  let score: Double
  let symbol: SymbolProposal?

  private static let weights: [Role: Double] = [
    .price: 3, .high: 1, .low: 1, .bid: 1, .ask: 1, .open: 0.4, .volume: 1.2, .turnover: 0.4, .change: 0.4,
  ]

  /// - Parameters:
  ///   - isGiven: somebody says that these are the rows, whatever their names.
  ///   - readsNumbers: names that say nothing are no hindrance where the numbers look like prices.
  init(_ rows: SampleRows, _ hints: SampleHints, isGiven: Bool = false, readsNumbers: Bool = false) {
    self.rows = rows
    var sum = 0.0
    for (role, weight) in Self.weights {
      let best = rows.columns.map { Self.worth($0, role) }.max() ?? 0
      sum += weight * best
    }
    for path in hints.paths.values where rows.columns.contains(where: { $0.path.text == path && $0.hasNumbers }) {
      sum += 3
    }
    // Without any name that says price, bid or high nothing here is a ticker, however many rows there are.
    let isNamed = sum > 0.5 || rows.shape == .arrayOfArrays || Self.isPositional(rows)
    guard isGiven || isNamed || readsNumbers && Self.hasPrices(rows) else {
      score = 0
      symbol = nil
      return
    }
    let symbol = SymbolInference(rows, hints).proposal()
    self.symbol = symbol
    if let symbol, symbol.source != .request { sum += 1.5 * symbol.assetConfidence }
    var count = Double(rows.nodes.count)
    var bonus = 0.0
    while count > 1, bonus < 2 {
      bonus += 0.25
      count /= 2
    }
    if rows.shape != .single { bonus += 0.3 }
    if sum == 0 { bonus += 0.2 }
    score = isGiven ? 100 : sum + bonus
  }

  private static func worth(_ column: SampleColumn, _ role: Role) -> Double {
    guard column.hasNumbers else { return 0 }
    let filled = column.numbers.reduce(0) { $0 + ($1 == nil ? 0 : 1) }
    let share = Double(filled) / Double(max(1, column.numbers.count))
    // What lies deep is better found from nearer by.
    return column.nameScore(role) * share * (1 - 0.08 * Double(column.path.steps.count))
  }

  /// Many rows with columns that are near each other: prices of one thing each.
  private static func hasPrices(_ rows: SampleRows) -> Bool {
    rows.shape != .single && rows.nodes.count >= 2 && NumberProof(rows.columns).findings[.price] != nil
  }

  /// One list of numbers without names.
  static func isPositional(_ rows: SampleRows) -> Bool {
    rows.columns.count >= 5
      && rows.columns.filter { $0.path.names.isEmpty && $0.hasNumbers }.count * 10 >= rows.columns.count * 8
  }
}
