import Config
import HTTP
import Mapping
import MarketData
import Quotes
import Synchronization
import TestSupport
import Testing
import Transport

/// A pair listed since lookups were cached gets its units, by asking for them again at most once a minute; one whose unit
/// has changed since, every ten minutes.
@Suite struct ListedSinceTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  enum Asking: String, CaseIterable { case ticker, table, orderbook, trades, candles, stream }

  private static func config(_ asking: Asking, turnover: String = "") -> String {
    func size(_ path: String) -> String { #"{"product": ["\#(path)", {"from": "sizes", "path": "$.size"}]}"# }
    let volume = [.ticker, .table].contains(asking) ? #", "volume24": \#(size("$.n"))"# : ""
    let trades = #""fields": {"price": "$.p", "size": \#(size("$.n")), "time": {"path": "$.t", "unit": "ms"}}"#
    let query = #""query": {"s": "{asset}-{payment}"}"#
    return #"""
      {"version": 1, "exchanges": {"A": {"baseUrls": ["https://a.test"], "rows": "$[*]",
        "symbol": {"path": "$.s", "split": "-"},
        "lookups": {"sizes": {"request": {"path": "/sizes"}, "rows": "$[*]", "key": "$.s",
          "match": {"first": ["$.s", "{asset}-{payment}"]}},
          "others": {"request": {"path": "/others"}, "rows": "$[*]", "key": "$.s",
          "match": {"first": ["$.s", "{asset}-{payment}"]}}},
        "markets": {"spot": {
          "tickers": {"request": {"path": "/t"}, "fields": {"price": "$.p"\#(volume)\#(turnover)}},
          "orderbook": {"request": {"path": "/orderbook", \#(query)}, "bids": "$.b[*]", "asks": "$.a[*]", "price": "$[0]",
            "size": \#(size("$[1]"))},
          "trades": {"request": {"path": "/trades", \#(query)}, "rows": "$[*]", \#(trades)},
          "candles": {"request": {"path": "/candles", \#(query)}, "intervals": {"1m": "1"}, "rows": "$[*]",
            "fields": {"time": {"path": "$[0]", "unit": "s"}, "open": "$[1]", "high": "$[2]", "low": "$[3]",
              "close": "$[4]", "volume": \#(size("$[5]"))}},
          "streams": {"urls": ["wss://a.test/ws"], "rows": "$", "symbol": "$.s",
            "trades": {"subscribe": {"s": "{symbol}"}, "when": [{"path": "$.s", "is": "present"}], \#(trades)}}}}}}}
      """#
  }

  /// An exchange whose answers depend on the second, and a client that keeps some of them.
  private struct Host {
    let client: MarketClient
    let exchange: Exchange
    private let state: State

    private final class State: Sendable {
      let now = Mutex((second: 0, calls: 0))
    }

    /// - Parameters:
    ///   - counted: The path whose requests are counted.
    ///   - body: Returns the answer to a path; nil for none.
    init(
      _ config: String, _ folder: TemporaryFolder, counting counted: String,
      answering body: @escaping @Sendable (_ path: String, _ second: Int) -> String?
    ) throws {
      exchange = try Configuration(text: config, name: "x.json", origin: .user).firstExchange()
      let state = State()
      self.state = state
      client = MarketClient(
        handler: { request throws(TransportError) in
          let path = String(request.urls[0].dropFirst("https://a.test/".count).prefix { $0 != "?" })
          let second = state.now.withLock { now in
            if path == counted { now.calls += 1 }
            return now.second
          }
          guard let body = body(path, second) else { throw .timeout }
          return HTTPResponse(body: Array(body.utf8), arrival: moment(second), url: request.urls[0])
        }, cache: folder.cache, credentials: Credentials(nil) { _ in nil }, configPath: "/x.json",
        hooks: HookRegistry(), now: { moment(state.now.withLock { $0.second }) })
    }

    /// Returns what is seen at a second, between that and the number of counted requests.
    func seen(at second: Int, _ look: (MarketClient, Exchange) async -> String) async -> String {
      state.now.withLock { $0.second = second }
      let text = await look(client, exchange)
      return "\(second) \(text) \(state.now.withLock { $0.calls })"
    }
  }

  @Test(arguments: Asking.allCases)
  func unitsAreRenewedForMissingPairs(_ asking: Asking) async throws {
    let host = try Host(Self.config(asking), folder, counting: "sizes") { Self.body(of: $0, at: $1) }
    let seen = await Self.seen(
      [(0, "BTC"), (30, "NEW"), (61, "NEW"), (62, "NEW"), (130, "BTC"), (130, "NONE"), (140, "NONE")],
      asking, on: host)
    #expect(
      seen == [
        "0 BTC 20 1", "30 NEW lookup-miss 1", "61 NEW 20 2", "62 NEW 20 2", "130 BTC 20 2", "130 NONE lookup-miss 3",
        "140 NONE lookup-miss 3",
      ])
  }

  /// A renewal that fails takes nothing away, and is not tried again for a minute.
  @Test(arguments: Asking.allCases) func failedRenewalsChangeNothing(_ asking: Asking) async throws {
    let host = try Host(Self.config(asking), folder, counting: "sizes") {
      $0 == "sizes" && $1 > 0 ? nil : Self.body(of: $0, at: $1)
    }
    let seen = await Self.seen(
      [(0, "BTC"), (61, "NEW"), (62, "NEW"), (120, "NEW"), (121, "NEW"), (130, "BTC")],
      asking, on: host)
    #expect(
      seen == [
        "0 BTC 20 1", "61 NEW lookup-miss 2", "62 NEW lookup-miss 2", "120 NEW lookup-miss 2",
        "121 NEW lookup-miss 3", "130 BTC 20 3",
      ])
  }

  /// A renewal takes a quarter of the time at most, as the old answer serves if it fails.
  @Test func renewalsLeaveTime() async throws {
    let host = try Host(Self.config(.orderbook), folder, counting: "sizes") { Self.body(of: $0, at: $1) }
    let divisors = Mutex<[Int64]>([])
    for (second, asset) in [(0, "BTC"), (61, "NEW")] {
      _ = await host.seen(at: second) { client, exchange in
        var client = client
        let handler = client.handler
        client.handler = { request throws(TransportError) in
          if request.urls[0].hasSuffix("/sizes") { divisors.withLock { $0.append(request.timeBudgetDivisor) } }
          return try await handler(request)
        }
        return await Self.size(of: Pair(asset: asset, payment: "USDT"), .orderbook, client, exchange)
      }
    }
    #expect(divisors.withLock { $0 } == [1, 4])
  }

  /// Two parts of a market renew a lookup that they share once; the second uses what the first was answered.
  @Test func renewalsOfOthersAreUsed() async throws {
    let host = try Host(Self.contradictions, folder, counting: "sizes") { path, second in
      if path == "sizes" { return #"[{"s": "BTC-USDT", "size": "\#(second < 30 ? 10 : 100)"}]"# }
      return #"[{"s": "BTC-USDT", "p": "100", "n": "\#(second < 30 ? "2" : "0.2")", "t": "2000"}]"#
    }
    var seen: [String] = []
    for second in [0, 601] {
      seen.append(
        await host.seen(at: second) { client, exchange in
          let query = TableQuery(
            market: .spot, pair: Pair(asset: "BTC", payment: "USDT"), fields: [.price, .volume24, .turnover24],
            options: Interpretation(check: MeaningCheck()))
          let parts = exchange.markets[0].tickers
          let rows = await client.table(of: parts + parts, query).table.rows
          return rows.map { $0.ticker.volume24.value?.shortest ?? "none" }.joined(separator: " ")
        })
    }
    #expect(seen == ["0 20 20 1", "601 20 20 2"])
  }

  /// A pair that is asked for by its name in the table of all pairs is found there, too, and one of which the request only
  /// has the asset.
  @Test(arguments: [#"{"path": "/trades/{symbol}"}"#, #"{"path": "/trades", "query": {"s": "{asset}"}}"#])
  func namesAreRenewedForMissingPairs(_ request: String) async throws {
    let config = Self.config(namesOfTradesBy: request)
    let host = try Host(config, folder, counting: "t") { path, second in
      if path != "t" { return Self.body(of: "trades", at: second) }
      return #"[{"s": "BTC-USDT", "p": "100"}\#(second < 30 ? "" : #", {"s": "NEW-USDT", "p": "100"}"#)]"#
    }
    let seen = await Self.seen(
      [(0, "BTC"), (30, "NEW"), (61, "NEW"), (62, "NEW"), (130, "NONE"), (140, "NONE")],
      .trades, on: host)
    #expect(
      seen == [
        "0 BTC 2 1", "30 NEW not-listed 1", "61 NEW 2 2", "62 NEW 2 2", "130 NONE not-listed 3",
        "140 NONE not-listed 3",
      ])
  }

  /// What the table of all pairs said is believed if it is asked again without success.
  @Test(arguments: [#"{"path": "/trades/{symbol}"}"#, #"{"path": "/trades", "query": {"s": "{asset}"}}"#])
  func failedRenewalsOfNamesChangeNothing(_ request: String) async throws {
    let config = Self.config(namesOfTradesBy: request)
    let host = try Host(config, folder, counting: "t") { path, second in
      if path != "t" { return Self.body(of: "trades", at: second) }
      return second > 0 ? nil : #"[{"s": "BTC-USDT", "p": "100"}]"#
    }
    let seen = await Self.seen([(0, "BTC"), (61, "NEW"), (62, "NEW"), (121, "NEW"), (130, "BTC")], .trades, on: host)
    #expect(
      seen == ["0 BTC 2 1", "61 NEW not-listed 2", "62 NEW not-listed 2", "121 NEW not-listed 3", "130 BTC 2 3"])
  }

  /// A contract relisted under another multiplier is asked for by its new name once the old one is refused, whether the
  /// table is only for the names that the config does not know, or for all.
  @Test(arguments: ["{asset}-{payment}", "{symbol}"]) func namesAreRenewedForRefusedPairs(_ name: String) async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let request = #"{"path": "/trades/\#(name)"}"#
    let host = try Host(Self.config(namesOfTradesBy: request), folder, counting: "t") { path, second in
      let name = second < 30 ? "1000PEPE-USDT" : "1000000PEPE-USDT"
      if path == "t" { return #"[{"s": "\#(name)", "p": "100"}]"# }
      return path == "trades/\(name)" ? Self.body(of: "trades", at: second) : "[]"
    }
    var seen: [String] = []
    for second in [0, 30, 61, 62] {
      seen.append(
        await host.seen(at: second) { await Self.size(of: Pair(asset: "PEPE", payment: "USDT"), .trades, $0, $1) })
    }
    #expect(seen == ["0 2000 1", "30 not-listed 1", "61 2000000 2", "62 2000000 2"])
  }

  private static func config(namesOfTradesBy request: String) -> String {
    #"""
    {"version": 1, "exchanges": {"A": {"baseUrls": ["https://a.test"], "rows": "$[*]",
      "symbol": {"path": "$.s", "split": "-"}, "multiplier": {"1000": 1000, "1000000": 1000000},
      "success": {"unlisted": [{"path": "$", "is": "empty"}]},
      "markets": {"spot": {
        "tickers": {"request": {"path": "/t"}, "fields": {"price": "$.p"}},
        "trades": {"request": \#(request), "rows": "$[*]",
          "fields": {"price": "$.p", "size": "$.n", "time": {"path": "$.t", "unit": "ms"}}}}}}}}
    """#
  }

  private static let contradictions = #"""
    {"version": 1, "exchanges": {"A": {"baseUrls": ["https://a.test"], "rows": "$[*]",
      "symbol": {"path": "$.s", "split": "-"},
      "lookups": {
        "sizes": {"request": {"path": "/sizes"}, "rows": "$[*]", "key": "$.s"},
        "highs": {"request": {"path": "/highs"}, "rows": "$[*]", "key": "$.s"}},
      "markets": {"spot": {"tickers": {"request": {"path": "/t"}, "fields": {
        "price": "$.p", "volume24": {"product": ["$.n", {"from": "sizes", "path": "$.size"}]}, "turnover24": "$.t",
        "high": {"from": "highs", "path": "$.h"}}}}}}}}
    """#

  /// The exchange makes its contract ten times as large after half a minute; from 700 to 1300 its figures contradict each
  /// other whatever the size. A high that is in no lookup does not hide that.
  @Test(arguments: [false, true]) func unitsAreRenewedForContradictions(_ isWhole: Bool) async throws {
    let host = try Host(Self.contradictions, folder, counting: "sizes") { path, second in
      if path == "highs" { return #"[{"s": "ETH-USDT", "h": "1"}]"# }
      if path == "sizes" { return #"[{"s": "BTC-USDT", "size": "\#(second < 30 ? 10 : 100)"}]"# }
      let count = second < 30 || (700...1300).contains(second) ? "2" : "0.2"
      return #"[{"s": "BTC-USDT", "p": "100", "n": "\#(count)", "t": "2000"}]"#
    }
    let pair = Pair(asset: "BTC", payment: "USDT")
    var query = TableQuery(
      market: .spot, pair: isWhole ? nil : pair, fields: [.price, .volume24, .turnover24, .high],
      options: Interpretation(check: MeaningCheck()))
    query.sought = [pair]
    let asked = query
    var seen: [String] = []
    for second in [0, 30, 601, 700, 1202, 1210, 4801, 4803] {
      seen.append(
        await host.seen(at: second) { client, exchange in
          let row = await client.table(of: exchange.markets[0].tickers, asked).table.rows.first?.ticker
          let words = [row?.volume24.value?.shortest ?? "none"] + (row?.flags ?? []).map(\.kind.rawValue)
          return words.joined(separator: " ")
        })
    }
    #expect(
      seen == [
        "0 20 1", "30 2 turnover 1", "601 20 2", "700 200 turnover 2", "1202 200 turnover 3", "1210 200 turnover 3",
        "4801 20 3", "4803 20 4",
      ])
  }

  /// A doubt of the ticker marks sizes that are made with the same lookup, and has that asked for again within a minute.
  /// The exchange makes its contract ten times as large after five seconds.
  @Test func doubtsOfTickersAreOfSizesToo() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let host = try Host(Self.config(.ticker, turnover: #", "turnover24": "$.t""#), folder, counting: "sizes") {
      path, second in
      switch path {
      case "sizes": #"[{"s": "BTC-USDT", "size": "\#(second < 5 ? 10 : 100)"}]"#
      case "t": #"[{"s": "BTC-USDT", "p": "100", "n": "\#(second < 5 ? "2" : "0.2")", "t": "2000"}]"#
      default: Self.body(of: path, at: second)
      }
    }
    let (pair, options) = (Pair(asset: "BTC", payment: "USDT"), Interpretation(check: MeaningCheck()))
    let query = PairQuery(pair, options)
    var seen: [String] = []
    for (second, asking) in [
      (0, Asking.ticker), (20, .ticker), (21, .orderbook), (22, .trades), (61, .orderbook), (62, .trades),
      (63, .ticker),
    ] {
      seen.append(
        await host.seen(at: second) { client, exchange in
          let market = exchange.markets[0]
          let words: [String?]
          switch asking {
          case .orderbook:
            let book = await client.orderbook(query, count: 5, on: market, of: exchange.name).value
            words = [book?.bids.first?.size.shortest] + (book?.flags.codes ?? [])
          case .trades:
            let list = await client.trades(query, count: 5, on: market, of: exchange.name).value
            words = [list?.trades.last?.size.value?.shortest, list?.doubt?.kind.rawValue]
          default:
            let row = await client.table(of: market.tickers, TableQuery(market: .spot, pair: pair, options: options))
              .table.rows.first?.ticker
            words = [row?.volume24.value?.shortest] + (row?.flags.codes ?? [])
          }
          return words.compactMap(\.self).joined(separator: " ")
        })
    }
    #expect(
      seen == [
        "0 20 1", "20 2 turnover 1", "21 20 turnover 1", "22 20 trade-size 1", "61 200 2", "62 200 2", "63 20 2",
      ])
  }

  /// Returns an answer; NEW has a size after half a minute.
  private static func body(of path: String, at second: Int) -> String {
    let minute = 1_800_000_000 + second / 60 * 60
    let candle = #""100", "100", "100", "100", "2"]"#
    return switch path {
    case "others": #"[{"s": "BTC-USDT"}, {"s": "NEW-USDT"}, {"s": "NONE-USDT"}]"#
    case "sizes":
      #"[{"s": "BTC-USDT", "size": "10"}\#(second < 30 ? "" : #", {"s": "NEW-USDT", "size": "10"}"#)]"#
    case "orderbook": #"{"b": [["100", "2"]], "a": [["101", "2"]]}"#
    case "trades": #"[{"p": "100", "n": "2", "t": 1799999999000}]"#
    case "candles": "[[\(minute - 60), \(candle), [\(minute), \(candle)]"
    default:
      "[" + ["BTC", "NEW", "NONE"].map { #"{"s": "\#($0)-USDT", "p": "100", "n": "2"}"# }.joined(separator: ", ") + "]"
    }
  }

  /// Returns the sizes of pairs at some seconds, or why they are missing, and the number of counted requests.
  private static func seen(
    _ looks: [(second: Int, asset: String)], _ asking: Asking, on host: Host
  ) async -> [String] {
    var seen: [String] = []
    for (second, asset) in looks {
      seen.append(
        await host.seen(at: second) {
          "\(asset) \(await size(of: Pair(asset: asset, payment: "USDT"), asking, $0, $1))"
        })
    }
    return seen
  }

  /// Returns the size of a pair, or why it is missing.
  private static func size(
    of pair: Pair, _ asking: Asking, _ client: MarketClient, _ exchange: Exchange
  ) async -> String {
    let options = Interpretation(check: MeaningCheck())
    let market = exchange.markets[0]
    func text(_ cell: Cell?) -> String { cell.map { $0.value?.description ?? $0.missing?.code ?? "" } ?? "none" }
    func text<Value>(_ answer: PairAnswer<Value>, _ cell: (Value) -> Cell?) -> String {
      answer.value.map { text(cell($0)) } ?? answer.failure?.reason.code ?? "none"
    }
    let query = PairQuery(pair, options)
    switch asking {
    case .ticker, .table:
      var query = TableQuery(
        market: .spot, pair: asking == .ticker ? pair : nil, fields: [.price, .volume24], options: options)
      query.sought = [pair]
      let rows = await client.table(of: market.tickers, query).table.rows.map(\.ticker)
      return text(rows.first { $0.pair == pair }?.volume24)
    case .orderbook:
      return text(await client.orderbook(query, count: 5, on: market, of: exchange.name)) {
        $0.bids.first.map { .value($0.size) }
      }
    case .trades:
      return text(await client.trades(query, count: 5, on: market, of: exchange.name)) { $0.trades.last?.size }
    case .candles:
      let query = CandleQuery(query, .oneMinute, .newest(2))
      return text(await client.candles(query, on: market, of: exchange.name)) { $0.series.candles.last?.volume }
    case .stream:
      let start = await client.streamStart(StreamQuery([pair], [.trades], options), on: market, of: exchange)
      guard case .table(let table)? = start.subjects.first?.lookups["sizes"] else { return "none" }
      return table.keys.contains("\(pair.asset)-\(pair.payment)") ? "20" : Missing.lookupMiss.code
    }
  }
}

private func moment(_ second: Int) -> Instant {
  Instant(nanoseconds: (1_800_000_000 + Int64(second)) * 1_000_000_000)
}
