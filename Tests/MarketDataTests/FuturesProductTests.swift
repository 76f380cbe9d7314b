import Config
import HTTP
import Mapping
import Quotes
import Testing

@testable import MarketData

/// A table of futures whose symbols tell two products of one pair apart: `BTC-USD-SWAP` and `BTC-USD_UM-SWAP`.
@Suite struct FuturesProductTests {
  private static let config = #"""
    { "version": 1, "exchanges": { "Stub": {
      "baseUrls": ["https://stub.example"], "rows": "$.rows[*]", "fields": { "price": "$.p" },
      "symbol": { "path": "$.s", "rules": [
        { "match": "(?<asset>[^-]+)-(?<payment>[A-Z]+)-SWAP" },
        { "suffix": "-USD_UM-SWAP", "payment": "USD", "product": "dollars" } ] },
      "paymentCurrencies": { "stable": ["USDT"], "coin": ["USD"] },
      "markets": { "futures": {
        "tickers": { "request": { "path": "/all" } },
        "ticker": { "request": { "path": "/one/{asset}-{payment}-SWAP" } } } } } } }
    """#

  private static let table = #"""
    { "rows": [{ "s": "BTC-USDT-SWAP", "p": "100" }, { "s": "BTC-USD-SWAP", "p": "101" },
      { "s": "BTC-USD_UM-SWAP", "p": "102" }] }
    """#

  private static func reply(to url: String) -> StubExchanges.Reply {
    if url.hasSuffix("/all") { return .success((200, Array(table.utf8))) }
    let symbol = url.split(separator: "/").last ?? ""
    return .success((200, Array(#"{"rows":[{"s":"\#(symbol)","p":"\#(symbol.contains("USDT") ? 100 : 101)"}]}"#.utf8)))
  }

  /// A request for one symbol serves only pairs that have no other, if there is a table: the rows, and the last part of
  /// the request's path. An exchange is also asked before all of it has been read.
  @Test(arguments: [
    (true, "USDT", ["stable 100"], "BTC-USDT-SWAP"), (true, "USD", ["coin 101", "dollars 102"], "all"),
    (false, "USD", ["coin 101"], "BTC-USD-SWAP"),
  ])
  func everyProductIsShown(hasTable: Bool, _ payment: String, _ rows: [String], _ path: String) async throws {
    let tickers = #""tickers": { "request": { "path": "/all" } },"#
    let stub = try StubExchanges(config: hasTable ? Self.config : Self.config.replacing(tickers, with: ""))
    let query = TableQuery(
      pair: Pair(asset: "BTC", payment: payment), options: Interpretation(check: MeaningCheck()))
    let client = stub.client { _, url in Self.reply(to: url) }
    let exchange = try #require(stub.exchanges.first)
    let market = try #require(exchange.market(.futures))
    let configuration = stub.configuration
    let reports =
      [await client.report(on: market, of: exchange, query)]
      + (try await client.reports(of: configuration.exchanges, [.futures], query) {
        source, extent throws(UnreadableExchange) in
        guard let exchange = configuration.read(source, extent).exchange else {
          throw UnreadableExchange(name: source.name, diagnostics: [])
        }
        return exchange
      }.flatMap { try $0.get() })
    #expect(reports.count == 2)
    for report in reports {
      #expect(report.table.rows.map(\.ticker).map(Self.text) == rows)
      #expect(report.requests.map { $0.url.split(separator: "/").last.map(String.init) } == [path])
    }
  }

  /// A live view polls a pair of several products with the table, too.
  @Test(arguments: [("USDT", 1), ("USD", nil)] as [(String, Int?)])
  func pairsOfSeveralProductsArePolledWithTheTable(_ payment: String, _ cost: Int?) throws {
    let pair = Pair(asset: "BTC", payment: payment)
    let exchange = try #require(try StubExchanges(config: Self.config).exchanges.first)
    let market = try #require(exchange.market(.futures))
    let capabilities = FeedCapabilities(
      market, of: exchange, pairs: [pair], fields: [.price], globalAliases: [:], keepsLookups: false)
    #expect(capabilities.pairCosts[pair] == cost)
  }

  /// Of a pair whose products are requested separately, the row whose request failed is kept.
  @Test(arguments: [(false, ["linear 101"]), (true, ["linear 101", "inverse 90"])])
  func failedProductIsKept(hasFailed: Bool, _ prices: [String]) {
    let pair = Pair(asset: "BTC", payment: "USD")
    func row(_ product: String, _ price: Decimal) -> TickerRow {
      var ticker = Ticker(exchange: "Stub", market: .futures, symbol: product, pair: pair, price: .value(price))
      ticker.product = product
      return TickerRow(ticker: ticker, rank: ProductRank(), traces: [])
    }
    var rows = FeedRows()
    rows.take([row("linear", 100), row("inverse", 90)], pairs: nil)
    var table = TickerTable()
    table.rows = [row("linear", 101)]
    table.answered = 1
    if hasFailed { table.failures = [.init(part: "product=inverse", failure: TableFailure(.timeout))] }
    let report = ExchangeReport(exchange: "Stub", market: .futures, GatheredTable(table, of: pair))
    FeedReading(FeedCapabilities(termMilliseconds: 1000, pairs: [pair], wholeCost: nil), .pairs([pair]), [report])
      .put(into: &rows, streamed: [], asked: nil, at: StubExchanges.arrival)
    #expect(rows.rows.map(\.ticker).map(Self.text) == prices)
  }

  private static func text(of row: Ticker) -> String {
    "\(row.product ?? "none") \(row.price.value?.shortest ?? "-")"
  }
}
