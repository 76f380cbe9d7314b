/// The trading of a pair in one interval.
package struct Candle: Sendable, Hashable {
  package let start: Instant
  /// The first price. All four are above zero, in the payment currency for one unit of the asset.
  package let open: Decimal
  package let high: Decimal
  package let low: Decimal
  /// The last price, or the latest one if the candle is still running.
  package let close: Decimal
  /// In the asset.
  package let volume: Cell
  /// In the payment currency.
  package let turnover: Cell

  package init(
    start: Instant, open: Decimal, high: Decimal, low: Decimal, close: Decimal, volume: Cell, turnover: Cell
  ) {
    self.start = start
    self.open = open
    self.high = high
    self.low = low
    self.close = close
    self.volume = volume
    self.turnover = turnover
  }

  /// From its lowest price to its highest. If an exchange's columns are mixed up, which a check reports, those need not be
  /// the low and the high.
  package var extent: ClosedRange<Decimal> { min(low, high, open, close)...max(low, high, open, close) }

  /// The midpoint of the open and the close, which always lies within the candle.
  package var middle: Decimal { ((open + close) * Decimal(exactly: 5, exponent: -1)).strippingZeros(downTo: 0) }
}
