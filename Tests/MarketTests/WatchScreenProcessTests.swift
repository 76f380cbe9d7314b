import Files
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// `market watch` as a live screen on the shipped recordings: the built program on a terminal simulated by a test.
@Suite(.serialized, .waitsForPrograms) struct WatchScreenProcessTests {
  private static let enter = "\u{1B}[?1049h"
  private static let leave = "\u{1B}[?1049l"

  private let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  private var environment: [String: String] {
    ["TZ": "KST-9", "XDG_CONFIG_HOME": home.path, "OPEN_EXCHANGE_RATES_APP_ID": "key"]
  }

  private func words(_ more: [String], config: String = Checkout.path("exchanges.json")) -> [String] {
    ["watch"] + more + ["--replay", Checkout.path("Tests/Cassettes"), "--config", config]
  }

  /// Returns a started session with the recordings' figures on the screen.
  private func started(
    _ more: [String] = ["BTC/KRW", "USDT/KRW", "-e", "upbit,bithumb"], environment: [String: String] = [:],
    config: String = Checkout.path("exchanges.json")
  ) throws -> LiveSession {
    let session = try LiveSession(
      try Subprocess.market(), words(more, config: config), environment: self.environment.merging(environment) { $1 },
      columns: 80, rows: 24)
    // The premium over Upbit needs Bithumb too, and they answer in any order. Of a price only changed digits are written.
    try #require(session.play(untilWritten: "0.04% UP"), "\(session.text)")
    return session
  }

  @Test func entersAndLeaves() throws {
    let session = try LiveSession(
      try Subprocess.market(), words(["BTC/KRW", "-e", "upbit,bithumb"]), environment: environment, columns: 80,
      rows: 24)
    let before = session.terminal.settingsBefore
    #expect(session.play(untilWritten: "134512000"))
    #expect(session.text.hasPrefix(Self.enter))
    #expect(session.count(of: "\u{1B}[2J") == 0)
    session.terminal.write("q")
    #expect(session.ending() == 0)
    #expect(session.terminal.settings == before)
    #expect(session.text.hasSuffix("\u{1B}[?25h\(Self.leave)\u{1B}[c"))
    #expect(session.terminal.unread == [])
  }

  @Test(arguments: [SIGTERM, SIGHUP, SIGINT, SIGQUIT]) func signalEndsScreen(_ number: Int32) throws {
    let session = try started()
    session.terminal.signal(number)
    #expect(session.ending() == 128 + number)
    #expect(session.text.contains(Self.leave))
    #expect(session.terminal.flags == (echoes: true, signals: true))
    #expect(session.terminal.unread == [])
  }

  @Test func controlCEndsScreen() throws {
    let session = try started()
    session.terminal.write("\u{3}")
    #expect(session.ending() == 128 + SIGINT)
    #expect(session.text.contains(Self.leave))
  }

  @Test func closedTerminalEndsScreen() throws {
    let session = try started()
    session.terminal.hangUp()
    #expect([0, 128 + SIGHUP].contains(try #require(session.terminal.ending())))
  }

  /// Keys navigate screens and lines; the cursor is at the end of the open line.
  @Test func keys() throws {
    let session = try started()
    session.press("\r", shows: "over low")
    // Only differences are written, so this waits for a word that was not on the screen before.
    session.press("\r", shows: "changePricePercent24")
    session.press("q", shows: "turnover")
    session.press("q", shows: "high / low")
    session.press("v", shows: "market")
    session.press("ㅂ", shows: "high / low")
    session.press("/tether", shows: "\u{1B}[24;9H")
    session.press("\r", shows: "\u{1B}[?25l")
    session.press("?", shows: "favourites only")
    session.press("q", shows: "high / low")
    session.terminal.write("q")
    #expect(session.ending() == 0)
  }

  /// A streamed row is explained by its stream's next message, not by another request.
  @Test func streamedRowIsExplainedByItsMessage() throws {
    let price = WebSocketFrame.text(SimulatedExchanges.message(1)).bytes
    let exchanges = try SimulatedExchanges(
      1, messages: [], pong: { [.bytes(WebSocketFrame(opcode: 10, []).bytes), .bytes(price)] },
      settings: #""ping": {"every": "200ms"}, "#)
    defer { exchanges.stop() }
    let session = try LiveSession(
      try Subprocess.market(), ["watch", "BTC/USDT", "--no-rate", "--no-flash", "--config", exchanges.config],
      environment: environment, columns: 80, rows: 24)
    #expect(session.play(untilWritten: ".01"))
    session.press("\r", shows: "over low")
    session.press("\r", shows: "spot-ticker-BTC-USDT, ws://127.0.0.1:")
    #expect(session.text.contains("<- row $.p = 100.01"), "\(session.text)")
    session.terminal.write("\u{3}")
    #expect(session.ending() == 128 + SIGINT)
  }

  /// Screens about the selected pair open in front of this one, and lead back to it. Names come from the exchanges.
  @Test func visitsAPair() throws {
    let session = try started()
    session.press("b", shows: "within 0.1")
    #expect(session.play(untilWritten: "Upbit spot BTC/KRW"))
    session.press("t", shows: "least size")
    session.press("c", shows: "interval")
    // Keys of the screen before that the screen in front does not have.
    session.press("f", shows: "favourite: BTC/KRW")
    session.press("v", shows: "Feeds of")
    session.press("v", shows: "high / low")
    session.press("c", shows: "interval")
    session.press("d", shows: "over low")
    session.press("b", shows: "order size")
    session.press("q", shows: "over low")
    session.press("q", shows: "high / low")
    session.press("/비트코인", shows: "1 of 2")
    session.press("\r", shows: "\u{1B}[?25l")
    session.terminal.write("q")
    #expect(session.ending() == 0)
  }

  /// The exchange's page of the selected pair, as a link; as text on a terminal without link support.
  @Test(arguments: [("xterm-256color", 4), ("linux", 0)]) func pages(_ terminal: String, _ links: Int) throws {
    let (bithumb, upbit) =
      ("https://www.bithumb.com/react/trade/order/BTC-KRW", "https://upbit.com/exchange?code=CRIX.UPBIT.KRW-BTC")
    let session = try started(environment: ["TERM": terminal, "NO_COLOR": "1"])
    session.press("\r", shows: "over low")
    session.press("u", shows: bithumb)
    session.press("j", shows: "\u{1B}[?2026l")
    session.press("u", shows: upbit)
    session.press("b", shows: "within 0.1")
    session.press("u", shows: upbit)
    session.press("u", shows: bithumb)
    session.terminal.write("\u{3}")
    #expect(session.ending() == 128 + SIGINT)
    #expect(session.count(of: "\u{1B}]8;;https://") == links)
  }

  /// A list of all pairs of an exchange has the same screens; a pair opened there is requested everywhere.
  @Test func listsAnExchange() throws {
    let session = try LiveSession(
      try Subprocess.market(), ["list", "upbit", "-w"] + words([]).dropFirst(), environment: environment, columns: 80,
      rows: 24)
    #expect(session.play(untilWritten: "134512000"))
    #expect(session.play(untilWritten: "closes of"))
    session.press("]", shows: "5 of 9 pairs")
    session.press("jw", shows: "in KRW")
    session.press("\r", shows: "over low")
    // Only Upbit was requested before.
    #expect(session.play(untilWritten: "Coinone"))
    session.press("b", shows: "order size")
    session.press("q", shows: "over low")
    session.press("q", shows: "turnover")
    session.press("/페페", shows: "1 of 9")
    session.press("\r", shows: "\u{1B}[?25l")
    session.terminal.write("q")
    #expect(session.ending() == 0)
  }

  /// Closes are requested once prices are on the screen, and drawn when they come.
  @Test func drawsCloses() throws {
    let session = try LiveSession(
      try Subprocess.market(), ["list", "upbit", "-w", "--glyphs", "ascii"] + words([]).dropFirst(),
      environment: environment, columns: 80, rows: 24)
    #expect(session.play(untilWritten: "..-=##"))
    session.terminal.write("q")
    #expect(session.ending() == 0)
  }

  /// All pairs of a table are streamed if possible.
  @Test func listsStreamedPairs() throws {
    let exchanges = try SimulatedExchanges(2)
    defer { exchanges.stop() }
    let session = try LiveSession(
      try Subprocess.market(), ["list", "-w", "--config", exchanges.config, "--no-rate"], environment: environment,
      columns: 80, rows: 24)
    #expect(session.play(untilWritten: "BTC/USDT"))
    #expect(session.play(untilWritten: "stream"))
    #expect(exchanges.handshakes == 2)
    session.press("\r", shows: "over low")
    // The last of the prices, without its zero.
    #expect(session.play(untilWritten: "100.1", since: 0))
    session.press("q", shows: "turnover")
    session.terminal.write("q")
    #expect(session.ending() == 0)
  }

  /// Marked pairs open side by side, even in two currencies. An alert that fires meanwhile is shown there, and Esc
  /// dismisses it first.
  @Test func sideBySideScreenShowsAlerts() throws {
    let session = try started(["BTC/KRW", "BTC/USDT", "-e", "upbit,bithumb,binance"])
    session.press("o", shows: "compare: ")
    session.press("jo", shows: "Binance BTC/USDT")
    session.press("b", shows: "Binance spot BTC/USDT")
    session.press("o", shows: "Upbit spot BTC/KRW")
    try FileSystem.createFolder("\(home.path)/market")
    let start = session.written.count
    try FileSystem.writeAtomically(
      Array("[\"BTC/KRW premium > 0.01%\"]".utf8), to: "\(home.path)/market/alerts.json")
    #expect(session.play(untilWritten: "ALERT 14:12:0", since: start))
    session.press("\u{1B}", shows: "\u{1B}[?2026l")
    session.press("?", shows: "this help")
    session.press("q", shows: "high / low")
    session.press("w", shows: "in KRW")
    session.terminal.write("q")
    #expect(session.ending() == 0)
  }

  /// The mouse belongs to the terminal until requested, and again afterwards, however the screen ends.
  @Test func mouse() throws {
    let session = try started(["BTC/KRW", "USDT/KRW", "-e", "upbit,bithumb"])
    #expect(session.count(of: "\u{1B}[?1006h") == 0)
    session.press("m", shows: "\u{1B}[?1002h\u{1B}[?1006h")
    #expect(session.play(untilWritten: "the mouse is on"))
    session.press("\u{1B}[<0;5;7M", shows: "▸")
    session.press("\u{1B}[<0;5;7M", shows: "over low")
    session.terminal.signal(SIGTERM)
    #expect(session.ending() == 128 + SIGTERM)
    #expect(session.text.contains("\u{1B}[?1006l\u{1B}[?1002l"))
  }

  @Test func manySizes() throws {
    let session = try started()
    for (columns, rows) in [(1, 1), (200, 60), (40, 8), (39, 8), (160, 50), (60, 20), (80, 24)] as [(UInt16, UInt16)] {
      let start = session.written.count
      session.terminal.resize(columns: columns, rows: rows)
      #expect(session.play(untilWritten: "\u{1B}[?2026l", since: start), "\(columns)x\(rows)")
    }
    session.terminal.write("q")
    #expect(session.ending() == 0)
  }

  @Test func withoutColours() throws {
    let session = try started(environment: ["NO_COLOR": "1"])
    session.terminal.write("q")
    #expect(session.ending() == 0)
    #expect(session.count(of: "38;5;") == 0)
  }

  /// Without a screen, on a dumb terminal, on one of no name, or when lines are requested, the output is lines.
  @Test(arguments: [["TERM": "dumb"], ["TERM": ""], [:]]) func linesOnATerminal(_ environment: [String: String]) throws
  {
    let more = ["BTC/KRW", "-e", "upbit,bithumb"] + (environment.isEmpty ? ["--plain"] : [])
    let session = try LiveSession(
      try Subprocess.market(), words(more), environment: self.environment.merging(environment) { $1 }, columns: 80,
      rows: 24)
    #expect(session.ending() == 0)
    #expect(session.text.contains("BTC/KRW premium 0.04 % Bithumb 134566000 over Upbit 134512000\r\n"))
    #expect(!session.text.contains("\u{1B}"))
  }

  /// The user's files are reloaded while it runs. A broken one changes nothing, apart from a line that says so.
  @Test func followsFiles() throws {
    let config = "\(home.path)/exchanges.json"
    let text = try FileSystem.read(Checkout.path("exchanges.json"))
    try FileSystem.writeAtomically(text, to: config)
    let session = try started(config: config)
    func write(_ text: [UInt8], to path: String, shows wanted: String) throws {
      let start = session.written.count
      try FileSystem.writeAtomically(text, to: path)
      #expect(session.play(untilWritten: wanted, since: start), "\(path)")
    }
    try write(Array("{".utf8), to: config, shows: "exchanges.json is invalid, so it is not used")
    try write(text, to: config, shows: "config changed and reloaded")
    #expect(session.play(untilWritten: "134512000"))
    // What was said about the version before ends. Repainted, the lines are written whole.
    var start = session.written.count
    try FileSystem.writeAtomically(Array("{".utf8), to: config)
    #expect(
      session.play {
        session.terminal.write("\u{C}")
        return session.text(since: start).contains("exchanges.json is invalid")
      })
    start = session.written.count
    session.press("\u{C}", shows: "exchanges.json is invalid")
    #expect(!session.text(since: start).contains("config changed and reloaded"))
    try write(text, to: config, shows: "config changed and reloaded")
    // An exchange whose block is broken is missing, which is said as long as it is.
    let broken = String(decoding: text, as: UTF8.self).replacing(
      #""Bithumb": {"#, with: #""Bithumb": {"refesh": "1s","#)
    try write(Array(broken.utf8), to: config, shows: "Bithumb is left out because its block is invalid: market")
    try write(text, to: config, shows: "134512000")
    try FileSystem.createFolder("\(home.path)/market")
    let favorites = "\(home.path)/market/favorites.json"
    try write(Array("[3]".utf8), to: favorites, shows: "favorites.json is invalid")
    try write(Array("[\"BTC/KRW\"]".utf8), to: favorites, shows: "*")
    let alerts = "\(home.path)/market/alerts.json"
    try write(Array("[\"x\"]".utf8), to: alerts, shows: "alerts.json is invalid")
    // What is entered meanwhile is not lost.
    session.press("aafx > 1M\r", shows: "not added: alerts.json is invalid; repair it, then press Enter again")
    try write(Array("[\"BTC/KRW premium > 0.01%\"]".utf8), to: alerts, shows: "ALERT 14:12:0")
    session.press("\r", shows: "armed: fx > 1M")
    #expect(try FileSystem.read(alerts) == Array("[\n  \"BTC/KRW premium > 0.01%\",\n  \"fx > 1M\"\n]\n".utf8))
    session.press("q", shows: "high / low")
    #expect(session.text.contains("\u{7}"))
    // A screen about a pair closes together with the config that it uses.
    session.press("b", shows: "within 0.1")
    try write(text + Array("\n".utf8), to: config, shows: "high / low")
    // By key as well: the file is written.
    session.terminal.write("f")
    #expect(session.play { (try? FileSystem.read(favorites)) == Array("[]\n".utf8) })
    session.terminal.write("q")
    #expect(session.ending() == 0)
  }

  @Test func endsWhenConditionHolds() throws {
    let file = "\(home.path)/told"
    let session = try LiveSession(
      try Subprocess.market(),
      words([
        "BTC/KRW", "-e", "upbit,bithumb", "--until", "premium > 0.01%", "--exec", "echo $MARKET_PREMIUM > '\(file)'",
      ]), environment: environment, columns: 80, rows: 24)
    #expect(session.ending() == 0)
    let end = session.text.split(separator: Self.leave).last ?? ""
    #expect(end.contains(" ALERT BTC/KRW premium 0.04 % > 0.01%  Bithumb 134566000 over Upbit 134512000\r\n"))
    #expect(try FileSystem.read(file) == Array("0.04\n".utf8))
    let other = try LiveSession(
      try Subprocess.market(),
      words(["BTC/KRW", "-e", "upbit,bithumb", "--until", "premium > 50%", "--timeout", "1"]), environment: environment,
      columns: 80, rows: 24)
    #expect(other.ending() == 1)
  }

  /// After being suspended and continued by its shell, the screen returns and restores everything.
  @Test(.enabled(if: Tmux.path != nil, "tmux is not installed")) func suspendsAndResumes() throws {
    let tmux = try Tmux()
    let before = try tmux.settings()
    let program = try Subprocess.market()
    let words = words(["BTC/KRW", "-e", "upbit,bithumb"]).joined(separator: " ")
    tmux.type("clear; echo mark-of-the-shell; XDG_CONFIG_HOME=\(home.path) TZ=KST-9 \(program) \(words)", "Enter")
    #expect(tmux.shows("134512000") && tmux.shows("134566000"))
    #expect(tmux.shows("mark-of-the-shell", isWanted: false))
    tmux.type("C-z")
    #expect(tmux.shows("Stopped"))
    #expect(try tmux.settings() == before)
    tmux.type("fg", "Enter")
    #expect(tmux.shows("Watchlist 1"))
    tmux.resize(columns: 100, rows: 30)
    // A link is plain text here.
    tmux.type("Enter")
    tmux.type("u")
    #expect(tmux.shows("\nhttps://www.bithumb.com/react/trade/order/BTC-KRW\n"))
    tmux.type("q")
    tmux.type("v")
    #expect(tmux.shows("Feeds of 2 exchanges"))
    tmux.type("q")
    #expect(tmux.shows("Watchlist 1"))
    tmux.resize(columns: 80, rows: 24)
    tmux.type("q")
    #expect(tmux.shows("Watchlist 1", isWanted: false))
    #expect(try tmux.settings() == before)
    #expect(tmux.cursorIsShown)
  }
}

extension LiveSession {
  fileprivate func press(_ keys: String, shows text: String) {
    let start = written.count
    terminal.write(keys)
    #expect(play(untilWritten: text, since: start), "\(keys): \(self.text(since: start).debugDescription)")
  }
}
