/// A place in the UTF-8 text of a query, and the small steps forward from it.
struct QueryScanner {
  private let bytes: [UInt8]
  private(set) var offset = 0

  init(_ text: String) {
    bytes = Array(text.utf8)
  }

  var isAtEnd: Bool { offset == bytes.count }

  /// The byte at the present place, nil at the end.
  var current: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  /// The byte after the present one.
  var following: UInt8? { offset + 1 < bytes.count ? bytes[offset + 1] : nil }

  mutating func advance() {
    offset += 1
  }

  /// Goes back to a place where the scanner was before.
  mutating func rewind(to offset: Int) {
    self.offset = offset
  }

  /// Goes past the byte if it is next.
  mutating func take(_ byte: UInt8) -> Bool {
    guard current == byte else { return false }
    offset += 1
    return true
  }

  /// Goes past the ASCII text if it is next.
  mutating func take(_ text: StaticString) -> Bool {
    let end = offset + text.utf8CodeUnitCount
    guard end <= bytes.count else { return false }
    let isNext = text.withUTF8Buffer { $0.elementsEqual(bytes[offset..<end]) }
    if isNext { offset = end }
    return isNext
  }

  /// Goes past blanks: space, tab, line feed and carriage return (RFC 9535 §2.1.1).
  mutating func skipBlanks() {
    skip { $0 == .space || $0 == .tab || $0 == .lineFeed || $0 == .carriageReturn }
  }

  /// Goes past all bytes that satisfy the condition.
  mutating func skip(while condition: (UInt8) -> Bool) {
    while offset < bytes.count, condition(bytes[offset]) { offset += 1 }
  }

  /// The text from an earlier place up to the present one.
  func text(from start: Int) -> String {
    String(decoding: bytes[start..<offset], as: UTF8.self)
  }

  /// The error that the present character deserves.
  func error(_ message: String) -> JSONPathSyntaxError {
    JSONPathSyntaxError(offset: offset, message: message)
  }
}
