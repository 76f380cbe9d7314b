/// A writer that builds a JSON text value by value. It adds commas, colons and line breaks itself.
///
///     var writer = JSONWriter(indent: 2)
///     writer.beginObject()
///     writer.key("price")
///     writer.number(text: "1.50")
///     writer.endObject()
///     // {
///     //   "price": 1.50
///     // }
///
/// The caller is responsible for the order of calls: a key before each value of an object, and balanced begins and
/// ends.
package struct JSONWriter: Sendable {
  private var buffer: ByteBuffer
  private let indent: Int?
  /// The number of open containers.
  private var depth = 0
  /// Whether the innermost container is still empty; the text itself counts as one. Outer ones never are.
  private var isEmpty = true
  private var followsKey = false

  /// - Parameters:
  ///   - indent: The number of spaces per level, with a line for every value; nil for a text without whitespace.
  ///   - capacity: The approximate number of bytes expected.
  package init(indent: Int? = nil, capacity: Int = 0) {
    self.indent = indent
    buffer = ByteBuffer(capacity: capacity)
  }

  /// The text so far. A complete text has no final line break.
  package var bytes: [UInt8] { buffer.bytes }

  /// Returns the complete text without copying it.
  package consuming func finished() -> [UInt8] { buffer.finished() }

  package mutating func beginObject() { begin(ASCII.openBrace) }
  package mutating func endObject() { end(ASCII.closeBrace) }
  package mutating func beginArray() { begin(ASCII.openBracket) }
  package mutating func endArray() { end(ASCII.closeBracket) }

  /// Writes the name of the next member.
  package mutating func key(_ name: String) {
    beginValue()
    appendQuoted(name)
    buffer.append(ASCII.colon)
    if indent != nil { buffer.append(ASCII.space) }
    followsKey = true
  }

  /// Writes the name of the next member in its encoded form.
  package mutating func key(_ key: JSONKey) {
    beginValue()
    key.bytes.withUnsafeBufferPointer { buffer.append(contentsOf: $0) }
    if indent != nil { buffer.append(ASCII.space) }
    followsKey = true
  }

  package mutating func string(_ text: String) {
    beginValue()
    appendQuoted(text)
  }

  /// Writes the value of the member whose key was just written: a text that needs no escapes, built in place.
  ///
  /// - Parameters:
  ///   - count: The maximum number of bytes.
  ///   - write: Writes the bytes and returns their number, or nil if there is no text.
  /// - Returns: Whether there was a text. If not, a value still has to be written.
  @inline(__always)
  package mutating func plainString(
    atMost count: Int, _ write: (UnsafeMutablePointer<UInt8>) -> Int?
  ) -> Bool {
    let isWritten = buffer.append(atMost: count + 2) { place in
      guard let written = write(place + 1) else { return nil }
      place[0] = ASCII.quote
      place[written + 1] = ASCII.quote
      return written + 2
    }
    if isWritten { followsKey = false }
    return isWritten
  }

  /// Writes a number as given: `text` must be a number by RFC 8259 §6.
  package mutating func number(text: String) {
    beginValue()
    buffer.append(text)
  }

  package mutating func boolean(_ value: Bool) {
    beginValue()
    buffer.append(value ? "true" : "false")
  }

  package mutating func null() {
    beginValue()
    buffer.append("null")
  }

  /// Writes a complete value that is already JSON, byte by byte.
  package mutating func raw(_ text: some Sequence<UInt8>) {
    beginValue()
    buffer.append(contentsOf: text)
  }

  // MARK: Punctuation

  private mutating func begin(_ bracket: UInt8) {
    beginValue()
    buffer.append(bracket)
    depth += 1
    isEmpty = true
  }

  private mutating func end(_ bracket: UInt8) {
    depth = max(0, depth - 1)
    if !isEmpty { startLine() }
    buffer.append(bracket)
    isEmpty = false
  }

  /// Writes the separator between the previous value and the next one.
  private mutating func beginValue() {
    if followsKey {
      followsKey = false
      return
    }
    if !isEmpty { buffer.append(ASCII.comma) }
    isEmpty = false
    if depth > 0 { startLine() }
  }

  private mutating func startLine() {
    guard let indent else { return }
    let spaces = indent * depth
    buffer.append(atMost: spaces + 1) { place in
      place[0] = ASCII.lineFeed
      (place + 1).update(repeating: ASCII.space, count: spaces)
      return spaces + 1
    }
  }

  // MARK: Strings

  /// Escapes what RFC 8259 §7 requires, in the short form if there is one, and anything that could control a terminal
  /// or be invisible there, as an exchange's text may reach one through any pipe. Everything else is written as it is.
  private mutating func appendQuoted(_ text: String) {
    // Most texts need no escapes.
    var text = text
    let isPlain = text.withUTF8 { utf8 in
      buffer.append(atMost: utf8.count + 2) { place in
        place[0] = ASCII.quote
        for index in utf8.indices {
          let byte = utf8[index]
          if byte < 0x20 || byte >= 0x7F || byte == ASCII.quote || byte == ASCII.backslash { return nil }
          place[index + 1] = byte
        }
        place[utf8.count + 1] = ASCII.quote
        return utf8.count + 2
      }
    }
    if isPlain { return }
    buffer.append(ASCII.quote)
    appendEscaped(text)
    buffer.append(ASCII.quote)
  }

  private mutating func appendEscaped(_ text: String) {
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": appendEscape(UInt8(ascii: scalar))
      case "\u{8}": appendEscape(UInt8(ascii: "b"))
      case "\u{C}": appendEscape(UInt8(ascii: "f"))
      case "\n": appendEscape(UInt8(ascii: "n"))
      case "\r": appendEscape(UInt8(ascii: "r"))
      case "\t": appendEscape(UInt8(ascii: "t"))
      case _ where Self.isInvisible(scalar):
        for unit in UTF16.encode(scalar) ?? .init() {
          appendEscape(UInt8(ascii: "u"))
          for shift in [12, 8, 4, 0] { buffer.append(hexadecimalDigit(UInt8(unit >> UInt16(shift) & 0xF))) }
        }
      default: buffer.append(contentsOf: UTF8.encode(scalar) ?? .init())
      }
    }
  }

  /// Returns whether a scalar is a control (C0, DEL, C1), a line separator, a directional mark or override, a filler, a
  /// selector, or of zero or unknown width. Stricter than for terminal text, where a selector may follow its emoji:
  /// escaping does not change the meaning of a JSON text.
  private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return scalar.value < 0x20 || scalar.value == 0x7F }
    let properties = scalar.properties
    if properties.isDefaultIgnorableCodePoint { return true }
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned: return true
    default: return false
    }
  }

  private mutating func appendEscape(_ letter: UInt8) {
    buffer.append(ASCII.backslash)
    buffer.append(letter)
  }

  private func hexadecimalDigit(_ digit: UInt8) -> UInt8 {
    digit < 10 ? ASCII.zero + digit : UInt8(ascii: "a") + digit - 10
  }
}

/// A member name as it is written, with its quotes and colon: encoded once if it is written for every row.
package struct JSONKey: Sendable {
  let bytes: [UInt8]

  package init(_ name: String) {
    var writer = JSONWriter()
    writer.string(name)
    bytes = writer.finished() + [ASCII.colon]
  }
}
