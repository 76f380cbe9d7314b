import HTTP
import Mapping
import MarketData
import Quotes
import Transport

/// Three exchanges with won, two with dollars, and a bank, each with a response that a test may change: bitcoin is most
/// expensive on `seoul` and cheapest on `alpha`.
struct SeoulMarket {
  typealias Reply = StubExchanges.Reply

  /// The responses to `/all` by host name; `seoul/book` is its order book.
  var replies: [String: Reply] = [
    "bank": .success((200, Array(#"{"rate": 1500}"#.utf8))),
    "seoul": Self.rows([("BTC-KRW", "153000000"), ("USDT-KRW", "1510")]),
    "busan": Self.rows([("BTC-KRW", "151500000"), ("USDT-KRW", "1520")]),
    "jeju": Self.rows([("BTC-KRW", "151000000"), ("USDT-KRW", "1515")]),
    "alpha": Self.rows([("BTC-USDT", "100000")]),
    "beta": Self.rows([("BTC-USDT", "100500")]),
    "seoul/book": Self.book(bid: "153000000", ask: "153010000"),
    "busan/book": Self.book(bid: "151500000", ask: "151510000"),
    "jeju/book": Self.book(bid: "151000000", ask: "151010000"),
    "alpha/book": Self.book(bid: "99990", ask: "100000"),
    "beta/book": Self.book(bid: "100490", ask: "100500"),
  ]

  /// - Parameters:
  ///   - age: of all rows, in seconds.
  ///   - time: replaces the age.
  ///   - more: further members of each row.
  static func rows(
    _ prices: [(pair: String, price: String)], age: Int64 = 1, time: String? = nil, more: String = ""
  ) -> Reply {
    let time = time ?? "\(StubExchanges.arrival.nanoseconds / 1_000_000 - age * 1000)"
    let rows = prices.map { row in #"{"s": "\#(row.pair)", "p": "\#(row.price)", "t": \#(time)\#(more)}"# }
    return .success((200, Array(#"{"ok": true, "list": [\#(rows.joined(separator: ","))]}"#.utf8)))
  }

  /// - Parameter time: the order book's time.
  static func book(bid: String, ask: String, size: String = "5", time: String = "null") -> Reply {
    let sides = #""b": [["\#(bid)", "\#(size)"]], "a": [["\#(ask)", "\#(size)"]]"#
    return .success((200, Array(#"{"ok": true, \#(sides), "t": \#(time)}"#.utf8)))
  }

  /// Returns a single row of a pair that does not trade.
  static func halted(_ pair: String) -> Reply {
    .success((200, Array(#"{"ok": true, "list": [{"s": "\#(pair)", "p": "1", "t": 0, "halted": true}]}"#.utf8)))
  }

  static func failing(_ status: Int) -> Reply { .success((status, [])) }

  func premium(_ query: PremiumQuery) async throws -> PremiumSnapshot {
    let (exchanges, client) = try world()
    return await client.premium(query, exchanges: exchanges.exchanges, exchanges.configuration, Self.options)
  }

  func conversion(from payment: String, to currency: String) async throws -> Conversion {
    let (exchanges, client) = try world()
    return await client.conversion(from: payment, to: currency, exchanges.configuration, Self.options)
  }

  private static let options = Interpretation(check: MeaningCheck())

  private func world() throws -> (StubExchanges, MarketClient) {
    let exchanges = try StubExchanges(config: Self.config)
    let replies = replies
    let client = exchanges.client { host, url in
      replies[url.contains("/book") ? "\(host)/book" : host] ?? .failure(.timeout)
    }
    return (exchanges, client)
  }

  /// The config, in which `seoul` has no fee.
  private static let config = """
    { "version": 1,
      "exchanges": { \(["seoul", "busan", "jeju", "alpha", "beta"].map(block).joined(separator: ",\n")) },
      "fx": {
        "providers": { "Bank": { "baseUrls": ["https://bank.example"], "pairs": ["USD/KRW"],
          "rate": { "request": { "path": "/rate" }, "rows": "$", "symbol": "request", "fields": { "rate": "$.rate" } } } },
        "routes": { "USD/KRW": { "rules": [{ "use": "Bank" }] } } } }
    """

  private static func block(_ name: String) -> String {
    """
    "\(name)": { "baseUrls": ["https://\(name).example"],
      "success": { "where": [{ "path": "$.ok", "equals": true }] },
      "rows": "$.list[*]", "symbol": { "path": "$.s", "split": "-" },
      "where": [{ "path": "$.halted", "is": "absent" }],
      "fields": { "price": "$.p", "low": "$.l", "time": { "path": "$.t", "unit": "ms" },
        "volume24": "$.v", "bid": "$.b", "ask": "$.a" },
      "markets": { "spot": {
        \(name == "seoul" ? "" : #""takerFee": 0.1,"#)
        "paymentCurrencies": { "all": ["\(["alpha", "beta"].contains(name) ? "USDT" : "KRW")"] },
        "tickers": { "request": { "path": "/all" } },
        "ticker": { "request": { "path": "/all", "query": { "pair": "{asset}-{payment}" } } },
        "orderbook": { "request": { "path": "/book", "query": { "pair": "{asset}-{payment}" } }, "bids": "$.b[*]", "asks": "$.a[*]", "price": "$[0]", "size": "$[1]",
          "time": { "path": "$.t", "unit": "ms" } }
      } } }
    """
  }
}
