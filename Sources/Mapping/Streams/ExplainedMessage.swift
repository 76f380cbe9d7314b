import Quotes

/// A message of a stream with what was read of one pair in it: what `--explain` shows.
///
/// A class, so that an update that nobody wants explained is no larger for it.
package final class ExplainedMessage: Sendable {
  /// As it came, its compression taken off; of several texts in one message the one that the pair is in.
  package let text: [UInt8]
  /// Whether it says what has changed alone, so that fields were read of what earlier messages said, too.
  package let isChange: Bool
  /// The row, the best levels of a book, the newest trade, the last candle.
  package let records: [ExplainedRecord]

  init(_ text: [UInt8], isChange: Bool = false, _ records: [ExplainedRecord]) {
    (self.text, self.isChange, self.records) = (text, isChange, records)
  }
}

extension ValueReader {
  /// Which text of a row names its pair.
  func symbolTrace<Field>(_ plan: RecordPlan<Field>, at place: RowPlace, of pair: StreamPair) -> FieldTrace {
    trace(named: "symbol", plan.symbol.text, at: place, result: pair.row.symbol)
  }
}

extension FieldTrace {
  private var isSaid: Bool { !sources.isEmpty && sources.allSatisfy { $0.raw != nil } }

  /// Of a row's field that has a value: where the message does not speak of it, that is the table's, or what an earlier
  /// message said.
  var keptWhereUnsaid: FieldTrace {
    if sources.isEmpty { return taken(from: "table") }
    guard !isSaid else { return self }
    let step = Step(key: "kept", value: "from before")
    return FieldTrace(name: name, operation: operation, sources: sources, steps: [step], result: result)
  }

  /// Of the time of a trade: where the message has none it is that of arrival.
  var arrivalWhereUnsaid: FieldTrace { isSaid ? self : taken(from: "arrival") }

  private func taken(from source: String) -> FieldTrace {
    let source = Source(from: source, path: nil, raw: result, steps: [])
    return FieldTrace(name: name, operation: nil, sources: [source], steps: [], result: result)
  }
}
