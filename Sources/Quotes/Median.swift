extension Sequence where Element: Comparable {
  /// The middle element by size, or the larger of the two in the middle; nil if there are none.
  package var median: Element? {
    let sorted = self.sorted()
    return sorted.isEmpty ? nil : sorted[sorted.count / 2]
  }

  /// The same, but the smaller of the two in the middle.
  package var lowerMedian: Element? {
    let sorted = self.sorted()
    return sorted.isEmpty ? nil : sorted[(sorted.count - 1) / 2]
  }
}

extension Sequence<Decimal> {
  /// The middle value, or the mean of the two in the middle; nil if there are none.
  package var meanMedian: Decimal? {
    let sorted = self.sorted()
    guard !sorted.isEmpty else { return nil }
    let middle = sorted.count / 2
    guard sorted.count.isMultiple(of: 2) else { return sorted[middle] }
    return (sorted[middle - 1] + sorted[middle]).divided(by: 2)
  }
}

extension Sequence {
  /// The element in the middle by a value, or the one with the larger value of the two in the middle; nil if there are
  /// none.
  func median(by value: (Element) -> Decimal) -> Element? {
    let sorted = self.sorted { value($0) < value($1) }
    return sorted.isEmpty ? nil : sorted[sorted.count / 2]
  }
}
