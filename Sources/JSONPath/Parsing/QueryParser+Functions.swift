extension QueryParser {
  /// A call; the scanner stands at its opening parenthesis, `start` at its name (RFC 9535 §2.4).
  ///
  /// The parameters of each function are written out here, so that what is not well-typed is never built.
  mutating func parseFunction(_ name: String, at start: QueryScanner) throws(JSONPathSyntaxError) -> Operand.Kind {
    guard ["length", "count", "match", "search", "value"].contains(name) else {
      throw start.error("unknown function '\(name)'; known are length, count, match, search and value")
    }
    return try nested { parser throws(JSONPathSyntaxError) in
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

  /// One argument, and the comma or parenthesis after it.
  private mutating func parseArgument(
    _ number: Int, of total: Int, for function: String
  ) throws(JSONPathSyntaxError) -> Operand {
    let arity = "'\(function)' takes \(total == 1 ? "one argument" : "two arguments")"
    scanner.skipBlanks()
    if scanner.current == .closeParenthesis { throw scanner.error(arity) }
    let argument = try parseOperand()
    scanner.skipBlanks()

    let isLast = number == total
    if scanner.take(isLast ? .closeParenthesis : .comma) { return argument }
    switch scanner.current {
    case .comma, .closeParenthesis: throw scanner.error(arity)
    default: throw scanner.error(isLast ? "expected ')'" : "expected ','")
    }
  }
}
