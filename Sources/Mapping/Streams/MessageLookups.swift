import Config
import HTTP
import JSON
import JSONPath
import Quotes

/// The lookups of a connection that are built from its messages.
struct MessageLookups: Sendable {
  /// A row of a message, as received.
  struct Row: Sendable {
    let key: String
    var text: [UInt8]
  }

  let ofMessages: [StreamSpec.MessageLookup]
  private let success: SuccessSpec

  init(_ spec: StreamSpec) {
    ofMessages = spec.messageLookups
    success = spec.connection.success
  }

  /// Adds the rows of a message to a lookup's rows; a later row replaces one with the same key.
  ///
  /// - Parameter most: the maximum number of rows kept.
  func add(_ message: [UInt8], to rows: inout [Row], _ place: Int, most: Int) {
    guard let document = try? JSONDocument(parsing: message, maximumValues: AnswerLimit.values),
      let found = try? TreeRow.rows(of: ofMessages[place].lookup.rows, in: document)
    else { return }
    for text in found.compactMap({ row in row.nodes.first.map { Array(message[$0.byteRange]) } }) {
      guard case .table(let table) = state(of: [text], place), let key = table.keys.first else { continue }
      if let known = rows.firstIndex(where: { $0.key == key }) {
        rows[known].text = text
      } else if rows.count < most {
        rows.append(Row(key: key, text: text))
      }
    }
  }

  /// Returns the lookup with all rows so far, as if a single response contained them.
  func state(of rows: [[UInt8]], _ place: Int) -> LookupState {
    var lookup = ofMessages[place].lookup
    if let query = try? JSONPathQuery("$[*]") {
      lookup.rows = .path(PathSpec(query: query, templates: [:], node: lookup.node))
    }
    do throws(TableFailure) {
      let text = [UInt8(ascii: "[")] + rows.joined(separator: [UInt8(ascii: ",")]) + [UInt8(ascii: "]")]
      guard let document = try? JSONDocument(parsing: text, maximumValues: AnswerLimit.values) else {
        throw TableFailure(.notJSON)
      }
      return .table(try LookupTable(lookup, document: document))
    } catch {
      return .failed(error)
    }
  }

  /// Returns the failure described by a message that does not meet the success conditions.
  func refusal(_ message: [UInt8]) -> TableFailure {
    AnswerReader.failure(AnswerReader.document(message), status: 200, isSuccess: false, success: success)
  }
}
