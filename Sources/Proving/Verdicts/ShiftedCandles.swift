import Config
import MarketData
import Quotes

/// A verdict on candles whose times are those of their ends, if they are read as starts.
///
/// Then nothing but the price of the moment contradicts a list that ends with a finished candle. But two lists of one
/// pair are shifted by different intervals: a longer candle no longer has the high and low of the shorter ones within
/// it, but of those that are within it if all are shifted back. Quiet pairs, whose candles are alike, prove nothing.
struct ShiftedCandles {
  /// How many longer candles must fit once they are shifted back, while none fits as it is read.
  private static let least = 2

  /// Returns at most one finding for each market.
  static func findings(of blocks: [TestedBlock]) -> [Finding] {
    Market.allCases.compactMap { market -> Finding? in
      let lists = blocks.filter { $0.market == market && $0.kind == .candles }
      for longer in lists {
        for shorter in lists where shorter.pair == longer.pair {
          if let finding = finding(about: longer, madeOf: shorter) { return finding }
        }
      }
      return nil
    }
  }

  private static func finding(about block: TestedBlock, madeOf other: TestedBlock) -> Finding? {
    guard let longer = block.candlesByStart, let shorter = other.candlesByStart, areShifted(longer, shorter) else {
      return nil
    }
    return Finding(
      .bookDisagrees, .error,
      "\(block.market.rawValue): the \(longer.grid.interval.rawValue) candles of \(block.pair) have the high and low "
        + "of the \(shorter.grid.interval.rawValue) candles before their times, not of those after them",
      about: .table(exchange: block.exchange, market: block.market.rawValue, pair: "\(block.pair)"),
      help: "are the times those of ends? then write \"basis\": \"end\"")
  }

  private static func areShifted(_ longer: CandleSeries, _ shorter: CandleSeries) -> Bool {
    let (length, step) = (longer.grid.interval.nanoseconds, shorter.grid.interval.nanoseconds)
    guard length > step, length % step == 0, let first = shorter.candles.first?.start,
      let last = shorter.candles.last?.start
    else { return false }
    var (shifted, unfit) = (0, 0)
    for candle in longer.candles {
      let end = longer.grid.end(of: candle.start)
      // As ends, the time of a shorter candle lies after that of the start of the longer one, up to that of its end.
      let shiftedStart = Instant(nanoseconds: candle.start.nanoseconds &- length &+ step)
      let shiftedEnd = Instant(nanoseconds: candle.start.nanoseconds &+ step)
      // Only where the shorter ones cover both, and have ended.
      guard first <= shiftedStart, end <= last,
        let fitsAsRead = fits(candle, shorter, from: candle.start, to: end),
        let fitsShifted = fits(candle, shorter, from: shiftedStart, to: shiftedEnd)
      else { continue }
      switch (fitsAsRead, fitsShifted) {
      case (true, true): break
      case (true, false): return false
      case (false, true): shifted += 1
      case (false, false): unfit += 1
      }
    }
    return shifted >= least && unfit * 3 <= shifted
  }

  /// Returns whether a candle has the high and the low of those that start within a span; nil if there are none.
  private static func fits(_ candle: Candle, _ series: CandleSeries, from start: Instant, to end: Instant) -> Bool? {
    let parts = series.candles.filter { $0.start >= start && $0.start < end }
    guard let high = parts.map(\.high).max(), let low = parts.map(\.low).min() else { return nil }
    return high == candle.high && low == candle.low
  }
}

extension TestedBlock {
  /// Its candles if their times are read as starts; nil if one lies in the future, which has a finding of its own.
  fileprivate var candlesByStart: CandleSeries? {
    let start = CandleTimeBasis.start.rawValue
    guard case .success(.candles(let list)) = outcome, list.future == nil, list.series.source == nil,
      (spec.table.fields["time"]?.basis ?? start) == start
    else { return nil }
    return list.series
  }
}
