import Config
import HTTP
import Mapping
import MarketData
import Quotes
import Testing

import func Foundation.pow

@testable import Proving

/// Mappings that read an answer without an error, though their numbers are of something else.
@Suite struct UnusualAnswerTests {
  // MARK: Futures

  private static let coins: [(name: String, price: Double, contract: Double)] = [
    ("BTC", 91_500.5, 0.001), ("ETH", 3016.06, 0.01), ("XRP", 2.2042, 10), ("SOL", 141.04, 0.1), ("ADA", 0.4316, 10),
    ("DOGE", 0.1523, 100), ("LTC", 84.05, 0.1), ("BCH", 512.3, 0.1), ("DOT", 2.87, 1), ("SHIB", 0.0000091, 1_000_000),
  ]

  private static func problems(_ config: String, _ answer: String) async throws -> [Finding] {
    let stub = try StubExchanges(config: #"{ "version": 1, "exchanges": { "Stub": \#(config) } }"#)
    let client = stub.client { _, _ in .success((200, Array(answer.utf8))) }
    let exchange = try #require(stub.exchanges.first)
    return await ExchangeTester(live: client, Interpretation(check: MeaningCheck())).test(exchange).findings
  }

  /// A test that has read nothing proves nothing.
  @Test(
    arguments: [
      (
        #""enabled": false, "tickers": { "request": { "path": "/all" } }"#, "[]",
        "nothing was requested, so nothing is proved"
      ),
      (
        #""ticker": { "request": { "path": "/one/{asset}" }, "symbol": "request", "success": { "where": [{ "path": "$.ok", "equals": true }], "unlisted": [{ "path": "$.e", "equals": "none" }] } }"#,
        #"{"ok":false,"e":"none"}"#,
        "no row was read, so nothing is proved"
      ),
    ])
  func nothingReadIsAProblem(_ market: String, _ answer: String, _ sentence: String) async throws {
    let found = try await Self.problems(
      #"{ "baseUrls": ["https://stub.example"], "rows": "$[*]", "paymentCurrencies": { "stable": ["USDT"] }, "fields": { "price": "$.p" }, "symbol": { "path": "$.s", "split": "-" }, "markets": { "spot": { \#(market) } } }"#,
      answer)
    #expect(found.contains { $0.severity == .error && $0.message == sentence }, "\(found.map(\.message))")
  }

  /// Rows stay without an optional lookup, so that only its failure shows that it is misspelt.
  @Test func failedOptionalLookupIsAProblem() async throws {
    let config = #"""
      { "version": 1, "exchanges": { "Stub": {
        "baseUrls": ["https://stub.example"], "rows": "$[*]", "symbol": { "path": "$.s", "split": "-" },
        "fields": { "price": "$.p" }, "where": [{ "from": "live", "path": "$.on", "notIn": [false] }],
        "lookups": { "live": { "request": { "path": "/lvie" }, "rows": "$[*]", "key": "$.s", "optional": true } },
        "markets": { "spot": { "tickers": { "request": { "path": "/all" } } } } } } }
      """#
    let stub = try StubExchanges(config: config)
    let client = stub.client { _, url in
      .success(
        url.hasSuffix("/lvie")
          ? (404, Array("{}".utf8)) : (200, Array(#"[{"s":"BTC-USDT","p":"9"},{"s":"ETH-USDT","p":"2"}]"#.utf8)))
    }
    let exchange = try #require(stub.exchanges.first)
    let tested = await ExchangeTester(live: client, Interpretation(check: MeaningCheck())).test(exchange)
    #expect(tested.problems.map(\.message) == ["the optional lookup 'live': http-404: page not found"])
  }

  /// If none of the usual intervals is offered, the shortest is requested.
  @Test func oneIntervalIsAlwaysRequested() async throws {
    let block = #"""
      { "baseUrls": ["https://stub.example"], "rows": "$[*]", "symbol": { "path": "$.s", "split": "-" },
        "fields": { "price": "$.p" }, "markets": { "spot": { "tickers": { "request": { "path": "/all" } },
          "candles": { "request": { "path": "/candles", "query": { "i": "{interval}" } }, "rows": "$.none[*]",
            "intervals": { "4h": "240", "5m": "5" }, "count": 100,
            "fields": { "time": { "path": "$[0]", "unit": "s" }, "open": "$[1]", "high": "$[2]", "low": "$[3]", "close": "$[4]" } } } } }
      """#
    let found = try await Self.problems(block, #"[{"s":"BTC-USDT","p":"9"},{"s":"ETH-USDT","p":"2"}]"#)
    let candles = found.map(\.message).filter { $0.contains("candles") }
    #expect(
      candles.contains { $0.contains("5m") } && !candles.contains { $0.contains("4h") }, "\(found.map(\.message))")
  }

  private static func config(rows: String = "$[*]", market: String = "spot", volume: String) -> String {
    """
    { "baseUrls": ["https://stub.example"], "rows": "\(rows)", "symbol": { "path": "$.s", "split": "-" },
      "fields": { "price": "$.p", "volume24": \(volume) },
      "markets": { "\(market)": { "tickers": { "request": { "path": "/all" } } } } }
    """
  }

  @Test(
    arguments: [
      (
        #""$.v""#, "ctVal",
        "error: volume24: it counts contracts, as only times $.ctVal it falls with the price like coins"
      ),
      (#"{ "product": ["$.v", "$.ctVal"] }"#, "ctVal", nil),
      (#""$.coins""#, "ctVal", nil), (#""$.part""#, "minimum", "note: does it count contracts?"),
      (#""$.v""#, "minimum", "error: as money would"),
    ] as [(String, String, String?)])
  func contractsAreNoVolume(_ volume: String, _ size: String, _ expected: String?) async throws {
    let rows = Self.coins.enumerated().map { index, coin in
      let coins = 4_000_000 * Double(1 + index * 37 % 7) / coin.price
      return
        #"{"s":"\#(coin.name)-USDT","p":\#(coin.price),"v":\#((coins / coin.contract).rounded()),"\#(size)":\#(coin.contract),"coins":\#(coins),"part":\#(coins * pow(coin.price, 0.7))}"#
    }
    let config = Self.config(market: "futures", volume: volume)
    let found = try await Self.problems(config, "[\(rows.joined(separator: ","))]").filter {
      $0.message.contains("volume24")
    }
    let words = expected?.split(separator: ": ", maxSplits: 1).map(String.init)
    #expect(found.count == (expected == nil ? 0 : 1), "\(found.map(\.message))")
    if let words { #expect(found.first.map { "\($0.severity)" == words[0] && $0.message.contains(words[1]) } == true) }
  }

  // MARK: Rows

  /// A path that takes only some elements of a list of rows; a header is none.
  @Test(
    arguments: [
      ("$[*]", false, nil), ("$[1:]", false, "rows: $[1:] leaves out 1 of 10 elements, which look like rows as well"),
      ("$[0]", false, "rows: $[0] leaves out 9 of 10 elements, which look like rows as well"), ("$[1:]", true, nil),
    ] as [(String, Bool, String?)])
  func partOfTheRowsIsNamed(_ rows: String, _ hasHeader: Bool, _ expected: String?) async throws {
    var elements = Self.coins.map { #"{"s":"\#($0.name)-USDT","p":\#($0.price),"v":\#(1000 / $0.price)}"# }
    if hasHeader { elements.insert(#"{"count":10,"page":1}"#, at: 0) }
    let found = try await Self.problems(
      Self.config(rows: rows, volume: #""$.v""#), "[\(elements.joined(separator: ","))]"
    ).filter { $0.message.contains("rows: ") }
    #expect(found.map(\.message).first?.contains(expected ?? "?") == (expected == nil ? nil : true))
  }

  // MARK: Order books

  @Test(arguments: [(5, false), (7, true), (25, true)])
  func runningTotalsAreNoSizes(_ count: Int, _ isFound: Bool) {
    func levels(_ sign: Int) -> [OrderBook.Level] {
      (1...count).map { OrderBook.Level(price: Decimal(1000 + sign * $0), size: Decimal($0 * $0)) }
    }
    #expect((SizeReading(totalsOf: OrderBook(bids: levels(-1), asks: levels(1))) != nil) == isFound)
  }

  // MARK: Rates

  private static let day: Int64 = 86_400_000_000_000

  /// Returns the findings about the first provider after comparison with the second, asked days before.
  private static func rates(
    _ rate: String, pairs: String = #"["*/KRW"]"#, time: Int? = nil, daysBefore days: Int64
  ) async throws -> [Finding] {
    func provider(_ name: String, _ pairs: String) -> String {
      let time = time.map { _ in #", "time": { "path": "$.t", "unit": "s" }"# } ?? ""
      return """
        "\(name)": { "baseUrls": ["https://\(name).example"], "pairs": \(pairs), "rate": { "request": { "path": "/all" },
          "rows": "$[*]", "symbol": { "path": "$.s", "split": "/" }, "fields": { "rate": "$.r"\(time) } } }
        """
    }
    let config =
      #"{ "version": 1, "exchanges": {}, "fx": { "providers": { \#(provider("own", pairs)), \#(provider("other", #"["*/KRW"]"#)) } } }"#
    let configuration = try Configuration(text: config, name: "c.json")
    var tested: [TestedExchange] = []
    for (name, answer) in [("own", rate), ("other", "1470.5")] {
      let arrival = Instant(nanoseconds: StubExchanges.arrival.nanoseconds - (name == "own" ? 0 : days * day))
      let body =
        #"[{"s":"USD/KRW","r":\#(answer),"t":\#(time ?? 0)},{"s":"USD/PLN","r":3.65,"t":0},{"s":"USD/NOK","r":10.1,"t":0}]"#
      let client = MarketClient(
        handler: { request throws(TransportError) in
          HTTPResponse(status: 200, headers: [], body: Array(body.utf8), arrival: arrival, url: request.urls[0])
        }, credentials: Credentials(nil) { _ in nil }, hooks: HookRegistry(), now: { arrival })
      let provider = try #require(configuration.readProvider(name, hooks: []).provider)
      tested.append(await ExchangeTester(live: client, Interpretation(check: MeaningCheck())).test(provider))
    }
    return RateComparison([tested[0]], beside: [tested[1]]).exchanges[0].findings
  }

  /// A rate upside down, or of another scale, is found beside rates of years ago; a currency may fall in the meantime.
  @Test(arguments: [
    ("0.00068", 1, true), ("0.00068", 400, true), ("147050", 400, true), ("1900", 400, false), ("600", 400, false),
    ("0.00068", 4000, false),
  ])
  func ratesAreComparedOverYears(_ rate: String, _ days: Int64, _ isProblem: Bool) async throws {
    let found = try await Self.rates(rate, daysBefore: days)
    #expect(found.contains { $0.severity == .error } == isProblem, "\(found.map(\.message))")
    let alone = "no rate of another provider to compare with: USD/KRW"
    #expect(found.contains { $0.message.contains(alone) } == (days == 4000), "\(found.map(\.message))")
  }

  /// A provider without won and euros is tested with the pairs that it has.
  @Test(arguments: [#"["*/PLN"]"#, #"["USD/NOK"]"#])
  func pairsOfTheProviderAreRequested(_ pairs: String) async throws {
    let found = try await Self.rates("1470.5", pairs: pairs, daysBefore: 1)
    #expect(!found.contains { $0.severity == .error }, "\(found.map(\.message))")
  }

  @Test(arguments: [(#"["*/*"]"#, 1), (#"["*/KRW"]"#, 0)])
  func promisedPairsMustBeThere(_ pairs: String, _ count: Int) async throws {
    let found = try await Self.rates("1470.5", pairs: pairs, daysBefore: 1).filter { $0.severity == .error }
    #expect(found.contains { $0.message.contains("EUR/USD: no rate in the answer") } == (count > 0))
    #expect(count > 0 || found.isEmpty, "\(found.map(\.message))")
  }

  @Test(arguments: [(1_763_442_000, false), (1_763_442, true)])
  func timesOfAnotherDecadeAreProblems(_ time: Int, _ isProblem: Bool) async throws {
    let found = try await Self.rates("1470.5", time: time, daysBefore: 1)
    #expect(found.contains { $0.message.contains("is years before its arrival") } == isProblem)
  }
}
