/// The functions whose result is true or false (RFC 9535 §2.4).
enum LogicalFunction: Hashable, Sendable, CustomStringConvertible {
  /// Whether the whole of a string matches an I-Regexp (§2.4.6).
  case match(ValueExpression, pattern: ValueExpression)
  /// Whether a string contains a match of an I-Regexp (§2.4.7).
  case search(ValueExpression, pattern: ValueExpression)

  var description: String {
    switch self {
    case .match(let text, let pattern): "match(\(text), \(pattern))"
    case .search(let text, let pattern): "search(\(text), \(pattern))"
    }
  }
}
