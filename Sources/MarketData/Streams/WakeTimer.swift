import Quotes

/// When a run next looks at its clock if nothing arrives before.
///
/// A new timer costs more than a message, so one that goes off in time is kept.
struct WakeTimer: Sendable {
  /// The clock time that it was set for, and when it goes off. A clock that is slow, or was set back a little, has not
  /// reached that time by then.
  private var last: (due: Instant, end: ContinuousClock.Instant)?

  /// Returns how long to sleep until something is due; nil if the previous alarm goes off in time.
  ///
  /// - Parameter moment: The time of `now` on the clock used for sleeping.
  mutating func sleep(until due: Instant, at now: Instant, _ moment: ContinuousClock.Instant) -> Duration? {
    if let last, last.due <= due, last.due > now, last.end > moment { return nil }
    let sleep = Duration.nanoseconds(due.nanoseconds(since: now))
    last = (due, moment + sleep)
    return sleep
  }
}
