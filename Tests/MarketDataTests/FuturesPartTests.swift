import Config
import HTTP
import Mapping
import Quotes
import Testing

@testable import MarketData

/// Two parts of a futures market that list the same pair, each with contracts, an order book and trades of its own.
@Suite struct FuturesPartTests {
  private static let pair = Pair(asset: "BTC", payment: "USD")

  private static let config = #"""
    { "version": 1, "exchanges": { "Stub": {
      "baseUrls": ["https://stub.example"], "rows": "$.rows[*]", "fields": { "price": "$.p" },
      "trades": { "request": { "path": "/trades/{family}_{asset}{payment}" }, "rows": "$.trades[*]",
        "fields": { "price": "$.p", "size": "$.q", "time": { "path": "$.t", "unit": "s" } } },
      "markets": { "futures": { "tickers": { "request": { "path": "/all" }, "forEach": [
        { "set": { "product": "linear", "family": "PF" }, "paymentCurrencies": { "a": ["USD"] },
          "symbol": { "path": "$.s", "prefix": "PF_", "split": "payment" } },
        { "set": { "product": "inverse", "family": "PI" }, "paymentCurrencies": { "a": ["USD"] },
          "symbol": { "path": "$.s", "prefix": "PI_", "split": "payment" } }] } } } } } }
    """#

  /// What stands in for a stream is of the row's own part.
  @Test(arguments: [("linear", "PF"), ("inverse", "PI")])
  func rowsArePolledInTheirOwnPart(_ product: String, _ family: String) async throws {
    let stub = try StubExchanges(config: Self.config)
    let client = stub.client { _, url in
      let price = url.contains("/PF_") ? 93_000 : 91_000
      let now = StubExchanges.arrival.nanoseconds / 1_000_000_000
      return .success((200, Array(#"{"trades":[{"p":"\#(price)","q":"1","t":\#(now)}]}"#.utf8)))
    }
    var row = Ticker(exchange: "Stub", market: .futures, symbol: "\(family)_BTCUSD", pair: Self.pair)
    row.product = product
    let pair = StreamPair(row: row, spelling: PairSpelling(asset: "BTC", payment: "USD", symbol: row.symbol))
    let subject = StreamSubject(
      exchange: "Stub", market: .futures, channel: .trades, spec: nil, pairs: [pair],
      options: Interpretation(check: MeaningCheck()), refreshMilliseconds: 1000)
    let exchange = try #require(stub.exchanges.first)
    let market = try #require(exchange.market(.futures))
    let polled = await client.poll([0], of: subject, isAgain: false, on: market, of: exchange)
    guard case .success(.trades(let trades))? = polled.first?.result else {
      Issue.record("no trades: \(polled)")
      return
    }
    #expect(trades.map(\.price) == [family == "PF" ? 93_000 : 91_000])
  }

  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var market = Market.futures
    let payment: String
    /// The parts of the table.
    let parts: String
    /// What precedes the pair in the paths of its requests.
    var prefix = ""
    /// The group and the price of each event.
    let events: [String]
  }

  /// What is only polled has the group of futures of its first answer, and stays with it. Of two groups that list a
  /// pair, the first does so only later, at twice the price.
  @Test(
    arguments: [
      Case(
        testDescription: "named by set", payment: "USDT",
        parts: #"""
          { "set": { "settle": "usdt" }, "paymentCurrencies": { "stable": ["USDT"] } },
          { "set": { "settle": "btc" }, "paymentCurrencies": { "coin": ["USD"] } }
          """#, events: ["usdt 100", "usdt 101"]),
      Case(
        testDescription: "named by payment currencies", payment: "USD",
        parts: #"{ "paymentCurrencies": { "stable": ["USDT"] } }, { "paymentCurrencies": { "coin": ["USD"] } }"#,
        events: ["coin 100", "coin 101"]),
      Case(
        testDescription: "two groups", payment: "USD",
        parts: #"""
          { "set": { "product": "linear", "family": "PF" }, "paymentCurrencies": { "a": ["USD"] },
            "symbol": { "path": "$.s", "prefix": "PF-", "split": "-" } },
          { "set": { "product": "inverse", "family": "PI" }, "paymentCurrencies": { "a": ["USD"] },
            "symbol": { "path": "$.s", "prefix": "PI-", "split": "-" } }
          """#, prefix: "{family}-", events: ["inverse 100", "inverse 101"]),
      Case(
        testDescription: "spot", market: .spot, payment: "USDT",
        parts: #"{ "set": { "quote": "USDT" }, "paymentCurrencies": { "stable": ["USDT"] } }"#,
        events: ["none 100", "none 101"]),
    ], [StreamChannel.ticker, .trades, .orderbook, .candles])
  func polledPairsStayInTheirPart(_ sample: Case, _ channel: StreamChannel) async throws {
    let stub = try StubExchanges(
      config: #"""
        { "version": 1, "exchanges": { "Stub": {
          "baseUrls": ["https://stub.example"], "refresh": "1s", "rows": "$.rows[*]", "fields": { "price": "$.p" },
          "symbol": { "path": "$.s", "split": "-" }, "success": { "unlisted": [{ "path": "$.none", "equals": true }] },
          "trades": { "request": { "path": "/trades/\#(sample.prefix){asset}-{payment}" }, "rows": "$.trades[*]",
            "fields": { "price": "$.p", "size": "$.q", "time": { "path": "$.t", "unit": "s" } } },
          "orderbook": { "request": { "path": "/book/\#(sample.prefix){asset}-{payment}" }, "bids": "$.b[*]",
            "asks": "$.a[*]", "price": "$[0]", "size": "$[1]" },
          "candles": {
            "request": { "path": "/candles/\#(sample.prefix){asset}-{payment}", "query": { "i": "{interval}" } },
            "rows": "$.k[*]", "intervals": { "1m": "1m" }, "fields": {
              "time": { "path": "$[0]", "unit": "s" }, "open": "$[1]", "high": "$[2]", "low": "$[3]", "close": "$[4]",
              "volume": "$[5]" } },
          "markets": { "\#(sample.market.rawValue)": { "tickers": {
            "request": { "path": "/all" }, "forEach": [\#(sample.parts)] } } } } } }
        """#)
    let exchange = try #require(stub.exchanges.first)
    let market = try #require(exchange.market(sample.market))
    let pair = Pair(asset: "BTC", payment: sample.payment)
    let query = StreamQuery([pair], [channel], Interpretation(check: MeaningCheck()))
    let symbol = (sample.prefix.isEmpty ? "" : "PI-") + "BTC-\(sample.payment)"
    var hub = StreamHub()
    var events: [StreamEvent] = []
    for turn in 0..<2 {
      let now = StubExchanges.arrival.advanced(by: .seconds(10 * turn))
      let client = stub.client(at: now) { _, url in
        let isOther = url.contains("/PF-")
        if isOther, turn == 0 { return .success((400, Array(#"{"none":true}"#.utf8))) }
        let price = (isOther ? 200 : 100) + turn
        let second = now.nanoseconds / 1_000_000_000
        // An answer reaches back to the one before.
        let trades = (0...turn).map { #"{"p":"\#(price - $0)","q":"1","t":\#(second - Int64(10 * $0))}"# }
        let other = turn == 0 ? "" : #"{"s":"PF-BTC-USD","p":"201"},"#
        let body =
          url.hasSuffix("/all")
          ? #"{"rows":[\#(other){"s":"\#(symbol)","p":"\#(price)"}]}"#
          : #"""
          {"trades":[\#(trades.joined(separator: ","))],"b":[["\#(price)","1"]],"a":[["\#(price + 1)","1"]],
            "k":[[\#(second / 60 * 60),100,300,100,\#(price),9]]}
          """#
        return .success((200, Array(body.utf8)))
      }
      if turn == 0 {
        let start = await client.streamStart(query, on: market, of: exchange)
        events += hub.take(.start(start.subjects), at: now).events
      }
      guard case .poll(let places, let isAgain)? = hub.advance(to: now).commands.first?.command else {
        Issue.record("not polled")
        return
      }
      let polled = await client.poll(
        places, of: hub.subject(of: 0), isAgain: isAgain, on: market, of: exchange)
      events += hub.take(.polled(polled, link: 0), at: now).events
    }
    #expect(events.map(Self.text) == sample.events)
  }

  /// Returns the group of futures and the price of an event.
  private static func text(of event: StreamEvent) -> String {
    let price: Decimal? =
      switch event.content {
      case .ticker(let row): row.price.value
      case .trades(let trades): trades.last?.price
      case .orderbook(let book): book.bids.first?.price
      case .candle(let candle, _): candle.close
      default: nil
      }
    return "\(event.product ?? "none") \(price.map { $0.shortest } ?? "\(event.content)")"
  }

  /// A group that did not answer may not list the pair.
  @Test func failuresTellNoPart() {
    #expect(PolledPair(pair: 0, .failure(AnswerFailure(.timeout)), product: "linear").product == nil)
  }

  /// An answer about another pair is found out in each part, whose names differ.
  @Test(arguments: [
    ("ETHUSDT", Pair(asset: "BTC", payment: "USDT")), ("ETHUSD_PERP", Pair(asset: "BTC", payment: "USD")),
  ])
  func answersNameTheirPair(_ symbol: String, _ pair: Pair) async throws {
    let stub = try StubExchanges(
      config: #"""
        { "version": 1, "exchanges": { "Stub": {
          "baseUrls": ["https://stub.example"], "rows": "$.rows[*]", "fields": { "price": "$.p" },
          "orderbook": { "request": { "path": "/book/{asset}{payment}" }, "bids": "$.b[*]", "asks": "$.a[*]",
            "price": "$[0]", "size": "$[1]" },
          "markets": { "futures": { "tickers": { "request": { "path": "/all" }, "forEach": [
            { "paymentCurrencies": { "stable": ["USDT"] }, "symbol": { "path": "$.s", "split": "payment" } },
            { "paymentCurrencies": { "coin": ["USD"] },
              "symbol": { "path": "$.s", "suffix": "_PERP", "split": "payment" } }] } } } } } }
        """#)
    let client = stub.client { _, _ in
      .success((200, Array(#"{"s":"\#(symbol)","b":[["9","1"]],"a":[["10","1"]]}"#.utf8)))
    }
    let exchange = try #require(stub.exchanges.first)
    let market = try #require(exchange.market(.futures))
    let answer = await client.orderbook(
      PairQuery(pair, Interpretation(check: MeaningCheck())), count: 5, on: market, of: exchange.name)
    #expect(answer.failure?.reason == .noAnswer(.otherPair), "\(answer)")
  }
}
