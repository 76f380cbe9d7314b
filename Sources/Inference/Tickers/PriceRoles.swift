import Quotes

/// Finds the prices of a row: last, high, low, bid, ask, open.
///
/// Names propose, relations decide: of all assignments of columns to roles, it picks the one whose names fit best and
/// in which `low <= price <= high` and `bid <= ask` hold in the most rows.
struct PriceRoles {
  static let roles: [Role] = [.price, .high, .low, .bid, .ask, .open]

  private let columns: [SampleColumn]
  private let relations: RowRelations
  /// The chosen column of each role.
  private var chosen: [Role: Int] = [:]
  private var candidates: [Role: [(column: Int, name: Double)]] = [:]
  private var cache: [Constraint: [Pairing: RowRelations.Vote]] = [:]

  private struct Pairing: Hashable {
    let first: Int
    let second: Int
  }

  /// A relation that must hold between two roles.
  private struct Constraint: Hashable {
    enum Kind: Hashable { case atMost, near }

    let first: Role
    let second: Role
    let kind: Kind

    func isOf(_ role: Role) -> Bool { first == role || second == role }

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
  ///   - forced: columns with given roles, of prices or others, which no other role takes.
  ///   - provedPrice: the last price as proved by the numbers, for a table without a name for it.
  init(_ columns: [SampleColumn], forced: [Role: Int], provedPrice: Int?) {
    self.columns = columns
    relations = RowRelations(columns: columns)
    // The close of 24 hours ago would be an open; beside one of the same window it is the last price.
    let hasWindowedOpen = columns.contains { $0.leafName.has(.open) && $0.leafName.has(.rolling) && $0.hasNumbers }
    func score(_ role: Role, _ column: SampleColumn) -> Double {
      let isClose = role == .price && column.leafName.words.allSatisfy { [.close, .price, .rolling].contains($0) }
      return isClose && hasWindowedOpen && column.leafName.has(.close) ? 0.88 : column.nameScore(role)
    }
    /// Returns the score of a name that may be that of open interest or of the highest leverage: beside a price, its
    /// numbers say whether it is one.
    func numberScore(_ role: Role, _ index: Int) -> Double {
      let (column, score) = (columns[index], score(role, columns[index]))
      let mayBeOther =
        switch role {
        case .open: column.leafName.has(.open) && column.leafName.unknownCount > 0
        case .high, .low:
          score >= 0.3 && FieldLexicon.isOfSomething(column.partNames, having: [role == .high ? .high : .low])
            && !column.wholeName.has(.price)
        default: false
        }
      guard mayBeOther, let price = candidates[.price]?.first else { return score }
      return relations.areNear(index, price.column, factor: 2).share >= (role == .open ? 0.95 : 0.8) ? 0.87 : 0
    }
    for role in Self.roles {
      if let column = forced[role] {
        candidates[role] = [(column, 1)]
        continue
      }
      let scored = columns.indices.compactMap { index -> (column: Int, name: Double)? in
        guard columns[index].hasNumbers, columns[index].numericShare >= 0.5, !forced.values.contains(index),
          !columns[index].hasNegatives, role != .price || !isTime(index)
        else { return nil }
        // A mostly empty place is not where the exchange puts it.
        let name =
          numberScore(role, index) * (0.5 + 0.5 * columns[index].filledShare)
          - 0.01 * Double(columns[index].path.steps.count)
        return name > 0.04 ? (index, name) : nil
      }
      candidates[role] = Array(
        scored.filter { !isLimit($0.column, of: role, name: $0.name) }.sorted { $0.name > $1.name }.prefix(4))
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

  /// Returns whether a column is a time, whatever its name: `last` may be that of the last row. Other prices as large, or
  /// what was traded at it, say that it is a price in a currency of small value; so do moments before there were coins.
  private func isTime(_ column: Int) -> Bool {
    let texts = columns[column].presentTexts
    guard let form = TimeRole.form(of: texts) else { return false }
    if texts.contains(where: { TimeRole.moment($0, form)?.isBeforeCoins == true }) { return false }
    let hasPeer = columns.indices.contains { other in
      other != column && Self.roles.contains { columns[other].nameScore($0) >= 0.3 }
        && relations.areNear(column, other, factor: 2).share >= 0.95
    }
    return !hasPeer && !isQuotient(column)
  }

  /// Returns whether a column is about what one amount is worth by another in nearly all rows.
  private func isQuotient(_ column: Int) -> Bool {
    let amounts = columns.indices.filter { index in
      index != column && columns[index].hasNumbers
        && max(columns[index].nameScore(.volume), columns[index].nameScore(.turnover)) >= 0.15
    }
    return amounts.contains { size in
      amounts.contains { worth in
        let vote = relations.vote([size, worth, column]) { _, numbers in
          numbers.allSatisfy { $0 > 0 } ? (0.5...2).contains(numbers[1] / numbers[0] / numbers[2]) : nil
        }
        return vote.share >= 0.95
      }
    }
  }

  /// Returns whether a column with the name of a high or low is none of a day, and so no evidence against the price: it
  /// is nowhere near that, and a constant, or its name is rather that of an order's limit.
  private func isLimit(_ column: Int, of role: Role, name: Double) -> Bool {
    guard role == .high || role == .low, let price = candidates[.price]?.first, price.name >= 0.8 else { return false }
    let near = relations.areNear(column, price.column, factor: 2)
    guard near.rows > 0, near.share < 0.4 else { return false }
    return name < 0.45 || near.rows >= 3 && columns[column].isConstant
  }

  /// If there is a last price, a close is that of another time, however well it fits.
  private mutating func preferLast() {
    guard let prices = candidates[.price] else { return }
    func isLast(_ column: Int) -> Bool { columns[column].leafName.has(.last) }
    guard prices.contains(where: { $0.name >= 0.9 && isLast($0.column) }) else { return }
    candidates[.price]?.removeAll { columns[$0.column].leafName.has(.close) && !isLast($0.column) }
  }

  /// Swaps names that contradict all rows: what an exchange calls `buy` may be the price at which users buy, the ask.
  private mutating func settleOpposites(_ lower: Role, _ upper: Role) {
    guard let low = candidates[lower]?.first, let high = candidates[upper]?.first, low.column != high.column,
      low.name >= 0.8, high.name >= 0.8
    else { return }
    // Other columns with such names are the offers if they never cross; the best bid of a day is above the ask.
    if let one = chosen[lower], let other = chosen[upper], relations.isNeverAbove(one, other).share >= 0.95 { return }
    let straight = relations.isNeverAbove(low.column, high.column)
    let reversed = relations.isNeverAbove(high.column, low.column)
    guard reversed.rows >= 5, reversed.share >= 0.95, straight.share < 0.5 else { return }
    // A number of bids, or their sum, is no price at all.
    guard relations.areNear(low.column, high.column, factor: 1.5).share >= 0.8 else { return }
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
      // A column that contradicts everything else is worse than none.
      if gain > 0 { search(roles, next, score + gain, &best) }
    }
    // A field called last is the price, even if its numbers contradict all others.
    if role == .price, candidates[role]?.first.map({ $0.name > 0.8 }) == true { return }
    search(roles, taken, score, &best)
  }

  private mutating func agreement(of role: Role, in taken: [Role: Int]) -> Double {
    var sum = 0.0
    for constraint in Self.constraints where constraint.isOf(role) {
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
    // Offers are simultaneous and close together: only the last digits distinguish them.
    case .atMost where constraint.first == .bid: return relations.isNeverAbove(first, second)
    case .atMost:
      // Equal or nearly equal values would hide that the other rows contradict the constraint.
      let strict = relations.isBelow(first, second)
      return strict.rows >= 2 && strict.share < 0.5 ? strict : relations.isAtMost(first, second)
    }
  }

  // MARK: Confidence

  /// Returns the evidence for the column chosen for a role, or for another one in its place.
  func finding(_ role: Role, column: Int? = nil) -> RoleFinding? {
    guard let column = column ?? chosen[role], let name = candidates[role]?.first(where: { $0.column == column })
    else { return nil }
    var taken = chosen
    taken[role] = column
    var evidence = ["its name"]
    var checks: [Check] = []
    var strays: [Check] = []
    var rows = 0
    for constraint in Self.constraints where constraint.isOf(role) {
      guard let first = taken[constraint.first], let second = taken[constraint.second], first != second else {
        continue
      }
      let vote = measure(constraint, first, second)
      guard vote.rows > 0 else { continue }
      let reason = "\(constraint.text) in \(vote.text)"
      let (other, partner) = constraint.first == role ? (constraint.second, second) : (constraint.first, first)
      let doubt = "\(reason), where \(other.rawValue) is '\(columns[partner].path.text)'"
      if role == .price, isStray(constraint, vote, beside: name.name) {
        strays.append(Check(share: vote.share, doubt: doubt))
        continue
      }
      // In a thin market offers may be anywhere, but only a price is near a price in two rows of five.
      let isNear = constraint.kind == .near
      let share = isNear ? (vote.share >= 0.4 ? max(0.9, vote.share) : min(1, vote.share + 0.2)) : vote.share
      checks.append(Check(share: share, doubt: doubt))
      rows = max(rows, vote.rows)
      evidence.append(reason)
    }
    // If both offers are far from the price and nothing is near it, the price is the one that is off.
    if checks.isEmpty, strays.count > 1 { checks = strays }
    for (partner, vote) in contradictions(to: role, column, taken) {
      let reason = "against '\(columns[partner].path.text)' in \(vote.rows - vote.holds) of \(vote.rows)"
      checks.append(Check(share: vote.share, doubt: reason))
      evidence.append(reason)
    }
    // Without anything to compare with, an offer or bound is uncertain; a last price goes by its name.
    let confidence =
      checks.isEmpty
      ? name.name * (role == .price ? 0.9 : 0.74) : confidence(name.name, checks.map(\.share), rows: rows)
    var finding = RoleFinding(role: role, column: column, confidence: confidence, evidence: evidence)
    // Without a price there is no exchange, so the reader must know what is wrong with it.
    if role == .price, let worst = checks.min(by: { $0.share < $1.share }), worst.share < Self.contradiction {
      finding.admit(worst.doubt)
    }
    return finding
  }

  /// How well another column agrees with the one chosen for a role.
  private struct Check {
    let share: Double
    /// Which column contradicts it, if it does.
    let doubt: String
  }

  /// The share of agreeing rows below which a column contradicts another.
  private static let contradiction = 0.7

  /// Returns whether an offer far from the price is doubtful itself, as opposed to a price with a better name.
  private func isStray(_ constraint: Constraint, _ vote: RowRelations.Vote, beside name: Double) -> Bool {
    guard constraint.kind == .near, [.bid, .ask].contains(constraint.first), vote.rows >= 10, vote.share < 0.4 else {
      return false
    }
    let offer = candidates[constraint.first]?.first { $0.column == chosen[constraint.first] }
    return name >= 0.95 && (offer?.name ?? 0) < name
  }

  /// Returns columns named after a role but rejected for contradicting the others: they still count as contradictions.
  private func contradictions(
    to role: Role, _ column: Int, _ taken: [Role: Int]
  ) -> [(column: Int, vote: RowRelations.Vote)] {
    Self.constraints.filter { $0.isOf(role) }.compactMap { constraint in
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
    // If there are few rows, each one counts.
    return worst >= Self.contradiction ? name * (rows >= 10 ? 0.88 : 0.74) : name * 0.55
  }

  /// Returns the chosen column, with less confidence if another one is just as good.
  func decided(_ role: Role) -> RoleFinding? {
    guard var best = finding(role) else { return nil }
    var others: [RoleFinding] = []
    for candidate in candidates[role] ?? [] where candidate.column != best.column {
      if let taken = chosen.first(where: { $0.value == candidate.column }), taken.key != role { continue }
      if let other = finding(role, column: candidate.column) { others.append(other) }
    }
    guard let second = others.max(by: { $0.confidence < $1.confidence }) else { return best }
    best.runnerUp = .init(column: second.column, confidence: second.confidence)
    // A close may be that of another day: any other price that the rows agree with may be the last one.
    let name = columns[best.column].leafName
    let margin = role == .price && name.has(.close) && !name.has(.last) ? 0.25 : 0.04
    // A name with the window is not that of another one's day.
    let isOfWindow =
      [.high, .low].contains(role) && columns[best.column].saysWindow && !columns[second.column].saysWindow
    if !isOfWindow, !relations.areSame(best.column, second.column), second.confidence > best.confidence - margin {
      best.confidence *= 0.75
    }
    return best
  }
}
