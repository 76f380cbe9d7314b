extension Array where Element: Comparable {
  /// Whether each element is above the one before it, or each below.
  var isStrictlyMonotonic: Bool { isOrdered(by: <) || isOrdered(by: >) }

  /// The same, but neighbours may be equal.
  var isMonotonic: Bool { isOrdered(by: <=) || isOrdered(by: >=) }

  /// Returns whether all neighbours are in an order.
  func isOrdered(by areInOrder: (Element, Element) -> Bool) -> Bool {
    zip(self, dropFirst()).allSatisfy { areInOrder($0, $1) }
  }
}
