package import JSON

/// A JSONPath query (RFC 9535).
///
///     let query = try JSONPathQuery("$.rows[?@.last > 10].symbol")
///     query.nodes(in: document.root).map(\.text)   // ["\"BTC\"", "\"ETH\""]
package struct JSONPathQuery: Sendable, CustomStringConvertible {
  /// The query as it was written.
  package let text: String
  let query: Query

  /// Reads a query as strictly as RFC 9535 asks.
  ///
  /// Parentheses, filters and functions may be nested 64 levels deep.
  package init(_ text: String) throws(JSONPathSyntaxError) {
    query = try QueryParser.parse(text)
    self.text = text
  }

  /// The query in one uniform spelling, `$['rows'][?@['last'] > 10]['symbol']`: it reads as the same query again.
  package var description: String { query.description }

  /// True where the query can lead to one node at most because it has only names and indexes (RFC 9535 §2.3.5.1).
  package var isSingular: Bool { query.singularSteps != nil }

  /// The names and indexes of a singular query, nil for every other.
  package var singularSteps: [SingularStep]? { query.singularSteps }

  /// The steps before the wildcard of a query that is a singular one and `[*]` or `.*` behind it; nil for every other.
  package var rowContainerSteps: [SingularStep]? {
    guard query.segments.last == .child([.wildcard]) else { return nil }
    return Query(start: .root, segments: query.segments.dropLast()).singularSteps
  }
}

extension JSONPathQuery: Hashable {
  /// True where both ask for the same, however it is spelled: `$.a` equals `$["a"]`.
  package static func == (left: JSONPathQuery, right: JSONPathQuery) -> Bool {
    left.query == right.query
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(query)
  }
}

extension JSONPathQuery {
  /// The nodelist: all nodes that the query selects, in its order and as often as it selects them.
  ///
  /// - Parameters:
  ///   - root: what `$` means: the root of a document, or any other node.
  ///   - maximum: how many nodes any step of the query may select; never more than `root` has values, and some.
  /// - Throws: `QueryTooCostly` where a step selects more, or where the query looks at some values over and over:
  ///   `$..*..*..*` of 500 brackets selects 20 million nodes.
  package func nodes(in root: JSONNode, keeping maximum: Int) throws(QueryTooCostly) -> [JSONNode] {
    try located(in: root, maximum, NoTrail.self).map(\.node)
  }

  /// The nodelist, each node with its normalized path from `root`.
  package func locatedNodes(
    in root: JSONNode, keeping maximum: Int = .max
  ) throws(QueryTooCostly) -> [(path: NormalizedPath, node: JSONNode)] {
    try located(in: root, maximum, FullTrail.self).map { (path: $0.trail.path, node: $0.node) }
  }

  /// The same, and nothing where the query is too costly.
  package func nodes(in root: JSONNode) -> [JSONNode] { (try? nodes(in: root, keeping: .max)) ?? [] }

  /// Hands the nodes of the nodelist to `body`, one after the other, each with its normalized path.
  package func forEachLocatedNode(
    in root: JSONNode, _ body: (_ path: NormalizedPath, _ node: JSONNode) -> Void
  ) throws(QueryTooCostly) {
    for found in try located(in: root, .max, FullTrail.self) { body(found.trail.path, found.node) }
  }

  private func located<Trail: NodeTrail>(
    in root: JSONNode, _ maximum: Int, _ tracking: Trail.Type
  ) throws(QueryTooCostly) -> [Located<Trail>] {
    let evaluator = QueryEvaluator(root: root, keeping: maximum)
    let nodes = evaluator.nodes(of: query, current: root, tracking: tracking)
    if let excess = evaluator.memory.excess { throw excess }
    return nodes
  }
}

/// A query that would look at too many values, or keep too many.
package enum QueryTooCostly: Error, Hashable, Sendable, CustomStringConvertible {
  case looks(Int)
  case keeps(Int)

  package var description: String {
    switch self {
    case .looks(let limit): "it would look at more than \(limit) values"
    case .keeps(let limit): "it would select more than \(limit) values at once"
    }
  }
}

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

/// The one unambiguous way to write where a node is (RFC 9535 §2.7): `$['rows'][0]['last']`.
package struct NormalizedPath: Hashable, Sendable, CustomStringConvertible {
  /// The steps from the root; indexes are never negative.
  package let steps: [SingularStep]

  package init(steps: [SingularStep]) {
    self.steps = steps
  }

  package var description: String { "$" + steps.map(\.description).joined() }
}

/// Why a text is no JSONPath query, and where.
package struct JSONPathSyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The UTF-8 offset, from 0, of the first character of the query that cannot be right: where something is missing at
  /// its end, the query's length; of a string that is not closed, its opening quote.
  package let offset: Int
  /// What is wrong, in lower case and without a full stop.
  package let message: String

  package init(offset: Int, message: String) {
    self.offset = offset
    self.message = message
  }

  package var description: String { "offset \(offset): \(message)" }
}
