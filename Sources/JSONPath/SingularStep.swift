package import JSON

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

extension JSONNode {
  /// The node at the end of names and indexes; nil where they lead nowhere.
  package func reached(by steps: [SingularStep]) -> JSONNode? {
    var node: JSONNode? = self
    for step in steps {
      switch step {
      case .member(let name): node = node?[name]
      case .index(let index): node = node.flatMap { $0[index < 0 ? $0.count + index : index] }
      }
    }
    return node
  }
}
