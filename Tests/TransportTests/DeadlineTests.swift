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
      await outcome(of: .to(server.url("/")), by: client.newRun(deadline: .milliseconds(150)).handler)
        == .failure(.timeout))
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

  /// A further page is requested after the deadline, and the run then has its time again, unless that is fixed.
  @Test(arguments: [false, true]) func furtherPagesProlongTheRun(_ isFixed: Bool) async throws {
    let server = try LoopbackServer { _ in [.bytes(Answer.ok(""))] }
    defer { server.stop() }
    let clock = TestClock()
    let client = HTTPClient.forTesting {
      $0.deadline = .seconds(1)
      $0.isDeadlineFixed = isFixed
      $0.clock = clock.clock
    }
    clock.advance(by: 1_000_000_000)
    var page = HTTPRequest.to(server.url("/page"))
    page.prolongsRun = true
    var sent: [Bool] = []
    for request in [.to(server.url("/before")), page, .to(server.url("/after"))] {
      sent.append((try? await outcome(of: request, by: client.handler).get()) != nil)
    }
    #expect(sent == [false, !isFixed, !isFixed])
    #expect(client.timeLeft == (isFixed ? .zero : .seconds(1)))
  }

  /// A further page has the time of the whole run, and no more: what is to be asked again later than that is not.
  @Test func furtherPagesKeepToTheTimeOfTheRun() async throws {
    let server = try LoopbackServer { _ in
      [.bytes(Answer.ok("", status: "429 Too Many Requests", headers: ["Retry-After: 30"]))]
    }
    defer { server.stop() }
    let client = HTTPClient.forTesting { $0.deadline = .seconds(3) }
    var page = HTTPRequest.to(server.url("/page"))
    page.prolongsRun = true
    let answer = try await outcome(of: page, by: client.handler).get()
    #expect(answer.status == 429 && server.received.count == 1)
  }
}
