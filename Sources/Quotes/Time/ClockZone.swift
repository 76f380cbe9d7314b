/// A clock at a fixed offset from UTC in which moments are shown.
package struct ClockZone: Sendable, Hashable {
  /// How far the clock is ahead of UTC: 32400 in Korea.
  package let offsetSeconds: Int
  /// The system's name for it; nil if only the offset is known.
  private let systemName: String?

  /// - Parameter name: The system's name for the clock at a moment: `CEST`.
  package init(offsetSeconds: Int, name: String? = nil) {
    self.offsetSeconds = offsetSeconds
    systemName = name
  }

  package static let utc = ClockZone(offsetSeconds: 0)
  /// Korea has no daylight saving time.
  package static let seoul = ClockZone(offsetSeconds: 9 * 3600)

  /// The display name: the system's name, or else `UTC`, `KST` or the offset.
  package var name: String {
    if let systemName { return systemName }
    return switch self {
    case .utc: "UTC"
    case .seoul: "KST"
    default: offset
    }
  }

  /// The offset in ISO 8601: `+09:00`.
  package var offset: String {
    let minutes = abs(offsetSeconds) / 60
    return (offsetSeconds < 0 ? "-" : "+") + TimeFormat.padded(minutes / 60, 2) + ":"
      + TimeFormat.padded(minutes % 60, 2)
  }

  /// Returns the local time of a moment.
  package func time(_ moment: Instant) -> CivilTime { CivilTime(moment, offsetSeconds: offsetSeconds) }

  /// `2026-11-18`
  package func day(_ moment: Instant) -> String {
    let time = time(moment)
    return TimeFormat.padded(time.year, 4) + "-" + TimeFormat.padded(time.month, 2) + "-"
      + TimeFormat.padded(time.day, 2)
  }

  /// `14:12`
  package func hourAndMinute(_ moment: Instant) -> String {
    let time = time(moment)
    return TimeFormat.padded(time.hour, 2) + ":" + TimeFormat.padded(time.minute, 2)
  }

  /// `14:12:07`, optionally with milliseconds.
  package func clock(_ moment: Instant, withMilliseconds: Bool = false) -> String {
    let time = time(moment)
    let text = hourAndMinute(moment) + ":" + TimeFormat.padded(time.second, 2)
    return withMilliseconds ? text + "." + TimeFormat.padded(time.nanosecond / 1_000_000, 3) : text
  }
}
