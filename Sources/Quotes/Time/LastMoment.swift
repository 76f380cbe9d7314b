/// What a clock showed when it was last read, from which the next reading shows whether it was set back meanwhile.
///
/// Ages are distances between what the clock showed then and shows now. To be as old as before, whatever has arrived
/// must be counted from as much earlier as the clock was set back.
package struct LastMoment: Sendable {
  /// nil before it was read.
  package private(set) var last: Instant?

  package init() {}

  /// Takes what the clock shows now.
  ///
  /// - Returns: How far it was set back, less the time since it was last read; zero if it was not.
  package mutating func take(_ now: Instant) -> Duration {
    defer { last = now }
    return .nanoseconds(last.map { max(0, $0.nanoseconds(since: now)) } ?? 0)
  }
}

extension Instant {
  /// Counts the moment from a clock that was set back.
  package mutating func follow(setBack span: Duration) { self = advanced(by: .zero - span) }
}
