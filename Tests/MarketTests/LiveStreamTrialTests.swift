import Files
import JSON
import TestSupport
import Testing

/// `market test-exchange --live --for`: tries streams on an exchange on this machine.
@Suite(.timeLimit(.minutes(2)), .waitsForPrograms) struct LiveStreamTrialTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let messages: [String]
    /// The output about the stream, without the numbers of milliseconds.
    let lines: [String]
  }

  private static let lead = "problem: spot: the ticker stream of BTC/USDT: "

  @Test(arguments: [
    Case(
      testDescription: "prices",
      messages: [#"{"ok":true}"#, SimulatedExchanges.message(1), SimulatedExchanges.message(2)],
      lines: [
        "streams, good: spot ticker BTC/USDT (open after # ms, first message after # ms, 2 readings of 3 messages)"
      ]),
    Case(
      testDescription: "a different unit", messages: [#"{"s":"BTC-USDT","p":"10000"}"#],
      lines: [
        lead + "price: 100 times the table's in the median of 1 (10000 by stream, 100 in the table)",
        "help: write \"scale\": 0.01",
      ]),
    Case(
      testDescription: "an error", messages: [#"{"error":"no such pair"}"#],
      lines: [lead + "it was refused: no such pair"]),
    Case(testDescription: "silence", messages: [], lines: [lead + "it is open, but no message arrived"]),
    Case(
      testDescription: "messages of a different shape", messages: [#"{"data":{"sym":"BTC-USDT","last":"100.01"}}"#],
      lines: [
        lead + "none of its 1 messages is accepted",
        "help: the rows seem to be at \"$.data\", their symbol at \"$.sym\"",
      ]),
  ])
  func finds(_ example: Case) throws {
    let exchanges = try SimulatedExchanges(
      1, messages: example.messages.map { .bytes(WebSocketFrame.text($0).bytes) })
    defer { exchanges.stop() }
    let run = try Self.run(exchanges)
    #expect(Self.lines(run.output) == example.lines, "\(run.output)")
    #expect(run.code == (example.lines.contains { $0.hasPrefix("problem") } ? 1 : 0))
  }

  /// With a second pair in the table the connection has both: the numbers of the pairs that its messages are about, and
  /// what is said of it.
  @Test(
    arguments: [
      (
        "121222222222222",
        [
          "problem: spot: the ticker stream of BTC/USDT: its messages end where those about ETH/USDT begin: of the last 11 "
            + "none is about it",
          "help: if only the last pair of a message counts, write \"batch\": { \"max\": 1 }",
        ]
      ),
      (
        "11",
        ["note: spot: the ticker stream of BTC/USDT: no message is about ETH/USDT, which is subscribed to beside it"]
      ),
      (
        "1222222222222221",
        [
          "streams, good: spot ticker BTC/USDT and ETH/USDT (open after # ms, first message after # ms, 16 readings of 16 "
            + "messages)"
        ]
      ),
    ] as [(String, [String])])
  func secondPair(_ pairs: String, lines: [String]) throws {
    let messages = pairs.map { $0 == "1" ? SimulatedExchanges.message(1) : #"{"s":"ETH-USDT","p":"3001"}"# }
    let exchanges = try SimulatedExchanges(
      1, rest: #"100"},{"s":"ETH-USDT","p":"3000"#,
      messages: messages.map { .bytes(WebSocketFrame.text($0).bytes) })
    defer { exchanges.stop() }
    let run = try Self.run(exchanges)
    #expect(Self.lines(run.output) == lines, "\(run.output)")
    #expect(run.code == (lines.contains { $0.hasPrefix("problem") } ? 1 : 0))
  }

  /// Of a channel that may be silent, messages that are not accepted are a problem if they hold its data.
  @Test(arguments: [
    Case(
      testDescription: "trades at another place",
      messages: (1...6).map { number in
        #"{"data":{"sym":"BTC-USDT","price":"100.0\#(number)","amount":"0.\#(number)7","id":\#(number),"side":"\#(number % 2 == 0 ? "buy" : "sell")","ts":17949787270\#(number)0}}"#
      },
      lines: [
        "problem: spot: the trades stream of BTC/USDT: none of its 6 messages is accepted",
        "help: the rows seem to be at \"$.data\", their symbol at \"$.sym\"",
      ]),
    Case(
      testDescription: "confirmations", messages: [#"{"ok":true}"#, #"{"ok":true,"pair":"BTC-USDT"}"#],
      lines: [
        "note: spot: the trades stream of BTC/USDT: none of its 2 messages is accepted; "
          + #"'{"op":"sub","pairs":["BTC-USDT"]}' was answered by '{"ok":true}'"#,
        "help: check \"when\", \"rows\" and \"symbol\" of the channel",
      ]),
    Case(
      testDescription: "marks of the channel without rows",
      messages: [#"{"p":1}"#, #"{"p":2}"#, #"{"p":3}"#],
      lines: [
        "problem: spot: the trades stream of BTC/USDT: none of its 3 messages is accepted; "
          + #"'{"op":"sub","pairs":["BTC-USDT"]}' was answered by '{"p":1}'"#,
        "help: check \"when\", \"rows\" and \"symbol\" of the channel",
      ]),
  ])
  func dataOfTrades(_ example: Case) throws {
    let exchanges = try SimulatedExchanges(
      1, messages: example.messages.map { .bytes(WebSocketFrame.text($0).bytes) })
    defer { exchanges.stop() }
    try exchanges.replaceInConfig(
      #""ticker": {"subscribe""#,
      with: #""trades": {"rows": "$.t[*]", "fields": {"price": "$.p", "size": "$.q"}, "subscribe""#)
    let run = try Self.run(exchanges)
    #expect(Self.lines(run.output).filter { !$0.hasPrefix("streams,") } == example.lines, "\(run.output)")
    #expect(run.code == (example.lines.contains { $0.hasPrefix("problem") } ? 1 : 0))
  }

  @Test func json() throws {
    let exchanges = try SimulatedExchanges(1, prices: 3)
    defer { exchanges.stop() }
    let run = try Self.run(exchanges, "--format", "json")
    let stream = try JSONDocument(parsing: Array(run.output.utf8)).root["exchanges"]?.elements.first { _ in true }?[
      "streams"]?.elements.first { _ in true }
    #expect(stream?["channel"]?.string == "ticker")
    #expect(stream?["updates"]?.numberText == "3")
    #expect(stream?["heard"]?["connections"]?.numberText == "1")
    #expect(stream?["heard"]?["messages"]?.numberText == "3")
  }

  @Test func hostThatRefusesHandshake() throws {
    let exchanges = try SimulatedExchanges(1)
    defer { exchanges.stop() }
    try exchanges.replaceInConfig("/ws\"]", with: "/tickers\"]")
    let run = try Self.run(exchanges)
    let problem = Self.lead + "no connection: http-200 (the server did not open a WebSocket)"
    #expect(Self.lines(run.output) == [problem], "\(run.output)")
    #expect(run.code == 1)
  }

  /// Messages are compared with the recording, and a renamed member is proposed as an edit.
  @Test func renamedMember() throws {
    let old = #"{"s":"BTC-USDT","p":"100.01","v":"7.5"}"#
    let new = #"{"s":"BTC-USDT","p":"100.02","volume":"7.5"}"#
    func steps(_ text: String) -> [LoopbackServer.Step] { [.bytes(WebSocketFrame.text(text).bytes)] }
    let exchanges = try SimulatedExchanges(1, messages: steps(old), later: steps(new))
    defer { exchanges.stop() }
    try exchanges.replaceInConfig(
      #""when": ["#, with: #""fields": {"price": "$.p", "volume24": "$.v"}, "when": ["#)
    let recordings = "\(exchanges.folder.path)/cassettes"
    let first = try Self.run(exchanges, "--record", recordings)
    #expect(first.code == 0, "\(first.output)")
    #expect(try FileSystem.names(in: "\(recordings)/Venue1/streams") == ["01-spot-ticker-BTC-USDT.ndjson"])
    let run = try Self.run(exchanges, "--diff")
    #expect(
      Self.lines(run.output).contains {
        $0.hasPrefix(Self.lead + "$.v (volume24) was in every row of the recording and is in none now")
      }, "\(run.output)")
    #expect(run.output.contains(#"+"#) && run.output.contains(#""volume24": "$.volume""#), "\(run.output)")
    #expect(run.code == 1)
  }

  @Test(arguments: [["--for", "1s"], ["--live", "--for", "soon"]]) func invalidArguments(_ words: [String]) throws {
    let folder = try TrialFolder()
    #expect(try Subprocess(market: ["test-exchange", "alpha", "-c", folder.config] + words).code == 2)
  }

  private static func run(_ exchanges: SimulatedExchanges, _ words: String...) throws -> Subprocess {
    try Subprocess(
      market: ["test-exchange", "Venue1", "--live", "--for", "1500ms", "--config", exchanges.config] + words)
  }

  /// Returns the lines about streams, followed by their help.
  private static func lines(_ output: String) -> [String] {
    let found = output.split(separator: "\n").map { $0.drop { $0 == " " } }
    return found.enumerated().filter { index, line in
      line.contains("stream") || line.hasPrefix("help:") && index > 0 && found[index - 1].contains("stream")
    }.map { String($0.element.replacing(#/[0-9]+ ms/#, with: "# ms")) }
  }
}
