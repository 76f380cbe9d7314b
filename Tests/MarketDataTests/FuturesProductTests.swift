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
      "orderbook": { "request": { "path": "/book/{symbol}" }, "bids": "$.b[*]", "asks": "$.a[*]", "price": "$[0]",
        "size": "$[1]" },
      "trades": { "request": { "path": "/trades/{symbol}" }, "rows": "$.t[*]",
        "fields": { "price": "$.p", "size": "$.q", "time": { "path": "$.t", "unit": "s" } } },
      "candles": { "request": { "path": "/candles/{symbol}", "query": { "i": "{interval}" } }, "rows": "$.k[*]",
        "intervals": { "1m": "1m" }, "fields": { "time": { "path": "$[0]", "unit": "s" }, "open": "$[1]",
        "high": "$[2]", "low": "$[3]", "close": "$[4]", "volume": "$[5]" } },
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
    if hasFailed { table.failures = [.init(part: "product=inverse", failure: AnswerFailure(.timeout))] }
    let report = ExchangeReport(exchange: "Stub", market: .futures, GatheredTable(table, of: pair))
    FeedReading(FeedCapabilities(termMilliseconds: 1000, pairs: [pair], wholeCost: nil), .pairs([pair]), [report])
      .put(into: &rows, streamed: [], asked: nil, at: StubExchanges.arrival)
    #expect(rows.rows.map(\.ticker).map(Self.text) == prices)
  }

  private static func query(_ payment: String, _ product: String?) -> PairQuery {
    PairQuery(
      Pair(asset: "BTC", payment: payment), product: product, Interpretation(check: MeaningCheck()))
  }

  /// Returns answers whose price, 100, 101 or 102, tells the symbol asked for.
  private static func blockReply(to url: String) -> StubExchanges.Reply {
    if url.hasSuffix("/all") { return .success((200, Array(table.utf8))) }
    let price = url.contains("_UM-SWAP") ? 102 : url.contains("USDT") ? 100 : 101
    let second = StubExchanges.arrival.nanoseconds / 1_000_000_000
    let body = #"""
      { "b": [["\#(price)", "1"]], "a": [["\#(price + 1)", "1"]],
        "t": [{ "p": "\#(price)", "q": "1", "t": \#(second) }],
        "k": [[\#(second / 60 * 60), \#(price), \#(price), \#(price), \#(price), 9]] }
      """#
    return .success((200, Array(body.utf8)))
  }

  struct Asked: Sendable, CustomTestStringConvertible {
    let payment: String
    let product: String?
    /// Whether requests use the symbol of the table, rather than one made of the pair.
    var usesSymbol = true
    /// The product of the answer, and its best bid or why there is none.
    let answer: String
    var testDescription: String { "\(payment) \(product ?? "any") \(usesSymbol)" }
  }

  /// The book asked for is that of the product, or of the first in the config; the answer says of which it is.
  @Test(arguments: [
    Asked(payment: "USDT", product: nil, answer: "stable 100"), Asked(payment: "USD", product: nil, answer: "coin 101"),
    Asked(payment: "USD", product: "coin", answer: "coin 101"),
    Asked(payment: "USD", product: "dollars", answer: "dollars 102"),
    Asked(payment: "USD", product: "stable", answer: "stable not-listed"),
    Asked(payment: "USDT", product: nil, usesSymbol: false, answer: "stable 100"),
    Asked(payment: "USD", product: nil, usesSymbol: false, answer: "none 101"),
    Asked(payment: "USD", product: "dollars", usesSymbol: false, answer: "dollars not-offered"),
  ])
  func bookIsOfTheProductAskedFor(_ asked: Asked) async throws {
    let config =
      asked.usesSymbol ? Self.config : Self.config.replacing("/book/{symbol}", with: "/book/{asset}-{payment}-SWAP")
    let stub = try StubExchanges(config: config)
    let market = try #require(stub.exchanges.first?.market(.futures))
    let book = await stub.client { _, url in Self.blockReply(to: url) }
      .orderbook(Self.query(asked.payment, asked.product), count: 5, on: market, of: "Stub")
    let told = book.value?.bids.first?.price.shortest ?? book.failure?.reason.code ?? "-"
    #expect("\(book.product ?? "none") \(told)" == asked.answer)
  }

  /// Parts are told apart by their names, or by those of their groups.
  @Test(arguments: [
    #"{ "set": { "product": "a" } }, { "set": { "product": "b" } }"#,
    #"{ "paymentCurrencies": { "a": ["USD"] } }, { "paymentCurrencies": { "b": ["USD"] } }"#,
  ])
  func blocksAreOfTheirPart(_ parts: String) throws {
    let config = #"""
      { "version": 1, "exchanges": { "Stub": {
        "baseUrls": ["https://stub.example"], "rows": "$[*]", "symbol": { "path": "$.s", "split": "-" },
        "fields": { "price": "$.p" }, "orderbook": { "request": { "path": "/book/{asset}{payment}" },
          "bids": "$.b[*]", "asks": "$.a[*]", "price": "$[0]", "size": "$[1]" },
        "markets": { "futures": { "tickers": { "request": { "path": "/all" }, "forEach": [\#(parts)] } } } } } }
      """#
    let market = try #require(try StubExchanges(config: config).exchanges.first?.market(.futures))
    #expect(market.orderbooks.map { market.product(of: Self.query("USD", nil), by: $0.table) } == ["a", "b"])
  }

  /// What is polled beside a stream, or instead of one, is of the row's product.
  @Test(
    arguments: [StreamChannel.ticker, .trades, .orderbook, .candles],
    [("BTC-USD-SWAP", "coin", 101), ("BTC-USD_UM-SWAP", "dollars", 102)] as [(String, String, Decimal)])
  func everyProductIsPolled(_ channel: StreamChannel, _ row: (String, String, Decimal)) async throws {
    let stub = try StubExchanges(config: Self.config)
    let exchange = try #require(stub.exchanges.first)
    let market = try #require(exchange.market(.futures))
    let pair = Pair(asset: "BTC", payment: "USD")
    var ticker = Ticker(exchange: "Stub", market: .futures, symbol: row.0, pair: pair)
    ticker.product = row.1
    let subject = StreamSubject(
      exchange: "Stub", market: .futures, channel: channel, spec: nil,
      pairs: [StreamPair(row: ticker, spelling: PairSpelling(asset: "BTC", payment: "USD", symbol: row.0))],
      interval: .oneMinute, options: Interpretation(check: MeaningCheck()), refreshMilliseconds: 1000)
    let polled = await stub.client { _, url in Self.blockReply(to: url) }
      .poll([0], of: subject, isAgain: false, on: market, of: exchange)
    let price: Decimal? =
      switch try polled.first?.result.get() {
      case .ticker(let row): row.price.value
      case .trades(let trades): trades.last?.price
      case .orderbook(let book): book.bids.first?.price
      case .candle(let candle, _): candle.close
      default: nil
      }
    #expect(polled.first?.product == row.1)
    #expect(price == row.2)
  }

  /// Two products side by side are told apart, and each takes the messages about it alone.
  @Test func productsOfOnePairAreSources() throws {
    let exchange = try #require(try StubExchanges(config: Self.config).exchanges.first)
    let market = try #require(exchange.market(.futures))
    let sources = ["coin", "dollars"].map { PairPoller.Source(exchange, market, Self.query("USD", $0)) }
    #expect(sources.map { sources.badge(of: $0, [exchange.name: "ST"]) } == ["ST:coin", "ST:dollars"])
    let live = LiveChannels(sources, [.orderbook(5)])
    let events = live.take(
      StreamEvent(
        exchange: "Stub", market: .futures, channel: .orderbook, pair: Pair(asset: "BTC", payment: "USD"),
        product: "dollars", content: .orderbook(OrderBook(bids: [], asks: [])), isStreamed: true,
        arrival: StubExchanges.arrival))
    #expect(events.map(\.source) == [1])
  }

  @Test(
    arguments: [
      (
        [("Kraken", "USD", "linear"), ("Kraken", "USD", "inverse")],
        ["Kraken BTC/USD linear", "Kraken BTC/USD inverse"]
      ),
      ([("Kraken", "USD", "linear"), ("Kraken", "EUR", "linear")], ["Kraken BTC/USD", "Kraken BTC/EUR"]),
      ([("Kraken", "USD", "linear"), ("Okx", "USD", "linear")], ["Kraken", "Okx"]),
    ] as [([(String, String, String)], [String])])
  func answersAreToldApart(_ sources: [(String, String, String)], _ names: [String]) {
    let answers = sources.map { exchange, payment, product in
      PairAnswer<Int>(
        exchange: exchange, market: .futures, product: product, pair: Pair(asset: "BTC", payment: payment), .success(1))
    }
    #expect(answers.sourceNames() == names)
  }

  private static func text(of row: Ticker) -> String {
    "\(row.product ?? "none") \(row.price.value?.shortest ?? "-")"
  }
}
