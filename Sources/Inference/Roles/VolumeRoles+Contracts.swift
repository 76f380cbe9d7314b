// Futures count contracts, whose size differs from pair to pair: what rises and falls with the price is not all of it.
extension VolumeRoles {
  /// Of a lone column of futures the slope tells coins from money, and neither from contracts.
  mutating func doubtContracts() {
    func doubt(_ found: RoleFinding) -> RoleFinding {
      columns[found.column].nameScore(found.role) < 0.9 ? doubtful(found, 0.7, "it may count contracts") : found
    }
    volume = volume.map(doubt)
    turnover = turnover.map(doubt)
  }

  private func doubtful(_ finding: RoleFinding, _ limit: Double, _ reason: String) -> RoleFinding {
    var finding = finding
    finding.confidence = min(finding.confidence, limit)
    finding.evidence.append(reason)
    return finding
  }

  /// A second column that is price x the first, times the size of a contract, shows that the first counts contracts.
  mutating func weighContracts(_ count: Int) {
    for other in candidates where other.column != count {
      guard let size = contractSize(count: count, other: other.column) else { continue }
      let reason = "'\(columns[other.column].path.text)' shows that it counts contracts"
      if size == .money {
        let name = max(other.turnover, 0.3)
        turnover = RoleFinding(
          role: .turnover, column: other.column, confidence: 1 - (1 - name) * 0.3,
          evidence: ["price x '\(columns[count].path.text)' times the size of a contract", "its name"])
        volume = RoleFinding(role: .volume, column: count, confidence: 0.5, evidence: ["its name", reason])
      } else {
        let reason = "it or '\(columns[other.column].path.text)' counts contracts"
        volume = volume.map { doubtful($0, 0.5, reason) }
        turnover = turnover.map { doubtful($0, 0.5, reason) }
      }
      return
    }
  }

  private enum ContractSize { case money, coins }

  /// How the one column comes of the other by a power of ten in each row, or by one factor in all.
  private func contractSize(count: Int, other: Int) -> ContractSize? {
    var (money, coins): ([Double], [Double]) = ([], [])
    guard let price = prices[.price] else { return nil }
    for row in columns[count].numbers.indices {
      guard let first = columns[count].numbers[row], let second = columns[other].numbers[row],
        let last = columns[price].numbers[row], first > 0, second > 0, last > 0
      else { continue }
      coins.append(second / first)
      money.append(second / first / last)
    }
    guard money.count >= 3 else { return nil }
    if Self.areSizes(coins, within: 1e-6) { return .coins }
    return Self.areSizes(money, within: 0.1) ? .money : nil
  }

  /// Whether nearly all are powers of ten, or all are near one factor that is not 1.
  private static func areSizes(_ factors: [Double], within share: Double) -> Bool {
    let sorted = factors.sorted()
    let median = sorted[sorted.count / 2]
    if factors.allSatisfy({ ($0 / median - 1).magnitude <= share }) { return (median - 1).magnitude > share }
    let powers = factors.filter { factor in
      let exponent = (logarithm(factor) / logarithm(10)).rounded()
      let distance = logarithm(factor) - exponent * logarithm(10)
      return distance.magnitude <= max(share, 1e-9)
    }
    return powers.count * 10 >= factors.count * 9
  }
}
