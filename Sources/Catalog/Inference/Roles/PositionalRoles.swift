/// Guesses the prices of rows that are lists without names: a guess to ask about, never one to take.
///
/// Columns that stay within a factor of each other are prices. The one never below the others is the high, the one never
/// above them the low; what is left is bid, last and ask, in order of size.
struct PositionalRoles {
  let findings: [RoleFinding]

  init(_ columns: [SampleColumn]) {
    let relations = RowRelations(columns: columns)
    let numeric = columns.indices.filter { columns[$0].hasNumbers && columns[$0].numericShare > 0.9 }
    var best: [Int] = []
    for seed in numeric {
      let cluster = numeric.filter { other in
        let near = relations.areNear(seed, other, factor: 1.5)
        return other == seed || (near.rows > 0 && near.share >= 0.8)
      }
      if cluster.count > best.count { best = cluster }
    }
    guard best.count >= 3 else {
      findings = []
      return
    }
    func isAbove(_ column: Int) -> Bool { best.allSatisfy { relations.isAtMost($0, column).share >= 0.95 } }
    func isBelow(_ column: Int) -> Bool { best.allSatisfy { relations.isAtMost(column, $0).share >= 0.95 } }
    var found: [RoleFinding] = []
    func take(_ role: Role, _ column: Int, _ confidence: Double, _ reason: String) {
      found.append(RoleFinding(role: role, column: column, confidence: confidence, evidence: [reason]))
      best.removeAll { $0 == column }
    }
    let isRange = best.count >= 5
    if isRange, let high = best.first(where: isAbove) { take(.high, high, 0.6, "never below the other prices") }
    if isRange, let low = best.first(where: isBelow) { take(.low, low, 0.6, "never above the other prices") }
    let bids = best.filter { column in
      best.contains { $0 != column && relations.isAtMost(column, $0).share >= 0.99 && $0 > column }
    }
    if let bid = bids.first, let ask = best.first(where: { $0 > bid && relations.isAtMost(bid, $0).share >= 0.99 }) {
      take(.bid, bid, 0.5, "never above a later price")
      take(.ask, ask, 0.5, "never below an earlier price")
    }
    if let last = best.first { take(.price, last, 0.45, "a price that is none of the others") }
    findings = found
  }
}
