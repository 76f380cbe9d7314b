/// What money costs at one moment, in the money that prices are shown in.
package struct TimedRate: Sendable, Hashable {
  package let rate: Decimal
  /// False where no rate of that moment is known, and another one, such as today's, stands in for it.
  package let isOfItsTime: Bool

  package init(_ rate: Decimal, isOfItsTime: Bool = true) {
    self.rate = rate
    self.isOfItsTime = isOfItsTime
  }
}

/// One figure for each interval of a grid that has one, oldest first: closing prices, or a premium in percent.
package struct PriceLine: Sendable, Hashable {
  package struct Point: Sendable, Hashable {
    /// The start of the interval.
    package let start: Instant
    package let value: Decimal
    /// False where the value was converted at a rate of another time.
    package let isOfItsTime: Bool

    package init(start: Instant, value: Decimal, isOfItsTime: Bool = true) {
      self.start = start
      self.value = value
      self.isOfItsTime = isOfItsTime
    }
  }

  package let grid: CandleGrid
  package let points: [Point]

  /// - Parameter points: oldest first, one for each start at most.
  package init(_ points: [Point], on grid: CandleGrid) {
    self.points = points
    self.grid = grid
  }

  /// The closing prices of candles.
  ///
  /// - Parameter rate: what a unit of the payment currency costs in the currency of the line, at a moment; nil where no
  ///   rate is known: the line has no point there.
  package init(closesOf series: CandleSeries, rate: (Instant) -> TimedRate? = { _ in TimedRate(1) }) {
    grid = series.grid
    points = series.candles.compactMap { candle in
      rate(candle.start).map { Point(start: candle.start, value: candle.close * $0.rate, isOfItsTime: $0.isOfItsTime) }
    }
  }

  /// How many values were converted at a rate of another time.
  package var estimatedCount: Int { points.count { !$0.isOfItsTime } }

  /// Those from a moment on.
  package func since(_ start: Instant) -> PriceLine { PriceLine(points.filter { $0.start >= start }, on: grid) }

  /// What a line comes to as a whole.
  package struct Figures: Sendable, Hashable {
    /// The oldest of the points with the lowest value.
    package let low: Point
    /// The oldest of the points with the highest value.
    package let high: Point
    package let mean: Decimal
    package let last: Point
    /// How many percent of the points lie below the last one, in whole percent.
    package let percentile: Int
  }

  /// nil for a line without points.
  package var figures: Figures? {
    guard let first = points.first, let last = points.last else { return nil }
    let low = points.reduce(first) { $1.value < $0.value ? $1 : $0 }
    let high = points.reduce(first) { $1.value > $0.value ? $1 : $0 }
    let sum = points.reduce(Decimal(0)) { $0 + $1.value }
    let below = points.count { $0.value < last.value }
    return Figures(
      low: low, high: high, mean: sum.divided(by: Decimal(points.count)) ?? sum, last: last,
      percentile: (100 * below + points.count / 2) / points.count)
  }
}

/// By how many percent one line lies over another, `(a - b) / b * 100`, for each interval that both have.
package struct PremiumLine: Sendable, Hashable {
  package let line: PriceLine
  /// How many intervals are left out, for their two prices cannot be of one coin.
  package let apartCount: Int
  /// What the check of the newest of them says.
  package let apart: Flag?

  /// - Parameters:
  ///   - base: in the currency of `line`.
  ///   - exchange: whose prices the base has.
  package init(of line: PriceLine, over base: PriceLine, of exchange: String, identity: IdentityCheck) {
    let values = Dictionary(base.points.map { ($0.start, $0) }) { $1 }
    var points: [PriceLine.Point] = []
    var apart: [Flag] = []
    for point in line.points {
      guard let other = values[point.start], other.value.signum > 0 else { continue }
      if let flag = identity.finding(point.value, beside: other.value, of: exchange) {
        apart.append(flag)
      } else if let percent = (point.value - other.value).scaledByPowerOfTen(2).divided(by: other.value) {
        points.append(
          PriceLine.Point(start: point.start, value: percent, isOfItsTime: point.isOfItsTime && other.isOfItsTime))
      }
    }
    self.line = PriceLine(points, on: line.grid)
    apartCount = apart.count
    self.apart = apart.last
  }
}
