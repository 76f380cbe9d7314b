import Quotes

/// The relations between a sample's columns, row by row.
///
/// Binary floating point suffices: these are votes over rows, and none of the numbers is ever shown.
package struct RowRelations: Sendable {
  /// How often something holds.
  package struct Vote: Sendable, Hashable {
    package var holds = 0
    package var rows = 0

    package init(holds: Int = 0, rows: Int = 0) { (self.holds, self.rows) = (holds, rows) }

    package var share: Double { rows == 0 ? 0 : Double(holds) / Double(rows) }
    /// The votes on the opposite claim.
    var opposite: Vote { Vote(holds: rows - holds, rows: rows) }
    var text: String { rows == 1 && holds == 1 ? "the only row" : "\(holds) of \(rows.counted("row"))" }

    package mutating func count(_ isTrue: Bool) {
      rows += 1
      if isTrue { holds += 1 }
    }

    mutating func add(_ other: Vote) { (holds, rows) = (holds + other.holds, rows + other.rows) }
  }

  let columns: [SampleColumn]

  /// Counts the rows where one is not above the other, with half a percent of tolerance for separate caching. Rows
  /// where either is zero or missing have no vote.
  func isAtMost(_ lower: Int, _ upper: Int) -> Vote {
    vote(lower, upper) { $0 <= $1 * 1.005 }
  }

  /// Does the same for rows where the two differ, exact to the last digit.
  func isBelow(_ lower: Int, _ upper: Int) -> Vote { vote(lower, upper) { $0 == $1 ? nil : $0 < $1 } }

  /// Counts the rows where one is not above the other, exact to the last digit.
  func isNeverAbove(_ lower: Int, _ upper: Int) -> Vote { vote(lower, upper) { $0 <= $1 } }

  /// Counts the rows where the two are within a factor of each other.
  func areNear(_ left: Int, _ right: Int, factor: Double) -> Vote {
    vote(left, right) { $0 <= $1 * factor && $1 <= $0 * factor }
  }

  /// Returns whether the numbers of a column are as large as a price in nearly all rows, which no change or amount is.
  func isPrice(_ column: Int, beside price: Int) -> Bool {
    let near = areNear(column, price, factor: 1.5)
    return near.rows >= 3 && near.share >= 0.8
  }

  func areEqual(_ left: Int, _ right: Int) -> Vote { vote(left, right) { $0 == $1 } }

  /// Returns whether two columns are one, or have the same numbers in nearly all rows.
  func areSame(_ left: Int, _ right: Int, in share: Double = 0.98) -> Bool {
    left == right || areEqual(left, right).share >= share
  }

  /// Counts the rows where a predicate holds for the numbers of several columns, in their order. Rows without one of
  /// them, or for which `holds` returns nil, have no vote.
  func vote(_ wanted: [Int], _ holds: (_ row: Int, _ numbers: [Double]) -> Bool?) -> Vote {
    var vote = Vote()
    for row in columns[wanted[0]].numbers.indices {
      let numbers = wanted.compactMap { columns[$0].numbers[row] }
      if numbers.count == wanted.count, let isTrue = holds(row, numbers) { vote.count(isTrue) }
    }
    return vote
  }

  private func vote(_ left: Int, _ right: Int, _ holds: (Double, Double) -> Bool?) -> Vote {
    var vote = Vote()
    for case (let first?, let second?) in zip(columns[left].numbers, columns[right].numbers)
    where first > 0 && second > 0 {
      if let isTrue = holds(first, second) { vote.count(isTrue) }
    }
    return vote
  }
}

/// Returns the values at the same places of two lists, where both are known.
package func bothKnown<One, Other>(
  _ ones: some Sequence<One?>, _ others: some Sequence<Other?>
) -> [(One, Other)] {
  zip(ones, others).compactMap { one, other in
    if let one, let other { (one, other) } else { nil }
  }
}
