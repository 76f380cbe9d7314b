import Config
import HTTP
import JSON
import Quotes

/// The indices of the condition lists in a plan.
private enum Mark {
  static let channel = 0
  static let whole = 1
  static let pong = 2
  static let firstLookup = 3
}

/// The way to classify the messages of a connection and find their rows. One pass over each message checks for a ping
/// that needs a reply, for lookup rows, for the channel, and for an error.
final class MessagePlan<Field: RecordField>: Sendable {
  /// The kind of a message.
  enum Kind {
    /// A ping, with the values that its reply names.
    case ping([String: MessageValue])
    /// Rows for a lookup that is built from messages, by its index.
    case lookup(Int)
    /// Rows of the channel; whether they are complete by themselves.
    case rows(isWhole: Bool)
    case refused
    /// The conditions of the channel hold, but its rows are not where they should be, and why.
    case rowless(AnswerFailure)
    /// An acknowledgement, a heartbeat or rows of another kind: just a sign of life.
    case other
  }

  let record: RecordPlan<Field>
  private let pongNames: [String]
  private let hasPong: Bool
  private let hasWhole: Bool
  private let hasConditions: Bool
  private let lookupCount: Int

  /// - Parameter fields: the values to read from a row, by field name.
  init(_ spec: StreamSpec, fields: [String: ValueSpec], market: Market, usesScan: Bool) {
    var rows = RecordSpec(spec.table)
    rows.fields = fields
    rows.sequence = spec.sequence
    rows.success = spec.connection.success
    rows.hook = nil
    let pong = spec.connection.pong
    rows.marks =
      [spec.conditions, spec.whole ?? [], pong?.conditions ?? []] + spec.messageLookups.map(\.conditions)
    rows.answerFields = Dictionary(
      (pong?.values ?? []).map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
    pongNames = rows.answerFields.keys.sorted()
    hasPong = pong != nil
    hasWhole = spec.whole != nil
    hasConditions = !spec.conditions.isEmpty
    lookupCount = spec.messageLookups.count
    record = RecordPlan(rows, of: spec.table, market: market, usesScan: usesScan)
  }

  func kind<Rows>(of reader: ValueReader<Rows>) -> Kind {
    let place = RowPlace(index: 0)
    func holds(_ mark: Int) -> Bool {
      for index in record.marks[mark].indices where !reader.holds(record.marks[mark][index], at: place) { return false }
      return true
    }
    if hasPong, holds(Mark.pong), let values = pongValues(of: reader) { return .ping(values) }
    for lookup in 0..<lookupCount where holds(Mark.firstLookup + lookup) { return .lookup(lookup) }
    if reader.rows.count > 0, holds(Mark.channel) {
      return .rows(isWhole: !hasWhole || holds(Mark.whole))
    }
    guard record.success.allSatisfy({ reader.holds($0, at: place) }) else { return .refused }
    if hasConditions, let failure = reader.rows.failure, holds(Mark.channel) { return .rowless(failure) }
    return .other
  }

  /// Returns nil if any of them is missing.
  private func pongValues<Rows>(of reader: ValueReader<Rows>) -> [String: MessageValue]? {
    var values: [String: MessageValue] = [:]
    for name in pongNames {
      guard let plan = record.answerValues[name] else { return nil }
      guard let value = reader.messageValue(plan) else { return nil }
      values[name] = value
    }
    return values
  }
}

extension ValueReader {
  /// Returns a value that is read once per message or response; nil if it is missing.
  func messageValue(_ value: ValuePlan) -> MessageValue? {
    let place = RowPlace(index: 0)
    guard let text = text(value, at: place) else { return nil }
    var isNumber = false
    if value.isUntouched || value.isPlain, case .response(let path) = value.origin,
      case .slot(let slot) = rows.responseValue(path, at: place)
    {
      isNumber = slot.kind == .number
    }
    return MessageValue(text: text, isNumber: isNumber)
  }
}

/// A visitor of the rows of a message, however they were found.
protocol MessageVisitor {
  associatedtype Output

  mutating func read<Rows>(_ reader: ValueReader<Rows>) throws(AnswerFailure) -> Output
}

extension RecordPlan {
  /// A scanner for the messages of a connection, one after another; nil if they need a tree.
  var scanner: Scanner? { scan.map { Scanner($0.plan) } }

  /// Reads a message of any kind; nil if it is not JSON.
  ///
  /// - Parameter scanner: the plan's own scanner.
  /// - Throws: `AnswerFailure` if it has too many rows, and whatever the visitor throws.
  func readMessage<Visitor: MessageVisitor>(
    _ body: [UInt8], by scanner: inout Scanner?, _ scope: ValueScope, _ visitor: inout Visitor
  ) throws(AnswerFailure) -> Visitor.Output? {
    guard let scan else {
      guard let document = AnswerReader.document(body) else { return nil }
      let rows = TreeRows(document, spec.rows, paths: paths)
      return try body.withUnsafeBufferPointer { (bytes) throws(AnswerFailure) in
        try visitor.read(ValueReader(rows: rows, body: bytes, scope))
      }
    }
    let found: ScanFindings?
    do {
      found = try scanner?.scan(body, maximumRows: AnswerLimit.rows)
    } catch {
      try error.throwIfTooLarge()
      return nil
    }
    guard let found else { return nil }
    return try readMessage(body, found, 0, of: scan, scope, &visitor)
  }

  /// Does the same with the findings of a pass over the message, which may be for other plans as well.
  ///
  /// - Parameter part: the part of the findings that is for this plan.
  func readMessage<Visitor: MessageVisitor>(
    _ body: [UInt8], _ found: ScanFindings, _ part: Int, of scan: RowScan, _ scope: ValueScope,
    _ visitor: inout Visitor
  ) throws(AnswerFailure) -> Visitor.Output {
    try body.withUnsafeBufferPointer { (bytes) throws(AnswerFailure) in
      try visitor.read(ValueReader(rows: ScannedRows(found[part], scan, in: bytes), body: bytes, scope))
    }
  }
}

extension JSONSyntaxError {
  /// Too many rows is a problem with the message; any other error means that it is not JSON.
  func throwIfTooLarge() throws(AnswerFailure) {
    if case .tooManyRows(let limit) = problem { throw AnswerReader.tooLarge("\(limit) rows") }
  }
}
