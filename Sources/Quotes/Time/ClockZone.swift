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
    return (offsetSeconds < 0 ? "-" : "+") + (minutes / 60).padded(to: 2) + ":" + (minutes % 60).padded(to: 2)
  }

  package func time(_ moment: Instant) -> CivilTime { CivilTime(moment, offsetSeconds: offsetSeconds) }

  /// `2026-11-18`
  package func day(_ moment: Instant) -> String {
    let time = time(moment)
    return "\(time.year.padded(to: 4))-\(time.month.padded(to: 2))-\(time.day.padded(to: 2))"
  }

  /// `14:12`
  package func hourAndMinute(_ moment: Instant) -> String {
    let time = time(moment)
    return "\(time.hour.padded(to: 2)):\(time.minute.padded(to: 2))"
  }

  /// `2026-11-18 14:12:07`
  package func dayAndClock(_ moment: Instant) -> String { "\(day(moment)) \(clock(moment))" }

  /// `14:12:07`, optionally with milliseconds.
  package func clock(_ moment: Instant, withMilliseconds: Bool = false) -> String {
    let time = time(moment)
    let text = "\(hourAndMinute(moment)):\(time.second.padded(to: 2))"
    return withMilliseconds ? "\(text).\((time.nanosecond / 1_000_000).padded(to: 3))" : text
  }
}
