import Config
import Quotes

/// Finds the fields of a table in the rows of messages: by the table's own paths, by names, and by the table's numbers
/// of the same pairs.
struct StreamFields {
  private let columns: [SampleColumn]
  /// By row; nil for a row of an unknown pair.
  private let known: [StreamInference.KnownRow?]
  private let tablePaths: [Role: String]

  init(_ table: StreamInference.RowTable, _ known: [StreamInference.KnownRow?], _ tablePaths: [Role: String]) {
    columns = table.inner.filter(\.hasNumbers)
    (self.known, self.tablePaths) = (known, tablePaths)
  }

  /// The relation of a column to the table's numbers.
  private struct Fit {
    let column: Int
    /// The distance of the median of column / table from 1.
    let distance: Double
    /// In how many rows the number equals the table's.
    let equal: RowRelations.Vote
    var scale: Decimal?
  }

  private struct Choice {
    let fit: Fit
    var confidence: Double
    var evidence: [String]
    var isInherited = false
    /// Whether only a letter and a near number speak for it.
    var isByLetter = false
  }

  private static let roles = Role.allCases.filter { $0 != .time }

  /// A field for each one in the table; without a path if no member has its number.
  var all: [StreamProposal.Field] {
    let roles = Self.roles.filter { role in known.contains { $0?.numbers[role] != nil } }
    var fits = Dictionary(uniqueKeysWithValues: roles.map { ($0, self.fits($0)) })
    var choices: [Role: Choice] = [:]
    // A member at the same path as in the table is the same field.
    for role in roles {
      guard let path = tablePaths[role], let fit = fits[role]?.first(where: { columns[$0.column].path.text == path })
      else { continue }
      choices[role] = Choice(
        fit: fit, confidence: 0.97, evidence: ["where the table has it", text(fit)], isInherited: true)
    }
    let taken = Set(choices.values.map(\.fit.column))
    for role in roles where choices[role] == nil { fits[role]?.removeAll { taken.contains($0.column) } }
    if choices[.bid] == nil, choices[.ask] == nil {
      choices.merge(exactOffers(fits[.bid] ?? [], fits[.ask] ?? [])) { $1 }
    }
    for role in roles where choices[role] == nil { choices[role] = choice(role, fits[role] ?? []) }
    // A column has only one role: if two fields want it, only the better one is certain.
    let proposed = choices
    for (role, choice) in proposed where !choice.isInherited {
      let rivals = proposed.filter { $0.key != role && $0.value.fit.column == choice.fit.column }
      if rivals.contains(where: { $0.value.confidence >= choice.confidence }) {
        choices[role]?.confidence = min(choice.confidence, 0.4)
      }
    }
    orderOffers(&choices)
    for (role, other) in [(Role.bid, Role.ask), (.ask, .bid)] where roles.contains(other) {
      doubtOffer(&choices, role, beside: other, fits[other] ?? [])
    }
    return roles.map { field($0, choices[$0]) }
  }

  /// The roles whose numbers are of a day: what else a connection sends about a pair has other ones.
  static let dayRoles: [Role] = [.open, .high, .low, .volume, .turnover]

  /// Returns the fields of the rows like the table's, and whether each row is one of them: a connection may send trades
  /// and candles of the same pairs at the same place, whose prices are the table's too.
  ///
  /// - Parameter known: by row; nil for a row of an unknown pair.
  static func ofTickers(
    _ table: StreamInference.RowTable, _ known: [StreamInference.KnownRow?], _ tablePaths: [Role: String]
  ) throws(SampleProblem) -> (fields: [StreamProposal.Field], isSaid: [Bool]) {
    let whole = StreamFields(table, known, tablePaths)
    var (fields, rows) = (whole.all, known)
    // Among many rows of another kind, those with the table's own numbers may be few.
    let own = zip(known, whole.areOfDay).map { $1 ? $0 : nil }
    if own.contains(where: { $0 != nil }) {
      let found = StreamFields(table, own, tablePaths).all
      if found.count(where: \.isSure) > fields.count(where: \.isSure) { fields = found }
    }
    let others = whole.contradict(fields)
    if others.contains(true) {
      rows = zip(known, others).map { $1 ? nil : $0 }
      fields = StreamFields(table, rows, tablePaths).all
    }
    if whole.lookLikeCandles(beside: fields) {
      throw .noStream(
        "the rows have a high and a low that are not the table's; if they are candles, give them with --stream-sample "
          + "candles=FILE")
    }
    return (fields, zip(rows, whole.saying(fields)).map { $0 != nil && $1 })
  }

  /// Returns whether the rows have nothing of the table's day, but a high and a low of their own.
  private func lookLikeCandles(beside fields: [StreamProposal.Field]) -> Bool {
    if fields.contains(where: { $0.isSure && Self.dayRoles.contains($0.role) }) { return false }
    return [Role.high, .low].allSatisfy { role in
      columns.contains { column in
        guard column.path.text == tablePaths[role] || column.nameScore(role) >= 0.5 else { return false }
        var vote = RowRelations.Vote()
        for (number, row) in zip(column.numbers, known) {
          guard let number, let row, let isOfDay = isOfDay(role, number, row) else { continue }
          vote.count(isOfDay)
        }
        return vote.rows > 0 && vote.share < 0.5
      }
    }
  }

  /// Returns, by row, whether it has two of the table's numbers of a day: by chance it has one of them, as a candle that
  /// makes a new high.
  private var areOfDay: [Bool] {
    known.indices.map { index in
      guard let row = known[index] else { return false }
      let numbers = columns.compactMap { $0.numbers[index] }
      let wanted = Self.dayRoles.compactMap { role in row.numbers[role].map { (role, $0) } }.filter { $0.1 > 0 }
      let found = wanted.filter { role, table in
        let slack = [.volume, .turnover].contains(role) ? 0.01 : 1e-9
        return numbers.contains { abs($0 - table) <= table * slack }
      }
      return wanted.count >= 2 && found.count >= 2
    }
  }

  /// Returns, by row, whether most of its numbers for the sure fields of a day are not the table's.
  private func contradict(_ fields: [StreamProposal.Field]) -> [Bool] {
    let sure = fields.filter { $0.isSure && Self.dayRoles.contains($0.role) }.compactMap { field in
      columns.first { $0.path.text == field.path }.map { (role: field.role, numbers: $0.numbers) }
    }
    return known.indices.map { index in
      guard let row = known[index] else { return false }
      let verdicts = sure.compactMap { field in
        field.numbers[index].flatMap { isOfDay(field.role, $0, row) }
      }
      return verdicts.count { !$0 } > verdicts.count { $0 }
    }
  }

  /// Returns whether a number is that of the table for a day; nil if that cannot be told.
  private func isOfDay(_ role: Role, _ number: Double, _ row: StreamInference.KnownRow) -> Bool? {
    guard let table = row.numbers[role], table > 0 else { return nil }
    let distance = abs(number - table)
    // An amount of a day hardly changes within seconds.
    if [.volume, .turnover].contains(role) { return (0.5...2).contains(number / table) }
    if distance <= table * 1e-9 { return true }
    // The open, high and low of a candle are near the price, wherever those of the day are.
    guard let price = row.numbers[.price], abs(table - price) > table * 0.001 else { return nil }
    return distance * 4 <= abs(table - price)
  }

  /// Returns, by row, whether it has any of these fields.
  func saying(_ fields: [StreamProposal.Field]) -> [Bool] {
    let paths = Set(fields.map(\.path))
    let own = columns.filter { paths.contains($0.path.text) }
    return known.indices.map { row in own.contains { $0.numbers[row] != nil } }
  }

  private func field(_ role: Role, _ choice: Choice?) -> StreamProposal.Field {
    guard let choice else {
      return StreamProposal.Field(
        role: role, path: "", example: "", confidence: 0, evidence: ["no member has the table's number"],
        isInherited: false)
    }
    let column = columns[choice.fit.column]
    return StreamProposal.Field(
      role: role, path: column.path.text, example: column.example ?? "", confidence: choice.confidence,
      evidence: choice.evidence, isInherited: choice.isInherited, scale: choice.fit.scale)
  }

  // MARK: Numbers

  private func fits(_ role: Role) -> [Fit] {
    columns.indices.flatMap { column in
      (role == .change ? [nil, 100] : [nil]).compactMap { fit(role, column, $0) }
    }
  }

  /// Returns nil if the numbers differ.
  private func fit(_ role: Role, _ column: Int, _ scale: Decimal?) -> Fit? {
    var ratios: [Double] = []
    var equal = RowRelations.Vote()
    let factor = scale == nil ? 1.0 : 100
    var day = RowRelations.Vote()
    for (number, row) in zip(columns[column].numbers, known) {
      guard let number = number.map({ $0 * factor }), let row, let table = row.numbers[role], table != 0 else {
        continue
      }
      if let isOfDay = isOfDay(role, number, row) { day.count(isOfDay) }
      if role == .change {
        // Near zero any two numbers are similar.
        guard table.magnitude >= 0.1 else { continue }
        ratios.append(abs(number - table) <= max(0.1, table.magnitude * 0.1) ? 1 + abs(number - table) / 100 : 9)
      } else {
        ratios.append(number / table)
      }
      equal.count(abs(number - table) <= table.magnitude * 1e-9)
    }
    guard let median = ratios.median else { return nil }
    let distance = abs(median - 1)
    guard distance <= ([.volume, .turnover].contains(role) ? 0.1 : 0.02) else { return nil }
    guard !Self.dayRoles.contains(role) || day.share >= 0.5 else { return nil }
    return Fit(column: column, distance: distance, equal: equal, scale: scale)
  }

  // MARK: Choices

  private func choice(_ role: Role, _ fits: [Fit]) -> Choice? {
    let allowed = fits.filter { !NameLikeness.denies(columns[$0.column].title, role.field) }
    let named = allowed.map { (fit: $0, score: columns[$0.column].nameScore(role)) }.sorted { $0.score > $1.score }
    guard let best = named.first else { return nil }
    let second = named.dropFirst().first?.score ?? 0
    let exact = exact(role, allowed) ?? exactPrice(role, allowed)
    // What another member has to the last digit is not in one that is only near.
    let isOutdone = exact.map { $0.fit.column != best.fit.column && best.fit.equal.holds == 0 } ?? false
    if best.score >= 0.8, best.score > second + 0.05, !isOutdone {
      return Choice(fit: best.fit, confidence: 0.9, evidence: ["its name", text(best.fit)])
    }
    if let exact { return exact }
    let isAmount = role == .volume || role == .turnover
    if isAmount, allowed.count == 1, best.fit.distance <= 0.005, hasDistinctAmounts {
      return Choice(fit: best.fit, confidence: 0.8, evidence: ["the only member", text(best.fit)])
    }
    // A single letter suggests a meaning, the closeness of the number confirms it.
    if best.score >= 0.5, best.score > second, best.fit.distance <= 0.002, role != .change {
      return Choice(fit: best.fit, confidence: 0.8, evidence: ["its letter", text(best.fit)], isByLetter: true)
    }
    return Choice(
      fit: best.fit, confidence: min(0.6, 0.2 + best.score / 2),
      evidence: allowed.count == 1 ? [text(best.fit)] : [text(best.fit), "\(allowed.count) members are equally near"])
  }

  /// Returns the only member with the table's exact number, if no other field of the table has the same.
  private func exact(_ role: Role, _ fits: [Fit]) -> Choice? {
    guard [.open, .high, .low, .volume, .turnover, .change].contains(role) else { return nil }
    let equal = fits.filter { $0.equal.share >= 0.5 && isTelling(role, $0.column) }
    guard equal.count == 1, let only = equal.first else { return nil }
    let isDistinct = known.compactMap(\.self).allSatisfy { row in
      guard let own = row.numbers[role] else { return true }
      return row.numbers.allSatisfy { $0.key == role || abs($0.value - own) > own.magnitude * 1e-6 }
    }
    guard isDistinct else { return nil }
    return Choice(fit: only, confidence: 0.85, evidence: ["the table's own number in \(only.equal.text)"])
  }

  /// Returns the member with the table's last price in most rows, if that is not chance: no other member has it in half as
  /// many, nor does this one have any other number of the table. A last trade is at the bid or the ask.
  private func exactPrice(_ role: Role, _ fits: [Fit]) -> Choice? {
    guard role == .price else { return nil }
    let free = fits.filter { isTelling(role, $0.column) && !RoleDecision.speaksAgainst(columns[$0.column], .price) }
    let ranked = free.sorted { $0.equal.holds > $1.equal.holds }
    guard let best = ranked.first, best.equal.share >= 0.5, pairs(of: best, equalTo: .price) >= 3,
      ranked.dropFirst().allSatisfy({ $0.equal.holds * 2 <= best.equal.holds }),
      Self.roles.allSatisfy({ $0 == .price || pairs(of: best, equalTo: $0) * 2 <= pairs(of: best, equalTo: .price) })
    else { return nil }
    return Choice(fit: best, confidence: 0.85, evidence: [text(best)])
  }

  /// Returns the two columns that have the table's own bid and ask, whatever their letters: the bid of `b` and `s` may be
  /// what users buy at. Empty unless both are found, each in one column; unsure if the names say the opposite.
  private func exactOffers(_ bids: [Fit], _ asks: [Fit]) -> [Role: Choice] {
    func own(_ role: Role, _ fits: [Fit], against others: [Fit]) -> Fit? {
      let equal = fits.filter { fit in
        let other = others.first { $0.column == fit.column }
        return fit.equal.share >= 0.5 && fit.equal.holds > other?.equal.holds ?? 0 && isTelling(role, fit.column)
      }
      return equal.count == 1 ? equal[0] : nil
    }
    guard let bid = own(.bid, bids, against: asks), let ask = own(.ask, asks, against: bids), bid.column != ask.column,
      columns[bid.column].nameScore(.bid) <= columns[ask.column].nameScore(.bid)
        || columns[ask.column].nameScore(.ask) <= columns[bid.column].nameScore(.ask)
    else { return [:] }
    let areDenied = [(Role.bid, bid), (.ask, ask)].contains { NameLikeness.denies(columns[$1.column].title, $0.field) }
    func choice(_ fit: Fit) -> Choice { Choice(fit: fit, confidence: areDenied ? 0.4 : 0.85, evidence: [text(fit)]) }
    return [.bid: choice(bid), .ask: choice(ask)]
  }

  /// Returns whether the numbers have enough digits to rule out chance.
  private func isTelling(_ role: Role, _ column: Int) -> Bool {
    (columns[column].example ?? "").filter(\.isNumber).drop { $0 == "0" }.count >= (role == .change ? 3 : 4)
  }

  /// Whether the table's amounts are so far apart that they cannot be confused.
  private var hasDistinctAmounts: Bool {
    known.compactMap(\.self).allSatisfy { row in
      guard let volume = row.numbers[.volume], let turnover = row.numbers[.turnover] else { return true }
      return abs(volume - turnover) > max(volume, turnover) * 0.2
    }
  }

  /// Checks that the best bid is never above the best ask: if the numbers contradict the names, neither is certain.
  private func orderOffers(_ choices: inout [Role: Choice]) {
    guard let bid = choices[.bid]?.fit.column, let ask = choices[.ask]?.fit.column, bid != ask else { return }
    let isCrossed = zip(columns[bid].numbers, columns[ask].numbers).contains { bid, ask in
      if let bid, let ask { bid > ask } else { false }
    }
    guard isCrossed else { return }
    for role in [Role.bid, .ask] {
      guard let confidence = choices[role]?.confidence else { continue }
      choices[role]?.confidence = min(confidence, 0.4)
    }
  }

  /// Lowers the confidence in an offer that has the other one's number for several pairs: an exchange may call `buy` what
  /// users buy at. A letter says as little if nothing is sure to be the other offer, as all offers are near each other.
  private func doubtOffer(_ choices: inout [Role: Choice], _ role: Role, beside other: Role, _ others: [Fit]) {
    guard let choice = choices[role], !choice.isInherited else { return }
    if let fit = others.first(where: { $0.column == choice.fit.column }), fit.equal.share >= 0.5,
      fit.equal.holds > choice.fit.equal.holds, pairs(of: fit, equalTo: other) >= 3
    {
      choices[role]?.confidence = min(choice.confidence, 0.4)
      choices[role]?.evidence.append("the table's \(other.rawValue) in \(fit.equal.text)")
    } else if choice.isByLetter, choices[other].map({ $0.confidence < RoleProposal.threshold }) ?? true {
      choices[role]?.confidence = min(choice.confidence, 0.6)
    }
  }

  /// Returns how many pairs have the table's number of a role in a column.
  private func pairs(of fit: Fit, equalTo role: Role) -> Int {
    let equal = zip(columns[fit.column].numbers, known).compactMap { number, row -> String? in
      guard let number, let row, let table = row.numbers[role] else { return nil }
      return abs(number - table) <= table.magnitude * 1e-9 ? row.symbol : nil
    }
    return Set(equal).count
  }

  /// `the table's number in 3 of 4 rows`, `within 0.02 % of the table's`
  private func text(_ fit: Fit) -> String {
    if fit.equal.share >= 0.5 { return "the table's own number in \(fit.equal.text)" }
    return "within \((fit.distance * 100).text(digits: 1)) % of the table's"
  }
}
