import Files
import Quotes
import Synchronization
import TestSupport
import Testing
import Transport

/// `market stream` as users see it: on the shipped recordings, and against exchanges on this machine.
@Suite(.timeLimit(.minutes(5)), .waitsForPrograms) struct StreamCommandTests {
  struct Case: Sendable, CustomTestStringConvertible {
    /// The name of the golden file.
    let testDescription: String
    let words: [String]
    var code: Int32 = 0
  }

  @Test(arguments: [
    Case(testDescription: "stream-ticker.txt", words: ["BTC", "KRW"]),
    Case(testDescription: "stream-ticker.ndjson", words: ["BTC/KRW", "-e", "upbit,coinone", "-f", "ndjson"]),
    Case(
      testDescription: "stream-all.csv",
      words: [
        "BTC", "USDT", "-e", "binance,okx", "--channel", "ticker,trades,orderbook,candles", "-f", "csv", "-n", "60",
      ]
    ),
    Case(
      testDescription: "stream-orderbook.txt",
      words: ["BTC/USDT", "-e", "bybit,kraken", "--channel", "orderbook,trades", "--for", "3s", "--zone", "kst"]),
    Case(
      testDescription: "stream-candles.ndjson",
      words: [
        "BTC/USDT", "-e", "bitget,luno", "--channel", "candles", "-f", "ndjson", "-m", "spot",
      ]),
    Case(
      testDescription: "stream-explain.txt",
      words: ["BTC", "KRW", "-e", "upbit", "--channel", "trades,ticker", "-n", "14", "--explain"]),
    Case(
      testDescription: "stream-explain.ndjson",
      words: ["BTC/USDT", "-e", "bybit", "-m", "futures", "-n", "3", "--explain", "-f", "ndjson"]),
    Case(
      testDescription: "stream-explain-changes.txt",
      words: [
        "BTC", "USDT", "-e", "bybit", "-m", "futures", "--channel", "orderbook,candles", "-n", "6", "--explain",
      ]),
    Case(
      testDescription: "stream-explain-table.txt", words: ["BTC", "KRW", "-e", "upbit", "--explain", "-f", "csv"],
      code: 2),
    Case(testDescription: "stream-unlisted.txt", words: ["NOPE", "USDT", "-e", "binance", "-m", "spot"], code: 1),
    Case(testDescription: "stream-no-pair.txt", words: ["BTC"], code: 2),
    Case(testDescription: "stream-bad-channel.txt", words: ["BTC", "USDT", "--channel", "ticker,news"], code: 2),
    Case(testDescription: "stream-bad-span.txt", words: ["BTC", "USDT", "--for", "soon"], code: 2),
  ])
  func recordings(_ sample: Case) throws {
    let run = try Subprocess(
      market: ["stream"] + sample.words
        + ["--replay", Checkout.path("Tests/Cassettes"), "--config", Checkout.path("exchanges.json")])
    #expect(run.code == sample.code)
    let text = run.output + (run.errorOutput.isEmpty ? "" : "--- stderr\n" + run.errorOutput)
    Golden.expect(text, matches: sample.testDescription)
  }

  @Test func replayIsReproducible() throws {
    let words = [
      "stream", "BTC", "USDT", "-f", "ndjson", "--channel", "ticker,trades", "--replay",
      Checkout.path("Tests/Cassettes"),
      "--config", Checkout.path("exchanges.json"),
    ]
    let first = try Subprocess(market: words)
    #expect(first.code == 0)
    #expect(first.output.split(separator: "\n").count > 500)
    #expect(try Subprocess(market: words).output == first.output)
  }

  /// Values are read a second time for explanations, and only then.
  @Test func explainDoesNotChangeEvents() throws {
    let words = [
      "stream", "BTC", "USDT", "BTC", "KRW", "BTC", "USD", "-f", "ndjson", "--channel",
      "ticker,trades,orderbook,candles", "--replay", Checkout.path("Tests/Cassettes"), "--config",
      Checkout.path("exchanges.json"),
    ]
    let plain = try Subprocess(market: words).output.split(separator: "\n")
    let explained = try Subprocess(market: words + ["--explain"]).output.split(separator: "\n")
    let marker = #","explain":{"connection""#
    #expect(plain.count > 1000)
    let bare = explained.map { line in
      line.firstRange(of: marker).map { String(line[..<$0.lowerBound]) + "}" } ?? String(line)
    }
    #expect(bare == plain.map { String($0) })
    // If a message contains several trades, the newest carries the explanation for all.
    let streamed = explained.filter { $0.contains(#""source":"stream""#) && $0.contains(#""arrival":"#) }
    let data = streamed.filter { line in
      ["ticker", "offer", "orderbook", "candle"].contains { line.contains(#"{"type":"\#($0)","#) }
    }
    #expect(data.count > 400)
    #expect(data.filter { !$0.contains(marker) } == [])
  }

  /// Returns JSON lines without the event number, which varies between runs.
  private static func lines(_ output: String, of exchange: String) -> [String] {
    output.split(separator: "\n").filter { $0.contains(#""exchange":"\#(exchange)""#) }.map { line in
      line.split(separator: ",").filter { !$0.hasPrefix(#""seq":"#) }.joined(separator: ",")
    }
  }

  @Test func thirtySixExchangesAreRecordedAndReplayed() throws {
    let exchanges = try SimulatedExchanges(36)
    defer { exchanges.stop() }
    let tape = "\(exchanges.folder.path)/tape"
    // The price of the table, and those of the stream.
    let live = try Subprocess(
      market: [
        "stream", "BTC", "USDT", "-f", "ndjson", "-n", "\(36 * 11)", "--config", exchanges.config, "--record", tape,
      ])
    #expect(live.code == 0)
    #expect(live.errorOutput == "")
    let words = ["stream", "BTC", "USDT", "-f", "ndjson", "--config", exchanges.config, "--replay", tape]
    let played = try Subprocess(market: words)
    #expect(try Subprocess(market: words).output == played.output)
    #expect(played.output == live.output)
    for number in 1...36 {
      let own = Self.lines(live.output, of: "Venue\(number)")
      #expect(own.count == 12)
      #expect(own.filter { $0.contains(#""source":"stream""#) }.count == 11)
      #expect(Self.lines(played.output, of: "Venue\(number)") == own)
    }
  }

  /// Two pairs without a stream, whose common request has a different response each time.
  @Test func pairsSharingARequestAreReplayed() throws {
    let price = Mutex(100)
    let server = try LoopbackServer { _ in
      let next = price.withLock { price in
        price += 1
        return price
      }
      return [.bytes(Answer.ok(#"[{"s":"BTC-USDT","p":"\#(next)"},{"s":"ETH-USDT","p":"\#(next + 1000)"}]"#))]
    }
    defer { server.stop() }
    let folder = try TemporaryFolder()
    let (config, tape) = ("\(folder.path)/exchanges.json", "\(folder.path)/tape")
    try FileSystem.writeAtomically(
      Array(
        #"""
        {"version": 1, "exchanges": {"Venue": {
          "baseUrls": ["http://127.0.0.1:\#(server.port)"], "refresh": "100ms",
          "rows": "$[*]", "symbol": {"path": "$.s", "split": "-"},
          "markets": {"spot": {"tickers": {"request": {"path": "/tickers"}, "fields": {"price": "$.p"}}}}}}}
        """#.utf8), to: config)
    let words = ["stream", "BTC", "USDT", "ETH", "USDT", "-f", "csv", "--config", config]
    let live = try Subprocess(market: words + ["-n", "4", "--record", tape])
    let prices = live.output.split(separator: "\r\n").dropFirst().map { line in
      line.split(separator: ",", omittingEmptySubsequences: false)[10]
    }
    #expect(prices == ["101", "1101", "102", "1102"])
    #expect(try Subprocess(market: words + ["--replay", tape]).output == live.output)
  }

  /// An exchange whose first table fails starts with a later one, in a replay as in the run.
  @Test func lateTableIsReplayed() throws {
    let count = Mutex(0)
    let server = try LoopbackServer { _ in
      let isFirst = count.withLock { count in
        count += 1
        return count == 1
      }
      return [.bytes(isFirst ? Answer.ok("no", status: "403 Forbidden") : Answer.ok(#"[{"s":"BTC-USDT","p":"101"}]"#))]
    }
    defer { server.stop() }
    let exchanges = try SimulatedExchanges(2, prices: 3)
    defer { exchanges.stop() }
    try exchanges.replaceInConfig(
      #""Venue1": {"#,
      with: #"""
        "Late": {
          "baseUrls": ["http://127.0.0.1:\#(server.port)"], "rows": "$[*]", "symbol": {"path": "$.s", "split": "-"},
          "streams": {"urls": ["ws://127.0.0.1:\#(server.port)/ws"], "rows": "$", "symbol": "$.s",
            "ticker": {"subscribe": ["{symbol}"]}},
          "markets": {"spot": {"tickers": {"request": {"path": "/tickers"}, "fields": {"price": "$.p"}}}}},
        "Venue1": {
        """#)
    let tape = "\(exchanges.folder.path)/tape"
    let words = ["stream", "BTC", "USDT", "-f", "ndjson", "--config", exchanges.config]
    let live = try Subprocess(market: words + ["-n", "9", "--record", tape])
    let late = live.output.split(separator: "\n").filter { $0.contains(#""exchange":"Late""#) }
    #expect(late.first?.contains(#""reason":"http-403""#) == true, "\(live.output)")
    #expect(late.count > 1 && late[1].contains(#""price":"101""#), "\(live.output)")
    let replayed = try Subprocess(market: words + ["-n", "9", "--replay", tape])
    #expect(replayed.output == live.output, "\(live.output)\n\(replayed.output)\(replayed.errorOutput)")

    // A busy run takes the first answer late, and ends before a second after that.
    let log = "\(tape)/Late/streams/taken.jsonl"
    let lines = String(decoding: try FileSystem.read(log), as: UTF8.self).split(separator: "\n").map { line -> String in
      guard line.contains(#""taken":"start spot","number":1,"#), let comma = line.firstIndex(of: ","),
        let moment = Double(line[..<comma].dropFirst(6))
      else { return String(line) }
      return "{\"at\":\(moment + 500)" + line[comma...]
    }
    #expect(lines.contains { $0.contains(#""number":1,"#) })
    try FileSystem.writeAtomically(Array((lines.joined(separator: "\n") + "\n").utf8), to: log)
    let busy = try Subprocess(market: words + ["-n", "9", "--replay", tape])
    #expect(busy.output.contains(#""price":"101""#), "\(busy.output)\(busy.errorOutput)")
  }

  /// The newest candle is that of the moment of the request, whatever else was recorded minutes later.
  @Test func candlesAreReplayedAtTheirMoment() throws {
    let server = try LoopbackServer { _ in
      let minute = TransportClock.system.wall().nanoseconds / 60_000_000_000 * 60_000
      return [.bytes(Answer.ok("[[\(minute),1,4,1,3,9]]"))]
    }
    defer { server.stop() }
    let folder = try TemporaryFolder()
    let (config, tape) = ("\(folder.path)/exchanges.json", "\(folder.path)/tape")
    try FileSystem.writeAtomically(
      Array(
        #"""
        {"version": 1, "exchanges": {"Venue": {
          "baseUrls": ["http://127.0.0.1:\#(server.port)"], "rows": "$[*]", "symbol": {"path": "$.s", "split": "-"},
          "markets": {"spot": {
            "tickers": {"request": {"path": "/tickers"}, "fields": {"price": "$.p"}},
            "candles": {
              "request": {"path": "/candles", "query": {"s": "{asset}{payment}", "i": "{interval}", "from": "{from.ms}", "to": "{to.ms}"}},
              "count": 100, "rows": "$[*]",
              "intervals": {"1m": "1m"}, "fields": {
                "time": {"path": "$[0]", "unit": "ms"}, "open": "$[1]", "high": "$[2]", "low": "$[3]", "close": "$[4]",
                "volume": "$[5]"}}}}}}}
        """#.utf8), to: config)
    let words = ["stream", "BTC", "USDT", "--channel", "candles", "-f", "ndjson", "--config", config]
    let live = try Subprocess(market: words + ["-n", "1", "--record", tape])
    #expect(live.errorOutput == "")
    #expect(live.output.contains(#""close":"3""#))
    let later =
      #"{"method": "GET", "url": "http://x.test/", "failure": "timeout", "arrival": "2100-01-01T00:00:00Z"}"#
    try FileSystem.writeAtomically(Array(later.utf8), to: "\(tape)/Venue/99-later.json")
    #expect(try Subprocess(market: words + ["-n", "1", "--replay", tape]).output == live.output)
  }

  /// A recording folder holds one continuous run: of two, a replay would play one and omit the other. One-time commands
  /// may share it.
  @Test func folderHoldsOneRun() throws {
    let exchanges = try SimulatedExchanges(1)
    defer { exchanges.stop() }
    let tape = "\(exchanges.folder.path)/tape"
    let recording = ["--config", exchanges.config, "--record", tape]
    let all = ["stream", "BTC", "USDT", "-n", "1"] + recording
    try FileSystem.createFolder(tape)
    try FileSystem.writeAtomically([], to: "\(tape)/.gitignore")
    #expect(try Subprocess(market: all).code == 0)
    let files = try FileSystem.names(in: "\(tape)/Venue1").sorted()
    let second = try Subprocess(market: all)
    #expect(second.code == 2)
    #expect(
      second.errorOutput.hasPrefix(
        "error: '--record' needs a new or empty folder here, as a replay plays one run; not empty: \(tape)\n"
      ),
      "\(second.errorOutput)")
    #expect(try FileSystem.names(in: "\(tape)/Venue1").sorted() == files)
    #expect(try Subprocess(market: ["show", "BTC", "USDT"] + recording).code == 0)
  }

  /// Without recordings of an exchange there is no waiting, although trades would be polled repeatedly.
  @Test(arguments: ["trades", "orderbook", "candles", "ticker"])
  func replayOfOthersEnds(_ channel: String) throws {
    let replay = try Subprocess(
      market: [
        "stream", "BTC", "USDT", "-e", "okx", "--market", "spot", "--channel", channel, "--replay",
        Checkout.path("Tests/Cassettes/Upbit"), "--config", Checkout.path("exchanges.json"),
      ])
    #expect(replay.code == 1)
    #expect(replay.output.split(separator: "\n").allSatisfy { $0.contains("not-recorded") }, "\(replay.output)")
  }

  // MARK: Failures

  struct Fault: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let messages: [LoopbackServer.Step]
    /// Whether the last message exceeds the limit when decompressed.
    var endsWithBomb = false
    /// The steps of later connections; nil to repeat the first.
    var later: [LoopbackServer.Step]?
    var settings = ""
    var rest = "100"
    /// The events until then: type, source, price, reason.
    let events: [String]
  }

  private static func text(_ text: String) -> LoopbackServer.Step { .bytes(WebSocketFrame.text(text).bytes) }

  private static let price = text(SimulatedExchanges.message(1))

  /// Returns 17 MiB of zeros in 112 KB: RFC 1952 around RFC 1951 §3.2.6, a repeated run of 258.
  private static func gzipBomb() -> [UInt8] {
    var bytes: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3]
    var (buffer, count): (UInt32, UInt32) = (0, 0)
    func put(_ bits: [UInt32]) {
      for bit in bits {
        buffer |= bit << count
        count += 1
        if count == 8 {
          bytes.append(UInt8(buffer))
          (buffer, count) = (0, 0)
        }
      }
    }
    // The last block, with fixed codes; a zero; then length 258 at distance 1 repeatedly, and the end.
    put([1, 1, 0, 0, 0, 1, 1, 0, 0, 0, 0])
    for _ in 0..<(17 << 20) / 258 { put([1, 1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0]) }
    put([UInt32](repeating: 0, count: 15))
    return bytes + [UInt8](repeating: 0, count: 8)
  }

  @Test(arguments: [
    Fault(
      testDescription: "closed after a price",
      messages: [price, .bytes(WebSocketFrame(opcode: 8, [0x03, 0xE9] + Array("bye".utf8)).bytes), .close],
      events: [
        "ticker rest 100", "connected stream", "ticker stream 100.01", "fallback stream stream-closed 1001",
        "ticker rest 100",
      ]),
    Fault(
      testDescription: "cut after a price", messages: [price, .close],
      events: [
        "ticker rest 100", "connected stream", "ticker stream 100.01", "fallback stream stream-closed 1006",
        "ticker rest 100",
      ]),
    Fault(
      testDescription: "another coin's price", messages: [text(#"{"s":"BTC-USDT","p":"0.5"}"#)],
      events: ["ticker rest 100", "connected stream", "fallback stream stream-differs"]),
    Fault(
      testDescription: "bad UTF-8", messages: [.bytes(WebSocketFrame(opcode: 1, [0xC3, 0x28]).bytes)],
      events: ["ticker rest 100", "connected stream", "fallback stream stream-bad"]),
    Fault(
      testDescription: "masked frame", messages: [.bytes([0x81, 0x81, 0, 0, 0, 0, 0x31])],
      events: ["ticker rest 100", "connected stream", "fallback stream stream-bad"]),
    Fault(
      testDescription: "a gzip bomb, and prices from the next connection on",
      messages: [price], endsWithBomb: true, later: [price],
      events: [
        "ticker rest 100", "connected stream", "ticker stream 100.01", "fallback stream stream-bad", "ticker rest 100",
        "connected stream", "ticker stream 100.01",
      ]),
    Fault(
      testDescription: "a server that says nothing any more, and prices from the next connection on",
      messages: [price], later: [price, price],
      settings: #""deadAfter": "300ms", "ping": {"every": "100ms"}, "#,
      events: [
        "ticker rest 100", "connected stream", "ticker stream 100.01", "fallback stream stream-silent",
        "ticker rest 100", "connected stream", "ticker stream 100.01", "ticker stream 100.01",
      ]),
    Fault(
      testDescription: "no JSON, other pairs and the old price among the messages",
      messages: [text("hello"), text(#"{"s":"XRP-USDT","p":"3"}"#), text("[]"), price, price],
      events: ["ticker rest 100", "connected stream", "ticker stream 100.01", "ticker stream 100.01"]),
  ])
  func faults(_ fault: Fault) throws {
    let bomb = fault.endsWithBomb ? [LoopbackServer.Step.bytes(WebSocketFrame(opcode: 2, Self.gzipBomb()).bytes)] : []
    let exchanges = try SimulatedExchanges(
      1, rest: fault.rest, messages: fault.messages + bomb, later: fault.later, settings: fault.settings)
    defer { exchanges.stop() }
    let count = fault.events.filter { $0.hasPrefix("ticker") }.count
    let isFailure = fault.events.last?.hasPrefix("fallback") ?? false
    let run = try Subprocess(
      market: [
        "stream", "BTC", "USDT", "-f", "csv", "-n", "\(isFailure ? count + 1 : count)", "--for",
        fault.later == nil ? "2s" : "10s", "--config", exchanges.config,
      ])
    let events = run.output.split(separator: "\r\n").dropFirst().map { line in
      let fields = line.split(separator: ",", omittingEmptySubsequences: false)
      return [fields[0], fields[7], fields[10], fields[28]].filter { !$0.isEmpty }.joined(separator: " ")
    }
    let seen = Array(events.prefix(fault.events.count))
    if fault.later == nil {
      #expect(seen == fault.events)
    } else {
      // Whether the polled price or the next connection comes first is not promised.
      let polled = "ticker rest 100"
      #expect(seen.first == polled)
      #expect(seen.filter { $0 != polled } == fault.events.filter { $0 != polled })
    }
    #expect(run.errorOutput == "")
  }
}
