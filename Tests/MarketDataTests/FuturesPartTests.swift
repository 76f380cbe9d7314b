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
    #expect(answer.failure?.reason == .noAnswer("other-pair"), "\(answer)")
  }
}
