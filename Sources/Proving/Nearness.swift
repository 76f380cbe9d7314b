import Quotes

extension Instant {
  /// Returns whether the two are no more seconds apart than this.
  func isWithin(seconds: UInt64, of other: Instant) -> Bool {
    nanoseconds(since: other).magnitude <= seconds * 1_000_000_000
  }
}
