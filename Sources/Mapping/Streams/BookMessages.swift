import Config
import JSON
import Quotes

/// What is said once of a message about an order book.
enum BookField: String, RecordField {
  /// A number that rises with each change.
  case sequence
  /// The one that must have come before.
  case previous

  var kind: FieldKind { .text }
}

/// Reads messages about order books, whole and changed.
struct BookMessages: Sendable {
  let plan: MessagePlan<BookField>
  private let pairs: StreamRows
  private let whole: BookPlan?
  private let changes: BookPlan?
  private let keptLevels: Int?
  private let hasWhole: Bool
  /// By the place of the pair; nil before its first whole book.
  private var books: [KeptBook?]

  init(_ spec: StreamSpec, _ market: Market, _ pairs: [StreamPair], _ options: Interpretation, usesScan: Bool) {
    var fields: [String: ValueSpec] = [:]
    fields[BookField.sequence.rawValue] = spec.book?.sequence
    fields[BookField.previous.rawValue] = spec.book?.previous
    plan = MessagePlan(spec, fields: fields, market: market, usesScan: usesScan)
    self.pairs = StreamRows(spec, plan.record, pairs, options)
    whole = spec.book.map { BookPlan($0.whole, usesScan: usesScan) }
    changes = (spec.book?.changes).map { BookPlan($0, usesScan: usesScan) } ?? whole
    keptLevels = spec.book?.keptLevels
    hasWhole = spec.whole != nil
    books = pairs.map { _ in nil }
  }

  /// nil where the message is not JSON.
  mutating func read(
    _ message: [UInt8], _ lookups: [ResolvedLookup], _ arrival: Instant
  ) throws(TableFailure) -> MessageReading? {
    let visitor = BookVisitor(plan: plan, pairs: pairs, readsNumbers: hasWhole)
    guard let (kind, rows) = try plan.record.readMessage(message, lookups, visitor) else { return nil }
    guard case .rows(let isWhole) = kind else { return MessageReading(kind) }
    guard let whole, let changes else { return .read(.other) }
    let states = Dictionary(lookups.map { ($0.plan.name, $0.state) }, uniquingKeysWith: { first, _ in first })
    var updates: [StreamUpdate] = []
    for row in rows {
      let text = row.range.count == message.count ? message : Array(message[row.range])
      let levels = try (isWhole ? whole : changes).levels(in: text, states, of: row.place)
      var book: KeptBook
      if isWhole {
        book = KeptBook(OrderBook(bids: levels.bids, asks: levels.asks), sequence: row.sequence)
      } else {
        guard let kept = books[row.pair] else { continue }
        book = kept
        // Copies of the levels would cost more than the change.
        books[row.pair] = nil
        switch book.take(levels, sequence: row.sequence, previous: row.previous) {
        case .taken: break
        case .isOld:
          books[row.pair] = book
          continue
        case .gap(let what): return .read(.gap(pair: row.pair, what))
        }
      }
      if let keptLevels { book.cut(to: keptLevels) }
      if book.isCrossed { return .read(.gap(pair: row.pair, "a bid is not below the best ask")) }
      books[row.pair] = book
      let shown = book.orderBook
      let factor = pairs.pairs[row.pair].row.multiplier
      updates.append(
        StreamUpdate(pair: row.pair, value: .orderbook(factor.map { shown.scaled(by: $0) } ?? shown)))
    }
    return .read(updates.isEmpty ? .other : .updates(updates))
  }
}

/// The order book of one pair as its messages have made it.
struct KeptBook: Sendable {
  private var bids: [OrderBook.Level]
  private var asks: [OrderBook.Level]
  private var sequence: String?

  enum Change {
    case taken
    /// It says nothing that was not known.
    case isOld
    case gap(String)
  }

  init(_ book: OrderBook, sequence: String?) {
    (bids, asks) = (book.bids, book.asks)
    self.sequence = sequence
  }

  var orderBook: OrderBook { OrderBook(inOrder: bids, asks, time: nil, sequence: sequence) }

  /// Whether nobody could say which side is right.
  var isCrossed: Bool {
    guard let bid = bids.first, let ask = asks.first else { return false }
    return bid.price >= ask.price
  }

  /// Lays changed levels over the book: each stands for its price, a size of zero takes it away.
  mutating func take(
    _ levels: (bids: [OrderBook.Level], asks: [OrderBook.Level]), sequence: String?, previous: String?
  ) -> Change {
    if let sequence, let last = self.sequence, let number = Decimal(sequence), let known = Decimal(last),
      number <= known
    {
      return .isOld
    }
    if let previous, let last = self.sequence, let number = Decimal(previous), let known = Decimal(last),
      number != known
    {
      return .gap("after \(last.prefix(40)) came a change of \(previous.prefix(40))")
    }
    if let sequence { self.sequence = sequence }
    for level in levels.bids { Self.lay(level, over: &bids) { $0 > $1 } }
    for level in levels.asks { Self.lay(level, over: &asks) { $0 < $1 } }
    return .taken
  }

  /// Removes what lies beyond so many levels of a side.
  mutating func cut(to count: Int) {
    if bids.count > count { bids.removeLast(bids.count - count) }
    if asks.count > count { asks.removeLast(asks.count - count) }
  }

  private static func lay(
    _ level: OrderBook.Level, over levels: inout [OrderBook.Level], _ isBetter: (Decimal, Decimal) -> Bool
  ) {
    guard level.price.signum > 0 else { return }
    var low = 0
    var high = levels.count
    while low < high {
      let middle = (low + high) / 2
      if isBetter(levels[middle].price, level.price) { low = middle + 1 } else { high = middle }
    }
    let isKnown = low < levels.count && levels[low].price == level.price
    switch (isKnown, level.size.signum > 0) {
    case (true, true): levels[low] = level
    case (true, false): levels.remove(at: low)
    case (false, true): levels.insert(level, at: low)
    case (false, false): break
    }
  }
}

/// Finds the rows of a message, and the numbers that order them.
private struct BookVisitor: RowVisitor {
  struct Row {
    let pair: Int
    let place: RowPlace
    let range: Range<Int>
    let sequence: String?
    let previous: String?
  }

  let plan: MessagePlan<BookField>
  let pairs: StreamRows
  let readsNumbers: Bool

  func read<Rows>(_ reader: ValueReader<Rows>) -> (MessagePlan<BookField>.Kind, [Row]) {
    let kind = plan.kind(of: reader)
    guard case .rows = kind else { return (kind, []) }
    var rows: [Row] = []
    pairs.forEach(plan.record, reader) { pair, place in
      guard let range = reader.rows.range(place.index) else { return }
      let row = RecordRow(plan: plan.record, reader: reader, place: place)
      rows.append(
        Row(
          pair: pair, place: place, range: range, sequence: row.text(.sequence),
          previous: readsNumbers ? row.text(.previous) : nil))
    }
    return (kind, rows)
  }
}
