import Quotes
import Testing

@testable import MarketData

/// When a run of streams next checks its clock.
@Suite struct WakeTimerTests {
  private let start = ContinuousClock.now

  /// - Parameters, in milliseconds: what is due, the clock, and the time that has really passed.
  private func sleep(_ alarm: inout WakeTimer, _ due: Int64, at now: Int64, after passed: Int) -> Duration? {
    alarm.sleep(
      until: Instant(nanoseconds: due * 1_000_000), at: Instant(nanoseconds: now * 1_000_000),
      start + .milliseconds(passed))
  }

  @Test func isSetOnceForAMoment() {
    var alarm = WakeTimer()
    #expect(sleep(&alarm, 1000, at: 0, after: 0) == .milliseconds(1000))
    #expect(sleep(&alarm, 1000, at: 400, after: 400) == nil)
    #expect(sleep(&alarm, 3000, at: 400, after: 400) == nil)
    #expect(sleep(&alarm, 2000, at: 1000, after: 1000) == .milliseconds(1000))
  }

  @Test func isResetForAnEarlierMoment() {
    var alarm = WakeTimer()
    #expect(sleep(&alarm, 1000, at: 0, after: 0) == .milliseconds(1000))
    #expect(sleep(&alarm, 300, at: 100, after: 100) == .milliseconds(200))
  }

  /// The alarm has gone off, but according to the clock its moment is still to come.
  @Test func isResetWhenClockLags() {
    var alarm = WakeTimer()
    #expect(sleep(&alarm, 1000, at: 0, after: 0) == .milliseconds(1000))
    #expect(sleep(&alarm, 1000, at: 999, after: 1000) == .milliseconds(1))
    #expect(sleep(&alarm, 1000, at: 999, after: 1000) == nil)
    #expect(sleep(&alarm, 1000, at: 500, after: 1001) == .milliseconds(500))
  }
}
