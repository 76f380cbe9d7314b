/// Builds a JSON text, value by value. Commas, colons and line ends are the writer's own business.
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
/// The caller answers for the order of the calls: a key before each value of an object, as many ends as beginnings.
package struct JSONWriter: Sendable {
  /// The text so far. A whole text has no line end behind it.
  package private(set) var bytes: [UInt8] = []
  private let indent: Int?
  /// How many values the open containers hold, the innermost last; the first is the text itself.
  private var counts = [0]
  private var followsKey = false

  /// - Parameter indent: spaces for each level, with a line for every value; nil for a text without any whitespace.
  package init(indent: Int? = nil) { self.indent = indent }

  package mutating func beginObject() { begin(ASCII.openBrace) }
  package mutating func endObject() { end(ASCII.closeBrace) }
  package mutating func beginArray() { begin(ASCII.openBracket) }
  package mutating func endArray() { end(ASCII.closeBracket) }

  /// The name of the next member.
  package mutating func key(_ name: String) {
    beginValue()
    appendQuoted(name)
    bytes.append(ASCII.colon)
    if indent != nil { bytes.append(ASCII.space) }
    followsKey = true
  }

  package mutating func string(_ text: String) {
    beginValue()
    appendQuoted(text)
  }

  /// A number, written as given: `text` must be a number by RFC 8259 §6.
  package mutating func number(text: String) {
    beginValue()
    bytes.append(contentsOf: text.utf8)
  }

  package mutating func boolean(_ value: Bool) {
    beginValue()
    bytes.append(contentsOf: (value ? "true" : "false").utf8)
  }

  package mutating func null() {
    beginValue()
    bytes.append(contentsOf: "null".utf8)
  }

  /// A whole value that is JSON text already, taken over byte by byte.
  package mutating func raw(_ text: some Sequence<UInt8>) {
    beginValue()
    bytes.append(contentsOf: text)
  }

  // MARK: Punctuation

  private mutating func begin(_ bracket: UInt8) {
    beginValue()
    bytes.append(bracket)
    counts.append(0)
  }

  private mutating func end(_ bracket: UInt8) {
    let count = counts.popLast() ?? 0
    if count > 0 { startLine() }
    bytes.append(bracket)
  }

  /// Writes what must stand between the value before and the one that comes now.
  private mutating func beginValue() {
    if followsKey {
      followsKey = false
      return
    }
    guard let innermost = counts.indices.last else { return }
    if counts[innermost] > 0 { bytes.append(ASCII.comma) }
    counts[innermost] += 1
    if innermost > 0 { startLine() }
  }

  private mutating func startLine() {
    guard let indent else { return }
    bytes.append(ASCII.lineFeed)
    bytes.append(contentsOf: repeatElement(ASCII.space, count: indent * (counts.count - 1)))
  }

  // MARK: Strings

  /// Escapes what RFC 8259 §7 demands, by the short form where there is one; everything else is written as it is.
  private mutating func appendQuoted(_ text: String) {
    bytes.append(ASCII.quote)
    // Most texts need no escape: those are copied as a whole.
    var text = text
    let isPlain = text.withUTF8 { utf8 in
      guard !utf8.contains(where: { $0 < 0x20 || $0 == ASCII.quote || $0 == ASCII.backslash }) else { return false }
      bytes.append(contentsOf: utf8)
      return true
    }
    if !isPlain { appendEscaped(text) }
    bytes.append(ASCII.quote)
  }

  private mutating func appendEscaped(_ text: String) {
    for byte in text.utf8 {
      switch byte {
      case ASCII.quote, ASCII.backslash: appendEscape(byte)
      case 0x08: appendEscape(UInt8(ascii: "b"))
      case 0x0C: appendEscape(UInt8(ascii: "f"))
      case ASCII.lineFeed: appendEscape(UInt8(ascii: "n"))
      case ASCII.carriageReturn: appendEscape(UInt8(ascii: "r"))
      case ASCII.tab: appendEscape(UInt8(ascii: "t"))
      case 0..<0x20:
        appendEscape(UInt8(ascii: "u"))
        bytes.append(contentsOf: [ASCII.zero, ASCII.zero, ASCII.zero + byte >> 4, lowDigit(byte)])
      default: bytes.append(byte)
      }
    }
  }

  private mutating func appendEscape(_ letter: UInt8) {
    bytes.append(ASCII.backslash)
    bytes.append(letter)
  }

  private func lowDigit(_ byte: UInt8) -> UInt8 {
    let digit = byte & 0x0F
    return digit < 10 ? ASCII.zero + digit : UInt8(ascii: "a") + digit - 10
  }
}
