/// A position in the UTF-8 text of a query, and the steps forward from it.
struct QueryScanner {
  private let bytes: [UInt8]
  private(set) var offset = 0

  init(_ text: String) { bytes = Array(text.utf8) }

  var isAtEnd: Bool { offset == bytes.count }

  /// The character at the current position if it is ASCII; the scalar of its byte, at least U+0080, if it is part of
  /// another one; nil at the end.
  var current: Unicode.Scalar? { offset < bytes.count ? Unicode.Scalar(bytes[offset]) : nil }

  /// The same for the position after the current one.
  var following: Unicode.Scalar? { offset + 1 < bytes.count ? Unicode.Scalar(bytes[offset + 1]) : nil }

  mutating func advance() { offset += 1 }

  /// Moves back to an earlier position.
  mutating func rewind(to offset: Int) { self.offset = offset }

  /// Skips the ASCII text if it is next, and returns whether it was.
  mutating func take(_ text: StaticString) -> Bool {
    let end = offset + text.utf8CodeUnitCount
    guard end <= bytes.count else { return false }
    let isNext = text.withUTF8Buffer { $0.elementsEqual(bytes[offset..<end]) }
    if isNext { offset = end }
    return isNext
  }

  /// Skips blanks: space, tab, line feed and carriage return (RFC 9535 §2.1.1).
  mutating func skipBlanks() { skip { $0 == " " || $0 == "\t" || $0 == "\n" || $0 == "\r" } }

  /// Skips all that satisfies the condition, which is asked about each byte as in ``current``.
  mutating func skip(while condition: (Unicode.Scalar) -> Bool) {
    while let next = current, condition(next) { offset += 1 }
  }

  /// Returns the text from an earlier position to the current one.
  func text(from start: Int) -> String { String(decoding: bytes[start..<offset], as: UTF8.self) }

  /// The member name after a dot that goes on at the current position with a character that no such name has: the
  /// `last-price` of `$.last-price`; nil if it is not one.
  var nameAround: String? {
    guard let dot = bytes[..<offset].lastIndex(of: UInt8(ascii: ".")), dot + 1 < offset, let next = current,
      next > " ", !"'\"[](){}?*,:".unicodeScalars.contains(next),
      !bytes[dot..<offset].contains(where: "[]".utf8.contains)
    else { return nil }
    let name = bytes[(dot + 1)...].prefix { $0 > 0x20 && !".['\"".utf8.contains($0) }
    return String(decoding: name, as: UTF8.self)
  }

  /// Returns an error at the current character.
  func error(_ message: String) -> SyntaxError { SyntaxError(offset: offset, message: message) }
}

/// The character classes of RFC 9535's grammar.
extension Unicode.Scalar {
  var isDigit: Bool { ("0"..."9").contains(self) }
  var isLowercaseLetter: Bool { ("a"..."z").contains(self) }
  var isLetter: Bool { isLowercaseLetter || ("A"..."Z").contains(self) }

  /// Whether it may start the name in `.name`, as every byte of a non-ASCII character may (RFC 9535 §2.5.1.1,
  /// name-first).
  var beginsShorthandName: Bool { isLetter || self == "_" || !isASCII }
  /// Whether it may continue the name in `.name` (name-char).
  var continuesShorthandName: Bool { beginsShorthandName || isDigit }
  /// Whether it may continue the name of a function (RFC 9535 §2.4, function-name-char).
  var continuesFunctionName: Bool { isLowercaseLetter || isDigit || self == "_" }
}
