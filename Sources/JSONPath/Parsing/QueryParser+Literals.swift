extension QueryParser {
  /// A string in single or double quotes; the scanner stands at the first of them (RFC 9535 §2.3.1.1).
  mutating func parseString() throws(JSONPathSyntaxError) -> ScalarText {
    let quote = scanner.current
    let opening = scanner
    scanner.advance()

    var text = ""
    while true {
      let start = scanner.offset
      scanner.skip { $0 != quote && $0 != .backslash && $0 >= .space }
      text += scanner.text(from: start)

      switch scanner.current {
      case nil:
        throw opening.error("the string is not closed")
      case quote:
        scanner.advance()
        return ScalarText(text)
      case .backslash:
        text.unicodeScalars.append(try parseEscape(inside: quote))
      default:
        throw scanner.error("a control character in a string must be escaped")
      }
    }
  }

  /// The scalar that an escape stands for; the scanner stands at its backslash.
  private mutating func parseEscape(inside quote: UInt8?) throws(JSONPathSyntaxError) -> Unicode.Scalar {
    let backslash = scanner
    scanner.advance()
    let escaped = scanner.current
    scanner.advance()
    switch escaped {
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "/"): return "/"
    case .backslash: return "\\"
    case .singleQuote where quote == .singleQuote: return "'"
    case .doubleQuote where quote == .doubleQuote: return "\""
    case UInt8(ascii: "u"): return try parseUnicodeEscape(from: backslash)
    default: throw backslash.error("unknown escape; known are \\b \\f \\n \\r \\t \\/ \\\\ \\u and the quote itself")
    }
  }

  /// hexchar: four digits, or two times four for a pair of surrogates.
  private mutating func parseUnicodeEscape(
    from backslash: QueryScanner
  ) throws(JSONPathSyntaxError) -> Unicode.Scalar {
    let unit = try parseFourHexadecimalDigits()
    if let scalar = Unicode.Scalar(unit) { return scalar }

    // What is no scalar is a surrogate: a high one, and a low one in a second escape.
    guard unit < 0xDC00, scanner.take("\\u") else { throw backslash.error("half of a surrogate pair") }
    let low = try parseFourHexadecimalDigits()
    guard (0xDC00...0xDFFF).contains(low),
      let scalar = Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00))
    else { throw backslash.error("half of a surrogate pair") }
    return scalar
  }

  private mutating func parseFourHexadecimalDigits() throws(JSONPathSyntaxError) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard let digit = scanner.current?.hexadecimalValue else {
        throw scanner.error("expected four hexadecimal digits after '\\u'")
      }
      value = value << 4 | digit
      scanner.advance()
    }
    return value
  }

  /// number = (int / "-0") [frac] [exp] (RFC 9535 §2.3.5.1); the scanner stands at a digit or minus.
  mutating func parseNumber() throws(JSONPathSyntaxError) -> Literal {
    let start = scanner.offset
    _ = scanner.take(.minus)
    if scanner.current == .zero, let second = scanner.following, second.isDigit {
      throw scanner.error("a leading zero is not allowed")
    }
    try parseDigits(after: "'-'")
    if scanner.take(.dot) { try parseDigits(after: "'.'") }
    if scanner.take("e") || scanner.take("E") {
      if !scanner.take(.minus) { _ = scanner.take(.plus) }
      try parseDigits(after: "the exponent's sign or 'e'")
    }
    return .number(scanner.text(from: start))
  }

  private mutating func parseDigits(after place: String) throws(JSONPathSyntaxError) {
    guard let first = scanner.current, first.isDigit else { throw scanner.error("expected a digit after \(place)") }
    scanner.skip(while: \.isDigit)
  }
}
