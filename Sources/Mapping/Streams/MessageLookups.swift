import Config
import JSON
import Quotes

/// The lookups of a connection that are built from its messages.
struct MessageLookups: Sendable {
  let ofMessages: [StreamSpec.MessageLookup]
  /// How their keys are read, in the same order.
  private let plans: [RecordPlan<NameField>]
  private let success: SuccessSpec

  /// The most values of a row that is kept: several times those of any acknowledgement.
  static let maximumValuesOfRow = 10_000

  init(_ spec: StreamSpec) {
    ofMessages = spec.messageLookups
    plans = ofMessages.map { RecordPlan(RecordSpec($0.lookup), usesScan: false) }
    success = spec.connection.success
  }

  /// Adds the rows of a message to a lookup's table; a later row replaces one with the same key.
  ///
  /// - Parameter most: the maximum number of rows kept.
  func add(_ message: [UInt8], to table: inout LookupTable, _ place: Int, most: Int) {
    guard let document = AnswerReader.document(message),
      let found = try? TreeRow.rows(of: ofMessages[place].lookup.rows, in: document)
    else { return }
    for row in found {
      // As a text of its own: the rest of the message is not kept.
      guard let range = row.nodes.first?.byteRange,
        let own = try? JSONDocument(parsing: Array(message[range]), maximumValues: Self.maximumValuesOfRow),
        let key = key(of: own, plans[place])
      else { continue }
      table.add(TreeRow(own.root), key: key, most: most)
    }
  }

  /// Returns the key of a row; nil if it has none, or does not meet the lookup's conditions.
  private func key(of row: JSONDocument, _ plan: RecordPlan<NameField>) -> String? {
    let rows = TreeRows(row, [TreeRow(row.root)], paths: plan.paths)
    return row.bytes.withUnsafeBufferPointer { bytes in
      let records = try? plan.records(of: ValueReader(rows: rows, body: bytes), NamedRows(field: .key))
      return records?.all.first?.name
    }
  }

  /// Returns the state of a lookup with all rows so far.
  func state(of table: LookupTable) -> LookupState {
    table.keys.isEmpty ? .failed(AnswerFailure(.emptyAnswer, LookupTable.emptyMessage)) : .table(table)
  }

  /// Returns the failure described by a message that does not meet the success conditions.
  func refusal(_ message: [UInt8]) -> AnswerFailure {
    AnswerReader.failure(AnswerReader.document(message), status: 200, isSuccess: false, success: success)
  }
}
