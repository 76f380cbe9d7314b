/// What the numbers prove, whatever the names.
///
/// Columns that stay within a factor of each other are prices. A change between two of them, exact to the digit in
/// nearly all rows, proves the last price and the open. The column never below the others is the high, the one never
/// above them the low; two that never cross, with the last price between them, are bid and ask; two columns whose
/// quotient is always a price of the day are turnover and volume. If no relation is conclusive, it is a guess to ask
/// about, never to be accepted.
struct NumberProof {
  private(set) var findings: [Role: RoleFinding] = [:]
  /// The change that the rows prove.
  private(set) var equation: ChangeEquation?

  private let columns: [SampleColumn]
  private let relations: RowRelations
  /// The price columns without a role so far.
  private var rest: [Int] = []
  private let rowCount: Int

  /// The confidence in proved and likely findings.
  private static let proved = 0.9
  private static let likely = 0.8
  private static let guess = 0.45

  /// The minimum number of rows for a bound to be proved.
  private static let minimumRows = 8

  init(_ columns: [SampleColumn]) {
    self.columns = columns
    relations = RowRelations(columns: columns)
    rowCount = columns.first?.numbers.count ?? 0
    let prices = cluster()
    guard prices.count >= 3 else { return }
    rest = prices
    let others = columns.indices.filter { index in
      !prices.contains(index) && columns[index].hasNumbers && !columns[index].isTimeLike
    }
    equation =
      ChangeEquation(columns, prices: prices, changes: others, needsBothSigns: true)
      ?? ChangeEquation(columns, prices: prices, amounts: others)
    // The distance from an index or mark price is a premium.
    if let open = equation?.open, columns[open].wholeName.hasAny([.mark, .index]) { equation = nil }
    takeRange(prices)
    takeVolumes(others)
    takeSides()
    takeLast()
  }

  private mutating func take(_ role: Role, _ column: Int, _ confidence: Double, _ reason: String) {
    findings[role] = RoleFinding(role: role, column: column, confidence: confidence, evidence: [reason])
    rest.removeAll { $0 == column }
  }

  /// Returns the largest set of columns that stay close to each other.
  private func cluster() -> [Int] {
    let numeric = columns.indices.filter { index in
      columns[index].hasNumbers && columns[index].numericShare > 0.9 && columns[index].filledShare >= 0.5
        && !columns[index].isTimeLike
    }
    // Closeness is symmetric: each pair is compared once.
    var clusters = [[Int]](repeating: [], count: numeric.count)
    for (place, seed) in numeric.enumerated() {
      clusters[place].append(seed)
      for other in numeric.indices.dropFirst(place + 1) {
        let near = relations.areNear(seed, numeric[other], factor: 1.5)
        guard near.rows > 0, near.share >= 0.8 else { continue }
        clusters[place].append(numeric[other])
        clusters[other].append(seed)
      }
    }
    return clusters.reduce([]) { $1.count > $0.count ? $1 : $0 }
  }

  // MARK: Range

  private mutating func takeRange(_ prices: [Int]) {
    if let equation {
      let confidence = equation.vote.rows >= 5 ? 0.95 : equation.vote.rows >= 3 ? Self.likely : Self.guess
      take(.price, equation.price, confidence, equation.evidence)
      if !equation.isMoney { take(.change, equation.change, confidence, equation.evidence) }
      if let open = equation.open { take(.open, open, confidence, equation.evidence) }
    }
    guard prices.count >= 4 else { return }
    if let equation, let open = equation.open, rowCount >= Self.minimumRows {
      takeBounds(of: equation.price, open)
    } else {
      takeExtremes(prices)
    }
  }

  /// The range contains the last price and the open in every row; offers mostly contain the last price, but rarely the
  /// open. If a second column does so, one of them is a limit or an untaken offer: nothing is proved.
  private mutating func takeBounds(of price: Int, _ open: Int) {
    func holds(_ lower: Int, _ upper: Int) -> Bool { relations.isNeverAbove(lower, upper).share >= 0.99 }
    let uppers = rest.filter { holds(price, $0) && holds(open, $0) }
    let lowers = rest.filter { holds($0, price) && holds($0, open) }
    let isTelling = relations.areEqual(price, open).share < 0.5
    for (role, bounds) in [(Role.high, uppers), (.low, lowers)] {
      guard let bound = bounds.first else { continue }
      let isReached = relations.areEqual(bound, price).holds + relations.areEqual(bound, open).holds > 0
      let confidence = bounds.count == 1 && isReached && isTelling ? Self.proved : Self.guess
      take(role, bound, confidence, "never \(role == .high ? "below" : "above") the last price and the open")
    }
  }

  /// Without a change, the outermost columns are the range, or offers outside it.
  private mutating func takeExtremes(_ prices: [Int]) {
    let high = rest.first { column in prices.allSatisfy { relations.isAtMost($0, column).share >= 0.95 } }
    let low = rest.first { column in
      column != high && prices.allSatisfy { relations.isAtMost(column, $0).share >= 0.95 }
    }
    guard let high, let low else { return }
    take(.high, high, 0.6, "never below the other prices")
    take(.low, low, 0.6, "never above the other prices")
  }

  // MARK: Turnover and volume

  private mutating func takeVolumes(_ others: [Int]) {
    guard rowCount >= 3, let anchor = findings[.price]?.column ?? rest.first else { return }
    var found: [(volume: Int, turnover: Int, vote: RowRelations.Vote)] = []
    let amounts = others.filter { !columns[$0].hasNegatives && columns[$0].nameScore(.change) < 0.3 }
    for volume in amounts where !columns[volume].areFractions {
      for turnover in amounts where turnover != volume && !relations.areChange(turnover, share: volume, of: anchor) {
        let vote = averageVote(volume, turnover, anchor: anchor)
        if vote.rows >= 3, vote.share >= 0.95, vote.rows * 4 >= rowCount { found.append((volume, turnover, vote)) }
      }
    }
    guard let best = found.max(by: { $0.vote.holds < $1.vote.holds }) else { return }
    let rivals = found.filter { rival in
      !relations.areSame(rival.volume, best.volume) || !relations.areSame(rival.turnover, best.turnover)
    }
    let confidence = rivals.isEmpty ? (best.vote.rows >= 5 ? 0.85 : 0.7) : Self.guess
    let reason = "turnover / volume is a price of the day in \(best.vote.text)"
    take(.volume, best.volume, confidence, reason)
    take(.turnover, best.turnover, confidence, reason)
    // The average is a price as well, but not an offer.
    rest.removeAll { column in
      let vote = relations.vote([column, best.volume, best.turnover]) { _, numbers in
        guard numbers[0] > 0, numbers[1] > 0 else { return nil }
        return (numbers[2] / numbers[1] / numbers[0] - 1).magnitude < 0.001
      }
      return vote.rows >= 3 && vote.share > 0.8
    }
  }

  /// Counts rows whose average price is within the day's range if there is one, or close to the price, ignoring rows
  /// where swapping the two would work as well.
  private func averageVote(_ volume: Int, _ turnover: Int, anchor: Int) -> RowRelations.Vote {
    var vote = RowRelations.Vote()
    for row in columns[volume].numbers.indices.prefix(200) {
      guard let first = columns[volume].numbers[row], let second = columns[turnover].numbers[row],
        let price = columns[anchor].numbers[row], first > 0, second > 0, price > 0
      else { continue }
      var range = price * 0.93...price * 1.07
      if let high = findings[.high], let low = findings[.low], let top = columns[high.column].numbers[row],
        let bottom = columns[low.column].numbers[row], bottom > 0, top >= bottom
      {
        range = bottom * 0.97...top * 1.03
      }
      if range.contains(first / second) { continue }
      vote.count(range.contains(second / first))
      if vote.rows == 10, vote.holds < 8 { break }
    }
    return vote
  }

  // MARK: Offers and last price

  /// Takes two prices that never cross, if no other could be either.
  private mutating func takeSides() {
    var found: [(bid: Int, ask: Int)] = []
    for bid in rest {
      for ask in rest where ask != bid {
        let vote = relations.isNeverAbove(bid, ask)
        if vote.rows >= 2, vote.share >= 0.99, relations.areEqual(bid, ask).share < 0.5 { found.append((bid, ask)) }
      }
    }
    guard let sides = found.first else { return }
    let hasRange = findings[.high].map { $0.confidence >= Self.likely } ?? false
    let isProved = equation.map { rowCount >= Self.minimumRows && isBetween($0.price, sides) } ?? false
    let confidence = isProved && hasRange && rest.count == 2 ? Self.likely : Self.guess
    take(.bid, sides.bid, confidence, "never above a price that is near it")
    take(.ask, sides.ask, confidence, "never below a price that is near it")
  }

  /// Returns whether a last price matches two offers: it sometimes equals one, and is mostly not outside.
  private func isBetween(_ price: Int, _ sides: (bid: Int, ask: Int)) -> Bool {
    let atBid = relations.areEqual(price, sides.bid)
    let atAsk = relations.areEqual(price, sides.ask)
    return (atBid.holds + atAsk.holds) * 20 >= atBid.rows && atBid.share < 0.9 && atAsk.share < 0.9
      && relations.isAtMost(sides.bid, price).share >= 0.6 && relations.isAtMost(price, sides.ask).share >= 0.6
  }

  /// Without a change, the last price is a guess among the remaining columns.
  private mutating func takeLast() {
    guard findings[.price] == nil, let last = rest.first else { return }
    take(.price, last, Self.guess, "the only price left")
  }
}
