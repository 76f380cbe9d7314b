import HTTP
import Testing

@testable import Shell

/// Candles, trades and order books for an existing exchange.
@Suite struct AddExchangeBlockTests {
  private let adding: AddingWorld

  init() throws { adding = try AddingWorld() }

  /// Eight hours, newest first, without names: each opens where the previous one closed.
  private static let candles = """
    {"code":0,"data":[["1699995600000","107","108","104","105","17.5","1855.0"],\
    ["1699992000000","104","108","103","107","16.5","1740.75"],\
    ["1699988400000","106","107","103","104","15.5","1627.5"],\
    ["1699984800000","103","107","102","106","14.5","1515.25"],\
    ["1699981200000","104","105","102","103","13.5","1397.25"],\
    ["1699977600000","101","105","100","104","12.5","1281.25"],\
    ["1699974000000","102","103","100","101","11.5","1167.25"],\
    ["1699970400000","100","103","99","102","10.5","1060.5"]]}
    """

  /// Returns the same, timed by the last millisecond or the last second of each hour.
  private static func ends(of milliseconds: Int, _ candles: String) -> String {
    (0..<8).reduce(candles) { text, hour in
      let start = 1_699_970_400_000 + hour * 3_600_000
      return text.replacing("\"\(start)\"", with: "\"\(start + 3_599_000 + milliseconds)\"")
    }
  }

  /// The same as eight days, given by date.
  private static let days = (0..<8).reduce(candles) { text, day in
    text.replacing("\"\(1_699_970_400_000 + day * 3_600_000)\"", with: "\"2023-11-0\(day + 1)\"")
  }

  private static let trades = """
    [{"no":14,"at":1699990005000,"px":"100.5","qty":"2","worth":"201","maker_is_buyer":false},\
    {"no":13,"at":1699990004000,"px":"100.4","qty":"1.5","worth":"150.6","maker_is_buyer":true},\
    {"no":12,"at":1699990003000,"px":"100.5","qty":"0.2","worth":"20.1","maker_is_buyer":false},\
    {"no":11,"at":1699990002000,"px":"100.4","qty":"3","worth":"301.2","maker_is_buyer":true}]
    """

  private static let book = """
    {"seq":71,"ts":1699990005000,"buy":[["100.4","2"],["100.3","7.5"],["100.1","1"]],\
    "sell":[["100.5","3"],["100.6","0.5"],["100.9","11"]]}
    """

  /// One list for both sides, with the side named at each level.
  private static let sidedBook = """
    {"orders":[{"type":"ask","px":"100.9","left":"11"},{"type":"ask","px":"100.6","left":"0.5"},\
    {"type":"ask","px":"100.5","left":"3"},{"type":"bid","px":"100.4","left":"2"},\
    {"type":"bid","px":"100.3","left":"7.5"},{"type":"bid","px":"100.1","left":"1"}]}
    """

  /// Prices as member names.
  private static let keyedBook = """
    {"bids":{"100.4":"2","100.3":"7.5","100.1":"1"},"asks":{"100.5":"3","100.6":"0.5","100.9":"11"}}
    """

  private static let tables = """
    {
      "version": 1,
      "exchanges": {
        "Newex": {
          "baseUrls": ["https://api.newex.example"],
          "rows": "$[*]",
          "symbol": { "path": "$.s", "split": "-" },
          "fields": { "price": "$.p", "volume24": "$.v" },
          "markets": {
            "spot": { "tickers": { "request": { "path": "/all" } } } } }
      }
    }

    """

  /// The table with the pair, whose volume shows what the sizes of levels count.
  private static let ticker = #"[{"s":"BTC-USDT","p":"103","v":"5000"}]"#

  /// A block that is written, and its source.
  struct Block: Sendable, CustomTestStringConvertible {
    let kind: String
    let address: String
    let answer: String
    let written: String
    var testDescription: String { kind }
  }

  static let blocks = [
    Block(
      kind: "candles",
      address: "https://api.newex.example/v1/chart/minutes/60?market=BTC_USDT&from=1699970400&to=1699999000&limit=200",
      answer: candles,
      written: """
        { "request": { "path": "/v1/chart/{interval}", "query": { "market": "{asset}_{payment}", "from": "{from.s}", \
        "to": "{to.s}", "limit": "{count}" } }, "count": 200, "intervals": { "1h": "minutes/60" }, "rows": "$.data[*]", \
        "fields": { "time": { "path": "$[0]", "unit": "ms" }, "open": "$[1]", "high": "$[2]", "low": "$[3]", \
        "close": "$[4]", "volume": "$[5]", "turnover": "$[6]" } }
        """),
    Block(
      kind: "candles", address: "https://api.newex.example/v1/chart/1h?market=BTC_USDT",
      answer: ends(of: 999, candles),
      written: """
        { "request": { "path": "/v1/chart/{interval}", "query": { "market": "{asset}_{payment}" } }, \
        "intervals": { "1h": "1h" }, "rows": "$.data[*]", "fields": { "time": { "path": "$[0]", "unit": "ms", \
        "basis": "within" }, "open": "$[1]", "high": "$[2]", "low": "$[3]", "close": "$[4]", "volume": "$[5]", \
        "turnover": "$[6]" } }
        """),
    Block(
      kind: "candles",
      address:
        "https://api.newex.example/v1/chart/1h?market=BTC_USDT&since=2023-11-14T14:00Z&before=2023-11-14T22:00:00.000Z",
      answer: candles,
      written: """
        { "request": { "path": "/v1/chart/{interval}", "query": { "market": "{asset}_{payment}", "since": \
        "{from:yyyy-MM-dd'T'HH:mm'Z'}", "before": "{to:yyyy-MM-dd'T'HH:mm:ss.SSS'Z'}" } }, "count": 8, \
        "intervals": { "1h": "1h" }, "rows": "$.data[*]", "fields": { "time": { "path": "$[0]", "unit": "ms" }, \
        "open": "$[1]", "high": "$[2]", "low": "$[3]", "close": "$[4]", "volume": "$[5]", "turnover": "$[6]" } }
        """),
    Block(
      kind: "trades", address: "https://api.newex.example/v1/fills/btcusdt?n=4", answer: trades,
      written: """
        { "request": { "path": "/v1/fills/{asset|lower}{payment|lower}", "query": { "n": "{count}" } }, "count": 4, \
        "rows": "$[*]", "fields": { "price": "$.px", "size": "$.qty", "time": { "path": "$.at", "unit": "ms" }, "side": { \
        "path": "$.maker_is_buyer", "buy": false, "sell": true } } }
        """),
    Block(
      kind: "orderbook", address: "https://depth.newex.example/v1/BTC-USDT", answer: book,
      written: """
        { "request": { "path": "/v1/{asset}-{payment}" }, "bids": "$.buy[*]", "asks": "$.sell[*]", "price": "$[0]", \
        "size": "$[1]", "time": { "path": "$.ts", "unit": "ms" }, "sequence": "$.seq", "baseUrls": \
        ["https://depth.newex.example"] }
        """),
    Block(
      kind: "orderbook", address: "https://api.newex.example/books?pair=btc_usdt",
      answer: #"{"error":[],"result":{"btc-usdt":\#(book)}}"#,
      written: """
        { "request": { "path": "/books", "query": { "pair": "{asset|lower}_{payment|lower}" } }, "bids": \
        "$.result.*.buy[*]", "asks": "$.result.*.sell[*]", "price": "$[0]", "size": "$[1]", "time": { "path": \
        "$.result['{asset|lower}-{payment|lower}'].ts", "unit": "ms" }, "sequence": \
        "$.result['{asset|lower}-{payment|lower}'].seq" }
        """),
    Block(
      kind: "orderbook", address: "https://api.newex.example/orders/BTC-USDT", answer: sidedBook,
      written: """
        { "request": { "path": "/orders/{asset}-{payment}" }, "bids": { "rows": "$.orders[*]", "where": [{ "path": \
        "$.type", "equals": "bid" }] }, "asks": { "rows": "$.orders[*]", "where": [{ "path": "$.type", "equals": "ask" }] }, \
        "price": "$.px", "size": "$.left" }
        """),
    Block(
      kind: "orderbook", address: "https://api.newex.example/levels/BTC-USDT", answer: keyedBook,
      written: """
        { "request": { "path": "/levels/{asset}-{payment}" }, "bids": "$.bids.*", "asks": "$.asks.*", "price": { "from": \
        "key" }, "size": "$" }
        """),
  ]

  @Test(arguments: blocks)
  func blockIsWrittenFromItsAddress(_ block: Block) async throws {
    _ = try adding.save(Self.tables, as: "exchanges.json")
    let ticker = try adding.save(Self.ticker, as: "tickers.json")
    let outcome = try await adding.run(
      [
        "add-exchange", "Newex", "--symbol", "BTC/USDT", "--from-sample", "\(block.kind)=\(block.address)",
        "--from-sample", "tickers=\(ticker)", "--yes",
      ], answer: block.answer)
    #expect(outcome.code == .answer, "\(outcome.everything)")
    let flat = try adding.written()
    #expect(flat.contains("\"\(block.kind)\": \(block.written)"), "\(flat)")
    #expect(adding.sent.all.map(\.urls) == [[block.address]])
  }

  @Test(arguments: blocks)
  func savedResponseNeedsItsAddress(_ block: Block) async throws {
    _ = try adding.save(Self.tables, as: "exchanges.json")
    let file = try adding.save(block.answer, as: "answer.json")
    let ticker = try adding.save(Self.ticker, as: "tickers.json")
    let words = [
      "add-exchange", "Newex", "--symbol", "BTC/USDT", "--from-sample", "\(block.kind)=\(file)", "--from-sample",
      "tickers=\(ticker)", "--dry-run",
    ]
    let without = try await adding.run(words)
    #expect(without.errorOutput.contains("add --url https://"))
    let with = try await adding.run(words + ["--url", block.address])
    #expect(with.code == .answer, "\(with.everything)")
    #expect(try adding.text(of: "exchanges.json") == Self.tables)
    #expect(adding.sent.all.isEmpty)
  }

  /// A date does not say whose day it is: the assumption is reported, and accepted if the user confirms it.
  @Test func assumedTimeZoneOfDatesIsReported() async throws {
    _ = try adding.save(Self.tables, as: "exchanges.json")
    let path = "v1/chart/day?market=BTC_USDT"
    let guess = #"candles.fields.time={ "path": "$[0]", "format": "yyyy-MM-dd", "zone": "+00:00" }"#
    let without = try await adding.addBlock("candles", at: path, Self.days)
    #expect(without.errorOutput.contains("do not prove time; "), "\(without.everything)")
    #expect(without.errorOutput.contains("or if it is right --set '\(guess)'"), "\(without.everything)")
    let outcome = try await adding.addBlock("candles", at: path, Self.days, ["--set", guess])
    #expect(outcome.code == .answer, "\(outcome.everything)")
    #expect(
      outcome.output.contains("2023-11-08T00:00:00Z   107   108  104    105    17.5   1855.0"), "\(outcome.output)")
    let kst = guess.replacing("+00:00", with: "+09:00")
    let other = try await adding.addBlock(
      "candles", at: path, Self.days, ["--dry-run", "--set", kst, "--set", "candles.zone=+09:00"])
    #expect(
      other.output.contains("2023-11-07T15:00:00Z   107   108  104    105    17.5   1855.0"), "\(other.everything)")
  }

  @Test(arguments: [
    ("candles", trades, "the sample has no candles: no rows have numbers with low <= open, close <= high, at $[*]"),
    ("trades", candles, "the sample has no trades: it looks like candles, at $.data[*]"),
    ("trades", book, "the sample has no trades: "),
    ("orderbook", candles, "the sample has no order book: it does not have two lists of levels"),
    ("orderbook", trades, "the sample has no order book: it does not have two lists of levels"),
    // A sale above a purchase.
    (
      "orderbook", sidedBook.replacing("100.1", with: "100.7"),
      "the sample has no order book: it does not have two lists of levels"
    ),
    ("candles", #"[["1699970400000","1","2","1","2"]]"#, "the sample has no candles: $[*] has fewer than three rows"),
    ("candles", #"{"error":"unknown market"}"#, "the sample is an error answer: unknown market"),
  ])
  func samplesOfOtherKindsAreRefused(_ kind: String, _ answer: String, _ reason: String) async throws {
    _ = try adding.save(Self.tables, as: "exchanges.json")
    let outcome = try await adding.addBlock(kind, at: "BTCUSDT", answer)
    #expect(outcome.code == .noAnswer)
    #expect(outcome.errorOutput.contains(reason), "\(outcome.errorOutput)")
    #expect(try adding.text(of: "exchanges.json") == Self.tables)
  }

  /// Eight hours with two more numbers, either of which may be the volume.
  private static let countedCandles =
    "["
    + (0..<8).map { hour in
      let open = 100 + hour
      return
        "[\(1_699_970_400_000 + hour * 3_600_000),\(open),\(open + 3),\(open - 2),\(open + 1),\(60 + hour * 7 % 5),0.\(9 - hour)]"
    }.joined(separator: ",") + "]"

  /// Sides as numbers that the prices do not explain.
  private static let numberedTrades = trades.replacing(#""maker_is_buyer":false"#, with: #""dir":1"#)
    .replacing(#""maker_is_buyer":true"#, with: #""dir":2"#).replacing(#""no""#, with: #""id""#)

  @Test(arguments: [
    (
      "candles", countedCandles, "not used: $[5] 60, $[6] 0.9\n",
      ["volume", "turnover"].map {
        "\($0) is left out: no column is proved to be it; give it with --set candles.fields.\($0)=…"
      }
    ),
    (
      "trades", numberedTrades, "not used: $.worth 201, $.dir 1\n",
      ["side is left out: no column is proved to be it; give it with --set trades.fields.side=…"]
    ),
  ])
  func whatNobodyKnowsIsSaidToBeThere(
    _ kind: String, _ answer: String, _ unused: String, _ notes: [String]
  ) async throws {
    _ = try adding.save(Self.tables, as: "exchanges.json")
    let outcome = try await adding.addBlock(kind, at: "1h/BTCUSDT", answer)
    #expect(outcome.code == .answer, "\(outcome.everything)")
    #expect(outcome.output.contains(unused), "\(outcome.output)")
    for note in notes { #expect(outcome.errorOutput.contains(note), "\(outcome.errorOutput)") }
  }

  /// A fixed moment in an address, not written as a template, would be requested again and again.
  @Test(arguments: [
    ("candles", candles, "1h?to=2023-11-14T22:00:00", "to"), ("candles", candles, "1h?day=2023-11-14", "day"),
    ("candles", candles, "1h/2023-11-14", "2023-11-14"), ("candles", candles, "1h?to=1699999000000000", "to"),
    ("trades", trades, "fills?before=2023-11-14T22:00:00Z", "before"),
  ])
  func fixedMomentInAddressIsRefused(_ kind: String, _ answer: String, _ address: String, _ name: String) async throws {
    _ = try adding.save(Self.tables, as: "exchanges.json")
    let outcome = try await adding.addBlock(kind, at: "BTCUSDT/\(address)", answer)
    #expect(outcome.code == .usage)
    #expect(
      outcome.errorOutput.contains("'\(name)' of the address is a time that no template represents"),
      "\(outcome.errorOutput)")
  }

  @Test func exchangeMustExistFirst() async throws {
    let outcome = try await adding.addBlock("candles", at: "BTCUSDT", Self.candles)
    #expect(outcome.errorOutput.contains("has no exchange 'Newex'; add it with its tickers first"))
  }
}
