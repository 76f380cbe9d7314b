/// A moment, in nanoseconds since 1970-01-01T00:00:00Z; from the year 1677 to 2262.
package struct Instant: Sendable, Hashable, Comparable {
  package var nanoseconds: Int64

  package init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }

  package static func < (left: Instant, right: Instant) -> Bool {
    left.nanoseconds < right.nanoseconds
  }

  /// How many nanoseconds lie between an earlier moment and this one; negative when `earlier` is later.
  ///
  /// A distance beyond 292 years is cut to the largest one.
  package func nanoseconds(since earlier: Instant) -> Int64 {
    let (difference, overflow) = nanoseconds.subtractingReportingOverflow(earlier.nanoseconds)
    if overflow { return earlier < self ? .max : .min }
    return difference
  }
}
