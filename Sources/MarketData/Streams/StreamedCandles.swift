import Quotes

/// The candles of one pair on one connection: the latest, and what is needed to judge the next.
struct StreamedCandles: Sendable {
  private var last: Candle?
  /// Those of other starts that came before it, each as it was last: one of a longer interval may come between them.
  private var earlier: [Candle] = []
  private static let earlierCount = 4
  /// The volume of the last candle that was left out as a late one, and when the first of them arrived.
  private var late: (volume: Decimal, since: Instant)?

  /// How long after a message a candle with less traded can only be a late one.
  private static let patience = Duration.seconds(10)
  /// How long late ones may go on until the one before them must have been wrong.
  private static let doubtAfter = Duration.seconds(1)

  /// Returns whether a candle must be a late one: less is traded in it than in the last one, of a moment ago. If such
  /// candles come for a second, none with less traded than the one before, the last one was wrong.
  ///
  /// - Parameter message: When the last message about the pair arrived; nil if there was none.
  mutating func isLate(_ candle: Candle, at arrival: Instant, after message: Instant?) -> Bool {
    guard let last, last.start == candle.start, let message, let volume = candle.volume.value,
      let before = last.volume.value, volume < before, arrival <= message.advanced(by: Self.patience)
    else {
      late = nil
      return false
    }
    if let known = late, volume >= known.volume {
      late = (volume, known.since)
      return arrival < known.since.advanced(by: Self.doubtAfter)
    }
    late = (volume, arrival)
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
