extension CandleSeries {
  /// Different candles with the same start, of one answer or of two.
  package struct Contradiction: Sendable, Hashable {
    /// The newest two of them.
    package let first: Candle
    /// The candle that is kept.
    package let second: Candle
    /// The starts that have different candles.
    package let starts: Set<Instant>

    package init?(among candles: [Candle]) {
      let starts = candles.map(\.start)
      let neighbours = starts.indices.dropFirst()
      // If sorted in either direction, there are no duplicates.
      guard neighbours.contains(where: { starts[$0 - 1] >= starts[$0] }),
        neighbours.contains(where: { starts[$0 - 1] <= starts[$0] })
      else { return nil }
      var known: [Instant: Candle] = [:]
      self.init(
        candles.compactMap { candle in
          known.updateValue(candle, forKey: candle.start).flatMap { $0 == candle ? nil : ($0, candle) }
        })
    }

    /// Returns nil if two answers agree on the candles that both have. Candles that had not long ended on arrival may
    /// differ, and volumes and last prices are now and then corrected afterwards, but nothing changes an open.
    ///
    /// - Parameters:
    ///   - candles: Those of the answer whose candles are not kept.
    ///   - others: Those of the answer whose candles are kept.
    ///   - arrival: When the earlier of the two arrived.
    package init?(between candles: [Candle], and others: [Candle], of interval: CandleInterval, arrival: Instant) {
      guard let least = others.lazy.map(\.start).min(), let most = others.lazy.map(\.start).max() else { return nil }
      let shared = candles.filter {
        $0.start >= least && $0.start <= most && CandleCheck.isOld($0, interval, arrival: arrival)
      }
      guard !shared.isEmpty else { return nil }
      let kept = Dictionary(others.map { ($0.start, $0) }) { $1 }
      self.init(
        shared.compactMap { candle in
          kept[candle.start].flatMap { $0.open == candle.open ? nil : (candle, $0) }
        })
    }

    private init?(_ pairs: [(first: Candle, second: Candle)]) {
      guard let newest = pairs.max(by: { $0.second.start < $1.second.start }) else { return nil }
      (first, second) = newest
      starts = Set(pairs.map(\.second.start))
    }

    /// Returns the same with other candles in place of the two, at the same start.
    package func map(_ change: (Candle) -> Candle) -> Contradiction {
      Contradiction(change(first), change(second), starts)
    }

    private init(_ first: Candle, _ second: Candle, _ starts: Set<Instant>) {
      (self.first, self.second, self.starts) = (first, second, starts)
    }
  }
}
