import HTTP
import MarketData
import Quotes
import Synchronization
import Testing

/// The difference between this machine's clock and those of hosts.
@Suite struct HostClockTests {
  /// Returns a time on 14 November 2023, in milliseconds after 22:13:20 UTC.
  private static func time(_ milliseconds: Int64) -> Instant {
    Instant(nanoseconds: (1_700_000_000_000 + milliseconds) * 1_000_000)
  }

  private static func date(_ second: Int) -> HTTPHeader {
    HTTPHeader(name: "Date", value: "Tue, 14 Nov 2023 22:13:\(second) GMT")
  }

  /// Times in milliseconds after 22:13:20: sent, received, the host's whole second, and how far the clock is ahead.
  @Test(arguments: [
    (0, 100, 20, 0), (900, 1100, 20, 0), (999, 999, 20, 0), (1500, 1600, 20, 500), (6000, 6050, 20, 5000),
    (6001, 6050, 20, 5001), (0, 9000, 22, 0), (0, 100, 25, -4900), (0, 100, 26, -5900), (0, 5000, 26, -1000),
  ])
  func reading(_ sent: Int64, _ received: Int64, _ second: Int, _ ahead: Int64) throws {
    let reading = try #require(ClockReading([Self.date(second)], sent: Self.time(sent), received: Self.time(received)))
    #expect(reading.ahead == ahead * 1_000_000)
    #expect(reading.isTooFar == (abs(ahead) > 5000))
  }

  @Test(
    arguments: [
      ([date(20), HTTPHeader(name: "Age", value: "10")], 30), ([date(20), HTTPHeader(name: "age", value: "0")], 20),
      ([date(20), HTTPHeader(name: "Age", value: "10, 30")], 30),
      ([date(20), HTTPHeader(name: "Age", value: "10"), HTTPHeader(name: "Age", value: "20")], 40),
      ([date(20), HTTPHeader(name: "Age", value: "99999999999")], nil),
      ([date(20), HTTPHeader(name: "Age", value: "99999999999999999999")], nil),
      ([date(20), HTTPHeader(name: "Age", value: "-1")], nil), ([HTTPHeader(name: "Date", value: "yesterday")], nil),
      ([], nil),
    ] as [([HTTPHeader], Int64?)])
  func headers(_ headers: [HTTPHeader], _ second: Int64?) {
    let reading = ClockReading(headers, sent: Self.time(0), received: Self.time(1))
    #expect(reading?.theirs == second.map { Self.time(($0 - 20) * 1000) })
  }

  private func answer(_ second: Int, _ url: String) -> HTTPResponse {
    HTTPResponse(headers: [Self.date(second)], body: [], url: url)
  }

  /// Each host gets one bare `HEAD` request, however many ask at once.
  @Test func requestsEachHostOnce() async throws {
    let log = Mutex<[HTTPRequest]>([])
    let clock = HostClock(
      { request throws(TransportError) in
        log.withLock { $0.append(request) }
        return self.answer(40, request.urls[0])
      }, now: { Self.time(0) }, elapsed: { 0 })
    let problem = SecretProblem.clock(host: "a.test", own: Self.time(0), theirs: Self.time(20_000))
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask { await #expect(throws: problem) { try await clock.check("https://a.test/api") } }
      }
    }
    let sent = log.withLock { $0 }
    #expect(sent.map(\.method) == ["HEAD"] && sent.first?.urls == ["https://a.test/api"])
    #expect(sent.first?.headers == [] && sent.first?.secrets == [] && sent.first?.repetition == .never)
    await #expect(throws: SecretProblem.self) { try await clock.check("https://b.test") }
    #expect(log.withLock { $0.count } == 2)
  }

  /// The response to another request of the run is enough; a recording's date does not count.
  @Test func readsDatesOfOtherResponses() async throws {
    let clock = HostClock({ _ throws(TransportError) in throw .timeout }, now: { Self.time(0) }, elapsed: { 0 })
    let noting = clock.noting { request throws(TransportError) in
      var answer = self.answer(request.name == "old" ? 50 : 20, request.urls[0])
      answer.isRecorded = request.name == "old"
      return answer
    }
    for name in ["new", "old"] {
      _ = try await noting(HTTPRequest(exchange: "A", name: name, urls: ["https://a.test:443/x?y"]))
    }
    try await clock.check("https://A.test/other")
    #expect(clock.reading(of: "https://a.test")?.theirs == Self.time(0))
    // A host that does not respond is no reason to stop, and is not asked again.
    for _ in 0..<2 { try await clock.check("https://b.test") }
  }

  /// After ten seconds a host whose time was too different is asked again: the clock may have been corrected.
  @Test func asksAgainLater() async throws {
    let state = Mutex((now: Self.time(0), second: 40, count: 0))
    let clock = HostClock(
      { request throws(TransportError) in
        let second = state.withLock { state in
          state.count += 1
          return state.second
        }
        return self.answer(second, request.urls[0])
      }, now: { state.withLock { $0.now } }, elapsed: { state.withLock { $0.now.nanoseconds } })
    await #expect(throws: SecretProblem.self) { try await clock.check("https://a.test") }
    state.withLock { ($0.now, $0.second) = (Self.time(9000), 29) }
    await #expect(throws: SecretProblem.self) { try await clock.check("https://a.test") }
    state.withLock { $0.now = Self.time(10_000) }
    try await clock.check("https://a.test")
    #expect(state.withLock { $0.count } == 2)
  }

  /// A reading is of the clock as it was set then: after a correction the host is asked again at once.
  @Test(arguments: [7_200_000, -7_200_000] as [Int64]) func asksAgainOnceTheClockIsSet(_ ahead: Int64) async throws {
    let state = Mutex((now: Self.time(ahead), elapsed: Int64(0), count: 0))
    let clock = HostClock(
      { request throws(TransportError) in
        state.withLock { $0.count += 1 }
        return self.answer(20, request.urls[0])
      }, now: { state.withLock { $0.now } }, elapsed: { state.withLock { $0.elapsed } })
    await #expect(throws: SecretProblem.self) { try await clock.check("https://a.test") }
    #expect(clock.difference(from: "https://a.test") != nil)
    state.withLock { ($0.now, $0.elapsed) = (Self.time(1000), 1_000_000_000) }
    #expect(clock.difference(from: "https://a.test") == nil)
    try await clock.check("https://a.test")
    #expect(state.withLock { $0.count } == 2)
  }

  /// What is read while the clock is set says nothing, nor does an answer from before, which equal requests share.
  ///
  /// Times in milliseconds: how far the clock is set while the request is under way, and when its answer arrived.
  @Test(
    arguments: [
      (0, nil, true), (0, 3000, true), (900, nil, true), (1100, nil, false), (-7_200_000, nil, false),
      (7_200_000, nil, false), (0, 2999, false),
    ] as [(Int64, Int64?, Bool)])
  func dropsWhatProvesNothing(_ step: Int64, _ arrival: Int64?, _ isRead: Bool) async throws {
    let state = Mutex(Self.time(3000))
    let clock = HostClock(
      { _ throws(TransportError) in throw .timeout }, now: { state.withLock { $0 } }, elapsed: { 0 })
    let noting = clock.noting { request throws(TransportError) in
      state.withLock { $0 = $0.advanced(by: .milliseconds(step)) }
      var answer = self.answer(20, request.urls[0])
      answer.arrival = arrival.map { Self.time($0) }
      return answer
    }
    _ = try await noting(HTTPRequest(exchange: "A", name: "a", urls: ["https://a.test"]))
    #expect((clock.reading(of: "https://a.test") != nil) == isRead)
  }
}
