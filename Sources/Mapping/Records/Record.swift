import Config
import HTTP
import Quotes

/// A row of an answer while a record is made of it. Its fields are read when they are asked for, each in the way of its
/// kind; one that is not mapped is `not-offered`.
struct RecordRow<Rows: RowSource, Field: RecordField> {
  let plan: RecordPlan<Field>
  let reader: ValueReader<Rows>
  var place: RowPlace
  /// nil for records that name no pair, or all of which are of the pair asked for.
  fileprivate(set) var symbol: ReadSymbol?

  /// A number, or why there is none.
  @inline(__always)
  func cell(_ field: Field) -> Cell {
    let index = field.index
    if let plain = plan.plainNumbers[index], let cell = reader.plainCell(plain, at: place) { return cell }
    return read(index, field.kind)
  }

  private func read(_ index: Int, _ kind: FieldKind) -> Cell {
    guard let value = plan.values[index] else { return .missing(.notOffered) }
    let cell = reader.number(value, at: place).cell
    return kind == .positiveNumber ? cell.positive : cell
  }

  /// A size or a volume: one that a division went into, such as contracts of a dollar by their price, has 12 significant
  /// digits, for its own may not end.
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

  /// Which side took; nil where the exchange has no such word for it.
  func side(_ field: Field) -> TradeSide? {
    guard let value = plan[field], let words = value.spec.side else { return nil }
    if let plain = plan.plainTexts[field.index], let word = reader.plainText(plain, at: place) {
      return words.side(word)
    }
    return reader.text(value, at: place).flatMap { words.side($0) }
  }
}

extension RecordRow {
  /// Why a number or a time is not there; nil where it is.
  fileprivate func missing(_ field: Field) -> Missing? {
    guard let value = plan[field] else { return .notOffered }
    return field.kind == .time ? reader.time(value, at: place).missing : cell(field).missing
  }
}

/// Makes one kind of record of the rows of an answer.
protocol RecordBuilder {
  associatedtype Field: RecordField
  associatedtype Output

  /// The numbers and times without which a row is none.
  var needed: [Field] { get }

  /// nil for a row that is none: it is counted by whoever asks.
  func record<Rows>(_ row: RecordRow<Rows, Field>) throws(TableFailure) -> Output?
}

extension RecordBuilder {
  var needed: [Field] { [] }
}

extension RecordPlan {
  /// The records of an answer that the conditions and the pair asked for leave, in the order of the answer.
  func records<Builder: RecordBuilder>(
    in answer: HTTPResponse, _ context: ReadingContext, globalAliases: [String: String] = [:], _ builder: Builder
  ) throws(TableFailure) -> Records<Builder.Output> where Builder.Field == Field {
    try read(answer, context, RecordCollector(plan: self, globalAliases: globalAliases, builder: builder))
  }

  func records<Rows, Builder: RecordBuilder>(
    of reader: ValueReader<Rows>, globalAliases: [String: String] = [:], _ builder: Builder
  ) throws(TableFailure) -> Records<Builder.Output> where Builder.Field == Field {
    var selector = RowSelector(self, wanted: reader.request?.pair, globalAliases: globalAliases)
    let splitsSymbols = namesPair && !symbol.isRequest
    var row = RecordRow(plan: self, reader: reader, place: RowPlace(index: 0))
    if namesPair, symbol.isRequest, let pair = reader.request?.pair {
      let spelled = selector.symbols.symbol(of: pair)
      (row.place.asset, row.place.payment) = (spelled.asset, spelled.payment)
    }
    var records = Records<Builder.Output>()
    records.all.reserveCapacity(reader.rows.count)
    for index in 0..<reader.rows.count {
      if index > 0, index % Rows.rowsBetweenLooks == 0, reader.isLate() { throw .late }
      row.place.index = index
      guard selector.passes(reader, at: row.place) else { continue }
      if splitsSymbols {
        guard let names = selector.names(reader, at: row.place) else { continue }
        (row.place.asset, row.place.payment) = (names.asset, names.payment)
        row.symbol = names
      }
      if let record = try builder.record(row) {
        records.all.append(record)
        continue
      }
      records.incomplete += 1
      if records.incomplete == 1 {
        records.lack = builder.needed.lazy.compactMap { field in row.missing(field).map { (field.rawValue, $0) } }.first
      }
    }
    return records
  }
}

/// What the rows of an answer came to.
struct Records<Record> {
  var all: [Record] = []
  /// How many rows lacked what makes a record.
  var incomplete = 0
  /// What the first of them lacked, and why.
  fileprivate(set) var lack: (field: String, reason: Missing)?

  /// Why no row came to a record.
  ///
  /// - Parameter words: what a record needs: `no row has a price and a time`.
  func failure(_ words: String) -> TableFailure {
    guard let lack else { return TableFailure(.emptyAnswer, words) }
    let text = "\(words): \(lack.field) is \(lack.reason.code)"
    // Exchanges put zeros and nulls in the place of what was not traded.
    return TableFailure([.zero, .jsonNull].contains(lack.reason) ? .emptyAnswer : lack.reason, text)
  }
}

private struct RecordCollector<Builder: RecordBuilder>: RowVisitor {
  let plan: RecordPlan<Builder.Field>
  let globalAliases: [String: String]
  let builder: Builder

  func read<Rows>(_ reader: ValueReader<Rows>) throws(TableFailure) -> Records<Builder.Output> {
    try plan.records(of: reader, globalAliases: globalAliases, builder)
  }
}
