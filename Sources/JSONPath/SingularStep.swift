/// One step of a path that leads to at most one node.
package enum SingularStep: Hashable, Sendable, CustomStringConvertible {
  /// Into the member of this name; of several, the last.
  case member(String)
  /// Into the element at this index; a negative one counts from the end, -1 being the last element.
  case index(Int)

  /// The step as a normalized path writes it: `['name']`, `[3]`.
  package var description: String {
    switch self {
    case .member(let name): "[\(ScalarText(name).quoted)]"
    case .index(let index): "[\(index)]"
    }
  }
}
