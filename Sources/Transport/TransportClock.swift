import Quotes

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
  /// Nanoseconds since 1970-01-01T00:00:00Z.
  package var wall: @Sendable () -> Int64
  /// Waits until `now()` reaches `until`.
  package var sleep: @Sendable (_ until: Int64) async throws(CancellationError) -> Void

  /// The machine's clocks.
  package static let system = TransportClock(
    now: { nanoseconds(of: CLOCK_MONOTONIC) },
    wall: { nanoseconds(of: CLOCK_REALTIME) },
    sleep: { until throws(CancellationError) in
      let rest = until - nanoseconds(of: CLOCK_MONOTONIC)
      if rest <= 0 { return }
      do {
        try await Task.sleep(for: .nanoseconds(rest))
      } catch {
        throw CancellationError()
      }
    })

  private static func nanoseconds(of clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Instant(clockSeconds: Int64(time.tv_sec), nanoseconds: Int64(time.tv_nsec)).nanoseconds
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
