/// A day of a pair on one exchange, and what it changed against the day before.
package struct DailyLine: Sendable, Hashable {
  /// The first moment of the day.
  package let start: Instant
  package let close: Decimal
  /// Against the close of the candle before; nil for the first one.
  package let change: Decimal?
  /// The same in percent, unrounded.
  package let changePercent: Decimal?
  package let volume: Cell
  package let turnover: Cell
  /// False for the day that is still running.
  package let isComplete: Bool

  /// The days of a series, oldest first.
  package static func lines(of series: CandleSeries, at now: Instant) -> [DailyLine] {
    var before: Decimal?
    return series.candles.map { candle in
      defer { before = candle.close }
      let change = before.map { candle.close - $0 }
      return DailyLine(
        start: candle.start, close: candle.close, change: change,
        changePercent: before.flatMap { change?.scaledByPowerOfTen(2).divided(by: $0) },
        volume: candle.volume, turnover: candle.turnover, isComplete: series.isComplete(candle, at: now))
    }
  }
}
