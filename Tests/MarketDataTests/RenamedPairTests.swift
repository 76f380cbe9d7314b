import Config
import HTTP
import Mapping
import MarketData
import Quotes
import Synchronization
import Testing

/// A pair renamed by its exchange is requested by its older name and listed under the newer one.
@Suite struct RenamedPairTests {
  private static func config(_ onMiss: String) -> String {
    #"""
    { "version": 1, "exchanges": { "alpha": {
      "baseUrls": ["https://alpha.test"], "rows": "$[*]", "symbol": { "path": "$.name", "split": "-" },
      "fields": { "price": "$.p" },
      "success": { "unlisted": [{ "path": "$", "is": "empty" }] }, "where": [{ "path": "$.halted", "is": "absent" }],
      "markets": { "spot": { "tickers": { "request": { "path": "/all" } },
        "ticker": { \#(onMiss) "request": { "path": "/one", "query": { "symbol": "{asset}-{payment}" } } } } } } } }
    """#
  }

  @Test(arguments: [
    (#""onMiss": "tickers","#, "BSV", ["/one?symbol=BSV-USDT", "/all"], ["50"]),
    (#""onMiss": "tickers","#, "BTC", ["/one?symbol=BTC-USDT"], ["90000"]),
    (#""onMiss": "tickers","#, "NOPE", ["/one?symbol=NOPE-USDT", "/all"], []),
    ("", "BSV", ["/one?symbol=BSV-USDT"], []),
  ])
  func missingPairIsLookedUpInWholeTable(_ onMiss: String, asset: String, asked: [String], prices: [String])
    async throws
  {
    let urls = Mutex<[String]>([])
    let exchanges = try StubExchanges(config: Self.config(onMiss))
    let snapshot = await exchanges.snapshot(of: Pair(asset: asset, payment: "USDT")) { _, url in
      urls.withLock { $0.append(url) }
      let rows =
        url.hasSuffix("/all")
        ? #"[{"symbol": "BCHSV-USDT", "name": "BSV-USDT", "p": 50}, {"symbol": "BTC-USDT", "name": "BTC-USDT", "p": 90000}]"#
        : url.hasSuffix("=BTC-USDT") ? #"[{"name": "BTC-USDT", "p": 90000}]"# : "[]"
      return .success((200, Array(rows.utf8)))
    }
    #expect(urls.withLock { $0 } == asked.map { "https://alpha.test\($0)" })
    #expect(snapshot.spot.map { $0.ticker.text(.price) } == prices)
    #expect(snapshot.failures.isEmpty)
  }

  /// A table of all pairs says of which of the pairs asked for by name conditions drop a row: they are halted, or not listed
  /// if the condition says so.
  @Test func tablesNameHaltedPairs() async throws {
    let config = #"""
      { "version": 1, "exchanges": { "alpha": {
        "baseUrls": ["https://alpha.test"], "rows": "$[*]", "symbol": { "path": "$.name", "split": "-" },
        "fields": { "price": "$.p" },
        "where": [{ "path": "$.gone", "is": "absent", "else": "unlisted" }, { "path": "$.halted", "is": "absent" }],
        "markets": { "spot": { "tickers": { "request": { "path": "/all" } } } } } } }
      """#
    let exchange = try StubExchanges(config: config).exchanges[0]
    let rows =
      ["BSV", "NOPE"].map { #"{"name": "\#($0)-USDT", "p": 50, "halted": true}"# } + [
        #"{"name": "BTC-USDT", "p": 90000}"#, #"{"name": "OLD-USDT", "p": 7, "halted": true, "gone": true}"#,
      ]
    let client = MarketClient(
      handler: { request throws(TransportError) in
        HTTPResponse(
          body: Array("[\(rows.joined(separator: ", "))]".utf8), arrival: StubExchanges.arrival, url: request.urls[0])
      }, credentials: Credentials(nil) { _ in nil }, hooks: HookRegistry(), now: { StubExchanges.arrival })
    let pairs = ["BSV", "BTC", "ABC", "OLD"].map { Pair(asset: $0, payment: "USDT") }
    var query = TableQuery(options: Interpretation(check: MeaningCheck()))
    query.sought = Set(pairs)
    let table = await client.report(on: exchange.markets[0], of: exchange, query).table
    #expect(table.droppedPairs == [pairs[0]] && table.rows.map(\.ticker.pair) == [pairs[1]])
    var reasons: [String] = []
    for pair in pairs {
      query.pair = pair
      let report = await client.report(on: exchange.markets[0], of: exchange, query)
      reasons += [report.status.rawValue, report.absence.reason.code]
    }
    #expect(
      reasons == ["halted", "halted", "ok", "not-listed", "not-listed", "not-listed", "not-listed", "not-listed"])
  }

  /// A pair that the table of all pairs lacked under any name lately is looked up there again only if its own request says
  /// that it is not listed.
  @Test(arguments: [
    (false, true, "halted", ["one", "all"]), (true, true, "halted", ["one"]),
    (true, false, "not-listed", ["one", "all"]),
  ])
  func haltedPairIsSearchedOnce(_ isSearched: Bool, isHalted: Bool, status: String, asked: [String]) async throws {
    let exchange = try StubExchanges(config: Self.config(#""onMiss": "tickers","#)).exchanges[0]
    let urls = Mutex<[String]>([])
    let client = MarketClient(
      handler: { request throws(TransportError) in
        let isWhole = request.urls[0].hasSuffix("/all")
        urls.withLock { $0.append(isWhole ? "all" : "one") }
        let own = isHalted ? #"[{"name": "BSV-USDT", "p": 50, "halted": true}]"# : "[]"
        let body = isWhole ? #"[{"name": "BTC-USDT", "p": 90000}]"# : own
        return HTTPResponse(body: Array(body.utf8), arrival: StubExchanges.arrival, url: request.urls[0])
      }, credentials: Credentials(nil) { _ in nil }, hooks: HookRegistry(), now: { StubExchanges.arrival })
    var query = TableQuery(
      pair: Pair(asset: "BSV", payment: "USDT"), options: Interpretation(check: MeaningCheck()))
    query.isSearched = isSearched
    let report = await client.report(on: exchange.markets[0], of: exchange, query)
    #expect(report.status.rawValue == status)
    #expect(urls.withLock { $0 } == asked)
  }

  /// A pair that its own request calls halted may be traded under another name; if the table of all pairs has none, it
  /// is halted.
  @Test(arguments: [
    ("", ["/one?symbol=BSV-USDT"], ["halted"]),
    (#""onMiss": "tickers","#, ["/one?symbol=BSV-USDT", "/all"], ["halted"]),
  ])
  func haltedPairIsLookedUpInWholeTable(_ onMiss: String, asked: [String], statuses: [String]) async throws {
    let urls = Mutex<[String]>([])
    let exchanges = try StubExchanges(config: Self.config(onMiss))
    let snapshot = await exchanges.snapshot(of: Pair(asset: "BSV", payment: "USDT")) { _, url in
      urls.withLock { $0.append(url) }
      return .success((200, Array(#"[{"name": "BSV-USDT", "p": 50, "halted": true}]"#.utf8)))
    }
    #expect(urls.withLock { $0 } == asked.map { "https://alpha.test\($0)" })
    #expect(snapshot.reports.map(\.status.rawValue) == statuses)
    #expect(snapshot.reports.map(\.reason) == statuses)
    #expect(snapshot.failures.isEmpty)
  }
}
