import HTTP
import Testing

@testable import Transport

@Suite struct TokenBucketTests {
  /// The time and cost of a request, and when it may be sent.
  typealias Step = (now: Int64, cost: Int, start: Int64?)

  static let limit = RateLimit(requests: 4, perMilliseconds: 1_000)
  static let second: Int64 = 1_000_000_000

  @Test func allowsBurstThenOneByOne() {
    run([
      (0, 1, 0), (0, 1, 0), (0, 1, 0), (0, 1, 0), (0, 1, Self.second / 4), (0, 1, Self.second / 2),
    ])
  }

  @Test func refillsOverThePeriod() {
    run([(0, 4, 0), (Self.second / 2, 2, Self.second / 2), (Self.second / 2, 1, Self.second * 3 / 4)])
  }

  @Test func neverMoreThanTheAllowance() {
    run([(0, 4, 0), (Self.second * 100, 4, Self.second * 100), (Self.second * 100, 1, Self.second * 401 / 4)])
  }

  @Test func costs() {
    run([(0, 3, 0), (0, 0, 0), (0, 3, Self.second / 2), (0, 0, Self.second / 2)])
  }

  @Test func costAboveAllowanceWaits() {
    run([(0, 6, Self.second / 2)])
  }

  @Test func nothingIsTakenBeyondTheDeadline() {
    run([(0, 4, 0), (0, 4, nil), (0, 1, Self.second / 4)], deadline: Self.second / 2)
  }

  @Test(arguments: [Int.max, Int.min]) func impossibleCosts(_ cost: Int) {
    var bucket = TokenBucket(Self.limit)
    #expect(bucket.reserve(cost: cost, now: 0, deadline: nil) == (cost > 0 ? nil : 0))
  }

  @Test(arguments: [
    RateLimit(requests: 0, perMilliseconds: 0), RateLimit(requests: .max, perMilliseconds: .max),
    RateLimit(requests: 1, perMilliseconds: .max),
  ])
  func impossibleLimits(_ limit: RateLimit) {
    var bucket = TokenBucket(limit)
    #expect(bucket.reserve(cost: 1, now: 0, deadline: nil) == 0)
  }

  private func run(_ steps: [Step], deadline: Int64? = nil, at place: SourceLocation = #_sourceLocation) {
    var bucket = TokenBucket(Self.limit)
    for (index, step) in steps.enumerated() {
      let start = bucket.reserve(cost: step.cost, now: step.now, deadline: deadline)
      #expect(start == step.start, "step \(index)", sourceLocation: place)
    }
  }
}
