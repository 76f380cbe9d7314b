package import Config
package import HTTP
import JSON
import JSONPath
import Quotes

/// An answer, by key.
package struct LookupTable: Sendable {
  private let rows: [String: TreeRow]
  /// Keys that stand for two rows: neither can be trusted.
  private let ambiguous: Set<String>
  /// In the order of the answer.
  package let keys: [String]

  package enum Result: Equatable {
    case row(TreeRow)
    case missing
    case ambiguous
  }

  package subscript(_ key: String) -> Result {
    if ambiguous.contains(key) { return .ambiguous }
    return rows[key].map { .row($0) } ?? .missing
  }

  /// - Throws: `TableFailure` where the answer is an error or has no such rows.
  package init(_ spec: LookupSpec, answer: HTTPResponse, hooks: HookRegistry) throws(TableFailure) {
    let document = try AnswerReader.document(answer, hook: spec.hook, hooks: hooks, success: spec.success)
    try AnswerReader.check(document, status: answer.status, success: spec.success)
    try self.init(spec, document: document)
  }

  /// A lookup over an answer that has been read already.
  init(_ spec: LookupSpec, document: JSONDocument) throws(TableFailure) {
    var rows: [String: TreeRow] = [:]
    var ambiguous: Set<String> = []
    var keys: [String] = []
    let candidates = try TreeRow.rows(of: spec.rows, in: document)
    guard !candidates.isEmpty else { throw TableFailure(.emptyAnswer, "the lookup has no rows") }
    for row in candidates {
      let reader = NodeReader(row: row, response: document.root)
      guard spec.conditions.allSatisfy({ reader.holds($0) }), let name = reader.text(spec.key) else { continue }
      if rows.updateValue(row, forKey: name) != nil {
        ambiguous.insert(name)
      } else {
        keys.append(name)
      }
    }
    self.rows = rows
    self.ambiguous = ambiguous
    self.keys = keys
  }
}
