/// An expression that stands for one value or for Nothing: RFC 9535 calls it "comparable" in its grammar and
/// "ValueType" where it is the argument of a function (§2.4.1).
indirect enum ValueExpression: Hashable, Sendable, CustomStringConvertible {
  case literal(Literal)
  /// A singular query.
  case query(Query)
  case function(ValueFunction)

  var description: String {
    switch self {
    case .literal(let literal): literal.description
    case .query(let query): query.description
    case .function(let function): function.description
    }
  }
}
