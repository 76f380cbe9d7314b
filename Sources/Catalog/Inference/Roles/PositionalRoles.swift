/// Finds the roles in rows that are lists without names. What no relation singles out is a guess to ask about, never one
/// to take.
///
/// Columns that stay within a factor of each other are prices. The one never below the others is the high, the one never
/// above them the low; what is left is bid, last and ask, in order of size. Two more columns that are a change in money
/// and the same as a fraction or percentage of `price - change` say which of the prices is the last one, for no other fits.
struct PositionalRoles {
  private(set) var findings: [RoleFinding] = []
  /// Whether the change, where one was found, is a fraction.
  private(set) var changeIsRatio = false

  private let columns: [SampleColumn]
  private let relations: RowRelations

  init(_ columns: [SampleColumn]) {
    self.columns = columns
    relations = RowRelations(columns: columns)
    var prices = cluster()
    guard prices.count >= 3 else { return }
    let rows = columns.first?.numbers.count ?? 0
    let proof = changeProof(among: prices)
    let isRange = prices.count >= 5
    // A high or low is proved where it holds strictly in many rows, and the last price is known to be another column.
    let bound = proof != nil && rows >= 8 ? 0.85 : 0.6
    func isAbove(_ column: Int) -> Bool { prices.allSatisfy { relations.isAtMost($0, column).share >= 0.95 } }
    func isBelow(_ column: Int) -> Bool { prices.allSatisfy { relations.isAtMost(column, $0).share >= 0.95 } }
    let high = isRange ? prices.first { $0 != proof?.price && isAbove($0) } : nil
    let low = isRange ? prices.first { $0 != proof?.price && $0 != high && isBelow($0) } : nil
    if let high { take(.high, high, bound, "never below the other prices", &prices) }
    if let low { take(.low, low, bound, "never above the other prices", &prices) }
    let sides = sides(of: prices.filter { $0 != proof?.price })
    if let (bid, ask) = sides {
      let isProved = proof != nil && rows >= 8 && high != nil && low != nil && prices.count == 3
      take(.bid, bid, isProved ? 0.85 : 0.5, "never above a later price", &prices)
      take(.ask, ask, isProved ? 0.85 : 0.5, "never below an earlier price", &prices)
    }
    if let proof {
      let text =
        "'\(columns[proof.ratio].path.text)' is '\(columns[proof.money].path.text)' / (it - that) in \(proof.vote.text)"
      let confidence = proof.vote.rows >= 3 ? 0.95 : 0.7
      take(.price, proof.price, confidence, text, &prices)
      findings.append(RoleFinding(role: .change, column: proof.ratio, confidence: confidence, evidence: [text]))
      changeIsRatio = proof.isRatio
    } else if let last = prices.first {
      take(.price, last, 0.45, "a price that is none of the others", &prices)
    }
  }

  private mutating func take(
    _ role: Role, _ column: Int, _ confidence: Double, _ reason: String, _ rest: inout [Int]
  ) {
    findings.append(RoleFinding(role: role, column: column, confidence: confidence, evidence: [reason]))
    rest.removeAll { $0 == column }
  }

  /// The most columns that stay near each other.
  private func cluster() -> [Int] {
    let numeric = columns.indices.filter { columns[$0].hasNumbers && columns[$0].numericShare > 0.9 }
    var best: [Int] = []
    for seed in numeric {
      let cluster = numeric.filter { other in
        let near = relations.areNear(seed, other, factor: 1.5)
        return other == seed || (near.rows > 0 && near.share >= 0.8)
      }
      if cluster.count > best.count { best = cluster }
    }
    return best
  }

  /// Two prices of which the earlier one is never above the later: a bid and its ask.
  private func sides(of prices: [Int]) -> (bid: Int, ask: Int)? {
    for bid in prices {
      if let ask = prices.first(where: { $0 > bid && relations.isAtMost(bid, $0).share >= 0.99 }) { return (bid, ask) }
    }
    return nil
  }

  private struct Proof {
    let price: Int
    let money: Int
    let ratio: Int
    let isRatio: Bool
    let vote: RowRelations.Vote
  }

  /// A price, a change in money and the change as a share, which fit each other in nearly all rows, and no other price
  /// nearly as well.
  private func changeProof(among prices: [Int]) -> Proof? {
    let others = columns.indices.filter { index in
      !prices.contains(index) && columns[index].numbers.contains { $0 != nil && $0 != 0 }
    }
    var found: [Proof] = []
    for price in prices {
      for money in others {
        for ratio in others where ratio != money {
          for isRatio in [true, false] {
            let vote = vote(price: price, money: money, ratio: ratio, factor: isRatio ? 1 : 100)
            guard vote.rows > 0, vote.share >= 0.9 else { continue }
            found.append(Proof(price: price, money: money, ratio: ratio, isRatio: isRatio, vote: vote))
          }
        }
      }
    }
    guard let best = found.max(by: { $0.vote.holds < $1.vote.holds }) else { return nil }
    // Prices that are close to each other all fit: then the vote is by the digits, and must be clear.
    let rivals = found.filter { $0.price != best.price && $0.vote.holds * 10 > best.vote.holds * 8 }
    return rivals.isEmpty ? best : nil
  }

  private func vote(price: Int, money: Int, ratio: Int, factor: Double) -> RowRelations.Vote {
    var vote = RowRelations.Vote()
    for row in columns[price].numbers.indices {
      guard let last = columns[price].numbers[row], let change = columns[money].numbers[row],
        let share = columns[ratio].numbers[row], change != 0, last - change > 0
      else { continue }
      let expected = change / (last - change)
      let half = ChangeRole.halfUnit(of: columns[ratio].texts[row] ?? "") * 1.02
      vote.count((share - expected * factor).magnitude <= half)
    }
    return vote
  }
}
