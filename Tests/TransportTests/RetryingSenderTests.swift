import HTTP
import Testing

@testable import MarketData
@testable import Transport

/// Failover, retries and rate limits with a manual clock and a list as the network.
@Suite struct RetryingSenderTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var urls = ["https://a/"]
    /// The outcome of each attempt.
    var outcomes: [Result<HTTPResponse, TransportError>]
    /// The deadline in seconds; an attempt takes no time.
    var deadline: Int64?
    /// The URLs in the order of sending, by their host.
    var sent: String
    /// The delays in milliseconds. Jitter is disabled, so they are 100, 200, 400 …
    var sleeps: [Int64] = []
    /// The status, or the error.
    var expected: Result<Int, TransportError>
  }

  static let cases = [
    Case(testDescription: "an immediate response", outcomes: [.status(200)], sent: "a", expected: .success(200)),
    Case(
      testDescription: "a failure, then a response", outcomes: [.failure(.timeout), .status(200)], sent: "aa",
      sleeps: [100], expected: .success(200)),
    Case(
      testDescription: "never more than two retries",
      outcomes: [.status(503), .status(502), .status(500), .status(200)], sent: "aaa", sleeps: [100, 200],
      expected: .success(500)),
    Case(
      testDescription: "the last error is the one reported",
      outcomes: [.status(503), .failure(.timeout), .failure(.cannotConnect("a"))], sent: "aaa", sleeps: [100, 200],
      expected: .failure(.cannotConnect("a"))),
    Case(
      testDescription: "failover is immediate", urls: ["https://a/", "https://b/"],
      outcomes: [.failure(.cannotConnect("a")), .status(200)], sent: "ab", expected: .success(200)),
    Case(
      testDescription: "failover on 5xx, rounds from the first URL", urls: ["https://a/", "https://b/"],
      outcomes: [.status(500), .status(503), .status(200)], sent: "aba", sleeps: [100], expected: .success(200)),
    Case(
      testDescription: "no failover on 404", urls: ["https://a/", "https://b/"], outcomes: [.status(404)], sent: "a",
      expected: .success(404)),
    Case(
      testDescription: "429 stays with its URL", urls: ["https://a/", "https://b/"],
      outcomes: [.status(503), .status(429), .status(200)], sent: "abb", sleeps: [100], expected: .success(200)),
    Case(
      testDescription: "TLS fails over but is not retried", urls: ["https://a/", "https://b/"],
      outcomes: [.failure(.tls("a")), .failure(.tls("b"))], sent: "ab", expected: .failure(.tls("b"))),
    Case(testDescription: "403 is final", outcomes: [.status(403)], sent: "a", expected: .success(403)),
    Case(testDescription: "418 is final", outcomes: [.status(418)], sent: "a", expected: .success(418)),
    Case(testDescription: "451 is final", outcomes: [.status(451)], sent: "a", expected: .success(451)),
    Case(
      testDescription: "too large is final", outcomes: [.failure(.tooLarge(limit: 1))], sent: "a",
      expected: .failure(.tooLarge(limit: 1))),
    Case(
      testDescription: "Retry-After is obeyed", outcomes: [.status(429, retryAfter: "3"), .status(200)], deadline: 10,
      sent: "aa", sleeps: [3_000], expected: .success(200)),
    Case(
      testDescription: "Retry-After as a date",
      outcomes: [.status(429, retryAfter: "Thu, 01 Jan 2026 00:00:05 GMT"), .status(200)], deadline: 10, sent: "aa",
      sleeps: [5_000], expected: .success(200)),
    Case(
      testDescription: "Retry-After of 0 still backs off", outcomes: [.status(429, retryAfter: "0"), .status(200)],
      sent: "aa", sleeps: [100], expected: .success(200)),
    Case(
      testDescription: "Retry-After beyond the deadline", outcomes: [.status(429, retryAfter: "10")], deadline: 10,
      sent: "a", expected: .success(429)),
    Case(
      testDescription: "Retry-After beyond all patience", outcomes: [.status(429, retryAfter: "86400")], sent: "a",
      expected: .success(429)),
    Case(
      testDescription: "Retry-After of a 503", outcomes: [.status(503, retryAfter: "2"), .status(200)], sent: "aa",
      sleeps: [2_000], expected: .success(200)),
    Case(
      testDescription: "no URL", urls: [], outcomes: [], sent: "",
      expected: .failure(.other("the request has no URL"))),
  ]

  @Test(arguments: cases) func delivers(_ example: Case) async {
    let clock = TestClock()
    let wire = ScriptedWire(example.outcomes)
    let request = HTTPRequest(exchange: "Test", name: "x", urls: example.urls)
    let sender = RetryingSender.forTesting(wire, clock)
    let result = await outcome(of: request) { request throws(TransportError) in
      try await sender.send(request, deadline: example.deadline.map { $0 * 1_000_000_000 })
    }
    #expect(result.map(\.status) == example.expected)
    #expect(wire.urls.joined() == example.sent.map { "https://\($0)/" }.joined())
    #expect(clock.sleeps == example.sleeps.map { $0 * 1_000_000 })
  }

  /// If calls are counted, each address is tried only once.
  @Test func countedCallIsTriedOnce() async {
    let wire = ScriptedWire([.status(503), .failure(.timeout), .status(200)])
    var request = HTTPRequest(exchange: "v", name: "n", urls: ["https://a/", "https://b/"])
    request.repetition = .oncePerURL
    let sender = RetryingSender.forTesting(wire, TestClock())
    await #expect(throws: TransportError.timeout) { try await sender.send(request, deadline: nil) }
    #expect(wire.urls == ["https://a/", "https://b/"])
  }

  /// A refused key is sent once, whatever the status of the refusal.
  @Test(arguments: [(429, ""), (500, #"["error",10100,"apikey: invalid"]"#)])
  func refusedKeyIsSentOnce(_ status: Int, _ body: String) async throws {
    let refusal = HTTPResponse(status: status, body: Array(body.utf8))
    let wire = ScriptedWire([.success(refusal), .status(200)])
    var request = HTTPRequest(exchange: "v", name: "n", urls: ["https://a/", "https://b/"])
    request.signer = RequestSigner { url, _ throws(TransportError) in
      RequestSigner.Sending(.to(url == 0 ? "https://a/" : "https://b/"))
    }
    let response = try await RetryingSender.forTesting(wire, TestClock()).send(request, deadline: nil)
    #expect(response.status == status)
    #expect(wire.urls == ["https://a/"])
  }

  /// A request that changes something at the exchange is sent once, whatever its outcome.
  @Test(arguments: [.status(503), .failure(.timeout)] as [Result<HTTPResponse, TransportError>])
  func unrepeatableRequestIsSentOnce(_ failure: Result<HTTPResponse, TransportError>) async {
    let wire = ScriptedWire([failure, .status(200)])
    var request = HTTPRequest(exchange: "v", name: "n", method: "POST", urls: ["https://a/", "https://b/"])
    request.repetition = .never
    let sender = RetryingSender.forTesting(wire, TestClock())
    let result = await outcome(of: request) { request throws(TransportError) in
      try await sender.send(request, deadline: nil)
    }
    #expect(result.map(\.status) == failure.map(\.status))
    #expect(wire.urls == ["https://a/"])
  }

  @Test func attemptGetsRemainingTime() async {
    let clock = TestClock()
    // Each attempt takes two seconds, with a timeout of five, in a run of eight.
    let wire = ScriptedWire([.status(503), .status(503), .status(503)]) { clock.advance(by: 2_000_000_000) }
    var sender = RetryingSender.forTesting(wire, clock)
    sender.rule.firstDelay = .seconds(2)
    _ = await outcome(of: .to("https://a/")) { [sender] request throws(TransportError) in
      try await sender.send(request, deadline: 8_000_000_000)
    }
    // At 0 s five seconds; at 2 + 1 s five; at 5 + 2 s the remaining one.
    #expect(wire.sent.map(\.timeout) == [5_000_000_000, 5_000_000_000, 1_000_000_000])
  }

  /// The run ends in time, however many retries are left.
  @Test func runEndsInTime() async {
    let clock = TestClock()
    let wire = ScriptedWire(Array(repeating: .failure(.timeout), count: 100)) { clock.advance(by: 200_000_000) }
    var sender = RetryingSender.forTesting(wire, clock)
    sender.rule.maximumRetries = 100
    let result = await outcome(of: .to("https://a/")) { [sender] request throws(TransportError) in
      try await sender.send(request, deadline: 2_000_000_000)
    }
    #expect(result == .failure(.timeout))
    // Each takes 200 ms, with 100, 200 and 400 ms between them: the next one would begin at 2.3 s.
    #expect(wire.sent.count == 4)
    #expect(clock.now == 1_500_000_000)
  }

  @Test func redirectsShareOneTimeLimit() async {
    let clock = TestClock()
    let hop = HTTPResponse(status: 302, body: [], redirectTarget: "https://a/next")
    let wire = ScriptedWire(Array(repeating: .success(hop), count: 5)) { clock.advance(by: 2_000_000_000) }
    var sender = RetryingSender.forTesting(wire, clock)
    sender.rule.maximumRetries = 0
    let result = await outcome(of: .to("https://a/")) { [sender] request throws(TransportError) in
      try await sender.send(request, deadline: nil)
    }
    #expect(result == .failure(.timeout))
    #expect(wire.sent.map(\.timeout) == [5_000_000_000, 3_000_000_000, 1_000_000_000])
  }

  /// A fallback address must still have time to respond, host by host as well.
  @Test func shareOfTimeIsNotExceeded() async {
    let clock = TestClock()
    let wire = ScriptedWire(Array(repeating: .failure(.timeout), count: 4)) { clock.advance(by: 2_000_000_000) }
    var sender = RetryingSender.forTesting(wire, clock)
    sender.timeout = 20_000_000_000
    for urls in [["https://a/", "https://b/"], ["https://c/"]] {
      var request = HTTPRequest(exchange: "v", name: "n", urls: urls)
      (request.timeBudgetDivisor, request.repetition) = (2, .oncePerURL)
      _ = await outcome(of: request) { [sender] request throws(TransportError) in
        try await sender.send(request, deadline: 16_000_000_000)
      }
    }
    // Of eight seconds the first address gets four, the last the remainder; of the twelve after that, six.
    #expect(wire.urls == ["https://a/", "https://b/", "https://c/"])
    #expect(wire.sent.map(\.timeout) == [4_000_000_000, 6_000_000_000, 6_000_000_000])
  }

  /// A URL that hangs, be it while its name is searched for, leaves the next one half of the time, and comes last for a
  /// minute.
  @Test(arguments: [.timeout, .cannotResolve("a"), .cannotConnect("a: no answer in time")] as [TransportError])
  func hangingURLComesLast(_ error: TransportError) async {
    let clock = TestClock()
    let wire = ScriptedWire([.failure(error), .status(200), .status(200), .status(200)]) {
      clock.advance(by: 2_500_000_000)
    }
    let sender = RetryingSender.forTesting(wire, clock)
    let request = HTTPRequest(exchange: "v", name: "n", urls: ["https://a/", "https://b/"])
    for pause in [0, 57_500_000_000, 0] as [Int64] {
      _ = await outcome(of: request) { request throws(TransportError) in
        try await sender.send(request, deadline: clock.now + 5_000_000_000)
      }
      clock.advance(by: pause)
    }
    #expect(wire.urls == ["https://a/", "https://b/", "https://b/", "https://a/"])
    #expect(wire.sent.map(\.timeout) == [2_500_000_000, 2_500_000_000, 2_500_000_000, 2_500_000_000])
  }

  /// A host that had no time to answer, be it for the limit or for signing, is not silent: it comes first again.
  ///
  /// The deadline of the request, and the time that its signer takes, are in milliseconds.
  @Test(arguments: [(1_105, nil), (2_000, 2_000)] as [(Int64, Int64?)])
  func hostWithoutTimeIsNotSilent(_ deadline: Int64, _ signing: Int64?) async {
    let clock = TestClock()
    let hurried: [Result<HTTPResponse, TransportError>] = signing == nil ? [.failure(.timeout)] : []
    let wire = ScriptedWire([.status(200)] + hurried + [.status(200)])
    let sender = RetryingSender.forTesting(wire, clock)
    var request = HTTPRequest.to("https://a/", "https://b/") {
      $0.limit = RateLimit(requests: 1, perMilliseconds: 1_000)
    }
    let later = request
    func status(of request: HTTPRequest, deadline: Int64?) async -> Result<Int, TransportError> {
      let result = await outcome(of: request) { request throws(TransportError) in
        try await sender.send(request, deadline: deadline)
      }
      return result.map(\.status)
    }
    #expect(await status(of: request, deadline: 1_000_000_000) == .success(200))
    // The turn of the next one is at 1,100 ms.
    if let signing {
      request.signer = RequestSigner { _, _ throws(TransportError) in
        clock.advance(by: signing * 1_000_000)
        throw .timeout
      }
    }
    #expect(await status(of: request, deadline: deadline * 1_000_000) == .failure(.timeout))
    clock.advance(by: 10_000_000_000)
    #expect(await status(of: later, deadline: nil) == .success(200))
    #expect(wire.urls.allSatisfy { $0 == "https://a/" })
  }

  /// Without time left nothing is sent, and no limit is to blame.
  @Test func lateRequestIsNotOneTooMany() async {
    let clock = TestClock()
    clock.advance(by: 1_000)
    let wire = ScriptedWire([])
    let sender = RetryingSender.forTesting(wire, clock)
    let limit = RateLimit(requests: 1, perMilliseconds: 60_000)
    let result = await outcome(of: .to("https://a/1") { $0.limit = limit }) { request throws(TransportError) in
      try await sender.send(request, deadline: 1_000)
    }
    #expect(result == .failure(.timeout))
    #expect(wire.urls == [])
  }

  @Test func rateLimitSpreadsTheRequestsOfAnExchange() async throws {
    let clock = TestClock()
    let wire = ScriptedWire(Array(repeating: .status(200), count: 6))
    let sender = RetryingSender.forTesting(wire, clock)
    for number in 0..<6 {
      let request = HTTPRequest.to("https://a/\(number)") {
        $0.limit = RateLimit(requests: 2, perMilliseconds: 1_000)
        $0.exchange = number == 5 ? "Other" : "Test"
      }
      _ = try await sender.send(request, deadline: nil)
    }
    // Two at once, then two after a window; the other exchange does not wait.
    #expect(clock.sleeps == [1_100_000_000, 1_100_000_000])
  }

  @Test func redirectsAreCountedByTheRateLimit() async throws {
    let clock = TestClock()
    let redirect = HTTPResponse(status: 302, body: [], redirectTarget: "https://a/next")
    let wire = ScriptedWire([.success(redirect), .success(redirect), .status(200)])
    let request = HTTPRequest.to("https://a/") { $0.limit = RateLimit(requests: 1, perMilliseconds: 60_000) }
    var sender = RetryingSender.forTesting(wire, clock)
    sender.timeout = 1_000_000_000_000
    #expect(try await sender.send(request, deadline: nil).status == 200)
    #expect(clock.sleeps == [60_250_000_000, 60_250_000_000])
  }

  @Test func retriesAreCountedByTheRateLimit() async throws {
    let clock = TestClock()
    let wire = ScriptedWire([.status(503), .status(200)])
    let request = HTTPRequest.to("https://a/") { $0.limit = RateLimit(requests: 1, perMilliseconds: 60_000) }
    let response = try await RetryingSender.forTesting(wire, clock).send(request, deadline: nil)
    #expect(response.attempts == 2)
    #expect(clock.sleeps == [100_000_000, 60_150_000_000])
  }

  @Test func limitThatLeavesNoTimeIsNamed() async {
    let clock = TestClock()
    let wire = ScriptedWire([.status(200), .status(200)])
    let sender = RetryingSender.forTesting(wire, clock)
    let limit = RateLimit(requests: 1, perMilliseconds: 60_000)
    let handler: HTTPHandler = { request throws(TransportError) in
      try await sender.send(request, deadline: 10_000_000_000)
    }
    #expect(await outcome(of: .to("https://a/1") { $0.limit = limit }, by: handler).map(\.status) == .success(200))
    #expect(await outcome(of: .to("https://a/2") { $0.limit = limit }, by: handler) == .failure(.limitUsedUp(limit)))
    #expect("\(TransportError.limitUsedUp(limit))" == "not sent, as the exchange's limit of 1 in 60 s is used up")
    #expect(clock.sleeps == [])
  }

  /// `Retry-After` applies to the host, in later runs too: its last response is repeated, and other hosts are tried.
  @Test func pauseOutlivesTheRun() async {
    let clock = TestClock()
    let body = Array(#"{"error": "slow down, hush-hush"}"#.utf8)
    let refusal = HTTPResponse(status: 429, headers: [HTTPHeader(name: "Retry-After", value: "60")], body: body)
    let wire = ScriptedWire([.success(refusal), .status(200), .status(200), .status(200)])
    let sender = RetryingSender.forTesting(wire, clock)
    func status(_ url: String, secrets: [String] = [], within seconds: Int64 = 10) async -> String {
      let result = await outcome(of: .to(url) { $0.secrets = secrets }) { request throws(TransportError) in
        try await sender.send(request, deadline: clock.now + seconds * 1_000_000_000)
      }
      let response = try? result.get()
      return response.map { response in
        let pause = response.pause.map { " for \($0.components.seconds) s" } ?? ""
        return "\(response.status) \(response.attempts)\(pause) \(String(decoding: response.body, as: UTF8.self))"
      } ?? "\(result)"
    }
    let said = #"{"error": "slow down, REDACTED"}"#
    #expect(await status("https://a/1", secrets: ["hush-hush"]) == "429 1 for 60 s \(said)")
    clock.advance(by: 29_000_000_000)
    #expect(await status("https://a/2") == "429 0 for 31 s \(said)")
    #expect(await status("https://a:8443/2") == "200 1 ")
    #expect(await status("https://b/2") == "200 1 ")
    // The rest of it fits within the time we wait.
    clock.advance(by: 1_000_000_000)
    #expect(await status("https://a/3", within: 31) == "200 1 ")
    #expect(clock.sleeps == [30_000_000_000])
    #expect(wire.urls == ["https://a/1", "https://a:8443/2", "https://b/2", "https://a/3"])
  }

  /// A pause that begins between two attempts does not put another request's answer in place of this one's.
  @Test func pauseAfterAnAttempt() async throws {
    var sender = RetryingSender.forTesting(ScriptedWire([]), TestClock())
    let limiter = sender.limiter
    sender.sendOnce = { _, _ in
      limiter.pause("https://a/other", for: 600_000_000_000, from: 0, HTTPResponse(status: 429, body: []))
      return HTTPResponse(status: 500, body: [])
    }
    let response = try await sender.send(.to("https://a/") { _ in }, deadline: nil)
    #expect(response.status == 500)
    #expect(response.attempts == 1)
  }

  /// The answer of a host is not ascribed to the next one, which is in a pause and not asked.
  @Test func failoverToAPausedHost() async throws {
    let sender = RetryingSender.forTesting(ScriptedWire([.status(500)]), TestClock())
    sender.limiter.pause("https://b/", for: 600_000_000_000, from: 0, HTTPResponse(status: 429, body: []))
    let request = HTTPRequest(exchange: "v", name: "n", urls: ["https://a/", "https://b/"])
    let response = try await sender.send(request, deadline: nil)
    #expect(response.status == 500)
    #expect(response.url == "https://a/")
    #expect(response.pause == nil)
  }

  /// A failing host that demands a pause makes way for the next one.
  @Test func pauseFailsOver() async {
    let clock = TestClock()
    let wire = ScriptedWire([.status(503, retryAfter: "60"), .status(200), .status(200)])
    let sender = RetryingSender.forTesting(wire, clock)
    for _ in 0..<2 {
      let request = HTTPRequest(exchange: "v", name: "n", urls: ["https://a/", "https://b/"])
      let result = await outcome(of: request) { request throws(TransportError) in
        try await sender.send(request, deadline: 10_000_000_000)
      }
      #expect(result.map(\.status) == .success(200))
    }
    #expect(wire.urls == ["https://a/", "https://b/", "https://b/"])
  }

  /// A server that refuses a key repeats it: `Invalid App ID hush-hush`.
  @Test func secretsAreRemovedFromResponses() async throws {
    let body = Array(#"{"error": "Invalid key hush-hush"}"#.utf8)
    let wire = ScriptedWire([.success(HTTPResponse(status: 401, body: body))])
    let request = HTTPRequest(exchange: "v", name: "n", urls: ["https://a/?key=hush-hush"], secrets: ["hush-hush"])
    let response = try await RetryingSender.forTesting(wire, TestClock()).send(request, deadline: nil)
    #expect(String(decoding: response.body, as: UTF8.self) == #"{"error": "Invalid key REDACTED"}"#)
  }

  /// While a long answer is searched for secrets the time runs on. What was not searched is not returned, neither now
  /// nor in answer to the next request.
  @Test(arguments: [(200, 3, true), (200, 16, false), (429, 3, true), (429, 16, false)])
  func secretsAreRemovedInTime(_ status: Int, _ pieces: Int, _ isInTime: Bool) async {
    let clock = TestClock()
    let body = Array(String(repeating: "-", count: pieces << 16).utf8) + Array("hush-hush".utf8)
    let headers = status == 200 ? [] : [HTTPHeader(name: "Retry-After", value: "60")]
    let wire = ScriptedWire([.success(HTTPResponse(status: status, headers: headers, body: body))])
    var slow = RetryingSender.forTesting(wire, clock)
    // Once there is an answer, half a second passes between two looks at the clock; an attempt has five.
    slow.clock.now = {
      if !wire.sent.isEmpty { clock.advance(by: 500_000_000) }
      return clock.now
    }
    let sender = slow
    func end(of url: String) async -> Result<String, TransportError> {
      let result = await outcome(of: .to(url) { $0.secrets = ["hush-hush"] }) { request throws(TransportError) in
        try await sender.send(request, deadline: 60_000_000_000)
      }
      return result.map { String(decoding: $0.body.suffix(10), as: UTF8.self) }
    }
    #expect(await end(of: "https://a/1") == (isInTime ? .success("--REDACTED") : .failure(.timeout)))
    // Of the answer to the first request, which asks for a pause, so long a body is not kept.
    if status == 429 { #expect(await end(of: "https://a/2") == .success("")) }
    #expect(wire.urls == ["https://a/1"])
  }

  /// A longer pause for another reason does not hide that there were too many requests, which concerns streams, too.
  @Test func aLongerPauseHidesNoBan() {
    let sender = RetryingSender.forTesting(ScriptedWire([]), TestClock())
    for (status, seconds) in [(429, 300), (503, 600)] {
      let answer = HTTPResponse(status: status, body: [])
      sender.limiter.pause("https://a/x", for: Int64(seconds) * 1_000_000_000, from: 0, answer)
    }
    #expect(sender.limiter.pause(of: "https://a/y", at: 0)?.answer.status == 503)
    #expect(sender.refusal(ofStreamAt: "wss://a/ws") == .refused(status: 429, retryAfter: "300"))
  }

  @Test func secretsAreRemovedFromErrors() async {
    let wire = ScriptedWire([.failure(.other("bad path /hush%20hush"))])
    let sender = RetryingSender.forTesting(wire, TestClock())
    let result = await outcome(of: .to("https://a/hush%20hush") { $0.secrets = ["hush hush"] }) {
      request throws(TransportError) in try await sender.send(request, deadline: nil)
    }
    #expect(result == .failure(.other("bad path /REDACTED")))
  }
}

extension RetryingSender {
  static func forTesting(_ wire: ScriptedWire, _ clock: TestClock) -> RetryingSender {
    RetryingSender(
      sendOnce: wire.sendOnce, limiter: RateLimiter(), rule: RetryRule(), clock: clock.clock, chance: { 0 },
      timeout: 5_000_000_000)
  }
}
