import Config
import HTTP
import JSON
import Quotes

/// The fields that a message has once per order book.
enum BookField: String, RecordField {
  /// A number that increases with each change.
  case sequence
  /// The number of the preceding change.
  case previous
  /// When the book was, or became, as the message says.
  case time

  var kind: FieldKind { self == .time ? .time : .text }

  var index: Int {
    switch self {
    case .sequence: 0
    case .previous: 1
    case .time: 2
    }
  }
}

/// A reader of order book messages, both snapshots and changes.
struct BookMessages: Sendable {
  let plan: MessagePlan<BookField>
  /// For messages that are not read in one pass with their levels.
  private var scanner: Scanner?
  private let pairs: StreamRows
  private let whole: BookPlan?
  private let changes: BookPlan?
  /// The same for messages that have orders instead of levels; nil otherwise.
  private let orders: (whole: OrderPlan, changes: OrderPlan)?
  /// One pass for the row and the levels of both plans; nil if there may be several rows, or if levels need a tree.
  private var joined: (scan: RowScan, scanner: Scanner)?
  private let keptLevels: Int?
  private let mayCross: Bool
  private let hasWhole: Bool
  private let order: LocalOrderBook.Order
  private let isExplained: Bool
  /// The time, if it is a plain one of the message and not of the row.
  private let plainTime: PlainTime?
  private let check: MeaningCheck
  /// By index of the pair; nil before its first snapshot.
  private var books: [LocalOrderBook?]
  /// The orders that the books are made of, by index of the pair; empty if messages have levels.
  private var resting: [RestingOrders]
  /// The changes before the first snapshot of each pair; nil from then on, and if changes do not name the one before. A
  /// snapshot that was requested beside them may be older than some of them.
  private var early: [[EarlyChange]?]

  private struct EarlyChange: Sendable {
    let levels: (bids: [OrderBook.Level], asks: [OrderBook.Level])
    let sequence: String?
    let previous: String?
  }

  private static let maximumEarlyChanges = 100

  init(_ spec: StreamSpec, _ market: Market, _ pairs: [StreamPair], _ options: Interpretation, usesScan: Bool) {
    var fields: [String: ValueSpec] = [:]
    fields[BookField.sequence.rawValue] = spec.book?.sequence
    fields[BookField.previous.rawValue] = spec.book?.previous
    fields[BookField.time.rawValue] = spec.book?.time
    plan = MessagePlan(spec, fields: fields, market: market, usesScan: usesScan)
    scanner = plan.record.scanner
    // The paths of levels do not belong to the plan: Indodax calls a size `btc_volume`.
    self.pairs = StreamRows(spec, plan.record, pairs, options, namesPair: true)
    whole = spec.book.map { BookPlan($0.whole, usesScan: usesScan) }
    changes = (spec.book?.changes).map { BookPlan($0, usesScan: usesScan) } ?? whole
    let ordersOfWhole = spec.book.flatMap { OrderPlan($0.whole, usesScan: usesScan) }
    let ordersOfChanges = (spec.book?.changes).flatMap { OrderPlan($0, usesScan: usesScan) } ?? ordersOfWhole
    if let ordersOfWhole, let ordersOfChanges {
      orders = (whole: ordersOfWhole, changes: ordersOfChanges)
      resting = pairs.map { _ in RestingOrders() }
    } else {
      orders = nil
      resting = []
      joined = Self.joined(plan.record.scan, whole, changes)
    }
    keptLevels = spec.book?.keptLevels
    mayCross = spec.book?.mayCross ?? false
    hasWhole = spec.whole != nil
    switch (spec.book?.sequence, spec.book?.previous) {
    case (nil, _): order = .asTheyCome
    case (_?, nil): order = .rising
    case (_?, _?): order = .linked
    }
    isExplained = options.traces
    plainTime = plan.record[.time].flatMap { PlainTime($0, isOfResponse: true) }
    check = options.check
    books = pairs.map { _ in nil }
    early = Array(repeating: order == .linked && orders == nil ? [] : nil, count: pairs.count)
  }

  private static func joined(_ row: RowScan?, _ whole: BookPlan?, _ changes: BookPlan?) -> (RowScan, Scanner)? {
    guard let row, let lead = row.singleRow?.lead, let whole = whole?.parts(below: lead),
      let changes = changes?.parts(below: lead)
    else { return nil }
    return (row, Scanner(ScanPlan([row.part] + whole + changes)))
  }

  /// Returns nil if the message is not JSON.
  mutating func read(
    _ message: [UInt8], _ scope: ValueScope, _ arrival: Instant
  ) throws(AnswerFailure) -> MessageReading? {
    var visitor = BookVisitor(
      plan: plan, pairs: pairs, plainTime: plainTime, readsNumbers: hasWhole, isExplained: isExplained)
    guard let scan = joined?.scan else {
      guard let (kind, rows) = try plan.record.readMessage(message, by: &scanner, scope, &visitor) else { return nil }
      return try take(kind, rows, of: message, scope, arrival) { row, _ in
        .text(row.range.count == message.count ? message : Array(message[row.range]))
      }
    }
    let found: ScanFindings?
    do {
      found = try joined?.scanner.scan(message, maximumRows: AnswerLimit.rows)
    } catch {
      try error.throwIfTooLarge()
      return nil
    }
    guard let found else { return nil }
    let (kind, rows) = try plan.record.readMessage(message, found, 0, of: scan, scope, &visitor)
    return try take(kind, rows, of: message, scope, arrival) { _, isWhole in
      .found(found, bids: isWhole ? 1 : 3, asks: isWhole ? 2 : 4, in: message)
    }
  }

  /// - Parameter source: returns the location of the levels of a row, which is a snapshot or a change.
  private mutating func take(
    _ kind: MessagePlan<BookField>.Kind, _ rows: [BookVisitor.Row], of message: [UInt8], _ scope: ValueScope,
    _ arrival: Instant, _ source: (BookVisitor.Row, _ isWhole: Bool) -> BookPlan.LevelSource
  ) throws(AnswerFailure) -> MessageReading? {
    guard case .rows(let isWhole) = kind else { return MessageReading(kind) }
    guard let whole else { return .read(.other) }
    var updates: [StreamUpdate] = []
    // A gap of one pair does not keep the others from their part of the message.
    var gaps: [StreamReading] = []
    var baseless: [Int] = []
    for row in rows {
      switch isWhole ? snapshot(whole, row, source(row, true), scope, arrival) : changed(row, source, scope, arrival) {
      case .shown(let book):
        books[row.pair] = book
        let shown = book.orderBook(of: row.time, unread: row.timeMissing, flag(row, arrival))
        let factor = pairs.multipliers[row.pair]
        updates.append(
          StreamUpdate(
            pair: row.pair, value: .orderbook(factor.map { shown.scaled(by: $0) } ?? shown),
            explained: isExplained ? explained(row, scope, isWhole: isWhole, in: message) : nil))
      case .kept(let book): books[row.pair] = book
      case .baseless: baseless.append(row.pair)
      case .gap(let what):
        books[row.pair] = nil
        gaps.append(.gap(pair: row.pair, what))
      case .unusable(let failure):
        // The previous state is no longer valid either.
        books[row.pair] = nil
        updates.append(StreamUpdate(pair: row.pair, value: .unusable(failure)))
      }
    }
    if rows.isEmpty { return .read(.foreign) }
    if updates.isEmpty, !baseless.isEmpty { return MessageReading.read(.baseless(pairs: baseless)).with(gaps) }
    return MessageReading.read(updates.isEmpty ? .other : .updates(updates)).with(gaps)
  }

  /// What a row does to the book of its pair.
  private enum RowOutcome {
    /// The book has changed.
    case shown(LocalOrderBook)
    /// It stays: the row says nothing new.
    case kept(LocalOrderBook)
    /// There is none to change.
    case baseless
    case gap(String)
    case unusable(AnswerFailure)
  }

  /// Returns what a snapshot does.
  private mutating func snapshot(
    _ plan: BookPlan, _ row: BookVisitor.Row, _ source: BookPlan.LevelSource, _ scope: ValueScope, _ arrival: Instant
  ) -> RowOutcome {
    switch book(plan, row, source, scope, arrival) {
    case .failure(let failure): return .unusable(failure)
    case .success(var book):
      guard let kept = books[row.pair] else { return settled(caughtUp(book, row.pair, arrival), arrival) }
      book.continueCross(of: kept)
      if let fault = fault(of: &book, arrival) { return .unusable(.stream(.bad(fault))) }
      // Later changes would be applied to a book that they do not follow.
      if hasWhole, let what = book.isNumberedBelow(kept, order) { return .gap(what) }
      return !hasWhole && book.isLate(after: kept) ? .kept(kept) : settled(book, arrival)
    }
  }

  /// Shows a book, unless it may be crossed and is: then it waits for the change that makes it sound.
  private func settled(_ book: LocalOrderBook, _ arrival: Instant) -> RowOutcome {
    var book = book
    if let fault = fault(of: &book, arrival) { return .gap(fault) }
    return book.isCrossed ? .kept(book) : .shown(book)
  }

  /// Why a book cannot be right; nil if it is sound, or will be.
  private func fault(of book: inout LocalOrderBook, _ arrival: Instant) -> String? {
    mayCross && book.isBrieflyCrossed(at: arrival) ? book.excess : book.fault
  }

  /// Returns what a change does.
  private mutating func changed(
    _ row: BookVisitor.Row, _ source: (BookVisitor.Row, _ isWhole: Bool) -> BookPlan.LevelSource, _ scope: ValueScope,
    _ arrival: Instant
  ) -> RowOutcome {
    guard var book = books[row.pair] else {
      keep(row, source(row, false), scope)
      return .baseless
    }
    // Taken out of the array while it changes: copying the levels would cost more than the change.
    books[row.pair] = nil
    switch change(&book, row, source(row, false), scope, arrival) {
    case .isOld: return .kept(book)
    case .gap(let what): return .gap(what)
    case .taken:
      book.sent = row.time
      if let keptLevels { book.cut(to: keptLevels) }
      return settled(book, arrival)
    }
  }

  /// Keeps a change until the first snapshot of its pair.
  private mutating func keep(_ row: BookVisitor.Row, _ source: BookPlan.LevelSource, _ scope: ValueScope) {
    guard let kept = early[row.pair], kept.count < Self.maximumEarlyChanges,
      let levels = try? changes?.levels(in: source, scope, of: row.place, isWhole: false),
      !(levels.bids + levels.asks).contains(where: { $0.size.signum < 0 })
    else { return }
    early[row.pair]?.append(EarlyChange(levels: levels, sequence: row.sequence, previous: row.previous))
  }

  /// Returns the first snapshot of a pair with those earlier changes that follow it.
  private mutating func caughtUp(_ whole: LocalOrderBook, _ pair: Int, _ arrival: Instant) -> LocalOrderBook {
    let changes = early[pair] ?? []
    early[pair] = nil
    var book = whole
    var isAhead = false
    for change in changes {
      switch book.take(change.levels, sequence: change.sequence, previous: change.previous, order, at: arrival) {
      case .taken: isAhead = true
      case .isOld: break
      // They tell nothing about this snapshot. If something is missing, the next change will show it.
      case .gap: return whole
      }
    }
    if let keptLevels { book.cut(to: keptLevels) }
    return isAhead && fault(of: &book, arrival) == nil ? book : whole
  }

  /// Returns what is wrong with the time in a row, which is that of the whole book after it.
  private func flag(_ row: BookVisitor.Row, _ arrival: Instant) -> Flag? {
    check.bookFinding(time: row.time, missing: row.timeMissing, arrival: arrival)
  }

  /// Explains the first level of each side in a row, and the numbers that order its changes.
  private func explained(
    _ row: BookVisitor.Row, _ scope: ValueScope, isWhole: Bool, in message: [UInt8]
  ) -> ExplainedMessage {
    let text = Array(message[row.range])
    let multiplier = pairs.multipliers[row.pair]
    let levels = (isWhole ? whole : changes)?.firstLevels(in: text, scope, of: row.place, multiplier: multiplier)
    return ExplainedMessage(message, isChange: !isWhole, [ExplainedRecord(.book, row.traces)] + (levels ?? []))
  }

  /// Returns a snapshot, or why the message does not contain a valid one.
  private mutating func book(
    _ plan: BookPlan, _ row: BookVisitor.Row, _ source: BookPlan.LevelSource, _ scope: ValueScope,
    _ arrival: Instant
  ) -> Result<LocalOrderBook, AnswerFailure> {
    do throws(AnswerFailure) {
      // A change without a number is a gap; a whole book may have none, but then it says none.
      if let sequence = row.sequence, Decimal(sequence) == nil { throw .unreadable(sequence: sequence) }
      let levels: (bids: [OrderBook.Level], asks: [OrderBook.Level])
      if let orders, case .text(let text) = source {
        let all = try orders.whole.changes(in: text, scope, of: row.place, isWhole: true)
        resting[row.pair] = RestingOrders()
        levels = try resting[row.pair].take(all)
      } else {
        levels = try plan.levels(in: source, scope, of: row.place, isWhole: true)
      }
      let whole = OrderBook(bids: levels.bids, asks: levels.asks)
      if whole.hasLeftOutNegative(levels.bids, levels.asks) { return .failure(.negativeLevel) }
      // Where changes follow, they may fill it.
      if !hasWhole, whole.bids.isEmpty, whole.asks.isEmpty {
        return .failure(AnswerFailure(.emptyAnswer, "the order book is empty"))
      }
      var book = LocalOrderBook(whole, sequence: row.sequence, sent: row.time, at: arrival)
      if let keptLevels { book.cut(to: keptLevels) }
      return fault(of: &book, arrival).map { .failure(.stream(.bad($0))) } ?? .success(book)
    } catch {
      return .failure(error)
    }
  }

  /// A change that cannot be read counts as missing.
  private mutating func change(
    _ book: inout LocalOrderBook, _ row: BookVisitor.Row, _ source: BookPlan.LevelSource, _ scope: ValueScope,
    _ arrival: Instant
  ) -> LocalOrderBook.Change {
    guard let changes else { return .isOld }
    do throws(AnswerFailure) {
      if let orders, case .text(let text) = source {
        let all = try orders.changes.changes(in: text, scope, of: row.place, isWhole: false)
        return try apply(all, of: row, to: &book, arrival)
      }
      let levels = try changes.levels(in: source, scope, of: row.place, isWhole: false)
      for side in [levels.bids, levels.asks] where side.contains(where: { $0.size.signum < 0 }) {
        throw .negativeLevel
      }
      let change = book.take(levels, sequence: row.sequence, previous: row.previous, order, at: arrival)
      // No levels may mean that nothing changed, or that the sides have been renamed: as news they would keep REST from
      // ever checking the book.
      if case .taken = change, levels.bids.isEmpty, levels.asks.isEmpty { return .isOld }
      return change
    } catch {
      return .gap(error.message ?? error.reason.code)
    }
  }
}

extension BookMessages {
  /// Applies changes of orders, unless their row is old: they depend on those before.
  private mutating func apply(
    _ changes: [OrderChange], of row: BookVisitor.Row, to book: inout LocalOrderBook, _ arrival: Instant
  ) throws(AnswerFailure) -> LocalOrderBook.Change {
    let place = book.take((bids: [], asks: []), sequence: row.sequence, previous: row.previous, order, at: arrival)
    guard case .taken = place else { return place }
    let levels = try resting[row.pair].take(changes)
    book.apply(levels)
    return changes.isEmpty ? .isOld : .taken
  }
}

extension AnswerFailure {
  /// What orders the rows of a channel is there, but not a number.
  static func unreadable(sequence: String) -> AnswerFailure {
    AnswerFailure(.notANumber, "the sequence '\(AnswerReader.shortened(sequence))' is not a number")
  }
}

/// A visitor that finds the rows of a message, and the numbers that order them.
private struct BookVisitor: MessageVisitor {
  struct Row {
    let pair: Int
    let place: RowPlace
    let range: Range<Int>
    let sequence: String?
    let previous: String?
    let time: Instant?
    /// Why there is none although the config says where it is; nil for one that the exchange does not offer.
    let timeMissing: Missing?
    /// The explanation of the book's own fields; empty if not requested.
    let traces: [FieldTrace]
  }

  let plan: MessagePlan<BookField>
  let pairs: StreamRows
  let plainTime: PlainTime?
  let readsNumbers: Bool
  let isExplained: Bool

  func read<Rows>(_ reader: ValueReader<Rows>) -> (MessagePlan<BookField>.Kind, [Row]) {
    let kind = plan.kind(of: reader)
    guard case .rows = kind else { return (kind, []) }
    var rows: [Row] = []
    pairs.forEach(plan.record, reader) { pair, place in
      guard let range = reader.rows.range(place.index) else { return }
      let row = RecordRow(plan: plan.record, reader: reader, place: place)
      let time = plainTime.flatMap { reader.plainTimeOfResponse($0, at: place) } ?? row.time(.time)
      rows.append(
        Row(
          pair: pair, place: place, range: range, sequence: row.text(.sequence),
          previous: readsNumbers ? row.text(.previous) : nil, time: time,
          timeMissing: time == nil && plan.record[.time] != nil ? row.missing(.time) : nil,
          traces: isExplained ? traces(of: row, pairs.pairs[pair]) : []))
    }
    return (kind, rows)
  }

  private func traces<Rows>(of row: RecordRow<Rows, BookField>, _ pair: StreamPair) -> [FieldTrace] {
    let mapped = BookField.allCases.filter { plan.record[$0] != nil }
    return [row.reader.symbolTrace(plan.record, at: row.place, of: pair)]
      + mapped.map { field in
        let text = field == .time ? row.time(.time)?.iso8601 ?? row.missing(.time)?.code : row.text(field)
        return row.reader.trace(
          named: field.rawValue, plan.record[field], at: row.place, result: text ?? Missing.pathMiss.code)
      }
  }
}
