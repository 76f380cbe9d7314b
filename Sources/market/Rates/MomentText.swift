import Config
import Quotes

/// A moment as people type it.
enum MomentText {
  /// `03:00` is the next time a clock shows that; `2026-11-19`, `2026-11-19T03:00` are by that clock as well, unless they
  /// name a zone. nil for anything else.
  ///
  /// - Parameter offsetSeconds: how far the clock is ahead of UTC.
  static func parse(_ text: String, after now: Instant, offsetSeconds: Int) -> Instant? {
    guard let second = DayHours.seconds(text), second < DayHours.secondsPerDay else {
      return Instant.iso8601(text, defaultOffsetSeconds: offsetSeconds)
    }
    let clock = CivilTime(now, offsetSeconds: offsetSeconds)
    let wait = second - (clock.hour * 3600 + clock.minute * 60 + clock.second)
    let (sum, overflow) = now.nanoseconds.addingReportingOverflow(
      Int64(wait < 0 ? wait + DayHours.secondsPerDay : wait) * 1_000_000_000 - Int64(clock.nanosecond))
    return overflow ? nil : Instant(nanoseconds: sum)
  }
}
