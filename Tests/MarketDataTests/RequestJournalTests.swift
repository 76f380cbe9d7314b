import HTTP
import Mapping
import MarketData
import Quotes
import Synchronization
import Testing

@Suite struct RequestJournalTests {
  /// A manually advanced clock.
  private final class HandClock: Sendable {
    private let time = Mutex<Int64>(0)
    var now: Int64 { time.withLock { $0 } }
    func advance(milliseconds: Int64) { time.withLock { $0 += milliseconds * 1_000_000 } }
  }

  private static func request(_ exchange: String, secret: String = "") -> HTTPRequest {
    HTTPRequest(
      exchange: exchange, name: "spot-tickers", urls: ["https://\(exchange).example/t?key=\(secret)"], secrets: [secret]
    )
  }

  @Test func reportsOutcomeOfEachRequest() async throws {
    let clock = HandClock()
    let journal = RequestJournal(clock: { clock.now })
    let handler = journal.following { request throws(TransportError) in
      clock.advance(milliseconds: 70)
      for _ in 0..<2 { _ = request.meter?.take() }
      if request.exchange == "Slow" { throw .timeout }
      return HTTPResponse(status: 451, body: [1, 2, 3], url: "https://answered.example/")
    }
    _ = try await handler(Self.request("Quick"))
    await #expect(throws: TransportError.timeout) { try await handler(Self.request("Slow", secret: "hush")) }
    journal.addKept(Self.request("Kept"), bytes: 9)

    let entries = journal.entries.map { entry in
      let outcome =
        switch entry.outcome {
        case .answered(let status, let bytes)?: "\(status), \(bytes) bytes"
        case .failed(let failure)?: failure.reason.code
        case .kept(let bytes)?: "kept, \(bytes) bytes"
        case nil: "under way"
        }
      return "\(entry.exchange) \(entry.url): \(outcome), \(entry.nanoseconds / 1_000_000) ms, sent \(entry.sendings)"
    }
    #expect(
      entries == [
        "Quick https://answered.example/: 451, 3 bytes, 70 ms, sent 2",
        "Slow https://Slow.example/t?key=REDACTED: timeout, 70 ms, sent 2",
        "Kept https://Kept.example/t?key=: kept, 9 bytes, 0 ms, sent 0",
      ])
    #expect(journal.counts == (2, 2))
    #expect(journal.waiting.exchanges == [])
  }

  @Test func namesLongestWaitFirst() async throws {
    let clock = HandClock()
    let journal = RequestJournal(clock: { clock.now })
    let waits = Mutex<[(exchanges: [String], nanoseconds: Int64)]>([])
    let inner = journal.following { _ throws(TransportError) in
      clock.advance(milliseconds: 40)
      waits.withLock { $0.append(journal.waiting) }
      return HTTPResponse(body: [])
    }
    let outer = journal.following { _ throws(TransportError) in
      clock.advance(milliseconds: 60)
      return try await inner(Self.request("Second"))
    }
    _ = try await outer(Self.request("First"))
    let wait = try #require(waits.withLock { $0.first })
    #expect(wait.exchanges == ["First", "Second"])
    #expect(wait.nanoseconds == 100_000_000)
    #expect(journal.counts == (2, 2))
  }
}
