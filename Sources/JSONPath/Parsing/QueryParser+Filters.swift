extension QueryParser {
  /// logical-or-expr = logical-and-expr *(S "||" S logical-and-expr)
  mutating func parseLogicalExpression() throws(SyntaxError) -> LogicalExpression {
    let first = try parseConjunction()
    var operands = [first]
    while takeOperator("||") { operands.append(try parseConjunction()) }
    return operands.count == 1 ? first : .or(operands)
  }

  /// logical-and-expr = basic-expr *(S "&&" S basic-expr)
  private mutating func parseConjunction() throws(SyntaxError) -> LogicalExpression {
    let first = try parseBasicExpression()
    var operands = [first]
    while takeOperator("&&") { operands.append(try parseBasicExpression()) }
    return operands.count == 1 ? first : .and(operands)
  }

  /// Skips an operator and the blanks around it if it is next, and returns whether it was.
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
  private mutating func parseBasicExpression() throws(SyntaxError) -> LogicalExpression {
    if scanner.take("!") {
      scanner.skipBlanks()
      return .not(try parseNegatedExpression())
    }
    if scanner.current == "(" { return try parseParentheses() }

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

  /// Parses the operand of "!": parentheses, or a query or function that is a test expression.
  private mutating func parseNegatedExpression() throws(SyntaxError) -> LogicalExpression {
    if scanner.current == "(" { return try parseParentheses() }
    let operand = try parseOperand()
    let end = scanner.offset
    scanner.skipBlanks()
    let operatorPlace = scanner
    if takeComparisonOperator() != nil { throw operatorPlace.error("'!' before a comparison needs parentheses") }
    scanner.rewind(to: end)
    return try operand.asTest()
  }

  /// "(" S logical-expr S ")"
  private mutating func parseParentheses() throws(SyntaxError) -> LogicalExpression {
    let expression = try nested { parser throws(SyntaxError) in
      parser.scanner.advance()
      parser.scanner.skipBlanks()
      return try parser.parseLogicalExpression()
    }
    scanner.skipBlanks()
    guard scanner.take(")") else { throw scanner.error("expected '&&', '||' or ')'") }
    return expression
  }

  private mutating func takeComparisonOperator() -> Comparison.Operator? {
    // Two-character operators first, so that "<=" is not parsed as "<".
    if scanner.take("==") { return .equal }
    if scanner.take("!=") { return .notEqual }
    if scanner.take("<=") { return .lessOrEqual }
    if scanner.take(">=") { return .greaterOrEqual }
    if scanner.take("<") { return .less }
    if scanner.take(">") { return .greater }
    return nil
  }

  /// Parses a literal, a query or a function: an operand of a comparison operator or an argument.
  mutating func parseOperand() throws(SyntaxError) -> Operand {
    let start = scanner.offset
    switch scanner.current {
    case "'", "\"":
      return Operand(offset: start, kind: .literal(.string(try parseString())))
    case "-":
      return Operand(offset: start, kind: .literal(try parseNumber()))
    case .some(let next) where next.isDigit:
      return Operand(offset: start, kind: .literal(try parseNumber()))
    case "$":
      return try parseQuery(from: .root)
    case "@":
      return try parseQuery(from: .current)
    case .some(let next) where next.isLowercaseLetter:
      return try parseKeywordOrFunction()
    default:
      throw scanner.error("expected a value, a query ('@' or '$'), a function or '('")
    }
  }

  private mutating func parseQuery(from start: Query.Start) throws(SyntaxError) -> Operand {
    let offset = scanner.offset
    scanner.advance()
    let parsed = try parseSegments()
    return Operand(
      offset: offset,
      kind: .query(Query(start: start, segments: parsed.segments), firstNotSingular: parsed.firstNotSingular))
  }

  private mutating func parseKeywordOrFunction() throws(SyntaxError) -> Operand {
    let start = scanner
    scanner.skip(while: \.continuesFunctionName)
    let name = scanner.text(from: start.offset)
    if scanner.current == "(" {
      return Operand(offset: start.offset, kind: try parseFunction(name, at: start))
    }
    switch name {
    case "null": return Operand(offset: start.offset, kind: .literal(.null))
    case "true": return Operand(offset: start.offset, kind: .literal(.boolean(true)))
    case "false": return Operand(offset: start.offset, kind: .literal(.boolean(false)))
    case "length", "count", "match", "search", "value":
      throw scanner.error("expected '(' directly after '\(name)'")
    default: throw start.error("unknown word '\(name)'; write strings in quotes")
    }
  }

  /// Parses a call, with the scanner at its opening parenthesis and `start` at its name (RFC 9535 §2.4).
  ///
  /// The parameters of each function are spelled out, so that only well-typed expressions are built.
  mutating func parseFunction(_ name: String, at start: QueryScanner) throws(SyntaxError) -> Operand.Kind {
    guard ["length", "count", "match", "search", "value"].contains(name) else {
      throw start.error("unknown function '\(name)'; known are length, count, match, search and value")
    }
    return try nested { parser throws(SyntaxError) in
      parser.scanner.advance()
      switch name {
      case "length":
        let value = try parser.parseArgument(1, of: 1, for: name).asValue(for: "an argument of 'length'")
        return .valueFunction(.length(value))
      case "count":
        return .valueFunction(.count(try parser.parseArgument(1, of: 1, for: name).asQuery(for: name)))
      case "value":
        return .valueFunction(.value(try parser.parseArgument(1, of: 1, for: name).asQuery(for: name)))
      default:
        let text = try parser.parseArgument(1, of: 2, for: name).asValue(for: "an argument of '\(name)'")
        let pattern = try parser.parseArgument(2, of: 2, for: name).asValue(for: "an argument of '\(name)'")
        return .logicalFunction(name == "match" ? .match(text, pattern: pattern) : .search(text, pattern: pattern))
      }
    }
  }

  /// Parses one argument, and the comma or parenthesis after it.
  private mutating func parseArgument(
    _ number: Int, of total: Int, for function: String
  ) throws(SyntaxError) -> Operand {
    let arity = "'\(function)' takes \(total == 1 ? "one argument" : "two arguments")"
    scanner.skipBlanks()
    if scanner.current == ")" { throw scanner.error(arity) }
    let argument = try parseOperand()
    scanner.skipBlanks()

    let isLast = number == total
    if scanner.take(isLast ? ")" : ",") { return argument }
    switch scanner.current {
    case ",", ")": throw scanner.error(arity)
    default: throw scanner.error(isLast ? "expected ')'" : "expected ','")
    }
  }
}

/// A part of a filter whose role depends on what follows it.
struct Operand {
  enum Kind {
    case literal(Literal)
    /// A query, and the offset of its first segment that makes it non-singular.
    case query(Query, firstNotSingular: Int?)
    case valueFunction(ValueFunction)
    case logicalFunction(LogicalFunction)
  }

  /// The offset at which it starts.
  var offset: Int
  var kind: Kind

  /// Returns the operand as a test expression: the existence of a query's nodes, or a function with a logical result.
  func asTest() throws(SyntaxError) -> LogicalExpression {
    switch kind {
    case .query(let query, _): return .exists(query)
    case .logicalFunction(let function): return .function(function)
    case .literal: throw error("a literal alone is not a condition; compare it with something")
    case .valueFunction: throw error("the function's result is a value; compare it with something")
    }
  }

  /// Returns the operand as a value, with its use worded for errors: "compared", "an argument of 'length'".
  func asValue(for use: String) throws(SyntaxError) -> ValueExpression {
    switch kind {
    case .literal(let literal): return .literal(literal)
    case .query(let query, nil): return .query(query)
    case .query(_, .some(let offset)):
      throw SyntaxError(offset: offset, message: "this may select several nodes; only a singular query can be \(use)")
    case .valueFunction(let function): return .function(function)
    case .logicalFunction: throw error("the function's result is true or false; it cannot be \(use)")
    }
  }

  /// Returns the operand as the query that `function` requires.
  func asQuery(for function: String) throws(SyntaxError) -> Query {
    guard case .query(let query, _) = kind else { throw error("'\(function)' takes a query") }
    return query
  }

  private func error(_ message: String) -> SyntaxError { SyntaxError(offset: offset, message: message) }
}
