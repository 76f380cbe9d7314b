import Config
import HTTP
import JSON
import JSONPath
import Quotes

/// The lookups of a connection: those of the table, and those that are made of its messages.
struct MessageLookups: Sendable {
  let ofMessages: [StreamSpec.MessageLookup]
  private let known: [String: LookupState]
  private let success: SuccessSpec

  init(_ spec: StreamSpec, _ known: [String: LookupState]) {
    ofMessages = spec.messageLookups
    self.known = known
    success = spec.connection.success
  }

  func resolved(_ plans: [LookupPlan]) -> [ResolvedLookup] {
    plans.map { ResolvedLookup(plan: $0, state: known[$0.name] ?? .notAsked) }
  }

  /// The texts of the rows that a message adds to a lookup.
  func rows(of message: [UInt8], _ place: Int) -> [[UInt8]] {
    guard let document = try? JSONDocument(parsing: message, maximumValues: AnswerLimit.values),
      let rows = try? TreeRow.rows(of: ofMessages[place].lookup.rows, in: document)
    else { return [] }
    return rows.compactMap { row in row.nodes.first.map { Array(message[$0.byteRange]) } }
  }

  /// The lookup with all rows so far: as if one answer had them.
  func state(of rows: [[UInt8]], _ place: Int) -> (name: String, state: LookupState) {
    var lookup = ofMessages[place].lookup
    if let query = try? JSONPathQuery("$[*]") {
      lookup.rows = .path(PathSpec(query: query, templates: [:], node: lookup.node))
    }
    do throws(TableFailure) {
      let text = [UInt8(ascii: "[")] + rows.joined(separator: [UInt8(ascii: ",")]) + [UInt8(ascii: "]")]
      guard let document = try? JSONDocument(parsing: text, maximumValues: AnswerLimit.values) else {
        throw TableFailure(.notJSON)
      }
      return (lookup.name, .table(try LookupTable(lookup, document: document)))
    } catch {
      return (lookup.name, .failed(error))
    }
  }

  /// What a message says that does not pass the rule for success.
  func refusal(_ message: [UInt8]) -> TableFailure {
    AnswerReader.failure(AnswerReader.document(message), status: 200, isSuccess: false, success: success)
  }
}
