/// A clock at a fixed distance from UTC, by which moments are shown.
package struct ClockZone: Sendable, Hashable {
  /// How far the clock is ahead of UTC: 32400 in Korea.
  package let offsetSeconds: Int
  /// What the system calls it; nil where nothing but the distance is known.
  private let systemName: String?

  /// - Parameter name: what the system calls the clock at a moment: `CEST`.
  package init(offsetSeconds: Int, name: String? = nil) {
    self.offsetSeconds = offsetSeconds
    systemName = name
  }

  package static let utc = ClockZone(offsetSeconds: 0)
  /// Korea has no summer time.
  package static let seoul = ClockZone(offsetSeconds: 9 * 3600)

  /// For people: what the system calls it, else `UTC`, `KST` or the offset.
  package var name: String {
    if let systemName { return systemName }
    return switch self {
    case .utc: "UTC"
    case .seoul: "KST"
    default: offset
    }
  }

  /// `+09:00`, as ISO 8601 has it.
  package var offset: String {
    let minutes = abs(offsetSeconds) / 60
    return (offsetSeconds < 0 ? "-" : "+") + TimeFormat.padded(minutes / 60, 2) + ":"
      + TimeFormat.padded(minutes % 60, 2)
  }

  /// What the clock shows.
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

  /// `14:12:07`, with milliseconds if they are wanted.
  package func clock(_ moment: Instant, withMilliseconds: Bool = false) -> String {
    let time = time(moment)
    let text = hourAndMinute(moment) + ":" + TimeFormat.padded(time.second, 2)
    return withMilliseconds ? text + "." + TimeFormat.padded(time.nanosecond / 1_000_000, 3) : text
  }
}
