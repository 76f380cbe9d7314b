import Files
import Quotes
import Synchronization
import TestSupport
import Testing

/// Faults that the program survives on its own: exchanges that stay silent, refuse, lose count, or disconnect together.
@Suite(.timeLimit(.minutes(5)), .waitsForPrograms) struct StreamOutageTests {
  private static func text(_ text: String) -> LoopbackServer.Step { .bytes(WebSocketFrame.text(text).bytes) }
  private static let price = text(SimulatedExchanges.message(1))

  /// Returns the exchange, and the type, source, price, reason and number of levels of each CSV line.
  private static func events(_ output: String) -> [(exchange: String, text: String)] {
    output.split(separator: "\r\n").dropFirst().map { line in
      let fields = line.split(separator: ",", omittingEmptySubsequences: false)
      let words = [fields[0], fields[7], fields[10], fields[28]].filter { !$0.isEmpty }
      return (String(fields[1]), words.joined(separator: " "))
    }
  }

  /// A price that differs each time, since an unchanged one is not reported.
  private final class RisingPrice: Sendable {
    private let last = Mutex(99)

    func next() -> String {
      last.withLock { last in
        last += 1
        return "\(last)"
      }
    }
  }

  /// Polls every half second instead of every second.
  private static func hurry(_ exchanges: SimulatedExchanges) throws {
    try exchanges.replaceInConfig(#""markets":"#, with: #""refresh": "500ms", "markets":"#)
  }

  /// A pair without a message for ten seconds is polled as if there were no stream; an error is reported if nothing has
  /// arrived by then.
  @Test(arguments: [
    ([text(#"{"ok":true,"id":1}"#)], ["ticker rest 101"]),
    (
      [text(#"{"error":"no such pair"}"#), text(#"{"ok":true}"#)],
      ["fallback stream stream-refused", "ticker rest 101"]
    ),
  ])
  func silentSubscriptionIsPolled(_ messages: [LoopbackServer.Step], _ later: [String]) throws {
    let rest = RisingPrice()
    let exchanges = try SimulatedExchanges(1, rest: rest.next(), messages: messages)
    defer { exchanges.stop() }
    let run = try Subprocess(
      market: ["stream", "BTC", "USDT", "-f", "csv", "--for", "12s", "--config", exchanges.config])
    let events = Self.events(run.output).map(\.text)
    #expect(events.prefix(2) == ["ticker rest 100", "connected stream"])
    #expect(Set(events.dropFirst(2)).isSuperset(of: later), "\(events)")
    #expect(!events.contains { $0.hasPrefix("ticker stream") })
    #expect(run.errorOutput == "")
  }

  /// A host that refuses is left alone for a minute; the pair is polled meanwhile.
  @Test(arguments: ["403 Forbidden", "418 I'm a teapot", "429 Too Many Requests", "451 Unavailable For Legal Reasons"])
  func refusingHostIsLeftAlone(_ status: String) throws {
    let rest = RisingPrice()
    let exchanges = try SimulatedExchanges(1, rest: rest.next(), refusing: status)
    defer { exchanges.stop() }
    try Self.hurry(exchanges)
    let run = try Subprocess(
      market: ["stream", "BTC", "USDT", "-f", "csv", "-n", "4", "--for", "20s", "--config", exchanges.config])
    #expect(
      Self.events(run.output).map(\.text) == [
        "ticker rest 100", "fallback stream http-\(status.prefix(3))", "ticker rest 101", "ticker rest 102",
        "ticker rest 103",
      ])
    #expect(exchanges.handshakes == 1)
    let fallback = try #require(run.output.split(separator: "\r\n").first { $0.hasPrefix("fallback") })
    let plain = fallback.replacing(#/"[^"]*"/#, with: "")
    let fields = plain.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    let moments = try [fields[9], fields[30]].map { try #require(Instant.iso8601($0, defaultOffsetSeconds: 0)) }
    #expect(moments[1].nanoseconds - moments[0].nanoseconds >= 60_000_000_000)
  }

  /// A connection attempt is given up after the command line's timeout, as a request is.
  @Test func unansweredHandshakeTimesOut() throws {
    let rest = RisingPrice()
    let exchanges = try SimulatedExchanges(1, rest: rest.next(), refusing: nil, answersHandshakes: false)
    defer { exchanges.stop() }
    try Self.hurry(exchanges)
    let run = try Subprocess(
      market: [
        "stream", "BTC", "USDT", "-f", "csv", "-n", "2", "--timeout", "300ms", "--for", "9s", "--config",
        exchanges.config,
      ])
    #expect(
      Self.events(run.output).map(\.text) == ["ticker rest 100", "fallback stream timeout", "ticker rest 101"])
  }

  /// A token is valid for one connection: each requests its own, and a used one is refused.
  @Test func everyConnectionRequestsItsToken() throws {
    let tokens = Mutex(0)
    let exchanges = try SimulatedExchanges(
      1,
      messages: [
        Self.price, .bytes(WebSocketFrame(opcode: 8, [0x0F, 0xA1] + Array("token expired".utf8)).bytes), .close,
      ],
      later: [Self.price, Self.price],
      token: { isNew in
        tokens.withLock { count in
          if isNew { count += 1 }
          return "t\(count)"
        }
      })
    defer { exchanges.stop() }
    let run = try Subprocess(
      market: ["stream", "BTC", "USDT", "-f", "csv", "-n", "5", "--for", "20s", "--config", exchanges.config])
    #expect(
      Self.events(run.output).map(\.text) == [
        "ticker rest 100", "connected stream", "ticker stream 100.01", "fallback stream stream-closed 4001",
        "ticker rest 100", "connected stream", "ticker stream 100.01", "ticker stream 100.01",
      ])
    #expect(tokens.withLock { $0 } == 2)
  }

  /// Duplicates and old changes are dropped; after a gap the book starts over on another connection.
  @Test func bookRestartsAfterGap() throws {
    func book(_ type: String, _ number: Int, _ levels: String) -> LoopbackServer.Step {
      Self.text(#"{"s":"BTC-USDT","t":"\#(type)","n":\#(number),\#(levels)}"#)
    }
    let whole = book("whole", 7, #""b":[["99","1"],["98","2"]],"a":[["101","1"],["102","2"]]"#)
    let exchanges = try SimulatedExchanges(
      1,
      messages: [
        whole, book("change", 8, #""b":[["99","0"]],"a":[]"#), book("change", 8, #""b":[["50","9"]],"a":[]"#),
        book("change", 6, #""b":[["51","9"]],"a":[]"#), book("change", 10, #""b":[["97","3"]],"a":[]"#),
      ],
      later: [whole])
    defer { exchanges.stop() }
    try exchanges.replaceInConfig(
      #""ticker": {"subscribe""#,
      with: #"""
        "orderbook": {"subscribe": ["{symbol}"], "when": [{"path": "$.n", "is": "present"}],
          "whole": [{"path": "$.t", "equals": "whole"}], "sequence": "$.n", "previous": {"difference": ["$.n", 1]},
          "bids": "$.b[*]", "asks": "$.a[*]", "price": "$[0]", "size": "$[1]"},
        "ticker": {"subscribe"
        """#)
    let run = try Subprocess(
      market: [
        "stream", "BTC", "USDT", "--channel", "orderbook", "-f", "ndjson", "-n", "3", "--for", "20s", "--config",
        exchanges.config,
      ])
    let told = run.output.split(separator: "\n").compactMap { line -> String? in
      if let bids = line.firstRange(of: #""bids":[["#), line.contains(#""source":"stream""#) {
        return "bids " + line[bids.upperBound...].prefix { $0 != "]" }
      }
      if line.contains(#""type":"gap""#) { return "gap" }
      return line.contains("stream-gap") ? "fallback" : nil
    }
    #expect(told == [#"bids "99","1""#, #"bids "98","2""#, "gap", "fallback", #"bids "99","1""#], "\(run.output)")
  }

  /// All connections are cut at once, and all recover on their own.
  @Test func thirtySixExchangesRecoverTogether() throws {
    let exchanges = try SimulatedExchanges(36, messages: [Self.price, .close], later: [Self.price, Self.price])
    defer { exchanges.stop() }
    let run = try Subprocess(
      market: [
        "stream", "BTC", "USDT", "-f", "csv", "-n", "\(36 * 5)", "--for", "30s", "--config", exchanges.config,
      ])
    #expect(run.errorOutput == "")
    let events = Dictionary(grouping: Self.events(run.output), by: \.exchange)
    #expect(events.count == 36)
    for (exchange, own) in events {
      #expect(
        own.map(\.text) == [
          "ticker rest 100", "connected stream", "ticker stream 100.01", "fallback stream stream-closed 1006",
          "ticker rest 100", "connected stream", "ticker stream 100.01", "ticker stream 100.01",
        ], "\(exchange)")
    }
  }
}
