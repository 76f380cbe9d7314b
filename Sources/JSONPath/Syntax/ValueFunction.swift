/// The functions whose result is a value or Nothing (RFC 9535 §2.4).
enum ValueFunction: Hashable, Sendable, CustomStringConvertible {
  /// Scalars of a string, elements of an array or members of an object; Nothing for other values (§2.4.4).
  case length(ValueExpression)
  /// How many nodes a query selects (§2.4.5).
  case count(Query)
  /// The value of the one node that a query selects; Nothing where there are none or several (§2.4.8).
  case value(Query)

  var description: String {
    switch self {
    case .length(let value): "length(\(value))"
    case .count(let query): "count(\(query))"
    case .value(let query): "value(\(query))"
    }
  }
}
