import HTTP

/// A WebSocket as seen by its client (RFC 6455), without I/O or a clock: bytes and times go in; bytes to send and
/// signals for the owner come out.
///
/// Times are nanoseconds of a monotonic clock.
struct WebSocketSession {
  enum Phase: Hashable {
    /// The handshake is incomplete: its request is not sent yet, or its response has not arrived in full.
    case opening
    case open
    /// We have sent our close frame, and the other side's has not arrived.
    case closing
    /// The last signal has been given. The remaining output is sent, and then the other side closes the connection
    /// (§7.1.1): if we closed it first, our last bytes could be lost.
    case lingering
    /// The connection may be closed.
    case over
  }

  struct Limits: Hashable, Sendable {
    /// The time limit for the whole handshake, including name resolution, in nanoseconds.
    var opening: Int64 = 10_000_000_000
    /// How long to wait for the other side after a close frame, in nanoseconds.
    var closing: Int64 = 2_000_000_000
    /// The maximum message size, in bytes.
    var message = AnswerLimit.messageBytes
    /// The maximum number of unsent bytes. Beyond it nothing more is written, and the connection ends.
    var unsent = 1 << 20
  }

  private(set) var phase = Phase.opening
  /// When to call `expire`; nil for never.
  private(set) var deadline: Int64?
  /// The bytes to send.
  var output = FrameWriter()

  private let authority: String
  private let limits: Limits
  private var handshake: OpeningHandshake
  private var reader: FrameReader
  private var signals: [StreamSignal] = []
  /// A protocol violation by the other side. What it sent before is delivered first, and may still be answered.
  private var violation: FrameViolation?

  /// - Parameters:
  ///   - authority: The other side's name, for messages.
  init(
    _ handshake: OpeningHandshake, with authority: String, at now: Int64, limits: Limits = Limits()
  ) {
    self.handshake = handshake
    self.authority = authority
    self.limits = limits
    reader = FrameReader(limit: limits.message)
    deadline = now.addingReportingOverflow(limits.opening).partialValue
    output.write(bytes: handshake.request)
  }

  /// Returns the signals since the last call.
  mutating func takeSignals() -> [StreamSignal] {
    defer { signals = [] }
    return signals
  }

  // MARK: - Wire

  /// Takes received bytes, in pieces of any length.
  mutating func take(_ bytes: UnsafeRawBufferPointer, at now: Int64) {
    var rest = bytes
    if phase == .opening {
      do throws(StreamEnd) {
        guard let length = try handshake.take(bytes) else { return }
        rest = UnsafeRawBufferPointer(rebasing: bytes[length...])
      } catch {
        return end(error, as: .over)
      }
      phase = .open
      deadline = nil
      signals.append(.opened)
    }
    if violation != nil { return }
    do throws(FrameViolation) {
      while phase == .open || phase == .closing, let event = try reader.next(in: &rest) { take(event, at: now) }
    } catch {
      violation = error
      if signals.isEmpty { settle(at: now) }
    }
  }

  /// Whether `settle` has something to do.
  var isUnsettled: Bool { violation != nil }

  /// Ends the session because of a violation. Must be called once the preceding signals have been delivered.
  mutating func settle(at now: Int64) {
    guard let violation else { return }
    self.violation = nil
    writeClose(code: violation.code, at: now)
    end(.violation(code: violation.code, violation.words), as: .lingering)
  }

  private mutating func take(_ event: FrameReader.Event, at now: Int64) {
    switch event {
    case .message(let bytes, let isText): signals.append(.message(bytes, isText: isText))
    case .ping(let payload):
      signals.append(.life)
      // After our close frame, nothing more may be sent (§5.5.1).
      if phase == .open { write(.pong, payload) }
    case .pong: signals.append(.life)
    case .close(let code, let words):
      writeClose(code: code, at: now)
      end(.closed(code: code ?? CloseCode.none, words: words), as: .lingering)
    }
  }

  /// Called when the connection has ended.
  ///
  /// - Parameter error: The reason if the connection was never established.
  mutating func endOfWire(_ error: TransportError? = nil) {
    if let violation { end(.violation(code: violation.code, violation.words), as: .over) }
    violation = nil
    switch phase {
    case .opening:
      end(.failed(error ?? .brokenOff("\(authority): incomplete response headers")), as: .over)
    case .open, .closing: end(.closed(code: CloseCode.cut, words: ""), as: .over)
    case .lingering, .over: phase = .over
    }
    deadline = nil
  }

  /// Called when the deadline has passed.
  mutating func expire() { if phase == .opening { end(.failed(.timeout), as: .over) } else { endOfWire() } }

  // MARK: - Owner

  /// - Parameter opcode: `text` or `binary`.
  mutating func send(_ message: [UInt8], as opcode: FrameOpcode = .text) {
    if phase == .open { write(opcode, message) }
  }

  mutating func ping() { if phase == .open { write(.ping, []) } }

  /// - Parameter code: The close code; one that may not be sent is replaced by 1000.
  mutating func close(code: Int, at now: Int64) {
    switch phase {
    case .opening: end(.failed(.cancelled), as: .over)
    case .open:
      writeClose(code: CloseCode.isSendable(code) ? code : CloseCode.normal, at: now)
      if phase == .open { phase = .closing }
    case .closing, .lingering, .over: break
    }
  }

  /// Called when the program exits: says goodbye if still possible, and waits for nothing.
  mutating func abandon(at now: Int64) {
    violation = nil
    if phase == .open { writeClose(code: CloseCode.goingAway, at: now) }
    if phase == .lingering || phase == .over { phase = .over } else { end(.failed(.cancelled), as: .over) }
  }

  // MARK: -

  /// Sends a close frame, unless one was sent before, and gives the other side time to answer.
  private mutating func writeClose(code: Int?, at now: Int64) {
    guard phase == .open else { return }
    write(.close, code.map { [UInt8(truncatingIfNeeded: $0 >> 8), UInt8(truncatingIfNeeded: $0)] } ?? [])
    deadline = now.addingReportingOverflow(limits.closing).partialValue
  }

  private mutating func write(_ opcode: FrameOpcode, _ payload: [UInt8]) {
    guard output.count <= limits.unsent else {
      return end(.failed(.brokenOff("\(authority) does not accept what is sent to it")), as: .over)
    }
    // A new, unpredictable mask for each frame (RFC 6455 §5.3).
    output.write(opcode, payload, key: UInt32.random(in: .min ... .max))
  }

  private mutating func end(_ end: StreamEnd, as next: Phase) {
    switch phase {
    case .opening, .open, .closing: signals.append(.closed(end))
    case .lingering, .over: return
    }
    phase = next
    if next == .over { deadline = nil }
  }
}
