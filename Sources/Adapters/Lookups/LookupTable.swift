package import Catalog
package import JSON
import JSONPath
import Quotes

/// An answer, by key.
package struct LookupTable: Sendable {
  private let rows: [String: JSONNode]
  /// Keys that stand for two rows: neither can be trusted.
  private let ambiguous: Set<String>
  /// In the order of the answer.
  package let keys: [String]

  package enum Result: Equatable {
    case row(JSONNode)
    case missing
    case ambiguous
  }

  package subscript(_ key: String) -> Result {
    if ambiguous.contains(key) { return .ambiguous }
    return rows[key].map { .row($0) } ?? .missing
  }

  /// - Throws: `TableFailure` where the answer is an error or has no such rows.
  package init(_ spec: LookupSpec, answer: Answer, hooks: HookRegistry) throws(TableFailure) {
    let document = try AnswerReader.document(answer, hook: spec.hook, hooks: hooks, success: spec.success)
    try AnswerReader.check(document, status: answer.status, success: spec.success)
    try self.init(spec, document: document)
  }

  /// A lookup over an answer that has been read already.
  init(_ spec: LookupSpec, document: JSONDocument) throws(TableFailure) {
    var rows: [String: JSONNode] = [:]
    var ambiguous: Set<String> = []
    var keys: [String] = []
    for (node, key) in try Self.candidates(spec, document) {
      let reader = NodeReader(row: node, key: key)
      guard spec.conditions.allSatisfy({ reader.holds($0) }), let name = reader.text(spec.key) else { continue }
      if rows.updateValue(node, forKey: name) != nil {
        ambiguous.insert(name)
      } else {
        keys.append(name)
      }
    }
    self.rows = rows
    self.ambiguous = ambiguous
    self.keys = keys
  }

  private static func candidates(
    _ spec: LookupSpec, _ document: JSONDocument
  ) throws(TableFailure) -> [(JSONNode, String?)] {
    guard case .path(let path) = spec.rows else {
      throw TableFailure(.pathMiss, "the rows of a lookup are one path")
    }
    let located = path.query.locatedNodes(in: document.root)
    guard !located.isEmpty else { throw TableFailure(.emptyAnswer, "\(path.text) has no rows") }
    return located.map { ($0.node, $0.path.lastName) }
  }
}
