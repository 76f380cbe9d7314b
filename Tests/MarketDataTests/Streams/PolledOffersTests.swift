import Config
import HTTP
import Mapping
import Quotes
import Testing

@testable import MarketData

/// Bid and ask without a stream: the best prices of an order book.
@Suite struct PolledOffersTests {
  private static let config = #"""
    { "version": 1, "exchanges": { "Stub": {
      "baseUrls": ["https://stub.example"], "rows": "$[*]", "symbol": { "path": "$.s", "split": "-" },
      "fields": { "price": "$.p" },
      "lookups": { "contracts": {
        "request": { "path": "/contracts" }, "rows": "$[*]", "key": "$.s", "match": "{asset}-{payment}" } },
      "markets": { "futures": {
        "orderbook": { "request": { "path": "/book/{asset}-{payment}" }, "bids": "$.b[*]", "asks": "$.a[*]", "price": "$[0]",
          "size": { "quotient": [{ "product": [{ "from": "contracts", "path": "$.size" }, "$[1]"] }, "$[0]"] } },
        "tickers": { "request": { "path": "/all" } } } } } } }
    """#

  /// A failed lookup of contracts leaves the sizes of a book without a unit. Its prices have none; levels of size zero
  /// are none here, too.
  @Test(arguments: [(StreamChannel.offers, "100 101"), (.orderbook, "lookup-failed contracts")])
  func pricesNeedNoUnit(_ channel: StreamChannel, _ expected: String) async throws {
    let stub = try StubExchanges(config: Self.config)
    let client = stub.client { _, url in
      if !url.contains("/book/") { return .success((503, [])) }
      return .success((200, Array(#"{"b": [["102", "0"], ["100", "7"]], "a": [["101", "3"]]}"#.utf8)))
    }
    let row = Ticker(
      exchange: "Stub", market: .futures, symbol: "BTC-USD", pair: Pair(asset: "BTC", payment: "USD"))
    let pair = StreamPair(row: row, spelling: PairSpelling(asset: "BTC", payment: "USD", symbol: row.symbol))
    let subject = StreamSubject(
      exchange: "Stub", market: .futures, channel: channel, spec: nil, pairs: [pair],
      options: Interpretation(check: MeaningCheck()), refreshMilliseconds: 1000)
    let exchange = try #require(stub.exchanges.first)
    let market = try #require(exchange.market(.futures))
    let polled = await client.poll([0], of: subject, isAgain: false, on: market, of: exchange)
    let text =
      switch polled.first?.result {
      case .success(.ticker(let row))?: [row.bid, row.ask].map { $0.value?.shortest ?? "-" }.joined(separator: " ")
      case .failure(let failure)?: failure.reason.code
      default: "neither"
      }
    #expect(text == expected)
  }
}
