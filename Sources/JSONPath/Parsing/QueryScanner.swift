/// A position in the UTF-8 text of a query, and the steps forward from it.
struct QueryScanner {
  private let bytes: [UInt8]
  private(set) var offset = 0

  init(_ text: String) { bytes = Array(text.utf8) }

  var isAtEnd: Bool { offset == bytes.count }

  /// The byte at the current position; nil at the end.
  var current: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  /// The byte after the current one.
  var following: UInt8? { offset + 1 < bytes.count ? bytes[offset + 1] : nil }

  mutating func advance() { offset += 1 }

  /// Moves back to an earlier position.
  mutating func rewind(to offset: Int) { self.offset = offset }

  /// Skips the byte if it is next, and returns whether it was.
  mutating func take(_ byte: UInt8) -> Bool {
    guard current == byte else { return false }
    offset += 1
    return true
  }

  /// Skips the ASCII text if it is next, and returns whether it was.
  mutating func take(_ text: StaticString) -> Bool {
    let end = offset + text.utf8CodeUnitCount
    guard end <= bytes.count else { return false }
    let isNext = text.withUTF8Buffer { $0.elementsEqual(bytes[offset..<end]) }
    if isNext { offset = end }
    return isNext
  }

  /// Skips blanks: space, tab, line feed and carriage return (RFC 9535 §2.1.1).
  mutating func skipBlanks() { skip { $0 == .space || $0 == .tab || $0 == .lineFeed || $0 == .carriageReturn } }

  /// Skips all bytes that satisfy the condition.
  mutating func skip(while condition: (UInt8) -> Bool) {
    while offset < bytes.count, condition(bytes[offset]) { offset += 1 }
  }

  /// Returns the text from an earlier position to the current one.
  func text(from start: Int) -> String { String(decoding: bytes[start..<offset], as: UTF8.self) }

  /// The member name after a dot that goes on at the current position with a character that no such name has: the
  /// `last-price` of `$.last-price`; nil if it is none.
  var nameAround: String? {
    guard let dot = bytes[..<offset].lastIndex(of: .dot), dot + 1 < offset, let next = current,
      next > 0x20, !"'\"[](){}?*,:".utf8.contains(next), !bytes[dot..<offset].contains(where: "[]".utf8.contains)
    else { return nil }
    let name = bytes[(dot + 1)...].prefix { $0 > 0x20 && !".['\"".utf8.contains($0) }
    return String(decoding: name, as: UTF8.self)
  }

  /// Returns an error at the current character.
  func error(_ message: String) -> SyntaxError { SyntaxError(offset: offset, message: message) }
}

/// The ASCII characters used in queries, and the character classes of RFC 9535's grammar.
extension UInt8 {
  static let tab = UInt8(ascii: "\t")
  static let lineFeed = UInt8(ascii: "\n")
  static let carriageReturn = UInt8(ascii: "\r")
  static let space = UInt8(ascii: " ")
  static let bang = UInt8(ascii: "!")
  static let doubleQuote = UInt8(ascii: "\"")
  static let dollar = UInt8(ascii: "$")
  static let singleQuote = UInt8(ascii: "'")
  static let openParenthesis = UInt8(ascii: "(")
  static let closeParenthesis = UInt8(ascii: ")")
  static let asterisk = UInt8(ascii: "*")
  static let plus = UInt8(ascii: "+")
  static let comma = UInt8(ascii: ",")
  static let minus = UInt8(ascii: "-")
  static let dot = UInt8(ascii: ".")
  static let zero = UInt8(ascii: "0")
  static let colon = UInt8(ascii: ":")
  static let questionMark = UInt8(ascii: "?")
  static let at = UInt8(ascii: "@")
  static let openBracket = UInt8(ascii: "[")
  static let backslash = UInt8(ascii: "\\")
  static let closeBracket = UInt8(ascii: "]")

  var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
  var isLowercaseLetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self) }
  var isLetter: Bool { (self | 0x20).isLowercaseLetter }

  /// Whether the byte may start the name in `.name`, as every byte of a non-ASCII character may (RFC 9535 §2.5.1.1,
  /// name-first).
  var beginsShorthandName: Bool { isLetter || self == UInt8(ascii: "_") || self >= 0x80 }
  /// Whether the byte may continue the name in `.name` (name-char).
  var continuesShorthandName: Bool { beginsShorthandName || isDigit }
  /// Whether the byte may continue the name of a function (RFC 9535 §2.4, function-name-char).
  var continuesFunctionName: Bool { isLowercaseLetter || isDigit || self == UInt8(ascii: "_") }
}
