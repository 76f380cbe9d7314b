extension Array where Element: Comparable {
  /// Whether each element is above the one before it, or each below.
  var isStrictlyMonotonic: Bool { isOrdered(by: <) || isOrdered(by: >) }

  /// The same, but neighbors may be equal.
  var isMonotonic: Bool { isOrdered(by: <=) || isOrdered(by: >=) }

  func isOrdered(by areInOrder: (Element, Element) -> Bool) -> Bool {
    zip(self, dropFirst()).allSatisfy { areInOrder($0, $1) }
  }

  /// The indexes from the least to the greatest element of an array that rises or falls.
  var risingIndexes: [Int] {
    guard let first, let last, last < first else { return [Int](indices) }
    return indices.reversed()
  }

  /// The range of the elements; nil if there are none.
  var span: ClosedRange<Element>? { self.min().flatMap { least in self.max().map { least...$0 } } }
}
