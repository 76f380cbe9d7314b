import HTTP
import Quotes
import Synchronization
import Transport

/// A WebSocket server on 127.0.0.1 that does exactly what a test's script says, mistakes included.
///
///     let server = try WebSocketServer(greeting: [.bytes(WebSocketFrame.text("hello").bytes)])
package final class WebSocketServer: Sendable {
  /// Returns the response to a client's frame.
  package typealias Answer = @Sendable (WebSocketFrame) -> [LoopbackServer.Step]

  package let http: LoopbackServer
  private let arrivals: AsyncStream<WebSocketFrame>

  /// - Parameters:
  ///   - greeting: the steps right after the response to the handshake.
  ///   - answer: the steps for each frame received after that.
  package init(greeting: [LoopbackServer.Step] = [], answer: @escaping Answer = goodbye) throws {
    let (arrivals, input) = AsyncStream<WebSocketFrame>.makeStream()
    self.arrivals = arrivals
    let conversation: LoopbackServer.Conversation = { bytes in
      guard let frame = WebSocketFrame(parsing: &bytes) else { return nil }
      input.yield(frame)
      return answer(frame)
    }
    http = try LoopbackServer { request in
      [.bytes(Self.acceptance(of: request)), .converse(conversation)] + greeting
    }
  }

  package func stop() { http.stop() }

  package func url(_ target: String = "/") -> String { "ws://127.0.0.1:\(http.port)\(target)" }

  /// Returns a client's next frame that has not been awaited, on any connection.
  package func nextFrame() async -> WebSocketFrame? {
    var iterator = arrivals.makeAsyncIterator()
    return await iterator.next()
  }

  /// Echoes a close frame, and ends the connection as a server should.
  package static let goodbye: Answer = { frame in
    frame.opcode == 8 ? [.bytes(WebSocketFrame(opcode: 8, frame.payload).bytes), .close] : []
  }

  /// Returns the head of a response that accepts the handshake, with additional headers.
  package static func acceptance(of request: LoopbackServer.Received, headers: [String] = []) -> [UInt8] {
    let key = request.headers.first(named: "Sec-WebSocket-Key") ?? ""
    let accept = Base64.encode(SHA1.hash(Array("\(key)258EAFA5-E914-47DA-95CA-C5AB0DC85B11".utf8)))
    return TestSupport.Answer.head(
      status: "101 Switching Protocols",
      headers: ["Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Accept: \(accept)"] + headers)
  }
}
