/// One segment of a query: selectors, and whether they look at the children of a node or at all below it
/// (RFC 9535 §2.5).
enum Segment: Hashable, Sendable, CustomStringConvertible {
  case child([Selector])
  case descendant([Selector])

  /// The step of a segment that selects at most one node: a child segment of one name or index.
  var singularStep: SingularStep? {
    guard case .child(let selectors) = self, selectors.count == 1 else { return nil }
    switch selectors[0] {
    case .name(let name): return .member(name.string)
    case .index(let index): return .index(index)
    case .wildcard, .slice, .filter: return nil
    }
  }

  var description: String {
    switch self {
    case .child(let selectors): "[\(Self.list(selectors))]"
    case .descendant(let selectors): "..[\(Self.list(selectors))]"
    }
  }

  private static func list(_ selectors: [Selector]) -> String {
    selectors.map(\.description).joined(separator: ", ")
  }
}
