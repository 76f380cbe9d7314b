extension QueryParser {
  /// bracketed-selection = "[" S selector *(S "," S selector) S "]"
  mutating func parseBracketedSelection() throws(JSONPathSyntaxError) -> [Selector] {
    scanner.advance()
    var selectors: [Selector] = []
    repeat {
      scanner.skipBlanks()
      selectors.append(try parseSelector())
      scanner.skipBlanks()
    } while scanner.take(.comma)

    guard scanner.take(.closeBracket) else { throw scanner.error("expected ',' or ']'") }
    return selectors
  }

  private mutating func parseSelector() throws(JSONPathSyntaxError) -> Selector {
    switch scanner.current {
    case .singleQuote, .doubleQuote:
      return .name(try parseString())
    case .asterisk:
      scanner.advance()
      return .wildcard
    case .questionMark:
      scanner.advance()
      scanner.skipBlanks()
      return .filter(try nested { parser throws(JSONPathSyntaxError) in try parser.parseLogicalExpression() })
    default:
      return try parseIndexOrSlice()
    }
  }

  /// index-selector = int; slice-selector = [start S] ":" S [end S] [":" [S step]]
  private mutating func parseIndexOrSlice() throws(JSONPathSyntaxError) -> Selector {
    let start = try parseIntegerIfPresent()
    let endOfStart = scanner.offset
    scanner.skipBlanks()
    guard scanner.take(.colon) else {
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
    if scanner.take(.colon) {
      scanner.skipBlanks()
      slice.step = try parseIntegerIfPresent()
    }
    return .slice(slice)
  }

  /// int = "0" / (["-"] DIGIT1 *DIGIT), within ±(2^53 - 1) (RFC 9535 §2.1); nil where no integer begins.
  private mutating func parseIntegerIfPresent() throws(JSONPathSyntaxError) -> Int? {
    let start = scanner
    let isNegative = scanner.take(.minus)
    guard let first = scanner.current, first.isDigit else {
      if isNegative { throw scanner.error("expected a digit after '-'") }
      return nil
    }
    if first == .zero {
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
}
