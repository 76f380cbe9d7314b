/// Two values held against each other (RFC 9535 §2.3.5.2.2).
struct Comparison: Hashable, Sendable, CustomStringConvertible {
  enum Operator: String, CaseIterable, Sendable {
    case equal = "=="
    case notEqual = "!="
    case lessOrEqual = "<="
    case greaterOrEqual = ">="
    case less = "<"
    case greater = ">"
  }

  var left: ValueExpression
  var `operator`: Operator
  var right: ValueExpression

  var description: String { "\(left) \(`operator`.rawValue) \(right)" }
}
