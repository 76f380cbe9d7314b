package import Quotes

/// What a column of a response can be for a ticker.
package enum Role: String, CaseIterable, Sendable {
  case price, high, low, bid, ask, open, volume, turnover, change, time

  /// The field of the config language.
  package var field: TickerField {
    switch self {
    case .price: .price
    case .high: .high
    case .low: .low
    case .bid: .bid
    case .ask: .ask
    case .open: .open
    case .volume: .volume24
    case .turnover: .turnover24
    case .change: .changePricePercent24
    case .time: .time
    }
  }
}

/// A role, the column that is thought to play it, and why.
struct RoleFinding: Sendable {
  struct Other: Sendable {
    let column: Int
    let confidence: Double
  }

  let role: Role
  var column: Int
  var confidence: Double
  var runnerUp: Other?
  /// Short phrases, the strongest reason first.
  var evidence: [String]
}

/// How the columns of a sample relate to each other, row by row.
///
/// Binary floating point is good enough here: these are votes over rows, no number of theirs is ever shown.
package struct RowRelations: Sendable {
  /// How often something holds.
  package struct Vote: Sendable, Hashable {
    package var holds = 0
    package var rows = 0

    package var share: Double { rows == 0 ? 0 : Double(holds) / Double(rows) }
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

  /// In how many rows something holds of the numbers of several columns, in their order. Rows that lack one of them, or of
  /// which `holds` says nothing, have no vote.
  func vote(_ wanted: [Int], _ holds: (_ row: Int, _ numbers: [Double]) -> Bool?) -> Vote {
    var vote = Vote()
    for row in columns[wanted[0]].numbers.indices {
      let numbers = wanted.compactMap { columns[$0].numbers[row] }
      if numbers.count == wanted.count, let isTrue = holds(row, numbers) { vote.count(isTrue) }
    }
    return vote
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
