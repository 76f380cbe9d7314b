package import Quotes

/// How often a provider may be called.
package struct CallRule: Sendable, Hashable {
  /// A number of calls per UTC day or month.
  package struct Budget: Sendable, Hashable {
    package enum Period: Sendable, Hashable { case day, month }

    package let calls: Int
    package let period: Period

    package init(calls: Int, per period: Period) { (self.calls, self.period) = (calls, period) }
  }

  /// The minimum time between two calls; with `atSeconds`, the length of a period. nil for no limit.
  package var everyMilliseconds: Int?
  /// If positive, allows one call per period, counted from midnight UTC, but not in its first `atSeconds` seconds.
  package var atSeconds: Int
  package var budget: Budget?

  package init(everyMilliseconds: Int? = nil, atSeconds: Int = 0, budget: Budget? = nil) {
    (self.everyMilliseconds, self.atSeconds, self.budget) = (everyMilliseconds, atSeconds, budget)
  }

  private static let second: Int128 = 1_000_000_000

  /// The rule after a call that left the machine for no host: often the network is back in seconds.
  static let afterUnsent = CallRule(everyMilliseconds: 10_000)

  /// The waits after consecutive failures.
  private static let backOff = BackOff(60, 5 * 60, 15 * 60)

  /// Returns nil if a request with this last call and this many consecutive failures may be sent now, otherwise when it
  /// may be sent.
  package func wait(now: Instant, lastCall: Instant?, failures: Int) -> Instant? {
    // A call of the future was recorded by a wrong clock and does not count: one that was hours ahead would keep an old
    // answer in use for as long.
    let lastCall = lastCall.flatMap { $0.isAhead(of: now) ? nil : Int128($0.nanoseconds) }
    // 128 bits, because a wrong clock or a damaged record can contain any value.
    let now = Int128(now.nanoseconds)
    var earliest = endOfQuietSeconds(now) ?? now
    if let lastCall {
      if let every { earliest = max(earliest, (atSeconds > 0 ? start(of: lastCall, every) + quiet : lastCall) + every) }
      if failures > 0 {
        earliest = max(earliest, lastCall + Int128(Self.backOff.seconds(after: failures)) * Self.second)
      }
    }
    return earliest > now ? Instant(nanoseconds: Int64(clamping: earliest)) : nil
  }

  private var every: Int128? { everyMilliseconds.map { Int128($0) * 1_000_000 } }
  private var quiet: Int128 { Int128(atSeconds) * Self.second }

  /// Returns the end of a period's first seconds, in which there is nothing new yet; nil outside of them.
  private func endOfQuietSeconds(_ now: Int128) -> Int128? {
    guard let every, atSeconds > 0 else { return nil }
    let end = start(of: now, every) + quiet
    return now < end ? end : nil
  }

  private func start(of time: Int128, _ every: Int128) -> Int128 {
    guard every > 0 else { return time }
    let rest = time % every
    return time - (rest < 0 ? rest + every : rest)
  }
}

extension CallRule.Budget.Period {
  /// Returns the day or month that contains `time`: `2026-11-18` or `2026-11`.
  func name(of time: Instant) -> String { String(time.iso8601.prefix(self == .day ? 10 : 7)) }

  /// Returns when the next day or month begins.
  func end(of time: Instant) -> Instant {
    let rest = time.nanoseconds % Instant.day
    var end = Instant(nanoseconds: time.nanoseconds - (rest < 0 ? rest + Instant.day : rest) + Instant.day)
    while name(of: end) == name(of: time) { end.nanoseconds += Instant.day }
    return end
  }
}
