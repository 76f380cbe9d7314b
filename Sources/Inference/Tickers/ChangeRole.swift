import Quotes

/// Finds the 24-hour change and determines whether it is a percentage or a fraction.
struct ChangeRole {
  /// The unit of a change.
  enum Kind: String, Sendable, CaseIterable {
    case percent, ratio
    /// An amount in the payment currency rather than a percentage.
    case absolute
    /// A percentage without its sign, which is elsewhere.
    case unsignedPercent = "unsigned percent"
    case unsignedRatio = "unsigned ratio"

    /// Returns the change of this kind for a price and an open.
    func value(price: Double, open: Double) -> Double {
      let ratio = (price - open) / open
      return switch self {
      case .percent: ratio * 100
      case .ratio: ratio
      case .absolute: price - open
      case .unsignedPercent: ratio.magnitude * 100
      case .unsignedRatio: ratio.magnitude
      }
    }

    /// Returns the open that a change of this kind implies.
    func open(price: Double, change: Double) -> Double? {
      switch self {
      case .percent: change > -100 ? price / (1 + change / 100) : nil
      case .ratio: change > -1 ? price / (1 + change) : nil
      case .absolute: price - change
      default: nil
      }
    }
  }

  /// The rows' verdict on a column.
  struct Verdict: Sendable {
    let kind: Kind
    let confidence: Double
    let evidence: String
    /// The open that decided, if any.
    var open: Int?
    /// Whether the rows decided, rather than the name.
    var isVoted = true
    /// Whether percent is as likely as ratio.
    var isUnitOpen = false
    /// Whether enough rows agree that the open is the open, whatever its name.
    var settlesOpen = false
    /// What the column is times the price by its open, if it is rather that than a change: 1, or 100.
    var priceRatio: Decimal?
  }

  private let columns: [SampleColumn]
  private let prices: [Role: Int]
  private let relations: RowRelations

  private(set) var finding: RoleFinding?
  private(set) var verdict: Verdict?
  /// The change that numbers speak for more, but whose name does not say 24 hours, as another's does.
  private(set) var ofAnotherSpan: (column: Int, open: Int?)?
  /// A column proved to be the change in money, and the evidence.
  private(set) var inMoney: (column: Int, evidence: String)?

  /// - Parameter only: the given change column whose unit is to be determined.
  init(_ columns: [SampleColumn], prices: [Role: Int], taken: Set<Int>, only: Int?) {
    (self.columns, self.prices) = (columns, prices)
    relations = RowRelations(columns: columns)
    guard prices[.price] != nil else { return }
    let free = columns.indices.filter { only == nil ? !taken.contains($0) : $0 == only }
    var found = free.compactMap { candidate($0, isGiven: only != nil) }
    inMoney = found.first { $0.verdict.kind == .absolute && $0.verdict.confidence >= RoleProposal.threshold }
      .map { ($0.finding.column, $0.verdict.evidence) }
    // Among equals, the better name: a signed rate before one whose sign is elsewhere.
    func rank(_ finding: RoleFinding) -> Double {
      finding.confidence + 0.02 * columns[finding.column].nameScore(.change)
    }
    found.sort { rank($0.finding) > rank($1.finding) }
    preferWindow(&found)
    guard var best = found.first, best.finding.confidence > 0 else { return }
    if found.count > 1, found[1].finding.confidence > 0 { compare(&best, with: found[1]) }
    (finding, verdict) = best
  }

  private typealias Candidate = (finding: RoleFinding, verdict: Verdict)

  /// Returns nil if a column is not a change of any kind.
  private func candidate(_ column: Int, isGiven: Bool) -> Candidate? {
    let name = isGiven ? 1 : columns[column].nameScore(.change)
    guard name > 0.04, columns[column].hasNumbers, columns[column].numericShare >= 0.5,
      !isPrice(column, isGiven: isGiven), let verdict = verdict(on: column)
    else { return nil }
    // `long_short_ratio`: a ratio of anything. A market does not only rise.
    if name < 0.3, !verdict.isVoted, columns[column].presentNumbers.count >= 3, !columns[column].hasNegatives {
      return nil
    }
    // Numbers that behave like a change make up for a vague name.
    let doubt = verdict.open != nil ? 0.3 : verdict.confidence >= 0.9 ? 0.5 : 0.7
    let limit: Double =
      switch verdict.kind {
      case .percent, .ratio: 1
      case .unsignedPercent, .unsignedRatio: 0.5
      case .absolute: 0
      }
    let finding = RoleFinding(
      role: .change, column: column, confidence: min(verdict.confidence, 1 - (1 - name) * doubt, limit),
      evidence: [verdict.evidence, "its name"])
    return (finding, verdict)
  }

  /// Lowers the confidence in the best column if the second one is as good.
  private func compare(_ best: inout Candidate, with second: Candidate) {
    best.finding.runnerUp = .init(column: second.finding.column, confidence: second.finding.confidence)
    // Two changes that no open distinguishes may be of two different days.
    let isOpen =
      best.verdict.open == nil && second.finding.confidence >= 0.5 && !columns[best.finding.column].saysWindow
    // Two columns with the same values in two scales do not conflict: either will do.
    let isClose =
      second.finding.confidence > best.finding.confidence - 0.03 && second.verdict.kind == best.verdict.kind
    let isSame = relations.areSame(best.finding.column, second.finding.column, in: 0.95)
    if isOpen || isClose, ofAnotherSpan == nil, !isSame { best.finding.confidence *= 0.75 }
  }

  /// Moves a sure change of 24 hours by its name before one whose name does not say so, however well its open fits: that
  /// may be the open of today.
  private mutating func preferWindow(_ found: inout [Candidate]) {
    func saysWindow(_ column: Int?) -> Bool { column.map { columns[$0].saysWindow } ?? false }
    guard let best = found.first, !saysWindow(best.finding.column), !saysWindow(best.verdict.open),
      let place = found.firstIndex(where: { other in
        other.finding.confidence >= RoleProposal.threshold && saysWindow(other.finding.column)
          && (best.verdict.open == nil || other.verdict.open != best.verdict.open)
          && !relations.areSame(best.finding.column, other.finding.column, in: 0.95)
      })
    else { return }
    ofAnotherSpan = (best.finding.column, best.verdict.open)
    found.insert(found.remove(at: place), at: 0)
  }

  /// Returns whether the values are as large as the price itself, which no real change is.
  private func isPrice(_ column: Int, isGiven: Bool) -> Bool {
    let others = [Role.high, .low, .bid, .ask].lazy.compactMap { prices[$0] }
    if let other = others.first, relations.isPrice(column, beside: other) { return true }
    guard !isGiven, let price = others.first ?? prices[.price] else { return false }
    // A single change may be as large as the price by chance, but its name then says so.
    let near = relations.areNear(column, price, factor: 1.5)
    return (1...2).contains(near.rows) && near.share == 1 && columns[column].nameScore(.change) < 0.5
  }

  /// Returns whether hardly any row rules a unit out: no price falls by all that it was, or rises by more than it is. One
  /// in many rows may be wrong.
  private func isPossible(_ kind: Kind, _ column: Int) -> Bool {
    guard let price = prices[.price] else { return true }
    let rows = bothKnown(columns[column].numbers, columns[price].numbers).filter { $1 > 0 }
    let wrong = rows.count { change, price in kind.open(price: price, change: change).map { $0 <= 0 } ?? true }
    return wrong * 100 < rows.count || rows.count >= 20 && wrong == 1 || wrong == 0
  }

  private func verdict(on column: Int) -> Verdict? {
    if let vote = voteByOpen(column) ?? voteByDifference(column) { return vote }
    let verdict =
      columns[column].isPercentText
      ? Verdict(kind: .percent, confidence: 0.95, evidence: "its values end with %", isVoted: false)
      : voteByRange(column) ?? guess(column)
    if let found = verdict, found.kind != .absolute, let unit = priceRatio(column) {
      return Verdict(
        kind: found.kind, confidence: min(found.confidence, 0.5), evidence: RoleProposal.nearOne(unit), isVoted: false,
        priceRatio: unit)
    }
    guard let found = verdict, found.confidence > 0.5,
      let doubt = doubt(of: column, isRatio: found.kind == .ratio, isVoted: found.isVoted)
    else {
      return verdict
    }
    return Verdict(
      kind: found.kind, confidence: 0.5, evidence: doubt, isVoted: false, isUnitOpen: found.isUnitOpen)
  }

  /// Returns what the values are times the price by its open, 1 or 100, if all of them are near that: read as changes, all
  /// pairs would have risen by about as much. Nil if the range of the day says that they have, or that this is no open.
  private func priceRatio(_ column: Int) -> Decimal? {
    let values = columns[column].presentNumbers.filter { $0 != 0 }
    guard values.count >= 3, !columns[column].texts.contains(where: { $0?.hasPrefix("+") == true }),
      let unit = [1.0, 100].first(where: { unit in values.allSatisfy { (0.8 * unit...1.25 * unit).contains($0) } }),
      unit == 100 || !columns[column].isPercentText
    else { return nil }
    // As percentages, or fractions, all prices would have doubled.
    let doubled: Kind = unit == 1 ? .ratio : .percent
    if let ratios = shareInRange(column, { $0 * unit / $1 }), let changes = shareInRange(column, doubled.open),
      ratios < 0.85 || changes >= 0.85
    {
      return nil
    }
    return unit == 1 ? 1 : 100
  }

  /// Returns the share of rows in which an open is between low and high; nil without rows that have both.
  private func shareInRange(_ column: Int, _ open: (_ price: Double, _ value: Double) -> Double?) -> Double? {
    guard let price = prices[.price], let high = prices[.high], let low = prices[.low] else { return nil }
    let vote = relations.vote([column, price, low, high]) { _, numbers in
      guard numbers[0] > 0, numbers[2] > 0, numbers[2] <= numbers[3], let open = open(numbers[1], numbers[0]) else {
        return nil
      }
      return (numbers[2] * 0.99...numbers[3] * 1.01).contains(open)
    }
    return vote.rows > 0 ? vote.share : nil
  }

  // MARK: Unsigned values

  /// Returns evidence that the values are not signed changes, if no open proves that they are.
  ///
  /// - Parameter isVoted: whether the range of the day confirms them.
  private func doubt(of column: Int, isRatio: Bool, isVoted: Bool) -> String? {
    let values = columns[column].presentNumbers.filter { $0 != 0 }
    let hasPlus = columns[column].texts.contains { $0?.hasPrefix("+") == true }
    guard !values.isEmpty, values.allSatisfy({ $0 > 0 }), !hasPlus else { return nil }
    if !columns[column].isPercentText, values.count >= 3, values.allSatisfy({ (0.8...1.25).contains($0) }) {
      return RoleProposal.nearOne(1)
    }
    if let signs = columns.first(where: \.namesDirections) {
      return "no value is below zero, and '\(signs.path.text)' gives the direction"
    }
    let (rises, falls) = signs(of: column, isRatio: isRatio)
    if falls > 0 {
      return "no value is below zero, but in \(falls.counted("row")) only a fall fits between low and high"
    }
    // Coins rise and fall together, but not all of so many; fewer say so where nothing else confirms the sign.
    return values.count >= 20 || values.count >= 8 && !isVoted && rises < 3
      ? "none of \(values.count) values is below zero: does another column have the sign?" : nil
  }

  /// Counts the rows whose open was between low and high only if the price has risen, and only if it has fallen.
  private func signs(of column: Int, isRatio: Bool) -> (rises: Int, falls: Int) {
    guard let price = prices[.price], let high = prices[.high], let low = prices[.low] else { return (0, 0) }
    let kind = isRatio ? Kind.ratio : .percent
    let vote = relations.vote([column, price, low, high]) { _, numbers in
      guard numbers[2] > 0, numbers[2] <= numbers[3] else { return nil }
      let range = numbers[2] * 0.99...numbers[3] * 1.01
      func fits(_ change: Double) -> Bool {
        kind.open(price: numbers[1], change: change).map(range.contains) ?? false
      }
      let rises = fits(numbers[0].magnitude)
      return range.contains(numbers[1]) && rises != fits(-numbers[0].magnitude) ? rises : nil
    }
    return (vote.holds, vote.rows - vote.holds)
  }

  // MARK: With an open

  /// Returns in how many of the telling rows the column is the change from an open to the price.
  func agreement(of column: Int, isRatio: Bool, from open: Int) -> RowRelations.Vote {
    vote(on: column, isRatio: isRatio, from: open) { distance, change, unit in
      distance <= max(isRatio ? 0.001 : 0.1, change * 0.02) + unit / 2
    }
  }

  /// Counts the rows in which a column is the change from an open to the price, as precisely as it is written, among
  /// those whose change is far above that precision.
  func telling(of column: Int, isRatio: Bool, from open: Int) -> RowRelations.Vote {
    vote(on: column, isRatio: isRatio, from: open) { distance, change, unit in
      let room = unit + change * 0.005
      return change >= room * 5 ? distance <= room : nil
    }
  }

  /// - Parameter holds: whether a column is the change, given its distance from the change from the open to the price,
  ///   the size of that, and the unit of its last digit.
  private func vote(
    on column: Int, isRatio: Bool, from open: Int,
    _ holds: (_ distance: Double, _ change: Double, _ unit: Double) -> Bool?
  ) -> RowRelations.Vote {
    guard let price = prices[.price] else { return RowRelations.Vote() }
    let kind = isRatio ? Kind.ratio : .percent
    return relations.vote([column, price, open]) { row, numbers in
      guard numbers[1] > 0, numbers[2] > 0 else { return nil }
      let change = kind.value(price: numbers[1], open: numbers[2])
      return holds((numbers[0] - change).magnitude, change.magnitude, columns[column].lastDigit(row))
    }
  }

  /// Columns that may be the open: the chosen one and others with such a name.
  private var opens: [Int] {
    let taken = Set(prices.filter { $0.key != .open }.values)
    let named = columns.indices.filter {
      !taken.contains($0) && columns[$0].hasNumbers && columns[$0].nameScore(.open) >= 0.3
    }
    return named.sorted { columns[$0].nameScore(.open) > columns[$1].nameScore(.open) }
  }

  private func voteByOpen(_ column: Int) -> Verdict? {
    for open in opens where open != column {
      let opens = columns[open].numbers
      let name = "'\(columns[open].path.text)'"
      if let verdict = vote(column, opens: opens, against: name, open: open) { return verdict }
    }
    return nil
  }

  /// If the change is also given as an amount, price minus that is the open.
  private func voteByDifference(_ column: Int) -> Verdict? {
    guard let price = prices[.price] else { return nil }
    for other in columns.indices where other != column && columns[other].nameScore(.change) >= 0.3 {
      guard columns[other].hasNumbers, !columns[other].leafName.hasAny([.percent, .ratio]) else { continue }
      let opens = zip(columns[price].numbers, columns[other].numbers).map { price, change -> Double? in
        guard let price, let change, price - change > 0 else { return nil }
        return price - change
      }
      let text = "the price less '\(columns[other].path.text)'"
      if let verdict = vote(column, opens: opens, against: text, open: nil), verdict.kind != .absolute {
        return verdict
      }
    }
    return nil
  }

  private func vote(_ column: Int, opens: [Double?], against text: String, open: Int?) -> Verdict? {
    guard let price = prices[.price] else { return nil }
    var votes: [Kind: Int] = [:]
    var rows = 0
    for row in columns[column].numbers.indices {
      guard let change = columns[column].numbers[row], let price = columns[price].numbers[row], let open = opens[row],
        price > 0, open > 0, price != open
      else { continue }
      let halfUnit = columns[column].lastDigit(row) / 2
      var isTelling = false
      let fitting = Kind.allCases.filter { kind in
        let expected = kind.value(price: price, open: open)
        // A tolerance of 0.05 points, in the unit of the kind.
        let floor = kind == .percent || kind == .unsignedPercent ? 0.05 : kind == .absolute ? 0 : 0.0005
        let room = max(floor, expected.magnitude * 0.02) + halfUnit
        let fits = (change - expected).magnitude <= room
        if fits, expected.magnitude >= room * 3 { isTelling = true }
        return fits
      }
      // Where next to nothing is expected, anything small fits.
      if !fitting.isEmpty, !isTelling { continue }
      // What fits everything proves nothing.
      let signed = fitting.filter { [.percent, .ratio, .absolute].contains($0) }
      if signed.count > 1 || (signed.isEmpty && fitting.count > 1) { continue }
      rows += 1
      for kind in fitting { votes[kind, default: 0] += 1 }
    }
    guard let count = votes.values.max(), let kind = Kind.allCases.first(where: { votes[$0] == count }) else {
      return nil
    }
    let share = Double(count) / Double(rows)
    guard share >= 0.7 else { return nil }
    let sure = rows >= 3 ? 0.98 : 0.92
    return Verdict(
      kind: kind, confidence: share >= 0.9 ? sure : 0.8,
      evidence:
        "\(kind == .absolute ? "price - open" : "\(kind.rawValue) of (price - open) / open") in \(count) of \(rows.counted("row")), "
        + "open is \(text)", open: open, settlesOpen: open != nil && (rows >= 5 && share >= 0.9 || isNamedOpen(open)))
  }

  private func isNamedOpen(_ column: Int?) -> Bool { column.map { columns[$0].nameScore(.open) >= 0.8 } ?? false }

  // MARK: Without an open

  /// The open was between low and high. Of the kinds consistent with that in nearly all rows, the right one moves the
  /// price most: a fraction read as a percentage hardly moves it and fits anything.
  ///
  /// If the names say that the change is of another day than the range, its open may have been anywhere.
  private func voteByRange(_ column: Int) -> Verdict? {
    guard let price = prices[.price], let high = prices[.high], let low = prices[.low] else { return nil }
    let span = columns[column].namedBasis
    if let span, [high, low].contains(where: { columns[$0].namedBasis.map { $0 != span } ?? false }) { return nil }
    var fits: [Kind: Int] = [:]
    var moves: [Kind: [Double]] = [:]
    var rows = 0
    let kinds = [Kind.percent, .ratio, .absolute].filter { isPossible($0, column) }
    for row in columns[column].numbers.indices {
      guard let change = columns[column].numbers[row], change != 0, let price = columns[price].numbers[row],
        let high = columns[high].numbers[row], let low = columns[low].numbers[row], low > 0, high > low,
        price >= low * 0.995, price <= high * 1.005
      else { continue }
      rows += 1
      for kind in kinds {
        let open = kind.open(price: price, change: change)
        moves[kind, default: []].append(open.map { (price / $0 - 1).magnitude } ?? 1)
        if let open, open >= low * 0.99, open <= high * 1.01 { fits[kind, default: 0] += 1 }
      }
    }
    guard rows > 0 else { return nil }
    let able = kinds.filter { Double(fits[$0] ?? 0) >= 0.85 * Double(rows) }
    func median(_ kind: Kind) -> Double { moves[kind]?.median ?? 0 }
    guard let best = able.max(by: { median($0) < median($1) }) else { return ofAnotherDay(column, fits, rows) }
    let second = able.filter { $0 != best }.map(median).max() ?? 0
    let isClear = median(best) > 5 * second
    // Moves below half a percent fit in any unit.
    let tells = median(best) > 0.003
    // If there are few rows, each one counts.
    let isDenied = rows < 10 && (fits[best] ?? 0) < rows
    // One row or two prove no more than they exclude: a change that is beyond the range in any other unit is money.
    let isMoney = able == [.absolute] && !columns[column].leafName.hasAny([.percent, .ratio])
    let isExcluding = isMoney || best == .percent && !able.contains(.ratio)
    guard rows >= 3 || isExcluding && isClear && tells else { return nil }
    let isPercent = best == .percent && isExcluding && columns[column].leafName.has(.percent)
    let sure = rows >= 5 ? 0.92 : rows >= 3 || isMoney || isPercent ? 0.8 : 0.6
    let confidence = isClear && tells && !isDenied ? sure : 0.5
    return Verdict(
      kind: best, confidence: confidence,
      evidence: "as \(best.rawValue) the open lies between low and high in "
        + RowRelations.Vote(holds: fits[best] ?? 0, rows: rows).text + (rows >= 3 ? ", and moves most" : ""),
      isVoted: confidence >= 0.8)
  }

  /// Returns the remark on a change whose open is outside the range too often although all are of 24 hours; nil if they
  /// may be of different days.
  private func ofAnotherDay(_ column: Int, _ fits: [Kind: Int], _ rows: Int) -> Verdict? {
    guard rows >= 3, ([column] + [Role.high, .low].compactMap { prices[$0] }).allSatisfy({ columns[$0].saysWindow })
    else { return nil }
    let best: Kind = (fits[.ratio] ?? 0) > (fits[.percent] ?? 0) ? .ratio : .percent
    return Verdict(
      kind: best, confidence: 0.5,
      evidence: "as \(best.rawValue) the open lies between low and high in \(fits[best] ?? 0) of \(rows) rows",
      isVoted: false)
  }

  /// The half of a market's daily moves, in percent, beyond which they rather count something smaller, such as per mille.
  private static let largestMedian = 12.0

  /// The half of a market's daily moves, in percent, below which they are rather fractions.
  private static let smallestMedian = 0.1

  /// Guesses from size alone: half of a market moves by less than a tenth in a day, and by more than a thousandth. A few
  /// pairs may rest.
  private func guess(_ column: Int) -> Verdict? {
    let sizes = columns[column].numbers.compactMap { $0?.magnitude }.filter { $0 > 0 }
    let isNamed = columns[column].leafName.hasAny([.percent, .ratio, .rate])
    guard let median = sizes.median else {
      return isNamed ? Verdict(kind: .percent, confidence: 0.4, evidence: "every row has 0", isVoted: false) : nil
    }
    guard isPossible(.percent, column) else {
      return Verdict(
        kind: .percent, confidence: 0.4, evidence: "in percent, a price would have fallen by 100 % or more",
        isVoted: false)
    }
    if sizes.count >= 5, median > Self.largestMedian {
      return Verdict(
        kind: .percent, confidence: isNamed ? 0.55 : 0.4,
        evidence:
          "half of the \(sizes.count) rows are above \(Self.largestMedian.text(digits: 2)), more than a market moves "
          + "in percent: it may count per mille", isVoted: false)
    }
    if sizes.count >= 5, median > 0.3, isNamed {
      return Verdict(
        kind: .percent, confidence: 0.86, evidence: "half of the \(sizes.count) rows are above 0.3", isVoted: false)
    }
    if !isPossible(.ratio, column) {
      // Some exchanges count hundredths of a percent, but none calls those a percentage.
      let isPercent = columns[column].leafName.has(.percent) || isNamed && sizes.count >= 5
      return Verdict(
        kind: .percent, confidence: isPercent ? 0.86 : 0.4,
        evidence: "as a fraction, a price would have fallen by 100 % or more", isVoted: false)
    }
    let isRatio = median < (sizes.count >= 5 ? Self.smallestMedian : Self.smallestMedian / 4)
    let isPercent = median > Self.largestMedian / 100
    return Verdict(
      kind: isRatio ? .ratio : .percent, confidence: isNamed ? 0.55 : 0.4,
      evidence: "neither an open nor a range tells percent from ratio", isVoted: false,
      isUnitOpen: !isRatio && !isPercent)
  }
}
