import Config
import HTTP
import Mapping
import MarketData
import Quotes
import Synchronization
import TestSupport
import Testing
import Transport

/// What one config was told is never believed by another (X2).
@Suite struct SharedCacheTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static func config(hosts: String = #""https://a.test""#, headers: String = "{}", note: String = "") -> String
  {
    """
    {"version": 1, "exchanges": {"A": {"baseUrls": [\(hosts)], "headers": \(headers), "note": "\(note)",
      "rows": "$[*]", "symbol": {"path": "$.s", "split": "-"},
      "lookups": {"size": {"request": {"path": "/sizes"}, "rows": "$[*]", "key": "$.s", "match": "$.s"}},
      "fields": {"price": "$.p", "volume24": {"from": "size", "path": "$.size"}},
      "markets": {"spot": {"tickers": {"request": {"path": "/t"}}}}}}}
    """
  }

  /// Returns the volume according to a config whose host reports a size, and the number of size requests.
  private static func volume(
    _ text: String, origin: SourceFile.Origin, at path: String, size: String, _ cache: DiskCache
  ) async throws -> (volume: String?, calls: Int) {
    let exchange = try Configuration(text: text, name: path, origin: origin).firstExchange()
    let calls = Mutex(0)
    let now = Instant(nanoseconds: 1_800_000_000_000_000_000)
    let client = MarketClient(
      handler: { request throws(TransportError) in
        let isSizes = request.urls[0].hasSuffix("/sizes")
        if isSizes { calls.withLock { $0 += 1 } }
        let body = isSizes ? #"[{"s": "BTC-USDT", "size": "\#(size)"}]"# : #"[{"s": "BTC-USDT", "p": "100"}]"#
        return HTTPResponse(body: Array(body.utf8), arrival: now, url: request.urls[request.urls.count - 1])
      }, cache: cache, credentials: Credentials(nil) { _ in nil }, configPath: path, hooks: HookRegistry(), now: { now }
    )
    let query = TableQuery(market: .spot, options: Interpretation(check: MeaningCheck()))
    let table = await client.table(of: exchange.markets[0].tickers, query).table
    return (table.rows.first?.ticker.volume24.value?.description, calls.withLock { $0 })
  }

  @Test func lookupsAreNotPoisoned() async throws {
    let cache = folder.cache
    let text = Self.config()
    // Whatever others keep under the host's name …
    let others = [
      (Self.config(hosts: #""https://a.test", "https://mine.test""#), SourceFile.Origin.other, "/evil.json"),
      (Self.config(headers: #"{"X-Fail": "1"}"#), .other, "/evil.json"), (text, .other, "/evil.json"),
      (text, .user, "/home/exchanges.json"),
    ]
    for (text, origin, path) in others {
      #expect(try await Self.volume(text, origin: origin, at: path, size: "300000", cache) == ("300000", 1))
    }
    // … the shipped config makes its own request, and so does every config in another place.
    #expect(try await Self.volume(text, origin: .shipped, at: "/share", size: "3", cache) == ("3", 1))
    #expect(try await Self.volume(text, origin: .other, at: "/good.json", size: "3", cache) == ("3", 1))
    // A config's own values are kept, and the shipped config's are kept for all.
    #expect(try await Self.volume(text, origin: .shipped, at: "/elsewhere", size: "4", cache) == ("3", 0))
    #expect(try await Self.volume(text, origin: .other, at: "/good.json", size: "4", cache) == ("3", 0))
    #expect(try await Self.volume(text, origin: .user, at: "/home/exchanges.json", size: "4", cache) == ("300000", 0))
  }

  /// A pair listed since its names were cached is found, by asking for them again at most once a minute.
  @Test func namesAreRenewedForMissingPairs() async throws {
    let text = """
      {"version": 1, "exchanges": {"A": {"baseUrls": ["https://a.test"], "rows": "$[*]",
        "lookups": {"ids": {"request": {"path": "/ids"}, "rows": "$[*]", "key": "$.id", "match": "$.id"}},
        "symbol": {"from": "ids", "path": "$.s", "split": "-"}, "fields": {"price": "$.p"},
        "markets": {"spot": {"tickers": {"request": {"path": "/t"}}}}}}}
      """
    let exchange = try Configuration(text: text, name: "x.json", origin: .user).firstExchange()
    let state = Mutex((now: Instant(nanoseconds: 1_800_000_000_000_000_000), listed: 1, calls: 0))
    let ids = [#"{"id": 1, "s": "BTC-USDT"}"#, #"{"id": 2, "s": "NEW-USDT"}"#]
    let client = MarketClient(
      handler: { request throws(TransportError) in
        let (now, body) = state.withLock { state in
          guard request.urls[0].hasSuffix("/ids") else {
            return (state.now, #"[{"id": 1, "p": "100"}, {"id": 2, "p": "7"}]"#)
          }
          state.calls += 1
          return (state.now, "[" + ids.prefix(state.listed).joined(separator: ", ") + "]")
        }
        return HTTPResponse(body: Array(body.utf8), arrival: now, url: request.urls[0])
      }, cache: folder.cache, credentials: Credentials(nil) { _ in nil }, configPath: "/x.json", hooks: HookRegistry(),
      now: { state.withLock { $0.now } })
    func price(of asset: String) async -> String? {
      let query = TableQuery(
        market: .spot, pair: Pair(asset: asset, payment: "USDT"), fields: [.price],
        options: Interpretation(check: MeaningCheck()))
      return await client.table(of: exchange.markets[0].tickers, query).table.rows.first?.ticker.price.value?
        .description
    }
    #expect(await price(of: "BTC") == "100")
    #expect(await price(of: "NEW") == nil)
    #expect(state.withLock { $0.calls } == 1)
    state.withLock { ($0.now, $0.listed) = ($0.now.advanced(by: .seconds(61)), 2) }
    #expect(await price(of: "BTC") == "100")
    #expect(state.withLock { $0.calls } == 1)
    #expect(await price(of: "NEW") == "7")
    #expect(state.withLock { $0.calls } == 2)
    #expect(await price(of: "OTHER") == nil)
    #expect(state.withLock { $0.calls } == 2)
  }

  /// A pair delisted since the keys of batches were cached does not take the others away, and one listed since is found
  /// if it is asked for.
  @Test func keysOfBatchesAreRenewed() async throws {
    let text = """
      {"version": 1, "exchanges": {"A": {"baseUrls": ["https://a.test"], "rows": "$[*]",
        "success": {"where": [{"path": "$.error", "is": "absent"}], "code": "$.error"},
        "lookups": {"ids": {"request": {"path": "/ids"}, "rows": "$[*]", "key": "$"}},
        "symbol": {"path": "$.s", "split": "-"}, "fields": {"price": "$.p"},
        "markets": {"spot": {"tickers": {
          "request": {"path": "/t", "query": {"ids": "{keys}"}}, "batch": {"of": "ids"}}}}}}}
      """
    let exchange = try Configuration(text: text, name: "x.json", origin: .user).firstExchange()
    let state = Mutex(
      (now: Instant(nanoseconds: 1_800_000_000_000_000_000), listed: ["BTC", "OLD"], asked: [String]()))
    let client = MarketClient(
      handler: { request throws(TransportError) in
        let (now, body) = state.withLock { state in
          state.asked.append(String(request.urls[0].dropFirst("https://a.test".count)))
          guard let ids = request.urls[0].split(separator: "ids=").dropFirst().first?.split(separator: ",") else {
            return (state.now, "[" + state.listed.map { #""\#($0)""# }.joined(separator: ",") + "]")
          }
          if !ids.allSatisfy({ state.listed.contains(String($0)) }) { return (state.now, #"{"error": 404}"#) }
          return (state.now, "[" + ids.map { #"{"s": "\#($0)-USDT", "p": 7}"# }.joined(separator: ",") + "]")
        }
        return HTTPResponse(body: Array(body.utf8), arrival: now, url: request.urls[0])
      }, cache: folder.cache, credentials: Credentials(nil) { _ in nil }, configPath: "/x.json", hooks: HookRegistry(),
      now: { state.withLock { $0.now } })
    func symbols(_ sought: Set<Pair> = []) async -> [String] {
      var query = TableQuery(market: .spot, fields: [.price], options: Interpretation(check: MeaningCheck()))
      query.sought = sought
      return await client.table(of: exchange.markets[0].tickers, query).table.rows.map(\.ticker.symbol)
    }
    #expect(await symbols() == ["BTC-USDT", "OLD-USDT"])
    state.withLock { ($0.now, $0.listed) = ($0.now.advanced(by: .seconds(30)), ["BTC"]) }
    #expect(await symbols() == [])
    state.withLock { $0.now = $0.now.advanced(by: .seconds(31)) }
    #expect(await symbols() == ["BTC-USDT"])
    #expect(
      state.withLock { $0.asked } == [
        "/ids", "/t?ids=BTC,OLD", "/t?ids=BTC,OLD", "/t?ids=BTC,OLD", "/ids", "/t?ids=BTC",
      ])
    let pairs = ["BTC", "NEW"].map { Pair(asset: $0, payment: "USDT") }
    state.withLock { ($0.now, $0.listed, $0.asked) = ($0.now.advanced(by: .seconds(61)), ["BTC", "NEW"], []) }
    #expect(await symbols([pairs[0]]) == ["BTC-USDT"])
    #expect(await symbols([pairs[1]]) == ["BTC-USDT", "NEW-USDT"])
    #expect(state.withLock { $0.asked } == ["/t?ids=BTC", "/t?ids=BTC", "/ids", "/t?ids=BTC,NEW"])
  }
}
