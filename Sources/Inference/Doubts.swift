import Quotes

/// Lowers the confidence in columns whose numbers prove nothing, or contradict their names.
struct FindingDoubts {
  private let columns: [SampleColumn]
  private let relations: RowRelations
  private let symbol: SymbolProposal?
  private let isFutures: Bool

  /// - Parameter isFutures: whether a volume may be a number of contracts.
  init(_ columns: [SampleColumn], _ symbol: SymbolProposal?, isFutures: Bool) {
    (self.columns, self.symbol, self.isFutures) = (columns, symbol, isFutures)
    relations = RowRelations(columns: columns)
  }

  func apply(to findings: inout [RoleFinding]) {
    let price = findings[.price]?.column
    let scale = scaled(findings)
    let foreign = price.flatMap { foreignPrice($0) }
    let range = rangeDoubt(findings)
    for index in findings.indices where findings[index].role != .time {
      let (role, column) = (findings[index].role, findings[index].column)
      var reasons: [String] = []
      if isConstant(column) { reasons.append("all rows have the same value, which proves nothing") }
      if columns[column].namesPayment == false, role != .change {
        reasons.append("its name has a currency other than the payment currency of the pairs")
      }
      if role == .bid || role == .ask {
        if columns[column].leafName.has(.limit) || Self.isBound(columns[column].wholeName) {
          reasons.append("its name is that of a price limit")
        }
        if let price, let reason = farOffer(column, price) { reasons.append(reason) }
      }
      if let scale, PriceRoles.roles.contains(role) { reasons.append(scale) }
      if let foreign, role == .price { reasons.append(foreign) }
      if let range, role == .high || role == .low { reasons.append(range) }
      if role != .change, let unit = smallUnit(column) { reasons.append("its name says that it counts \(unit)") }
      if role == .volume || role == .turnover, let unit = bigUnit(column) {
        reasons.append("its name says that it counts \(unit)")
      }
      if role == .volume || role == .turnover, let volume = findings[.volume]?.column, let excess = excess(volume) {
        reasons.append(excess)
      }
      for reason in reasons { findings[index].doubt(because: reason) }
    }
  }

  /// Returns evidence that the price is in another currency than that of the pairs: an amount whose name has that
  /// currency, divided by a volume, is the price. A day's average differs from its last price, but in the middle of all
  /// rows by less than most currencies differ from each other.
  private func foreignPrice(_ price: Int) -> String? {
    let amounts = columns.indices.filter { index in
      index != price && columns[index].hasNumbers
        && max(columns[index].nameScore(.volume), columns[index].nameScore(.turnover)) >= 0.15
    }
    for money in amounts where columns[money].namesPayment == false {
      guard let code = columns[money].wholeName.code else { continue }
      let foreign = (symbol?.pairs ?? []).map { $0.map { Self.areApart($0.payment.uppercased(), code) } ?? false }
      for volume in amounts where columns[volume].namesPayment != false {
        var ratios: [Double] = []
        let vote = relations.vote([money, volume, price]) { row, numbers in
          guard foreign.indices.contains(row), foreign[row], numbers.allSatisfy({ $0 > 0 }) else { return nil }
          let ratio = numbers[0] / numbers[1] / numbers[2]
          ratios.append(ratio)
          return (0.9...1.1).contains(ratio)
        }
        guard vote.rows >= 3, vote.share >= 0.9, let median = ratios.median, (median - 1).magnitude < 0.03 else {
          continue
        }
        return
          "a price in \(code): '\(columns[money].path.text)' / '\(columns[volume].path.text)' is it in \(vote.text)"
      }
    }
    return nil
  }

  /// Returns evidence that high and low are rather the best offers: the two are as close as these are, or the day's
  /// average lies outside.
  private func rangeDoubt(_ findings: [RoleFinding]) -> String? {
    guard let high = findings[.high]?.column, let low = findings[.low]?.column, high != low else { return nil }
    // Nothing is traded in a row whose two are equal.
    let narrow = relations.vote([low, high]) { _, numbers in
      numbers[0] > 0 && numbers[0] < numbers[1] ? numbers[1] <= numbers[0] * (1 + Self.usualSpread) : nil
    }
    if narrow.rows >= 5, narrow.share >= 0.8 { return "high and low are as close as bid and ask in \(narrow.text)" }
    for column in columns.indices where columns[column].leafName.has(.average) && columns[column].hasNumbers {
      guard !columns[column].wholeName.has(.otherWindow), relations.areNear(column, high, factor: 1.5).share >= 0.8
      else { continue }
      let outside = relations.vote([column, low, high]) { _, numbers in
        guard numbers[1] > 0, numbers[1] < numbers[2] else { return nil }
        return numbers[0] < numbers[1] * 0.999 || numbers[0] > numbers[2] * 1.001
      }
      if outside.rows >= 4, outside.share >= 0.6 {
        return "the average '\(columns[column].path.text)' is outside low and high in \(outside.text)"
      }
    }
    return nil
  }

  /// How far apart bid and ask are at most, as a share, in most pairs of one exchange.
  private static let usualSpread = 0.002

  /// Returns whether amounts in two currencies differ: a dollar and a token of it do not.
  private static func areApart(_ one: String, _ other: String) -> Bool {
    func unit(_ code: String) -> String { code != "USD" && CurrencyCode.isDollarToken(code) ? "USD" : code }
    return unit(one) != unit(other)
  }

  /// Returns whether a name is that of a minimum or maximum bid or ask.
  static func isBound(_ name: FieldName) -> Bool {
    name.hasAny([.minimum, .maximum]) && name.hasAny([.bid, .ask, .buy, .sell])
  }

  /// Returns whether several rows all have the same value, even if other columns are zero.
  private func isConstant(_ column: Int) -> Bool {
    let present = columns[column].presentNumbers
    return present.count >= 2 && Set(present.filter { $0 != 0 }).count <= 1
  }

  /// Offers of a live market are close to the price in at least some row, and never at the same distance in all.
  private func farOffer(_ column: Int, _ price: Int) -> String? {
    guard column != price else { return nil }
    let ratios = zip(columns[column].numbers, columns[price].numbers).compactMap { offer, price -> Double? in
      guard let offer, let price, offer > 0, price > 0 else { return nil }
      return offer / price
    }
    guard ratios.count >= 2, let least = ratios.min(), let most = ratios.max() else { return nil }
    if ratios.allSatisfy({ ($0 - 1).magnitude > 0.04 }) { return "more than 4 % from the price in every row" }
    let isFixed = ratios.count >= 3 && most / least < 1.001 && ratios.allSatisfy { ($0 - 1).magnitude > 0.005 }
    return isFixed ? "at the same distance from the price in every row" : nil
  }

  /// Returns evidence that prices are multiples of a small unit: such a name ending, or a size that no price in dollars
  /// has.
  private func scaled(_ findings: [RoleFinding]) -> String? {
    let prices = findings.filter { PriceRoles.roles.contains($0.role) }.map(\.column)
    guard !prices.isEmpty, prices.allSatisfy({ columns[$0].isWhole && columns[$0].presentNumbers.count >= 2 }) else {
      return nil
    }
    let isNamed = prices.contains { column in
      let words = FieldName.chunks(of: columns[column].path.names.last ?? "")
      guard words.count > 1, let last = words.last else { return false }
      return ["Ep", "E4", "E6", "E8", "Scaled", "scaled", "e8", "e6", "e4"].contains(last)
        || ["e4", "e6", "e8"].contains(words.suffix(2).joined().lowercased())
    }
    let isHuge = prices.contains { column in
      zip(columns[column].numbers, symbol?.pairs ?? []).contains { number, pair in
        guard let number, let pair, let most = Self.maximumPrice(in: pair.payment) else { return false }
        return number >= most
      }
    }
    guard isNamed || isHuge else { return nil }
    return "whole numbers in all rows, as of prices in a small unit"
  }

  /// The hundredths and hundred-millionths of currencies, as they occur in names.
  private static let smallUnits: Set<String> = [
    "satoshi", "satoshis", "sat", "sats", "cent", "cents", "wei", "gwei", "paise", "pence", "pips",
  ]

  /// Returns the small unit that a name says its numbers count; nil if it says none.
  private func smallUnit(_ column: Int) -> String? {
    FieldName.chunks(of: columns[column].title).map { $0.lowercased() }.first { word in
      Self.smallUnits.contains(word) || word.hasSuffix("satoshi") || word.hasSuffix("satoshis")
    }
  }

  /// The endings of names whose numbers count many units as one.
  private static let bigUnits = [
    "k": "thousands", "thousand": "thousands", "thousands": "thousands", "mio": "millions", "mln": "millions",
    "million": "millions", "millions": "millions", "bn": "billions", "billion": "billions", "billions": "billions",
  ]

  private func bigUnit(_ column: Int) -> String? {
    let words = FieldName.chunks(of: columns[column].title)
    return words.count < 2 ? nil : words.last.flatMap { Self.bigUnits[$0.lowercased()] }
  }

  /// Returns evidence that a volume is in a smaller unit than coins: in a day there are more of them than there are.
  private func excess(_ column: Int) -> String? {
    if isFutures { return nil }
    for (number, pair) in zip(columns[column].numbers, symbol?.pairs ?? []) {
      guard let number, let pair, ["BTC", "XBT"].contains(pair.asset.uppercased()), number > 21_000_000 else {
        continue
      }
      return "\(columns[column].path.text) would be more bitcoin than there are"
    }
    return nil
  }

  /// Returns a price that no coin reaches; nil for currencies in which there is no limit.
  private static func maximumPrice(in payment: String) -> Double? {
    switch payment {
    case "BTC", "XBT", "ETH": 1000
    case "USD", "EUR", "GBP", "CHF", "AUD", "CAD", "USDT", "USDC", "FDUSD", "BUSD", "TUSD", "DAI": 10_000_000
    default: nil
    }
  }
}

/// Numerical evidence against a column named as the last price.
///
/// A name can be a mistake by the exchange or its documentation. Only the last price has the change measured at it; it
/// lies in the day's range, and closer to the offers than the open.
struct PriceDoubt {
  struct Verdict {
    let reason: String
    /// The column that is more likely the last price.
    var rival: Int?
    /// The roles that are equally doubtful.
    var others: Set<Role> = []
  }

  private let price: Int
  private let columns: [SampleColumn]
  private let relations: RowRelations
  private let chosen: [Role: Int]
  private let findings: [RoleFinding]
  /// The change that the rows prove, or else one between columns by their names.
  private let equation: ChangeEquation?

  init(
    _ price: Int, _ findings: [RoleFinding], _ columns: [SampleColumn], _ relations: RowRelations,
    _ equation: ChangeEquation?
  ) {
    (self.price, self.findings, self.columns, self.relations) = (price, findings, columns, relations)
    chosen = findings.columns
    self.equation = equation ?? Self.named(price, columns, relations)
  }

  /// nil if there is no evidence.
  var verdict: Verdict? {
    if let equation, isSame(equation.price) { return besideOffers }
    return measuredElsewhere ?? equalToOpen ?? besideAnother ?? changedToOpen ?? fartherThanOpen ?? outsideRange
      ?? besideOffers
  }

  private func isSame(_ column: Int) -> Bool { relations.areSame(column, price, in: 0.95) }

  private func name(_ column: Int) -> String { "'\(columns[column].path.text)'" }

  private func roles(of column: Int) -> Set<Role> { Set(findings.filter { $0.column == column }.map(\.role)) }

  // MARK: Changes

  private var measuredElsewhere: Verdict? {
    guard let equation, !columns[equation.price].wholeName.hasAny([.mark, .index, .average]) else { return nil }
    return Verdict(
      reason: "the change is measured at \(name(equation.price))", rival: equation.price,
      others: roles(of: equation.price))
  }

  /// Returns the change between two columns close to the price, according to the columns named as changes.
  private static func named(
    _ price: Int, _ columns: [SampleColumn], _ relations: RowRelations
  ) -> ChangeEquation? {
    let prices = columns.indices.filter { index in
      columns[index].hasNumbers && !columns[index].isTimeLike
        && (index == price || relations.areNear(index, price, factor: 2).share >= 0.5)
    }
    let changes = columns.indices.filter { columns[$0].hasNumbers && columns[$0].nameScore(.change) >= 0.3 }
    guard prices.count >= 2, !changes.isEmpty else { return nil }
    return ChangeEquation(columns, prices: prices, changes: changes, needsBothSigns: false)
  }

  /// A change from the price to the open in all rows, but from the open to the price in none.
  private var changedToOpen: Verdict? {
    guard let open = chosen[.open] else { return nil }
    let reversed = columns.indices.first { change in
      guard columns[change].hasNumbers, columns[change].nameScore(.change) >= 0.3 else { return false }
      func vote(from: Int, to: Int) -> RowRelations.Vote {
        relations.vote([change, from, to]) { row, numbers in
          let (value, from, to) = (numbers[0], numbers[1], numbers[2])
          let unit = columns[change].lastDigit(row)
          guard from > 0, to > 0, from != to, value.magnitude >= unit * 5 else { return nil }
          let ratio: Double = (to - from) / from
          let room: Double = unit + value.magnitude * 0.01
          // As a fraction or a percentage.
          return (value - ratio).magnitude <= room || (value - ratio * 100).magnitude <= room
        }
      }
      let back = vote(from: price, to: open)
      return back.rows > 0 && back.share >= 0.9 && vote(from: open, to: price).holds == 0
    }
    return reversed.map {
      Verdict(reason: "\(name($0)) is the change from it to \(name(open))", rival: open, others: [.open])
    }
  }

  // MARK: Open

  private var equalToOpen: Verdict? {
    guard let open = chosen[.open], open != price else { return nil }
    let equal = relations.areEqual(open, price)
    guard equal.rows >= 3, equal.share >= 0.95 else { return nil }
    return Verdict(reason: "it equals \(name(open)) in \(equal.text)", rival: priceBetweenOffers, others: [.open])
  }

  private var fartherThanOpen: Verdict? {
    guard let open = chosen[.open], let bid = chosen[.bid], let ask = chosen[.ask] else { return nil }
    let vote = relations.vote([open, price, bid, ask]) { _, numbers in
      guard numbers.allSatisfy({ $0 > 0 }), numbers[0] != numbers[1] else { return nil }
      let middle = (numbers[2] + numbers[3]) / 2
      return (numbers[0] - middle).magnitude < (numbers[1] - middle).magnitude
    }
    guard vote.rows >= 4, vote.share >= (vote.rows >= 12 ? 0.65 : 0.75) else { return nil }
    return Verdict(reason: "\(name(open)) is nearer to the offers in \(vote.text)", rival: open, others: [.open])
  }

  // MARK: Range and offers

  private var outsideRange: Verdict? {
    guard let high = chosen[.high], let low = chosen[.low], high != price, low != price else { return nil }
    func outside(_ column: Int) -> RowRelations.Vote {
      relations.vote([column, low, high]) { _, numbers in
        guard numbers[0] > 0, numbers[1] > 0, numbers[2] >= numbers[1] else { return nil }
        return numbers[0] < numbers[1] || numbers[0] > numbers[2]
      }
    }
    let own = outside(price)
    guard own.holds >= 2, own.holds * 20 >= own.rows else { return nil }
    let rivals = [Role.bid, .ask].compactMap { chosen[$0] }.filter { !isSame($0) }
    return rivals.first { outside($0).holds == 0 }.map {
      Verdict(
        reason: "outside the range of the day in \(own.text), which \(name($0)) never is", rival: $0,
        others: roles(of: $0))
    }
  }

  /// The price is another one than that of the last trade: outside of offers that are close to each other, and clearly
  /// away from them, in nearly all rows. The last trade of a pair without volume may be anywhere.
  private var besideOffers: Verdict? {
    guard let bid = chosen[.bid], let ask = chosen[.ask], bid != price, ask != price else { return nil }
    let amounts = relations.columns.filter {
      $0.hasNumbers && max($0.nameScore(.volume), $0.nameScore(.turnover)) >= 0.5
    }
    var distances: [Double] = []
    let vote = relations.vote([price, bid, ask]) { row, numbers in
      let (price, bid, ask) = (numbers[0], numbers[1], numbers[2])
      guard price > 0, bid > 0, bid <= ask, ask - bid <= bid * 0.005,
        !amounts.contains(where: { $0.numbers.indices.contains(row) && $0.numbers[row] == 0 })
      else { return nil }
      let distance = max(0, price - ask, bid - price) / bid
      distances.append(distance)
      return distance > 0
    }
    guard vote.rows >= 5, vote.share >= 0.9, let median = distances.median, median >= 0.005 else { return nil }
    return Verdict(reason: "outside of bid and ask in \(vote.text), though these are close to each other")
  }

  private var besideAnother: Verdict? {
    guard let other = priceBetweenOffers, !isSame(other) else { return nil }
    return Verdict(reason: "\(name(other)) lies between the offers, and it does not", rival: other)
  }

  /// An unused column that may be a last price by its name and lies between the offers, if the price mostly does not. A
  /// price reckoned from the offers lies there as well.
  private var priceBetweenOffers: Int? {
    guard let bid = chosen[.bid], let ask = chosen[.ask], bid != price, ask != price else { return nil }
    func within(_ column: Int) -> RowRelations.Vote {
      relations.vote([column, bid, ask]) { _, numbers in
        guard numbers.allSatisfy({ $0 > 0 }), numbers[1] <= numbers[2] else { return nil }
        return numbers[1] <= numbers[0] && numbers[0] <= numbers[2]
      }
    }
    let own = within(price)
    guard own.rows >= 4, own.share <= 0.5 else { return nil }
    return columns.indices.first { column in
      guard column != price, !chosen.values.contains(column), columns[column].hasNumbers,
        !columns[column].wholeName.hasAny([.mark, .index, .average]),
        columns[column].nameScore(.price) > (columns[column].leafName.letter == nil ? 0.3 : 0)
      else { return false }
      let vote = within(column)
      return vote.rows * 2 >= own.rows && vote.share >= 0.9
    }
  }
}

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
