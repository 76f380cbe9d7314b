import Config
import Files
import Formats
import HTTP
import Mapping
import MarketData
import Quotes
import Synchronization
import TestSupport
import Testing
import Views

@testable import Shell

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// `market stream` when time passes without it: it was stopped, the computer slept, the clock was set.
@Suite(.timeLimit(.minutes(5)), .waitsForPrograms) struct StreamInterruptionTests {
  private static func price(_ text: String) -> [UInt8] {
    WebSocketFrame.text(#"{"s":"BTC-USDT","p":"\#(text)"}"#).bytes
  }

  /// Returns the type, source, price and reason of a CSV line.
  private static func event(_ line: String) -> String {
    let fields = line.split(separator: ",", omittingEmptySubsequences: false)
    return [fields[0], fields[7], fields[10], fields[28]].filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// The exchange sends its price slowly, byte by byte, so that one is in flight when the program is stopped and old
  /// when it continues.
  @Test(arguments: [SIGSTOP, SIGTSTP]) func stoppedProgramContinues(_ signal: Int32) async throws {
    let price = Mutex("100")
    let exchanges = try SimulatedExchanges(
      1, rest: price.withLock { $0 }, messages: [],
      pong: {
        [.bytes(WebSocketFrame(opcode: 10, []).bytes), .drip(Self.price("\(price.withLock { $0 }).01"))]
      }, settings: #""deadAfter": "1500ms", "ping": {"every": "100ms"}, "#)
    defer { exchanges.stop() }
    let others = try SimulatedExchanges(1)
    defer { others.stop() }
    let words = ["stream", "BTC", "USDT", "-f", "csv"]
    let program = try BackgroundProgram(
      try Subprocess.market(), words + ["--config", exchanges.config], isJob: true)
    defer { program.stop() }
    var lines = program.lines.makeAsyncIterator()
    var events: [String] = []
    while events.last != "ticker stream 100.01", let line = await lines.next() { events.append(Self.event(line)) }
    #expect(program.suspend(by: signal))
    price.withLock { $0 = "200" }
    // A second one runs for longer than the silence limit.
    let timer = try Subprocess(market: words + ["--for", "2s", "--config", others.config])
    #expect(timer.code == 0)
    program.resume()
    while events.last != "ticker stream 200.01", let line = await lines.next() { events.append(Self.event(line)) }
    let change = try #require(events.firstIndex { $0.contains("200") })
    #expect(events[change...] == ["ticker rest 200", "connected stream", "ticker stream 200.01"])
    #expect(events[..<change].last == "fallback stream stream-silent")
  }

  /// A clock that a test sets.
  private final class Clock: Sendable {
    private let ahead = Mutex(Duration.zero)

    var now: Instant {
      var time = timespec()
      clock_gettime(CLOCK_REALTIME, &time)
      let now = Instant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
      return now.advanced(by: ahead.withLock { $0 })
    }

    func jump(by duration: Duration) { ahead.withLock { $0 += duration } }
  }

  /// After the first price the clock jumps ahead, as while the computer sleeps, after the second an hour back. Twenty
  /// seconds are no silence of an exchange yet, but what arrived meanwhile is not new.
  @Test(arguments: [7200, 20]) func clockJumpsAreNoticed(_ seconds: Int) async throws {
    let exchanges = try SimulatedExchanges(1, messages: [.bytes(Self.price("100.01"))])
    defer { exchanges.stop() }
    let clock = Clock()
    let locator = ConfigLocator(TestWorld([]).context)
    let config = try LoadedConfig(locator.find(named: exchanges.config), locator)
    var options = MarketSession.Options(userAgent: "test")
    options.timeoutMilliseconds = 60_000
    let session = try MarketSession(
      config, options, credentials: Credentials(nil) { _ in nil }, hooks: HookRegistry(), now: { clock.now })
    defer { session.close() }
    let markets = session.configuration.exchanges.compactMap { session.configuration.read($0).exchange }
      .flatMap { exchange in exchange.markets.map { (exchange: exchange, market: $0) } }
    let question = StreamQuery([Pair(asset: "BTC", payment: "USDT")], [.ticker], session.interpretation())
    let seen = Mutex<[String]>([])
    await StreamRun(session, markets, question).follow { events in
      for event in events {
        let text = Self.event(StreamTable.lines(event))
        let prices = seen.withLock { seen in
          seen.append(text)
          return text == "ticker stream 100.01" ? seen.count { $0 == text } : 0
        }
        switch prices {
        case 1: clock.jump(by: .seconds(seconds))
        case 2: clock.jump(by: .seconds(-3600))
        case 3: return false
        default: break
        }
      }
      return true
    }
    let events = seen.withLock { $0 }
    // Whether the table responds before the connection is established is a matter of chance.
    let (price, silence) = ("ticker stream 100.01", "fallback stream stream-silent")
    #expect(events.filter { $0 == price || $0 == silence } == [price, silence, price, silence, price])
    #expect(Set(events) == ["ticker rest 100", "connected stream", price, silence])
    #expect(events.first == "ticker rest 100" && events.count { $0 == "connected stream" } == 3)
  }

  /// A recording is replayed with the jumps of the clock in it, a sleep or a clock that was set back. Without the note of
  /// one, what came after it is not played, which is reported.
  @Test(arguments: [[20], [-3], [-30], [-3600], [20, -3, -60, 30]])
  func clockJumpsAreReplayed(_ jumps: [Int]) async throws {
    let exchanges = try SimulatedExchanges(2, messages: [.bytes(Self.price("100.01"))])
    defer { exchanges.stop() }
    let folder = try TemporaryFolder()
    let clock = Clock()
    let locator = ConfigLocator(TestWorld([]).context)
    let config = try LoadedConfig(locator.find(named: exchanges.config), locator)
    func session(_ set: (inout MarketSession.Options) -> Void) throws -> MarketSession {
      var options = MarketSession.Options(userAgent: "test")
      set(&options)
      return try MarketSession(
        config, options, credentials: Credentials(nil) { _ in nil }, hooks: HookRegistry(), now: { clock.now })
    }
    func markets(_ session: MarketSession) -> [AskedMarket] {
      session.configuration.exchanges.compactMap { session.configuration.read($0).exchange }
        .flatMap { exchange in exchange.markets.map { (exchange: exchange, market: $0) } }
    }
    func query(_ session: MarketSession) -> StreamQuery {
      StreamQuery([Pair(asset: "BTC", payment: "USDT")], [.ticker], session.interpretation())
    }
    let live = try session { $0.record = folder.path }
    defer { live.close() }
    let told = Mutex<[String]>([])
    let made = Mutex(0)
    await StreamRun(live, markets(live), query(live)).follow { events in
      let prices = told.withLock { told in
        told += events.map { StreamTable.lines($0) }
        return told.count { Self.event($0) == "ticker stream 100.01" }
      }
      // Each connection sends one price, and each jump ends both.
      let jump = made.withLock { made -> Int? in
        guard made < jumps.count, prices == 2 * (made + 1) else { return nil }
        defer { made += 1 }
        return jumps[made]
      }
      if let jump { clock.jump(by: .seconds(jump)) }
      return prices < 2 * (jumps.count + 1)
    }
    #expect(live.recordingProblem == nil)
    let lines = told.withLock { $0 }
    #expect(lines.count { Self.event($0) == "fallback stream stream-silent" } == 2 * jumps.count)

    func played() async throws -> (lines: [String], unplayed: [String]) {
      let again = try session { $0.replay = folder.path }
      defer { again.close() }
      let replayed = Mutex<[String]>([])
      var replay = try StreamReplay(again, markets(again), query(again), from: folder.path)
      await replay.play { _, events in
        replayed.withLock { $0 += events.map { StreamTable.lines($0) } }
        return true
      }
      return (replayed.withLock { $0 }, replay.unplayed.map(\.exchange))
    }
    let whole = try await played()
    #expect(Array(whole.lines.prefix(lines.count)) == lines)
    #expect(whole.unplayed == [])

    for exchange in ["Venue1", "Venue2"] {
      let streams = "\(folder.path)/\(exchange)/streams"
      for name in try FileSystem.names(in: streams) {
        let text = String(decoding: try FileSystem.read("\(streams)/\(name)"), as: UTF8.self)
        let noted = text.split(separator: "\n").filter { !$0.contains("setBack") && !$0.contains("suspended") }
        let bare = noted.map { $0.replacing(#/,"behind":[\d.]+/#, with: "") + "\n" }.joined()
        try FileSystem.writeAtomically(Array(bare.utf8), to: "\(streams)/\(name)")
      }
    }
    // A slow reconnection makes up for a step of seconds.
    if jumps != [-3] { #expect(try await played().unplayed == ["Venue1", "Venue2"]) }
  }
}
