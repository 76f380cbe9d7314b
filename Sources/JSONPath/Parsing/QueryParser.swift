/// A parser from the text of a query to its typed form (RFC 9535 §2.1, appendix A).
///
/// Recursive descent, with the grammar's rules as methods: segments here, selectors, literals, filters and functions in
/// the extensions.
struct QueryParser {
  /// The maximum nesting of parentheses, filters and functions: the parser recurses for each level, and an untrusted
  /// query must not exhaust the stack. Small enough for the 512 KiB stack of a secondary thread.
  static let maximumNesting = 64

  var scanner: QueryScanner
  private var nesting = 0

  private init(_ text: String) { scanner = QueryScanner(text) }

  static func parse(_ text: String) throws(SyntaxError) -> Query {
    var parser = QueryParser(text)
    guard parser.scanner.take("$") else { throw parser.scanner.error("a query begins with '$'") }
    let segments = try parser.parseSegments().segments
    guard !parser.scanner.isAtEnd else { return Query(start: .root, segments: segments) }

    let end = parser.scanner
    parser.scanner.skipBlanks()
    if parser.scanner.isAtEnd { throw end.error("blank space after the query") }
    let name = end.nameAround.map { "; a name such as '\($0)' is written ['\($0)']" } ?? ""
    throw parser.scanner.error("expected '.', '..', '[' or the end of the query" + name)
  }

  /// Parses one more level of nesting.
  mutating func nested<Result>(
    _ parse: (inout QueryParser) throws(SyntaxError) -> Result
  ) throws(SyntaxError) -> Result {
    guard nesting < Self.maximumNesting else {
      throw scanner.error("nested more than \(Self.maximumNesting) levels deep")
    }
    nesting += 1
    defer { nesting -= 1 }
    return try parse(&self)
  }

  // MARK: Segments

  /// Segments, and the offset of the first one that makes the query non-singular.
  struct ParsedSegments {
    var segments: [Segment] = []
    var firstNotSingular: Int?
  }

  /// segments = *(S segment)
  mutating func parseSegments() throws(SyntaxError) -> ParsedSegments {
    var parsed = ParsedSegments()
    while true {
      let end = scanner.offset
      scanner.skipBlanks()
      let start = scanner.offset
      guard let segment = try parseSegment() else {
        // Trailing blanks only belong to a query if a segment follows.
        scanner.rewind(to: end)
        return parsed
      }
      if segment.singularStep == nil, parsed.firstNotSingular == nil { parsed.firstNotSingular = start }
      parsed.segments.append(segment)
    }
  }

  /// Parses the segment that starts here, or returns nil if there is none.
  private mutating func parseSegment() throws(SyntaxError) -> Segment? {
    if scanner.take("..") { return .descendant(try parseSelectors(after: "'..'", orBracketed: true)) }
    if scanner.take(".") { return .child(try parseSelectors(after: "'.'", orBracketed: false)) }
    if scanner.current == "[" { return .child(try parseBracketedSelection()) }
    return nil
  }

  /// Parses what follows dots directly: a wildcard or a name, and after two dots brackets too.
  private mutating func parseSelectors(after dots: String, orBracketed: Bool) throws(SyntaxError) -> [Selector] {
    if scanner.take("*") { return [.wildcard] }
    if orBracketed, scanner.current == "[" { return try parseBracketedSelection() }
    guard let first = scanner.current, first.beginsShorthandName else {
      throw scanner.error("expected a name\(orBracketed ? ", '*' or '['" : " or '*'") after \(dots)")
    }
    let start = scanner.offset
    scanner.skip(while: \.continuesShorthandName)
    return [.name(ScalarText(scanner.text(from: start)))]
  }

  /// bracketed-selection = "[" S selector *(S "," S selector) S "]"
  mutating func parseBracketedSelection() throws(SyntaxError) -> [Selector] {
    scanner.advance()
    var selectors: [Selector] = []
    repeat {
      scanner.skipBlanks()
      selectors.append(try parseSelector())
      scanner.skipBlanks()
    } while scanner.take(",")

    guard scanner.take("]") else { throw scanner.error("expected ',' or ']'") }
    return selectors
  }

  private mutating func parseSelector() throws(SyntaxError) -> Selector {
    switch scanner.current {
    case "'", "\"":
      return .name(try parseString())
    case "*":
      scanner.advance()
      return .wildcard
    case "?":
      scanner.advance()
      scanner.skipBlanks()
      return .filter(try nested { parser throws(SyntaxError) in try parser.parseLogicalExpression() })
    default:
      return try parseIndexOrSlice()
    }
  }

  /// index-selector = int; slice-selector = [start S] ":" S [end S] [":" [S step]]
  private mutating func parseIndexOrSlice() throws(SyntaxError) -> Selector {
    let start = try parseIntegerIfPresent()
    let endOfStart = scanner.offset
    scanner.skipBlanks()
    guard scanner.take(":") else {
      scanner.rewind(to: endOfStart)
      guard let index = start else {
        throw scanner.error("expected a name in quotes, '*', an index, a slice or '?'")
      }
      return .index(index)
    }

    var slice = Slice(start: start)
    scanner.skipBlanks()
    slice.end = try parseIntegerIfPresent()
    scanner.skipBlanks()
    if scanner.take(":") {
      scanner.skipBlanks()
      slice.step = try parseIntegerIfPresent()
    }
    return .slice(slice)
  }

  /// int = "0" / (["-"] DIGIT1 *DIGIT), within ±(2^53 - 1) (RFC 9535 §2.1); nil if no integer starts here.
  private mutating func parseIntegerIfPresent() throws(SyntaxError) -> Int? {
    let start = scanner
    let isNegative = scanner.take("-")
    guard let first = scanner.current, first.isDigit else {
      if isNegative { throw scanner.error("expected a digit after '-'") }
      return nil
    }
    if first == "0" {
      if isNegative { throw start.error("'-0' is not allowed; write 0") }
      if let second = scanner.following, second.isDigit { throw scanner.error("a leading zero is not allowed") }
    }

    let firstDigit = scanner.offset
    scanner.skip(while: \.isDigit)
    let magnitude = Int(scanner.text(from: firstDigit))
    guard let magnitude, magnitude < 1 << 53 else {
      throw start.error("an integer must be within -(2^53 - 1) and 2^53 - 1")
    }
    return isNegative ? -magnitude : magnitude
  }

  /// Parses a string in single or double quotes, with the scanner at the opening quote (RFC 9535 §2.3.1.1).
  mutating func parseString() throws(SyntaxError) -> ScalarText {
    let quote = scanner.current
    let opening = scanner
    scanner.advance()

    var text = ""
    while true {
      let start = scanner.offset
      scanner.skip { $0 != quote && $0 != "\\" && $0 >= " " }
      text += scanner.text(from: start)

      switch scanner.current {
      case nil:
        throw opening.error("unterminated string")
      case quote:
        scanner.advance()
        return ScalarText(text)
      case "\\":
        text.unicodeScalars.append(try parseEscape(inside: quote))
      default:
        throw scanner.error("a control character in a string must be escaped")
      }
    }
  }

  /// Parses an escape, with the scanner at its backslash.
  private mutating func parseEscape(inside quote: Unicode.Scalar?) throws(SyntaxError) -> Unicode.Scalar {
    let backslash = scanner
    scanner.advance()
    let escaped = scanner.current
    scanner.advance()
    switch escaped {
    case "b": return "\u{8}"
    case "f": return "\u{C}"
    case "n": return "\n"
    case "r": return "\r"
    case "t": return "\t"
    case "/": return "/"
    case "\\": return "\\"
    case "'" where quote == "'": return "'"
    case "\"" where quote == "\"": return "\""
    case "u": return try parseUnicodeEscape(from: backslash)
    default: throw backslash.error("unknown escape; known are \\b \\f \\n \\r \\t \\/ \\\\ \\u and the quote itself")
    }
  }

  /// hexchar: four digits, or twice four for a surrogate pair.
  private mutating func parseUnicodeEscape(from backslash: QueryScanner) throws(SyntaxError) -> Unicode.Scalar {
    let unit = try parseFourHexadecimalDigits()
    if let scalar = Unicode.Scalar(unit) { return scalar }

    // A code unit that is not a scalar is a surrogate: a high one must be followed by an escaped low one.
    guard unit < 0xDC00, scanner.take("\\u") else { throw backslash.error("half of a surrogate pair") }
    let low = try parseFourHexadecimalDigits()
    guard (0xDC00...0xDFFF).contains(low),
      let scalar = Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00))
    else { throw backslash.error("half of a surrogate pair") }
    return scalar
  }

  private mutating func parseFourHexadecimalDigits() throws(SyntaxError) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard let digit = scanner.current.flatMap({ Character($0).hexDigitValue }) else {
        throw scanner.error("expected four hexadecimal digits after '\\u'")
      }
      value = value << 4 | UInt32(digit)
      scanner.advance()
    }
    return value
  }

  /// number = (int / "-0") [frac] [exp] (RFC 9535 §2.3.5.1), with the scanner at a digit or minus.
  mutating func parseNumber() throws(SyntaxError) -> Literal {
    let start = scanner.offset
    _ = scanner.take("-")
    if scanner.current == "0", let second = scanner.following, second.isDigit {
      throw scanner.error("a leading zero is not allowed")
    }
    try parseDigits(after: "'-'")
    if scanner.take(".") { try parseDigits(after: "'.'") }
    if scanner.take("e") || scanner.take("E") {
      if !scanner.take("-") { _ = scanner.take("+") }
      try parseDigits(after: "the exponent's sign or 'e'")
    }
    return .number(scanner.text(from: start))
  }

  private mutating func parseDigits(after place: String) throws(SyntaxError) {
    guard let first = scanner.current, first.isDigit else { throw scanner.error("expected a digit after \(place)") }
    scanner.skip(while: \.isDigit)
  }
}
