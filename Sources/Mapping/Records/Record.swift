import HTTP
import Quotes

/// What a field of a record came to: a value of its kind, or the reason why there is none.
enum FieldValue: Sendable, Hashable {
  case number(Decimal)
  case text(String)
  case time(Instant)
  case side(TradeSide)
  case missing(Missing)

  init(_ cell: Cell) {
    switch cell {
    case .value(let number): self = .number(number)
    case .missing(let reason): self = .missing(reason)
    }
  }
}

/// A record as it was read.
struct Record<Field: RecordField>: Sendable {
  /// The number of its row in the answer.
  let row: Int
  /// nil for records that name no pair.
  let symbol: ReadSymbol?
  /// By the field's index.
  fileprivate let values: [FieldValue]

  subscript(_ field: Field) -> FieldValue { values[field.index] }

  func cell(_ field: Field) -> Cell {
    switch self[field] {
    case .number(let number): .value(number)
    case .missing(let reason): .missing(reason)
    default: .missing(.notANumber)
    }
  }

  func number(_ field: Field) -> Decimal? { cell(field).value }
  func text(_ field: Field) -> String? { if case .text(let text) = self[field] { text } else { nil } }
  func time(_ field: Field) -> Instant? { if case .time(let time) = self[field] { time } else { nil } }
  func side(_ field: Field) -> TradeSide? { if case .side(let side) = self[field] { side } else { nil } }
}

extension RecordPlan {
  /// The records of an answer that the conditions and the pair asked for leave, in the order of the answer.
  func records(
    in answer: HTTPResponse, _ context: ReadingContext, globalAliases: [String: String] = [:]
  ) throws(TableFailure) -> [Record<Field>] {
    try read(answer, context, RecordCollector(plan: self, globalAliases: globalAliases))
  }

  func records<Rows>(
    of reader: ValueReader<Rows>, globalAliases: [String: String] = [:]
  ) throws(TableFailure) -> [Record<Field>] {
    var selector = RowSelector(self, wanted: reader.request?.pair, globalAliases: globalAliases)
    var records: [Record<Field>] = []
    for row in 0..<reader.rows.count {
      if row > 0, row % Rows.rowsBetweenLooks == 0, reader.isLate() { throw .late }
      var place = RowPlace(index: row)
      guard selector.passes(reader, at: place) else { continue }
      var names: ReadSymbol?
      if namesPair {
        names = selector.names(reader, at: place)
        guard let names else { continue }
        (place.asset, place.payment) = (names.asset, names.payment)
      }
      let values = zip(Field.allCases, values).map { field, value in
        value.map { reader.value($0, field.kind, at: place) } ?? .missing(.notOffered)
      }
      records.append(Record(row: row, symbol: names, values: values))
    }
    return records
  }
}

private struct RecordCollector<Field: RecordField>: RowVisitor {
  let plan: RecordPlan<Field>
  let globalAliases: [String: String]

  func read<Rows>(_ reader: ValueReader<Rows>) throws(TableFailure) -> [Record<Field>] {
    try plan.records(of: reader, globalAliases: globalAliases)
  }
}

/// Chooses the rows of an answer that are read, says which pair each is of, and counts those that are left out.
struct RowSelector {
  private let conditions: [ConditionPlan]
  let symbols: SymbolReader
  /// Rows of other pairs are left out; nil reads every row.
  private let wanted: Pair?
  /// nil where every row is wanted, or has to be read to know.
  private let prefilter: SymbolPrefilter?
  private var leftByCondition = 0
  private var leftBySymbol = 0
  private var leftByPair = 0
  private(set) var unsplit: [TickerTable.Unsplit] = []

  /// - Parameter namesUnsplit: whether every symbol is looked at, so that those that no rule splits can be named.
  init<Field>(
    _ plan: RecordPlan<Field>, wanted: Pair?, globalAliases: [String: String], namesUnsplit: Bool = false
  ) {
    conditions = plan.conditions
    symbols = SymbolReader(plan: plan.symbol, globalAliases: globalAliases)
    self.wanted = wanted
    prefilter =
      namesUnsplit
      ? nil : wanted.flatMap { SymbolPrefilter(plan.symbol, wanted: $0.asset, globalAliases: globalAliases) }
  }

  /// How many rows were left out, by reason.
  var dropped: [DropReason: Int] {
    let counts = [(DropReason.condition, leftByCondition), (.symbolRule, leftBySymbol), (.otherPair, leftByPair)]
    return counts.reduce(into: [:]) { if $1.1 > 0 { $0[$1.0] = $1.1 } }
  }

  /// Whether a row may be of the wanted pair, and its conditions hold.
  @inline(__always)
  mutating func passes<Rows>(_ reader: ValueReader<Rows>, at place: RowPlace) -> Bool {
    if let prefilter, let text = reader.plainBytes(prefilter.path, at: place), !prefilter.mayHold(text) {
      leftByPair += 1
      return false
    }
    // By index: a loop over the array itself would count a reference to it for each row.
    for index in conditions.indices where !reader.holds(conditions[index], at: place) {
      leftByCondition += 1
      return false
    }
    return true
  }

  /// What a row's symbol comes to; nil for a row that is left out.
  mutating func names<Rows>(_ reader: ValueReader<Rows>, at place: RowPlace) -> ReadSymbol? {
    guard let names = read(reader, at: place) else { return nil }
    if let wanted, names.pair != wanted {
      leftByPair += 1
      return nil
    }
    return names
  }

  private mutating func read<Rows>(_ reader: ValueReader<Rows>, at place: RowPlace) -> ReadSymbol? {
    if symbols.plan.isRequest {
      if let pair = reader.request?.pair { return symbols.symbol(of: pair) }
      unsplit.append(.init(product: symbols.plan.product, symbol: "(the pair asked for)"))
      return nil
    }
    // A text of four bytes or more is none of those that stand for nothing.
    if let path = symbols.plan.plainPath, let bytes = reader.plainBytes(path, at: place), bytes.count >= 4 {
      return split(bytes, reader, at: place)
    }
    guard var text = symbols.plan.text.flatMap({ reader.text($0, at: place) }) else {
      return split(nil, reader, at: place)
    }
    return text.withUTF8 { split($0, reader, at: place) }
  }

  /// Out of line: lending the reader to the rules costs a copy of it.
  @inline(never)
  private mutating func split<Rows>(
    _ text: UnsafeBufferPointer<UInt8>?, _ reader: ValueReader<Rows>, at place: RowPlace
  ) -> ReadSymbol? {
    switch symbols.read(text, value: { reader.text($0, at: place) }) {
    case .pair(let names): return names
    case .skipped: leftBySymbol += 1
    case .unsplit:
      let name = text.map { String(decoding: $0, as: UTF8.self) } ?? reader.rows.key(place.index, in: reader.body)
      unsplit.append(.init(product: symbols.plan.product, symbol: name ?? ""))
    }
    return nil
  }
}
