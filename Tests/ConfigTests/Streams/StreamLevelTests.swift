import HTTP
import JSON
import Quotes
import Testing

@testable import Config

/// `streams` of an exchange, a market and a part are merged, and so are the channels within.
@Suite struct StreamLevelTests {
  private static let subscribe = #""subscribe": {"args": ["{symbol}"]}"#

  /// - Parameters:
  ///   - exchange: the content of the exchange's `streams`; `market` and `part` likewise, nil for none.
  private static func part(
    exchange: String?, market: String? = nil, part: String? = nil,
    table: String = #""fields": {"price": "$.p", "bid": "$.b", "ask": "$.a"}"#
  ) throws -> StreamPart {
    func streams(_ members: String?) -> String {
      members.map { #", "streams": \#($0.hasPrefix("null") ? $0 : "{\($0)}")"# } ?? ""
    }
    let parts = part.map { _ in #", "forEach": [{"set": {"n": "1"}\#(streams(part))}]"# } ?? ""
    let path = part == nil ? "/t" : "/{n}"
    let text = #"""
      {"version": 1, "exchanges": {"Exchange": {\#(TestExchange.base), \#(table)\#(streams(exchange)),
        "markets": {"spot": {"tickers": {"request": {"path": "\#(path)"}\#(parts)}\#(streams(market))}}}}}
      """#
    let configuration = try TestExchange.configuration(text)
    #expect(configuration.readWhole().findings.map(\.line) == [])
    return try #require(try TestExchange.read(in: configuration).market(.spot)?.streams.first)
  }

  private static let base =
    #""urls": ["wss://a.test"], "headers": {"A": "1", "B": "2"}, "symbol": "$.s", "max": 7, "ticker": {\#(subscribe)}"#

  /// Keys beside the channels apply to every channel; nearer ones override them, headers and fields member by member.
  @Test func nearestWins() throws {
    let streams = try Self.part(
      exchange: Self.base + #", "fields": {"bid": null}, "trades": {\#(Self.subscribe), "fields": {"price": "$.x"}}"#,
      market: #""urls": ["wss://b.test"], "headers": {"B": null, "C": "3"}, "protocol": "v1.json", "#
        + #""ticker": {"max": 9, "fields": {"ask": "$.z"}}"#,
      part: #""fields": {"open": "$.o"}, "trades": {"fields": {"size": "$.q"}, "max": null}"#)
    #expect(Set(streams.keys) == [.ticker, .trades])
    let ticker = try #require(streams[.ticker])
    #expect(ticker.connection.urls.map { $0.pieces.count } == [1])
    #expect(ticker.connection.urlNodes.compactMap(\.json.string) == ["wss://b.test"])
    #expect(ticker.connection.headers.map(\.name) == ["A", "C"])
    #expect(ticker.connection.maximumPairs == 9)
    #expect(ticker.connection.subprotocol == "v1.json")
    // The fields of `streams` are those of rows: the table's price, without the bid, and the part's open.
    #expect(ticker.table.fieldTexts == [#"ask="$.z""#, #"open="$.o""#, #"price="$.p""#])
    let trades = try #require(streams[.trades])
    #expect(trades.table.fieldTexts == [#"price="$.x""#, #"size="$.q""#])
    // Null removes the inherited value, leaving the default.
    #expect(trades.connection.maximumPairs == 100)
  }

  @Test func defaults() throws {
    let ticker = try #require(try Self.part(exchange: Self.base)[.ticker])
    #expect(ticker.connection.limit == RateLimit(requests: 5, perMilliseconds: 1000))
    #expect(ticker.connection.ping.everyMilliseconds == 20_000)
    #expect(ticker.connection.ping.send == nil)
    #expect(ticker.connection.deadAfterMilliseconds == 60_000)
    #expect(ticker.whole == nil)
    // As many pairs as fit in a message of 4,000 bytes.
    let message = try #require(ticker.subscribe.first)
    #expect(ticker.pairs(in: message) == .max)
    guard case .spelled = ticker.symbol else {
      Issue.record("a plain value is the pair as the table spells it")
      return
    }
  }

  struct Switch: Sendable, CustomTestStringConvertible {
    let exchange: String?
    var market: String?
    var part: String?
    let channels: Set<StreamChannel>
    var testDescription: String { "\(exchange ?? "-") / \(market ?? "-") / \(part ?? "-")" }
  }

  static let switches = [
    Switch(exchange: nil, channels: []),
    Switch(exchange: base, channels: [.ticker]),
    Switch(exchange: base, market: #""ticker": null"#, channels: []),
    Switch(exchange: base, market: #""ticker": {"enabled": false}"#, channels: []),
    // Null resets from there on: a nearer level starts over with its own keys.
    Switch(exchange: base, market: #""ticker": null"#, part: #""ticker": {\#(subscribe)}"#, channels: [.ticker]),
    Switch(exchange: base, market: "null", channels: []),
    Switch(exchange: base, market: #""enabled": false"#, channels: []),
    Switch(exchange: base, market: "null", part: base, channels: [.ticker]),
    // A channel exists if its object is present, even an empty one.
    Switch(
      exchange: #""urls": ["wss://a.test"], "symbol": "$.s", \#(subscribe)"#, market: #""ticker": {}"#,
      channels: [.ticker]),
    Switch(exchange: #""urls": ["wss://a.test"], "symbol": "$.s", \#(subscribe)"#, channels: []),
  ]

  @Test(arguments: switches) func switchedOff(_ example: Switch) throws {
    let streams = try Self.part(exchange: example.exchange, market: example.market, part: example.part)
    #expect(Set(streams.keys) == example.channels)
  }

  /// A field that reads something the stream lacks is not provided by the stream.
  @Test func fieldsNeedingLookupsAreNotStreamed() throws {
    let lookup = { (name: String, more: String) in
      #""\#(name)": {"request": {"path": "/\#(name)"}, "rows": "$[*]", "key": "$.s"\#(more)}"#
    }
    let field = { (lookup: String) in #"{"from": "\#(lookup)", "path": "$.v"}"# }
    let table = #"""
      "lookups": {\#(lookup("day", "")), \#(lookup("now", #", "ttl": "0s""#)), \#(lookup("off", "")),
        "own": {"rows": "$[*]", "key": "$.s"}},
      "fields": {"price": "$.p", "bid": \#(field("day")), "ask": \#(field("now")), "open": \#(field("off")),
        "high": {"product": ["$.h", \#(field("own"))]}}
      """#
    let streams = try Self.part(
      exchange: Self.base + #", "lookups": {"off": null, "day": {"match": "{symbol}"}}"#, table: table)
    let ticker = try #require(streams[.ticker])
    #expect(Set(ticker.table.fields.keys) == ["price", "bid"])
    #expect(ticker.table.lookups.map(\.name) == ["day"])
    guard case .template? = ticker.table.lookups.first?.match.origin else {
      Issue.record("the members of a lookup merge")
      return
    }
  }

  /// An heir has those streams for which it names its own hosts.
  @Test func heirs() throws {
    let configuration = try TestExchange.configuration(
      #"""
      {"version": 1, "exchanges": {
        "Base": {\#(TestExchange.base), "streams": {\#(Self.base), "verified": "2026-01-01", "note": "n"},
          "markets": {"spot": {"tickers": {"request": {"path": "/t"}}}}},
        "Without": {"like": "Base", "baseUrls": ["https://x.test"]},
        "With": {"like": "Base", "baseUrls": ["https://y.test"], "streams": {"urls": ["wss://y.test"]}}}}
      """#)
    #expect(configuration.readWhole().findings.map(\.line) == [])
    func ticker(_ name: String) throws -> StreamSpec? {
      try TestExchange.read(name, in: configuration).market(.spot)?.streams.first?[.ticker]
    }
    #expect(try ticker("Without") == nil)
    let base = try #require(try ticker("Base"))
    let with = try #require(try ticker("With"))
    #expect([base.verified, base.note] == ["2026-01-01", "n"])
    #expect([with.verified, with.note] == [nil, nil])
    #expect(with.connection.urlNodes.compactMap(\.json.string) == ["wss://y.test"])
    #expect(with.connection.maximumPairs == 7)
  }

  /// Candles use the intervals and time zones of the block unless they define their own.
  @Test(arguments: [
    ("", ["1m=1 +32400", "1d=60 +28800"]), (#", "zone": "Z""#, ["1m=1 +0", "1d=60 +0"]),
    (#", "intervals": {"1h": "H"}, "zone": "Z""#, ["1h=H +0"]), (#", "intervals": {"1h": "H"}"#, ["1h=H +32400"]),
  ])
  func intervals(_ members: String, _ intervals: [String]) throws {
    let fields =
      #""fields": {"time": {"path": "$.t", "unit": "s"}, "open": "$.o", "high": "$.h", "low": "$.l", "close": "$.c"}"#
    let subscribe = #""subscribe": {"args": ["{symbol}", "{interval}"]}"#
    let offered = #""zone": "+09:00", "intervals": {"1m": "1", "1d": {"word": 60, "zone": "+08:00"}}"#
    let streams = try Self.part(
      exchange: #""urls": ["wss://a.test"], "symbol": "$.s", "candles": {\#(subscribe), \#(fields)\#(members)}"#,
      table:
        #""candles": {"request": {"path": "/c/{asset}{payment}/{interval}"}, "rows": "$[*]", \#(offered), \#(fields)}"#)
    let candles = try #require(streams[.candles])
    #expect(candles.intervals.map { "\($0.interval.rawValue)=\($0.word.text) +\($0.zoneSeconds)" } == intervals)
  }

  /// Streams stay unread text unless they are requested.
  @Test func extent() throws {
    let configuration = try TestExchange.configuration(
      TestExchange.config(exchange: TestExchange.base + #", "streams": {"ticker": {}}"#))
    let source = try #require(configuration.exchange(named: "Exchange"))
    #expect(configuration.read(source, ExchangeExtent()).exchange?.market(.spot)?.streams.isEmpty == true)
    #expect(configuration.read(source).exchange == nil)
  }

  @Test(arguments: [
    ("wss://a.test", true), ("wss://a.test:9443/ws?x=1", true), ("ws://127.0.0.1:80/x", true), ("ws://[::1]/", true),
    ("ws://localhost", true), ("ws://a.test", false), ("https://a.test", false), ("wss://", false), ("wss:///x", false),
    ("wss://a.test:99999/", false), ("wss://a.test:/", false),
    ("wss://u@a.test", false), ("wss://a.test/#x", false), ("wss://a.test/a b", false), ("WSS://a.test", false),
  ])
  func addresses(_ url: String, _ isAllowed: Bool) { #expect(StreamAddress.isAllowed(url) == isAllowed) }
}
