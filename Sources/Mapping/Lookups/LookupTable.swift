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

extension TablePlan {
  /// The lookups of a table out of saved answers, by name; of one that is missing its cells say how to give it.
  ///
  /// - Parameter option: which option takes such an answer.
  package func lookupStates(
    saved lookups: [String: [UInt8]], _ hooks: HookRegistry, option: String
  ) -> [String: LookupState] {
    var states: [String: LookupState] = [:]
    for lookup in spec.lookups where lookup.request != nil {
      guard let body = lookups[lookup.name] else {
        // The keys of a batch are needed to ask, not to read.
        let isNeeded = spec.batch?.lookup != lookup.name
        let hint = TableFailure(.noAnswer("no-response"), "give its answer with \(option) \(lookup.name)=FILE")
        states[lookup.name] = isNeeded ? .failed(hint) : .notAsked
        continue
      }
      do {
        states[lookup.name] = .table(try LookupTable(lookup, answer: HTTPResponse(body: body), hooks: hooks))
      } catch {
        states[lookup.name] = .failed(error)
      }
    }
    return states
  }
}
