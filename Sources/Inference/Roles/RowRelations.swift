/// How the columns of a sample relate to each other, row by row.
///
/// Binary floating point is good enough here: these are votes over rows, no number of theirs is ever shown.
struct RowRelations: Sendable {
  /// How often something holds.
  struct Vote: Sendable, Hashable {
    var holds = 0
    var rows = 0

    var share: Double { rows == 0 ? 0 : Double(holds) / Double(rows) }
    var text: String { "\(holds) of \(rows) row\(rows == 1 ? "" : "s")" }

    mutating func count(_ isTrue: Bool) {
      rows += 1
      if isTrue { holds += 1 }
    }
  }

  let columns: [SampleColumn]

  /// In how many rows the one is not above the other, within half a percent: exchanges cache them apart. Rows where one of
  /// them is zero or missing have no vote.
  func isAtMost(_ lower: Int, _ upper: Int) -> Vote {
    vote(lower, upper) { $0 <= $1 * 1.005 }
  }

  /// The same, of the rows in which the two differ, to the last digit.
  func isBelow(_ lower: Int, _ upper: Int) -> Vote {
    var vote = Vote()
    for (first, second) in zip(columns[lower].numbers, columns[upper].numbers) {
      guard let first, let second, first > 0, second > 0, first != second else { continue }
      vote.count(first < second)
    }
    return vote
  }

  /// In how many rows the one is not above the other, to the last digit.
  func isNeverAbove(_ lower: Int, _ upper: Int) -> Vote { vote(lower, upper) { $0 <= $1 } }

  /// In how many rows the two are within a factor of each other.
  func areNear(_ left: Int, _ right: Int, factor: Double) -> Vote {
    vote(left, right) { $0 <= $1 * factor && $1 <= $0 * factor }
  }

  func areEqual(_ left: Int, _ right: Int) -> Vote {
    vote(left, right) { $0 == $1 }
  }

  private func vote(_ left: Int, _ right: Int, _ holds: (Double, Double) -> Bool) -> Vote {
    var vote = Vote()
    for (first, second) in zip(columns[left].numbers, columns[right].numbers) {
      guard let first, let second, first > 0, second > 0 else { continue }
      vote.count(holds(first, second))
    }
    return vote
  }
}
