import HTTP
import Quotes

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
  /// When the last message was sent, if it says so.
  var sent: Instant?
  /// When the snapshot arrived.
  private let begin: Instant
  /// When a bid reached an ask; nil while none does.
  private var crossed: Instant?
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

  /// Whether a bid reaches an ask.
  var isCrossed: Bool {
    guard let bid = bids.first, let ask = asks.first else { return false }
    return bid.price >= ask.price
  }

  /// Notes whether a bid reaches an ask. Returns whether it does, but not for longer than exchanges need to send what
  /// removes one of them.
  mutating func isBrieflyCrossed(at arrival: Instant) -> Bool {
    guard isCrossed else {
      crossed = nil
      return false
    }
    let since = crossed ?? arrival
    crossed = since
    return arrival < since.advanced(by: MessageTime.patience)
  }

  /// Takes over since when the book before was crossed, which this one replaces.
  mutating func continueCross(of other: LocalOrderBook) { crossed = other.crossed }

  /// Why the book cannot be right; nil if it is sound.
  var fault: String? { isCrossed ? "a bid is not below the best ask" : excess }

  /// Why it is too large; nil if it is not.
  var excess: String? {
    if max(bids.count, asks.count) > AnswerLimit.rows { return "more than \(AnswerLimit.rows) levels on one side" }
    return nil
  }

  /// Returns what is wrong if this book's number is below that of the book before: it came late, or again after changes,
  /// or the exchange has restarted its numbering. That is known of one sent later, whose next change names it.
  func isNumberedBelow(_ last: LocalOrderBook, _ order: Order) -> String? {
    guard let number, let before = last.number, number < before else { return nil }
    if order == .linked, let sent, let lastSent = last.sent, sent > lastSent { return nil }
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
    apply(levels)
    return .taken
  }

  /// Applies changed levels, whatever their number.
  mutating func apply(_ levels: (bids: [OrderBook.Level], asks: [OrderBook.Level])) {
    isChanged = true
    Self.apply(levels.bids, to: &bids) { $0 > $1 }
    Self.apply(levels.asks, to: &asks) { $0 < $1 }
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

  /// How many changes are applied in place, where each new or removed level moves those behind it.
  private static let maximumInPlace = 64

  @inline(__always)
  private static func apply(
    _ changes: [OrderBook.Level], to levels: inout [OrderBook.Level], _ isBetter: (Decimal, Decimal) -> Bool
  ) {
    guard changes.count <= maximumInPlace else { return merge(changes, into: &levels, isBetter) }
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

  /// Applies many changes at once, in one pass over the levels.
  private static func merge(
    _ changes: [OrderBook.Level], into levels: inout [OrderBook.Level], _ isBetter: (Decimal, Decimal) -> Bool
  ) {
    let order = changes.indices.filter { changes[$0].price.signum > 0 }.sorted {
      let (one, other) = (changes[$0].price, changes[$1].price)
      return one == other ? $0 < $1 : isBetter(one, other)
    }
    var merged: [OrderBook.Level] = []
    merged.reserveCapacity(levels.count + order.count)
    var next = 0
    for (position, index) in order.enumerated() {
      let level = changes[index]
      // Of several changes of a price the last counts.
      if position + 1 < order.count, changes[order[position + 1]].price == level.price { continue }
      let place = levels.withUnsafeBufferPointer { Self.place(of: level.price, in: $0, from: next, isBetter) }
      merged += levels[next..<place]
      next = place < levels.count && levels[place].price == level.price ? place + 1 : place
      if level.size.signum > 0 { merged.append(level) }
    }
    merged += levels[next...]
    levels = merged
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
