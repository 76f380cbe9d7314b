import Quotes

/// The trades already reported: an exchange repeats the newest ones with every connection, and REST answers contain
/// them too.
struct SeenTrades: Sendable {
  /// Identifies a trade across messages. With an ID, the time is ignored, as streams and answers may have different
  /// precision.
  private struct Key: Hashable {
    let id: String?
    let price: Decimal
    let size: Cell
    let time: Instant?
    let side: TradeSide?

    init(_ trade: Trade) {
      (id, price, size) = (trade.id, trade.price, trade.size)
      (time, side) = trade.id == nil ? (trade.time, trade.side) : (nil, nil)
    }

    /// Returns whether a trade with another ID may be this one, reported with a time. Times may be in whole seconds, and
    /// a message without ID and time has that of its arrival.
    func isTwin(of trade: Trade, at time: Instant) -> Bool {
      let tolerance: UInt64 = id == nil ? 5_000_000_000 : 999_999_999
      return price == trade.price && size == trade.size && time.nanoseconds(since: trade.time).magnitude <= tolerance
    }
  }

  /// A trade under whatever ID: many exchanges number trades in answers and messages differently.
  private struct Twin: Hashable {
    let price: Decimal
    let size: Cell
    let millisecond: Int64

    init(_ key: Key, _ time: Instant) {
      (price, size) = (key.price, key.size)
      // The coarser of the usual precisions.
      millisecond = time.nanoseconds / 1_000_000
    }
  }

  private struct Told {
    var count = 0
    /// See ``stretch``.
    let stretch: Int
    /// Whether a message told it, and not an answer.
    let isStreamed: Bool
    /// When it was made, and when others were that share its ID, price and size: some exchanges number orders.
    var time: Instant
    var otherTimes: [Instant] = []

    /// Returns whether a trade with the same ID, price and size is this one. Answers tell the time of each trade, but the
    /// time of a message may be that of its arrival.
    func isSame(at time: Instant, isStreamed: Bool) -> Bool {
      isStreamed || self.isStreamed
        || ([self.time] + otherTimes).contains { time.nanoseconds(since: $0).magnitude < 1_000_000_000 }
    }
  }

  /// How often each of the latest trades was reported.
  private var told: [Key: Told] = [:]
  /// How often the connection has sent each trade without an ID; it sends every trade once.
  private var streamed: [Key: Int] = [:]
  /// How many of each trade with an ID answers have told, and no message since.
  private var answered: [Twin: Int] = [:]
  /// Whether answers and messages number trades differently; nil until an answer reaches back to trades of messages.
  private var numbersDiffer: Bool?
  /// What tells whether both count sizes in one unit.
  private var sizes = ComparedSizes()
  /// With whether an answer has told a trade, too, that a message told without an ID.
  private var order: [(key: Key, time: Instant, isAnswered: Bool)] = []
  /// The index of the oldest trade in `order`.
  private var first = 0
  /// The time of the newest trade no longer remembered: trades up to then were reported, or preceded everything
  /// reported. Only a trade older than all remembered ones counts: otherwise one with a time ahead of all others would
  /// hide those, and thousands with the same time would hide each other.
  private var forgotten: Instant?
  private static let maximumRemembered = 2000
  /// The number of trades to request after the first answer, if one answer can contain them: half of those remembered.
  static let maximumAnswered = maximumRemembered / 2
  /// How far the times of answers are ahead of those of messages without an ID, in nanoseconds: a message that has no
  /// time either has that of its arrival, by this machine's clock. 0 if they agree within a second.
  private var lead: Int64 = 0
  /// The number of the current uninterrupted stretch. A connection starts one, and so does an unreadable message, as
  /// the trades before it are unknown.
  private var stretch = 0
  /// The last stretch that an answer has joined to everything before it.
  private var joined = 0
  /// Whether it was said that trades are missing before the stretches that are not joined yet.
  private var isGapTold = false
  /// The time of the last trade reported before the stretches that are not joined yet.
  private var joinedTime: Instant?
  /// The time of the last trade reported.
  private(set) var lastTime: Instant?
  /// The time of the last trade that a message told, and that of the first one since the current stretch began.
  private var streamedTimes: (last: Instant?, first: Instant?)

  var isEmpty: Bool { order.isEmpty }

  /// Starts a new connection, whose messages may repeat earlier trades.
  mutating func beginConnection() {
    streamed = [:]
    markGap()
  }

  /// Notes that unreported trades may have occurred since the last message.
  mutating func markGap() {
    if stretch == joined { (stretch, joinedTime, streamedTimes.first) = (stretch + 1, lastTime, nil) }
    isGapTold = false
  }

  /// Returns whether trades may be missing that no answer has brought, which is told once.
  mutating func tellGap() -> Bool {
    guard stretch != joined, joinedTime != nil, !isGapTold else { return false }
    isGapTold = true
    return true
  }

  /// Returns the sizes of a trade in a message and in an answer if they differ in all trades that both have; nil if not.
  /// It is told once.
  ///
  /// - Parameter trades: Those of a message, which have not been told.
  mutating func otherSizes(in trades: [Trade]) -> (streamed: Decimal, polled: Decimal)? {
    for trade in trades { sizes.compare(trade, isStreamed: true) }
    defer { if sizes.difference != nil { sizes.begin() } }
    return sizes.difference
  }

  /// Returns the new trades, in order, and whether others were missed before them.
  ///
  /// - Parameter isStreamed: Whether they are from a message; answers repeat the newest trades.
  mutating func new(_ trades: [Trade], isStreamed: Bool) -> (trades: [Trade], hasGap: Bool) {
    if isStreamed { return (newOnes(of: trades, isStreamed: true), false) }
    for trade in trades { sizes.compare(trade, isStreamed: false) }
    let nameless = takeNameless(from: trades)
    guard let oldest = trades.first.map({ messageTime(of: $0) }) else { return ([], false) }
    // Later answers reach back further than the first one, whose older trades nobody wants to hear of any more.
    if order.isEmpty { forgotten = oldest }
    let known = trades.compactMap { told[Key($0)] }
    let isJoined = known.contains { $0.stretch <= joined }
    let end = stretch == joined ? lastTime : joinedTime
    let isOpen = stretch != joined
    let gapStart = joinedTime
    let hasGap = !isJoined && !isGapTold && (end.map { oldest >= $0 } ?? false)
    joined = stretch
    // Many exchanges number trades differently in answers: one that reaches back to trades of messages knows none of
    // them. Then only times tell what is later, or happened in the gap.
    let isNumberedOtherwise =
      !known.contains(where: \.isStreamed) && (streamedTimes.last.map { oldest <= $0 } ?? known.isEmpty)
    // One that ends before the first message cannot know its trades.
    if isNumberedOtherwise, let first = streamedTimes.first ?? streamedTimes.last,
      trades.contains(where: { messageTime(of: $0) > first })
    {
      numbersDiffer = numbersDiffer ?? true
    }
    guard isNumberedOtherwise, let last = lastTime, oldest < last else {
      return (newOnes(of: trades, isStreamed: false).filter { !nameless.told.contains($0.id) }, hasGap)
    }
    let gapEnd = streamedTimes.first.map { max($0, gapStart ?? $0).advanced(by: nameless.tolerance) }
    let before = order
    var twins: Set<Int> = []
    let new = newOnes(of: trades, isStreamed: false).filter { trade in
      if nameless.told.contains(trade.id) { return false }
      let time = messageTime(of: trade)
      if time > last { return true }
      // Before anything was told, the gap has no beginning.
      guard isOpen, let gapEnd, time <= gapEnd,
        gapStart.map({ $0 <= time.advanced(by: nameless.tolerance) }) ?? true
      else {
        // It has not been reported, so a message that brings it later is news.
        _ = takeAnswered(Twin(Key(trade), trade.time))
        return false
      }
      let twin = before.indices.first { index in
        !twins.contains(index) && !before[index].isAnswered
          && before[index].key.isTwin(of: trade, at: before[index].time)
      }
      if let twin { twins.insert(twin) }
      return twin == nil
    }
    lastTime = lastTime.map { max($0, last) }
    return (new, hasGap)
  }

  /// Returns the time of a trade in an answer on the clock of messages.
  private func messageTime(of trade: Trade) -> Instant { trade.time.advanced(by: .nanoseconds(-lead)) }

  /// Finds the trades of an answer that a message has told without an ID, each of which counts once, and how far their
  /// times are ahead.
  ///
  /// - Returns: The IDs, and how exact times are.
  private mutating func takeNameless(from trades: [Trade]) -> (told: Set<String?>, tolerance: Duration) {
    var open = order.indices.filter { order[$0].key.id == nil && !order[$0].isAnswered }
    let isNameless = !open.isEmpty || lead != 0
    var ids: Set<String?> = []
    var leads: [Int64] = []
    for trade in trades where trade.id != nil && told[Key(trade)] == nil && !open.isEmpty {
      guard let place = open.firstIndex(where: { order[$0].key.isTwin(of: trade, at: order[$0].time) }) else {
        continue
      }
      let index = open.remove(at: place)
      order[index].isAnswered = true
      ids.insert(trade.id)
      leads.append(trade.time.nanoseconds(since: order[index].time))
    }
    if !leads.isEmpty {
      let middle = leads.sorted()[leads.count / 2]
      lead = middle.magnitude > 1_000_000_000 ? middle : 0
    }
    return (ids, isNameless ? .seconds(1) : .zero)
  }

  private mutating func newOnes(of trades: [Trade], isStreamed: Bool) -> [Trade] {
    var counts: [Key: Int] = [:]
    return trades.filter { trade in
      let key = Key(trade)
      // A message with an ID is new unless that is known, even if the exchange's clock was set back.
      let isTold = isStreamed && key.id != nil
      if !isTold, let forgotten, trade.time <= forgotten, !order.isEmpty, trade.time < order[first].time {
        return false
      }
      let known = told[key]?.count ?? 0
      if key.id != nil {
        if let told = told[key], told.isSame(at: trade.time, isStreamed: isStreamed) {
          if told.isStreamed != isStreamed { (numbersDiffer, answered) = (false, [:]) }
          return false
        }
        if isStreamed, numbersDiffer == true, takeAnswered(Twin(key, trade.time)) {
          remember(key, trade.time, isStreamed)
          return false
        }
      } else {
        // Two trades without an ID may be identical: a source with more of them than were reported has a new one.
        let count = (isStreamed ? streamed[key, default: 0] : counts[key, default: 0]) + 1
        if isStreamed { streamed[key] = count } else { counts[key] = count }
        if count <= known { return false }
      }
      remember(key, trade.time, isStreamed)
      return true
    }
  }

  /// Returns whether an answer told a trade under another ID; each counts once.
  private mutating func takeAnswered(_ twin: Twin) -> Bool {
    guard let count = answered[twin] else { return false }
    answered[twin] = count > 1 ? count - 1 : nil
    return true
  }

  private mutating func remember(_ key: Key, _ time: Instant, _ isStreamed: Bool) {
    if told[key] != nil, key.id != nil { told[key]?.otherTimes.append(time) }
    told[key, default: Told(stretch: stretch, isStreamed: isStreamed, time: time)].count += 1
    sizes.remember(key.id, price: key.price, size: key.size, isStreamed: isStreamed)
    lastTime = isStreamed ? time : time.advanced(by: .nanoseconds(-lead))
    if isStreamed {
      streamedTimes = (time, streamedTimes.first ?? time)
    } else if key.id != nil, numbersDiffer != false {
      answered[Twin(key, time), default: 0] += 1
    }
    if order.count < Self.maximumRemembered {
      order.append((key, time, false))
      return
    }
    let gone = order[first]
    order[first] = (key, time, false)
    first = (first + 1) % Self.maximumRemembered
    forgotten = max(forgotten ?? gone.time, gone.time)
    if told[gone.key]?.isStreamed == false { _ = takeAnswered(Twin(gone.key, gone.time)) }
    told[gone.key]?.count -= 1
    if let next = told[gone.key]?.otherTimes.first {
      told[gone.key]?.time = next
      told[gone.key]?.otherTimes.removeFirst()
    }
    if told[gone.key]?.count == 0 { told[gone.key] = nil }
    sizes.forget(gone.key.id)
    if let count = streamed[gone.key] { streamed[gone.key] = count > 1 ? count - 1 : nil }
  }
}

/// A comparison of the sizes of trades that both messages and answers have, by their IDs.
private struct ComparedSizes: Sendable {
  private var known: [String: (price: Decimal, size: Decimal, isStreamed: Bool)] = [:]
  private var equal = 0
  private var different = 0
  private var last: (streamed: Decimal, polled: Decimal)?

  /// Two different ones, and none that are equal: of one alone the ID may be another trade's.
  var difference: (streamed: Decimal, polled: Decimal)? { equal == 0 && different > 1 ? last : nil }

  /// Starts afresh with the trades known.
  mutating func begin() { (equal, different, last) = (0, 0, nil) }

  mutating func remember(_ id: String?, price: Decimal, size: Cell, isStreamed: Bool) {
    guard let id, let size = size.value, known[id] == nil else { return }
    known[id] = (price, size, isStreamed)
  }

  mutating func forget(_ id: String?) {
    if let id { known[id] = nil }
  }

  mutating func compare(_ trade: Trade, isStreamed: Bool) {
    guard let id = trade.id, let size = trade.size.value, let other = known[id], other.isStreamed != isStreamed,
      other.price == trade.price
    else { return }
    if size == other.size {
      equal += 1
    } else {
      different += 1
      last = isStreamed ? (size, other.size) : (other.size, size)
    }
  }
}
