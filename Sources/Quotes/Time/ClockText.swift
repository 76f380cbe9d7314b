/// Human-readable moments and ages.
package enum ClockText {
  /// `2023-07-27 11:58:36`
  package static func plain(_ instant: Instant, offsetSeconds: Int) -> String {
    ClockZone(offsetSeconds: offsetSeconds).dayAndClock(instant)
  }

  /// `2023-07-27 11:58:36 KST`
  package static func seoul(_ instant: Instant) -> String {
    "\(ClockZone.seoul.dayAndClock(instant)) \(ClockZone.seoul.name)"
  }

  /// Returns an age in the largest unit that fits: `0s`, `59s`, `12m`, `5h`, `3d`.
  package static func age(nanoseconds: Int64) -> String {
    let seconds = nanoseconds / Instant.second
    return switch seconds {
    case ..<60: "\(seconds)s"
    case ..<3600: "\(seconds / 60)m"
    case ..<86_400: "\(seconds / 3600)h"
    default: "\(seconds / 86_400)d"
    }
  }
}
