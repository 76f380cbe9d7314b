import Quotes

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
        && !isUnsigned(change, from: open)
    }
    return reversed.map {
      Verdict(reason: "\(name($0)) is the change from it to \(name(open))", rival: open, others: [.open])
    }
  }

  /// Returns whether a column is the change from the open without its sign, as precisely as it is written: a small fall
  /// from the open is about as large as the rise back to it.
  private func isUnsigned(_ change: Int, from open: Int) -> Bool {
    guard !columns[change].presentNumbers.contains(where: { $0 < 0 }) else { return false }
    let vote = relations.vote([change, open, price]) { row, numbers in
      guard numbers[1] > 0, numbers[0] != 0 else { return nil }
      let ratio = ((numbers[2] - numbers[1]) / numbers[1]).magnitude
      let room = columns[change].lastDigit(row) * 0.6
      return [ratio, ratio * 100].contains { ($0 - numbers[0].magnitude).magnitude <= room }
    }
    return vote.rows > 0 && vote.share >= 0.9
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
    var parts: [Double] = []
    let vote = relations.vote([price, bid, ask]) { row, numbers in
      guard numbers[0] > 0, let distance = OfferDistance(of: numbers[0], bid: numbers[1], ask: numbers[2]),
        distance.isTelling,
        !amounts.contains(where: { $0.numbers.indices.contains(row) && $0.numbers[row] == 0 })
      else { return nil }
      parts.append(distance.part)
      return distance.part != 0
    }
    guard OfferDistance.median(outside: parts) != nil else { return nil }
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
