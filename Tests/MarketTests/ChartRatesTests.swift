import Asking
import Config
import Mapping
import MarketData
import Quotes
import Testing

/// The rates at which a chart's prices are converted.
@Suite struct ChartRatesTests {
  private static func source(_ exchange: String, in payment: String) throws -> PairPoller.Source {
    let text = """
      {"version": 1, "exchanges": {"\(exchange)": {
        "baseUrls": ["https://exchange.test"], "rows": "$[*]", "symbol": {"path": "$.s", "split": "-"},
        "markets": {"spot": {"tickers": {"request": {"path": "/tickers"}, "fields": {"price": "$.p"}}}}}}}
      """
    let file = try ConfigFile(name: "exchanges.json", bytes: Array(text.utf8))
    let configuration = try Configuration(file) { () throws(ConfigSyntaxError) in file }
    let read = try #require(configuration.read(configuration.exchanges[0]).exchange)
    let query = PairQuery(Pair(asset: "BTC", payment: payment), Interpretation(check: MeaningCheck()))
    return PairPoller.Source(read, try #require(read.market(.spot)), query)
  }

  /// Two exchanges of a live chart, one in dollars or a token and one in local money, are compared at the local one's
  /// price of the first token.
  @Test(
    arguments: [
      (["USDT", "KRW"], "B USDT/KRW"), (["KRW", "USDC"], "A USDT/KRW"), (["JPY", "USD"], "A USDT/JPY"),
      (["USDT", "USD"], nil), (["KRW", "JPY"], nil), (["KRW"], nil), (["USDT", "KRW", "KRW"], nil),
    ] as [([String], String?)])
  func tokenOfLiveChart(_ payments: [String], _ token: String?) throws {
    let sources = try zip(["A", "B", "C"], payments).map { try Self.source($0, in: $1) }
    let found = ChartRates.token(between: sources, ["USDT", "USDC"])
    #expect(found.map { "\($0.exchange.name) \($0.query.pair)" } == token)
  }
}
