/// Scores how much a place in the response looks like the rows of a ticker table.
struct RowsScore {
  var rows: SampleRows
  let score: Double
  let symbol: SymbolProposal?

  private static let weights: [Role: Double] = [
    .price: 3, .high: 1, .low: 1, .bid: 1, .ask: 1, .open: 0.4, .volume: 1.2, .turnover: 0.4, .change: 0.4,
  ]

  /// - Parameters:
  ///   - isGiven: whether these are given as the rows, whatever their names.
  ///   - readsNumbers: whether numbers that look like prices make up for meaningless names.
  init(_ rows: SampleRows, _ hints: SampleHints, isGiven: Bool = false, readsNumbers: Bool = false) {
    self.rows = rows
    var sum = 0.0
    // In one order, as a sum of doubles depends on it.
    for role in Role.allCases {
      guard let weight = Self.weights[role] else { continue }
      let best = rows.columns.map { Self.worth($0, role) }.max() ?? 0
      sum += weight * best
    }
    for (role, path) in hints.paths {
      let isThere = rows.columns.contains { $0.path.text == path && ($0.hasNumbers || hints.whole.contains(role)) }
      if isThere { sum += 3 }
    }
    // Without any name such as price, bid or high this is not a ticker, however many rows there are.
    let isNamed = sum > 0.5 || rows.shape == .arrayOfArrays || Self.isPositional(rows)
    guard isGiven || isNamed || readsNumbers && Self.hasPrices(rows) else {
      score = 0
      symbol = nil
      return
    }
    let symbol = SymbolInference(rows, hints).proposal()
    self.symbol = symbol
    if let symbol, symbol.source != .request {
      sum += 1.5 * symbol.assetConfidence
      self.rows.gatherMembers(of: symbol.pairs)
    }
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
    // Deep columns are better found from rows closer to them.
    return column.nameScore(role) * column.filledShare * (1 - 0.08 * Double(column.path.steps.count))
  }

  /// Returns whether there are many rows with columns close to each other: prices of the same thing.
  private static func hasPrices(_ rows: SampleRows) -> Bool {
    rows.shape != .single && rows.nodes.count >= 2 && NumberProof(rows.columns).findings[.price] != nil
  }

  /// Recognizes a list of numbers without names.
  private static func isPositional(_ rows: SampleRows) -> Bool {
    rows.columns.count >= 5
      && rows.columns.count { $0.path.names.isEmpty && $0.hasNumbers } * 10 >= rows.columns.count * 8
  }
}
