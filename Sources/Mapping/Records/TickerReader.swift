import Config
import Quotes

/// A visitor that converts the rows of one response to tickers.
struct TickerReader: RowVisitor {
  let plan: TablePlan
  /// Rows of other pairs are dropped; nil reads every row.
  let pair: Pair?
  let options: Interpretation
  let arrival: Instant?

  func read<Rows>(_ reader: ValueReader<Rows>) throws(AnswerFailure) -> TickerTable {
    var rows = TickerRows(self, count: reader.rows.count)
    for row in 0..<reader.rows.count {
      if row > 0, row % Rows.rowsBetweenTimeChecks == 0, reader.isLate() { throw .late }
      rows.read(row, reader)
    }
    var table = rows.table
    if let failure = lostSymbol(table) ?? mismatch(table, of: reader.rows.count) { throw failure }
    if pair != nil, reader.rows.count > 1 { flagScales(of: &table, among: reader) }
    return table
  }

  /// How many rows are read to judge the change of the wanted one.
  private static let sampleCount = 200

  /// Flags the wanted row if its change is a fraction that the mapping reads as a percentage, or a percentage multiplied
  /// by 100, as the other rows of the answer show. They are read only if the row itself does not prove its change.
  private func flagScales<Rows>(of table: inout TickerTable, among reader: ValueReader<Rows>) {
    guard table.rows.contains(where: { ChangeScaleCheck.isDoubtful($0.ticker) }) else { return }
    var plain = options
    (plain.traces, plain.namesUnsplit) = (false, false)
    let all = TickerReader(plan: plan, pair: nil, options: plain, arrival: arrival)
    var sample = TickerRows(all, count: min(reader.rows.count, 2 * Self.sampleCount))
    for row in stride(from: 0, to: reader.rows.count, by: max(1, reader.rows.count / Self.sampleCount)) {
      sample.read(row, reader)
    }
    var check = ChangeScaleCheck()
    for row in sample.table.rows { check.add(row.ticker) }
    guard var flag = check.finding else { return }
    flag.isOfTable = true
    for index in table.rows.indices {
      let row = table.rows[index].ticker
      if ChangeScaleCheck.isDoubtful(row), check.concerns(row) { table.rows[index].ticker.flags.append(flag) }
    }
  }

  /// Returns that no row has a symbol at its path, and what the first with a value has instead; nil if one has, or if no
  /// path leads to it.
  private func lostSymbol(_ table: TickerTable) -> AnswerFailure? {
    let count = table.unsplit.count
    let lacks = table.unsplit.compactMap(\.lack)
    guard table.rows.isEmpty, count > 0, table.dropped[.otherPair] == nil, table.dropped[.symbolRule] == nil,
      lacks.count == count, case .rules(let text?, _) = plan.spec.symbol, case .path(let path?, .row) = text.origin
    else { return nil }
    let found = lacks.first { $0 != .nothing } ?? .nothing
    let alike = lacks.count { $0.isLike(found) }
    let words =
      switch found {
      case .nothing: "\(path.text) leads nowhere in \(count == 1 ? "the row" : "any of \(count) rows")"
      case .other(let found):
        "expected a text at \(path.text)"
          + (count == 1 ? "" : " in \(alike == count ? "" : "\(alike) of ")\(count) rows") + ", found \(found)"
      case .unmatched(let text):
        alike == 1 ? "'capture' does not match \(text)" : "'capture' matches none of \(alike) texts, such as \(text)"
      }
    return AnswerFailure(.unsplit, "symbol: \(words)")
  }

  /// Returns why it is unknown whether the exchange lacks the pair although no row has it: no rule splits the rows'
  /// symbols, or the row is about another pair.
  private func mismatch(_ table: TickerTable, of count: Int) -> AnswerFailure? {
    guard let pair, count > 0, table.rows.isEmpty else { return nil }
    let spellings = [pair.asset + pair.payment, pair.payment + pair.asset]
    let namesake = table.unsplit.first {
      spellings.contains($0.symbol.uppercased().filter { $0.isLetter || $0.isNumber })
    }
    if let namesake { return AnswerFailure(.unsplit, "no rule of the config splits \"\(namesake.symbol)\"") }
    if table.unsplit.count == count {
      return AnswerFailure(
        .unsplit, "no rule of the config finds a pair in \(count == 1 ? "the row" : "any of \(count) rows")")
    }
    // An exchange that uses the name for another coin, or for a bundle of one, does not list the one requested.
    if plan.spec.request.asksForPair, count == 1, table.dropped[.otherPair] == 1,
      plan.record.symbol.aliases[pair.asset] == nil, Pair.coin(ofBundle: pair.asset) == nil
    {
      return AnswerFailure(.noAnswer(.otherPair), "requested \(pair), but the answer is about another pair")
    }
    return nil
  }
}

/// The rows of one response while they are read.
private struct TickerRows {
  private let builder: TickerBuilder
  private let fillsPaths: Bool
  private var selector: RowSelector
  /// The path of a symbol that allows the fast path; -1 if there is none.
  private let plainSymbolPath: Int
  /// Blank rows are created all at once and filled in place, since a row has some 400 bytes.
  private var rows: [TickerRow]
  private var filledCount = 0
  /// The element counts of rows that are arrays; empty for any other rows.
  private var elementCounts: [Int] = []

  /// - Parameter count: the maximum number of rows.
  init(_ reading: TickerReader, count: Int) {
    let record = reading.plan.record
    builder = TickerBuilder(reading.plan, reading.options, arrival: reading.arrival)
    selector = RowSelector(
      record, wanted: reading.pair, sought: reading.options.sought, globalAliases: reading.options.globalAliases,
      namesUnsplit: reading.options.namesUnsplit)
    fillsPaths = record.fillsPaths
    let isPlain = reading.pair == nil && !record.fillsPaths && !record.symbol.isRequest
    plainSymbolPath = isPlain ? record.symbol.plainPath ?? -1 : -1
    // A search for one pair keeps almost none of a table's rows.
    rows = Array(repeating: builder.blank, count: reading.pair == nil ? count : 0)
  }

  /// The table of the rows read.
  var table: TickerTable {
    var table = TickerTable()
    table.rows = rows
    table.rows.removeLast(rows.count - filledCount)
    flagShortRows(of: &table)
    table.unsplit = selector.unsplit
    table.dropped = selector.dropped
    table.droppedOfPair = selector.leftOfWanted
    table.droppedPairs = selector.leftOfSought
    return table
  }

  /// Flags arrays with fewer elements than most: a missing element shifts everything after it.
  private func flagShortRows(of table: inout TickerTable) {
    guard elementCounts.count == table.rows.count, let first = elementCounts.first,
      elementCounts.contains(where: { $0 != first })
    else { return }
    let usual = Dictionary(grouping: elementCounts) { $0 }.max { ($0.value.count, $0.key) < ($1.value.count, $1.key) }?
      .key
    guard let usual else { return }
    for (row, count) in elementCounts.enumerated() where count < usual {
      var flag = Flag(.malformed, .fewerElements(count, usual: usual))
      flag.isOfTable = true
      table.rows[row].ticker.flags.append(flag)
    }
  }

  /// Records the shape of the row that was filled last.
  @inline(__always)
  private mutating func note(_ shape: RowShape) {
    if shape.elementCount > 0 { elementCounts.append(shape.elementCount) }
    if shape.repeatsMember {
      rows[filledCount - 1].ticker.flags.append(.repeatedMember)
    }
  }

  mutating func read<Rows>(_ row: Int, _ reader: ValueReader<Rows>) {
    var place = RowPlace(index: row)
    guard selector.passes(reader, at: place) else { return }
    if readPlain(reader, at: place) { return }
    guard let symbol = selector.names(reader, at: place) else { return }
    if fillsPaths {
      place.asset = symbol.asset
      place.payment = symbol.payment
    }
    if filledCount == rows.count { rows.append(builder.blank) }
    symbol.name(&rows[filledCount].ticker)
    builder.fill(&rows[filledCount], rank: symbol.rank, multiplier: symbol.multiplier, reader, at: place)
    filledCount += 1
    note(reader.rows.shape(row))
  }

  /// Reads a row on the fast path, as for nearly all rows of a table that is read completely; returns false if a row
  /// needs more.
  @inline(__always)
  private mutating func readPlain<Rows>(_ reader: ValueReader<Rows>, at place: RowPlace) -> Bool {
    guard plainSymbolPath >= 0, filledCount < rows.count, let bytes = reader.plainBytes(plainSymbolPath, at: place),
      bytes.count >= 4, let rank = selector.symbols.readPlain(bytes, into: &rows[filledCount].ticker)
    else { return false }
    builder.fill(&rows[filledCount], rank: rank, multiplier: nil, reader, at: place)
    filledCount += 1
    note(reader.rows.shape(place.index))
    return true
  }
}
