import HTTP
import Quotes
import TestSupport
import Testing

@testable import Transport

/// Calls that reach nobody, as without a network.
@Suite struct UnsentCallTests {
  /// Without a network no call was made: it costs no call and no hour, only ten seconds, however often.
  @Test func unsentRequestsAreNotCalls() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let provider = CallLedgerTests.Provider(at: "2026-11-18T05:00:30Z")
    let ledger = CallLedger(DiskCache(directory: folder.path))
    provider.answers("", status: -1)
    var callsAt: [Int] = []
    for step in 0..<12 {
      let report = await provider.ask(ledger)
      if report.wasCalled { callsAt.append(step * 4) }
      #expect(report.calls == 0 && report.trouble == .failed(CallFailure(.timeout)))
      provider.advance(seconds: 4)
    }
    #expect(callsAt == [0, 12, 24, 36])
    provider.answers("back")
    let report = await provider.ask(ledger)
    #expect(report.answers.map(\.body) == [Array("back".utf8)] && report.calls == 1)
    // Nor is the wait shorter than the hour's first half minute.
    provider.advance(seconds: 3600)
    provider.answers("", status: -1)
    _ = await provider.ask(ledger)
    provider.set(now: .at("2026-11-18T07:00:10Z"))
    #expect(await provider.ask(ledger).nextCall == .at("2026-11-18T07:00:30Z"))
  }

  /// Attempts without a network are not the failures that pauses grow with, but leave those before them as they are.
  @Test func unsentRequestsAreNotFailures() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let provider = CallLedgerTests.Provider(at: "2026-11-18T05:00:00Z")
    let ledger = CallLedger(DiskCache(directory: folder.path))
    let rule = CallRule(everyMilliseconds: 1000)
    func waits(_ status: Int, _ count: Int) async -> [Int] {
      provider.answers("", status: status)
      var waits: [Int] = []
      for _ in 0..<count {
        _ = await provider.ask(ledger, rule)
        let next = await provider.ask(ledger, rule).nextCall ?? provider.now
        waits.append(Int(next.nanoseconds(since: provider.now) / Instant.second))
        provider.set(now: next)
      }
      return waits
    }
    #expect(await waits(-1, 3) == [10, 10, 10])
    #expect(await waits(0, 2) == [60, 300])
    #expect(await waits(-1, 2) == [10, 10])
    #expect(await waits(0, 2) == [900, 900])
  }

  /// A provider of several hosts was called as often as one of them heard of it, also by a redirect. One that could not be
  /// reached, such as for a proxy that hangs, was not, but has failed.
  @Test(
    arguments: [
      ([.failure(.cannotResolve("a")), .failure(.cannotResolve("b"))], 0, 10),
      ([.failure(.timeout), .failure(.cannotResolve("b"))], 1, 60),
      ([.status(503), .failure(.cannotResolve("b"))], 1, 60),
      ([.failure(.cannotResolve("a")), .failure(.cannotConnect("b"))], 0, 60),
      ([.failure(.cannotConnect("a")), .failure(.timeout)], 1, 60),
      (
        [
          .success(HTTPResponse(status: 302, body: [], redirectTarget: "https://c.example/")),
          .failure(.cannotResolve("c")), .failure(.cannotResolve("b")),
        ], 1, 60
      ),
    ] as [([Result<HTTPResponse, TransportError>], Int, Int64)])
  func unsentToAllHosts(
    _ outcomes: [Result<HTTPResponse, TransportError>], _ calls: Int, _ seconds: Int64
  ) async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let now = Instant.at("2026-11-18T05:00:00Z")
    let sender = RetryingSender.forTesting(ScriptedWire(outcomes), TestClock())
    let ledger = CallLedger(DiskCache(directory: folder.path))
    let request = HTTPRequest(exchange: "Rates", name: "rate", urls: ["a", "b"].map { "https://\($0).example/" })
    func ask() async -> CallReport {
      await ledger.answers(
        to: request, of: "Rates", rule: CallRule(budget: .init(calls: 10, per: .day)), now: { now },
        by: { request throws(TransportError) in try await sender.send(request, deadline: nil) },
        worth: { _, _ in .bad(CallFailure(.noAnswer(.transport))) })
    }
    #expect(await ask().calls == calls)
    #expect(await ask().nextCall == now.advanced(by: .seconds(seconds)))
  }
}
