import Config
import HTTP
import Mapping
import Quotes
import Synchronization
import TestSupport
import Testing

@testable import MarketData

/// When streams get other lookups than those with which they began.
@Suite struct DoubtedLookupsTests {
  private static let pair = Pair(asset: "BTC", payment: "USDT")
  private static let config = #"""
    {"version": 1, "exchanges": {"A": {"baseUrls": ["https://a.test"], "rows": "$[*]",
      "symbol": {"path": "$.s", "split": "-"},
      "lookups": {"sizes": {"request": {"path": "/sizes"}, "rows": "$[*]", "key": "$.s"}},
      "markets": {"spot": {
        "tickers": {"request": {"path": "/t"}, "fields": {
          "price": "$.p", "volume24": {"product": ["$.n", {"from": "sizes", "path": "$.size"}]}}},
        "streams": {"urls": ["wss://a.test/ws"], "rows": "$", "symbol": "$.s",
          "ticker": {"subscribe": {"s": "{symbol}"}, "when": [{"path": "$.s", "is": "present"}]}}}}}}}
    """#

  private static func moment(_ second: Int) -> Instant {
    Instant(nanoseconds: (1_800_000_000 + Int64(second)) * Instant.second)
  }

  /// Figures are in doubt from second 20 on, and still in second 600. Lookups that are a minute old are then requested
  /// once; after a failure the cached ones are used for ten minutes more.
  @Test(
    arguments: [
      (false, ["15: 0 of 0", "30: 0 of 0", "61: 1 of 1", "76: 0 of 1", "600: 0 of 1", "662: 0 of 1"]),
      (true, ["15: 0 of 0", "30: 0 of 0", "61: 0 of 1", "76: 0 of 1", "600: 0 of 1", "662: 1 of 2"]),
    ])
  func lookupsAreRenewed(failsOnce: Bool, _ renewed: [String]) async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let now = Mutex(0)
    let requests = Mutex(0)
    let exchange = try Configuration(text: Self.config, name: "x.json", origin: .user).firstExchange()
    let client = MarketClient(
      handler: { request throws(TransportError) in
        let (url, second) = (request.urls[0], now.withLock { $0 })
        if url.hasSuffix("/t") {
          return HTTPResponse(
            body: Array(#"[{"s": "BTC-USDT", "p": "100", "n": "2"}]"#.utf8), arrival: Self.moment(second), url: url)
        }
        requests.withLock { $0 += 1 }
        if failsOnce, second == 61 { throw .timeout }
        return HTTPResponse(
          body: Array(#"[{"s": "BTC-USDT", "size": "10"}]"#.utf8), arrival: Self.moment(second), url: url)
      }, cache: folder.cache, credentials: Credentials(nil) { _ in nil }, configPath: "/x.json", hooks: HookRegistry(),
      now: { Self.moment(now.withLock { $0 }) })
    let query = StreamQuery([Self.pair], [.ticker], Interpretation(check: MeaningCheck()))
    let start = await client.streamStart(query, on: try #require(exchange.market(.spot)), of: exchange)
    var lookups = try #require(DoubtedLookups(of: start.subjects, "A", .spot, at: Self.moment(0)))
    requests.withLock { $0 = 0 }
    var seen: [String] = []
    for second in [15, 30, 61, 76, 600, 662] {
      for doubted in [20, 600] where doubted <= second {
        now.withLock { $0 = max($0, doubted) }
        client.noteDoubt(about: Self.pair, on: .spot, of: "A")
      }
      now.withLock { $0 = second }
      let renewals = await lookups.renewals(by: client)
      #expect(renewals.allSatisfy { $0.spec === start.subjects.first?.spec })
      seen.append("\(second): \(renewals.count) of \(requests.withLock { $0 })")
    }
    #expect(seen == renewed)
  }

  /// Streams without lookups have nothing to renew.
  @Test func whatIsNotRenewed() {
    #expect(DoubtedLookups(of: [], "A", .spot, at: Self.moment(0)) == nil)
  }
}
