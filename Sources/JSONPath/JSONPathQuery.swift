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
