/// The type of a frame (RFC 6455 §5.2): the low four bits of its first byte.
enum FrameOpcode: UInt8 {
  case continuation = 0x0
  case text = 0x1
  case binary = 0x2
  case close = 0x8
  case ping = 0x9
  case pong = 0xA

  /// Whether this is a control frame: short, unfragmented, and allowed between the fragments of a message.
  var isControl: Bool { rawValue >= 0x8 }
}

/// A violation of RFC 6455, and the code to close with.
struct FrameViolation: Error, Hashable {
  var code: Int
  var words: String
}

/// Assembles messages from bytes as they arrive, in pieces of any length (RFC 6455 §5).
///
/// A message in a single frame within one piece is copied once; any other is assembled as its pieces arrive. Text is
/// checked for UTF-8 byte by byte on arrival, not at the end of a frame or message.
struct FrameReader {
  enum Event: Hashable {
    case message([UInt8], isText: Bool)
    case ping([UInt8])
    case pong
    /// `code` is nil if the frame has none.
    case close(code: Int?, words: String)
  }

  /// The position of the next byte in a frame.
  private enum Place {
    case start
    case length
    /// `missing` bytes of the extended length are still to come.
    case longLength(missing: Int)
    case payload
  }

  private let limit: Int
  private var place = Place.start

  // The frame being read.
  private var opcode = FrameOpcode.continuation
  private var isLastPiece = false
  /// The length as read so far, then the number of payload bytes still missing.
  private var missing: UInt64 = 0
  private var formOfLength: UInt8 = 0
  private var controlPayload: [UInt8] = []

  /// The message being assembled.
  private var message: [UInt8] = []
  /// `text` or `binary`; nil between messages.
  private var kind: FrameOpcode?
  private var check = UTF8Check()

  /// - Parameter limit: The maximum message size, in bytes.
  init(limit: Int) { self.limit = limit }

  /// Reads up to the next event, consuming the front of `input`; returns nil if `input` is exhausted.
  ///
  /// - Throws: At the first byte that is not allowed. Must not be called again after that, or after a `close`.
  mutating func next(in input: inout UnsafeRawBufferPointer) throws(FrameViolation) -> Event? {
    while true {
      if case .payload = place {
        if let event = try takePayload(of: &input) { return event }
        if case .payload = place { return nil }
      } else {
        guard let byte = input.first else { return nil }
        input = UnsafeRawBufferPointer(rebasing: input.dropFirst())
        try takeHead(byte)
      }
    }
  }

  // MARK: - Frame header

  private mutating func takeHead(_ byte: UInt8) throws(FrameViolation) {
    switch place {
    case .start:
      try takeStart(byte)
      place = .length
    case .length:
      if byte & 0x80 != 0 { throw .protocolError("masked frame") }
      if opcode.isControl, byte > 125 { throw .protocolError("control frame over 125 bytes") }
      formOfLength = byte
      missing = byte < 126 ? UInt64(byte) : 0
      if byte < 126 { try beginPayload() } else { place = .longLength(missing: byte == 126 ? 2 : 8) }
    case .longLength(let bytesMissing):
      missing = missing << 8 | UInt64(byte)
      place = .longLength(missing: bytesMissing - 1)
      if bytesMissing > 1 { return }
      if missing >> 63 != 0 || missing < (formOfLength == 126 ? 126 : 0x1_0000) {
        throw .protocolError("a length not in its shortest form")
      }
      try beginPayload()
    case .payload: break
    }
  }

  private mutating func takeStart(_ byte: UInt8) throws(FrameViolation) {
    if byte & 0x70 != 0 { throw .protocolError("a reserved bit is set") }
    guard let opcode = FrameOpcode(rawValue: byte & 0x0F) else {
      throw .protocolError("opcode \(byte & 0x0F) is reserved")
    }
    self.opcode = opcode
    isLastPiece = byte & 0x80 != 0
    switch opcode {
    case .continuation where kind == nil: throw .protocolError("continuation frame without a message")
    case .text, .binary:
      if kind != nil { throw .protocolError("new message within another") }
      kind = opcode
      check = UTF8Check()
    case .close, .ping, .pong:
      if !isLastPiece { throw .protocolError("fragmented control frame") }
    case .continuation: break
    }
  }

  private mutating func beginPayload() throws(FrameViolation) {
    place = .payload
    if opcode.isControl { return }
    guard missing <= UInt64(limit - message.count) else {
      throw FrameViolation(code: 1009, words: "message over \(limit) bytes")
    }
  }

  // MARK: - Payload

  /// Takes the available payload; returns an event if that completes one. `place` tells whether the frame has ended.
  private mutating func takePayload(of input: inout UnsafeRawBufferPointer) throws(FrameViolation) -> Event? {
    let count = Int(min(missing, UInt64(input.count)))
    let bytes = UnsafeRawBufferPointer(rebasing: input[..<count])
    input = UnsafeRawBufferPointer(rebasing: input[count...])
    missing -= UInt64(count)
    if opcode.isControl {
      controlPayload.append(contentsOf: bytes)
    } else {
      if kind == .text, !check.take(bytes) { throw .notUTF8 }
      // Reserve according to the announced length, but never all that it claims.
      if message.isEmpty, missing > 0 { message.reserveCapacity(count + Int(min(missing, 1 << 20))) }
      message.append(contentsOf: bytes)
    }
    guard missing == 0 else { return nil }
    place = .start
    return opcode.isControl ? try controlEvent() : try messageEvent()
  }

  private mutating func messageEvent() throws(FrameViolation) -> Event? {
    guard isLastPiece else { return nil }
    if !check.isComplete { throw .notUTF8 }
    defer {
      message = []
      kind = nil
    }
    return .message(message, isText: kind == .text)
  }

  private mutating func controlEvent() throws(FrameViolation) -> Event {
    defer { controlPayload.removeAll(keepingCapacity: true) }
    switch opcode {
    case .ping: return .ping(controlPayload)
    case .pong: return .pong
    default: return try closeEvent()
    }
  }

  /// §5.5.1 and §7.4
  private func closeEvent() throws(FrameViolation) -> Event {
    if controlPayload.isEmpty { return .close(code: nil, words: "") }
    guard controlPayload.count >= 2 else { throw .protocolError("a close frame of one byte") }
    let code = Int(controlPayload[0]) << 8 | Int(controlPayload[1])
    guard CloseCode.isSendable(code) else { throw .protocolError("the close code \(code)") }
    guard let words = String(validating: controlPayload[2...], as: UTF8.self) else { throw .notUTF8 }
    return .close(code: code, words: words)
  }
}

/// The codes of close frames (RFC 6455 §7.4 and its registry).
enum CloseCode {
  static let normal = 1000
  static let goingAway = 1001
  /// Stands for a close frame without a code.
  static let none = 1005
  /// Stands for a connection that ended without a close frame.
  static let cut = 1006

  /// Returns whether a close frame may contain the code: registered ones, and those for libraries and applications.
  static func isSendable(_ code: Int) -> Bool {
    switch code {
    case 1000...1003, 1007...1014, 3000...4999: true
    default: false
    }
  }
}

extension FrameViolation {
  static func protocolError(_ words: String) -> FrameViolation { FrameViolation(code: 1002, words: words) }
  static let notUTF8 = FrameViolation(code: 1007, words: "text that is not UTF-8")
}
