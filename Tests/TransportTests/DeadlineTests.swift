import HTTP
import TestSupport
import Testing

@testable import Transport

/// Nothing exceeds its time. The real clock is used here; how late an end may come is left to the machine, since a test
/// that never ends never passes.
@Suite struct DeadlineTests {
  static let slowAnswers: [[LoopbackServer.Step]] = [
    [.hold],
    [.bytes(Answer.head(headers: ["Content-Length: 100000"])), .hold],
    [.bytes(Answer.head(headers: ["Content-Length: 100000"])), .drip([UInt8](repeating: 120, count: 100_000))],
  ]

  @Test(arguments: slowAnswers) func attemptIsTimeLimited(_ steps: [LoopbackServer.Step]) async throws {
    let server = try LoopbackServer { _ in steps }
    defer { server.stop() }
    let client = HTTPClient.forTesting { $0.timeout = .milliseconds(150) }
    let start = ContinuousClock.now
    #expect(await outcome(of: .to(server.url("/")), by: client.handler) == .failure(.timeout))
    #expect(ContinuousClock.now - start >= .milliseconds(140))
  }

  /// How many attempts fit is tested with a manual clock in `RetryingSenderTests`.
  @Test func runIsTimeLimited() async throws {
    let server = try LoopbackServer { _ in [.hold] }
    defer { server.stop() }
    let client = HTTPClient.forTesting { $0.retryRule.maximumRetries = 100 }
    let start = ContinuousClock.now
    #expect(
      await outcome(of: .to(server.url("/")), by: client.newRun(deadline: .milliseconds(150))) == .failure(.timeout))
    #expect(ContinuousClock.now - start >= .milliseconds(140))
  }

  @Test func nothingIsSentAfterDeadline() async throws {
    let server = try LoopbackServer { _ in [.bytes(Answer.ok(""))] }
    defer { server.stop() }
    let clock = TestClock()
    let client = HTTPClient.forTesting {
      $0.deadline = .seconds(1)
      $0.clock = clock.clock
    }
    clock.advance(by: 1_000_000_000)
    #expect(await outcome(of: .to(server.url("/")), by: client.handler) == .failure(.timeout))
    #expect(server.received == [])
  }
}
