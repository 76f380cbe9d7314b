/// A part of a filter whose role is not known before what follows it has been read.
struct Operand {
  enum Kind {
    case literal(Literal)
    /// A query, and where its first segment stands that makes it other than singular.
    case query(Query, firstNotSingular: Int?)
    case valueFunction(ValueFunction)
    case logicalFunction(LogicalFunction)
  }

  /// Where it begins.
  var offset: Int
  var kind: Kind

  /// The operand as a test of its own: a query for its existence, or a function with a logical result.
  func asTest() throws(JSONPathSyntaxError) -> LogicalExpression {
    switch kind {
    case .query(let query, _): return .exists(query)
    case .logicalFunction(let function): return .function(function)
    case .literal: throw error("a literal alone is no condition; it must be compared")
    case .valueFunction: throw error("the function's result is a value; it must be compared")
    }
  }

  /// The operand as a value that is to be `used`: "compared", "an argument of 'length'".
  func asValue(for use: String) throws(JSONPathSyntaxError) -> ValueExpression {
    switch kind {
    case .literal(let literal): return .literal(literal)
    case .query(let query, nil): return .query(query)
    case .query(_, .some(let offset)):
      throw JSONPathSyntaxError(
        offset: offset, message: "this may select several nodes; a query can be \(use) only if it is singular")
    case .valueFunction(let function): return .function(function)
    case .logicalFunction: throw error("the function's result is true or false; it cannot be \(use)")
    }
  }

  /// The operand as the query that `function` asks for.
  func asQuery(for function: String) throws(JSONPathSyntaxError) -> Query {
    guard case .query(let query, _) = kind else { throw error("'\(function)' takes a query") }
    return query
  }

  private func error(_ message: String) -> JSONPathSyntaxError {
    JSONPathSyntaxError(offset: offset, message: message)
  }
}
