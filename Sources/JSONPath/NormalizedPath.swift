package import JSON

extension SingularStep: CustomStringConvertible {
  /// The step as in a normalized path: `['name']`, `[3]`.
  package var description: String {
    switch self {
    case .member(let name): "[\(ScalarText(name).quoted)]"
    case .index(let index): "[\(index)]"
    }
  }
}

/// The canonical path to a node (RFC 9535 §2.7).
///
///     try JSONPathQuery("$..last").locatedNodes(in: document.root)[0].path   // $['rows'][0]['last']
package struct NormalizedPath: Hashable, Sendable, CustomStringConvertible {
  /// The steps from the root; indexes are never negative.
  package let steps: [SingularStep]

  package var description: String { "$" + steps.map(\.description).joined() }
}
