import Testing

@testable import Transport

/// Nothing outlives its time. The real clock runs here; how late an end may come is left to the machine, since what never
/// ends never passes.
@Suite struct DeadlineTests {
  static let slowAnswers: [[LoopbackServer.Step]] = [
    [.hold],
    [.bytes(Answer.head(headers: ["Content-Length: 100000"])), .hold],
    [.bytes(Answer.head(headers: ["Content-Length: 100000"])), .drip([UInt8](repeating: 120, count: 100_000))],
  ]

  @Test(arguments: slowAnswers) func attemptEnds(_ steps: [LoopbackServer.Step]) async throws {
    let server = try LoopbackServer { _ in steps }
    defer { server.stop() }
    let client = HTTPClient.forTesting { $0.timeout = .milliseconds(150) }
    let start = ContinuousClock.now
    #expect(await outcome(of: .to(server.url("/")), by: client.exchange) == .failure(.timeout))
    #expect(ContinuousClock.now - start >= .milliseconds(140))
  }

  @Test func runEndsThoughRetriesAreLeft() async throws {
    let server = try LoopbackServer { $0.target == "/warm" ? [.bytes(Answer.ok(""))] : [.hold] }
    defer { server.stop() }
    let client = HTTPClient.forTesting {
      $0.timeout = .milliseconds(200)
      $0.deadline = nil
      $0.retryRule.maximumRetries = 100
    }
    // The library starts with the first request, which on a busy machine can take longer than the run that is timed.
    while await outcome(of: .to(server.url("/warm")), by: client.newRun(deadline: nil)) == .failure(.timeout) {}
    let start = ContinuousClock.now
    let run = client.newRun(deadline: .seconds(2))
    #expect(await outcome(of: .to(server.url("/")), by: run) == .failure(.timeout))
    #expect(ContinuousClock.now - start >= .milliseconds(1800))
    #expect(server.received.filter { $0.target == "/" }.count > 1)
  }

  @Test func redirectsShareOneTime() async throws {
    let server = try LoopbackServer { request in
      request.target == "/" ? [.bytes(Answer.redirect(to: "/slow"))] : [.hold]
    }
    defer { server.stop() }
    let client = HTTPClient.forTesting { $0.timeout = .seconds(2) }
    #expect(await outcome(of: .to(server.url("/")), by: client.exchange) == .failure(.timeout))
    #expect(server.received.map(\.target) == ["/", "/slow"])
  }

  @Test func afterTheDeadlineNothingIsSent() async throws {
    let server = try LoopbackServer { _ in [.bytes(Answer.ok(""))] }
    defer { server.stop() }
    let clock = TestClock()
    let client = HTTPClient.forTesting {
      $0.deadline = .seconds(1)
      $0.clock = clock.clock
    }
    clock.advance(by: 1_000_000_000)
    #expect(await outcome(of: .to(server.url("/")), by: client.exchange) == .failure(.timeout))
    #expect(server.received == [])
  }
}
