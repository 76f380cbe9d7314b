import Quotes

/// The candles of one pair on one connection: the latest, and what is needed to judge the next.
struct StreamedCandles: Sendable {
  private var last: Candle?
  /// Those of other starts that came before it, each as it was last: one of a longer interval may come between them.
  private var earlier: [Candle] = []
  private static let earlierCount = 4
  /// The last candle that was left out as a late one, and when the first of them arrived.
  private var late: (start: Instant, volume: Decimal, since: Instant)?

  /// How long after a message a candle with less traded can only be a late one.
  private static let patience = Duration.seconds(10)
  /// How long late ones may go on until the one before them must have been wrong.
  private static let doubtAfter = Duration.seconds(1)

  /// Returns whether a candle must be a late one: less is traded in it than in its last state, of a moment ago. If such
  /// candles come for a second, none with less traded than the one before, that state was wrong.
  ///
  /// - Parameter message: When the last message about the pair arrived; nil if there was none.
  mutating func isLate(_ candle: Candle, at arrival: Instant, after message: Instant?) -> Bool {
    guard let message, let volume = candle.volume.value, let known = before(candle)?.volume.value, volume < known,
      arrival <= message.advanced(by: Self.patience)
    else {
      late = nil
      return false
    }
    if let late, late.start == candle.start, volume >= late.volume {
      self.late = (candle.start, volume, late.since)
      return arrival < late.since.advanced(by: Self.doubtAfter)
    }
    late = (candle.start, volume, arrival)
    return true
  }

  mutating func keep(_ candle: Candle) {
    if let last, last.start != candle.start {
      earlier.removeAll { $0.start == last.start }
      earlier = (earlier + [last]).suffix(Self.earlierCount)
    }
    earlier.removeAll { $0.start == candle.start }
    last = candle
  }

  /// Returns the last state of a candle; nil if it is a new one.
  func before(_ candle: Candle) -> Candle? {
    last?.start == candle.start ? last : earlier.last { $0.start == candle.start }
  }
}
