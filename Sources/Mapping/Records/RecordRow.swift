import Config
import HTTP
import Quotes

/// A row of a response while a record is built from it. Fields are read on demand according to their kind; an unmapped
/// one is `not-offered`.
struct RecordRow<Rows: RowSource, Field: RecordField> {
  let plan: RecordPlan<Field>
  let reader: ValueReader<Rows>
  var place: RowPlace
  /// nil for records that name no pair, or that all belong to the requested pair.
  fileprivate(set) var symbol: ReadSymbol?

  /// Returns a number, or why there is none.
  @inline(__always)
  func cell(_ field: Field) -> Cell {
    let index = field.index
    if let plain = plan.plainNumbers[index], let cell = reader.plainCell(plain, at: place) { return cell }
    return read(index, field.kind)
  }

  private func read(_ index: Int, _ kind: FieldKind) -> Cell {
    guard let value = plan.values[index] else { return .missing(.plain(.notOffered)) }
    let cell = reader.number(value, at: place).cell
    return kind == .positiveNumber ? cell.positive : cell
  }

  /// Returns a size or volume. If a division was involved, such as contracts of one dollar divided by their price, it
  /// is rounded to 12 significant digits since the quotient may not terminate.
  func amount(_ field: Field) -> Cell {
    let cell = cell(field)
    guard case .value(let amount) = cell, plan.plainNumbers[field.index] == nil, plan[field]?.hasQuotient == true else {
      return cell
    }
    return .value(amount.rounded(toSignificantDigits: 12))
  }

  func number(_ field: Field) -> Decimal? { cell(field).value }

  func text(_ field: Field) -> String? {
    let index = field.index
    if let plain = plan.plainTexts[index], let text = reader.plainText(plain, at: place) {
      return String(decoding: text, as: UTF8.self)
    }
    return plan.values[index].flatMap { reader.text($0, at: place) }
  }

  func time(_ field: Field) -> Instant? {
    let index = field.index
    if let plain = plan.plainTimes[index], let time = reader.plainTime(plain, at: place) { return time }
    return plan.values[index].flatMap { reader.time($0, at: place).instant }
  }

  /// Returns the taker's side; nil if the exchange's word for it is not recognized.
  func side(_ field: Field) -> TradeSide? {
    guard let value = plan[field], let words = value.spec.side else { return nil }
    if let plain = plan.plainTexts[field.index], let word = reader.plainText(plain, at: place) {
      return words.side(word)
    }
    return reader.text(value, at: place).flatMap { words.side($0) }
  }
}

extension RecordRow {
  /// Returns whether the row has a time that cannot be read, rather than none.
  func hasUnread(_ field: Field) -> Bool {
    guard let missing = missing(field) else { return false }
    return ![.notOffered, .pathMiss, .jsonNull].contains(missing)
  }

  /// Returns the first of some fields that is missing, and why.
  fileprivate func firstMissing(of fields: [Field]) -> (field: String, reason: Missing)? {
    for field in fields {
      if let reason = missing(field) { return (field.rawValue, reason) }
    }
    return nil
  }

  /// Returns why a number or time is missing; nil if it is there.
  func missing(_ field: Field) -> Missing? {
    guard let value = plan[field] else { return .notOffered }
    return field.kind == .time ? reader.time(value, at: place).missing : cell(field).missing
  }
}

/// A builder of one kind of record from the rows of a response.
protocol RecordBuilder {
  associatedtype Field: RecordField
  associatedtype Output

  /// The numbers and times that a row must have.
  var needed: [Field] { get }

  /// Returns nil for a row that is not a record, which the caller counts.
  func record<Rows>(_ row: RecordRow<Rows, Field>) throws(AnswerFailure) -> Output?
}

extension RecordBuilder {
  var needed: [Field] { [] }
}

extension RecordPlan {
  /// Returns the records of a response that match the conditions and the requested pair, in response order.
  func records<Builder: RecordBuilder>(
    in answer: HTTPResponse, _ context: ReadingContext, globalAliases: [String: String] = [:], _ builder: Builder
  ) throws(AnswerFailure) -> Records<Builder.Output> where Builder.Field == Field {
    try read(answer, context, RecordCollector(plan: self, globalAliases: globalAliases, builder: builder))
  }

  func records<Rows, Builder: RecordBuilder>(
    of reader: ValueReader<Rows>, globalAliases: [String: String] = [:], _ builder: Builder
  ) throws(AnswerFailure) -> Records<Builder.Output> where Builder.Field == Field {
    var selector = RowSelector(self, wanted: reader.request?.pair, globalAliases: globalAliases)
    let splitsSymbols = namesPair && !symbol.isRequest
    var row = RecordRow(plan: self, reader: reader, place: RowPlace(index: 0))
    if namesPair, symbol.isRequest, let pair = reader.request?.pair {
      let spelled = selector.symbols.symbol(of: pair)
      (row.place.asset, row.place.payment) = (spelled.asset, spelled.payment)
    }
    try reader.rows.requireDistinctAnswerMembers()
    var records = Records<Builder.Output>()
    records.all.reserveCapacity(reader.rows.count)
    for index in 0..<reader.rows.count {
      if index > 0, index % Rows.rowsBetweenTimeChecks == 0, reader.isLate() { throw .late }
      row.place.index = index
      guard selector.passes(reader, at: row.place) else { continue }
      if splitsSymbols {
        guard let names = selector.names(reader, at: row.place) else { continue }
        (row.place.asset, row.place.payment) = (names.asset, names.payment)
        row.symbol = names
      }
      try reader.rows.requireDistinctMembers(index)
      if let record = try builder.record(row) {
        records.all.append(record)
        continue
      }
      records.incomplete += 1
      if records.incomplete == 1 { records.missingField = row.firstMissing(of: builder.needed) }
    }
    return records
  }
}

/// The records built from the rows of a response.
struct Records<Record> {
  var all: [Record] = []
  /// The number of rows that lacked a required field.
  var incomplete = 0
  /// What the first of them lacked, and why.
  fileprivate(set) var missingField: (field: String, reason: Missing)?

  /// Returns the failure when no row yielded a record.
  ///
  /// - Parameter words: what a record needs: `no row has a price and a time`.
  func failure(_ words: String) -> AnswerFailure {
    guard let missingField else { return AnswerFailure(.emptyAnswer, words) }
    let text = "\(words): \(missingField.field) is \(missingField.reason.code)"
    // Exchanges use zeros and nulls for what was not traded.
    return AnswerFailure([.zero, .jsonNull].contains(missingField.reason) ? .emptyAnswer : missingField.reason, text)
  }
}

private struct RecordCollector<Builder: RecordBuilder>: RowVisitor {
  let plan: RecordPlan<Builder.Field>
  let globalAliases: [String: String]
  let builder: Builder

  func read<Rows>(_ reader: ValueReader<Rows>) throws(AnswerFailure) -> Records<Builder.Output> {
    try plan.records(of: reader, globalAliases: globalAliases, builder)
  }
}
