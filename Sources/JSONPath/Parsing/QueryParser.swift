/// Reads the text of a query into its typed form (RFC 9535 §2.1, appendix A).
///
/// Recursive descent, with the grammar's rules as methods: segments here, selectors, literals, filters and functions
/// in the extensions.
struct QueryParser {
  /// How deeply parentheses, filters and functions may be nested in each other: the parser calls itself for each of
  /// them, and a query from outside must not exhaust the stack. Small enough for the 512 KiB of a secondary thread.
  static let maximumNesting = 64

  var scanner: QueryScanner
  private var nesting = 0

  private init(_ text: String) {
    scanner = QueryScanner(text)
  }

  static func parse(_ text: String) throws(JSONPathSyntaxError) -> Query {
    var parser = QueryParser(text)
    guard parser.scanner.take(.dollar) else { throw parser.scanner.error("a query begins with '$'") }
    let segments = try parser.parseSegments().segments
    guard !parser.scanner.isAtEnd else { return Query(start: .root, segments: segments) }

    let end = parser.scanner
    parser.scanner.skipBlanks()
    if parser.scanner.isAtEnd { throw end.error("blank space after the query") }
    throw parser.scanner.error("expected '.', '..', '[' or the end of the query")
  }

  /// Runs one more level of nesting.
  mutating func nested<Result>(
    _ parse: (inout QueryParser) throws(JSONPathSyntaxError) -> Result
  ) throws(JSONPathSyntaxError) -> Result {
    guard nesting < Self.maximumNesting else {
      throw scanner.error("nested more than \(Self.maximumNesting) levels deep")
    }
    nesting += 1
    defer { nesting -= 1 }
    return try parse(&self)
  }

  // MARK: Segments

  /// Segments, and where the first of them stands that makes the query other than singular.
  struct ParsedSegments {
    var segments: [Segment] = []
    var firstNotSingular: Int?
  }

  /// segments = *(S segment)
  mutating func parseSegments() throws(JSONPathSyntaxError) -> ParsedSegments {
    var parsed = ParsedSegments()
    while true {
      let end = scanner.offset
      scanner.skipBlanks()
      let start = scanner.offset
      guard let segment = try parseSegment() else {
        // Blanks belong to a query only where a segment follows.
        scanner.rewind(to: end)
        return parsed
      }
      if segment.singularStep == nil, parsed.firstNotSingular == nil { parsed.firstNotSingular = start }
      parsed.segments.append(segment)
    }
  }

  /// The segment that begins here, nil where none does.
  private mutating func parseSegment() throws(JSONPathSyntaxError) -> Segment? {
    if scanner.take("..") {
      return .descendant(try parseSelectors(after: "'..'", orBracketed: true))
    }
    if scanner.take(.dot) {
      return .child(try parseSelectors(after: "'.'", orBracketed: false))
    }
    if scanner.current == .openBracket {
      return .child(try parseBracketedSelection())
    }
    return nil
  }

  /// What follows dots at once: a wildcard or a name, and after two of them brackets too.
  private mutating func parseSelectors(
    after dots: String, orBracketed: Bool
  ) throws(JSONPathSyntaxError) -> [Selector] {
    if scanner.take(.asterisk) { return [.wildcard] }
    if orBracketed, scanner.current == .openBracket { return try parseBracketedSelection() }
    guard let first = scanner.current, first.beginsShorthandName else {
      throw scanner.error("expected a name\(orBracketed ? ", '*' or '['" : " or '*'") after \(dots)")
    }
    let start = scanner.offset
    scanner.skip(while: \.continuesShorthandName)
    return [.name(ScalarText(scanner.text(from: start)))]
  }
}
