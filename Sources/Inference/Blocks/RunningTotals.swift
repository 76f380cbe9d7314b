/// What shows that the numbers of consecutive levels or trades are sums: each of all up to its row.
package enum RunningTotals {
  /// What is said of the sizes of an order book that are.
  package static let evidence = "it rises from level to level on both sides, as running totals do"

  /// Returns in how many orders the levels of all sides could be. In one of them, sizes of chance rise all the way.
  package static func orders<Number>(of sides: [[Number]]) -> Double {
    sides.reduce(1) { orders, side in side.indices.reduce(orders) { $0 * Double($1 + 1) } }
  }

  /// Returns whether the numbers of both sides are monotonic from level to level, in enough levels to rule out chance.
  static func areTotals(_ sides: [SampleColumn?]) -> Bool {
    let numbers = sides.compactMap { $0?.allNumbers }
    guard numbers.count == 2, numbers.allSatisfy({ $0.count > 1 && $0.isStrictlyMonotonic }) else { return false }
    return orders(of: numbers) >= 10_000
  }

  /// Returns whether each total is the sum of the parts up to it, but for a part of it.
  package static func areSums(_ totals: [Double], of parts: [Double], within tolerance: Double) -> Bool {
    guard totals.count == parts.count else { return false }
    var sum = 0.0
    return zip(totals, parts).allSatisfy { total, part in
      sum += part
      return total > 0 && (sum / total - 1).magnitude <= tolerance
    }
  }
}
