/// What a frame is (RFC 6455 §5.2): the low four bits of its first byte.
enum FrameOpcode: UInt8 {
  case continuation = 0x0
  case text = 0x1
  case binary = 0x2
  case close = 0x8
  case ping = 0x9
  case pong = 0xA

  /// Control frames are short, come in one piece, and may stand between the pieces of a message.
  var isControl: Bool { rawValue >= 0x8 }
}

/// Something that RFC 6455 does not allow, and the code to close with.
struct FrameViolation: Error, Hashable {
  var code: Int
  var words: String
}

/// Makes messages of bytes as they come over the wire, in pieces of any length (RFC 6455 §5).
///
/// A message that lies in one frame within one piece is copied once; the pieces of any other are put together as they
/// come. Text is checked for UTF-8 byte by byte as it arrives, not at the end of a frame or message.
struct FrameReader {
  enum Event: Hashable {
    case message([UInt8], isText: Bool)
    case ping([UInt8])
    case pong
    /// `code` is nil where the frame has none.
    case close(code: Int?, words: String)
  }

  /// What the next byte is.
  private enum Place {
    case start
    case length
    /// So many bytes of the long form of the length are missing.
    case longLength(missing: Int)
    case payload
  }

  private let limit: Int
  private var place = Place.start

  // Of the frame that is being read.
  private var opcode = FrameOpcode.continuation
  private var isLastPiece = false
  /// The length as far as it has been read, then how much of the payload is missing.
  private var missing: UInt64 = 0
  private var formOfLength: UInt8 = 0
  private var controlPayload: [UInt8] = []

  /// The message of which pieces are there or being read.
  private var message: [UInt8] = []
  /// `text` or `binary`; nil between messages.
  private var kind: FrameOpcode?
  private var check = UTF8Check()

  /// - Parameter limit: the longest message that is taken, in bytes.
  init(limit: Int) { self.limit = limit }

  /// Reads on to the next event and takes what it has read from the front of `input`; nil where `input` is used up.
  ///
  /// - Throws: at the first byte that is not allowed. After that, and after a `close`, nothing more may be asked.
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

  // MARK: - The head of a frame

  private mutating func takeHead(_ byte: UInt8) throws(FrameViolation) {
    switch place {
    case .start:
      try takeStart(byte)
      place = .length
    case .length:
      if byte & 0x80 != 0 { throw .protocolError("a masked frame") }
      if opcode.isControl, byte > 125 { throw .protocolError("a control frame above 125 bytes") }
      formOfLength = byte
      missing = byte < 126 ? UInt64(byte) : 0
      if byte < 126 { try beginPayload() } else { place = .longLength(missing: byte == 126 ? 2 : 8) }
    case .longLength(let bytesMissing):
      missing = missing << 8 | UInt64(byte)
      place = .longLength(missing: bytesMissing - 1)
      if bytesMissing > 1 { return }
      if missing >> 63 != 0 || missing < (formOfLength == 126 ? 126 : 0x1_0000) {
        throw .protocolError("a length that is not in its shortest form")
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
    case .continuation where kind == nil: throw .protocolError("a continuation without a beginning")
    case .text, .binary:
      if kind != nil { throw .protocolError("a new message inside another") }
      kind = opcode
      check = UTF8Check()
    case .close, .ping, .pong:
      if !isLastPiece { throw .protocolError("a control frame in pieces") }
    case .continuation: break
    }
  }

  private mutating func beginPayload() throws(FrameViolation) {
    place = .payload
    if opcode.isControl { return }
    guard missing <= UInt64(limit - message.count) else {
      throw FrameViolation(code: 1009, words: "a message above \(limit) bytes")
    }
  }

  // MARK: - The payload

  /// Takes what there is of the payload; an event where that ends one. `place` tells whether the frame has ended.
  private mutating func takePayload(of input: inout UnsafeRawBufferPointer) throws(FrameViolation) -> Event? {
    let count = Int(min(missing, UInt64(input.count)))
    let bytes = UnsafeRawBufferPointer(rebasing: input[..<count])
    input = UnsafeRawBufferPointer(rebasing: input[count...])
    missing -= UInt64(count)
    if opcode.isControl {
      controlPayload.append(contentsOf: bytes)
    } else {
      if kind == .text, !check.take(bytes) { throw .notUTF8 }
      // What a frame claims of its length is worth some room in advance, but not all of it.
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

/// The codes of close frames (RFC 6455 §7.4, and the registry that it founds).
enum CloseCode {
  static let normal = 1000
  static let goingAway = 1001
  /// Stands for a close frame without a code.
  static let none = 1005
  /// Stands for an end without a close frame.
  static let cut = 1006

  /// Whether a close frame may hold the code: those that are registered, and those for libraries and their users.
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
