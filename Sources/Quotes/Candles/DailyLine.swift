/// One day of a pair on one exchange, and its change from the previous day.
package struct DailyLine: Sendable, Hashable {
  /// The first moment of the day.
  package let start: Instant
  package let close: Decimal
  /// From the previous day's close; `no-day-before` if that day has no candle or was not requested.
  package let change: Cell
  /// The change in percent, unrounded.
  package let changePercent: Cell
  package let volume: Cell
  package let turnover: Cell
  /// False for the current day.
  package let isComplete: Bool

  /// Returns the days of a series, oldest first.
  package static func lines(of series: CandleSeries, at now: Instant) -> [DailyLine] {
    var before: Candle?
    return series.candles.map { candle in
      defer { before = candle }
      let close = before.flatMap { series.grid.end(of: $0.start) == candle.start ? $0.close : nil }
      let change = close.map { candle.close - $0 }
      let percent = close.flatMap { candle.close.percent(above: $0) }
      return DailyLine(
        start: candle.start, close: candle.close, change: change.map { .value($0) } ?? .missing(.noDayBefore),
        changePercent: percent.map { .value($0) } ?? .missing(.noDayBefore),
        volume: candle.volume, turnover: candle.turnover, isComplete: series.isComplete(candle, at: now))
    }
  }
}
