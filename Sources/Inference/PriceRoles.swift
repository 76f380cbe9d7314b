/// Finds the prices of a row: last, high, low, bid, ask, open.
///
/// Names propose, relations decide: of all ways to give the columns to the roles the one is taken whose names fit best
/// and in which `low <= price <= high` and `bid <= ask` hold in the most rows.
struct PriceRoles {
  static let roles: [Role] = [.price, .high, .low, .bid, .ask, .open]

  let columns: [SampleColumn]
  let relations: RowRelations
  /// The chosen column of each role.
  private(set) var chosen: [Role: Int] = [:]
  private var candidates: [Role: [(column: Int, name: Double)]] = [:]
  private var cache: [Constraint: [Pairing: RowRelations.Vote]] = [:]

  private struct Pairing: Hashable {
    let first: Int
    let second: Int
  }

  /// What must hold between two roles.
  private struct Constraint: Hashable {
    enum Kind: Hashable { case atMost, near }

    let first: Role
    let second: Role
    let kind: Kind

    var text: String {
      kind == .atMost ? "\(first.rawValue) <= \(second.rawValue)" : "\(first.rawValue) near \(second.rawValue)"
    }
  }

  private static let constraints: [Constraint] = [
    Constraint(first: .low, second: .price, kind: .atMost), Constraint(first: .price, second: .high, kind: .atMost),
    Constraint(first: .low, second: .high, kind: .atMost), Constraint(first: .bid, second: .ask, kind: .atMost),
    Constraint(first: .bid, second: .price, kind: .near), Constraint(first: .ask, second: .price, kind: .near),
    Constraint(first: .high, second: .price, kind: .near), Constraint(first: .low, second: .price, kind: .near),
    Constraint(first: .open, second: .price, kind: .near),
  ]

  /// - Parameters:
  ///   - forced: columns that somebody gave a role, of prices or others: no other role takes them.
  ///   - provedPrice: the last price as the numbers prove it, for a table in which nothing is called so.
  init(_ columns: [SampleColumn], forced: [Role: Int] = [:], provedPrice: Int? = nil) {
    self.columns = columns
    relations = RowRelations(columns: columns)
    for role in Self.roles {
      if let column = forced[role] {
        candidates[role] = [(column, 1)]
        continue
      }
      let scored = columns.indices.compactMap { index -> (column: Int, name: Double)? in
        guard columns[index].hasNumbers, columns[index].numericShare >= 0.5, !forced.values.contains(index),
          !columns[index].numbers.contains(where: { $0.map { $0 < 0 } ?? false })
        else { return nil }
        // A place that is mostly empty is not where the exchange writes it.
        let name =
          columns[index].nameScore(role) * (0.5 + 0.5 * columns[index].filledShare)
          - 0.01 * Double(columns[index].path.steps.count)
        return name > 0.04 ? (index, name) : nil
      }
      candidates[role] = Array(scored.sorted { $0.name > $1.name }.prefix(4))
    }
    if let provedPrice, forced[.price] == nil, candidates[.price]?.first.map({ $0.name < 0.8 }) ?? true {
      candidates[.price] = [(provedPrice, 0.8)]
    }
    preferLast()
    var best = (score: 0.0, roles: [Role: Int]())
    search(Self.roles[...], [:], 0, &best)
    chosen = best.roles
    for (lower, upper) in [(Role.bid, Role.ask), (.low, .high)] where forced[lower] == nil && forced[upper] == nil {
      settleOpposites(lower, upper)
    }
    for (role, column) in forced where Self.roles.contains(role) { chosen[role] = column }
  }

  /// Beside a last price a close is that of another time, however well it fits.
  private mutating func preferLast() {
    guard let prices = candidates[.price] else { return }
    func isLast(_ column: Int) -> Bool { columns[column].leafName.has(.last) }
    guard prices.contains(where: { $0.name >= 0.9 && isLast($0.column) }) else { return }
    candidates[.price]?.removeAll { columns[$0.column].leafName.has(.close) && !isLast($0.column) }
  }

  /// Names that say the opposite of what all rows do are taken the other way round: what an exchange calls `buy` may be the
  /// price at which one buys, the ask.
  private mutating func settleOpposites(_ lower: Role, _ upper: Role) {
    guard let low = candidates[lower]?.first, let high = candidates[upper]?.first, low.column != high.column,
      low.name >= 0.8, high.name >= 0.8
    else { return }
    let straight = relations.isNeverAbove(low.column, high.column)
    let reversed = relations.isNeverAbove(high.column, low.column)
    guard reversed.rows >= 5, reversed.share >= 0.95, straight.share < 0.5 else { return }
    chosen[lower] = high.column
    chosen[upper] = low.column
    candidates[lower] = [(high.column, 0.6)]
    candidates[upper] = [(low.column, 0.6)]
  }

  private mutating func search(
    _ rest: ArraySlice<Role>, _ taken: [Role: Int], _ score: Double, _ best: inout (score: Double, roles: [Role: Int])
  ) {
    guard let role = rest.first else {
      if score > best.score { best = (score, taken) }
      return
    }
    let roles = rest.dropFirst()
    for candidate in candidates[role] ?? [] where !taken.values.contains(candidate.column) {
      var next = taken
      next[role] = candidate.column
      let gain = candidate.name + agreement(of: role, in: next)
      // A column that speaks against everything else is worse than none.
      if gain > 0 { search(roles, next, score + gain, &best) }
    }
    // A field called last is the price, even where its numbers are at odds with all the others.
    if role == .price, candidates[role]?.first.map({ $0.name > 0.8 }) == true { return }
    search(roles, taken, score, &best)
  }

  private mutating func agreement(of role: Role, in taken: [Role: Int]) -> Double {
    var sum = 0.0
    for constraint in Self.constraints where constraint.first == role || constraint.second == role {
      guard let first = taken[constraint.first], let second = taken[constraint.second] else { continue }
      let vote = vote(constraint, first, second)
      guard vote.rows > 0 else { continue }
      switch vote.share {
      case 0.95...: sum += 0.15
      case 0.85..<0.95: sum += 0.05
      default: sum -= (1 - vote.share) * (constraint.kind == .near ? 0.25 : 0.8)
      }
    }
    return sum
  }

  private mutating func vote(_ constraint: Constraint, _ first: Int, _ second: Int) -> RowRelations.Vote {
    let pairing = Pairing(first: first, second: second)
    if let known = cache[constraint]?[pairing] { return known }
    let vote = measure(constraint, first, second)
    cache[constraint, default: [:]][pairing] = vote
    return vote
  }

  private func measure(_ constraint: Constraint, _ first: Int, _ second: Int) -> RowRelations.Vote {
    switch constraint.kind {
    case .near: return relations.areNear(first, second, factor: 2)
    // Offers are of one moment, and hardly apart: nothing but the last digit tells them from each other.
    case .atMost where constraint.first == .bid: return relations.isNeverAbove(first, second)
    case .atMost:
      // Rows in which both are the same, or nearly, hide that the others say the opposite.
      let strict = relations.isBelow(first, second)
      return strict.rows >= 2 && strict.share < 0.5 ? strict : relations.isAtMost(first, second)
    }
  }

  // MARK: Confidence

  /// What speaks for the column that was chosen for a role, or for another one in its place.
  func finding(_ role: Role, column: Int? = nil) -> RoleFinding? {
    guard let column = column ?? chosen[role], let name = candidates[role]?.first(where: { $0.column == column })
    else { return nil }
    var taken = chosen
    taken[role] = column
    var evidence = ["its name"]
    var shares: [Double] = []
    var strays: [Double] = []
    var rows = 0
    for constraint in Self.constraints where constraint.first == role || constraint.second == role {
      guard let first = taken[constraint.first], let second = taken[constraint.second], first != second else {
        continue
      }
      let vote = measure(constraint, first, second)
      guard vote.rows > 0 else { continue }
      if role == .price, isStray(constraint, vote, beside: name.name) {
        strays.append(vote.share)
        continue
      }
      // In a thin market offers lie anywhere, yet nothing but a price is near a price in two rows of five.
      let isNear = constraint.kind == .near
      shares.append(isNear ? (vote.share >= 0.4 ? max(0.9, vote.share) : min(1, vote.share + 0.2)) : vote.share)
      rows = max(rows, vote.rows)
      evidence.append("\(constraint.text) in \(vote.text)")
    }
    // Where both offers are far from the price and nothing is near it, it is the price that has strayed.
    if shares.isEmpty, strays.count > 1 { shares = strays }
    for (partner, vote) in contradictions(to: role, column, taken) {
      shares.append(vote.share)
      evidence.append("against '\(columns[partner].path.text)' in \(vote.rows - vote.holds) of \(vote.rows)")
    }
    // An offer or a bound that nothing can be held against may be anything; a last price is called so.
    let confidence =
      shares.isEmpty ? name.name * (role == .price ? 0.9 : 0.74) : confidence(name.name, shares, rows: rows)
    return RoleFinding(role: role, column: column, confidence: confidence, evidence: evidence)
  }

  /// Whether an offer that is far from the price speaks against itself rather than against a price with a better name.
  private func isStray(_ constraint: Constraint, _ vote: RowRelations.Vote, beside name: Double) -> Bool {
    guard constraint.kind == .near, [.bid, .ask].contains(constraint.first), vote.rows >= 10, vote.share < 0.4 else {
      return false
    }
    let offer = candidates[constraint.first]?.first { $0.column == chosen[constraint.first] }
    return name >= 0.95 && (offer?.name ?? 0) < name
  }

  /// Columns that have the name of a role and were not taken for it, since they contradict the others: the contradiction
  /// stays one.
  private func contradictions(
    to role: Role, _ column: Int, _ taken: [Role: Int]
  ) -> [(column: Int, vote: RowRelations.Vote)] {
    Self.constraints.compactMap { constraint in
      guard constraint.first == role || constraint.second == role else { return nil }
      let other = constraint.first == role ? constraint.second : constraint.first
      guard taken[other] == nil, let best = candidates[other]?.first, best.name >= 0.8, best.column != column,
        !taken.values.contains(best.column)
      else { return nil }
      let vote =
        constraint.first == role
        ? measure(constraint, column, best.column) : measure(constraint, best.column, column)
      return vote.rows >= 2 && vote.share < 0.5 ? (best.column, vote) : nil
    }
  }

  private func confidence(_ name: Double, _ shares: [Double], rows: Int) -> Double {
    let worst = shares.min() ?? 0
    if worst >= 0.9 {
      let doubt = shares.count >= 2 ? (rows >= 3 ? 0.4 : 0.5) : 0.6
      return 1 - (1 - name) * doubt
    }
    // Of few rows each one counts.
    return worst >= 0.7 ? name * (rows >= 10 ? 0.88 : 0.74) : name * 0.55
  }

  /// The chosen column with the best of the others; where the two cannot be told apart, the confidence falls.
  func decided(_ role: Role) -> RoleFinding? {
    guard var best = finding(role) else { return nil }
    var others: [RoleFinding] = []
    for candidate in candidates[role] ?? [] where candidate.column != best.column {
      if let taken = chosen.first(where: { $0.value == candidate.column }), taken.key != role { continue }
      if let other = finding(role, column: candidate.column) { others.append(other) }
    }
    guard let second = others.max(by: { $0.confidence < $1.confidence }) else { return best }
    best.runnerUp = .init(column: second.column, confidence: second.confidence)
    let equal = relations.areEqual(best.column, second.column)
    let isSame = equal.rows > 0 && equal.share >= 0.98
    if !isSame, second.confidence > best.confidence - 0.04 { best.confidence *= 0.75 }
    return best
  }
}
