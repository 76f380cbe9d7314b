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
  /// One pass for the row and the levels of both plans; nil if there may be several rows, or if levels need a tree.
  private var joined: (scan: RowScan, scanner: Scanner)?
  private let keptLevels: Int?
  private let hasWhole: Bool
  private let order: LocalOrderBook.Order
  private let isExplained: Bool
  /// The time, if it is a plain one of the message and not of the row.
  private let plainTime: PlainTime?
  private let check: MeaningCheck
  /// By index of the pair; nil before its first snapshot.
  private var books: [LocalOrderBook?]

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
    joined = Self.joined(plan.record.scan, whole, changes)
    keptLevels = spec.book?.keptLevels
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
  ) throws(TableFailure) -> MessageReading? {
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
  ) throws(TableFailure) -> MessageReading? {
    guard case .rows(let isWhole) = kind else { return MessageReading(kind) }
    guard let whole else { return .read(.other) }
    var updates: [StreamUpdate] = []
    // A gap of one pair does not keep the others from their part of the message.
    var gaps: [StreamReading] = []
    for row in rows {
      // Taken out of the array while it changes: copying the levels would cost more than the change.
      let kept = books[row.pair]
      books[row.pair] = nil
      var book: LocalOrderBook
      if isWhole {
        switch self.book(whole, row, source(row, true), scope, arrival) {
        case .success(let sound):
          book = sound
          guard let kept else { break }
          // Later changes would be applied to a book that they do not follow.
          if hasWhole, let what = book.isNumberedBelow(kept) {
            gaps.append(.gap(pair: row.pair, what))
            continue
          }
          if !hasWhole, book.isLate(after: kept) {
            books[row.pair] = kept
            continue
          }
        case .failure(let failure):
          // The previous state is no longer valid either.
          updates.append(StreamUpdate(pair: row.pair, value: .unusable(failure)))
          continue
        }
      } else {
        guard let kept else { continue }
        book = kept
        switch change(&book, row, source(row, false), scope, arrival) {
        case .taken: break
        case .isOld:
          books[row.pair] = book
          continue
        case .gap(let what):
          gaps.append(.gap(pair: row.pair, what))
          continue
        }
      }
      if !isWhole {
        if let keptLevels { book.cut(to: keptLevels) }
        if let fault = book.fault {
          gaps.append(.gap(pair: row.pair, fault))
          continue
        }
      }
      books[row.pair] = book
      let shown = book.orderBook(of: row.time, unread: row.timeMissing, flag(row, arrival))
      let factor = pairs.multipliers[row.pair]
      updates.append(
        StreamUpdate(
          pair: row.pair, value: .orderbook(factor.map { shown.scaled(by: $0) } ?? shown),
          explained: isExplained ? explained(row, scope, isWhole: isWhole, in: message) : nil))
    }
    if rows.isEmpty { return .read(.foreign) }
    return MessageReading.read(updates.isEmpty ? .other : .updates(updates)).with(gaps)
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
    return ExplainedMessage(message, isChange: !isWhole, [ExplainedRecord("book", row.traces)] + (levels ?? []))
  }

  /// Returns a snapshot, or why the message does not contain a valid one.
  private func book(
    _ plan: BookPlan, _ row: BookVisitor.Row, _ source: BookPlan.LevelSource, _ scope: ValueScope,
    _ arrival: Instant
  ) -> Result<LocalOrderBook, TableFailure> {
    do throws(TableFailure) {
      let levels = try plan.levels(in: source, scope, of: row.place, isWhole: true)
      let whole = OrderBook(bids: levels.bids, asks: levels.asks)
      if whole.hasLeftOutNegative(levels.bids, levels.asks) { return .failure(.negativeLevel) }
      // Where changes follow, they may fill it.
      if !hasWhole, whole.bids.isEmpty, whole.asks.isEmpty {
        return .failure(TableFailure(.emptyAnswer, "the order book is empty"))
      }
      var book = LocalOrderBook(whole, sequence: row.sequence, sent: row.time, at: arrival)
      if let keptLevels { book.cut(to: keptLevels) }
      return book.fault.map { .failure(TableFailure(.stream("stream-bad"), $0)) } ?? .success(book)
    } catch {
      return .failure(error)
    }
  }

  /// A change that cannot be read counts as missing.
  private func change(
    _ book: inout LocalOrderBook, _ row: BookVisitor.Row, _ source: BookPlan.LevelSource, _ scope: ValueScope,
    _ arrival: Instant
  ) -> LocalOrderBook.Change {
    guard let changes else { return .isOld }
    do throws(TableFailure) {
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

/// The order book of one pair, as built from its messages.
struct LocalOrderBook: Sendable {
  private var bids: [OrderBook.Level]
  private var asks: [OrderBook.Level]
  private var sequence: String?
  /// The sequence as a number; nil if it is not one.
  private var number: Decimal?
  /// The previous number named by the last change; nil before the first change.
  private var before: Decimal?
  /// Whether a change has been applied since the snapshot.
  private var isChanged = false
  /// When the snapshot was sent, if it says so, and when it arrived.
  private let sent: Instant?
  private let begin: Instant
  /// The number of older changes received since the snapshot.
  private var oldChanges = 0

  /// How many older changes may arrive soon after a snapshot. Beyond that, the exchange must have restarted its
  /// numbering, and this book would never change again.
  private static let maximumOldChanges = 100

  /// The way the changes of a book are ordered.
  enum Order: Sendable {
    /// The config has no `sequence`.
    case asTheyCome
    /// Each has a higher number than the one before.
    case rising
    /// Each names the one before, and has any number: exchanges restart their numbering while changes continue.
    case linked
  }

  enum Change {
    case taken
    /// It contains nothing new.
    case isOld
    case gap(String)
  }

  init(_ book: OrderBook, sequence: String?, sent: Instant?, at begin: Instant) {
    (bids, asks) = (book.bids, book.asks)
    (self.sent, self.begin) = (sent, begin)
    self.sequence = sequence
    number = sequence.flatMap { Decimal($0) }
  }

  /// - Parameters:
  ///   - time: That of the last message.
  ///   - unread: Why it has none although the config names one.
  ///   - flag: What is wrong with it.
  func orderBook(of time: Instant?, unread: Missing?, _ flag: Flag?) -> OrderBook {
    OrderBook(
      inOrder: bids, asks, time: time, unreadTime: unread, sequence: sequence, flags: flag.map { [$0] } ?? [])
  }

  /// Why the book cannot be right; nil if it is sound.
  var fault: String? {
    if let bid = bids.first, let ask = asks.first, bid.price >= ask.price { return "a bid is not below the best ask" }
    if max(bids.count, asks.count) > AnswerLimit.rows { return "more than \(AnswerLimit.rows) levels on one side" }
    return nil
  }

  /// Returns what is wrong if this book's number is below that of the book before: it came late, or again after changes,
  /// or the exchange has restarted its numbering.
  func isNumberedBelow(_ last: LocalOrderBook) -> String? {
    guard let number, let before = last.number, number < before else { return nil }
    return "after \(before.shortest) came a whole book numbered \(number.shortest)"
  }

  /// Returns whether this book was sent before `last`, by their numbers or else by their times, but came after it.
  func isLate(after last: LocalOrderBook) -> Bool {
    let newer = MessageTime(sent: last.sent ?? last.begin, arrival: last.begin)
    if let number, let before = last.number { return number < before && newer.isRecent(at: begin) }
    guard let sent, last.sent != nil else { return false }
    return newer.outdates(sent, at: begin)
  }

  /// Applies changed levels: each replaces the one with its price, and a size of zero removes it.
  mutating func take(
    _ levels: (bids: [OrderBook.Level], asks: [OrderBook.Level]), sequence: String?, previous: String?, _ order: Order,
    at arrival: Instant
  ) -> Change {
    if order != .asTheyCome {
      guard let sequence, let number = Decimal(sequence) else { return .gap("a change without a number") }
      let before = order == .linked ? previous.flatMap { Decimal($0) } : nil
      let place = order == .linked ? place(of: number, after: before) : place(of: number)
      if case .isOld = place { return self.place(ofOld: number, at: arrival) }
      guard case .taken = place else { return place }
      (self.sequence, self.number, self.before) = (sequence, number, before)
    }
    isChanged = true
    Self.apply(levels.bids, to: &bids) { $0 > $1 }
    Self.apply(levels.asks, to: &asks) { $0 < $1 }
    return .taken
  }

  // Messages of one connection arrive in order. So a number that is not newer is either a change sent before the
  // snapshot, for a while, or a repeat of the last change; anything else means that the exchange restarted its
  // numbering, and changes may be missing.

  private mutating func place(ofOld number: Decimal, at arrival: Instant) -> Change {
    guard let last = self.number, number < last, !isChanged else { return .isOld }
    oldChanges += 1
    guard oldChanges > Self.maximumOldChanges || arrival > begin.advanced(by: MessageTime.patience) else {
      return .isOld
    }
    return .gap("changes numbered below the whole book's \(last.shortest) keep coming: \(number.shortest)")
  }

  private func place(of number: Decimal) -> Change {
    guard let last = self.number, number <= last else { return .taken }
    if number == last || !isChanged { return .isOld }
    return .gap("after \(last.shortest) came \(number.shortest)")
  }

  private func place(of number: Decimal, after before: Decimal?) -> Change {
    guard let last = self.number else { return .gap("the book before the change has no number") }
    guard let before else { return .gap("a change that does not say which one it follows") }
    if before == last { return .taken }
    let isRepeated = number == last && before == self.before
    if isRepeated || (!isChanged && number <= last && before < last) { return .isOld }
    return .gap("after \(last.shortest) came a change that follows \(before.shortest)")
  }

  /// Removes all but the first `count` levels of each side.
  mutating func cut(to count: Int) {
    if bids.count > count { bids.removeLast(bids.count - count) }
    if asks.count > count { asks.removeLast(asks.count - count) }
  }

  @inline(__always)
  private static func apply(
    _ changes: [OrderBook.Level], to levels: inout [OrderBook.Level], _ isBetter: (Decimal, Decimal) -> Bool
  ) {
    var last = 0
    for level in changes where level.price.signum > 0 {
      let (place, isKnown) = levels.withUnsafeBufferPointer { levels in
        let place = Self.place(of: level.price, in: levels, from: last, isBetter)
        return (place, place < levels.count && levels[place].price == level.price)
      }
      last = place
      switch (isKnown, level.size.signum > 0) {
      case (true, true): levels[place] = level
      case (true, false): levels.remove(at: place)
      case (false, true): levels.insert(level, at: place)
      case (false, false): break
      }
    }
  }

  /// Returns the index of the first level that is not better than a price.
  ///
  /// - Parameter last: the index of the previous change. Most exchanges send changes from the best level on, so the few
  ///   levels after it are searched first.
  @inline(__always)
  private static func place(
    of price: Decimal, in levels: UnsafeBufferPointer<OrderBook.Level>, from last: Int,
    _ isBetter: (Decimal, Decimal) -> Bool
  ) -> Int {
    var (low, high) = (0, levels.count)
    if last > 0, last <= high, isBetter(levels[last - 1].price, price) {
      low = last
      var step = 4
      while low + step < high, isBetter(levels[low + step].price, price) {
        low += step + 1
        step *= 2
      }
      high = min(high, low + step)
    }
    while low < high {
      let middle = (low + high) / 2
      if isBetter(levels[middle].price, price) { low = middle + 1 } else { high = middle }
    }
    return low
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
