package import JSON

extension JSONPathQuery {
  /// The nodelist: all nodes that the query selects, in its order and as often as it selects them.
  ///
  /// - Parameter root: what `$` means: the root of a document, or any other node.
  package func nodes(in root: JSONNode) -> [JSONNode] {
    QueryEvaluator(root: root).nodes(of: query, current: root).map(\.node)
  }

  /// The nodelist, each node with its normalized path from `root`.
  package func locatedNodes(in root: JSONNode) -> [(path: NormalizedPath, node: JSONNode)] {
    QueryEvaluator(root: root).nodes(of: query, current: root, tracking: FullTrail.self)
      .map { (path: $0.trail.path, node: $0.node) }
  }
}
