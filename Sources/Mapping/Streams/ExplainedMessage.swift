import Quotes

/// A stream message with the data read from it for one pair, which `--explain` shows.
///
/// A class, so that updates that need no explanation are no larger for it.
package final class ExplainedMessage: Sendable {
  /// The text as received, decompressed and unwrapped; of several texts in one message, the one with the pair.
  package let text: [UInt8]
  /// Whether it contains only changes, so that some fields come from earlier messages.
  package let isChange: Bool
  /// The row, the best levels of a book, the newest trade, the last candle.
  package let records: [ExplainedRecord]

  init(_ text: [UInt8], isChange: Bool = false, _ records: [ExplainedRecord]) {
    (self.text, self.isChange, self.records) = (text, isChange, records)
  }
}

extension ValueReader {
  /// Returns the trace of the text that names a row's pair.
  func symbolTrace<Field>(_ plan: RecordPlan<Field>, at place: RowPlace, of pair: StreamPair) -> FieldTrace {
    trace(named: "symbol", plan.symbol.text, at: place, result: pair.row.symbol)
  }
}

extension FieldTrace {
  private var isSaid: Bool { !sources.isEmpty && sources.allSatisfy { $0.raw != nil } }

  /// The trace of a row's field that has a value: if the message does not mention it, the value comes from the table or
  /// an earlier message.
  ///
  /// - Parameter isKept: Whether it does so although the message has one: a quote's time does not replace a trade's.
  func fallingBackToKept(isKept: Bool = false) -> FieldTrace {
    if sources.isEmpty { return taken(from: "table") }
    guard isKept || !isSaid else { return self }
    let step = Step(key: "kept", value: "from before")
    return FieldTrace(name: name, operation: operation, sources: sources, steps: [step], result: result)
  }

  /// The trace of a change that no message has, and that moves with their prices.
  ///
  /// - Parameter open: The digits of the open of the table.
  func computed(fromOpen open: String) -> FieldTrace {
    let source = Source(from: "table", path: nil, raw: open)
    return FieldTrace(name: name, operation: "from open", sources: [source], result: result)
  }

  /// The trace of a trade's time: if the message has none, the time is that of arrival.
  var fallingBackToArrival: FieldTrace { isSaid ? self : taken(from: "arrival") }

  private func taken(from source: String) -> FieldTrace {
    let source = Source(from: source, path: nil, raw: result, steps: [])
    return FieldTrace(name: name, operation: nil, sources: [source], steps: [], result: result)
  }
}
