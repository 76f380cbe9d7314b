/// A step of a path that leads to at most one value (a singular query, RFC 9535 §2.3.5.1).
///
/// For example, `$.data[0].last` has three.
package enum SingularStep: Hashable, Sendable {
  /// To the member with this name, the last one if there are several.
  case member(String)
  /// To the element at this index. A negative index counts from the end (RFC 9535 §2.3.3); -1 is the last element.
  case index(Int)
}

extension SingularStep {
  // JSON compares names scalar by scalar; `String` treats composed and decomposed characters as equal.
  package static func == (left: SingularStep, right: SingularStep) -> Bool {
    switch (left, right) {
    case (.member(let left), .member(let right)): left.utf8.elementsEqual(right.utf8)
    case (.index(let left), .index(let right)): left == right
    default: false
    }
  }

  package func hash(into hasher: inout Hasher) {
    switch self {
    case .member(let name): for byte in name.utf8 { hasher.combine(byte) }
    case .index(let index): hasher.combine(index)
    }
  }
}

extension JSONNode {
  /// Returns the node at the end of the steps, or nil if there is none.
  package func reached(by steps: some Sequence<SingularStep>) -> JSONNode? {
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
