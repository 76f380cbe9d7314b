import HTTP
import Testing

@testable import Shell

/// Proposals from recorded messages for an existing exchange.
@Suite struct AddExchangeStreamTests {
  private let adding: AddingWorld

  init() throws { adding = try AddingWorld() }

  private static let config = config(
    fields: #""price": "$.last", "open": "$.open", "high": "$.high", "low": "$.low", "volume24": "$.vol""#)

  /// Returns a config whose exchange has these fields of its tickers.
  static func config(fields: String) -> String {
    """
    {
      "version": 1,
      "exchanges": {
        "Newex": {
          "baseUrls": ["https://api.newex.example"],
          "rows": "$[*]",
          "symbol": { "path": "$.market", "split": "-" },
          "fields": { \(fields) },
          "markets": {
            "spot": { "tickers": { "request": { "path": "/all" } } } } }
      }
    }

    """
  }

  private static let table = """
    [{"market": "BTC-USDT", "last": "65000.5", "open": "64012.25", "high": "66007.75", "low": "63001.5", "vol": "1203.4512"},
     {"market": "ETH-USDT", "last": "3201.25", "open": "3110.75", "high": "3305.5", "low": "3051.25", "vol": "20411.75"}]
    """

  private static let messages = """
    {"result": null, "id": 1}
    {"topic": "spot.tickers.BTC-USDT", "data": {"last": "65001.5", "o": "64012.25", "h": "66007.75", "low": "63001.5", "x": "1203.9512"}}
    {"topic": "spot.depth.BTC-USDT", "data": {"last": "1", "o": "2", "h": "3", "low": "4", "x": "5"}}
    {"topic": "spot.tickers.ETH-USDT", "data": {"last": "3202.5", "o": "3110.75", "h": "3305.5", "low": "3051.25", "x": "20413.25"}}
    {"topic": "spot.tickers.BTC-USDT", "data": {"last": "65002", "o": "64012.25", "h": "66007.75", "low": "63001.5", "x": "1204.2512"}}

    """

  private func propose(
    _ messages: String, of channel: String = "", from table: String = table
  ) async throws -> AddingWorld.Outcome {
    try await adding.addStream(messages, of: channel, beside: Self.config, table)
  }

  @Test func streamIsProposedFromMessages() async throws {
    let outcome = try await propose(Self.messages)
    #expect(outcome.code == .answer, "\(outcome.everything)")
    #expect(
      outcome.output == """
        rows    $.data
        symbol  response $.topic spot[.]tickers[.](?<value>.+)
        when    { "path": "$.topic", "prefix": "spot.tickers." }
        taken   3 of 5 messages

        field     path    example    confidence  evidence
        price     $.last  65001.5           97%  where the table has it; within 0.002 % of the table's
        high      $.h     66007.75          85%  the table's own number in 3 of 3 rows
        low       $.low   63001.5           97%  where the table has it; the table's own number in 3 of 3 rows
        open      $.o     64012.25          85%  the table's own number in 3 of 3 rows
        volume24  $.x     1203.9512         80%  the only member; within 0.04 % of the table's

        pair        price  changePricePercent24    volume24  bid  ask
        BTC/USDT  65002                       -   1204.2512    -    -
        ETH/USDT   3202.5                     -  20413.25      -    -

        "streams": {
          "ticker": {
            "when": [{ "path": "$.topic", "prefix": "spot.tickers." }],
            "rows": "$.data",
            "symbol": { "from": "response", "path": "$.topic", "capture": "spot[.]tickers[.](?<value>.+)" },
            "fields": { "high": "$.h", "open": "$.o", "volume24": "$.x" } } }

        """)
    #expect(outcome.errorOutput.contains("nothing was written: put it into Newex, at markets.spot"))
    #expect(try adding.text(of: "exchanges.json") == Self.config)
    #expect(adding.sent.all.map(\.urls) == [["https://api.newex.example/all"]])
  }

  /// Rows, and lists of rows, that are named after their pairs.
  @Test(arguments: [
    (
      "",
      """
      {"ch": "ticker/1s", "data": {"BTC-USDT": {"t": 1794978727300, "last": "65001.5", "o": "64012.25", "h": "66007.75", "low": "63001.5", "x": "1203.9512"}}}
      {"ch": "ticker/1s", "data": {"ETH-USDT": {"t": 1794978727300, "last": "3202.5", "o": "3110.75", "h": "3305.5", "low": "3051.25", "x": "20413.25"}, "BTC-USDT": {"t": 1794978727301, "last": "65001.5", "o": "64012.25", "h": "66007.75", "low": "63001.5", "x": "1203.9512"}}}

      """,
      #"""
      "streams": { "ticker": { "when": [{ "path": "$.ch", "equals": "ticker/1s" }], "rows": "$.data.*", "symbol": { \#
      "from": "key" }, "fields": { "high": "$.h", "open": "$.o", "volume24": "$.x" } } }
      """#
    ),
    (
      "trades=",
      """
      {"ch": "trades", "snapshot": {"BTC-USDT": [{"i": 70, "p": "65000.4", "q": "0.5", "s": "sell", "t": 1794978727250}, {"i": 71, "p": "65000.5", "q": "0.25", "s": "buy", "t": 1794978727300}]}}
      {"ch": "trades", "snapshot": {"ETH-USDT": [{"i": 9, "p": "3201.5", "q": "1.5", "s": "sell", "t": 1794978727400}]}}
      {"ch": "trades", "snapshot": {"BTC-USDT": [{"i": 72, "p": "65000.6", "q": "0.125", "s": "buy", "t": 1794978728300}]}}

      """,
      #"""
      "streams": { "trades": { "when": [{ "path": "$.ch", "equals": "trades" }], "rows": "$.snapshot.*[*]", "symbol": { \#
      "from": "key", "up": 1 }, "fields": { "price": "$.p", "size": "$.q", "time": { "path": "$.t", "unit": "ms" }, \#
      "id": "$.i", "side": { "path": "$.s", "buy": "buy", "sell": "sell" } } } }
      """#
    ),
    (
      "orderbook=",
      """
      {"ch": "book", "type": "snapshot", "data": {"BTC_USDT": {"s": 7, "b": [["65000", "1"], ["64999", "2"], ["64998", "3"]], "a": [["65001", "1"], ["65002", "4"], ["65003", "5"]]}}}
      {"ch": "book", "type": "update", "data": {"BTC_USDT": {"s": 8, "b": [["65000", "0"]], "a": []}}}
      {"ch": "book", "type": "update", "data": {"BTC_USDT": {"s": 9, "b": [], "a": [["65000.5", "2"]]}}}

      """,
      #"""
      "streams": { "orderbook": { "when": [{ "path": "$.ch", "equals": "book" }], "rows": "$.data.*", "symbol": { \#
      "from": "key", "split": "_" }, "bids": "$.b[*]", "asks": "$.a[*]", "price": "$[0]", "size": "$[1]", "whole": [{ \#
      "path": "$.type", "equals": "snapshot" }] } }
      """#
    ),
  ])
  func pairsMayNameTheRows(_ channel: String, _ messages: String, _ proposal: String) async throws {
    let outcome = try await propose(messages, of: channel)
    #expect(outcome.code == .answer, "\(outcome.everything)")
    let flat = outcome.flat
    #expect(flat.hasSuffix(proposal), "\(outcome.output)")
  }

  /// A recording also contains the connection's address and what was sent.
  @Test func recordingContainsAddressAndSubscription() async throws {
    let outcome = try await propose(
      """
      {"at":1794978727300,"open":"wss://ws.newex.example/v1"}
      {"at":1794978727340,"sent":"{\\"op\\":\\"sub\\",\\"args\\":[\\"tickers.btc-usdt\\"]}"}
      {"at":1794978727400,"got":"{\\"e\\":\\"ticker\\",\\"s\\":\\"btc-usdt\\",\\"last\\":\\"65001.5\\",\\"v\\":\\"1204.2\\"}"}

      """)
    #expect(outcome.code == .answer, "\(outcome.everything)")
    let flat = outcome.flat
    #expect(
      flat.hasSuffix(
        #"""
        "streams": { "urls": ["wss://ws.newex.example/v1"], "ticker": { "subscribe": { "op": "sub", "args": \#
        ["tickers.{symbol|lower}"] }, "when": [{ "path": "$.e", "equals": "ticker" }], "rows": "$", "symbol": "$.s", \#
        "fields": { "high": null, "low": null, "open": null, "volume24": "$.v" } } }
        """#), "\(flat)")
  }

  /// What was sent about several pairs becomes one element for any pair, and the number of the message a template.
  @Test(
    arguments: [
      (
        #"{"method":"subscribe","params":["ticker@BTC-USDT","ticker@ETH-USDT","heartbeat"],"id":"m3"}"#,
        #"{ "method": "subscribe", "params": ["ticker@{symbol}", "heartbeat"], "id": "m{id}" }"#
      ),
      (
        #"{"op":"sub","depth":3,"args":[{"ch":"ticker","market":"btc-usdt"},{"ch":"ticker","market":"eth-usdt"}],"id":3}"#,
        #"{ "op": "sub", "depth": 3, "args": [{ "ch": "ticker", "market": "{symbol|lower}" }], "id": "{id}" }"#
      ),
      (
        #"{"op":"sub","channels":[{"name":"tick","ids":["BTC-USDT","ETH-USDT"]}],"id":1}"#,
        #"{ "op": "sub", "channels": [{ "name": "tick", "ids": ["{symbol}"] }], "id": 1 }"#
      ),
      ("sub:BTC-USDT", #""sub:{symbol}""#),
      // A text about two pairs has no template.
      (#"{"op":"sub","arg":"BTC-USDT,ETH-USDT"}"#, nil),
    ] as [(String, String?)])
  func subscriptionIsThatOfAnyPair(_ sent: String, _ proposal: String?) async throws {
    let text = sent.replacing(#"""#, with: #"\""#)
    let outcome = try await propose(
      """
      {"at":1794978727300,"open":"wss://ws.newex.example/v1"}
      {"at":1794978727320,"sent":"{\\"op\\":\\"hello\\"}"}
      {"at":1794978727340,"sent":"\(text)"}
      {"at":1794978727400,"got":"{\\"e\\":\\"ticker\\",\\"s\\":\\"BTC-USDT\\",\\"last\\":\\"65001.5\\",\\"v\\":\\"1204.2\\"}"}

      """)
    #expect(outcome.code == .answer, "\(outcome.everything)")
    let flat = outcome.flat
    guard let proposal else {
      #expect(!flat.contains("subscribe"), "\(flat)")
      return
    }
    #expect(flat.contains(#""subscribe": \#(proposal), "when""#), "\(flat)")
  }

  // MARK: Offers

  private static let offersConfig = config(
    fields: #""price": "$.last", "bid": "$.bid[0]", "ask": "$.ask[0]", "open": "$.open", "high": "$.high", "#
      + #""low": "$.low", "volume24": "$.vol""#)
  private static let offersTable = table.replacing(
    #""last": "65000.5","#, with: #""last": "65000.5", "bid": ["65000.25", "1"], "ask": ["65000.75", "2"],"#
  ).replacing(
    #""last": "3201.25","#, with: #""last": "3201.25", "bid": ["3201.125", "1"], "ask": ["3201.375", "2"],"#)

  /// Messages with bid and ask but no price belong to a channel of offers, unless the price is given. Where there are
  /// not even these, nothing is proposed.
  @Test(
    arguments: [
      (
        #""bid": ["65000.5", "0.5"], "ask": ["65001.25", "0.7"]"#, nil,
        #"""
        "streams": { "offers": { "when": [{ "path": "$.type", "equals": "bbo" }], "rows": "$", "symbol": "$.s", \#
        "fields": { "bid": "$.bid[0]", "ask": "$.ask[0]" } } }
        """#
      ),
      (
        #""bid": ["65000.5", "0.5"], "ask": ["65001.25", "0.7"], "zz": "65000.75""#, "fields.price=$.zz",
        #""fields": { "price": "$.zz", "#
      ),
      (#""ask": ["65001.25", "0.7"]"#, nil, nil),
    ] as [(String, String?, String?)])
  func offersHaveNoPrice(_ members: String, _ given: String?, _ proposal: String?) async throws {
    let outcome = try await adding.addStream(
      """
      {"type": "connected", "level": "public"}
      {"type": "bbo", "s": "BTC-USDT", "ts": 1794978727300, \(members)}

      """, beside: Self.offersConfig, Self.offersTable, given.map { ["--set", $0] } ?? [])
    guard let proposal else {
      #expect(outcome.code == .noAnswer, "\(outcome.everything)")
      #expect(outcome.errorOutput.contains("no member is sure to be the price"), "\(outcome.everything)")
      return
    }
    #expect(outcome.code == .answer, "\(outcome.everything)")
    let flat = outcome.flat
    #expect(flat.contains(proposal), "\(flat)")
    #expect(flat.contains(#""streams": { "offers""#) == (given == nil), "\(flat)")
  }

  /// An address is proposed unless it has a secret, or had one.
  @Test(arguments: [
    ("ws.newex.example/v1?mode=all", true), ("ws.newex.example/tokens/v1", true),
    ("ws.newex.example/ws/pqia91ma19a5s61cv6a81va65sdf19v8a65a1", false),
    ("ws.newex.example/v1?key=9f86d081884c7d65", false), ("ws.newex.example/v1?signature=hush", false),
    ("me:hush@ws.newex.example/v1", false), ("ws.newex.example/v1?token=REDACTED", false),
  ])
  func addressWithSecretIsNotProposed(_ address: String, _ isProposed: Bool) async throws {
    let outcome = try await propose(
      """
      {"at":1794978727300,"open":"wss://\(address)"}
      {"at":1794978727400,"got":"{\\"e\\":\\"ticker\\",\\"s\\":\\"BTC-USDT\\",\\"last\\":\\"65001.5\\",\\"v\\":\\"1204.2\\"}"}

      """)
    #expect(outcome.code == .answer, "\(outcome.everything)")
    #expect(outcome.output.contains(#""urls": ["wss://\#(address)"]"#) == isProposed, "\(outcome.output)")
    #expect(outcome.output.contains("newex.example") == isProposed)
  }

  /// Where nothing was sent, the address names the pair, and each pair has a connection of its own.
  @Test func addressThatNamesThePairIsATemplate() async throws {
    let outcome = try await propose(
      """
      {"at":1794978727300,"open":"wss://ws.newex.example/v1/btc-usdt"}
      {"at":1794978727400,"got":"{\\"e\\":\\"ticker\\",\\"s\\":\\"BTC-USDT\\",\\"last\\":\\"65001.5\\",\\"v\\":\\"1204.2\\"}"}

      """)
    let flat = outcome.flat
    #expect(
      flat.contains(#""urls": ["wss://ws.newex.example/v1/{symbol|lower}"], "max": 1"#), "\(outcome.everything)")
  }

  // MARK: Records

  private static let trades = """
    {"result": null, "id": 1}
    {"topic": "deals.BTC-USDT", "data": [{"i": 71, "px": "65000.5", "sz": "0.25", "way": "buy", "at": 1794978727300}, {"i": 70, "px": "65000.4", "sz": "0.5", "way": "sell", "at": 1794978727250}]}
    {"topic": "depth.BTC-USDT", "data": [{"bid": "1"}, {"bid": "2"}]}
    {"topic": "deals.ETH-USDT", "data": [{"i": 9, "px": "3201.5", "sz": "1.5", "way": "sell", "at": 1794978727400}]}
    {"topic": "deals.BTC-USDT", "data": [{"i": 72, "px": "65000.6", "sz": "0.125", "way": "buy", "at": 1794978728300}]}

    """

  private static let candles = """
    {"ch": "market.BTC-USDT.kline.1min", "tick": {"id": 1794978720, "open": "65000", "high": "65001", "low": "64999", "close": "65000.5", "n": 3}}
    {"ch": "market.BTC-USDT.kline.1min", "tick": {"id": 1794978720, "open": "65000", "high": "65002", "low": "64999", "close": "65002", "n": 4}}

    """

  private static let books = """
    {"type": "snapshot", "chan": "book", "s": "BTC-USDT", "n": 7, "b": [["65000", "1"], ["64999", "2"], ["64998", "3"]], "a": [["65001", "1"], ["65002", "4"], ["65003", "5"]]}
    {"type": "delta", "chan": "book", "s": "BTC-USDT", "n": 8, "p": 7, "b": [["65000", "0"]], "a": []}
    {"type": "delta", "chan": "book", "s": "BTC-USDT", "n": 9, "p": 8, "b": [], "a": [["65000.5", "2"]]}

    """

  /// Proposals from messages with records, and the records read from them.
  @Test(arguments: [
    (
      "trades", trades,
      #"""
      "streams": { "trades": { "when": [{ "path": "$.topic", "prefix": "deals." }], "rows": "$.data[*]", "symbol": { \#
      "from": "response", "path": "$.topic", "capture": "deals[.](?<value>.+)" }, "fields": { "price": "$.px", "size": \#
      "$.sz", "time": { "path": "$.at", "unit": "ms" }, "id": "$.i", "side": { "path": "$.way", "buy": "buy", "sell": \#
      "sell" } } } }
      """#, "2026-11-18T05:12:08.3Z buy 65000.6 0.125 72"
    ),
    (
      "candles", candles,
      #"""
      "streams": { "candles": { "when": [{ "path": "$.ch", "match": "market[.].+[.]kline[.].+" }], "rows": "$.tick", \#
      "symbol": { "from": "response", "path": "$.ch", "capture": "market[.](?<value>.+)[.]kline[.][A-Za-z0-9]+" }, "fields": { \#
      "time": { "path": "$.id", "unit": "s" }, "open": "$.open", "high": "$.high", "low": "$.low", "close": "$.close" } } }
      """#, "2026-11-18T05:12:00Z 65000 65002 64999 65002 - -"
    ),
    (
      "orderbook", books,
      #"""
      "streams": { "orderbook": { "when": [{ "path": "$.chan", "equals": "book" }], "rows": "$", "symbol": "$.s", \#
      "bids": "$.b[*]", "asks": "$.a[*]", "price": "$[0]", "size": "$[1]", "whole": [{ "path": "$.type", "equals": \#
      "snapshot" }], "sequence": "$.n", "previous": "$.p" } }
      """#, "bid 64999 2"
    ),
  ])
  func recordsAreProposed(_ kind: String, _ messages: String, _ block: String, _ row: String) async throws {
    let outcome = try await propose(messages, of: kind + "=")
    #expect(outcome.code == .answer, "\(outcome.everything)")
    let flat = outcome.flat
    #expect(flat.hasSuffix(block), "\(flat)")
    #expect(flat.contains(row), "\(outcome.output)")
    #expect(try adding.text(of: "exchanges.json") == Self.config)
  }

  /// What numbers the changes of a book is found by the numbers: a name such as `i` or `u` says nothing.
  ///
  /// - Parameter steps: the numbers of each change, the first and the last.
  @Test(
    arguments: [
      ((0..<8).map { (8 + $0, 8 + $0) }, #""sequence": "$.fi", "previous": { "difference": ["$.fi", 1] }"#),
      ([(8, 9), (10, 12), (13, 13), (14, 20)], #""sequence": "$.i", "previous": { "difference": ["$.fi", 1] }"#),
      ([(8, 8), (9, 9), (10, 10)], nil), ([(8, 9), (11, 12), (13, 13), (14, 20)], nil),
    ] as [([(Int, Int)], String?)])
  func numbersOfChangesAreProposed(_ steps: [(Int, Int)], _ proposal: String?) async throws {
    let changes = steps.map { first, last in
      #"{"type": "delta", "chan": "book", "s": "BTC-USDT", "fi": \#(first), "i": \#(last), "b": [["64998", "\#(last)"]], "a": []}"#
    }
    let whole = String(Self.books.split(separator: "\n")[0]).replacing(#""n": 7"#, with: #""fi": 7, "i": 7"#)
    let outcome = try await propose(([whole] + changes).joined(separator: "\n") + "\n", of: "orderbook=")
    #expect(outcome.code == .answer, "\(outcome.everything)")
    let flat = outcome.flat
    #expect(proposal.map(flat.contains) ?? !flat.contains(#""sequence""#), "\(flat)")
  }

  @Test(arguments: [
    ("trades", candles, "no trades: the messages look like candles"),
    ("candles", trades, "no candles: "), ("orderbook", trades, "no order book: "),
    // Changes without the book that they change; and a single book, after which anything may come.
    ("orderbook", String(books.split(separator: "\n", maxSplits: 1)[1]), "no order book: "),
    (
      "orderbook", String(books.split(separator: "\n")[0]),
      "one book of a pair does not show whether the next one is complete"
    ),
    // Messages do not reveal the sizes of futures, nor prices of another coin.
    ("trades", trades.replacing("65000.", with: "100."), "$.px is not near the price of the table"),
  ])
  func ambiguousRecordsAreRefused(_ kind: String, _ messages: String, _ reason: String) async throws {
    let outcome = try await propose(messages, of: kind + "=")
    #expect(outcome.code == .noAnswer, "\(outcome.everything)")
    #expect(outcome.errorOutput.contains(reason), "\(outcome.everything)")
  }

  @Test(arguments: [
    (#"{"s": "DOGE-USDT", "last": "0.1"}"#, table, "no message names a pair of the table and has its numbers"),
    ("<html>", table, "no message is JSON"),
    (
      #"{"market": "BTC-USDT", "last": "65000.5"}"#, "[]",
      "the table of Newex has no rows to compare the messages with"
    ),
  ])
  func uninformativeMessagesAreRefused(_ messages: String, _ answer: String, _ reason: String) async throws {
    let outcome = try await propose(messages, from: answer)
    #expect(outcome.code == .noAnswer)
    #expect(outcome.errorOutput.contains(reason), "\(outcome.everything)")
  }

  @Test func unknownExchangeIsNamed() async throws {
    _ = try adding.save(Self.config, as: "exchanges.json")
    let file = try adding.save(Self.messages, as: "messages.ndjson")
    let outcome = try await adding.run(["add-exchange", "Nowhere", "--stream-sample", file], answer: Self.table)
    #expect(outcome.code == .usage)
    #expect(outcome.errorOutput.contains("Nowhere"), "\(outcome.everything)")
  }
}
