extension QueryParser {
  /// logical-or-expr = logical-and-expr *(S "||" S logical-and-expr)
  mutating func parseLogicalExpression() throws(JSONPathSyntaxError) -> LogicalExpression {
    let first = try parseConjunction()
    var operands = [first]
    while takeOperator("||") { operands.append(try parseConjunction()) }
    return operands.count == 1 ? first : .or(operands)
  }

  /// logical-and-expr = basic-expr *(S "&&" S basic-expr)
  private mutating func parseConjunction() throws(JSONPathSyntaxError) -> LogicalExpression {
    let first = try parseBasicExpression()
    var operands = [first]
    while takeOperator("&&") { operands.append(try parseBasicExpression()) }
    return operands.count == 1 ? first : .and(operands)
  }

  /// Goes past an operator and the blanks around it if it is next.
  private mutating func takeOperator(_ text: StaticString) -> Bool {
    let end = scanner.offset
    scanner.skipBlanks()
    guard scanner.take(text) else {
      scanner.rewind(to: end)
      return false
    }
    scanner.skipBlanks()
    return true
  }

  /// basic-expr = paren-expr / comparison-expr / test-expr
  private mutating func parseBasicExpression() throws(JSONPathSyntaxError) -> LogicalExpression {
    if scanner.take(.bang) {
      scanner.skipBlanks()
      return .not(try parseNegatedExpression())
    }
    if scanner.current == .openParenthesis { return try parseParentheses() }

    let left = try parseOperand()
    let end = scanner.offset
    scanner.skipBlanks()
    guard let comparison = takeComparisonOperator() else {
      scanner.rewind(to: end)
      return try left.asTest()
    }
    scanner.skipBlanks()
    let right = try parseOperand()
    return .comparison(
      Comparison(
        left: try left.asValue(for: "compared"), operator: comparison, right: try right.asValue(for: "compared")))
  }

  /// What may follow "!": parentheses, or a query or function that is a test by itself.
  private mutating func parseNegatedExpression() throws(JSONPathSyntaxError) -> LogicalExpression {
    if scanner.current == .openParenthesis { return try parseParentheses() }
    let operand = try parseOperand()
    let end = scanner.offset
    scanner.skipBlanks()
    let operatorPlace = scanner
    if takeComparisonOperator() != nil { throw operatorPlace.error("'!' before a comparison needs parentheses") }
    scanner.rewind(to: end)
    return try operand.asTest()
  }

  /// "(" S logical-expr S ")"
  private mutating func parseParentheses() throws(JSONPathSyntaxError) -> LogicalExpression {
    let expression = try nested { parser throws(JSONPathSyntaxError) in
      parser.scanner.advance()
      parser.scanner.skipBlanks()
      return try parser.parseLogicalExpression()
    }
    scanner.skipBlanks()
    guard scanner.take(.closeParenthesis) else { throw scanner.error("expected '&&', '||' or ')'") }
    return expression
  }

  private mutating func takeComparisonOperator() -> Comparison.Operator? {
    // Two-character operators first, so that "<=" is not taken for "<".
    if scanner.take("==") { return .equal }
    if scanner.take("!=") { return .notEqual }
    if scanner.take("<=") { return .lessOrEqual }
    if scanner.take(">=") { return .greaterOrEqual }
    if scanner.take("<") { return .less }
    if scanner.take(">") { return .greater }
    return nil
  }

  /// A literal, a query or a function: what may stand beside a comparison operator or be an argument.
  mutating func parseOperand() throws(JSONPathSyntaxError) -> Operand {
    let start = scanner.offset
    switch scanner.current {
    case .singleQuote, .doubleQuote:
      return Operand(offset: start, kind: .literal(.string(try parseString())))
    case .minus:
      return Operand(offset: start, kind: .literal(try parseNumber()))
    case .some(let byte) where byte.isDigit:
      return Operand(offset: start, kind: .literal(try parseNumber()))
    case .dollar:
      return try parseQuery(from: .root)
    case .at:
      return try parseQuery(from: .current)
    case .some(let byte) where byte.isLowercaseLetter:
      return try parseKeywordOrFunction()
    default:
      throw scanner.error("expected a value, a query ('@' or '$'), a function or '('")
    }
  }

  private mutating func parseQuery(from start: Query.Start) throws(JSONPathSyntaxError) -> Operand {
    let offset = scanner.offset
    scanner.advance()
    let parsed = try parseSegments()
    return Operand(
      offset: offset,
      kind: .query(Query(start: start, segments: parsed.segments), firstNotSingular: parsed.firstNotSingular))
  }

  private mutating func parseKeywordOrFunction() throws(JSONPathSyntaxError) -> Operand {
    let start = scanner
    scanner.skip(while: \.continuesFunctionName)
    let name = scanner.text(from: start.offset)
    if scanner.current == .openParenthesis {
      return Operand(offset: start.offset, kind: try parseFunction(name, at: start))
    }
    switch name {
    case "null": return Operand(offset: start.offset, kind: .literal(.null))
    case "true": return Operand(offset: start.offset, kind: .literal(.boolean(true)))
    case "false": return Operand(offset: start.offset, kind: .literal(.boolean(false)))
    case "length", "count", "match", "search", "value":
      throw scanner.error("expected '(' directly after '\(name)'")
    default: throw start.error("unknown word '\(name)'; text is written in quotes")
    }
  }
}
