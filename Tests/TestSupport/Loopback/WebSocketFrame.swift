/// A WebSocket frame exactly as on the wire (RFC 6455 §5.2), whether valid or not.
package struct WebSocketFrame: Hashable, Sendable {
  package var isLast: Bool
  /// The three reserved bits.
  package var reserved: UInt8 = 0
  package var opcode: UInt8
  package var payload: [UInt8]
  /// The four bytes of the mask; nil if not masked.
  package var mask: [UInt8]?

  package init(opcode: UInt8, _ payload: [UInt8] = [], isLast: Bool = true, reserved: UInt8 = 0, mask: [UInt8]? = nil) {
    self.opcode = opcode
    self.payload = payload
    self.isLast = isLast
    self.reserved = reserved
    self.mask = mask
  }

  package static func text(_ text: String, isLast: Bool = true) -> WebSocketFrame {
    WebSocketFrame(opcode: 1, Array(text.utf8), isLast: isLast)
  }

  package static func binary(_ bytes: [UInt8], isLast: Bool = true) -> WebSocketFrame {
    WebSocketFrame(opcode: 2, bytes, isLast: isLast)
  }

  package static func continuation(_ text: String, isLast: Bool = true) -> WebSocketFrame {
    WebSocketFrame(opcode: 0, Array(text.utf8), isLast: isLast)
  }

  package static func ping(_ text: String = "") -> WebSocketFrame { WebSocketFrame(opcode: 9, Array(text.utf8)) }
  package static func pong(_ text: String = "") -> WebSocketFrame { WebSocketFrame(opcode: 10, Array(text.utf8)) }

  /// - Parameter code: nil for an empty frame.
  package static func close(_ code: Int? = nil, _ words: String = "") -> WebSocketFrame {
    WebSocketFrame(
      opcode: 8,
      (code.map { [UInt8(truncatingIfNeeded: $0 >> 8), UInt8(truncatingIfNeeded: $0)] } ?? []) + Array(words.utf8))
  }

  /// The payload as text.
  package var text: String { String(decoding: payload, as: UTF8.self) }

  /// The code of a close frame; nil if it has none.
  package var code: Int? { payload.count < 2 ? nil : Int(payload[0]) << 8 | Int(payload[1]) }

  /// The frame on the wire, with the length in its shortest form.
  package var bytes: [UInt8] { bytes(formOfLength: payload.count < 126 ? 0 : payload.count < 0x1_0000 ? 2 : 8) }

  /// - Parameter formOfLength: the number of extra bytes for the length: 0, 2 or 8.
  package func bytes(formOfLength: Int) -> [UInt8] {
    let mark: UInt8 = mask == nil ? 0 : 0x80
    let short = formOfLength == 0 ? UInt8(truncatingIfNeeded: payload.count) : formOfLength == 2 ? 126 : 127
    var bytes = [(isLast ? 0x80 : 0) | reserved << 4 | opcode, mark | short]
    for place in (0..<formOfLength).reversed() { bytes.append(UInt8(truncatingIfNeeded: payload.count >> (8 * place))) }
    return bytes + (mask ?? []) + masked(payload)
  }

  private func masked(_ bytes: [UInt8]) -> [UInt8] {
    guard let mask else { return bytes }
    return bytes.enumerated().map { $1 ^ mask[$0 & 3] }
  }

  /// Takes a complete frame from the front of the input; nil if it is incomplete.
  package init?(parsing input: inout [UInt8]) {
    guard input.count >= 2 else { return nil }
    let short = Int(input[1] & 0x7F)
    let form = short == 126 ? 2 : short == 127 ? 8 : 0
    let isMasked = input[1] & 0x80 != 0
    let start = 2 + form + (isMasked ? 4 : 0)
    guard input.count >= start else { return nil }
    let length = form == 0 ? short : input[2..<2 + form].reduce(0) { $0 << 8 | Int($1) }
    guard input.count - start >= length else { return nil }
    isLast = input[0] & 0x80 != 0
    reserved = input[0] >> 4 & 7
    opcode = input[0] & 0x0F
    mask = isMasked ? Array(input[start - 4..<start]) : nil
    payload = []
    payload = masked(Array(input[start..<start + length]))
    input.removeFirst(start + length)
  }
}
