/// A change that is that of one price from another in nearly all rows, which identifies both: in percent, as a fraction or
/// as money.
///
/// No other pair of columns fits as well: if a bid or mark price would also do as the last price, nothing is proved.
struct ChangeEquation: Sendable {
  let price: Int
  /// The column the change is measured from; nil if price minus a change sent as an amount is the open.
  let open: Int?
  let change: Int
  /// Whether the change is a fraction rather than a percentage.
  let isRatio: Bool
  /// Whether the change is an amount in the payment currency.
  var isMoney = false
  let vote: RowRelations.Vote
  let evidence: String

  /// Searches as `ChangeSearch` does.
  init?(_ columns: [SampleColumn], prices: [Int], changes: [Int], needsBothSigns: Bool) {
    let search = ChangeSearch(columns, prices: prices, changes: changes, needsBothSigns: needsBothSigns)
    guard search.isComplete,
      let best = search.fits.max(by: { ($0.vote.holds, $1.change) < ($1.vote.holds, $0.change) })
    else { return nil }
    let relations = RowRelations(columns: columns)
    // Prices that are close to each other all fit, so the vote depends on the digits and must be clear.
    let rivals = Set(search.fits.filter { $0.vote.holds * 10 > best.vote.holds * 8 }.map(\.price))
    guard rivals.allSatisfy({ relations.areSame($0, best.price) }) else { return nil }
    price = best.price
    change = best.change
    isRatio = best.isRatio
    vote = best.vote
    let name = "'\(columns[best.change].path.text)'"
    switch best.origin {
    case .open(let column):
      evidence = "\(name) is the change from '\(columns[column].path.text)' in \(best.vote.text)"
    case .money(let column):
      evidence = "\(name) is '\(columns[column].path.text)' / (it - that) in \(best.vote.text)"
    }
    var opens: [Int] = []
    for fit in search.fits where fit.price == best.price && fit.vote.holds * 10 > best.vote.holds * 9 {
      if case .open(let column) = fit.origin, !opens.contains(column) { opens.append(column) }
    }
    open = opens.first.flatMap { first in opens.allSatisfy { relations.areSame($0, first, in: 0.95) } ? first : nil }
  }

  /// Finds the one pair of prices whose difference is a column, exact to the last digit: the change as money.
  ///
  /// - Parameters:
  ///   - prices: columns with values close to each other.
  ///   - amounts: columns that may be the change, whatever their names. It must have both signs, unlike a spread.
  init?(_ columns: [SampleColumn], prices: [Int], amounts: [Int]) {
    let relations = RowRelations(columns: columns)
    var found: [(price: Int, open: Int, change: Int, vote: RowRelations.Vote)] = []
    for change in amounts where columns[change].hasNegatives {
      let values = columns[change].numbers.prefix(ChangeSearch.rowLimit)
      guard values.count(where: { ($0 ?? 0) > 0 }) >= 2, values.count(where: { ($0 ?? 0) < 0 }) >= 2 else { continue }
      for price in prices {
        for open in prices where open != price {
          let vote = Self.difference(price, open, change, relations)
          if vote.rows >= 5, vote.share >= 0.9, vote.rows * 2 >= values.count {
            found.append((price, open, change, vote))
          }
        }
      }
    }
    guard let best = found.max(by: { $0.vote.holds < $1.vote.holds }) else { return nil }
    guard found.allSatisfy({ relations.areSame($0.price, best.price) && relations.areSame($0.open, best.open) }) else {
      return nil
    }
    (price, open, change, vote) = (best.price, best.open, best.change, best.vote)
    (isRatio, isMoney) = (false, true)
    let names = [best.change, best.price, best.open].map { "'\(columns[$0].path.text)'" }
    evidence = "\(names[0]) is \(names[1]) - \(names[2]) in \(best.vote.text)"
  }

  /// Counts the rows whose price minus open is the change. A change of a few units of its last digit fits anything.
  private static func difference(_ price: Int, _ open: Int, _ change: Int, _ relations: RowRelations)
    -> RowRelations.Vote
  {
    let columns = relations.columns
    return relations.vote([price, open, change]) { row, numbers in
      guard row < ChangeSearch.rowLimit, numbers[0] > 0, numbers[1] > 0 else { return nil }
      let unit = columns[change].lastDigit(row)
      guard numbers[2].magnitude >= unit * 5, numbers[2] != 0 else { return nil }
      return (numbers[0] - numbers[1] - numbers[2]).magnitude <= unit * 0.51 + numbers[0] * 1e-12
    }
  }
}

/// Finds all columns that are the change of one price from another.
///
/// Every change is compared with every pair of columns. Since samples can be anything, the work is counted and stops
/// for tables wider than any of tickers.
struct ChangeSearch: Sendable {
  /// What a change is measured from.
  enum Origin: Hashable, Sendable {
    case open(Int)
    /// The price minus this column.
    case money(Int)
  }

  struct Fit: Sendable {
    let price: Int
    let origin: Origin
    let change: Int
    /// Whether the change is a fraction rather than a percentage.
    let isRatio: Bool
    let vote: RowRelations.Vote
  }

  private(set) var fits: [Fit] = []
  /// The number of compared rows of three columns.
  private(set) var comparisons = 0

  /// The number of rows beyond which more prove nothing.
  static let rowLimit = 150
  /// The maximum number of comparisons; a table with fifty number columns needs a third of that at most.
  static let comparisonLimit = 8_000_000

  /// Whether everything was compared. If not, the rest may contain a rival, and nothing is proved.
  var isComplete: Bool { comparisons < Self.comparisonLimit }

  private let columns: [SampleColumn]

  /// - Parameters:
  ///   - prices: columns with values close to each other.
  ///   - changes: columns that may be the change, whatever their names.
  ///   - needsBothSigns: whether the change must have both signs, which tells it from a spread if names do not.
  init(_ columns: [SampleColumn], prices: [Int], changes: [Int], needsBothSigns: Bool) {
    self.columns = columns
    for change in changes {
      let values = ChangeValues(columns[change])
      guard values.isTelling, !needsBothSigns || values.hasBothSigns else { continue }
      let origins = prices.map(Origin.open) + changes.filter { $0 != change }.map(Origin.money)
      for price in prices {
        for origin in origins where origin != .open(price) {
          guard isComplete else { return }
          guard let (isRatio, vote) = fit(values, price, origin) else { continue }
          fits.append(Fit(price: price, origin: origin, change: change, isRatio: isRatio, vote: vote))
        }
      }
    }
  }

  /// A column as a change: its values with the unit of their last digit.
  private struct ChangeValues {
    var rows: [(row: Int, value: Double, unit: Double)] = []

    init(_ column: SampleColumn) {
      for (row, number) in column.numbers.prefix(ChangeSearch.rowLimit).enumerated() {
        guard let number, number != 0 else { continue }
        let unit = column.lastDigit(row)
        // A change with few digits fits anything.
        if number.magnitude >= unit * 5 { rows.append((row, number, unit)) }
      }
    }

    var isTelling: Bool { rows.count >= 2 }

    var hasBothSigns: Bool { rows.contains { $0.value < 0 } && rows.contains { $0.value > 0 } }
  }

  /// Returns whether the values are the change from an origin to a price, as a percentage or as a fraction.
  private mutating func fit(
    _ values: ChangeValues, _ price: Int, _ origin: Origin
  ) -> (isRatio: Bool, vote: RowRelations.Vote)? {
    for isRatio in [false, true] {
      var vote = RowRelations.Vote()
      var misses = 0
      for (row, value, unit) in values.rows {
        comparisons += 1
        guard let price = columns[price].numbers[row], price > 0, let open = open(origin, price, row), open > 0 else {
          misses += 1
          // Too few rows are left for either a percentage or a fraction.
          if misses * 2 > values.rows.count { return nil }
          continue
        }
        let expected = (price - open) / open * (isRatio ? 1 : 100)
        vote.count((value - expected).magnitude <= unit * 1.02 + expected.magnitude * 1e-6)
        if vote.rows == 8, vote.holds < 4 { break }
      }
      if vote.rows >= 2, vote.share >= 0.9, vote.rows * 2 >= values.rows.count { return (isRatio, vote) }
    }
    return nil
  }

  private func open(_ origin: Origin, _ price: Double, _ row: Int) -> Double? {
    switch origin {
    case .open(let column): return columns[column].numbers[row]
    case .money(let column): return columns[column].numbers[row].flatMap { $0 == 0 ? nil : price - $0 }
    }
  }
}
