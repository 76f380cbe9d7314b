/// What a segment selects among the children of a node (RFC 9535 §2.3).
enum Selector: Hashable, Sendable, CustomStringConvertible {
  case name(ScalarText)
  case wildcard
  /// A negative index counts from the end.
  case index(Int)
  case slice(Slice)
  case filter(LogicalExpression)

  var description: String {
    switch self {
    case .name(let name): name.quoted
    case .wildcard: "*"
    case .index(let index): String(index)
    case .slice(let slice): slice.description
    case .filter(let expression): "?\(expression)"
    }
  }
}
