import Files
import HTTP
import Quotes
import Synchronization
import TestSupport
import Testing

@testable import Transport

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Calls are counted before they are made, shared between processes, and never exceed their rule.
@Suite struct CallLedgerTests {
  static let hourly = CallRule(everyMilliseconds: 3_600_000, atSeconds: 30, budget: .init(calls: 1000, per: .month))

  /// A provider that counts its calls, with a manually advanced clock.
  final class Provider: Sendable {
    private struct State {
      var calls = 0
      var now = Instant(nanoseconds: 0)
      var status = 200
      var body = "{}"
    }

    private let state: Mutex<State>

    init(at time: String) {
      var state = State()
      state.now = .at(time)
      self.state = Mutex(state)
    }

    var calls: Int { state.withLock { $0.calls } }
    var now: Instant { state.withLock { $0.now } }

    func advance(seconds: Int64) { state.withLock { $0.now = $0.now.advanced(by: .seconds(seconds)) } }
    func set(now: Instant) { state.withLock { $0.now = now } }
    func answers(_ body: String, status: Int = 200) { state.withLock { ($0.body, $0.status) = (body, status) } }

    var handler: HTTPHandler {
      { [self] request throws(TransportError) in
        let (status, body, now) = state.withLock { state in
          state.calls += 1
          return (state.status, state.body, state.now)
        }
        if status == 0 { throw .timeout }
        if status < 0 { throw .cannotResolve("rates.example") }
        return HTTPResponse(status: status, body: Array(body.utf8), arrival: now, url: request.urls[0])
      }
    }

    func ask(
      _ ledger: CallLedger, _ rule: CallRule = hourly, since: Instant? = nil, key: String = "app-1234567890",
      path: String = "/latest", of owner: String = "Rates", hosts: [String] = ["rates.example"],
      headers: [HTTPHeader] = []
    ) async -> CallReport {
      let request = HTTPRequest(
        exchange: "Rates", name: "rate", urls: hosts.map { "https://\($0)\(path)?app_id=\(key)" }, headers: headers,
        secrets: [key])
      return await ledger.answers(
        to: request, of: owner, rule: rule, since: since, now: { self.now }, by: handler,
        worth: { outcome, _ in
          guard case .success(let response) = outcome else { return .bad(CallFailure(.timeout)) }
          if response.status != 200 { return .bad(CallFailure(.http(response.status), "not authorised")) }
          return response.body == Array("odd".utf8) ? .doubtful : .good
        })
    }
  }

  private static func bodies(_ report: CallReport) -> [String] {
    report.answers.map { String(decoding: $0.body, as: UTF8.self) }
  }

  /// Returns a provider that has been asked once.
  static func asked(in folder: TemporaryFolder) async -> (Provider, DiskCache, CallLedger) {
    let (provider, cache) = (Provider(at: "2026-11-18T05:00:40Z"), DiskCache(directory: folder.path))
    let ledger = CallLedger(cache)
    _ = await provider.ask(ledger)
    return (provider, cache, ledger)
  }

  /// An interrupted call has an unknown outcome: the entry stored before it says so, and the call counts.
  @Test func interruptedCallCounts() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let (provider, cache, ledger) = await Self.asked(in: folder)
    var log = try #require(cache.latest("answers of Rates").flatMap { CallLog(decoding: $0) })
    var entry = try #require(log.entries.first)
    #expect(!entry.isUnderway)
    provider.advance(seconds: 3600)
    (entry.isUnderway, entry.lastCall) = (true, provider.now)
    log.set(entry)
    cache.put("answers of Rates", log.encoded, now: provider.now)

    for _ in 0..<2 {
      let report = await provider.ask(ledger)
      #expect(report.trouble == .failed(CallFailure(.noAnswer(.cutOff), "the last call was cut off")))
      #expect(Self.bodies(report) == ["{}"])
    }
    #expect(provider.calls == 1)
    provider.advance(seconds: 3600)
    #expect(await provider.ask(ledger).trouble == nil)
    #expect(provider.calls == 2)
  }

  /// A request made during another call waits for that call's outcome, and is not told that there is none.
  @Test func concurrentCallersWaitForTheOutcome() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let provider = Provider(at: "2026-11-18T05:00:40Z")
    let cache = DiskCache(directory: folder.path)
    let second = Mutex<Task<CallReport, Never>?>(nil)
    let request = HTTPRequest(
      exchange: "Rates", name: "rate", urls: ["https://rates.example/latest?app_id=app-1234567890"],
      secrets: ["app-1234567890"])
    let first = await CallLedger(cache).answers(
      to: request, of: "Rates", rule: Self.hourly, now: { provider.now },
      by: { request throws(TransportError) in
        second.withLock { $0 = Task { await provider.ask(CallLedger(cache, patience: { .seconds(600) })) } }
        // Time enough to return without a result.
        for _ in 0..<20 { await Task.yield() }
        return try await provider.handler(request)
      }, worth: { _, _ in .good })
    #expect(Self.bodies(first) == ["{}"])
    let other = await second.withLock { $0 }?.value
    #expect(other.map(Self.bodies) == ["{}"])
    #expect(other?.trouble == nil)
    #expect(provider.calls == 1)
  }

  /// The remaining budget can be queried without a call.
  @Test func callCountIsAvailableWithoutACall() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let provider = Provider(at: "2026-11-18T05:00:40Z")
    let ledger = CallLedger(DiskCache(directory: folder.path))
    let budget = CallRule.Budget(calls: 1000, per: .month)
    #expect(ledger.calls(to: ["https://rates.example/x"], in: budget, now: provider.now) == nil)
    _ = await provider.ask(ledger)
    provider.advance(seconds: 3600)
    _ = await provider.ask(ledger)
    #expect(ledger.calls(to: ["https://rates.example/x"], in: budget, now: provider.now) == 2)
    provider.advance(seconds: 31 * 86_400)
    #expect(ledger.calls(to: ["https://rates.example/x"], in: budget, now: provider.now) == 0)
    #expect(CallLedger(nil).calls(to: ["https://rates.example"], in: budget, now: provider.now) == nil)
  }

  @Test func oneCallLastsForAnHour() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let provider = Provider(at: "2026-11-18T05:00:10Z")
    let ledger = CallLedger(DiskCache(directory: folder.path))
    // There is nothing new in the first half minute, and nothing is cached.
    #expect(await provider.ask(ledger).trouble == .tooEarly)
    provider.advance(seconds: 20)
    provider.answers("first")
    #expect(await provider.ask(ledger).wasCalled)
    provider.answers("second")
    for _ in 0..<10 {
      let report = await provider.ask(ledger)
      #expect(Self.bodies(report) == ["first"] && report.trouble == nil && !report.wasCalled)
      provider.advance(seconds: 350)
    }
    provider.advance(seconds: 101)
    let later = await provider.ask(ledger)
    #expect(Self.bodies(later) == ["second"] && later.calls == 2)
    #expect(later.previous.map { String(decoding: $0.body, as: UTF8.self) } == "first")
    // No secret is on the disk.
    for file in try folder.files() { #expect(try !folder.read(file).contains("app-1234567890")) }
  }

  @Test func failureKeepsLastResponse() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let provider = Provider(at: "2026-11-18T05:00:00Z")
    let ledger = CallLedger(DiskCache(directory: folder.path))
    let rule = CallRule(everyMilliseconds: 60_000)
    provider.answers("good")
    _ = await provider.ask(ledger, rule)
    provider.answers("", status: 0)
    var callsAt: [Int] = []
    for minute in 1...40 {
      provider.advance(seconds: 60)
      let report = await provider.ask(ledger, rule)
      if report.wasCalled { callsAt.append(minute) }
      #expect(Self.bodies(report) == ["good"])
      #expect(report.trouble == .failed(CallFailure(.timeout)))
    }
    // One, five and fifteen minutes after a failure.
    #expect(callsAt == [1, 2, 7, 22, 37])
  }

  @Test func doubtfulResponsePrecedesTheGoodOne() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let provider = Provider(at: "2026-11-18T05:00:00Z")
    let ledger = CallLedger(DiskCache(directory: folder.path))
    var seen: [[String]] = []
    for body in ["one", "odd", "odd", "two"] {
      provider.answers(body)
      seen.append(Self.bodies(await provider.ask(ledger, CallRule(everyMilliseconds: 60_000))))
      provider.advance(seconds: 60)
    }
    #expect(seen == [["one"], ["odd", "one"], ["odd", "one"], ["two"]])
  }

  @Test func responseSinceGivenMomentIsEnough() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let provider = Provider(at: "2026-11-18T15:00:30Z")
    let ledger = CallLedger(DiskCache(directory: folder.path))
    let rule = CallRule(everyMilliseconds: 60_000)
    let midnight = Instant.at("2026-11-18T15:00:00Z")
    _ = await provider.ask(ledger, rule, since: midnight)
    for _ in 0..<100 {
      provider.advance(seconds: 300)
      _ = await provider.ask(ledger, rule, since: midnight)
    }
    #expect(provider.calls == 1)
  }

  /// What arrived by a clock that was ahead may be from before the given moment; a minute's difference is none.
  @Test(arguments: [(9 * 3600, 2), (60, 1), (61, 2)]) func responseOfClockAheadIsNotEnough(_ ahead: Int, _ calls: Int)
    async throws
  {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let provider = Provider(at: "2026-11-18T15:10:00Z")
    let ledger = CallLedger(DiskCache(directory: folder.path))
    let midnight = Instant.at("2026-11-18T15:00:00Z")
    provider.advance(seconds: Int64(ahead))
    for wait in [-ahead, 0, 300] {
      _ = await provider.ask(ledger, CallRule(everyMilliseconds: 1000), since: midnight)
      provider.advance(seconds: Int64(wait))
    }
    #expect(provider.calls == calls)
  }

  @Test func newSecretIsTriedAtOnce() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let provider = Provider(at: "2026-11-18T05:00:40Z")
    let ledger = CallLedger(DiskCache(directory: folder.path))
    provider.answers("no", status: 401)
    _ = await provider.ask(ledger, key: "wrong-key")
    _ = await provider.ask(ledger, key: "wrong-key")
    provider.answers("yes")
    #expect(Self.bodies(await provider.ask(ledger, key: "right-key")) == ["yes"])
    #expect(provider.calls == 2)
  }

  @Test func exhaustedBudgetLastsUntilPeriodEnds() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let provider = Provider(at: "2026-11-18T05:00:00Z")
    let ledger = CallLedger(DiskCache(directory: folder.path))
    let rule = CallRule(everyMilliseconds: 60_000, budget: .init(calls: 3, per: .day))
    for _ in 0..<10 {
      _ = await provider.ask(ledger, rule)
      provider.advance(seconds: 60)
    }
    let report = await provider.ask(ledger, rule)
    #expect(report.trouble == .overBudget(calls: 3))
    #expect(report.nextCall == .at("2026-11-19T00:00:00Z"))
    #expect(provider.calls == 3)
    provider.set(now: report.nextCall ?? provider.now)
    #expect(await provider.ask(ledger, rule).wasCalled)
  }

  /// A budget belongs to a host and a secret, whatever the caller, name, period or letter case (X2, X6b).
  @Test func budgetBelongsToHostAndSecret() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let provider = Provider(at: "2026-11-18T05:00:00Z")
    let ledger = CallLedger(DiskCache(directory: folder.path))
    let daily = CallRule(everyMilliseconds: 1, budget: .init(calls: 3, per: .day))
    let monthly = CallRule(everyMilliseconds: 1, budget: .init(calls: 3, per: .month))
    for round in 0..<10 {
      let isOdd = round % 2 == 1
      _ = await provider.ask(
        ledger, isOdd ? daily : monthly, path: "/\(round)", of: "owner \(round)",
        hosts: [isOdd ? "rates.example" : "RATES.example.:443"])
      provider.advance(seconds: 60)
    }
    #expect(provider.calls == 3)
    // Another key has its own budget, and so has another host.
    #expect(await provider.ask(ledger, daily, key: "another-key").wasCalled)
    #expect(await provider.ask(ledger, daily, hosts: ["other.example"]).wasCalled)
    // A new day resets only the daily budget.
    provider.advance(seconds: 86_400)
    #expect(await provider.ask(ledger, daily).wasCalled)
    #expect(await provider.ask(ledger, monthly, path: "/x").trouble == .overBudget(calls: 3))
  }

  /// A cached response for one owner is not used for another, nor for a request with other headers or more hosts (X2).
  @Test func cachedResponsesAreNotShared() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let provider = Provider(at: "2026-11-18T05:00:00Z")
    let ledger = CallLedger(DiskCache(directory: folder.path))
    let rule = CallRule(everyMilliseconds: 3_600_000)
    provider.answers("mine")
    _ = await provider.ask(ledger, rule)
    provider.answers("theirs")
    #expect(Self.bodies(await provider.ask(ledger, rule, of: "Other")) == ["theirs"])
    let header = HTTPHeader(name: "X-Fail", value: "1")
    #expect(Self.bodies(await provider.ask(ledger, rule, headers: [header])) == ["theirs"])
    #expect(Self.bodies(await provider.ask(ledger, rule, hosts: ["rates.example", "mine.example"])) == ["theirs"])
    #expect(Self.bodies(await provider.ask(ledger, rule)) == ["mine"])
    #expect(provider.calls == 4)
  }

  /// Two wrong keys in turn are two failures, each with its own wait; a fifth new one waits like the fourth (X6b).
  @Test func wrongKeysInTurnMustWait() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let provider = Provider(at: "2026-11-18T05:00:40Z")
    let ledger = CallLedger(DiskCache(directory: folder.path))
    let rule = CallRule(everyMilliseconds: 1000)
    provider.answers("no", status: 401)
    for second in 0..<20 {
      _ = await provider.ask(ledger, rule, key: second % 2 == 0 ? "wrong-key-a" : "wrong-key-b")
      provider.advance(seconds: 1)
    }
    #expect(provider.calls == 2)
    for number in 0..<20 { _ = await provider.ask(ledger, rule, key: "wrong-key-\(number)") }
    #expect(provider.calls <= 6)
  }

  /// Every attempt counts, including other hosts and redirects, and none exceeds the budget (X6b).
  @Test(arguments: [(1, 1), (2, 2), (10, 3)]) func failoverStaysWithinTheBudget(_ budget: Int, _ sent: Int) async throws
  {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let now = Instant.at("2026-11-18T05:00:00Z")
    let wire = ScriptedWire(Array(repeating: .status(503), count: 20))
    let sender = RetryingSender.forTesting(wire, TestClock())
    let cache = DiskCache(directory: folder.path)
    let request = HTTPRequest(exchange: "Rates", name: "rate", urls: ["a", "b", "c"].map { "https://\($0).example/" })
    let report = await CallLedger(cache).answers(
      to: request, of: "Rates", rule: CallRule(budget: .init(calls: budget, per: .day)), now: { now },
      by: { request throws(TransportError) in try await sender.send(request, deadline: nil) },
      worth: { _, _ in .bad(CallFailure(.http(503))) })
    #expect(wire.sent.count == sent)
    #expect(report.calls == sent)
  }

  @Test func redirectsCountAsCalls() async throws {
    func redirect(_ target: String) -> Result<HTTPResponse, TransportError> {
      .success(HTTPResponse(status: 302, body: [], redirectTarget: target))
    }
    let meter = SendCounter(limit: 3)
    let wire = ScriptedWire(Array(repeating: redirect("https://a.example/again"), count: 6))
    let sender = RetryingSender.forTesting(wire, TestClock())
    var request = HTTPRequest(exchange: "A", name: "x", urls: ["https://a.example/"])
    (request.meter, request.repetition) = (meter, .oncePerURL)
    await #expect(throws: TransportError.redirectRefused("its call budget is used up")) {
      try await sender.send(request, deadline: nil)
    }
    #expect(wire.sent.count == 3 && meter.count == 3)
  }

  /// Without a place to count, limited calls are not made, but unlimited ones are.
  @Test func noLimitedCallsWithoutStorage() async throws {
    let provider = Provider(at: "2026-11-18T05:00:40Z")
    for cache in [nil, DiskCache(directory: "/dev/null/market")] {
      let ledger = CallLedger(cache)
      #expect(await provider.ask(ledger).trouble == .uncountable)
      #expect(await provider.ask(ledger, CallRule(everyMilliseconds: 60_000)).wasCalled)
    }
    #expect(provider.calls == 2)
  }

  @Test func cachedResponseIsReadableWithoutCalling() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let provider = Provider(at: "2026-11-18T05:00:40Z")
    provider.answers("kept")
    _ = await provider.ask(CallLedger(DiskCache(directory: folder.path)))
    provider.advance(seconds: 86_400)
    let silent = CallLedger(DiskCache(directory: folder.path), mayCall: false)
    #expect(Self.bodies(await provider.ask(silent)) == ["kept"])
    #expect(provider.calls == 1)
  }

  /// Two hundred concurrent callers act like two hundred processes, each with its own descriptor for the lock.
  @Test func concurrentCallersMakeOneCall() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let provider = Provider(at: "2026-11-18T05:00:40Z")
    provider.answers("one")
    await withTaskGroup(of: [String].self) { group in
      for _ in 0..<50 {
        group.addTask {
          let ledger = CallLedger(DiskCache(directory: folder.path), patience: { .seconds(600) })
          return Self.bodies(await provider.ask(ledger))
        }
      }
      for await bodies in group { #expect(bodies == ["one"]) }
    }
    #expect(provider.calls == 1)
  }

  @Test func damagedRecordIsDiscarded() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let provider = Provider(at: "2026-11-18T05:00:40Z")
    let cache = DiskCache(directory: folder.path)
    let ledger = CallLedger(cache)
    _ = await provider.ask(ledger)
    let counts = try #require(cache.latest(CallCounts.key))
    for file in try folder.files() where file.hasSuffix(".cache") { try folder.write("{", to: file) }
    cache.put(CallCounts.key, counts, now: provider.now)
    #expect(await provider.ask(ledger).wasCalled)
  }

  @Test func logRoundTrips() {
    var log = CallLog()
    for index in 0..<40 {
      log.set(
        .init(
          request: "GET /\(index) \"ü\"\n", lastCall: Instant(nanoseconds: Int64(index) * Instant.second),
          failures: index % 3,
          failure: index % 3 == 0 ? nil : CallFailure(.http(401), index % 2 == 0 ? nil : "no"), secretMark: "1f",
          refused: index % 2 == 0 ? [] : [.init(mark: "2e", time: Instant(nanoseconds: 7), failures: 3)],
          answers: [
            KeptAnswer(
              arrival: Instant(nanoseconds: 5), status: 200, body: Array("{\"a\": \"\\u0000\"}".utf8), isDoubtful: true,
              url: "https://a.test/")
          ]))
    }
    #expect(log.entries.count == 32)
    #expect(CallLog(decoding: log.encoded) == log)
  }

  /// A failure that another version of the program has written under a code of its own is still one.
  @Test func unknownCodeIsAFailure() throws {
    var log = CallLog()
    log.set(
      .init(
        request: "GET /", lastCall: Instant(nanoseconds: 0), failures: 1, failure: CallFailure(.timeout, "late"),
        secretMark: "1f"))
    let text = String(decoding: log.encoded, as: UTF8.self).replacing(#""timeout""#, with: #""no-answer new""#)
    let read = try #require(CallLog(decoding: Array(text.utf8)))
    #expect(read.entries.map(\.failure) == [CallFailure(.noAnswer(.transport), "late")])
  }

  // MARK: A month

  enum Habit: String, CaseIterable, Sendable {
    case watch = "a view that asks all the time"
    case twoTimers = "two timers"
    case wrongKey = "a wrong key all month"
    case resume = "a machine that wakes up every minute"
  }

  /// A month of 744 hours never takes more than 744 calls, whatever the caller's habit and the responses.
  @Test(.serialized, arguments: Habit.allCases) func monthStaysWithinBudget(_ habit: Habit) async throws {
    let folder = try TemporaryFolder(inMemory: true)
    defer { folder.remove() }
    let provider = Provider(at: "2026-10-01T00:00:00Z")
    let first = CallLedger(DiskCache(directory: folder.path))
    let second = CallLedger(DiskCache(directory: folder.path))
    let start = provider.now
    // The beginning of each hour is simulated by the second, the rest as the habit requires.
    for hour in 0..<Int64(744) {
      let base = start.advanced(by: .seconds(hour * 3600))
      // Other tests are waiting for responses.
      await Task.yield()
      // Two days by the minute are nearly as good as a month, which takes long: CI runs it in full.
      let isByTheMinute = habit == .resume && (hour < 48 || Effort.isComplete)
      let step: Int64 = isByTheMinute ? 60 : 870
      for offset: Int64 in [0, 29, 30, 31] + Array(stride(from: Int64(60), to: Int64(3600), by: Int64.Stride(step))) {
        provider.set(now: base.advanced(by: .seconds(offset)))
        switch habit {
        case .wrongKey: provider.answers("no", status: 401)
        default: provider.answers("yes")
        }
        let report = await provider.ask(first)
        #expect(!report.wasCalled || offset >= 30)
        if habit == .twoTimers {
          provider.advance(seconds: 7)
          _ = await provider.ask(second)
        }
      }
    }
    print("\(habit.rawValue): \(provider.calls) calls in a month of 744 hours")
    #expect(provider.calls == 744)
  }
}
