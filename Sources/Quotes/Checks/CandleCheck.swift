/// Whether candles fit together, and with the ticker of their pair.
///
/// Columns that are mixed up, a time in another unit, another interval than was asked for: each shows in how candles stand
/// to one another.
package struct CandleCheck {
  private let candles: [Candle]
  private let grid: CandleGrid
  private let future: Instant?
  private let contradiction: CandleSeries.Contradiction?

  /// - Parameters:
  ///   - future: the start of a candle that came as well and was left out, as it had not begun; nil without one.
  ///   - contradiction: two candles of one start that came as well, of which one was left out; nil without such.
  package init(
    _ series: CandleSeries, future: Instant? = nil, contradiction: CandleSeries.Contradiction? = nil
  ) {
    (candles, grid) = (series.candles, series.grid)
    (self.future, self.contradiction) = (future, contradiction)
  }

  /// - Parameters:
  ///   - ticker: of the same pair; nil where none is at hand.
  ///   - identityPercent: how far two prices of one pair may lie apart.
  ///   - arrival: when the answer came; nil where that is not known.
  package func findings(ticker: Ticker?, identityPercent: Decimal, arrival: Instant?) -> [DataFinding] {
    [
      arrival.flatMap { time($0) }, shape, gridFinding, twice, step, chain, jump, turnover,
      ticker.flatMap { volume($0, arrival) }, ticker.flatMap { last($0, identityPercent) },
    ].compactMap(\.self)
  }

  /// Why a candle cannot be, whatever stands beside it; nil where it can.
  ///
  /// - Parameters:
  ///   - last: what the same connection said before; nil for nothing.
  ///   - grid: the moments at which candles begin; nil where they are not known.
  ///   - arrival: when it came.
  package static func impossibility(
    of candle: Candle, after last: Candle? = nil, on grid: CandleGrid?, arrival: Instant
  ) -> DataFinding? {
    let check = CandleCheck(CandleSeries([candle], on: grid ?? CandleGrid(.oneMinute)))
    return check.time(arrival) ?? check.shape
      ?? (grid == nil ? nil : check.gridFinding ?? last.flatMap { check.growth(of: candle, after: $0, arrival) })
  }

  /// The last message about a candle may come behind its end, by so much.
  private static let growthNanoseconds: Int64 = 30_000_000_000

  /// Whether a candle was over for so long when it came that it says nothing of what is traded now.
  package static func isOld(_ candle: Candle, _ interval: CandleInterval, arrival: Instant) -> Bool {
    arrival.nanoseconds(since: CandleGrid(interval).end(of: candle.start)) > growthNanoseconds
  }

  /// A candle that changes long after its end is one of a longer interval.
  private func growth(of candle: Candle, after last: Candle, _ arrival: Instant) -> DataFinding? {
    let late = arrival.nanoseconds(since: grid.end(of: candle.start))
    guard candle.start == last.start, candle != last, late > Self.growthNanoseconds else { return nil }
    return DataFinding(
      .candleStep,
      "a candle of \(grid.interval.rawValue) that begins at \(candle.start.iso8601) changes at \(arrival.iso8601)",
      advice: "check the word of this interval")
  }

  private func time(_ arrival: Instant) -> DataFinding? {
    var rows = FailedRows()
    // One is enough: no clock that is right names an interval that has not begun.
    for start in future.map({ [$0] }) ?? candles.map(\.start) {
      rows.check(
        start.isPossible(at: arrival),
        "a candle begins at \(start.iso8601) and came at \(arrival.iso8601)",
        advice: "check unit and zone, or whether the time is the candle's end")
    }
    return rows.finding(.candleTime)
  }

  private var shape: DataFinding? {
    var rows = FailedRows()
    for candle in candles {
      let isInside =
        candle.low <= candle.open && candle.low <= candle.close && candle.open <= candle.high
        && candle.close <= candle.high
      let negative = candle.volume.negativeValue ?? candle.turnover.negativeValue
      rows.check(
        isInside && negative == nil,
        negative.map { "\($0.shortest) was traded, less than nothing" }
          ?? "open \(candle.open.shortest) and close \(candle.close.shortest) are not within \(candle.low.shortest) to \(candle.high.shortest)",
        advice: "are the columns mixed up?")
    }
    return rows.finding(.candleShape)
  }

  private var gridFinding: DataFinding? {
    // Weeks begin on a day of the exchange's own: what counts is that all do.
    let grid = candles.first.map {
      CandleGrid(
        self.grid.interval, zoneSeconds: self.grid.zoneSeconds,
        weekday: CivilTime($0.start, offsetSeconds: self.grid.zoneSeconds).weekday)
    }
    guard let grid else { return nil }
    var rows = FailedRows()
    for candle in candles {
      rows.check(
        grid.isStart(candle.start), "a candle of \(grid.interval.rawValue) begins at \(candle.start.iso8601)",
        advice: grid.interval >= .fourHours ? "check 'zone'" : "is the time that of its last trade?")
    }
    return rows.finding(.candleGrid)
  }

  /// One interval has one candle: of two that differ nobody knows which is right.
  private var twice: DataFinding? {
    guard let contradiction else { return nil }
    let (first, second) = (contradiction.first, contradiction.second)
    let prices = [("open", \Candle.open), ("high", \.high), ("low", \.low), ("close", \.close)]
    let name = prices.last { first[keyPath: $0.1] != second[keyPath: $0.1] }
    let difference = name.map { ": \($0.0) \(first[keyPath: $0.1].shortest) and \(second[keyPath: $0.1].shortest)" }
    return DataFinding(
      .candleTwice, "two candles begin at \(first.start.iso8601) and differ" + (difference ?? " in what was traded"),
      advice: "are rows of another pair, market or interval among them?")
  }

  private var step: DataFinding? {
    let steps = candles.indices.dropFirst().map { candles[$0].start.nanoseconds(since: candles[$0 - 1].start) }
    guard let nearest = steps.min() else { return nil }
    if nearest < grid.interval.nanoseconds {
      return DataFinding(
        .candleStep, "two candles of \(grid.interval.rawValue) are \(nearest / 1_000_000_000) s apart",
        advice: "check the word of this interval")
    }
    guard candles.count >= 6, nearest > grid.interval.nanoseconds else { return nil }
    return DataFinding(
      .candleStep,
      "of \(candles.count) candles of \(grid.interval.rawValue) no two are nearer than \(nearest / 1_000_000_000) s",
      advice: "check the word of this interval, and the unit of the time")
  }

  /// Goes over the candles whose next one begins where they end.
  private func forEachStep(_ body: (_ candle: Candle, _ next: Candle) -> Void) {
    for next in candles.indices.dropFirst() where grid.end(of: candles[next - 1].start) == candles[next].start {
      body(candles[next - 1], candles[next])
    }
  }

  /// A candle opens near where the one before it closed.
  private var chain: DataFinding? {
    var count = 0
    var (usual, swapped) = (Decimal(0), Decimal(0))
    forEachStep { candle, next in
      count += 1
      usual = usual + (next.open - candle.close).magnitude
      swapped = swapped + (next.close - candle.open).magnitude
    }
    guard count >= 5, usual > swapped else { return nil }
    return DataFinding(
      .candleChain, "candles close where the one before them opened, rather than open where it closed",
      advice: "are open and close swapped?")
  }

  /// No trade moves a price by a power of ten from one candle to the next; another unit does.
  private var jump: DataFinding? {
    var rows = FailedRows()
    forEachStep { candle, next in
      let power = next.open.powerOfTen(over: candle.close)
      rows.check(
        power == nil,
        "a candle opens at \(next.open.shortest), about \(power ?? 1) times the \(candle.close.shortest) before it",
        advice: "another unit?")
    }
    return rows.finding(.candleJump)
  }

  private var turnover: DataFinding? {
    var rows = FailedRows()
    for candle in candles {
      guard let volume = candle.volume.value, let turnover = candle.turnover.value, volume.signum > 0,
        turnover.signum > 0
      else { continue }
      // The average price, compared crosswise: exactly first, as nearly every candle passes, then with 1 % to spare.
      let (least, most) = (volume * candle.low, volume * candle.high)
      let holds =
        turnover >= least && turnover <= most
        || turnover >= least * Decimal(exactly: 99, exponent: -2)
          && turnover <= most * Decimal(exactly: 101, exponent: -2)
      rows.check(
        holds,
        "turnover \(turnover.shortest) by volume \(volume.shortest) is no price between \(candle.low.shortest) and \(candle.high.shortest)",
        advice: Self.advice(volume: volume, turnover: turnover, price: candle.close))
    }
    return rows.finding(.candleTurnover)
  }

  private static func advice(volume: Decimal, turnover: Decimal, price: Decimal) -> String? {
    if (volume.divided(by: turnover))?.isWithin(percent: 5, of: price) == true {
      return "volume and turnover look swapped"
    }
    guard let factor = turnover.divided(by: volume * price), factor.signum > 0 else { return nil }
    let rounded = factor.rounded(toSignificantDigits: 1)
    return factor.isWithin(percent: 5, of: rounded)
      ? "off by a factor of \(rounded.shortest): contracts, or another unit?" : "contracts, or another currency?"
  }

  /// Without a turnover only the day's volume can tell base from quote and contracts.
  private func volume(_ ticker: Ticker, _ arrival: Instant?) -> DataFinding? {
    guard grid.interval == .oneHour, let arrival, candles.allSatisfy({ $0.turnover.value == nil }),
      let volume24 = ticker.volume24.value, volume24.signum > 0
    else { return nil }
    let day = candles.filter { grid.end(of: $0.start) <= arrival }.suffix(24)
    guard day.count == 24, let first = day.first, let last = day.last, grid.moment(23, after: first.start) == last.start
    else { return nil }
    var sum = Decimal(0)
    for candle in day {
      guard let volume = candle.volume.value else { return nil }
      sum = sum + volume
    }
    guard sum * 2 < volume24 || sum > volume24 * 2 else { return nil }
    return DataFinding(
      .candleVolume, "the last 24 hours come to \(sum.shortest), and the day's volume is \(volume24.shortest)",
      advice: "the other currency, or contracts?")
  }

  private func last(_ ticker: Ticker, _ identityPercent: Decimal) -> DataFinding? {
    guard let price = ticker.price.value, price.signum > 0, let close = candles.last?.close,
      !close.isWithin(percent: identityPercent, of: price)
    else { return nil }
    return DataFinding(
      .candleLast, "the newest candle closes at \(close.shortest), and the price is \(price.shortest)",
      advice: "another pair, or another unit?")
  }
}

extension Cell {
  fileprivate var negativeValue: Decimal? {
    if case .value(let value) = self, value.signum < 0 { value } else { nil }
  }
}
