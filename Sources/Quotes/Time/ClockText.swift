/// Human-readable moments and ages.
package enum ClockText {
  /// `2023-07-27 11:58:36`
  package static func plain(_ instant: Instant, offsetSeconds: Int) -> String {
    let zone = ClockZone(offsetSeconds: offsetSeconds)
    return zone.day(instant) + " " + zone.clock(instant)
  }

  /// `2023-07-27 11:58:36 KST`
  package static func seoul(_ instant: Instant) -> String {
    "\(ClockZone.seoul.day(instant)) \(ClockZone.seoul.clock(instant)) \(ClockZone.seoul.name)"
  }
}
