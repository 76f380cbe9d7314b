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

  /// - Parameter forced: columns that somebody gave a role, of prices or others: no other role takes them.
  init(_ columns: [SampleColumn], forced: [Role: Int] = [:]) {
    self.columns = columns
    relations = RowRelations(columns: columns)
    for role in Self.roles {
      if let column = forced[role] {
        candidates[role] = [(column, 1)]
        continue
      }
      let scored = columns.indices.compactMap { index -> (column: Int, name: Double)? in
        guard columns[index].hasNumbers, columns[index].numericShare >= 0.5, !forced.values.contains(index) else {
          return nil
        }
        // A place that is mostly empty is not where the venue writes it.
        let name =
          columns[index].nameScore(role) * (0.5 + 0.5 * columns[index].filledShare)
          - 0.01 * Double(columns[index].path.steps.count)
        return name > 0.04 ? (index, name) : nil
      }
      candidates[role] = Array(scored.sorted { $0.name > $1.name }.prefix(4))
    }
    preferLast()
    var best = (score: 0.0, roles: [Role: Int]())
    search(Self.roles[...], [:], 0, &best)
    chosen = best.roles
    if forced[.bid] == nil, forced[.ask] == nil { settleSides() }
    for (role, column) in forced where Self.roles.contains(role) { chosen[role] = column }
  }

  /// Beside a last price a close is that of another time, however well it fits.
  private mutating func preferLast() {
    guard let prices = candidates[.price] else { return }
    func isLast(_ column: Int) -> Bool { columns[column].leafName.has(.last) }
    guard prices.contains(where: { $0.name >= 0.9 && isLast($0.column) }) else { return }
    candidates[.price]?.removeAll { columns[$0.column].leafName.has(.close) && !isLast($0.column) }
  }

  /// What a venue calls `buy` may be the price at which one buys: the ask. Where it lies above `sell` in all rows, the
  /// two are taken the other way round.
  private mutating func settleSides() {
    guard let buy = candidates[.bid]?.first, let sell = candidates[.ask]?.first, buy.column != sell.column,
      columns[buy.column].leafName.has(.buy), columns[sell.column].leafName.has(.sell),
      !columns[buy.column].leafName.has(.bid), !columns[sell.column].leafName.has(.ask)
    else { return }
    let straight = relations.isAtMost(buy.column, sell.column)
    let reversed = relations.isAtMost(sell.column, buy.column)
    guard reversed.rows >= 3, reversed.share >= 0.95, straight.share < 0.5 else { return }
    chosen[.bid] = sell.column
    chosen[.ask] = buy.column
    candidates[.bid] = [(sell.column, 0.6)]
    candidates[.ask] = [(buy.column, 0.6)]
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
    constraint.kind == .atMost
      ? relations.isAtMost(first, second) : relations.areNear(first, second, factor: 2)
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
    var rows = 0
    for constraint in Self.constraints where constraint.first == role || constraint.second == role {
      guard let first = taken[constraint.first], let second = taken[constraint.second], first != second else {
        continue
      }
      let vote = measure(constraint, first, second)
      guard vote.rows > 0 else { continue }
      if role == .price, isStray(constraint, vote, beside: name.name) { continue }
      // In a thin market offers lie anywhere, yet nothing but a price is near a price in two rows of five.
      let isNear = constraint.kind == .near
      shares.append(isNear ? (vote.share >= 0.4 ? max(0.9, vote.share) : min(1, vote.share + 0.2)) : vote.share)
      rows = max(rows, vote.rows)
      evidence.append("\(constraint.text) in \(vote.text)")
    }
    return RoleFinding(
      role: role, column: column, confidence: confidence(name.name, shares, rows: rows), evidence: evidence)
  }

  /// Whether an offer that is far from the price speaks against itself rather than against a price with a better name.
  private func isStray(_ constraint: Constraint, _ vote: RowRelations.Vote, beside name: Double) -> Bool {
    guard constraint.kind == .near, [.bid, .ask].contains(constraint.first), vote.rows >= 10, vote.share < 0.4 else {
      return false
    }
    let offer = candidates[constraint.first]?.first { $0.column == chosen[constraint.first] }
    return name >= 0.95 && (offer?.name ?? 0) < name
  }

  /// A column that has the name of a role and was not taken for it, since it contradicts the others: the contradiction
  /// stays one.
  private func rejected(_ role: Role, beside taken: [Role: Int]) -> Int? {
    guard let best = candidates[role]?.first, best.name >= 0.8, !taken.values.contains(best.column) else { return nil }
    return best.column
  }

  private func confidence(_ name: Double, _ shares: [Double], rows: Int) -> Double {
    guard let worst = shares.min() else { return name * 0.9 }
    if worst >= 0.9 {
      let doubt = shares.count >= 2 ? (rows >= 3 ? 0.4 : 0.5) : 0.6
      return 1 - (1 - name) * doubt
    }
    return worst >= 0.7 ? name * 0.88 : name * 0.55
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
