import Quotes

/// Limits connection attempts to a host: five at once, and one more every three seconds.
struct HostGate: Sendable {
  /// By host: when its attempts no longer count.
  private var free: [String: Instant] = [:]
  private static let atOnce = 5
  private static let period = Duration.seconds(3)

  /// The time until the last of a number of connections to a host may be opened.
  static func wait(forConnections count: Int) -> Duration { period * max(0, count - atOnce) }

  /// Returns when the next attempt is allowed; nil if it is allowed now, and counts it.
  mutating func wait(for host: String, at now: Instant) -> Instant? {
    let full = now.advanced(by: Self.period * Self.atOnce)
    // A bucket that drains by one each period, represented by the time at which it is empty. It cannot be fuller than full,
    // unless the clock was set back.
    let empty = free[host].flatMap { $0 <= full ? max($0, now) : nil } ?? now
    let after = empty.advanced(by: Self.period)
    guard after <= full else { return Instant(nanoseconds: now.nanoseconds + after.nanoseconds(since: full)) }
    free[host] = after
    return nil
  }
}
