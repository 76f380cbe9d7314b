import Files
import JSON
import Quotes
import TestSupport
import Testing
import Transport

/// `market stream --replay` of what is polled, with other pairs than those of the run, and of a run that ended first.
@Suite(.timeLimit(.minutes(5)), .waitsForPrograms) struct StreamReplayTests {
  /// An exchange without streams: a table, and the running candle of two pairs.
  private struct Polled {
    let server: LoopbackServer
    let folder: TemporaryFolder
    var tape: String { "\(folder.path)/tape" }

    /// - Parameter answersCandles: false leaves each request for candles waiting, and answers none for tickers before.
    init(answersCandles: Bool = true) throws {
      let candlesAsked = LoopbackServer.Latch()
      server = try LoopbackServer { request in
        guard request.target.hasPrefix("/candles") else {
          let tickers = Answer.ok(#"[{"s":"BTC-USDT","p":"3"},{"s":"ETH-USDT","p":"2"}]"#)
          return answersCandles ? [.bytes(tickers)] : [.wait(candlesAsked), .bytes(tickers)]
        }
        guard answersCandles else {
          candlesAsked.open()
          return [.hold]
        }
        let minute = TransportClock.system.wall().nanoseconds / 60_000_000_000 * 60_000
        return [.bytes(Answer.ok("[[\(minute),1,4,1,\(request.target.contains("BTC") ? 3 : 2),9]]"))]
      }
      folder = try TemporaryFolder()
      try FileSystem.writeAtomically(
        Array(
          #"""
          {"version": 1, "exchanges": {"Venue": {
            "baseUrls": ["http://127.0.0.1:\#(server.port)"], "rows": "$[*]", "symbol": {"path": "$.s", "split": "-"},
            "markets": {"spot": {
              "tickers": {"request": {"path": "/tickers"}, "fields": {"price": "$.p"}},
              "candles": {
                "request": {"path": "/candles", "query": {"s": "{asset}{payment}", "i": "{interval}"}},
                "rows": "$[*]", "intervals": {"1m": "1m"}, "fields": {
                  "time": {"path": "$[0]", "unit": "ms"}, "open": "$[1]", "high": "$[2]", "low": "$[3]", "close": "$[4]",
                  "volume": "$[5]"}}}}}}}
          """#.utf8), to: "\(folder.path)/exchanges.json")
    }

    func stream(_ words: String) throws -> Subprocess {
      try Subprocess(
        market: ["stream"] + words.split(separator: " ").map(String.init)
          + ["-f", "ndjson", "--config", "\(folder.path)/exchanges.json"])
    }
  }

  /// The type, the asset, and the close or the reason of each event.
  private static func events(_ output: String) throws -> [String] {
    try output.split(separator: "\n").map { line in
      let event = try JSONDocument(parsing: Array(line.utf8)).root
      return ["type", "asset", "close", "reason"].compactMap { event[$0]?.string }.joined(separator: " ")
    }
  }

  /// Whatever pairs are replayed, in whatever order, what was recorded for them is played, and the rest is named.
  @Test func otherPairsAreReplayed() throws {
    let exchange = try Polled()
    defer { exchange.server.stop() }
    let live = try exchange.stream("BTC USDT ETH USDT --channel candles -n 2 --record \(exchange.tape)")
    #expect(try Self.events(live.output) == ["candle BTC 3", "candle ETH 2"])
    let cases: [(words: String, events: [String])] = [
      ("BTC USDT ETH USDT", ["candle BTC 3", "candle ETH 2"]),
      ("ETH USDT BTC USDT", ["candle ETH 2", "candle BTC 3"]),
      ("BTC USDT", ["candle BTC 3"]),
      ("ETH USDT", ["candle ETH 2"]),
      ("XRP USDT", ["failed XRP no-answer not-recorded"]),
    ]
    for (words, events) in cases {
      let replay = try exchange.stream("\(words) --channel candles --replay \(exchange.tape)")
      #expect(try Self.events(replay.output) == events, "\(words): \(replay.output)\(replay.errorOutput)")
      #expect(replay.code == (events == ["failed XRP no-answer not-recorded"] ? 1 : 0), "\(words)")
    }
    let again = try exchange.stream("BTC USDT ETH USDT --channel candles -n 2 --replay \(exchange.tape)")
    #expect(again.output == live.output)
  }

  /// What was recorded by hand is played to its end, though the connection waits for answers that came after it.
  @Test func connectionBeforeTheAnswersIsPlayedToItsEnd() throws {
    let folder = try TrialFolder()
    try folder.writeConfig(
      more: #"""
        "streams": {"urls": ["wss://alpha.example/ws"], "rows": "$", "symbol": "$.s",
          "ticker": {"subscribe": {"args": ["{symbol}"]}}},
        """#)
    // The answers are from 05:12:07.421.
    let tape = #"""
      {"at":1794978727300,"open":"wss://alpha.example/ws"}
      {"at":1794978727310,"sent":"{\"args\":[\"BTC-USDT\"]}"}
      {"at":1794978727350,"got":"{\"s\":\"BTC-USDT\",\"last\":\"65001\"}"}
      {"at":1794978727400,"got":"{\"s\":\"BTC-USDT\",\"last\":\"65002\"}"}

      """#
    try FileSystem.createFolder("\(folder.recordings)/streams")
    try FileSystem.writeAtomically(
      Array(tape.utf8), to: "\(folder.recordings)/streams/01-spot-ticker-BTC-USDT.ndjson")
    let replay = try Subprocess(
      market: [
        "stream", "BTC", "USDT", "-f", "ndjson", "-c", folder.config, "--replay", "\(folder.folder.path)/cassettes",
      ])
    let events = try replay.output.split(separator: "\n").map { line in
      let event = try JSONDocument(parsing: Array(line.utf8)).root
      return ["type", "source", "arrival", "price"].compactMap { event[$0]?.string }.joined(separator: " ")
    }
    #expect(
      events == [
        "ticker rest 2026-11-18T05:12:07.421Z 65000", "connected stream 2026-11-18T05:12:07.421Z",
        "ticker stream 2026-11-18T05:12:07.471Z 65001", "ticker stream 2026-11-18T05:12:07.521Z 65002",
      ], "\(replay.output)\(replay.errorOutput)")
    #expect(replay.code == 0)
  }

  /// An answer that the run did not live to see is not reported as missing.
  @Test func unansweredRequestIsReplayedAsSuch() throws {
    let exchange = try Polled(answersCandles: false)
    defer { exchange.server.stop() }
    let words = "BTC USDT --channel ticker,candles"
    let live = try exchange.stream("\(words) -n 1 --record \(exchange.tape)")
    #expect(try Self.events(live.output) == ["ticker BTC"])
    let replay = try exchange.stream("\(words) --replay \(exchange.tape)")
    let log = try FileSystem.read("\(exchange.tape)/Venue/streams/taken.jsonl")
    #expect(replay.output == live.output, "\(String(decoding: log, as: UTF8.self))")
  }
}
