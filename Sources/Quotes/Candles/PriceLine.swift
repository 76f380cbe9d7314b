/// The exchange rate at one moment, from a currency to the one that prices are shown in.
package struct TimedRate: Sendable, Hashable {
  package let rate: Decimal
  /// False if no rate is known for that moment and another one, such as today's, stands in for it.
  package let isContemporaneous: Bool

  package init(_ rate: Decimal, isContemporaneous: Bool = true) {
    (self.rate, self.isContemporaneous) = (rate, isContemporaneous)
  }
}

/// One value for each interval of a grid that has one, oldest first: closing prices, or a premium in percent.
package struct PriceLine: Sendable, Hashable {
  package struct Point: Sendable, Hashable {
    /// The start of the interval.
    package let start: Instant
    package let value: Decimal
    /// False if the value was converted at a rate of another time.
    package let isContemporaneous: Bool

    package init(start: Instant, value: Decimal, isContemporaneous: Bool = true) {
      (self.start, self.value, self.isContemporaneous) = (start, value, isContemporaneous)
    }
  }

  package let grid: CandleGrid
  package let points: [Point]
  /// Why the values may be wrong and must not be compared with others; nil if nothing is known against them.
  package let finding: DataFinding?
  /// Whether the values are prices converted at some rate.
  package let isConverted: Bool

  /// - Parameter points: Oldest first, at most one for each start.
  package init(_ points: [Point], on grid: CandleGrid, finding: DataFinding? = nil, isConverted: Bool = false) {
    (self.isConverted, self.points, self.grid, self.finding) = (isConverted, points, grid, finding)
  }

  /// Creates a line of the closing prices of candles, converted exactly: what is computed from them is rounded once, when
  /// it is written.
  ///
  /// - Parameters:
  ///   - findings: What the checks found in the candles.
  ///   - rate: The price of one unit of the payment currency in the line's currency at a moment; nil if no rate is
  ///     known, in which case the line has no point there.
  package init(
    closesOf series: CandleSeries, findings: [DataFinding] = [],
    rate: (Instant) -> TimedRate? = { _ in TimedRate(1) }
  ) {
    grid = series.grid
    finding = findings.first(where: \.discreditsPrices)
    var isConverted = false
    points = series.currentCandles.compactMap { candle in
      rate(candle.start).map {
        if $0.rate != 1 { isConverted = true }
        return Point(
          start: candle.start,
          value: $0.rate == 1 ? candle.close : (candle.close * $0.rate).normalized,
          isContemporaneous: $0.isContemporaneous)
      }
    }
    self.isConverted = isConverted
  }

  /// Returns a price of the line as it is written to files: with 12 significant digits if it is converted.
  package func written(_ price: Decimal) -> Decimal {
    isConverted ? price.rounded(toSignificantDigits: 12).normalized : price
  }

  /// Returns a price of the line as it is shown: its own digits, or, if it is converted to more digits than are readable,
  /// those of a rate.
  package func shown(_ price: Decimal) -> String {
    isConverted && price.normalized.significantDigits > 11 ? price.rateText : price.shownPrice
  }

  /// The number of values that were converted at a rate of another time.
  package var estimatedCount: Int { points.count { !$0.isContemporaneous } }

  /// Returns the points from a moment on.
  package func since(_ start: Instant) -> PriceLine { with(points.filter { $0.start >= start }) }

  /// Returns the line with some of its points.
  package func with(_ points: [Point]) -> PriceLine {
    PriceLine(points, on: grid, finding: finding, isConverted: isConverted)
  }

  /// The summary figures of a line.
  package struct Summary: Sendable, Hashable {
    /// The oldest of the points with the lowest value.
    package let low: Point
    /// The oldest of the points with the highest value.
    package let high: Point
    package let mean: Decimal
    package let last: Point
    /// The share of points below the last one, in whole percent, rounded down: it is not above all if one is higher.
    package let percentile: Int
  }

  /// The summary figures; nil for a line without points.
  package var figures: Summary? {
    guard let first = points.first, let last = points.last else { return nil }
    let low = points.reduce(first) { $1.value < $0.value ? $1 : $0 }
    let high = points.reduce(first) { $1.value > $0.value ? $1 : $0 }
    let sum = points.reduce(Decimal(0)) { $0 + $1.value }
    let below = points.count { $0.value < last.value }
    return Summary(
      low: low, high: high, mean: sum.divided(by: Decimal(points.count)) ?? sum, last: last,
      percentile: 100 * below / points.count)
  }
}

/// The premium of one line over another in percent, `(a - b) / b * 100`, for each interval that both have, with 24
/// decimals: equal premiums are equal even if a quotient, such as an inverse rate, was rounded on the way.
package struct PremiumLine: Sendable, Hashable {
  package let line: PriceLine
  /// The intervals without a premium though both lines have a price; nil if there are none.
  package let leftOut: LeftOut?

  /// Intervals whose two prices must not be compared.
  package struct LeftOut: Sendable, Hashable {
    package let count: Int
    /// What was found; if it differs between intervals, in the newest.
    package let cause: Cause
  }

  /// Why two prices must not be compared.
  package enum Cause: Sendable, Hashable {
    /// What is wrong with the candles of either.
    case candles(DataFinding)
    /// They cannot be of one coin.
    case identity(Flag)

    /// `candle-chain`, `identity`
    package var code: String {
      switch self {
      case .candles(let finding): finding.kind.rawValue
      case .identity(let flag): flag.code
      }
    }

    package var message: String {
      switch self {
      case .candles(let finding): finding.message
      case .identity(let flag): flag.message
      }
    }
  }

  /// - Parameters:
  ///   - base: In the currency of `line`.
  ///   - exchange: The exchange of the base's prices.
  package init(of line: PriceLine, over base: PriceLine, of exchange: String, identity: IdentityCheck) {
    let values = Dictionary(base.points.map { ($0.start, $0) }) { $1 }
    let finding = line.finding ?? base.finding
    var points: [PriceLine.Point] = []
    var leftOut: LeftOut?
    func leave(_ cause: Cause) { leftOut = LeftOut(count: 1 + (leftOut?.count ?? 0), cause: cause) }
    for point in line.points {
      guard let other = values[point.start], other.value.signum > 0 else { continue }
      if let finding {
        leave(.candles(finding))
      } else if let flag = identity.finding(point.value, beside: other.value, of: exchange) {
        leave(.identity(flag))
      } else if let percent = point.value.percent(above: other.value) {
        points.append(
          PriceLine.Point(
            start: point.start, value: percent.rounded(toPlaces: 24),
            isContemporaneous: point.isContemporaneous && other.isContemporaneous))
      }
    }
    self.line = PriceLine(points, on: line.grid)
    self.leftOut = leftOut
  }
}
