import Files
import Testing

/// `market test-exchange` on recorded connections: a stream is compared with the table beside it.
@Suite struct StreamTrialTests {
  /// A channel's definition and the test's findings.
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var name = "spot-ticker-BTC-USDT"
    /// Members of the channel.
    var channel = ""
    var row = #""s": "BTC-USDT", "last": "65010.5", "open": "64000", "high": "66000", "low": "63000", "chg": "1.58""#
    var volume = "10.02"
    /// The lines about streams, followed by their help.
    let lines: [String]

    init(
      _ description: String, name: String = "spot-ticker-BTC-USDT", channel: String = "", row: String? = nil,
      volume: String = "10.02", _ lines: String...
    ) {
      (testDescription, self.name, self.channel, self.volume, self.lines) = (description, name, channel, volume, lines)
      if let row { self.row = row }
    }
  }

  static let cases = [
    Case("all is well", "streams, good: spot ticker BTC/USDT"),
    Case(
      "a price in another unit",
      row: #""s": "BTC-USDT", "last": "6501050", "open": "64000", "high": "66000", "low": "63000", "chg": "1.58""#,
      "problem: spot: the ticker stream of BTC/USDT: price: 100.02 times the table's in the median of 2 "
        + "(6501100 by stream, 65000 in the table)", "help: write \"scale\": 0.01"),
    Case(
      "members that are swapped", channel: #""fields": {"volume24": "$.last"}"#,
      "problem: spot: the ticker stream of BTC/USDT: volume24: 6501.1 times the table's in the median of 2 "
        + "(65011 by stream, 10 in the table)", "help: it is what the table calls price: the members are swapped"),
    Case(
      "a removed member", channel: #""fields": {"volume24": "$.vol"}"#,
      "problem: spot: the ticker stream of BTC/USDT: volume24: $.vol leads nowhere in any message",
      "help: use \"$.v\" (10.02): the only member, within 0.3 % of the table's"),
    Case(
      "a field of the table that the stream lacks", channel: #""fields": {"price": "$.last"}"#,
      row: #""s": "BTC-USDT", "last": "65010.5", "high": "66000", "low": "63000", "chg": "1.58""#,
      "note: spot: the ticker stream of BTC/USDT: open: $.open leads nowhere in any message",
      "help: write \"open\": null, and the table's value is requested every minute"),
    Case(
      "rows at another place", channel: #""rows": "$.data""#,
      "problem: spot: the ticker stream of BTC/USDT: none of its 3 messages is accepted",
      "help: the rows seem to be at \"$.d\", their symbol at \"$.s\", \"when\" { \"path\": \"$.type\", \"equals\": \"ticker\" }"
    ),
    Case(
      "changes alone", channel: #""whole": [{"path": "$.type", "equals": "snapshot"}]"#,
      "problem: spot: the ticker stream of BTC/USDT: only changes arrive; no message meets 'whole'",
      "help: check \"whole\" of the channel"),
    Case(
      "another subscription", channel: #""subscribe": {"op": "sub", "id": "{symbol}"}"#,
      "problem: the recorded stream spot-ticker-BTC-USDT: no channel of the mapping subscribes like this: "
        + "{\"sub\":[\"BTC-USDT\"]}", "help: it would send {\"op\":\"sub\",\"id\":\"BTC-USDT\"}"),
    Case(
      "a channel that the mapping lacks", name: "spot-trades-BTC-USDT",
      "problem: the recorded stream spot-trades-BTC-USDT: the mapping does not have this channel, or the table "
        + "this pair"),
    Case(
      "a change that is a ratio",
      row: #""s": "BTC-USDT", "last": "65010.5", "open": "64000", "high": "66000", "low": "63000", "chg": "0.0158""#,
      "problem: spot: the ticker stream of BTC/USDT: changePricePercent24: 0.010112 times the table's in the "
        + "median of 2 (0.0158 by stream, 1.5625 in the table)", "help: write \"scale\": 100"),
  ]

  @Test(arguments: cases) func finds(_ example: Case) throws {
    let folder = try TrialFolder()
    let subscribe = example.channel.contains("subscribe") ? "" : #""subscribe": {"sub": ["{symbol}"]}"#
    let members = [subscribe, example.channel].filter { !$0.isEmpty }.joined(separator: ", ")
    try folder.writeConfig(
      more: #"""
        "streams": {"urls": ["wss://alpha.example/ws"], "rows": "$.d", "symbol": "$.s",
          "ticker": {\#(members)}},
        """#)
    let streams = "\(folder.recordings)/streams"
    try FileSystem.createFolder(streams)
    let rows = [example.volume, "10.03"].map { "{\(example.row), \"v\": \"\($0)\"}" }
    let lines =
      [#"{"at":1794978727300,"open":"wss://alpha.example/ws"}"#, Self.line("sent", #"{"sub":["BTC-USDT"]}"#)]
      + [#"{"type": "ack"}"#, #"{"type": "ticker", "d": \#(rows[0])}"#, #"{"type": "ticker", "d": \#(rows[1])}"#]
      .map { Self.line("got", $0) }
    let text = lines.map { $0 + "\n" }.joined()
    try FileSystem.writeAtomically(Array(text.utf8), to: "\(streams)/01-\(example.name).ndjson")
    let run = try folder.run()
    let found = run.output.split(separator: "\n").map { $0.drop { $0 == " " } }
    let own = found.enumerated().filter { index, line in
      line.contains("stream") || line.hasPrefix("help:") && index > 0 && found[index - 1].contains("stream")
    }.map { String($0.element) }
    #expect(own == example.lines, "\(run.output)")
    #expect(run.code == (example.lines.contains { $0.hasPrefix("problem") } ? 1 : 0))
  }

  /// Bytes of an unknown compression are named as what they are.
  @Test func namesUnknownBytes() throws {
    let folder = try TrialFolder()
    try folder.writeConfig(
      more: #"""
        "streams": {"urls": ["wss://alpha.example/ws"], "rows": "$.d", "symbol": "$.s",
          "ticker": {"subscribe": {"sub": ["{symbol}"]}}},
        """#)
    try FileSystem.createFolder("\(folder.recordings)/streams")
    let lines = [
      #"{"at":1794978727300,"open":"wss://alpha.example/ws"}"#, Self.line("sent", #"{"sub":["BTC-USDT"]}"#),
      #"{"at":1794978727421,"binary":"KLUv/f//"}"#,
    ]
    try FileSystem.writeAtomically(
      Array((lines.joined(separator: "\n") + "\n").utf8),
      to: "\(folder.recordings)/streams/01-spot-ticker-BTC-USDT.ndjson")
    let run = try folder.run()
    let line =
      "problem: spot: the ticker stream of BTC/USDT: none of its data can be used: stream-bad (bytes that are neither "
      + "text nor compressed text)"
    #expect(run.output.split(separator: "\n").contains { $0.drop { $0 == " " } == line }, "\(run.output)")
    #expect(run.code == 1)
  }

  struct EditCase: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let channel: String
    /// The resulting line of the config.
    let edit: String
  }

  /// Findings are proposed as edits of the config.
  @Test(arguments: [
    EditCase(
      testDescription: "a removed member", channel: #""fields": {"volume24": "$.vol"}"#,
      edit: #""fields": {"volume24": "$.v"}"#),
    EditCase(testDescription: "rows at another place", channel: #""rows": "$.data""#, edit: #""rows": "$.d""#),
    EditCase(
      testDescription: "a different condition", channel: #""when": [{"path": "$.type", "equals": "price"}]"#,
      edit: #""when": [{ "path": "$.type", "equals": "ticker" }]"#),
  ])
  func proposes(_ example: EditCase) throws {
    let folder = try TrialFolder()
    try folder.writeConfig(
      more: #"""
        "streams": {"urls": ["wss://alpha.example/ws"], "rows": "$.d", "symbol": "$.s",
          "ticker": {"subscribe": {"sub": ["{symbol}"]}, \#(example.channel)}},
        """#)
    try FileSystem.createFolder("\(folder.recordings)/streams")
    let row =
      #"{"s": "BTC-USDT", "last": "65010.5", "open": "64000", "high": "66000", "low": "63000", "chg": "1.58", "v": "10.02"}"#
    let lines =
      [#"{"at":1794978727300,"open":"wss://alpha.example/ws"}"#, Self.line("sent", #"{"sub":["BTC-USDT"]}"#)]
      + [#"{"type": "ack"}"#, #"{"type": "ticker", "d": \#(row)}"#].map { Self.line("got", $0) }
    try FileSystem.writeAtomically(
      Array((lines.joined(separator: "\n") + "\n").utf8),
      to: "\(folder.recordings)/streams/01-spot-ticker-BTC-USDT.ndjson")
    let run = try folder.run("--diff")
    let added = run.output.split(separator: "\n").filter { $0.hasPrefix("+") }
    #expect(added.count == 1 && added.allSatisfy { $0.contains(example.edit) }, "\(run.output)")
    #expect(run.code == 1)
  }

  /// Trades that the answer has as well: their sides in the stream, and the lines about it.
  @Test(arguments: [
    (["buy", "sell", "buy"], ["streams, good: spot trades BTC/USDT"]),
    (["buy", "buy", "sell"], ["streams, good: spot trades BTC/USDT"]),
    (
      ["sell", "buy", "sell"],
      [
        "problem: spot: the trades stream of BTC/USDT: side: 3 trades have the other side by request",
        "help: swap \"buy\" and \"sell\" in one of the two",
      ]
    ),
  ])
  func comparesSides(_ sides: [String], lines: [String]) throws {
    let folder = try TrialFolder()
    let fields = #""price": "$.p", "size": "$.q", "side": {"path": "$.m", "buy": "buy", "sell": "sell"}"#
    try folder.writeConfig(
      more: #"""
        "trades": {"request": {"path": "/trades", "query": {"s": "{asset}-{payment}"}}, "rows": "$[*]",
          "fields": {\#(fields), "time": {"path": "$.t", "unit": "ms"}}},
        "streams": {"urls": ["wss://alpha.example/ws"], "rows": "$.d[*]", "symbol": "$.s",
          "trades": {"subscribe": {"sub": ["{symbol}"]},
            "fields": {\#(fields), "time": {"path": "$.t", "unit": "ms"}}}},
        """#)
    func rows(_ sides: [String]) -> String {
      let rows = sides.enumerated().map { index, side in
        #"{"s": "BTC-USDT", "p": "6500\#(index)", "q": "0.01", "m": "\#(side)", "t": 179497872700\#(index)}"#
      }
      return "[\(rows.joined(separator: ","))]"
    }
    try folder.record(
      "03-trades-BTC-USDT", "https://alpha.example/trades?s=BTC-USDT", rows(["buy", "sell", "buy"]))
    try FileSystem.createFolder("\(folder.recordings)/streams")
    let messages =
      [#"{"at":1794978727300,"open":"wss://alpha.example/ws"}"#, Self.line("sent", #"{"sub":["BTC-USDT"]}"#)]
      + [Self.line("got", #"{"d": \#(rows(sides))}"#)]
    try FileSystem.writeAtomically(
      Array((messages.joined(separator: "\n") + "\n").utf8),
      to: "\(folder.recordings)/streams/01-spot-trades-BTC-USDT.ndjson")
    let run = try folder.run()
    let found = run.output.split(separator: "\n").map { $0.drop { $0 == " " } }
    #expect(found.filter { $0.contains("stream") || $0.hasPrefix("help") }.map(String.init) == lines, "\(run.output)")
  }

  /// A connection of several pairs is named after the first: the trades of each are judged by its own row, whatever the
  /// exchange calls it.
  @Test(arguments: [
    (2, "3200", ["streams, good: spot trades BTC/USDT"]),
    (
      2, "320000",
      [
        "problem: spot: the trades stream of ETH/USDT: price: 100 times the table's in the median of 1 (320000 by "
          + "stream, 3200 in the table)", "help: write \"scale\": 0.01",
        "problem: spot: the trades stream of ETH/USDT: trade-range: a trade at 320000 is outside the day's 3050 to 3300",
      ]
    ),
    (2, "", ["note: spot: the trades stream of ETH/USDT: no message is about it"]),
    (
      3, "3200",
      [
        "note: spot: the trades stream of BTC/USDT: another pair of the connection cannot be judged: what it sent does "
          + "not name it"
      ]
    ),
  ])
  func judgesAllPairsOfAConnection(_ count: Int, _ price: String, lines: [String]) throws {
    let folder = try TrialFolder()
    try folder.writeConfig(
      more: #"""
        "aliases": {"XBT": "BTC"},
        "streams": {"urls": ["wss://alpha.example/ws"], "rows": "$.d[*]", "symbol": "$.s",
          "trades": {"subscribe": {"sub": ["{symbol}"]}, "batch": {"max": \#(count == 2 ? 2 : 1)},
            "fields": {"price": "$.p", "size": "$.q", "time": {"path": "$.t", "unit": "ms"}}}},
        """#)
    func named(_ text: String) -> String { text.replacing("BTC-USDT", with: "XBT-USDT") }
    try folder.record("01-spot-tickers", "https://alpha.example/all", named(TrialFolder.answer))
    try folder.record("02-spot-BTC-USDT", "https://alpha.example/one?s=XBT-USDT", named(TrialFolder.one))
    try FileSystem.createFolder("\(folder.recordings)/streams")
    let trades = [("XBT-USDT", "65000"), ("ETH-USDT", price), ("XBT-USDT", "65001")].filter { !$0.1.isEmpty }
      .map { symbol, price in
        Self.line("got", #"{"d": [{"s": "\#(symbol)", "p": "\#(price)", "q": "0.01", "t": 1794978727300}]}"#)
      }
    let text =
      [#"{"at":1794978727300,"open":"wss://alpha.example/ws"}"#]
      + (count == 2 ? [#""XBT-USDT","ETH-USDT""#] : [#""XBT-USDT""#, #""ETH-USDT""#, #""NEW-USDT""#])
      .map { Self.line("sent", #"{"sub":[\#($0)]}"#) }
      + trades
    try FileSystem.writeAtomically(
      Array((text.joined(separator: "\n") + "\n").utf8),
      to: "\(folder.recordings)/streams/01-spot-trades-BTC-USDT-of-\(count).ndjson")
    let run = try folder.run()
    let found = run.output.split(separator: "\n").map { $0.drop { $0 == " " } }
    #expect(found.filter { $0.contains("stream") || $0.hasPrefix("help") }.map(String.init) == lines, "\(run.output)")
  }

  /// How many levels each message has on either side, and the lines about it: books sent whole are alike.
  @Test(arguments: [
    ([10, 10, 9, 10, 10, 10], ["streams, good: spot orderbook BTC/USDT"]),
    ([3, 3, 2, 3, 3, 3], ["streams, good: spot orderbook BTC/USDT"]),
    (
      [10, 2, 1, 3, 2, 1],
      [
        "problem: spot: the orderbook stream of BTC/USDT: some of its books have 2 levels or fewer, and one has 20",
        "help: if a message changes the book before it, say which is \"whole\"",
      ]
    ),
  ])
  func findsChangesReadAsBooks(_ depths: [Int], lines: [String]) throws {
    let folder = try TrialFolder()
    try folder.writeConfig(
      more: #"""
        "streams": {"urls": ["wss://alpha.example/ws"], "rows": "$.d", "symbol": "$.s",
          "orderbook": {"subscribe": {"sub": ["{symbol}"]}, "when": [{"path": "$.d", "is": "object"}],
            "bids": "$.b[*]", "asks": "$.a[*]", "price": "$[0]", "size": "$[1]"}},
        """#)
    try FileSystem.createFolder("\(folder.recordings)/streams")
    let messages = depths.map { depth in
      func side(_ best: Int, _ step: Int) -> String {
        (0..<depth).map { "[\"\(best + $0 * step)\", \"1.\($0)\"]" }.joined(separator: ", ")
      }
      return Self.line("got", #"{"d": {"s": "BTC-USDT", "b": [\#(side(64999, -1))], "a": [\#(side(65001, 1))]}}"#)
    }
    let text =
      [#"{"at":1794978727300,"open":"wss://alpha.example/ws"}"#, Self.line("sent", #"{"sub":["BTC-USDT"]}"#)] + messages
    try FileSystem.writeAtomically(
      Array((text.joined(separator: "\n") + "\n").utf8),
      to: "\(folder.recordings)/streams/01-spot-orderbook-BTC-USDT.ndjson")
    let run = try folder.run()
    let found = run.output.split(separator: "\n").map { $0.drop { $0 == " " } }
    #expect(found.filter { $0.contains("stream") || $0.hasPrefix("help") }.map(String.init) == lines, "\(run.output)")
  }

  private static func line(_ key: String, _ text: String) -> String {
    let escaped = text.replacing("\"", with: "\\\"")
    return #"{"at":1794978727421,"\#(key)":"\#(escaped)"}"#
  }
}
