import Files
import Synchronization
import TestSupport

/// Exchanges on this machine with one pair each, by REST and by stream, and a folder with their config.
///
/// A stream is silent until subscribed to, and then sends all its prices at once: 100.01, 100.02 …
struct SimulatedExchanges {
  let folder: TemporaryFolder
  private let servers: [LoopbackServer]

  /// - Parameters:
  ///   - messages: what follows the subscription; nil for prices.
  ///   - later: the same on all connections but an exchange's first; nil to repeat the first's.
  ///   - rest: the price that each exchange reports by REST.
  ///   - pong: the reply to a ping; nil for none.
  ///   - refusing: the status of every handshake response; nil to accept it.
  ///   - answersHandshakes: false leaves each waiting.
  ///   - token: the token that a connection must send, a new one per request; nil for none.
  ///   - settings: further members of `streams`, each with its comma.
  init(
    _ count: Int, prices: Int = 10, rest: @escaping @Sendable @autoclosure () -> String = "100",
    messages: [LoopbackServer.Step]? = nil,
    later: [LoopbackServer.Step]? = nil, pong: (@Sendable () -> [LoopbackServer.Step])? = nil,
    refusing status: String? = nil, answersHandshakes: Bool = true, token: (@Sendable (_ isNew: Bool) -> String)? = nil,
    settings: String = ""
  ) throws {
    let first =
      messages ?? (1...max(1, prices)).map { .bytes(WebSocketFrame.text(Self.message($0)).bytes) }
    servers = try (0..<count).map { _ in
      let isFirst = FirstConnection()
      return try LoopbackServer { request in
        if request.target == "/token", let token {
          return [.bytes(Answer.ok(#"{"token":"\#(token(true))"}"#))]
        }
        if request.target.hasPrefix("/ws"), !answersHandshakes { return [.hold] }
        if request.target.hasPrefix("/ws"), let status { return [.bytes(Answer.ok("no", status: status)), .close] }
        if request.target.hasPrefix("/ws"), let token, request.target != "/ws?token=\(token(false))" {
          return [.bytes(Answer.ok("no", status: "401 Unauthorized")), .close]
        }
        guard request.target.hasPrefix("/ws") else {
          return [.bytes(Answer.ok(#"[{"s":"BTC-USDT","p":"\#(rest())"}]"#))]
        }
        let steps = isFirst.take() ? first : later ?? first
        let conversation: LoopbackServer.Conversation = { bytes in
          guard let frame = WebSocketFrame(parsing: &bytes) else { return nil }
          if frame.opcode == 9, let pong { return pong() }
          return frame.opcode == 1 ? steps : WebSocketServer.goodbye(frame)
        }
        return [.bytes(WebSocketServer.acceptance(of: request)), .converse(conversation)]
      }
    }
    folder = try TemporaryFolder()
    let address = token == nil ? "/ws" : "/ws?token={token}"
    let asked = token == nil ? "" : #""request": {"path": "/token"}, "set": {"token": "$.token"}, "#
    let blocks = servers.enumerated().map { number, server in
      """
      "Venue\(number + 1)": {
        "baseUrls": ["http://127.0.0.1:\(server.port)"], "rows": "$[*]", "symbol": {"path": "$.s", "split": "-"},
        "streams": {\(settings)\(asked)"urls": ["ws://127.0.0.1:\(server.port)\(address)"], "rows": "$", "symbol": "$.s",
          "success": {"where": [{"path": "$.error", "is": "absent"}], "message": ["$.error"]},
          "ticker": {"subscribe": {"op": "sub", "pairs": ["{symbol}"]}, "when": [{"path": "$.p", "is": "present"}]}},
        "markets": {"spot": {"tickers": {"request": {"path": "/tickers"}, "fields": {"price": "$.p"}}}}}
      """
    }
    try FileSystem.writeAtomically(
      Array(#"{"version": 1, "exchanges": {\#(blocks.joined(separator: ",\n"))}}"#.utf8), to: config)
  }

  var config: String { "\(folder.path)/exchanges.json" }

  func replaceInConfig(_ text: String, with other: String) throws {
    let old = String(decoding: try FileSystem.read(config), as: UTF8.self)
    try FileSystem.writeAtomically(Array(old.replacing(text, with: other).utf8), to: config)
  }

  /// The number of requests for a stream.
  var handshakes: Int { servers.reduce(0) { $0 + $1.received.count { $0.target.hasPrefix("/ws") } } }

  func stop() { for server in servers { server.stop() } }

  static func message(_ number: Int) -> String {
    #"{"s":"BTC-USDT","p":"100.\#(number < 10 ? "0" : "")\#(number)"}"#
  }
}

/// Tells whether a connection is the first of its exchange.
private final class FirstConnection: Sendable {
  private let isTaken = Mutex(false)

  func take() -> Bool {
    isTaken.withLock { isTaken in
      defer { isTaken = true }
      return !isTaken
    }
  }
}
