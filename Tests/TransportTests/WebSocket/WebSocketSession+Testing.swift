import HTTP
import TestSupport

@testable import Transport

extension OpeningHandshake {
  /// Returns a handshake with a key of sixteen zeros.
  static func forTesting() throws -> OpeningHandshake {
    try OpeningHandshake(
      to: StreamAddress("ws://127.0.0.1/"), headers: [], userAgent: "market/test", key: [UInt8](repeating: 0, count: 16)
    )
  }

  /// An accepting server's response, based on the key in the request.
  var acceptance: [UInt8] {
    var request = request
    guard let received = LoopbackServer.Received(parsing: &request, connection: 0) else { return [] }
    return WebSocketServer.acceptance(of: received)
  }
}

extension WebSocketSession {
  /// Returns an open session with no signals and nothing to send.
  static func opened(at now: Int64 = 0, limits: Limits = Limits()) throws -> WebSocketSession {
    let handshake = try OpeningHandshake.forTesting()
    var session = WebSocketSession(handshake, with: "exchange.test:443", at: now, limits: limits)
    session.take(handshake.acceptance, at: now)
    _ = session.takeSignals()
    session.output.flush { $0.count }
    return session
  }

  mutating func take(_ bytes: [UInt8], at now: Int64) { bytes.withUnsafeBytes { take($0, at: now) } }

  /// Returns the frames to be sent.
  mutating func sent() -> [WebSocketFrame] {
    var bytes: [UInt8] = []
    output.flush { piece in
      bytes += piece
      return piece.count
    }
    var frames: [WebSocketFrame] = []
    while var frame = WebSocketFrame(parsing: &bytes) {
      frame.mask = nil
      frames.append(frame)
    }
    return frames
  }
}
