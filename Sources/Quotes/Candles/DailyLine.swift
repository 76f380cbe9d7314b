/// A day of a pair on one exchange, and what it changed against the day before.
package struct DailyLine: Sendable, Hashable {
  /// The first moment of the day.
  package let start: Instant
  package let close: Decimal
  /// Against the close of the day before; `no-day-before` where that has no candle, or none was asked for.
  package let change: Cell
  /// The same in percent, unrounded.
  package let changePercent: Cell
  package let volume: Cell
  package let turnover: Cell
  /// False for the day that is still running.
  package let isComplete: Bool

  /// The days of a series, oldest first.
  package static func lines(of series: CandleSeries, at now: Instant) -> [DailyLine] {
    var before: Candle?
    return series.candles.map { candle in
      defer { before = candle }
      let close = before.flatMap { series.grid.end(of: $0.start) == candle.start ? $0.close : nil }
      let change = close.map { candle.close - $0 }
      let percent = close.flatMap { change?.scaledByPowerOfTen(2).divided(by: $0) }
      return DailyLine(
        start: candle.start, close: candle.close, change: change.map { .value($0) } ?? .missing(.noDayBefore),
        changePercent: percent.map { .value($0) } ?? .missing(.noDayBefore),
        volume: candle.volume, turnover: candle.turnover, isComplete: series.isComplete(candle, at: now))
    }
  }
}
