package import Config
package import HTTP
import JSON
package import Quotes

/// A compiled order book of one pair: each side is a list of records with a price and a size.
package final class BookPlan: Sendable {
  private let bids: RecordPlan<LevelField>
  private let asks: RecordPlan<LevelField>
  /// Both sides in one pass; nil if either needs a tree.
  private let scan: SidesScan?
  private let table: TableSpec
  /// Whether both sides are in one list, told apart by one value of each level.
  private let areMixed: Bool

  private final class SidesScan: Sendable {
    let bids: RowScan
    let asks: RowScan
    let plan: ScanPlan

    init?(_ bids: RowScan?, _ asks: RowScan?) {
      guard let bids, let asks else { return nil }
      (self.bids, self.asks) = (bids, asks)
      plan = ScanPlan([bids.part, asks.part])
    }
  }

  /// - Parameter usesScan: false reads every response through a tree: see ``RecordPlan``.
  package init(_ spec: BookSpec, usesScan: Bool = true) {
    // Values of the whole response are read along with the bids.
    var once: [String: ValueSpec] = [:]
    once[Once.time] = spec.time
    once[Once.sequence] = spec.sequence
    func side(_ side: BookSpec.Side, _ answerFields: [String: ValueSpec]) -> RecordPlan<LevelField> {
      var record = RecordSpec(spec.table)
      record.rows = side.rows
      record.conditions = side.conditions
      record.fields = [LevelField.price.rawValue: side.price, LevelField.size.rawValue: side.size]
      record.answerFields = answerFields
      record.hook = nil
      record.mayBeEmpty = true
      return RecordPlan(record, of: spec.table, market: nil, usesScan: usesScan)
    }
    bids = side(spec.bids, once)
    asks = side(spec.asks, [:])
    scan = SidesScan(bids.scan, asks.scan)
    table = spec.table
    areMixed = spec.areMixed
  }

  /// Requires that each level is of one side: one whose word for it is unknown would be missing from the book, or stay
  /// in it.
  ///
  /// - Parameter rowCount: the number of levels in the list.
  private func requireSides(
    _ bids: [OrderBook.Level], _ asks: [OrderBook.Level], of rowCount: Int
  ) throws(AnswerFailure) {
    guard areMixed, bids.count + asks.count < rowCount else { return }
    throw AnswerFailure(
      .noAnswer(.bookSide), "\(rowCount - bids.count - asks.count) of \(rowCount) levels are of neither side")
  }

  /// Returns the lookups that its levels read.
  package static func lookups(of spec: BookSpec) -> Set<String> {
    let values = [spec.bids, spec.asks].flatMap { side in [side.price, side.size] + side.conditions.map(\.value) }
    let names = (values + [spec.key].compactMap(\.self)).flatMap(\.lookupNames)
    return spec.table.lookups.names(behind: Set(names))
  }

  private enum Once {
    static let time = "time"
    static let sequence = "sequence"
  }

  /// - Parameters:
  ///   - check: checks the book's time against the arrival of the response; nil skips this.
  /// - Throws: `AnswerFailure` if the response is an error, lacks such levels, or has a level without a number: half a
  ///   book would give a wrong price.
  package func book(
    in answer: HTTPResponse, _ context: ReadingContext,
    check: MeaningCheck? = nil
  ) throws(AnswerFailure) -> OrderBook {
    let body = try AnswerReader.json(answer, hook: table.hook, hooks: context.hooks)
    let arrival = answer.arrival
    var check = check?.adapted(to: table)
    check?.answerMade = answer.made
    let answer = HTTPResponse(status: answer.status, body: body)
    let (side, asks) = try bothSides(of: answer, context)
    try requireSides(side.levels, asks, of: side.rowCount)
    let flag = check?.bookFinding(time: side.time, missing: side.timeMissing, arrival: arrival)
    let book = OrderBook(
      bids: side.levels, asks: asks, time: side.time, unreadTime: side.timeMissing, sequence: side.sequence,
      flags: flag.map { [$0] } ?? [])
    if book.hasLeftOutNegative(side.levels, asks) { throw .negativeLevel }
    if book.bids.isEmpty, book.asks.isEmpty { throw AnswerFailure(.emptyAnswer, "the order book is empty") }
    if book.isCrossed { throw AnswerFailure(.noAnswer(.bookCrossed), "a bid is above an ask") }
    return book
  }

  /// Returns the bids with the values of the whole book, and the asks.
  private func bothSides(
    of answer: HTTPResponse, _ context: ReadingContext
  ) throws(AnswerFailure) -> (bids: BookReader.Output, asks: [OrderBook.Level]) {
    let (first, second) = (BookReader(plan: bids), SideReader(plan: asks))
    guard let scan else {
      return (try bids.read(answer, context, first), try asks.read(answer, context, second))
    }
    let found = try bids.scanned(answer, answer.body, context) { () throws(JSONSyntaxError) in
      try scan.plan.scan(answer.body, maximumRows: AnswerLimit.rows)
    }
    return (
      try bids.read(found[0], by: scan.bids, answer.body, answer, context, first),
      try asks.read(found[1], by: scan.asks, answer.body, answer, context, second)
    )
  }

  /// Explains the best level of each side, and the values of the whole response.
  ///
  /// Of levels with the same price, whose sizes are added up in the book, all sizes are explained.
  ///
  /// - Parameters:
  ///   - book: the book as read from the response.
  ///   - multiplier: the number of units that the exchange counts as one, if not 1.
  package func explained(
    _ book: OrderBook, in answer: HTTPResponse, _ context: ReadingContext, multiplier: Decimal?
  ) throws(AnswerFailure) -> [ExplainedRecord] {
    let body = try AnswerReader.json(answer, hook: table.hook, hooks: context.hooks)
    let answer = HTTPResponse(status: answer.status, body: body)
    var explained: [ExplainedRecord] = []
    let sides: [(ExplainedRecord.Subject, RecordPlan<LevelField>, OrderBook.Level?)] = [
      (.bestBid, bids, book.bids.first), (.bestAsk, asks, book.asks.first),
    ]
    for (subject, side, best) in sides {
      guard let best else { continue }
      let shown = multiplier.flatMap(best.scaled) ?? best
      let parts = try side.traces(in: answer, context, LevelBuilder()) {
        $0.price == best.price && $0.size.signum > 0
      } multiplier: { _ in
        multiplier
      } result: { _, field in
        shown.explainedText(field)
      }
      guard let first = parts.first else { continue }
      let fields = LevelField.allCases.map { field in
        let own = parts.map { $0.fields[field.index] }
        return field == .size && own.count > 1 ? FieldTrace(sumOf: own) : first.fields[field.index]
      }
      explained.append(ExplainedRecord(subject, fields))
    }
    let once = try bids.read(answer, context, OnceExplainer(plan: bids))
    return once.isEmpty ? explained : explained + [ExplainedRecord(.book, once)]
  }

  /// A visitor that explains the values of the whole book.
  private struct OnceExplainer: RowVisitor {
    let plan: RecordPlan<LevelField>

    func read<Rows>(_ reader: ValueReader<Rows>) throws(AnswerFailure) -> [FieldTrace] {
      let place = RowPlace(index: 0)
      var traces: [FieldTrace] = []
      if let value = plan.answerValues[Once.time] {
        let (time, missing) = reader.time(value, at: place)
        let result = time?.iso8601 ?? missing?.code ?? Missing.notANumber.code
        traces.append(reader.trace(named: Once.time, value, at: place, result: result))
      }
      if let value = plan.answerValues[Once.sequence] {
        let result = reader.text(value, at: place) ?? Missing.pathMiss.code
        traces.append(reader.trace(named: Once.sequence, value, at: place, result: result))
      }
      return traces
    }
  }

  /// The location of the levels of a message row.
  enum LevelSource {
    /// In the message, already found along with the row in one pass, by their parts of the findings.
    case found(ScanFindings, bids: Int, asks: Int, in: [UInt8])
    /// In the text of the row.
    case text([UInt8])
  }

  /// Returns the scan parts that find both sides in one pass over a message in which `path` leads to the row; nil if a
  /// side needs a tree.
  func parts(below path: ScanPath) -> [ScanPlan.Part]? {
    scan.map { [$0.bids.part.moved(below: path), $0.asks.part.moved(below: path)] }
  }

  /// Returns the levels of both sides in one message row, as written: a size of zero counts as a level.
  ///
  /// - Parameters:
  ///   - place: the names of the pair.
  ///   - isWhole: whether both sides must be present.
  func levels(
    in source: LevelSource, _ scope: ValueScope, of place: RowPlace, isWhole: Bool
  ) throws(AnswerFailure) -> (bids: [OrderBook.Level], asks: [OrderBook.Level]) {
    var first = LevelVisitor(plan: bids, pair: place, needsRows: isWhole)
    var second = LevelVisitor(plan: asks, pair: place, needsRows: isWhole)
    let own = (bids.scope(in: scope), asks.scope(in: scope))
    switch (source, scan) {
    case (.found(let found, let bidsPart, let asksPart, let message), let scan?):
      let levels = (
        try bids.readMessage(message, found, bidsPart, of: scan.bids, own.0, &first),
        try asks.readMessage(message, found, asksPart, of: scan.asks, own.1, &second)
      )
      try requireSides(levels.0, levels.1, of: first.rowCount)
      return levels
    case (.text(let row), let scan?):
      let found: ScanFindings
      do {
        found = try scan.plan.scan(row, maximumRows: AnswerLimit.rows)
      } catch {
        try error.throwIfTooLarge()
        throw AnswerFailure(.notJSON)
      }
      return try levels(in: .found(found, bids: 0, asks: 1, in: row), scope, of: place, isWhole: isWhole)
    case (.found(_, _, _, let row), nil), (.text(let row), nil):
      var (bidScanner, askScanner) = (bids.scanner, asks.scanner)
      guard let inBids = try bids.readMessage(row, by: &bidScanner, own.0, &first),
        let inAsks = try asks.readMessage(row, by: &askScanner, own.1, &second)
      else { throw AnswerFailure(.notJSON) }
      try requireSides(inBids, inAsks, of: first.rowCount)
      return (inBids, inAsks)
    }
  }

  /// Explains the first level of each side in one message row; a side without levels is omitted.
  ///
  /// - Parameters:
  ///   - place: the names of the pair.
  ///   - multiplier: the number of units that the exchange counts as one, if not 1.
  func firstLevels(
    in row: [UInt8], _ scope: ValueScope, of place: RowPlace, multiplier: Decimal?
  ) -> [ExplainedRecord] {
    [(ExplainedRecord.Subject.firstBid, bids), (.firstAsk, asks)].compactMap { subject, plan in
      var visitor = LevelExplainer(plan: plan, pair: place, multiplier: multiplier)
      var scanner = plan.scanner
      guard let read = try? plan.readMessage(row, by: &scanner, plan.scope(in: scope), &visitor), let fields = read
      else { return nil }
      return ExplainedRecord(subject, fields)
    }
  }

  /// A visitor that reads one side of a message to explain its first level.
  private struct LevelExplainer: MessageVisitor {
    let plan: RecordPlan<LevelField>
    let pair: RowPlace
    let multiplier: Decimal?

    func read<Rows>(_ reader: ValueReader<Rows>) -> [FieldTrace]? {
      var row = RecordRow(plan: plan, reader: reader, place: pair)
      for index in 0..<reader.rows.count {
        row.place.index = index
        guard plan.conditions.allSatisfy({ reader.holds($0, at: row.place) }),
          let level = try? LevelBuilder().record(row)
        else { continue }
        return reader.traces(plan, at: row.place, multiplier: multiplier) {
          (multiplier.flatMap(level.scaled) ?? level).explainedText($0)
        }
      }
      return nil
    }
  }

  /// A visitor that reads the levels of one side of a message.
  private struct LevelVisitor: MessageVisitor {
    let plan: RecordPlan<LevelField>
    let pair: RowPlace
    let needsRows: Bool
    var rowCount = 0

    mutating func read<Rows>(_ reader: ValueReader<Rows>) throws(AnswerFailure) -> [OrderBook.Level] {
      rowCount = reader.rows.count
      if needsRows, let failure = reader.rows.failure { throw failure }
      return try plan.levels(of: reader, pair)
    }
  }

  /// A visitor that reads one side of a response.
  private struct SideReader: RowVisitor {
    let plan: RecordPlan<LevelField>

    func read<Rows>(_ reader: ValueReader<Rows>) throws(AnswerFailure) -> [OrderBook.Level] {
      var place = RowPlace(index: 0)
      if let pair = reader.request?.pair {
        let spelled = SymbolReader(plan: plan.symbol, globalAliases: [:]).symbol(of: pair)
        (place.asset, place.payment) = (spelled.asset, spelled.payment)
      }
      try reader.rows.requireDistinctAnswerMembers()
      return try plan.levels(of: reader, place)
    }
  }

  /// A visitor that reads one side of a response, and the values of the whole book.
  private struct BookReader: RowVisitor {
    let plan: RecordPlan<LevelField>

    func read<Rows>(
      _ reader: ValueReader<Rows>
    ) throws(AnswerFailure) -> (
      levels: [OrderBook.Level], rowCount: Int, time: Instant?, timeMissing: Missing?, sequence: String?
    ) {
      let place = RowPlace(index: 0)
      let time = plan.answerValues[Once.time].map { reader.time($0, at: place) }
      return (
        try SideReader(plan: plan).read(reader), reader.rows.count, time?.instant, time?.missing,
        plan.answerValues[Once.sequence].flatMap { reader.text($0, at: place) }
      )
    }
  }
}

extension OrderBook {
  /// Returns whether any of the levels that the book was made from is negative. Zeros are padding. If no level was
  /// dropped, none can be negative.
  func hasLeftOutNegative(_ bids: [Level], _ asks: [Level]) -> Bool {
    self.bids.count + self.asks.count < bids.count + asks.count
      && [bids, asks].joined().contains { $0.price.signum < 0 || $0.size.signum < 0 }
  }
}

extension AnswerFailure {
  static let negativeLevel = AnswerFailure(.notANumber, "a level of the order book has a negative price or size")
}

extension RecordPlan<LevelField> {
  /// Returns the levels of one side, as written: a size of zero counts as a level.
  ///
  /// - Parameter pair: the names of the pair.
  fileprivate func levels<Rows>(
    of reader: ValueReader<Rows>, _ pair: RowPlace
  ) throws(AnswerFailure) -> [OrderBook.Level] {
    var levels: [OrderBook.Level] = []
    levels.reserveCapacity(reader.rows.count)
    let price = plainNumbers[LevelField.price.index]
    let size = plainNumbers[LevelField.size.index]
    var row = RecordRow(plan: self, reader: reader, place: pair)
    for index in 0..<reader.rows.count {
      if index > 0, index % Rows.rowsBetweenTimeChecks == 0, reader.isLate() { throw .late }
      row.place.index = index
      guard conditions.isEmpty || conditions.allSatisfy({ reader.holds($0, at: row.place) }) else { continue }
      try reader.rows.requireDistinctMembers(index)
      // Nearly every exchange writes both as plain numbers.
      if let price, let size, case .value(let price)? = reader.plainCell(price, at: row.place),
        case .value(let size)? = reader.plainCell(size, at: row.place)
      {
        levels.append(OrderBook.Level(price: price, size: size))
      } else if let level = try LevelBuilder().record(row) {
        levels.append(level)
      }
    }
    return levels
  }
}

struct LevelBuilder: RecordBuilder {
  func record<Rows>(_ row: RecordRow<Rows, LevelField>) throws(AnswerFailure) -> OrderBook.Level? {
    let (price, size) = (row.cell(.price), row.amount(.size))
    guard case .value(let price) = price, case .value(let size) = size else {
      throw Self.failure(price, size)
    }
    return OrderBook.Level(price: price, size: size)
  }

  private static func failure(_ price: Cell, _ size: Cell) -> AnswerFailure {
    switch price.missing ?? size.missing {
    // The level is fine, but the unit of its size is unknown.
    case .lookupFailed(let name)?: AnswerFailure(.lookupFailed(name), "the unit of the sizes is unknown")
    case .lookupMiss?: AnswerFailure(.lookupMiss, "the unit of the sizes is unknown")
    case .lookupAmbiguous?: AnswerFailure(.lookupAmbiguous, "the unit of the sizes is ambiguous")
    default: AnswerFailure(.notANumber, "a level of the order book has no price or no size")
    }
  }
}
