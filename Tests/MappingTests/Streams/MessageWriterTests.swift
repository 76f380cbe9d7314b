import JSON
import Mapping
import Quotes
import Testing

@testable import Config

/// Outgoing messages: subscriptions, hellos, pings and responses to pings.
@Suite struct MessageWriterTests {
  /// A subscription, and the messages for two pairs.
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let subscribe: String
    var streams = ""
    var interval: IntervalWord?
    var most = Int.max
    let messages: [String]

    init(
      _ description: String, _ subscribe: String, streams: String = "", interval: IntervalWord? = nil,
      most: Int = .max, _ messages: String...
    ) {
      testDescription = description
      (self.subscribe, self.streams, self.interval) = (subscribe, streams, interval)
      (self.most, self.messages) = (most, messages)
    }
  }

  static let cases = [
    Case(
      "the innermost element that names the pair is repeated",
      #"{"args": [{"channel": "tickers", "instId": "{symbol}"}], "id": 1}"#,
      #"{"args":[{"channel":"tickers","instId":"XBT-USDT"},{"channel":"tickers","instId":"ETH-USDT"}],"id":1}"#),
    Case(
      "names in an array in an array",
      #"[{"ticket": "m{id}"}, {"type": "ticker", "codes": ["{symbol|lower}@ticker"]}]"#,
      #"[{"ticket":"m1"},{"type":"ticker","codes":["xbt-usdt@ticker","eth-usdt@ticker"]}]"#),
    Case(
      "one pair a message without an array", #"{"sub": "market.{asset|lower}{payment|lower}.ticker", "id": "m{id}"}"#,
      #"{"sub":"market.xbtusdt.ticker","id":"m1"}"#, #"{"sub":"market.ethusdt.ticker","id":"m2"}"#),
    Case(
      "one text that is nothing but a template keeps the kind of its value",
      #"{"id": "{id}", "text": "{id}.", "at": "{now.s}", "ms": "{now.ms}", "i": "{interval}", "kind": "{kind}", "s": ["{symbol}"]}"#,
      streams: #", "set": {"kind": 7}"#, interval: IntervalWord(text: "60", isNumber: true),
      #"{"id":1,"text":"1.","at":1709220600,"ms":1709220600250,"i":60,"kind":"7","s":["XBT-USDT","ETH-USDT"]}"#),
    Case(
      "a value that is written as a number, and text if it is none",
      #"{"s": ["{symbol|number}"], "kind": "{kind|number}"}"#, streams: #", "set": {"kind": "7"}"#,
      #"{"s":["XBT-USDT","ETH-USDT"],"kind":7}"#),
    Case(
      "an interval that is a string", #"{"i": "{interval}", "s": ["{symbol}"]}"#,
      interval: IntervalWord(text: "60", isNumber: false), #"{"i":"60","s":["XBT-USDT","ETH-USDT"]}"#),
    Case(
      "so many pairs in a message", #"["{symbol}", "{id}"]"#, streams: #", "batch": {"max": 1}"#,
      #"["XBT-USDT",1]"#, #"["ETH-USDT",2]"#),
    Case("fewer than the config allows", #"["{symbol}"]"#, most: 1, #"["XBT-USDT"]"#, #"["ETH-USDT"]"#),
    Case("a string sent as it is", #""sub {symbol} {{x}""#, "sub XBT-USDT {x}", "sub ETH-USDT {x}"),
    Case(
      "several messages for each pair",
      #"{"each": [{"sub": "{symbol}", "id": "{id}"}, {"get": "{symbol}", "id": "{id}"}]}"#,
      #"{"sub":"XBT-USDT","id":1}"#, #"{"get":"XBT-USDT","id":2}"#, #"{"sub":"ETH-USDT","id":3}"#,
      #"{"get":"ETH-USDT","id":4}"#),
    Case(
      "one message for all pairs, then one for each", #"{"each": [["{symbol}"], "get {symbol}"]}"#,
      #"["XBT-USDT","ETH-USDT"]"#, "get XBT-USDT", "get ETH-USDT"),
    Case(
      "signs that JSON escapes", #"{"s\"": "{symbol}\n", "n": null, "b": true, "x": 1.50}"#,
      #"{"s\"":"XBT-USDT\n","n":null,"b":true,"x":1.50}"#, #"{"s\"":"ETH-USDT\n","n":null,"b":true,"x":1.50}"#),
  ]

  private static func stream(
    _ subscribe: String, streams: String = "", channel: StreamChannel = .ticker, own: String = ""
  ) throws -> TestStream {
    try TestStream(
      channel,
      streams: #""symbol": "$.s", "rows": "$"\#(streams), "\#(channel.rawValue)": {"subscribe": \#(subscribe)\#(own)}"#,
      tickers: #""aliases": {"XBT": "BTC"}, \#(StreamCase.fields)"#,
      table: #"[{"s": "XBT-USDT", "p": "65000.50", "v": "12.5"}, {"s": "ETH-USDT", "p": "3000", "v": "7"}]"#)
  }

  private static let now = Instant(nanoseconds: 1_709_220_600_250_000_000)
  private static let candles =
    #", "intervals": {"1m": 60}, "fields": {"time": {"path": "$.t", "unit": "s"}, "open": "$.o", "high": "$.h", "low": "$.l", "close": "$.c"}"#

  @Test(arguments: cases) func subscribes(_ example: Case) throws {
    let stream = try Self.stream(
      example.subscribe, streams: example.streams, channel: example.interval == nil ? .ticker : .candles,
      own: example.interval == nil ? "" : Self.candles)
    var writer = MessageWriter(stream.spec.connection)
    let messages = writer.subscriptions(
      stream.spec, stream.pairs, interval: example.interval, most: example.most, now: Self.now)
    #expect(messages.map(\.text) == example.messages)
  }

  @Test func subscribesToAll() throws {
    let stream = try TestStream(
      .tickers, streams: #""symbol": "$.s", "tickers": {"subscribe": {"op": "all", "id": "{id}"}}"#,
      tickers: StreamCase.fields, table: StreamCase.table)
    var writer = MessageWriter(stream.spec.connection)
    let messages = writer.subscriptions(stream.spec, stream.pairs, now: Self.now)
    #expect(messages.map(\.text) == [#"{"op":"all","id":1}"#])
  }

  /// No message is longer than 4,000 bytes, none is much shorter than it could be, and every pair is in one.
  @Test(arguments: [1, 2, 150, 1000, 5000]) func messagesStayBelowSizeLimit(_ count: Int) throws {
    let stream = try Self.stream(#"{"op": "subscribe", "args": ["tickers.{symbol}"], "id": "{id}"}"#)
    let pairs = (0..<count).map { number in
      let pair = Pair(asset: "ASSET\(number)", payment: "USDT")
      return StreamPair(
        row: Ticker(exchange: "Exchange", market: .spot, symbol: "\(pair.asset)-USDT", pair: pair),
        spelling: PairSpelling(asset: pair.asset, payment: "USDT"))
    }
    var writer = MessageWriter(stream.spec.connection)
    let messages = writer.subscriptions(stream.spec, pairs, now: Self.now).map(\.text)
    #expect(messages.allSatisfy { $0.utf8.count <= 4000 })
    #expect(messages.dropLast().allSatisfy { $0.utf8.count > 3600 })
    let documents = try messages.map { try JSONDocument(parsing: Array($0.utf8)).root }
    #expect(documents.map { $0["id"]?.numberText } == (1...messages.count).map { String($0) })
    let names = documents.flatMap { $0["args"]?.elements.compactMap(\.string) ?? [] }
    #expect(names == pairs.map { "tickers." + $0.row.symbol })
  }

  /// A single pair with an oversized message is sent anyway, since half a message would be invalid.
  @Test func singlePairIsNeverSplit() throws {
    let stream = try Self.stream(#"["{symbol}"]"#)
    let symbol = String(repeating: "A", count: 5000)
    let row = Ticker(exchange: "Exchange", market: .spot, symbol: symbol, pair: Pair(asset: symbol, payment: "USDT"))
    let pair = StreamPair(row: row, spelling: PairSpelling(asset: symbol, payment: "USDT"))
    var writer = MessageWriter(stream.spec.connection)
    let messages = writer.subscriptions(stream.spec, [pair, stream.pairs[1]], now: Self.now)
    #expect(messages.map(\.text) == [#"["\#(symbol)"]"#, #"["ETH-USDT"]"#])
  }

  /// Addresses and messages are numbered in order, and a recording names the values that differ each time.
  @Test func connection() throws {
    let stream = try TestStream(
      .ticker,
      streams: #"""
        "symbol": "$.s", "urls": ["wss://exchange.test/{kind}?c={id}&t={now.ms}&token={token}"], "request": {"path": "/token"},
        "set": {"token": "$.token", "n": "$.n", "kind": "spot"}, "headers": {"X-Kind": "{kind}-{token}"},
        "hello": {"send": {"id": "{id}", "token": "{token}", "n": "{n}", "kind": "{kind}", "at": "{now.s}"}},
        "ping": {"send": "ping {id}"},
        "pong": {"set": {"n": "$.ping"}, "send": {"pong": "{n}", "text": "{n}!", "id": "{id}"}},
        "ticker": {"subscribe": {"id": "{id}", "args": ["{symbol}"]}}
        """#, tickers: StreamCase.fields, table: StreamCase.table)
    let connection = stream.spec.connection
    var writer = MessageWriter(
      connection,
      values: [
        "token": MessageValue(text: "a\"b", isNumber: false), "n": MessageValue(text: "17", isNumber: true),
      ])
    let header = try #require(connection.headers.first).value
    #expect(writer.header(header, now: Self.now) == "spot-a\"b")
    // What an exchange answers must not end a header.
    let hostile = ["token": MessageValue(text: "a\r\nHost: b", isNumber: false)]
    #expect(MessageWriter(connection, values: hostile).header(header, now: Self.now) == nil)
    let url = try #require(connection.urls.first)
    let hello = try #require(connection.hello?.send)
    let ping = try #require(connection.ping.send)
    let pong = try #require(connection.pong).send
    var messages = [writer.url(url, now: Self.now), writer.message(hello, now: Self.now)].compactMap(\.self)
    messages += writer.subscriptions(stream.spec, stream.pairs, now: Self.now)
    messages += [writer.message(ping, now: Self.now)].compactMap(\.self)
    for value in [MessageValue(text: "1.50", isNumber: true), MessageValue(text: "x", isNumber: false)] {
      messages += [writer.message(pong, values: ["n": value], now: Self.now)].compactMap(\.self)
    }
    #expect(
      messages.map(\.text) == [
        "wss://exchange.test/spot?c=1&t=1709220600250&token=a%22b",
        #"{"id":2,"token":"a\"b","n":17,"kind":"spot","at":1709220600}"#, #"{"id":3,"args":["BTC-USDT","ETH-USDT"]}"#,
        "ping 4", #"{"pong":1.50,"text":"1.50!","id":5}"#, #"{"pong":"x","text":"x!","id":6}"#,
      ])
    #expect(
      messages.map(\.recorded) == [
        "wss://exchange.test/spot?c=1&t=NOW&token=token", #"{"id":2,"token":"token","n":"n","kind":"spot","at":"NOW"}"#,
        #"{"id":3,"args":["BTC-USDT","ETH-USDT"]}"#, "ping 4", #"{"pong":1.50,"text":"1.50!","id":5}"#,
        #"{"pong":"x","text":"x!","id":6}"#,
      ])
  }

  /// The letters of a value in an address are those of the value, not of its escapes.
  @Test func addressesAreEscapedLast() throws {
    let stream = try TestStream(
      .ticker,
      streams: #"""
        "symbol": "$.s", "urls": ["wss://exchange.test/?a={token|lower}&b={token|upper}"], "request": {"path": "/token"},
        "set": {"token": "$.token"}, "ticker": {"subscribe": ["{symbol}"]}
        """#, tickers: StreamCase.fields, table: StreamCase.table)
    let connection = stream.spec.connection
    var writer = MessageWriter(connection, values: ["token": MessageValue(text: "x|Y", isNumber: false)])
    let url = try #require(connection.urls.first)
    #expect(writer.url(url, now: Self.now)?.text == "wss://exchange.test/?a=x%7Cy&b=X%7CY")
  }

  /// The pair of an address is one part of its path or query, whatever signs it has.
  @Test(arguments: [
    ("wss://exchange.test/{symbol|lower}@trade", "wss://exchange.test/xbt%2Fusdt%20a@trade"),
    (
      "wss://exchange.test/{kind}/{asset}_{payment}?p={symbol}&i={id}",
      "wss://exchange.test/a/b/XBT_USDT?p=XBT/USDT%20a&i=1"
    ),
  ])
  func addressesNameThePair(_ address: String, _ filled: String) throws {
    let stream = try TestStream(
      .ticker,
      streams: #"""
        "symbol": "request", "urls": ["\#(address)"], "max": 1, "set": {"kind": "a/b"}, "ticker": {}
        """#, tickers: StreamCase.fields, table: StreamCase.table)
    let row = Ticker(
      exchange: "Exchange", market: .spot, symbol: "XBT/USDT a", pair: Pair(asset: "BTC", payment: "USDT"))
    let pair = StreamPair(row: row, spelling: PairSpelling(asset: "XBT", payment: "USDT", symbol: "XBT/USDT a"))
    let connection = stream.spec.connection
    var writer = MessageWriter(connection)
    let url = try #require(connection.urls.first)
    let written = writer.url(url, pair, now: Self.now)
    let message = try #require(written)
    #expect([message.text, message.recorded] == [filled, filled])
    let subscriptions = writer.subscriptions(stream.spec, [pair], now: Self.now)
    #expect(subscriptions == [])
    let withoutPair = writer.url(url, now: Self.now)
    #expect(withoutPair == nil)
  }

  /// A message lacking a value is not sent at all.
  @Test func messagesWithMissingValuesAreNotSent() throws {
    let stream = try TestStream(
      .ticker,
      streams: #"""
        "symbol": "$.s", "urls": ["wss://exchange.test/{token}"], "request": {"path": "/token"}, "set": {"token": "$.token"},
        "ticker": {"subscribe": {"token": "{token}", "args": ["{symbol}"]}}
        """#, tickers: StreamCase.fields, table: StreamCase.table)
    var writer = MessageWriter(stream.spec.connection)
    let url = try #require(stream.spec.connection.urls.first)
    let (address, messages) = (
      writer.url(url, now: Self.now), writer.subscriptions(stream.spec, stream.pairs, now: Self.now)
    )
    #expect(address == nil)
    #expect(messages == [])
  }
}
