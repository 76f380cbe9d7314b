import HTTP
import TestSupport
import Testing

@testable import Transport

/// One connection without a wire, with a number as the clock.
@Suite struct WebSocketSessionTests {
  private static let second: Int64 = 1_000_000_000

  @Test func opensWithFramesRightAfterHandshake() throws {
    let handshake = try OpeningHandshake.forTesting()
    var session = WebSocketSession(handshake, with: "a.test:443", at: 5)
    #expect(session.deadline == 5 + 10 * Self.second)
    session.take(handshake.acceptance + WebSocketFrame.text("hello").bytes, at: 6)
    #expect(session.takeSignals() == [.opened, .text("hello")])
    #expect(session.takeSignals() == [])
    #expect((session.phase, session.deadline) == (.open, nil))
  }

  @Test func nothingIsSentBeforeItIsOpen() throws {
    let handshake = try OpeningHandshake.forTesting()
    var session = WebSocketSession(handshake, with: "a.test:443", at: 0)
    let length = session.output.count
    session.send([1])
    session.ping()
    #expect(session.output.count == length)
  }

  @Test func answersPings() throws {
    var session = try WebSocketSession.opened()
    session.take(WebSocketFrame.ping("a").bytes + WebSocketFrame.pong().bytes + WebSocketFrame.ping().bytes, at: 0)
    #expect(session.takeSignals() == [.life, .life, .life])
    #expect(session.sent() == [.pong("a"), .pong()])
  }

  @Test func sends() throws {
    var session = try WebSocketSession.opened()
    session.send(Array("é".utf8))
    session.ping()
    session.send([0xFF], as: .binary)
    #expect(session.sent() == [.text("é"), .ping(), .binary([0xFF])])
  }

  // MARK: - The end

  struct End: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// The frames sent by the other side.
    let frames: [WebSocketFrame]
    let signals: [StreamSignal]
    /// The frames sent back.
    let sent: [WebSocketFrame]
  }

  static let ends = [
    End(
      testDescription: "a close is echoed", frames: [.close(1001, "bye")],
      signals: [.closed(.closed(code: 1001, words: "bye"))], sent: [.close(1001)]),
    End(
      testDescription: "a close without a code", frames: [.close()], signals: [.closed(.closed(code: 1005, words: ""))],
      sent: [.close()]),
    End(
      testDescription: "nothing counts after a close",
      frames: [.text("a"), .close(4000), .text("b"), .ping(), .close()],
      signals: [.text("a"), .closed(.closed(code: 4000, words: ""))], sent: [.close(4000)]),
    End(
      testDescription: "a violation after a message", frames: [.text("a"), .ping("p"), WebSocketFrame(opcode: 3)],
      signals: [.text("a"), .life, .closed(.violation(code: 1002, "opcode 3 is reserved"))],
      sent: [.pong("p"), .close(1002)]),
    End(
      testDescription: "text that is not UTF-8", frames: [WebSocketFrame(opcode: 1, [0xC0])],
      signals: [.closed(.violation(code: 1007, "text that is not UTF-8"))], sent: [.close(1007)]),
    End(
      testDescription: "a message that is too long", frames: [.binary([UInt8](repeating: 0, count: 1_001))],
      signals: [.closed(.violation(code: 1009, "message over 1000 bytes"))], sent: [.close(1009)]),
    End(
      testDescription: "an invalid close code", frames: [.close(1006)],
      signals: [.closed(.violation(code: 1002, "the close code 1006"))], sent: [.close(1002)]),
  ]

  @Test(arguments: ends) func endsWithCloseOrViolation(_ example: End) throws {
    let bytes = example.frames.flatMap(\.bytes)
    for pieces in [1, 2, bytes.count] {
      var session = try WebSocketSession.opened(limits: .init(message: 1_000))
      var signals: [StreamSignal] = []
      for start in stride(from: 0, to: bytes.count, by: pieces) {
        session.take(Array(bytes[start..<min(start + pieces, bytes.count)]), at: 7)
        signals += session.takeSignals()
        session.settle(at: 7)
        signals += session.takeSignals()
      }
      #expect(signals == example.signals)
      #expect(session.sent() == example.sent)
      // The other side has two seconds to end the connection.
      #expect((session.phase, session.deadline) == (.lingering, 7 + 2 * Self.second))
      session.send([1])
      session.close(code: 1000, at: 8)
      #expect(session.sent() == [])
      session.endOfWire()
      #expect((session.phase, session.takeSignals()) == (.over, []))
    }
  }

  /// Messages before a violation can be responded to before the close frame is sent.
  @Test func repliesAreSentBeforeClose() throws {
    var session = try WebSocketSession.opened()
    session.take(WebSocketFrame.text("a").bytes + WebSocketFrame(opcode: 3).bytes, at: 0)
    #expect(session.takeSignals() == [.text("a")])
    #expect(session.isUnsettled)
    session.send(Array("b".utf8))
    session.settle(at: 0)
    #expect(session.sent() == [.text("b"), .close(1002)])
  }

  @Test func ownerCloses() throws {
    var session = try WebSocketSession.opened()
    session.close(code: 1000, at: 3)
    session.close(code: 1001, at: 4)
    session.send([1])
    #expect(session.sent() == [.close(1000)])
    #expect((session.phase, session.deadline) == (.closing, 3 + 2 * Self.second))
    // Data in flight still arrives; a ping is no longer answered (§5.5.1).
    let frames: [WebSocketFrame] = [.text("late"), .ping("p"), .close(1000, "ok"), .text("x")]
    session.take(frames.flatMap(\.bytes), at: 5)
    #expect(session.takeSignals() == [.text("late"), .life, .closed(.closed(code: 1000, words: "ok"))])
    #expect(session.sent() == [])
    #expect((session.phase, session.deadline) == (.lingering, 3 + 2 * Self.second))
    session.expire()
    #expect((session.phase, session.takeSignals()) == (.over, []))
  }

  @Test(arguments: [
    (1000, 1000), (1001, 1001), (4999, 4999), (1005, 1000), (1006, 1000), (0, 1000), (-1, 1000), (70_000, 1000),
  ])
  func sendableCloseCodes(_ code: Int, _ sent: Int) throws {
    var session = try WebSocketSession.opened()
    session.close(code: code, at: 0)
    #expect(session.sent() == [.close(sent)])
  }

  @Test func unansweredClose() throws {
    var session = try WebSocketSession.opened()
    session.close(code: 1000, at: 0)
    session.expire()
    #expect(session.takeSignals() == [.closed(.closed(code: 1006, words: ""))])
    #expect((session.phase, session.deadline) == (.over, nil))
  }

  @Test func handshakeTimesOut() throws {
    var session = try WebSocketSession(.forTesting(), with: "a.test:443", at: 0)
    session.take(Array("HTTP/1.1 101 ".utf8), at: 1)
    session.expire()
    #expect((session.phase, session.takeSignals()) == (.over, [.closed(.failed(.timeout))]))
  }

  @Test func closedBeforeItIsOpen() throws {
    var session = try WebSocketSession(.forTesting(), with: "a.test:443", at: 0)
    session.close(code: 1000, at: 1)
    #expect((session.phase, session.takeSignals()) == (.over, [.closed(.failed(.cancelled))]))
  }

  @Test func connectionEnds() throws {
    var opening = try WebSocketSession(.forTesting(), with: "a.test:443", at: 0)
    opening.endOfWire()
    #expect(opening.takeSignals() == [.closed(.failed(.brokenOff("a.test:443: incomplete response headers")))])
    var unreachable = try WebSocketSession(.forTesting(), with: "a.test:443", at: 0)
    unreachable.endOfWire(.cannotConnect("a.test:443"))
    #expect(unreachable.takeSignals() == [.closed(.failed(.cannotConnect("a.test:443")))])
    var open = try WebSocketSession.opened()
    open.take(WebSocketFrame.text("half", isLast: false).bytes, at: 0)
    open.endOfWire()
    #expect(open.takeSignals() == [.closed(.closed(code: 1006, words: ""))])
    #expect([opening.phase, unreachable.phase, open.phase] == [.over, .over, .over])
  }

  @Test func abandoning() throws {
    var open = try WebSocketSession.opened()
    open.abandon(at: 0)
    #expect(open.takeSignals() == [.closed(.failed(.cancelled))])
    #expect(open.sent() == [.close(1001)])
    var closing = try WebSocketSession.opened()
    closing.close(code: 1000, at: 0)
    closing.abandon(at: 0)
    #expect(closing.takeSignals() == [.closed(.failed(.cancelled))])
    #expect(closing.sent() == [.close(1000)])
    var closed = try WebSocketSession.opened()
    closed.take(WebSocketFrame.close(1000).bytes, at: 0)
    closed.abandon(at: 0)
    #expect(closed.takeSignals() == [.closed(.closed(code: 1000, words: ""))])
    #expect([open.phase, closing.phase, closed.phase] == [.over, .over, .over])
  }

  // MARK: - Unread output

  @Test func givesUpWhenNothingIsRead() throws {
    var session = try WebSocketSession.opened(limits: .init(unsent: 1_000))
    // A single message may be longer than that.
    session.send([UInt8](repeating: 97, count: 5_000))
    #expect(session.takeSignals() == [])
    session.take(WebSocketFrame.ping().bytes, at: 0)
    #expect(
      session.takeSignals() == [
        .life, .closed(.failed(.brokenOff("exchange.test:443 does not accept what is sent to it"))),
      ])
    #expect(session.phase == .over)
  }
}
