import Config
import Mapping
import Quotes
import TestSupport
import Testing

/// The address of a pair's page, as far as the exchange's last row shows how it spells its names.
@Suite struct PageWriterTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var page = "https://a.test/{asset}_{payment}"
    /// More members of the market.
    var market = ""
    var tickers = #"{"request": {"path": "/t/{asset}{payment}"}}"#
    var pair = Pair(asset: "BTC", payment: "USDT")
    /// The row's symbol; nil for no row.
    var symbol: String?
    var multiplier: Decimal?
    var product: String?
    let address: String?

    var testDescription: String { "\(page) \(pair) \(symbol ?? "-")" }
  }

  private static let parts = #"""
    {"request": {"path": "/t"}, "forEach": [
      {"set": {"c": "linear"}, "page": "https://a.test/{c}/{asset}", "paymentCurrencies": {"x": ["USDT", "USD"]}},
      {"set": {"c": "inverse"}, "paymentCurrencies": {"x": ["USD"]}}]}
    """#
  private static let shib = Pair(asset: "SHIB", payment: "USDT")
  private static let marks = #""multiplier": {"1000": 1000, "k": 1000, "*1000": 1000}, "#

  @Test(arguments: [
    Case(address: "https://a.test/BTC_USDT"),
    Case(page: "https://a.test/{asset|lower}-{payment|upper}", address: "https://a.test/btc-USDT"),
    Case(page: "https://a.test", address: "https://a.test"),
    // Inserted values are escaped, so they cannot change the address's structure.
    Case(pair: Pair(asset: "A/../B?", payment: "한"), address: "https://a.test/A%2F..%2FB%3F_%ED%95%9C"),
    Case(page: "https://a.test/{symbol}", symbol: "BTC-USDT", address: "https://a.test/BTC-USDT"),
    Case(page: "https://a.test/{symbol}", symbol: "\u{1B}]8;;\u{7}", address: "https://a.test/%1B%5D8%3B%3B%07"),
    Case(page: "https://a.test/x/{symbol}", address: "https://a.test/"),
    // A symbol composed from the request is not the exchange's own.
    Case(
      page: "https://a.test/x/{symbol}", market: #""ticker": {"symbol": "request"}, "#, symbol: "BTCUSDT",
      address: "https://a.test/"),
    // Of two names, the one that appears in the exchange's symbol.
    Case(market: #""aliases": {"XBT": "BTC"}, "#, address: "https://a.test/XBT_USDT"),
    Case(market: #""aliases": {"XBT": "BTC"}, "#, symbol: "xbtusdt", address: "https://a.test/XBT_USDT"),
    Case(market: #""aliases": {"XBT": "BTC"}, "#, symbol: "BTC-USDT", address: "https://a.test/BTC_USDT"),
    Case(symbol: "BITCOIN2-USDT", address: "https://a.test/BITCOIN2_USDT"),
    Case(
      market: marks, pair: shib, symbol: "1000SHIBUSDT", multiplier: 1000, address: "https://a.test/1000SHIB_USDT"),
    Case(market: marks, pair: shib, symbol: "kSHIB-USDT", multiplier: 1000, address: "https://a.test/kSHIB_USDT"),
    Case(market: marks, pair: shib, symbol: "SHIB1000USDT", multiplier: 1000, address: "https://a.test/SHIB1000_USDT"),
    Case(market: marks, pair: shib, symbol: "#107", multiplier: 1000, address: "https://a.test/"),
    Case(tickers: parts, address: "https://a.test/linear/BTC"),
    Case(tickers: parts, pair: Pair(asset: "BTC", payment: "USD"), address: "https://a.test/linear/BTC"),
    Case(
      tickers: parts, pair: Pair(asset: "BTC", payment: "USD"), symbol: "BTCUSD", product: "inverse",
      address: "https://a.test/BTC_USD"),
    Case(tickers: parts, pair: Pair(asset: "BTC", payment: "EUR"), address: nil),
  ])
  func address(_ example: Case) throws {
    let text = #"""
      {"version": 1, "exchanges": {"A": {"baseUrls": ["https://a.test"], "rows": "$[*]",
        "symbol": {"path": "$.s", "split": "-"}, "markets": {"spot": {
          "page": "\#(example.page)", \#(example.market)"tickers": \#(example.tickers)}}}}}
      """#
    let configuration = try Configuration(try ConfigFile(name: "x", bytes: Array(text.utf8))) {
      () throws(ConfigSyntaxError) in try ConfigFile(name: "x", bytes: Array("{}".utf8))
    }
    let source = try #require(configuration.exchange(named: "A"))
    let market = try #require(configuration.read(source, ExchangeExtent(hasPages: true)).exchange?.market(.spot))
    let row = example.symbol.map {
      Ticker(
        exchange: "A", market: .spot, product: example.product, symbol: $0, pair: example.pair,
        multiplier: example.multiplier)
    }
    #expect(
      market.page(of: example.pair, row: row, globalAliases: ["BITCOIN2": "BTC", "ETHER": "ETH"]) == example.address)
  }
}
