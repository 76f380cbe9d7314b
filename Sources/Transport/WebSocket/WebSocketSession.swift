import HTTP

/// One WebSocket as its client sees it (RFC 6455), without a wire and without a clock: bytes and moments go in, bytes
/// for the wire and signals for whoever opened it come out.
///
/// Moments are nanoseconds of a clock that never jumps.
struct WebSocketSession {
  enum Phase: Hashable {
    /// The handshake is not done: the request waits to be sent, or its answer has not come whole.
    case opening
    case open
    /// Our close frame is on its way, the other side's has not come.
    case closing
    /// The last signal has been given. What is left to send goes out, and then the other side ends the connection
    /// (§7.1.1): if we ended it first, our last words could be lost on the way.
    case lingering
    /// The connection may be ended.
    case over
  }

  struct Limits: Hashable, Sendable {
    /// For all of the handshake, from resolving the name on, in nanoseconds.
    var opening: Int64 = 10_000_000_000
    /// How long the other side is waited for after a close frame, in nanoseconds.
    var closing: Int64 = 2_000_000_000
    /// The longest message, in bytes.
    var message = 16 << 20
    /// With more bytes than these that the other side does not take, nothing more is written, and the connection ends.
    var unsent = 1 << 20
  }

  private(set) var phase = Phase.opening
  /// When `expire` is to be called; nil: never.
  private(set) var deadline: Int64?
  /// What is to be sent.
  var output = FrameWriter()

  private let authority: String
  private let limits: Limits
  private let randomKey: () -> UInt32
  private var handshake: OpeningHandshake
  private var reader: FrameReader
  private var signals: [StreamSignal] = []
  /// What the other side has done that it may not. What it sent before is told first, and may still be answered.
  private var violation: FrameViolation?

  /// - Parameters:
  ///   - authority: who is on the other side, for messages.
  ///   - randomKey: a new key for the mask of each frame, which nobody can foretell.
  init(
    _ handshake: OpeningHandshake, with authority: String, at now: Int64, limits: Limits = Limits(),
    randomKey: @escaping () -> UInt32 = { UInt32.random(in: .min ... .max) }
  ) {
    self.handshake = handshake
    self.authority = authority
    self.limits = limits
    self.randomKey = randomKey
    reader = FrameReader(limit: limits.message)
    deadline = now.addingReportingOverflow(limits.opening).partialValue
    output.write(bytes: handshake.request)
  }

  /// What has happened since the last call.
  mutating func takeSignals() -> [StreamSignal] {
    defer { signals = [] }
    return signals
  }

  // MARK: - The wire

  /// Bytes that have come, in pieces of any length.
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

  /// Ends the session for what the other side has done wrong. To be called once the signals from before have been told.
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
      // After our close frame nothing more may be sent (§5.5.1).
      if phase == .open { write(.pong, payload) }
    case .pong: signals.append(.life)
    case .close(let code, let words):
      writeClose(code: code, at: now)
      end(.closed(code: code ?? CloseCode.none, words: words), as: .lingering)
    }
  }

  /// The wire is at its end.
  ///
  /// - Parameter error: why, where it never came to a connection.
  mutating func endOfWire(_ error: TransportError? = nil) {
    if let violation { end(.violation(code: violation.code, violation.words), as: .over) }
    violation = nil
    switch phase {
    case .opening:
      end(.failed(error ?? .brokenOff("\(authority): the head of the answer is not whole")), as: .over)
    case .open, .closing: end(.closed(code: CloseCode.cut, words: ""), as: .over)
    case .lingering, .over: phase = .over
    }
    deadline = nil
  }

  /// The deadline has come.
  mutating func expire() {
    if phase == .opening { end(.failed(.timeout), as: .over) } else { endOfWire() }
  }

  // MARK: - The owner

  /// - Parameter opcode: `text` or `binary`.
  mutating func send(_ message: [UInt8], as opcode: FrameOpcode = .text) {
    if phase == .open { write(opcode, message) }
  }

  mutating func ping() {
    if phase == .open { write(.ping, []) }
  }

  /// - Parameter code: one that may not be sent is sent as 1000.
  mutating func close(code: Int, at now: Int64) {
    switch phase {
    case .opening: end(.failed(.cancelled), as: .over)
    case .open:
      writeClose(code: CloseCode.isSendable(code) ? code : CloseCode.normal, at: now)
      if phase == .open { phase = .closing }
    case .closing, .lingering, .over: break
    }
  }

  /// The program goes away: says so where that is still possible, and waits for nothing.
  mutating func abandon(at now: Int64) {
    violation = nil
    if phase == .open { writeClose(code: CloseCode.goingAway, at: now) }
    if phase == .lingering || phase == .over { phase = .over } else { end(.failed(.cancelled), as: .over) }
  }

  // MARK: -

  /// Sends a close frame, the first one only, and gives the other side a while.
  private mutating func writeClose(code: Int?, at now: Int64) {
    guard phase == .open else { return }
    write(.close, code.map { [UInt8(truncatingIfNeeded: $0 >> 8), UInt8(truncatingIfNeeded: $0)] } ?? [])
    deadline = now.addingReportingOverflow(limits.closing).partialValue
  }

  private mutating func write(_ opcode: FrameOpcode, _ payload: [UInt8]) {
    guard output.count <= limits.unsent else {
      return end(.failed(.brokenOff("\(authority) does not take what is sent to it")), as: .over)
    }
    output.write(opcode, payload, key: randomKey())
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
