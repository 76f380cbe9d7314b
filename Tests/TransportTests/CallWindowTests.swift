import HTTP
import Testing

@testable import Transport

@Suite struct CallWindowTests {
  /// The time and cost of a request, and when it may be sent, in milliseconds.
  typealias Step = (now: Int64, cost: Int, start: Int64?)

  /// Its window is 1,100 ms long.
  static let limit = RateLimit(requests: 4, perMilliseconds: 1_000)

  @Test func allowsAllAtOnceThenWaitsForTheWindow() {
    run([(0, 1, 0), (0, 1, 0), (300, 1, 300), (300, 1, 300), (300, 1, 1_100), (300, 1, 1_100), (300, 1, 1_400)])
  }

  @Test func eachCallCountsForOneWindow() {
    run([(0, 3, 0), (900, 1, 900), (1_099, 2, 1_100), (1_100, 2, 2_000), (5_000, 4, 5_000), (5_000, 1, 6_100)])
  }

  @Test func costs() {
    run([(0, 3, 0), (0, 0, 0), (0, 3, 1_100), (0, 0, 1_100), (0, 1, 1_100), (0, 1, 2_200)])
  }

  @Test func costAboveAllowanceWaits() {
    run([(0, 6, 1_100), (0, 2, 1_100), (0, 1, 2_200), (0, 9, 5_500)])
  }

  @Test func nothingIsTakenBeyondTheDeadline() {
    run([(0, 4, 0), (0, 8, nil), (0, 1, 1_100), (0, 3, 1_100), (0, 1, nil)], deadline: 1_500)
  }

  /// Whoever counts the calls in windows of the period, from whatever moment on, finds no more than the allowance.
  @Test func noWindowHasMore() {
    var window = CallWindow(Self.limit)
    var starts: [Int64] = []
    var now: Int64 = 0
    for round in 0..<200 {
      now += Int64(round * round % 7) * 45_000_000
      if let start = window.reserve(cost: 1, now: now, deadline: nil) { starts.append(start) }
    }
    #expect(starts == starts.sorted())
    #expect(starts.count == 200)
    for (index, start) in starts.enumerated() {
      #expect(starts[index...].count { $0 < start + 1_000_000_000 } <= 4)
    }
  }

  @Test(
    arguments: [
      (.requests, 60_000, 60_250), (.requests, 10, 11), (.messages, 60_000, 61_000), (.messages, 10, 12),
    ] as [(CallWindow.Margin, Int, Int64)])
  func marginIsAPartOfThePeriod(_ margin: CallWindow.Margin, _ period: Int, _ length: Int64) {
    var window = CallWindow(RateLimit(requests: 1, perMilliseconds: period), margin)
    #expect(window.reserve(cost: 1, now: 0, deadline: nil) == 0)
    #expect(window.reserve(cost: 1, now: 0, deadline: nil) == length * 1_000_000)
  }

  /// Nothing was promised for a time that has not come, once the clock was set back.
  @Test func callsOfTheFutureAreForgotten() {
    var window = CallWindow(RateLimit(requests: 1, perMilliseconds: 1_000))
    #expect(window.reserve(cost: 1, now: 3_600_000_000_000, deadline: nil) == 3_600_000_000_000)
    window.forget(after: 0)
    #expect(window.reserve(cost: 1, now: 0, deadline: nil) == 0)
    #expect(window.reserve(cost: 1, now: 0, deadline: nil) == 1_100_000_000)
  }

  /// A second limit counts what was sent before it was known, and the end of time is no error.
  @Test func windowsOfOtherLimitsAndTimes() {
    var window = CallWindow(Self.limit)
    #expect(window.reserve(cost: 1, now: 0, deadline: nil) == 0)
    var other = CallWindow(RateLimit(requests: 1, perMilliseconds: 2_000), after: window)
    #expect(other.reserve(cost: 1, now: 0, deadline: nil) == 2_200_000_000)
    var last = CallWindow(RateLimit(requests: 1, perMilliseconds: 1_000))
    #expect(last.reserve(cost: 1, now: .max, deadline: nil) == .max)
    #expect(last.reserve(cost: 1, now: .max, deadline: nil) == .max)
  }

  @Test(arguments: [Int.max, Int.min]) func impossibleCosts(_ cost: Int) {
    var window = CallWindow(Self.limit)
    #expect(window.reserve(cost: cost, now: 0, deadline: nil) == (cost > 0 ? nil : 0))
  }

  @Test(arguments: [
    RateLimit(requests: 0, perMilliseconds: 0), RateLimit(requests: .max, perMilliseconds: .max),
    RateLimit(requests: 1, perMilliseconds: .max),
  ])
  func impossibleLimits(_ limit: RateLimit) {
    var window = CallWindow(limit)
    #expect(window.reserve(cost: 1, now: 0, deadline: nil) == 0)
  }

  private func run(_ steps: [Step], deadline: Int64? = nil, at place: SourceLocation = #_sourceLocation) {
    var window = CallWindow(Self.limit)
    for (index, step) in steps.enumerated() {
      let start = window.reserve(
        cost: step.cost, now: step.now * 1_000_000, deadline: deadline.map { $0 * 1_000_000 })
      #expect(start == step.start.map { $0 * 1_000_000 }, "step \(index)", sourceLocation: place)
    }
  }
}
