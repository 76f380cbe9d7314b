import Config
import HTTP
import Mapping
import Quotes
import Testing

@testable import MarketData

/// Connections to one host from several screens of a session: each has a hub of its own, and three pairs to subscribe.
@Suite struct SharedLimitTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// Of each hub's connection, in the order in which they are opened.
    let limits: [String]
    /// When each hub sent messages, in seconds.
    let sent: String
  }

  static let cases = [
    Case(
      testDescription: "a limit each",
      limits: [#"{"requests": 1, "per": "1s"}"#, #"{"requests": 1, "per": "1s"}"#],
      sent: "0 #0, 0 #1, 1.2 #0, 1.2 #1, 2.4 #0, 2.4 #1"),
    Case(
      testDescription: "one limit",
      limits: [#"{"requests": 1, "per": "1s", "shared": true}"#, #"{"requests": 1, "per": "1s", "shared": true}"#],
      sent: "0 #0, 1.2 #0, 2.4 #1, 3.6 #0, 4.8 #1, 6 #1"),
    Case(
      testDescription: "a larger one beside it",
      limits: [#"{"requests": 1, "per": "2s", "shared": true}"#, #"{"requests": 3, "per": "1s", "shared": true}"#],
      sent: "0 #0, 2.4 #0, 4.8 #1, 7.2 #0, 9.6 #1, 12 #1"),
    Case(
      testDescription: "a smaller one after it",
      limits: [#"{"requests": 3, "per": "1s", "shared": true}"#, #"{"requests": 1, "per": "2s", "shared": true}"#],
      sent: "0 #0, 0 #0, 0 #0, 2.4 #1, 4.8 #1, 7.2 #1"),
  ]

  @Test(arguments: cases) func messagesAreCountedTogether(_ example: Case) throws {
    let windows = SendWindows()
    let start = StreamScript.start
    var sent: [String] = []
    var hubs = try example.limits.map { limit in
      let subject = try StreamScript.subject(
        .ticker, streams: #""symbol": "$.s", "batch": {"max": 1}, "limit": \#(limit)"#,
        table: "A-USDT 1, B-USDT 1, C-USDT 1", refresh: 1000)
      var hub = StreamHub(windows, chance: { _ in 0.5 }, inflate: { (bytes) throws(UnreadableBytes) in bytes })
      hub.add(subject, at: start)
      return hub
    }
    func note(_ output: StreamHub.Output, of hub: Int, at now: Instant) {
      for case .send in output.commands.map(\.command) { sent.append("\(StreamScript.seconds(now)) #\(hub)") }
    }
    for hub in hubs.indices {
      _ = hubs[hub].tick(at: start)
      note(hubs[hub].take(.signals([.opened], link: 0, generation: 1), at: start), of: hub, at: start)
    }
    while let now = hubs.compactMap(\.deadline).min(), now < start.advanced(by: .seconds(15)) {
      for hub in hubs.indices { note(hubs[hub].tick(at: now), of: hub, at: now) }
    }
    #expect(sent.joined(separator: ", ") == example.sent)
  }

  /// Five connections to a host at once and one more every three seconds, whichever hub opens them; and five again after
  /// the clock was set back.
  @Test func connectionsAreCountedTogether() throws {
    let windows = SendWindows()
    let start = StreamScript.start
    let subject = try StreamScript.subject(
      .ticker, streams: #""symbol": "$.s""#, table: "A-USDT 1", refresh: 1000)
    func hubs(at now: Instant) -> [StreamHub] {
      (0..<2).map { _ in
        var hub = StreamHub(windows, chance: { _ in 0.5 }, inflate: { (bytes) throws(UnreadableBytes) in bytes })
        for _ in 0..<4 { hub.add(subject, at: now) }
        return hub
      }
    }
    func opened(by hubs: inout [StreamHub], from start: Instant) -> String {
      var opened: [String] = []
      while let now = hubs.compactMap(\.deadline).min(), now < start.advanced(by: .seconds(10)) {
        for hub in hubs.indices {
          for case .open in hubs[hub].tick(at: now).commands.map(\.command) {
            opened.append("\(StreamScript.seconds(now)) #\(hub)")
          }
        }
      }
      return opened.joined(separator: ", ")
    }
    var first = hubs(at: start)
    #expect(opened(by: &first, from: start) == "0 #0, 0 #0, 0 #0, 0 #0, 0 #1, 3 #1, 6 #1, 9 #1")
    let before = start.advanced(by: .seconds(-3600))
    var second = hubs(at: before)
    #expect(
      opened(by: &second, from: before)
        == "-3600 #0, -3600 #0, -3600 #0, -3600 #0, -3600 #1, -3597 #1, -3594 #1, -3591 #1")
  }
}
