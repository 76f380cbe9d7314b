import Quotes

/// Distinguishes the volume in the asset from the turnover in the payment currency.
///
/// Names confuse the two freely, but turnover divided by volume must be a price of the day. If only one of them is
/// sent, the rows vote together: a volume in coins decreases with the price of the coin, a turnover does not.
struct VolumeRoles {
  private let columns: [SampleColumn]
  private let relations: RowRelations
  private let prices: [Role: Int]
  private var units: AmountUnits? { prices[.price].map { AmountUnits(relations, price: $0) } }
  private let groups: Groups
  /// Whether a column may be a number of contracts.
  private let isFutures: Bool
  /// If an exchange puts the payment currency first it sometimes calls it the base, so "base" is meaningless.
  private let paymentFirst: Bool
  private let candidates: [(column: Int, volume: Double, turnover: Double)]
  /// Columns whose names say nothing, or too little: the numbers may prove them beside a column with a name.
  private let nameless: [Int]

  /// Which rows are comparable.
  struct Groups {
    /// The payment currency of each row, numbered.
    let payments: [Int]
    /// The asset of each row, numbered.
    let assets: [Int]

    init(_ symbol: SymbolProposal?, rows: Int) {
      payments = symbol?.pairs.map { $0?.payment }.numbered ?? Array(repeating: 0, count: rows)
      assets = symbol?.pairs.map { $0?.asset }.numbered ?? Array(repeating: -1, count: rows)
    }
  }

  /// Why the prices may be in another unit, if the quotient of the two says so.
  private(set) var unitOfPrices: UnitDoubt?
  /// Why the prices may be what money costs in coins.
  private(set) var doubtOfPrices: String?
  private(set) var volume: RoleFinding?
  private(set) var turnover: RoleFinding?

  init(
    _ columns: [SampleColumn], prices: [Role: Int], taken: Set<Int>, groups: Groups, paymentFirst: Bool, isFutures: Bool
  ) {
    (self.columns, self.prices, self.groups) = (columns, prices, groups)
    (self.paymentFirst, self.isFutures) = (paymentFirst, isFutures)
    let taken = taken.union(prices.values)
    let relations = RowRelations(columns: columns)
    self.relations = relations
    /// Returns whether values are the size of a price in all rows, and so not an amount, whatever the name.
    func isPrice(_ index: Int) -> Bool {
      [Role.high, .low, .bid, .ask].contains { role in
        prices[role].map { relations.isPrice(index, beside: $0) } ?? false
      }
    }
    candidates = columns.indices.compactMap { index in
      let column = columns[index]
      guard !taken.contains(index), column.hasNumbers, column.numericShare >= 0.5, !column.hasNegatives,
        !column.path.isInInnerRow, !isPrice(index)
      else { return nil }
      let volume = column.nameScore(.volume)
      let turnover = column.nameScore(.turnover)
      return max(volume, turnover) >= 0.15 ? (index, volume, turnover) : nil
    }
    let named = Set(candidates.map(\.column))
    nameless = columns.indices.filter { index in
      let column = columns[index]
      guard !taken.contains(index), !named.contains(index), !column.isTimeLike, column.numericShare >= 0.9,
        column.filledShare >= 0.5, !column.hasNegatives, !column.areFractions, column.nameScore(.change) < 0.3,
        !column.isOfOtherSpan, !column.path.isInInnerRow
      else { return false }
      let near = prices[.price].map { relations.areNear(index, $0, factor: 1.5) }
      return !isPrice(index) && near.map { $0.rows < 3 || $0.share < 0.5 } ?? true
    }
    if decideByRatio() { return }
    takeLoneVolume()
    if turnover == nil { takeLoneTurnover() }
    if !isFutures, takeNameless() { return }
    if isFutures { doubtContracts() }
    guard let count = (volume ?? turnover)?.column else { return }
    if !isFutures { weighUnits(count) }
    weighContracts(count)
  }

  // MARK: Two columns

  private typealias Ratio = (volume: Int, turnover: Int, score: Double, vote: RowRelations.Vote)

  /// Returns the columns whose quotient is a price of the day in the most rows, scored by those and by their names.
  private func ratios() -> [Ratio] {
    var scores: [Ratio] = []
    for volume in candidates {
      for turnover in candidates where turnover.column != volume.column {
        let vote = ratioVote(volume: volume.column, turnover: turnover.column)
        let isPartial = !isFutures && partVote(volume: volume.column, turnover: turnover.column) != nil
        guard vote.rows > 0, vote.share >= 0.8 || isPartial else { continue }
        let name = volume.volume + turnover.turnover
        // A name of the other role counts against a column, but less so the more rows support it.
        let score = vote.share * min(3, 1 + Double(vote.rows) / 3) + name
        scores.append((volume.column, turnover.column, score, vote))
      }
    }
    // Names choose among equally good fits, but never one that fits fewer rows.
    return scores.filter { one in
      !scores.contains { $0.vote.rows * 2 >= one.vote.rows && $0.vote.share > one.vote.share + 0.05 }
    }
  }

  private mutating func decideByRatio() -> Bool {
    let scores = ratios()
    guard let best = scores.reversed().max(by: { $0.score < $1.score }),
      let first = candidates.first(where: { $0.column == best.volume }),
      let second = candidates.first(where: { $0.column == best.turnover })
    else { return false }
    let part = partVote(volume: best.volume, turnover: best.turnover)
    // An amount named after the currency that the pairs are paid in is of money.
    let namesMoney = second.turnover >= second.volume || columns[best.turnover].namesPayment == true
    let namesAgree = first.volume >= first.turnover && namesMoney
    let isAgainst = first.turnover + second.volume > first.volume + second.turnover
    let evidence =
      ["turnover / volume is a price of the day in \(best.vote.text)"]
      + (namesAgree ? ["its name"] : isAgainst ? ["against the names"] : [])
    let sure = best.vote.rows >= 3 ? 0.96 : best.vote.rows == 2 ? 0.9 : 0.85
    let isSure = namesAgree || best.vote.rows >= 3 && part == nil
    let confidence =
      (isSure ? sure : 0.6) * min(1, (part ?? best.vote).share + 0.1) * uniqueness(of: best, among: scores)
    volume = RoleFinding(
      role: .volume, column: best.volume, confidence: confidence, runnerUp: other(than: best.volume, \.volume),
      evidence: evidence)
    turnover = RoleFinding(
      role: .turnover, column: best.turnover, confidence: confidence, runnerUp: other(than: best.turnover, \.turnover),
      evidence: evidence)
    doubtRatio(best, isPartial: part != nil, namesSwapped: min(first.turnover, second.volume) >= 0.9)
    return true
  }

  /// Returns how certain a pair of columns is beside others that fit as well: 1 if there are none.
  private func uniqueness(of best: Ratio, among all: [Ratio]) -> Double {
    // Names with the window are unambiguous; others may be of another window than a rival's.
    let isWindowed = [best.volume, best.turnover].contains { columns[$0].saysWindow }
    let hasOthers = all.contains { other in
      let own = [other.volume, other.turnover]
      return !own.contains(best.volume) && !own.contains(best.turnover)
        && (other.score > best.score - 0.4 || own.contains { columns[$0].saysWindow })
    }
    if hasOthers, !isWindowed { return 0.7 }
    // Several equally good pairs of columns: windows not distinguished by names.
    let hasRivals = all.contains {
      $0.volume != best.volume && $0.turnover != best.volume && $0.score > best.score - 0.05
    }
    return hasRivals ? 0.8 : 1
  }

  /// Lowers the confidence in columns whose quotient is a price of the day for another reason than being amounts of it.
  private mutating func doubtRatio(_ ratio: Ratio, isPartial: Bool, namesSwapped: Bool) {
    if isPartial {
      let reason = "but in hardly any row paid in some other currency: all may be in one currency"
      turnover?.doubt(because: reason)
      // Contracts of some pairs may be of coins, and those of others of money.
      if isFutures { volume?.doubt(because: reason) }
    }
    if let reason = worthOfOneTrade(volume: ratio.volume, turnover: ratio.turnover) {
      volume?.doubt(because: reason)
      turnover?.doubt(because: reason)
    }
    if isFutures, let misfits = rowsApartByPower(ratio) {
      volume?.doubt(
        because: "but off by a power of ten in \(misfits.counted("row")): \(SizeUnit.mayBeContracts) of some pairs")
    }
    guard namesSwapped, !paymentFirst,
      slopes(of: ratio.volume).reduce(0.5, { $1.chanceOfCoins(prior: $0) }) < 0.5
    else { return }
    let (one, other) = (columns[ratio.volume].path.text, columns[ratio.turnover].path.text)
    doubtOfPrices =
      "'\(one)' / '\(other)', which by their names is a price, is 1 / it: it may be what money costs in coins"
  }

  /// Returns the number of rows whose quotient is a price of the day times a power of ten, as that of contracts is, if no
  /// row is off in another way; nil if there are none.
  private func rowsApartByPower(_ ratio: Ratio) -> Int? {
    var (apart, others) = (0, 0)
    _ = ratioVote(volume: ratio.volume, turnover: ratio.turnover) { row, holds, _, rate in
      guard !holds, let price = prices[.price].flatMap({ columns[$0].numbers[row] }) else { return }
      let power = AmountUnits.power(of: rate)
      let isApart = power != 1 && bounds(of: row)?.contains(rate / power * price) == true
      if isApart { apart += 1 } else { others += 1 }
    }
    return others == 0 && apart > 0 ? apart : nil
  }

  private func other(
    than taken: Int, _ score: KeyPath<(column: Int, volume: Double, turnover: Double), Double>
  ) -> RoleFinding.Other? {
    let rest = candidates.filter { $0.column != taken && $0[keyPath: score] > 0.09 }
    return rest.max { $0[keyPath: score] < $1[keyPath: score] }.map {
      .init(column: $0.column, confidence: min(0.6, $0[keyPath: score] * 0.6))
    }
  }

  /// Counts rows where turnover / volume is a price of the day, ignoring those where volume / turnover is as well.
  ///
  /// - Parameter count: called for each row with whether it holds, whether it is even ten times as far from a price of
  ///   the day, and the quotient as a multiple of the last price.
  private func ratioVote(
    volume: Int, turnover: Int,
    counting count: (_ row: Int, _ holds: Bool, _ isFar: Bool, _ rate: Double) -> Void = { _, _, _, _ in }
  ) -> RowRelations.Vote {
    relations.vote([volume, turnover]) { row, numbers in
      let (volume, turnover) = (numbers[0], numbers[1])
      guard volume > 0, turnover > 0, volume != turnover, let bounds = bounds(of: row) else { return nil }
      let holds = bounds.contains(turnover / volume)
      if holds, bounds.contains(volume / turnover) { return nil }
      let wide = bounds.lowerBound / 10...bounds.upperBound * 10
      let price = prices[.price].flatMap { columns[$0].numbers[row] } ?? 1
      count(row, holds, !wide.contains(turnover / volume), turnover / volume / price)
      return holds
    }
  }

  /// Finds the turnover of a volume, or the volume of a turnover, in a column whose name says nothing: their quotient is
  /// a price of the day in nearly all rows, for one column only.
  ///
  /// - Returns: whether there is one.
  private mutating func takeNameless() -> Bool {
    guard let known = volume ?? turnover, volume == nil || turnover == nil, !columns[known.column].areFractions,
      let price = prices[.price]
    else { return false }
    let isVolume = known.role == .volume
    let found = nameless.compactMap { other -> (column: Int, vote: RowRelations.Vote)? in
      let (volume, turnover) = isVolume ? (known.column, other) : (other, known.column)
      // Some call the price of all that was traded a price: `price`, `total_price`, `cost`.
      let near = relations.areNear(other, price, factor: 1.5)
      let isNoPrice = isVolume && near.rows >= 5 && near.share <= 0.2
      let role: Role = isVolume ? .turnover : .volume
      guard !RoleDecision.speaksAgainst(columns[other], role, ignoring: isNoPrice ? [.price] : []),
        partVote(volume: volume, turnover: turnover) == nil,
        worthOfOneTrade(volume: volume, turnover: turnover) == nil,
        !relations.areChange(turnover, share: volume, of: price)
      else { return nil }
      let vote = ratioVote(volume: volume, turnover: turnover)
      return vote.rows >= 5 && vote.share >= 0.95 && vote.rows * 4 >= columns[other].numbers.count
        ? (other, vote) : nil
    }
    guard let best = found.max(by: { $0.vote.holds < $1.vote.holds }),
      found.allSatisfy({ relations.areSame($0.column, best.column) })
    else { return false }
    let reason = "turnover / volume is a price of the day in \(best.vote.text)"
    let other = RoleFinding(
      role: isVolume ? .turnover : .volume, column: best.column, confidence: 0.85, evidence: [reason])
    var proved = known
    proved.evidence.removeAll { $0 == Self.foreign }
    proved.confidence = max(known.confidence, 0.9)
    proved.evidence.append(reason)
    (volume, turnover) = isVolume ? (proved, other) : (other, proved)
    return true
  }

  /// Returns the votes of the payment currencies whose pairs have a quotient that is a price of the day, if those of
  /// another payment currency hardly ever do: a turnover in one currency for all pairs. Nil if they all agree.
  private func partVote(volume: Int, turnover: Int) -> RowRelations.Vote? {
    var votes: [Int: RowRelations.Vote] = [:]
    var farRows: [Int: Int] = [:]
    var rates: [Int: [Double]] = [:]
    _ = ratioVote(volume: volume, turnover: turnover) { row, holds, isFar, rate in
      votes[groups.payments[row], default: .init()].count(holds)
      if isFar { farRows[groups.payments[row], default: 0] += 1 }
      rates[groups.payments[row], default: []].append(rate)
    }
    let known = votes.filter { $0.key >= 0 }
    // Few rows are enough if all are that far off, or all by the same rate.
    func isOfOneRate(_ payment: Int) -> Bool {
      guard let rates = rates[payment], let least = rates.min(), let most = rates.max() else { return false }
      return most <= least * 1.03
    }
    let isOtherMoney = known.contains { payment, vote in
      if vote.rows >= 4, vote.share <= 0.1 { return true }
      return vote.rows >= 2 && (farRows[payment] == vote.rows || vote.holds == 0 && isOfOneRate(payment))
    }
    guard isOtherMoney else { return nil }
    let holding = known.values.filter { $0.rows >= 4 && $0.share >= 0.9 }
    guard !holding.isEmpty else { return nil }
    return RowRelations.Vote(
      holds: holding.reduce(0) { $0 + $1.holds }, rows: holding.reduce(0) { $0 + $1.rows })
  }

  /// Returns the range of possible average prices of the row's day.
  private func bounds(of row: Int) -> ClosedRange<Double>? {
    func number(_ role: Role) -> Double? { prices[role].flatMap { columns[$0].numbers[row] } }
    guard let price = number(.price), price > 0 else { return nil }
    var range = price * 0.9...price * 1.1
    if let low = number(.low), let high = number(.high), low > 0, high >= low, low <= price * 1.5, high >= price / 1.5 {
      range = min(range.lowerBound, low * 0.97)...max(range.upperBound, high * 1.03)
    }
    return range
  }

  // MARK: One column

  private static let misfit = "a slope that fits neither, or an amount in one currency for all pairs"

  /// Takes the column whose name suggests the asset, as the turnover if its numbers say so.
  private mutating func takeLoneVolume() {
    let byVolume = candidates.filter { $0.volume >= 0.3 }.sorted { $0.volume > $1.volume }
    guard let best = byVolume.first else { return }
    let column = columns[best.column]
    // A name with the window is not that of another one's day.
    let isRival =
      byVolume.count > 1 && byVolume[1].volume >= best.volume - 0.03
      && !(column.saysWindow && !columns[byVolume[1].column].saysWindow)
    let slopes = slopes(of: best.column)
    let likely = slopes.reduce(prior(ofNamed: best.volume, column, isBare: slopes.isEmpty)) {
      $1.chanceOfCoins(prior: $0)
    }
    let isVolume = likely >= 0.35
    var limit = sayTooLittle(slopes, of: column) ? 0.74 : 1
    var evidence = ["its name"] + slopes.map(\.text)
    if column.mayBeOfOneTrade {
      limit = min(limit, 0.7)
      evidence.append("it may be the size of the last trade: nothing says that it is of a day")
    }
    if slopes.contains(where: { !$0.mayBe(coins: isVolume) }) {
      limit = 0.7
      evidence.append(Self.misfit)
    }
    guard isVolume else {
      turnover = RoleFinding(
        role: .turnover, column: best.column, confidence: (1 - max(1 - limit, likely)) * (isRival ? 0.75 : 0.95),
        evidence: evidence)
      return doubtCurrency(slopes)
    }
    volume = RoleFinding(
      role: .volume, column: best.column, confidence: min(limit, likely) * (isRival ? 0.75 : 1),
      runnerUp: other(than: best.column, \.volume), evidence: evidence)
  }

  /// Returns how likely a lone column counts coins by its name alone.
  ///
  /// - Parameter isBare: whether its numbers say nothing.
  private func prior(ofNamed score: Double, _ column: SampleColumn, isBare: Bool) -> Double {
    if score >= 0.9, !paymentFirst { return 0.86 }
    // Nine of ten lone volumes are in coins, and nearly all of those called vol; beside an amount they may be
    // the money.
    let lone = isBare && (!column.isShortened || candidates.count > 1) ? 0.85 : 1
    return min(score * lone, paymentFirst ? 0.6 : 1)
  }

  /// Returns whether few rows leave it open what a lone column counts: one in thirty lone volumes is a turnover.
  private func sayTooLittle(_ slopes: [PriceSlope], of column: SampleColumn) -> Bool {
    let rows = column.numbers.count
    guard slopes.isEmpty else {
      return rows <= 11 && slopes.reduce(0.5) { $1.chanceOfCoins(prior: $0) } < 0.85
    }
    let isVol = column.title.lowercased().hasPrefix("vol") && column.isShortened
    return rows <= (isVol ? 5 : 11)
  }

  /// Returns evidence that two amounts are the size and the worth of the last trade.
  private func worthOfOneTrade(volume: Int, turnover: Int) -> String? {
    prices[.price].flatMap { WorthProof.ofOneTrade(columns[$0], columns[volume], columns[turnover]) }
  }

  /// Takes the column whose name suggests money, beside a volume or alone.
  private mutating func takeLoneTurnover() {
    let rest = candidates.filter { $0.column != volume?.column && $0.turnover >= 0.5 }
    guard let best = rest.max(by: { $0.turnover < $1.turnover }) else { return }
    let slopes = slopes(of: best.column)
    let isMisfit = slopes.contains { !$0.mayBe(coins: false) }
    let likely = 1 - slopes.reduce(paymentFirst ? 0.5 : 0.14) { $1.chanceOfCoins(prior: $0) }
    let chance = min(isMisfit ? 0.7 : 1, likely)
    // If the two can be divided at all, the result was not a price.
    let isContradicted = volume.map { ratioVote(volume: $0.column, turnover: best.column).rows > 0 } ?? false
    turnover = RoleFinding(
      role: .turnover, column: best.column, confidence: min(best.turnover, chance) * (isContradicted ? 0.6 : 1),
      evidence: ["its name"] + slopes.map(\.text) + (isMisfit ? [Self.misfit] : [])
        + (isContradicted ? ["turnover / volume is not a price of the day"] : []))
    doubtCurrency(slopes)
    if isContradicted {
      volume?.confidence *= 0.7
      volume?.evidence.append("turnover / volume is not a price of the day")
    }
  }

  private static let foreign = "nothing shows in which currency"

  /// A lone money column may be in another currency: a sum in dollars or bitcoin is as flat against the price as one in
  /// the payment currency, except among pairs of the same asset.
  private mutating func doubtCurrency(_ slopes: [PriceSlope]) {
    guard !slopes.contains(where: { $0.common == .asset && $0.chanceOfCoins(prior: 0.5) < 0.1 }) else { return }
    turnover?.doubt(0.7, because: Self.foreign)
  }

  /// Returns the slopes over the rows of a payment currency, and over the payment currencies of an asset.
  private func slopes(of column: Int) -> [PriceSlope] {
    guard let prices = prices[.price].map({ columns[$0].numbers }) else { return [] }
    let volumes = columns[column].numbers
    return [
      PriceSlope(volumes: volumes, prices: prices, groups: groups.payments, .payment),
      PriceSlope(volumes: volumes, prices: prices, groups: groups.assets, .asset),
    ].compactMap(\.self)
  }
}

// Futures count contracts, whose size differs by pair: not everything that varies with the price is money.
extension VolumeRoles {
  /// For a lone column of futures, the slope distinguishes coins from money, but neither from contracts.
  private mutating func doubtContracts() {
    func isVague(_ found: RoleFinding?) -> Bool {
      found.map { columns[$0.column].nameScore($0.role) < 0.9 } ?? false
    }
    // Contracts are whole, and so may be the numbers of a column called the base volume.
    let isWhole = volume.map { columns[$0.column].isWhole && columns[$0.column].presentNumbers.count >= 5 } ?? false
    if isVague(volume) || isWhole { volume?.doubt(0.7, because: SizeUnit.mayBeContracts) }
    if isVague(turnover) { turnover?.doubt(0.7, because: SizeUnit.mayBeContracts) }
  }

  /// A second column that is the first, or price x the first, times a contract size shows that one of the two counts
  /// contracts. As the size is whatever makes them fit, neither is proved: a turnover also needs a matching name.
  ///
  /// For spot there are no contracts: one of the two is in thousands or millions, in another currency, such as dollars
  /// where bitcoin is the payment currency, or of another span.
  private mutating func weighContracts(_ count: Int) {
    for other in candidates where other.column != count {
      guard let size = units?.size(of: other.column, from: count) else { continue }
      let reason =
        "it or '\(columns[other.column].path.text)' \(isFutures ? "counts contracts" : "is in another unit")"
      if size == .money, isFutures, other.turnover >= 0.8 {
        turnover = RoleFinding(
          role: .turnover, column: other.column, confidence: other.turnover,
          evidence: ["its name", "price x '\(columns[count].path.text)' times the size of a contract"])
        volume = RoleFinding(role: .volume, column: count, confidence: 0.5, evidence: ["its name", reason])
      } else {
        volume?.doubt(because: reason)
        turnover?.doubt(because: reason)
      }
      return
    }
  }

  /// Doubts the unit of the prices if another column, whatever its name, is the price times an amount but for a power
  /// of ten.
  private mutating func weighUnits(_ count: Int) {
    let areContracts = columns.contains { $0.wholeName.hasAny([.interest, .funding, .mark]) }
    for other in columns.indices where other != count && !prices.values.contains(other) && !areContracts {
      guard units?.size(of: other, from: count) == .money, let unit = units?.unit(count, other) else { continue }
      let names = "'\(columns[count].path.text)' and '\(columns[other].path.text)'"
      unitOfPrices = UnitDoubt(reason: "with \(names) it looks like a number of \(unit)")
      return
    }
  }
}

extension SampleColumn {
  /// Whether it is not called a volume in full: `vol`, `v`, `amount`.
  fileprivate var isShortened: Bool { path.names.last?.lowercased().hasPrefix("volume") == false }
}
