import HTTP
import Quotes
import Testing

@testable import Transport

/// When a provider may be called again.
@Suite struct CallRuleTests {
  /// Returns the time within a day that begins at midnight UTC.
  private static func time(_ text: String) -> Instant { .at("2026-11-18T\(text)Z") }

  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var rule = CallRule(everyMilliseconds: 3_600_000, atSeconds: 30)
    let now: String
    var last: String?
    var failures = 0
    /// The next call's time; nil for now.
    let next: String?
  }

  private static let minute = CallRule(everyMilliseconds: 60_000)

  @Test(arguments: [
    Case(testDescription: "never called, past the half minute", now: "05:00:30", next: nil),
    Case(testDescription: "never called, before the half minute", now: "05:00:29", next: "05:00:30"),
    Case(testDescription: "called this hour", now: "05:59:59", last: "05:00:30", next: "06:00:30"),
    Case(testDescription: "called last hour", now: "06:00:30", last: "05:59:59", next: nil),
    Case(testDescription: "a new hour, and too early", now: "06:00:00", last: "05:00:30", next: "06:00:30"),
    Case(
      testDescription: "failed this hour: wait for the next", now: "05:20:00", last: "05:00:30", failures: 1,
      next: "06:00:30"),
    Case(
      testDescription: "failed at the hour's end: wait a minute", now: "06:00:31", last: "05:59:50", failures: 1,
      next: "06:00:50"),
    Case(
      testDescription: "failed three times: wait a quarter of an hour", now: "06:00:31", last: "05:59:50", failures: 3,
      next: "06:14:50"),
    Case(testDescription: "every minute", rule: minute, now: "05:00:59", last: "05:00:00", next: "05:01:00"),
    Case(testDescription: "a minute later", rule: minute, now: "05:01:00", last: "05:00:00", next: nil),
    Case(
      testDescription: "failed once", rule: minute, now: "05:00:10", last: "05:00:00", failures: 1, next: "05:01:00"),
    Case(
      testDescription: "failed twice", rule: minute, now: "05:04:59", last: "05:00:00", failures: 2, next: "05:05:00"),
    Case(
      testDescription: "failed often", rule: minute, now: "05:14:59", last: "05:00:00", failures: 9, next: "05:15:00"),
    Case(testDescription: "no limit", rule: CallRule(), now: "05:00:00", last: "05:00:00", next: nil),
    Case(
      testDescription: "no limit, failed", rule: CallRule(), now: "05:00:30", last: "05:00:00", failures: 1,
      next: "05:01:00"),
    Case(
      testDescription: "once a day, from five past midnight",
      rule: CallRule(everyMilliseconds: 86_400_000, atSeconds: 300), now: "00:04:00", next: "00:05:00"),
  ])
  func waits(_ sample: Case) {
    let next = sample.rule.wait(
      now: Self.time(sample.now), lastCall: sample.last.map(Self.time), failures: sample.failures)
    #expect(next == sample.next.map(Self.time))
  }

  @Test(arguments: [Int64.min, .min + 1, -1, 0, .max - 1, .max]) func extremeClockValuesDoNotTrap(_ time: Int64) {
    for other in [Int64.min, -1, 0, 1_800_000_000_000_000_000, .max] {
      for rule in [CallRule(everyMilliseconds: .max, atSeconds: 30), Self.minute] {
        _ = rule.wait(now: Instant(nanoseconds: time), lastCall: Instant(nanoseconds: other), failures: 3)
      }
    }
  }

  /// A call that a wrong clock dated hours or years ahead does not block calls until then.
  @Test func callInFarFutureDoesNotBlock() {
    let now = Self.time("05:00:30")
    func wait(secondsAhead seconds: Int, failures: Int) -> Instant? {
      Self.minute.wait(now: now, lastCall: now.advanced(by: .seconds(seconds)), failures: failures)
    }
    #expect(wait(secondsAhead: 30 * 86_400, failures: 2) == nil)
    #expect(wait(secondsAhead: 3600, failures: 2) == nil)
    #expect(wait(secondsAhead: 30, failures: 0) == now.advanced(by: .seconds(90)))
  }

  @Test func periodsEndInUTC() {
    let time = Instant.at("2026-11-30T23:59:59Z")
    #expect(CallRule.Budget.Period.month.name(of: time) == "2026-11")
    #expect(CallRule.Budget.Period.month.end(of: time) == .at("2026-12-01T00:00:00Z"))
    #expect(CallRule.Budget.Period.day.name(of: time) == "2026-11-30")
    #expect(CallRule.Budget.Period.day.end(of: time) == .at("2026-12-01T00:00:00Z"))
  }
}
