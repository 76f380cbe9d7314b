package import JSON

/// A JSONPath query (RFC 9535).
///
///     let query = try JSONPathQuery("$.rows[?@.last > 10].symbol")
///     query.nodes(in: document.root).map(\.text)   // ["\"BTC\"", "\"ETH\""]
package struct JSONPathQuery: Sendable {
  /// The original text of the query.
  package let text: String
  let query: Query

  /// Parses a query strictly by RFC 9535.
  ///
  /// Parentheses, filters and functions may be nested 64 levels deep.
  package init(_ text: String) throws(SyntaxError) {
    query = try QueryParser.parse(text)
    self.text = text
  }

  /// Whether the query has only names and indexes, so that it selects at most one node (RFC 9535 §2.3.5.1).
  package var isSingular: Bool { query.singularSteps != nil }

  /// The names and indexes of a singular query; nil for any other.
  package var singularSteps: [SingularStep]? { query.singularSteps }

  /// The steps before the wildcard of a query that is a singular one followed by `[*]` or `.*`; nil for any other.
  package var rowContainerSteps: [SingularStep]? {
    guard query.segments.last == .child([.wildcard]) else { return nil }
    return Query(start: .root, segments: query.segments.dropLast()).singularSteps
  }
}

extension JSONPathQuery: Hashable {
  /// Whether both select the same, however they are spelled: `$.a` equals `$["a"]`.
  package static func == (left: JSONPathQuery, right: JSONPathQuery) -> Bool { left.query == right.query }

  package func hash(into hasher: inout Hasher) { hasher.combine(query) }
}

extension JSONPathQuery {
  /// Returns the nodelist: all nodes that the query selects, in its order and including duplicates.
  ///
  /// - Parameters:
  ///   - root: The node that `$` refers to: the root of a document, or any other node.
  ///   - maximum: The most nodes that any step of the query may select; never more than the number of values in `root`
  ///     plus some.
  /// - Throws: `QueryTooCostly` if a step selects more, or if the query visits values too often: `$..*..*..*` on 500
  ///   brackets selects 20 million nodes.
  package func nodes(in root: JSONNode, keeping maximum: Int) throws(QueryTooCostly) -> [JSONNode] {
    try located(in: root, maximum, NoTrail.self).map(\.node)
  }

  /// Returns the nodelist, each node with its normalized path from `root`.
  package func locatedNodes(
    in root: JSONNode, keeping maximum: Int = .max
  ) throws(QueryTooCostly) -> [(path: NormalizedPath, node: JSONNode)] {
    try located(in: root, maximum, FullTrail.self).map { (path: $0.trail.path, node: $0.node) }
  }

  /// Returns the nodelist, or no nodes if the query is too costly.
  package func nodes(in root: JSONNode) -> [JSONNode] { (try? nodes(in: root, keeping: .max)) ?? [] }

  /// What a query finds where it does not get on.
  package enum DeadEnd: Hashable, Sendable {
    /// No such member or element, or none anywhere below.
    case nothing
    /// A value without children where children are wanted.
    case value(JSONKind)
  }

  /// Returns the first place where the query does not get on from a value that it has selected so far, or nil if there
  /// is none. An empty list, or a filter that nothing satisfies, is not a dead end.
  ///
  ///     // {"wallets": [{"coins": []}, {"coin": []}]}
  ///     try JSONPathQuery("$.wallets[*].coins[*]").deadEnd(in: root, keeping: 1000)   // .nothing
  ///
  /// - Parameter maximum: The most nodes that any step of the query may select.
  /// - Throws: `QueryTooCostly` if a step selects more, or if the query visits values too often.
  package func deadEnd(in root: JSONNode, keeping maximum: Int) throws(QueryTooCostly) -> DeadEnd? {
    let evaluator = QueryEvaluator(root: root, keeping: maximum)
    let end = evaluator.deadEnd(of: query)
    if let excess = evaluator.memory.excess { throw excess }
    return end
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

/// A query that would visit too many values, or keep too many nodes.
package enum QueryTooCostly: Error, Hashable, Sendable, CustomStringConvertible {
  case tooManyVisits(Int)
  case tooManyNodes(Int)

  package var description: String {
    switch self {
    case .tooManyVisits(let limit): "it would visit more than \(limit) values"
    case .tooManyNodes(let limit): "it would select more than \(limit) values at once"
    }
  }
}

/// An error in the text of a path, a regular expression or a template, and its position.
package struct SyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The UTF-8 offset, from 0, of the first offending character: the length of the text if something is missing at its
  /// end, and the first character of anything left open.
  package let offset: Int
  /// The problem, in lower case without a final period.
  package let message: String

  package init(offset: Int, message: String) { (self.offset, self.message) = (offset, message) }

  package var description: String { "offset \(offset): \(message)" }
}
