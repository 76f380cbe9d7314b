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

  /// How often each was told, of the last ones.
  private var told: [Key: Int] = [:]
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

  /// The next messages are those of another connection, which may begin with trades that were told.
  mutating func beginConnection() { streamed = [:] }

  /// Those that are new, in their order.
  ///
  /// - Parameter isStreamed: whether a message has them; an answer has the newest ones again and again.
  mutating func new(_ trades: [Trade], isStreamed: Bool) -> [Trade] {
    var answered: [Key: Int] = [:]
    return trades.filter { trade in
      if let forgotten, trade.time <= forgotten, trade.time < order[first].time { return false }
      let key = Key(trade)
      let known = told[key, default: 0]
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
    told[key, default: 0] += 1
    if order.count < Self.most {
      order.append((key, time))
      return
    }
    let gone = order[first]
    order[first] = (key, time)
    first = (first + 1) % Self.most
    forgotten = max(forgotten ?? gone.time, gone.time)
    Self.lower(&told, gone.key)
    Self.lower(&streamed, gone.key)
  }

  private static func lower(_ counts: inout [Key: Int], _ key: Key) {
    if let count = counts[key] { counts[key] = count > 1 ? count - 1 : nil }
  }
}
