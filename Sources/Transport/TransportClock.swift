package import Quotes

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The time source of the policies: a monotonic clock for measuring, the wall clock, and sleeping. Tests bring their
/// own and advance it manually.
package struct TransportClock: Sendable {
  /// Nanoseconds of a monotonic clock; only differences are meaningful.
  package var now: @Sendable () -> Int64
  /// The time of day.
  package var wall: @Sendable () -> Instant
  /// Waits until `now()` reaches `until`.
  package var sleep: @Sendable (_ until: Int64) async throws(CancellationError) -> Void

  /// The machine's clocks.
  package static let system = TransportClock(
    now: { reading(of: CLOCK_MONOTONIC).nanoseconds },
    wall: { reading(of: CLOCK_REALTIME) },
    sleep: { until throws(CancellationError) in
      let rest = until - reading(of: CLOCK_MONOTONIC).nanoseconds
      if rest <= 0 { return }
      do {
        try await Task.sleep(for: .nanoseconds(rest))
      } catch {
        throw CancellationError()
      }
    })

  private static func reading(of clock: clockid_t) -> Instant {
    var time = timespec()
    clock_gettime(clock, &time)
    return Instant(clockSeconds: Int64(time.tv_sec), nanoseconds: Int64(time.tv_nsec))
  }
}

extension Duration {
  /// The duration in whole nanoseconds, at most some 292 years.
  package var nanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    if overflow { return seconds < 0 ? .min : .max }
    let (sum, overflowsSum) = whole.addingReportingOverflow(attoseconds / 1_000_000_000)
    return overflowsSum ? (seconds < 0 ? .min : .max) : sum
  }
}
