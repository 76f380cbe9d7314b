import Files
import JSON
import Quotes
import Synchronization
import TestSupport
import Testing
import Transport

/// `--record` of live views: what came by stream alone is in the recording, and a replay shows it.
@Suite(.timeLimit(.minutes(5)), .waitsForPrograms) struct RecordedScreenTests {
  /// A live view of a pair, and an exchange with a single channel for it.
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let command: String
    /// The channel in `streams`.
    let stream: String
    /// The messages after the subscription, with `MINUTE` for the current one in seconds since 1970.
    let messages: [String]
    /// The rest of the block in `markets`.
    let block: String
    /// The answer to its request; nil if it fails.
    let answer: String?
    /// How the lines about data begin, after their time, in alphabetical order.
    let lines: [String]
  }

  private static let trade = """
    "fields": {"price": "$.p", "size": "$.q", "time": {"path": "$.t", "unit": "ms"}, "id": "$.i",
      "side": {"path": "$.m", "buy": false, "sell": true}}
    """
  private static let book = #""bids": "$.b[*]", "asks": "$.a[*]", "price": "$[0]", "size": "$[1]""#

  private static func candle(_ row: String) -> String {
    """
    "fields": {"time": {"path": "\(row)[0]", "unit": "s"}, "open": "\(row)[1]", "high": "\(row)[2]", "low": "\(row)[3]",
      "close": "\(row)[4]"}
    """
  }

  @Test(arguments: [
    Case(
      testDescription: "trades", command: "trades BTC USDT -e venue -w --plain",
      stream: #""trades": {"subscribe": {"op": "sub", "pairs": ["{symbol}"]}, \#(trade)}"#,
      messages: [
        #"{"s":"BTC-USDT","p":"1001","q":"1","t":1709220600100,"i":1,"m":false}"#,
        #"{"s":"BTC-USDT","p":"1002","q":"1","t":1709220600200,"i":2,"m":false}"#,
      ],
      block: #""trades": {"rows": "$[*]", \#(trade)"#,
      answer: #"[{"p":"1000","q":"1","t":1709220600000,"i":0,"m":false}]"#,
      lines: ["buy 1000 1", "buy 1001 1", "buy 1002 1"]),
    Case(
      testDescription: "orderbook", command: "orderbook BTC USDT -e venue -w --plain",
      stream: #""orderbook": {"subscribe": {"op": "sub", "pairs": ["{symbol}"]}, \#(book)}"#,
      messages: [#"{"s":"BTC-USDT","b":[["1001","1"]],"a":[["1003","1"]]}"#],
      block: #""orderbook": {\#(book)"#, answer: nil, lines: ["ask 1003 bid 1001 "]),
    Case(
      testDescription: "chart", command: "chart BTC USDT -e venue -i 1m -w --plain",
      stream: """
        "candles": {"subscribe": {"op": "sub", "pairs": ["{symbol}"], "k": "{interval}"}, \(candle("$.k"))}
        """,
      messages: [#"{"s":"BTC-USDT","k":["MINUTE","1000","1003","998","1001"]}"#],
      block: #""candles": {"intervals": {"1m": "1m"}, "rows": "$[*]", \#(candle("$"))"#, answer: nil, lines: ["1m "]),
  ])
  func connectionsAreReplayed(_ sample: Case) async throws {
    let minute = TransportClock.system.wall().nanoseconds / 60_000_000_000 * 60
    let messages = sample.messages.map { $0.replacing("MINUTE", with: "\(minute)") }
    let server = try LoopbackServer { request in
      if request.target == "/ws" {
        let steps = messages.map { LoopbackServer.Step.bytes(WebSocketFrame.text($0).bytes) }
        let conversation: LoopbackServer.Conversation = { bytes in
          guard let frame = WebSocketFrame(parsing: &bytes) else { return nil }
          return frame.opcode == 1 ? steps : WebSocketServer.goodbye(frame)
        }
        return [.bytes(WebSocketServer.acceptance(of: request)), .converse(conversation)]
      }
      if request.target == "/tickers" { return [.bytes(Answer.ok(#"[{"s":"BTC-USDT","p":"1000"}]"#))] }
      return [.bytes(sample.answer.map { Answer.ok($0) } ?? Answer.ok("down", status: "404 Not Found"))]
    }
    defer { server.stop() }
    let folder = try TemporaryFolder()
    let (config, tape) = ("\(folder.path)/config.json", "\(folder.path)/tape")
    try FileSystem.writeAtomically(
      Array(
        """
        {"version": 1, "exchanges": {"Venue": {
          "baseUrls": ["http://127.0.0.1:\(server.port)"], "symbol": {"path": "$.s", "split": "-"},
          "streams": {"urls": ["ws://127.0.0.1:\(server.port)/ws"], "rows": "$", "symbol": "$.s", \(sample.stream)},
          "markets": {"spot": {
            "tickers": {"request": {"path": "/tickers"}, "rows": "$[*]", "fields": {"price": "$.p"}},
            \(sample.block), "request": {"path": "/data", "query": {"s": "{symbol}"}}}}}}}}
        """.utf8), to: config)
    let words = sample.command.split(separator: " ").map(String.init) + ["-c", config]
    let program = try BackgroundProgram(try Subprocess.market(), words + ["--record", tape])
    defer { program.stop() }
    var lines = program.lines.makeAsyncIterator()
    var live: [String] = []
    while live.count < sample.lines.count, let line = await lines.next() {
      if let data = Self.data(line) { live.append(data) }
    }
    program.stop()
    live.sort()
    #expect(live.count == sample.lines.count && zip(live, sample.lines).allSatisfy { $0.hasPrefix($1) }, "\(live)")

    let replay = try Subprocess(market: words + ["--replay", tape])
    let replayed = replay.output.split(separator: "\n").compactMap { Self.data(String($0)) }.sorted()
    #expect(replayed == live, "\(replay.output)\(replay.errorOutput)")
    #expect(replay.code == 0)

    // The recording is of one run.
    let second = try Subprocess(market: words + ["--record", tape])
    #expect(second.code == 2)
    #expect(
      second.errorOutput.hasPrefix(
        "error: '--record' needs a new or empty folder here, as a replay plays one run; not empty: \(tape)\n"),
      "\(second.errorOutput)")
  }

  /// After the first request a chart asks for its newest candles only, under another address.
  @Test func polledChartIsReplayed() async throws {
    let requests = Mutex(0)
    let server = try LoopbackServer { request in
      if request.target == "/tickers" { return [.bytes(Answer.ok(#"[{"s":"BTC-USDT","p":"1000"}]"#))] }
      let close = requests.withLock { number in
        number += 1
        return 1000 + number
      }
      let minute = TransportClock.system.wall().nanoseconds / 60_000_000_000 * 60
      return [.bytes(Answer.ok("[[\(minute),1000,2000,900,\(close)]]"))]
    }
    defer { server.stop() }
    let folder = try TemporaryFolder()
    let (config, tape) = ("\(folder.path)/config.json", "\(folder.path)/tape")
    try FileSystem.writeAtomically(
      Array(
        """
        {"version": 1, "exchanges": {"Venue": {
          "baseUrls": ["http://127.0.0.1:\(server.port)"], "symbol": {"path": "$.s", "split": "-"}, "refresh": "200ms",
          "markets": {"spot": {
            "tickers": {"request": {"path": "/tickers"}, "rows": "$[*]", "fields": {"price": "$.p"}},
            "candles": {
              "request": {"path": "/candles", "query": {"s": "{symbol}", "i": "{interval}", "n": "{count}"}},
              "count": 500, "intervals": {"1m": "1m"}, "rows": "$[*]", \(Self.candle("$"))}}}}}}
        """.utf8), to: config)
    let words = ["chart", "BTC", "USDT", "-e", "venue", "-i", "1m", "-w", "-f", "ndjson", "-c", config]
    func close(_ line: String) throws -> Int? {
      try JSONDocument(parsing: Array(line.utf8)).root["close"]?.string.flatMap { Int($0) }
    }
    let program = try BackgroundProgram(try Subprocess.market(), words + ["--record", tape])
    defer { program.stop() }
    var lines = program.lines.makeAsyncIterator()
    var live: [Int] = []
    while live.count < 3, let line = await lines.next() { live += [try close(line)].compactMap(\.self) }
    program.stop()
    #expect(live.count == 3 && live.first == 1001)
    let replay = try Subprocess(market: words + ["--replay", tape])
    let replayed = try replay.output.split(separator: "\n").compactMap { try close(String($0)) }
    #expect(replayed.count > 1 && replayed.first == 1001 && replayed == replayed.sorted(), "\(replay.output)")
  }

  /// Returns what a line says about the pair, without the time; nil for one about the feed, or about trades that may be
  /// missing, which depends on how quickly the exchange answers.
  private static func data(_ line: String) -> String? {
    let place = " Venue BTC/USDT "
    guard let found = line.firstRange(of: place), !line.contains(" missed ") else { return nil }
    return String(line[found.upperBound...])
  }

  /// The last price of all came by stream.
  @Test func watchIsReplayed() async throws {
    let exchanges = try SimulatedExchanges(1)
    defer { exchanges.stop() }
    let tape = "\(exchanges.folder.path)/tape"
    let words = ["watch", "BTC/USDT", "-e", "venue1", "-f", "ndjson", "--config", exchanges.config]
    let program = try BackgroundProgram(try Subprocess.market(), words + ["--record", tape])
    defer { program.stop() }
    var lines = program.lines.makeAsyncIterator()
    var live: String?
    while live != "100.10", let line = await lines.next() { live = try Self.price(line) ?? live }
    program.stop()
    let replay = try Subprocess(market: words + ["--replay", tape])
    #expect(replay.code == 0)
    let prices = try replay.output.split(separator: "\n").compactMap { try Self.price(String($0)) }
    #expect(prices.last == "100.10", "\(replay.output)\(replay.errorOutput)")
    #expect(try Subprocess(market: words + ["--record", tape]).code == 2)
  }

  /// Returns the price of a row; nil for another object.
  private static func price(_ line: String) throws -> String? {
    try JSONDocument(parsing: Array(line.utf8)).root["row"]?["price"]?.string
  }
}
