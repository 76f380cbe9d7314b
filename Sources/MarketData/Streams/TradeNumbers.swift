import Quotes

/// The ids of a pair's trades on a connection that numbers them one by one: a jump means that messages were lost.
struct TradeNumbers: Sendable {
  private var last: UInt64?

  /// Takes the trades of a message, oldest first.
  ///
  /// - Returns: Whether some between the last one and these are missing. Trades that arrive late close no gap: they have
  ///   been asked for by then.
  mutating func take(_ trades: [Trade]) -> Bool {
    var hasGap = false
    for trade in trades {
      guard let id = trade.id.flatMap({ UInt64($0) }) else { continue }
      if let last, id > last, id - last > 1 { hasGap = true }
      last = max(last ?? id, id)
    }
    return hasGap
  }
}
