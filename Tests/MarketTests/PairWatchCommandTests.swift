import Files
import Foundation
import HTTP
import Synchronization
import TestSupport
import Testing

/// `market orderbook -w`, `trades -w` and `chart -w` as users see them.
@Suite(.waitsForPrograms) struct PairWatchCommandTests {
  struct Case: Sendable, CustomTestStringConvertible {
    /// The name of the golden file.
    let testDescription: String
    let words: [String]
    var code: Int32 = 0
  }

  private static let recordings = [
    "--replay", Checkout.path("Tests/Cassettes"), "--config", Checkout.path("exchanges.json"),
  ]
  private static func words(_ text: String) -> [String] { text.split(separator: " ").map(String.init) }

  @Test(arguments: [
    Case(
      testDescription: "pair-watch-book.txt",
      words: words("orderbook BTC KRW -e upbit,bithumb -w --once --screen 160x24 --size 0.5")),
    Case(testDescription: "pair-watch-tape.txt", words: words("trades BTC KRW -e upbit -w --once --lang ko")),
    Case(
      testDescription: "pair-watch-days.txt",
      words: words("trades BTC KRW -e upbit --daily -w --once --screen 60x12")),
    Case(
      testDescription: "pair-watch-chart.txt", words: words("chart BTC KRW -e upbit -w --once --screen 60x20")),
    Case(
      testDescription: "pair-watch-premium.txt",
      words: words("chart BTC USDT -w --once --screen 100x30 --premium upbit:KRW,binance")),
    Case(testDescription: "pair-watch-plain.txt", words: words("orderbook BTC KRW -e upbit,bithumb -w")),
    Case(testDescription: "pair-watch-trades.ndjson", words: words("trades BTC KRW -e upbit -w -f ndjson")),
    Case(testDescription: "pair-watch-unlisted.txt", words: words("chart NOPE KRW -e upbit -w --plain"), code: 1),
    Case(testDescription: "pair-watch-needs-watch.txt", words: words("orderbook BTC KRW --once"), code: 2),
    Case(testDescription: "pair-watch-json.txt", words: words("trades BTC KRW -w -f json"), code: 2),
    Case(testDescription: "pair-watch-svg.txt", words: words("chart BTC KRW -w --svg -"), code: 2),
    Case(testDescription: "pair-watch-screen.txt", words: words("chart BTC KRW -w --once --screen 80"), code: 2),
  ])
  func prints(_ sample: Case) throws {
    let run = try Subprocess(market: sample.words + Self.recordings)
    #expect(run.code == sample.code)
    Golden.expect(
      run.output + (run.errorOutput.isEmpty ? "" : "--- stderr\n" + run.errorOutput), matches: sample.testDescription)
  }

  /// Options without effect on a live screen are refused, not ignored.
  @Test(arguments: [
    ("orderbook BTC KRW -w --depth 5", "--depth"), ("trades BTC KRW -w -n 5", "--number"),
    ("trades BTC KRW -w --daily --number 5", "--number"), ("chart BTC KRW -w -n 50", "--number"),
    ("chart BTC KRW -w --rows 30", "--rows"),
  ])
  func refusesWithoutEffect(_ text: String, _ option: String) throws {
    let run = try Subprocess(market: Self.words(text) + Self.recordings)
    #expect(run.code == 2)
    #expect(run.errorOutput.hasPrefix("error: '--watch' cannot be combined with '\(option)'\n"))
  }

  // MARK: On a terminal

  /// Keys typed on a terminal one at a time, and what is then visible.
  struct Session: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let command: String
    let steps: [(key: String, seen: String)]
  }

  /// The screen is restored for the shell, and the program exits with 0.
  @Test(arguments: [
    Session(
      testDescription: "book", command: "orderbook BTC KRW -e upbit,bithumb -w",
      steps: [("", "134513000"), ("+", "2000"), ("z", "order size in BTC"), ("1\r", "buy Bithumb"), ("ㅂ", "")]),
    Session(
      testDescription: "tape", command: "trades BTC KRW -e upbit -w",
      steps: [("", "14:12:07.182"), ("j", "above"), ("\t", "days from"), (" ", "FROZEN"), ("?", "Keys"), ("q", "")]),
    Session(
      testDescription: "chart", command: "chart BTC KRW -e upbit -w",
      steps: [("", "134512000"), ("h", "⡇"), ("+", ""), (" ", "FROZEN"), ("q", "")]),
  ])
  func runsOnATerminal(_ session: Session) throws {
    let live = try LivePair(Self.words(session.command) + Self.recordings)
    for (key, seen) in session.steps {
      live.type(key)
      #expect(seen.isEmpty || live.shows(seen), "\(key)")
    }
    #expect(live.ending() == 0)
    #expect(live.terminal.flags.echoes)
    #expect(live.hasLeft)
  }

  /// An exchange's next response appears without a keystroke; a failing exchange keeps its book and says so.
  @Test func followsAnExchange() throws {
    let count = Mutex(0)
    let server = try LoopbackServer { request in
      guard request.target.hasPrefix("/book") else { return [.bytes(Answer.ok("[]"))] }
      let number = count.withLock { count in
        count += 1
        return count
      }
      if number > 6 { return [.close] }
      return [.bytes(Answer.ok(#"{"b": [["99", "1"]], "a": [["\#(1111 * number)", "2"]]}"#))]
    }
    let folder = try TemporaryFolder()
    let config = """
      { "version": 1, "exchanges": { "Alpha": { "baseUrls": ["\(server.url(""))"], "refresh": "100ms", "markets": { "spot": {
        "tickers": { "request": { "path": "/all" }, "rows": "$[*]", "symbol": { "path": "$.s", "split": "-" },
          "fields": { "price": "$.p" } },
        "orderbook": { "request": { "path": "/book/{asset}{payment}" }, "bids": "$.b[*]", "asks": "$.a[*]", "price": "$[0]",
          "size": "$[1]" } } } } } }
      """
    try FileSystem.writeAtomically(Array(config.utf8), to: "\(folder.path)/config.json")
    let words = Self.words("orderbook BTC KRW -e alpha -w -c \(folder.path)/config.json")
    let live = try LivePair(words, environment: ["HOME": folder.path, "no_proxy": "*"])
    #expect(live.shows("6666"))
    #expect(live.shows("failed: no-answer unreachable"))
    live.type("q")
    #expect(live.ending() == 0)
  }
}

extension PairWatchCommandTests {
  /// A stream replaces requests, which fill in when it breaks until it is back.
  @Test func followsAStream() throws {
    let requests = Mutex(0)
    let server = try LoopbackServer { request in
      if request.target == "/ws" {
        let steps = (1...2).map { number in
          LoopbackServer.Step.bytes(
            WebSocketFrame.text(
              #"{"s":"BTC-USDT","p":"\#(1000 + number)","q":"1","t":1709220600\#(number)00,"i":\#(number)}"#
            )
            .bytes)
        }
        let conversation: LoopbackServer.Conversation = { bytes in
          guard let frame = WebSocketFrame(parsing: &bytes) else { return nil }
          return frame.opcode == 1 ? steps + [.close] : WebSocketServer.goodbye(frame)
        }
        return [.bytes(WebSocketServer.acceptance(of: request)), .converse(conversation)]
      }
      if request.target == "/tickers" { return [.bytes(Answer.ok(#"[{"s":"BTC-USDT","p":"1000"}]"#))] }
      requests.withLock { $0 += 1 }
      return [.bytes(Answer.ok(#"[{"p":"1000","q":"1","t":1709220600000,"i":0}]"#))]
    }
    defer { server.stop() }
    let folder = try TemporaryFolder()
    let config = """
      {"version": 1, "exchanges": {"Venue": {
        "baseUrls": ["http://127.0.0.1:\(server.port)"], "symbol": {"path": "$.s", "split": "-"},
        "streams": {"urls": ["ws://127.0.0.1:\(server.port)/ws"], "rows": "$", "symbol": "$.s",
          "trades": {"subscribe": {"op": "sub", "pairs": ["{symbol}"]}, "fields": {
            "price": "$.p", "size": "$.q", "time": {"path": "$.t", "unit": "ms"}, "id": "$.i"}}},
        "markets": {"spot": {
          "tickers": {"request": {"path": "/tickers"}, "rows": "$[*]", "fields": {"price": "$.p"}},
          "trades": {"request": {"path": "/trades", "query": {"s": "{symbol}"}}, "rows": "$[*]", "fields": {
            "price": "$.p", "size": "$.q", "time": {"path": "$.t", "unit": "ms"}, "id": "$.i"}}}}}}}
      """
    try FileSystem.writeAtomically(Array(config.utf8), to: "\(folder.path)/config.json")
    let live = try LivePair(
      Self.words("trades BTC USDT -e venue -w -c \(folder.path)/config.json"),
      environment: ["HOME": folder.path, "no_proxy": "*"])
    #expect(live.shows("1002"))
    // `ws > poll: stream-closed`, of which only what has changed is written.
    #expect(live.shows("closed"))
    live.type("q")
    #expect(live.ending() == 0)
    #expect(requests.withLock { $0 } >= 1)
  }
}

extension PairWatchCommandTests {
  /// A chart whose first request fails draws the stream's candles, says what is missing, and shows it once it arrives.
  @Test func chartWithoutHistory() throws {
    let isBack = Mutex(false)
    let minute = Int(Date().timeIntervalSince1970) / 60 * 60
    @Sendable func row(_ start: Int) -> String { #"["\#(start)","100","103","98","101","1"]"# }
    let server = try LoopbackServer { request in
      switch request.target {
      case "/ws":
        let candle = WebSocketFrame.text(#"{"s":"BTC-USDT","k":\#(row(minute))}"#).bytes
        let conversation: LoopbackServer.Conversation = { bytes in
          guard let frame = WebSocketFrame(parsing: &bytes) else { return nil }
          return frame.opcode == 1 ? [.bytes(candle)] : WebSocketServer.goodbye(frame)
        }
        return [.bytes(WebSocketServer.acceptance(of: request)), .converse(conversation)]
      case "/tickers": return [.bytes(Answer.ok(#"[{"s":"BTC-USDT","p":"101"}]"#))]
      default:
        guard isBack.withLock({ $0 }) else { return [.bytes(Answer.ok("down", status: "404 Not Found"))] }
        let rows = (0..<60).map { row(minute - 60 * $0) }
        return [.bytes(Answer.ok("[\(rows.joined(separator: ","))]"))]
      }
    }
    defer { server.stop() }
    let folder = try TemporaryFolder()
    let fields = """
      {"time": {"path": "$[0]", "unit": "s"}, "open": "$[1]", "high": "$[2]", "low": "$[3]", "close": "$[4]"}
      """
    let config = """
      {"version": 1, "exchanges": {"Venue": {
        "baseUrls": ["http://127.0.0.1:\(server.port)"], "symbol": {"path": "$.s", "split": "-"}, "refresh": "100ms",
        "streams": {"urls": ["ws://127.0.0.1:\(server.port)/ws"], "rows": "$", "symbol": "$.s",
          "candles": {"subscribe": {"op": "sub", "pairs": ["{symbol}"], "k": "{interval}"},
            "fields": \(fields.replacing("$[", with: "$.k["))}},
        "markets": {"spot": {
          "tickers": {"request": {"path": "/tickers"}, "rows": "$[*]", "fields": {"price": "$.p"}},
          "candles": {"request": {"path": "/candles", "query": {"s": "{symbol}"}}, "intervals": {"1m": "1m"}, "rows": "$[*]", "fields": \(fields)}}}}}}
      """
    try FileSystem.writeAtomically(Array(config.utf8), to: "\(folder.path)/config.json")
    let live = try LivePair(
      Self.words("chart BTC USDT -e venue -i 1m -w -c \(folder.path)/config.json"),
      environment: ["HOME": folder.path, "no_proxy": "*"])
    #expect(live.shows("older bars: http-404"))
    #expect(live.shows("103"))
    isBack.withLock { $0 = true }
    #expect(live.shows("bars from"))
    live.type("q")
    #expect(live.ending() == 0)
  }
}

/// The built `market` on a terminal simulated by a test.
private final class LivePair {
  let terminal: TerminalProcess
  private var written: [UInt8] = []
  private var answered = 0

  init(_ words: [String], environment: [String: String] = [:]) throws {
    terminal = try TerminalProcess(
      Subprocess.market(), words,
      environment: environment.merging([
        "TERM": "xterm-256color", "LANG": "C.UTF-8", "TZ": "KST-9", "SWIFT_BACKTRACE": "enable=no",
      ]) { own, _ in own })
  }

  private var text: String { String(decoding: written, as: UTF8.self) }

  /// Reads new output, and answers its queries as a plain terminal does.
  private func play() {
    written += terminal.read(milliseconds: 20)
    let asked = text.split(separator: "\u{1B}[c", omittingEmptySubsequences: false).count - 1
    while answered < asked {
      answered += 1
      terminal.write("\u{1B}[?62;22c")
    }
    let ready = text.split(separator: "\u{1B}[5n", omittingEmptySubsequences: false).count - 1
    while confirmed < ready {
      confirmed += 1
      terminal.write("\u{1B}[0n")
    }
  }

  private var confirmed = 0

  func type(_ keys: String) {
    written = []
    (answered, confirmed) = (0, 0)
    if !keys.isEmpty { terminal.write(keys) }
  }

  /// Returns whether a text appears within a minute.
  func shows(_ part: String) -> Bool {
    let end = ContinuousClock.now + .seconds(60)
    while ContinuousClock.now < end {
      if text.contains(part) { return true }
      play()
    }
    return false
  }

  func ending() -> Int32? {
    let end = ContinuousClock.now + .seconds(60)
    while ContinuousClock.now < end {
      play()
      if let code = terminal.ending(milliseconds: 0) {
        play()
        return code
      }
    }
    return nil
  }

  /// Whether the alternate screen was left and the cursor shown.
  var hasLeft: Bool { text.contains("\u{1B}[?1049l") && text.contains("\u{1B}[?25h") }
}
