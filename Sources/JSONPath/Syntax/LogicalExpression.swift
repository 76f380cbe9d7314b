/// The condition of a filter selector (RFC 9535 §2.3.5).
///
/// The parser lets only well-typed expressions through, and the types here leave no room for others.
indirect enum LogicalExpression: Hashable, Sendable, CustomStringConvertible {
  /// True where one of the two or more operands is.
  case or([LogicalExpression])
  /// True where all of the two or more operands are.
  case and([LogicalExpression])
  case not(LogicalExpression)
  case comparison(Comparison)
  /// True where the query selects at least one node.
  case exists(Query)
  case function(LogicalFunction)

  var description: String {
    switch self {
    case .or(let operands): operands.map { $0.text(within: .or) }.joined(separator: " || ")
    case .and(let operands): operands.map { $0.text(within: .and) }.joined(separator: " && ")
    case .not(let operand): "!" + operand.text(within: .not)
    case .comparison(let comparison): comparison.description
    case .exists(let query): query.description
    case .function(let function): function.description
    }
  }

  /// How tightly an expression binds (RFC 9535 §2.3.5.1, table 10).
  private enum Binding: Int {
    case or, and, comparison, not, whole
  }

  private var binding: Binding {
    switch self {
    case .or: .or
    case .and: .and
    case .comparison: .comparison
    case .not: .not
    case .exists, .function: .whole
    }
  }

  /// The text of an operand: in parentheses unless it binds more tightly than the expression around it.
  private func text(within outer: Binding) -> String {
    binding.rawValue > outer.rawValue ? description : "(\(description))"
  }
}
