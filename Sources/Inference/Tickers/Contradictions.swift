/// Numbers that no real market has, but a documentation sample may.
struct Contradictions {
  private(set) var sentences: [String] = []

  private let columns: [SampleColumn]
  private let byRole: [Role: Int]

  init(_ columns: [SampleColumn], _ findings: [RoleFinding]) {
    self.columns = columns
    byRole = Self.columns(columns, findings)
    // Caching explains half a percent, but not five percent.
    let orders: [(Role, Role, Double)] = [
      (.low, .high, 1.0001), (.low, .price, 1.05), (.price, .high, 1.05), (.bid, .ask, 1.02),
    ]
    for (lower, upper, factor) in orders {
      find([lower, upper], in: 0.5) { _, numbers in
        numbers.allSatisfy { $0 > 0 } ? numbers[0] > numbers[1] * factor : nil
      } saying: {
        "\(lower.rawValue) \($0[0]) is above \(upper.rawValue) \($0[1])"
      }
    }
    let rows = columns.first?.numbers.count ?? 0
    if rows <= 3 { findTurnover() }
    if rows <= 5 { findChange() }
    findSameness()
  }

  /// Returns each role's column; if its numbers made it unacceptable, the one with a matching name.
  private static func columns(_ columns: [SampleColumn], _ findings: [RoleFinding]) -> [Role: Int] {
    var byRole: [Role: Int] = [:]
    for finding in findings where finding.confidence >= 0.3 { byRole[finding.role] = finding.column }
    for role in PriceRoles.roles + [.change] where byRole[role] == nil {
      let named = columns.indices.filter { columns[$0].hasNumbers && columns[$0].nameScore(role) >= 0.8 }
      let best = named.max { columns[$0].nameScore(role) < columns[$1].nameScore(role) }
      if let best, !byRole.values.contains(best) { byRole[role] = best }
    }
    return byRole
  }

  /// Reports what is wrong with the first bad row if a given share of the rows with a vote is bad.
  private mutating func find(
    _ roles: [Role], in share: Double, _ isBad: (_ row: Int, _ numbers: [Double]) -> Bool?,
    saying sentence: (_ texts: [String]) -> String
  ) {
    let wanted = roles.compactMap { byRole[$0] }
    guard wanted.count == roles.count else { return }
    var first: Int?
    let vote = RowRelations(columns: columns).vote(wanted) { row, numbers in
      let isBad = isBad(row, numbers)
      if isBad == true { first = first ?? row }
      return isBad
    }
    guard let first, vote.share >= share else { return }
    sentences.append("\(sentence(wanted.map { columns[$0].texts[first] ?? "" })) (in \(vote.text))")
  }

  /// Finds changes far from the one between open and price, though that is large in every row. Changes may be measured
  /// from other opens, but hardly after such price moves.
  private mutating func findChange() {
    find([.change, .open, .price], in: 1) { _, numbers in
      let (value, from, last) = (numbers[0], numbers[1], numbers[2])
      guard from > 0, last > 0 else { return nil }
      let ratio = (last - from) / from
      let isNear = [ratio, ratio * 100, last - from].contains { ($0 - value).magnitude <= $0.magnitude * 0.67 }
      return ratio.magnitude > 0.2 && !isNear
    } saying: {
      "change \($0[0]) is not the change from open \($0[1]) to price \($0[2])"
    }
  }

  /// Finds average prices far from the day's range. Contract sizes cause that too, so only few rows are suspicious.
  private mutating func findTurnover() {
    let (columns, byRole) = (columns, byRole)
    find([.turnover, .volume, .price], in: 1) { row, numbers in
      guard numbers.allSatisfy({ $0 > 0 }) else { return nil }
      let price = numbers[2]
      let low = byRole[.low].flatMap { columns[$0].numbers[row] } ?? price
      let high = byRole[.high].flatMap { columns[$0].numbers[row] } ?? price
      let average = numbers[0] / numbers[1]
      return average <= min(low, price) / 3 || average >= max(high, price) * 3
    } saying: {
      "turnover \($0[0]) / volume \($0[1]) is not a price of the day, unless it counts contracts"
    }
  }

  /// Finds identical prices: no two markets have all of them in common.
  private mutating func findSameness() {
    guard let price = byRole[.price] else { return }
    func isSame(_ column: Int) -> Bool {
      let texts = columns[column].texts
      return texts.count >= 2 && texts[0] != nil && texts.allSatisfy { $0 == texts[0] }
        && columns[column].numbers[0].map { $0 > 0 } ?? false
    }
    let others = [Role.high, .low, .bid, .ask].compactMap { byRole[$0] }.filter { $0 != price && isSame($0) }
    guard isSame(price), others.count >= 2 else { return }
    sentences.append("all \(columns[price].texts.count) rows have the same price \(columns[price].texts[0] ?? "")")
  }
}
