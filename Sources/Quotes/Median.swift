extension Sequence where Element: Comparable {
  /// The middle element by size, or the larger of the two in the middle; nil if there are none.
  package var median: Element? {
    let sorted = self.sorted()
    return sorted.isEmpty ? nil : sorted[sorted.count / 2]
  }

  /// The same, but the smaller of the two in the middle.
  var lowerMedian: Element? {
    let sorted = self.sorted()
    return sorted.isEmpty ? nil : sorted[(sorted.count - 1) / 2]
  }
}
