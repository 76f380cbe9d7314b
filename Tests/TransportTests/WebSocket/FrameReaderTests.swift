import TestSupport
import Testing

@testable import Transport

@Suite struct FrameReaderTests {
  /// A reader's output.
  enum Said: Hashable, Sendable {
    case text(String)
    case binary([UInt8])
    case ping(String)
    case pong
    case close(Int?, String)
    case violation(Int, String)

    init(_ event: FrameReader.Event) {
      switch event {
      case .message(let bytes, isText: true): self = .text(String(decoding: bytes, as: UTF8.self))
      case .message(let bytes, isText: false): self = .binary(bytes)
      case .ping(let bytes): self = .ping(String(decoding: bytes, as: UTF8.self))
      case .pong: self = .pong
      case .close(let code, let words): self = .close(code, words)
      }
    }
  }

  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let bytes: [UInt8]
    let said: [Said]

    init(_ name: String, _ frames: [WebSocketFrame], _ said: [Said]) {
      self.init(name, bytes: frames.flatMap(\.bytes), said)
    }

    init(_ name: String, bytes: [UInt8], _ said: [Said]) {
      testDescription = name
      self.bytes = bytes
      self.said = said
    }
  }

  private static let limit = 70_000

  /// Returns a reader's output for bytes that arrive in pieces of the given size.
  private static func said(of bytes: [UInt8], pieces: Int) -> [Said] {
    var reader = FrameReader(limit: limit)
    var said: [Said] = []
    do throws(FrameViolation) {
      for start in stride(from: 0, to: bytes.count, by: pieces) {
        let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: min(pieces, bytes.count - start), alignment: 1)
        defer { piece.deallocate() }
        piece.copyBytes(from: bytes[start..<start + piece.count])
        var rest = UnsafeRawBufferPointer(piece)
        while let event = try reader.next(in: &rest) {
          said.append(Said(event))
          if case .close = event { return said }
        }
      }
    } catch {
      said.append(.violation(error.code, error.words))
    }
    return said
  }

  private static func letters(_ count: Int) -> String { String(repeating: "x", count: count) }

  // MARK: - Accepted

  static let lengths = [0, 1, 125, 126, 127, 128, 65_535, 65_536, 70_000].flatMap { length in
    [
      Case("text of \(length)", [.text(letters(length))], [.text(letters(length))]),
      Case("binary of \(length)", [.binary(Array(letters(length).utf8))], [.binary(Array(letters(length).utf8))]),
    ]
  }

  static let taken = [
    Case("nothing", [], []),
    Case(
      "pings and pongs", [.ping(), .ping("ab"), .pong(), .pong("x"), .ping(letters(125))],
      [.ping(""), .ping("ab"), .pong, .pong, .ping(letters(125))]),
    Case(
      "a message in pieces", [.text("a", isLast: false), .continuation("b", isLast: false), .continuation("c")],
      [.text("abc")]),
    Case("empty pieces", [.text("", isLast: false), .continuation("", isLast: false), .continuation("")], [.text("")]),
    Case(
      "control frames between pieces",
      [.binary([1], isLast: false), .ping("p"), .continuation("a", isLast: false), .pong(), .continuation("b")],
      [.ping("p"), .pong, .binary([1, 97, 98])]),
    Case("a close between pieces", [.text("a", isLast: false), .close(1000), .continuation("b")], [.close(1000, "")]),
    Case("one after another", [.text("a"), .binary([2]), .text("b")], [.text("a"), .binary([2]), .text("b")]),
    Case(
      "a character over three pieces",
      [
        WebSocketFrame(opcode: 1, [0xF0, 0x9F], isLast: false), WebSocketFrame(opcode: 0, [0x98], isLast: false),
        WebSocketFrame(opcode: 0, [0x80]),
      ], [.text("😀")]),
    Case("binary that is not UTF-8", [.binary([0xFF, 0xC0])], [.binary([0xFF, 0xC0])]),
    Case(
      "text after a binary message that is not UTF-8", [.binary([0xC3]), .text("a")], [.binary([0xC3]), .text("a")]),
    Case("a truncated frame", bytes: Array(WebSocketFrame.text("abc").bytes.dropLast()), []),
    Case("an unfinished message", [.text("abc", isLast: false)], []),
    Case("a close without a code", [.close()], [.close(nil, "")]),
    Case("nothing after a close", [.close(1001, "bye é"), .text("a")], [.close(1001, "bye é")]),
    Case("the longest close", [.close(1000, letters(123))], [.close(1000, letters(123))]),
    Case(
      "the longest message in pieces", [.text(letters(69_999), isLast: false), .continuation("x")],
      [.text(letters(70_000))]),
  ]

  static let codes = [1000, 1001, 1002, 1003, 1007, 1011, 1012, 1013, 1014, 3000, 3999, 4000, 4999].map { (code: Int) in
    Case("close with \(code)", [.close(code)], [.close(code, "")])
  }

  // MARK: - Refused

  static let reservedBits = (1...7).map {
    Case(
      "reserved bits \($0)", [.text("a"), WebSocketFrame(opcode: 1, reserved: UInt8($0))],
      [.text("a"), .violation(1002, "a reserved bit is set")])
  }

  static let reservedOpcodes = [3, 4, 5, 6, 7, 11, 12, 13, 14, 15].map {
    Case(
      "opcode \($0)", [.text("a"), WebSocketFrame(opcode: UInt8($0), [1])],
      [.text("a"), .violation(1002, "opcode \($0) is reserved")])
  }

  static let masked = [0, 1, 2, 8, 9, 10].map { opcode in
    Case(
      "opcode \(opcode) masked",
      [.text("a", isLast: opcode != 0), WebSocketFrame(opcode: UInt8(opcode), [1, 2], mask: [1, 2, 3, 4])],
      (opcode == 0 ? [] : [.text("a")]) + [.violation(1002, "masked frame")])
  }

  static let controls = [8, 9, 10].flatMap { (opcode: UInt8) in
    [
      Case(
        "opcode \(opcode) in pieces", [WebSocketFrame(opcode: opcode, isLast: false)],
        [.violation(1002, "fragmented control frame")]),
      Case(
        "opcode \(opcode) of 126", [WebSocketFrame(opcode: opcode, Array(letters(126).utf8))],
        [.violation(1002, "control frame over 125 bytes")]),
      Case(
        "opcode \(opcode) with a long form of its length",
        bytes: WebSocketFrame(opcode: opcode, [1]).bytes(formOfLength: 8),
        [.violation(1002, "control frame over 125 bytes")]),
    ]
  }

  static let forms = [(0, 2), (125, 2), (0, 8), (126, 8), (65_535, 8)].map { length, form in
    Case(
      "a length of \(length) in \(form) bytes", bytes: WebSocketFrame.text(letters(length)).bytes(formOfLength: form),
      [.violation(1002, "a length not in its shortest form")])
  }

  static let badCodes = [0, 1, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999, 5000, 65_535].map { (code: Int) in
    Case("close with \(code)", [.close(code)], [.violation(1002, "the close code \(code)")])
  }

  private static let notUTF8 = Said.violation(1007, "text that is not UTF-8")
  private static let tooLarge = Said.violation(1009, "message over 70000 bytes")

  static let refused = [
    Case(
      "a length with its highest bit set", bytes: [0x82, 127, 0x80, 0, 0, 0, 0, 0, 0, 0],
      [.violation(1002, "a length not in its shortest form")]),
    Case(
      "continuation frame without a message", [.continuation("a")],
      [.violation(1002, "continuation frame without a message")]),
    Case(
      "a continuation after a message", [.text("a"), .continuation("b", isLast: false)],
      [.text("a"), .violation(1002, "continuation frame without a message")]),
    Case(
      "a message inside another", [.text("a", isLast: false), .text("b")],
      [.violation(1002, "new message within another")]),
    Case("a close of one byte", [WebSocketFrame(opcode: 8, [3])], [.violation(1002, "a close frame of one byte")]),
    Case("a close reason that is not UTF-8", [WebSocketFrame(opcode: 8, [3, 0xE8, 0xFF])], [notUTF8]),
    Case("text that is not UTF-8", [.text("a"), WebSocketFrame(opcode: 1, [0xFF])], [.text("a"), notUTF8]),
    Case("invalid UTF-8 in an incomplete frame", bytes: [0x81, 126, 1, 0, 97, 0xC0], [notUTF8]),
    Case(
      "no UTF-8 in a message that is not whole",
      [.text("é", isLast: false), WebSocketFrame(opcode: 0, [0xED, 0xA0], isLast: false)], [notUTF8]),
    Case("a character cut off by the end of the message", [WebSocketFrame(opcode: 1, [97, 0xC3])], [notUTF8]),
    Case("a message above the limit", bytes: [0x81, 127, 0, 0, 0, 0, 0, 1, 0x11, 0x71], [tooLarge]),
    Case(
      "a message of many gigabytes", bytes: [0x82, 127, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], [tooLarge]),
    Case(
      "pieces above the limit", [.text(letters(69_999), isLast: false), .continuation("xy", isLast: false)],
      [tooLarge]),
  ]

  @Test(
    arguments: lengths + taken + codes + reservedBits + reservedOpcodes + masked + controls + forms + badCodes + refused
  )
  func reads(_ example: Case) {
    for pieces in [max(1, example.bytes.count), 1, 2, 3, 7, 4_096] {
      #expect(Self.said(of: example.bytes, pieces: pieces) == example.said, "in pieces of \(pieces)")
    }
  }

  /// Random traffic reads the same however it is split.
  @Test func splitsDoNotMatter() {
    var generator = SeededGenerator(seed: 6455)
    for _ in 0..<200 {
      var frames: [WebSocketFrame] = []
      for _ in 0..<Int.random(in: 1...12, using: &generator) {
        let length = [0, 1, 3, 124, 125, 126, 300].randomElement(using: &generator) ?? 0
        let payload = (0..<length).map { _ in UInt8.random(in: 0x20...0x7E, using: &generator) }
        let opcode = [0, 1, 1, 2, 9, 10].randomElement(using: &generator) ?? 1
        let isLast = opcode > 7 || Bool.random(using: &generator)
        frames.append(
          WebSocketFrame(opcode: UInt8(opcode), opcode > 7 ? Array(payload.prefix(125)) : payload, isLast: isLast))
      }
      let bytes = frames.flatMap(\.bytes)
      let whole = Self.said(of: bytes, pieces: bytes.count)
      for pieces in [1, 2, 5, 64] { #expect(Self.said(of: bytes, pieces: pieces) == whole) }
    }
  }
}
