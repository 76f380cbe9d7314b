import Testing

@testable import Transport

/// Nothing outlives its time. The real clock runs here, for some hundred milliseconds.
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
    #expect((.milliseconds(140)...(.seconds(4))).contains(ContinuousClock.now - start))
  }

  @Test func runEndsThoughRetriesAreLeft() async throws {
    let server = try LoopbackServer { _ in [.hold] }
    defer { server.stop() }
    let client = HTTPClient.forTesting {
      $0.timeout = .milliseconds(100)
      $0.deadline = .milliseconds(800)
      $0.retryRule.maximumRetries = 100
    }
    let start = ContinuousClock.now
    #expect(await outcome(of: .to(server.url("/")), by: client.exchange) == .failure(.timeout))
    #expect((.milliseconds(600)...(.seconds(4))).contains(ContinuousClock.now - start))
    #expect(server.received.count > 1)
  }

  @Test func redirectsShareOneTime() async throws {
    let server = try LoopbackServer { request in
      request.target == "/" ? [.bytes(Answer.redirect(to: "/slow"))] : [.hold]
    }
    defer { server.stop() }
    let client = HTTPClient.forTesting { $0.timeout = .milliseconds(600) }
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
