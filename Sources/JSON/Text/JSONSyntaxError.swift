/// An error in a JSON text, and its position.
package struct JSONSyntaxError: Error, Hashable, Sendable {
  /// The offset of the offending byte; the length of the text if it ends too early.
  package let offset: Int
  /// What is wrong there.
  package let problem: JSONProblem
}

extension JSONSyntaxError: CustomStringConvertible {
  package var description: String { "offset \(offset): \(problem)" }
}

/// The kinds of errors in a JSON text. The position is in `JSONSyntaxError`.
package enum JSONProblem: Hashable, Sendable {
  /// Nothing but whitespace.
  case emptyText
  /// The text starts with U+FEFF, which senders must not add (RFC 8259 §8.1).
  case byteOrderMark
  /// The text is longer than the reader's offsets can express.
  case textTooLong(limit: Int)
  /// More nested containers than the caller allows.
  case nestingTooDeep(limit: Int)
  /// More values and names than the caller allows.
  case tooManyValues(limit: Int)
  /// More rows than the caller allows.
  case tooManyRows(limit: Int)

  case expectedValue
  case expectedValueAfterComma
  case expectedCommaOrBracket
  case expectedCommaOrBrace
  case expectedName
  case expectedNameAfterComma
  case expectedColon
  case contentAfterValue
  /// The text ends inside an array, object or string.
  case endInside(JSONKind)

  /// A word that starts like `null`, `true` or `false` but continues differently.
  case misspelledLiteral(JSONKind)

  case leadingZero
  case expectedDigitAfterMinus
  case expectedDigitAfterPoint
  case expectedDigitInExponent

  /// A byte below 0x20 in a string.
  case controlCharacter(UInt8)
  /// The byte after a backslash is none of `"\/bfnrtu`.
  case unknownEscape(UInt8)
  case expectedHexDigit
  /// The bytes from here on are not valid UTF-8 (overlong forms, surrogates and stray bytes included).
  case invalidUTF8
}

extension JSONProblem: CustomStringConvertible {
  package var description: String {
    switch self {
    case .emptyText: "the text has no value"
    case .byteOrderMark: "a byte order mark is not allowed"
    case .textTooLong(let limit): "text longer than \(limit) bytes"
    case .nestingTooDeep(let limit): "nesting deeper than \(limit)"
    case .tooManyValues(let limit): "more than \(limit) values"
    case .tooManyRows(let limit): "more than \(limit) rows"
    case .expectedValue: "expected a value"
    case .expectedValueAfterComma: "expected a value after ','"
    case .expectedCommaOrBracket: "expected ',' or ']' after an array element"
    case .expectedCommaOrBrace: "expected ',' or '}' after a member"
    case .expectedName: "expected a member name in double quotes or '}'"
    case .expectedNameAfterComma: "expected a member name in double quotes after ','"
    case .expectedColon: "expected ':' after a member name"
    case .contentAfterValue: "expected nothing after the value"
    case .endInside(.array): "the text ends inside an array"
    case .endInside(.object): "the text ends inside an object"
    case .endInside: "the text ends inside a string"
    case .misspelledLiteral(.null): "expected 'null'"
    case .misspelledLiteral(.true): "expected 'true'"
    case .misspelledLiteral: "expected 'false'"
    case .leadingZero: "a number must not begin with an unnecessary zero"
    case .expectedDigitAfterMinus: "expected a digit after '-'"
    case .expectedDigitAfterPoint: "expected a digit after '.'"
    case .expectedDigitInExponent: "expected a digit in the exponent"
    case .controlCharacter(let byte): "control character U+\(hexadecimal(byte)) in a string must be escaped"
    case .unknownEscape(let byte) where (0x21...0x7E).contains(byte):
      "unknown escape '\\\(Character(Unicode.Scalar(byte)))'"
    case .unknownEscape: "unknown escape"
    case .expectedHexDigit: "expected four hexadecimal digits after '\\u'"
    case .invalidUTF8: "invalid UTF-8"
    }
  }

  private func hexadecimal(_ byte: UInt8) -> String {
    let digits = String(byte, radix: 16, uppercase: true)
    return String(repeating: "0", count: 4 - digits.count) + digits
  }
}
