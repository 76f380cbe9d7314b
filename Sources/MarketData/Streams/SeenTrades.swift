import Quotes

/// The trades that were told: an exchange sends the newest of them again with every connection, and answers by REST have
/// them too.
struct SeenTrades: Sendable {
  /// What makes one trade of two messages. Of a number the time does not count: streams and answers may have other digits of
  /// it.
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
  }

  private struct Told {
    var count = 0
    /// See ``stretch``.
    let stretch: Int
  }

  /// How often each was told, of the last ones.
  private var told: [Key: Told] = [:]
  /// How often the connection has spoken of those without a number: it speaks of each once.
  private var streamed: [Key: Int] = [:]
  private var order: [(key: Key, time: Instant)] = []
  /// The place of the oldest one in `order`.
  private var first = 0
  /// When the newest of those was that are no longer remembered: trades up to then were told, or came before anything was.
  /// Only what is older than all that is remembered counts as such: one trade with a time ahead of all others would hide them
  /// else, and thousands of one moment each other.
  private var forgotten: Instant?
  private static let most = 2000
  /// How many trades are asked for once some were told, where one answer brings so many: half of what is remembered.
  static let mostAnswered = most / 2
  /// The number of the unbroken stretch that is being told: a connection begins one, and a message that cannot be read, for
  /// nobody knows what was traded before.
  private var stretch = 0
  /// The last stretch that an answer has joined to all before it.
  private var joined = 0
  /// When the last trade was that was told before the stretches that are not joined yet.
  private var joinedTime: Instant?
  /// That of the trade that was told last.
  private(set) var lastTime: Instant?

  var isEmpty: Bool { order.isEmpty }

  /// The next messages are those of another connection, which may begin with trades that were told.
  mutating func beginConnection() {
    streamed = [:]
    tear()
  }

  /// Something may have been traded since the last message that nobody has told.
  mutating func tear() {
    if stretch == joined { (stretch, joinedTime) = (stretch + 1, lastTime) }
  }

  /// Those that are new, in their order; and whether others were traded before them that nobody has seen.
  ///
  /// - Parameter isStreamed: whether a message has them; an answer has the newest ones again and again.
  mutating func new(_ trades: [Trade], isStreamed: Bool) -> (trades: [Trade], isTorn: Bool) {
    if isStreamed { return (newOnes(of: trades, isStreamed: true), false) }
    guard let oldest = trades.first?.time else { return ([], false) }
    let stretches = trades.compactMap { told[Key($0)]?.stretch }
    let isJoined = stretches.contains { $0 <= joined }
    let end = stretch == joined ? lastTime : joinedTime
    let isTorn = !isJoined && (end.map { oldest >= $0 } ?? false)
    joined = stretch
    guard stretches.isEmpty, let last = lastTime, oldest < last else {
      return (newOnes(of: trades, isStreamed: false), isTorn)
    }
    // Many exchanges number trades otherwise in answers: then times alone tell what is later.
    let later = newOnes(of: trades, isStreamed: false).filter { $0.time > last }
    lastTime = lastTime.map { max($0, last) }
    return (later, isTorn)
  }

  private mutating func newOnes(of trades: [Trade], isStreamed: Bool) -> [Trade] {
    var answered: [Key: Int] = [:]
    return trades.filter { trade in
      if let forgotten, trade.time <= forgotten, trade.time < order[first].time { return false }
      let key = Key(trade)
      let known = told[key]?.count ?? 0
      if key.id != nil {
        if known > 0 { return false }
      } else {
        // Two without a number may be alike: whoever speaks of more of them than were told has a new one.
        let count = (isStreamed ? streamed[key, default: 0] : answered[key, default: 0]) + 1
        if isStreamed { streamed[key] = count } else { answered[key] = count }
        if count <= known { return false }
      }
      remember(key, trade.time)
      return true
    }
  }

  private mutating func remember(_ key: Key, _ time: Instant) {
    told[key, default: Told(stretch: stretch)].count += 1
    lastTime = time
    if order.count < Self.most {
      order.append((key, time))
      return
    }
    let gone = order[first]
    order[first] = (key, time)
    first = (first + 1) % Self.most
    forgotten = max(forgotten ?? gone.time, gone.time)
    told[gone.key]?.count -= 1
    if told[gone.key]?.count == 0 { told[gone.key] = nil }
    if let count = streamed[gone.key] { streamed[gone.key] = count > 1 ? count - 1 : nil }
  }
}
