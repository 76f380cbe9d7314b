/// A check of whether candles are consistent with each other and with their pair's ticker.
///
/// Mixed-up columns, a wrong time unit or a wrong interval all show in how candles relate to one another.
package struct CandleCheck {
  private let candles: [Candle]
  private let grid: CandleGrid
  private let future: Instant?
  private let contradiction: CandleSeries.Contradiction?

  /// - Parameters:
  ///   - future: The start of a candle that was dropped because it had not begun yet; nil if there was none.
  ///   - contradiction: Two candles with the same start, one of which was dropped; nil if there were none.
  package init(_ series: CandleSeries, future: Instant? = nil, contradiction: CandleSeries.Contradiction? = nil) {
    (candles, grid) = (series.candles, series.grid)
    (self.future, self.contradiction) = (future, contradiction)
  }

  /// - Parameters:
  ///   - ticker: The ticker of the same pair; nil if none is available.
  ///   - identityPercent: The maximum difference between two prices of one pair, in percent.
  ///   - arrival: When the answer arrived; nil if unknown.
  package func findings(ticker: Ticker?, identityPercent: Decimal, arrival: Instant?) -> [DataFinding] {
    [arrival.flatMap { time($0) }, shape, gridFinding, twice, step, chain, jump, spike, turnover].compactMap(\.self)
      + findings(besides: ticker, identityPercent: identityPercent, arrival: arrival)
  }

  /// Returns only what the pair's ticker contradicts.
  package func findings(besides ticker: Ticker?, identityPercent: Decimal, arrival: Instant?) -> [DataFinding] {
    guard let ticker else { return [] }
    return [amounts(ticker, arrival), last(ticker, identityPercent)].compactMap(\.self)
  }

  /// Returns why a candle is impossible in itself, or nil if it is possible.
  ///
  /// - Parameters:
  ///   - last: The previous candle from the same connection; nil if there is none.
  ///   - grid: The start times of candles; nil if unknown.
  ///   - arrival: When it arrived.
  package static func impossibility(
    of candle: Candle, after last: Candle? = nil, on grid: CandleGrid?, arrival: Instant
  ) -> DataFinding? {
    let check = CandleCheck(CandleSeries([candle], on: grid ?? CandleGrid(.oneMinute)))
    return check.time(arrival) ?? check.shape
      ?? (grid == nil ? nil : check.gridFinding ?? last.flatMap { check.growth(of: candle, after: $0, arrival) })
  }

  /// Returns what is wrong with one candle by itself, wherever it belongs; nil if nothing is.
  package static func fault(of candle: Candle, on grid: CandleGrid) -> DataFinding.Kind? {
    let check = CandleCheck(CandleSeries([candle], on: grid))
    return (check.shape ?? check.gridFinding ?? check.spike ?? check.turnover)?.kind
  }

  /// Returns what makes a candle doubtful that is possible in itself; nil if nothing does.
  package static func doubt(about candle: Candle, on grid: CandleGrid) -> DataFinding? {
    let check = CandleCheck(CandleSeries([candle], on: grid))
    return check.spike ?? check.turnover
  }

  /// How long after a candle's end its last message may arrive.
  private static let growthNanoseconds: Int64 = 30 * Instant.second

  /// Returns whether a candle had ended so long before its arrival that it says nothing about current trading.
  package static func isOld(_ candle: Candle, _ interval: CandleInterval, arrival: Instant) -> Bool {
    arrival.nanoseconds(since: CandleGrid(interval).end(of: candle.start)) > growthNanoseconds
  }

  /// Checks for growth: a candle that changes long after its end has a longer interval.
  private func growth(of candle: Candle, after last: Candle, _ arrival: Instant) -> DataFinding? {
    let late = arrival.nanoseconds(since: grid.end(of: candle.start))
    guard candle.start == last.start, candle != last, late > Self.growthNanoseconds else { return nil }
    return DataFinding(.candleGrowth(grid.interval, start: candle.start, arrival), advice: .intervalName)
  }

  private func time(_ arrival: Instant) -> DataFinding? {
    var rows = FailedRows()
    // One is enough: no correct clock names an interval that has not begun.
    for start in future.map({ [$0] }) ?? candles.map(\.start) {
      rows.add(
        start.isPossible(at: arrival) ? nil : .candleTime(start: start, arrival: arrival), advice: .unitZoneOrEnd)
    }
    return rows.finding
  }

  private var shape: DataFinding? {
    var rows = FailedRows()
    for candle in candles { rows.add(Self.misshape(candle), advice: .columns) }
    return rows.finding
  }

  private static func misshape(_ candle: Candle) -> DataFinding.Fact? {
    if let negative = candle.volume.negativeValue ?? candle.turnover.negativeValue {
      return .candleNegative(negative, start: candle.start)
    }
    let isInside =
      candle.low <= candle.open && candle.low <= candle.close && candle.open <= candle.high
      && candle.close <= candle.high
    if isInside { return nil }
    return .candleShape(
      open: candle.open, close: candle.close, low: candle.low, high: candle.high, start: candle.start)
  }

  private var gridFinding: DataFinding? {
    // The day on which weeks begin depends on the exchange; it only has to be the same for all.
    let grid = candles.first.map {
      CandleGrid(
        self.grid.interval, zoneSeconds: self.grid.zoneSeconds,
        weekday: CivilTime($0.start, offsetSeconds: self.grid.zoneSeconds).weekday)
    }
    guard let grid else { return nil }
    var rows = FailedRows()
    for candle in candles {
      rows.add(
        grid.isStart(candle.start) ? nil : .candleGrid(grid.interval, start: candle.start),
        advice: grid.interval >= .fourHours ? .zone : .timeOfLastTrade)
    }
    return rows.finding
  }

  /// Checks for duplicates: each interval has one candle, and of two that differ there is no telling which is right.
  private var twice: DataFinding? {
    guard let contradiction else { return nil }
    let (first, second) = (contradiction.first, contradiction.second)
    // Those that are not among these candles tell of the answer all the same.
    let failed = candles.count { contradiction.starts.contains($0.start) }
    var finding = DataFinding(
      .candleTwice(start: first.start, DataFinding.CandleDifference(first, second)), advice: .mixedRows,
      failed: max(1, failed), checked: failed == 0 ? 1 : candles.count)
    finding.starts = contradiction.starts
    return finding
  }

  /// What is wrong with how far apart candles are: not less than their interval, and not all by multiples of a longer one.
  package var step: DataFinding? {
    let steps = candles.indices.dropFirst().map { candles[$0].start.nanoseconds(since: candles[$0 - 1].start) }
    guard let nearest = steps.min() else { return nil }
    if nearest < grid.interval.nanoseconds {
      return DataFinding(.candlesNear(grid.interval, seconds: nearest / Instant.second), advice: .intervalName)
    }
    // Those of a longer interval are apart by multiples of it. So are a few of a market that rests now and then, but
    // hardly ever all by the same one.
    let common = steps.reduce(0, Self.greatestCommonDivisor)
    guard common >= 2 * grid.interval.nanoseconds,
      steps.count >= 7 || steps.count >= 3 && steps.allSatisfy({ $0 == common })
    else { return nil }
    return DataFinding(
      .candlesApart(candles.count, grid.interval, seconds: common / Instant.second), advice: .intervalNameAndUnit)
  }

  private static func greatestCommonDivisor(_ first: Int64, _ second: Int64) -> Int64 {
    second == 0 ? first : greatestCommonDivisor(second, first % second)
  }

  /// Calls `body` for each candle whose successor starts where it ends.
  private func forEachStep(_ body: (_ candle: Candle, _ next: Candle) -> Void) {
    for next in candles.indices.dropFirst() where grid.end(of: candles[next - 1].start) == candles[next].start {
      body(candles[next - 1], candles[next])
    }
  }

  /// Checks that each candle opens near the previous close, rather than closes near the previous open. Where prices only
  /// alternate between bid and ask, they do both equally well.
  private var chain: DataFinding? {
    var (count, likeSwapped, likeUsual) = (0, 0, 0)
    var (usual, swapped) = (Decimal(0), Decimal(0))
    forEachStep { candle, next in
      let (toOpen, toClose) = ((next.open - candle.close).magnitude, (next.close - candle.open).magnitude)
      count += 1
      if toOpen > toClose { likeSwapped += 1 } else if toOpen < toClose { likeUsual += 1 }
      usual = usual + toOpen
      swapped = swapped + toClose
    }
    // A few steps may look swapped by chance.
    guard likeSwapped >= 5, likeSwapped >= 3 * likeUsual, usual > swapped * (count < 12 ? 8 : 3) else { return nil }
    return DataFinding(.candleChain, advice: .openAndClose)
  }

  /// Checks for price jumps: between candles, no price moves by a power of ten unless a unit changed.
  private var jump: DataFinding? {
    var rows = FailedRows()
    forEachStep { candle, next in
      let power = next.open.powerOfTen(over: candle.close)
      rows.add(
        power.map { .candleJump(open: next.open, power: $0, close: candle.close, start: next.start) },
        advice: .otherUnit)
    }
    return rows.finding
  }

  /// Checks for price jumps within candles: none reaches a power of ten away from its open and close.
  private var spike: DataFinding? {
    var rows = FailedRows()
    for candle in candles { rows.add(Self.spike(of: candle), advice: .otherUnit) }
    return rows.finding
  }

  private static func spike(of candle: Candle) -> DataFinding.Fact? {
    // Nearly all end here.
    if candle.high < candle.low * 5, candle.low <= candle.open, candle.open <= candle.high { return nil }
    let (top, bottom) = (max(candle.open, candle.close), min(candle.open, candle.close))
    if let power = candle.high.powerOfTen(over: top) {
      return .candleSpike(.high, candle.high, power: power, body: top, start: candle.start)
    }
    return candle.low.powerOfTen(over: bottom).map {
      .candleSpike(.low, candle.low, power: $0, body: bottom, start: candle.start)
    }
  }

  private var turnover: DataFinding? {
    var rows = FailedRows()
    for candle in candles {
      guard let volume = candle.volume.value, let turnover = candle.turnover.value, volume.signum >= 0,
        turnover.signum >= 0, volume.signum + turnover.signum > 0
      else { continue }
      // turnover / volume, cross-multiplied: without a margin first, which nearly every candle passes, then with 1 %.
      let (least, most) = (volume * candle.low, volume * candle.high)
      let holds =
        turnover >= least && turnover <= most
        || turnover >= least * Decimal(exactly: 99, exponent: -2)
          && turnover <= most * Decimal(exactly: 101, exponent: -2)
      rows.add(
        holds
          ? nil : .candleTurnover(turnover, volume: volume, low: candle.low, high: candle.high, start: candle.start),
        advice: Self.advice(volume: volume, turnover: turnover, price: candle.close))
    }
    return rows.finding
  }

  private static func advice(volume: Decimal, turnover: Decimal, price: Decimal) -> DataFinding.Advice? {
    if (volume.divided(by: turnover))?.isWithin(percent: 5, of: price) == true {
      return .swappedAmounts
    }
    guard let factor = turnover.divided(by: volume * price), factor.signum > 0 else { return nil }
    // Off by nothing: the range is too narrow, or upside down.
    if factor.isWithin(percent: 5, of: 1) { return nil }
    let rounded = factor.rounded(toSignificantDigits: 1)
    return factor.isWithin(percent: 5, of: rounded) ? .factor(rounded) : .contractsOrCurrency
  }

  /// Checks the amounts against those of the day: only these tell other units, contracts, or the other currency if there
  /// is but one amount.
  ///
  /// If the ticker has only the amount that the candles lack, theirs is converted at their own prices: that of now may be
  /// far from those of the day.
  private func amounts(_ ticker: Ticker, _ arrival: Instant?) -> DataFinding? {
    guard let arrival else { return nil }
    let (volume, turnover) = (ticker.volume24.value, ticker.turnover24.value)
    return amount(.volume, volume, arrival) { candle in
      candle.volume.value ?? (turnover == nil ? candle.turnover.value?.divided(by: candle.close) : nil)
    }
      ?? amount(.turnover, turnover, arrival) { candle in
        candle.turnover.value ?? (volume == nil ? candle.volume.value.map { $0 * candle.close } : nil)
      }
  }

  /// Compares the sum of one amount over the last 24 hours with the day's, by a factor of two: the two are not of the
  /// same moment.
  ///
  /// Candles that began within the last 24 hours cannot exceed the day's amount, whatever their interval and however
  /// many there are. They can fall short of it only if they and the hour before them cover the whole day.
  private func amount(
    _ kind: DataFinding.Amount, _ daily: Decimal?, _ arrival: Instant, of amount: (Candle) -> Decimal?
  ) -> DataFinding? {
    guard let daily, daily.signum > 0 else { return nil }
    let begun = candles.filter { candle in
      let age = arrival.nanoseconds(since: candle.start)
      return age >= 0 && age <= Instant.day && amount(candle) != nil
    }
    guard grid.interval < .oneDay, let first = begun.first else { return nil }
    let sum = begun.reduce(Decimal(0)) { $0 + (amount($1) ?? 0) }
    if sum > daily * 2 {
      let hours = max(1, arrival.nanoseconds(since: first.start) / Instant.hour)
      return amountFinding(hours: hours, kind, sum, daily)
    }
    let ended = candles.filter { grid.end(of: $0.start) <= arrival }.suffix(24)
    guard grid.interval == .oneHour, ended.count == 24, let oldest = ended.first, let newest = ended.last,
      grid.moment(23, after: oldest.start) == newest.start,
      arrival.nanoseconds(since: grid.end(of: newest.start)) < grid.interval.nanoseconds,
      ended.allSatisfy({ amount($0) != nil })
    else { return nil }
    let whole = candles.filter { $0.start >= oldest.start }.reduce(Decimal(0)) { $0 + (amount($1) ?? 0) }
    return whole * 2 < daily ? amountFinding(hours: 24, kind, whole, daily) : nil
  }

  private func amountFinding(
    hours: Int64, _ kind: DataFinding.Amount, _ sum: Decimal, _ daily: Decimal
  ) -> DataFinding {
    DataFinding(.candleVolume(hours: hours, kind, sum: sum, daily: daily), advice: .currencyContractsOrUnit)
  }

  private func last(_ ticker: Ticker, _ identityPercent: Decimal) -> DataFinding? {
    guard let price = ticker.price.value, price.signum > 0, let close = candles.last?.close,
      !close.isWithin(percent: identityPercent, of: price)
    else { return nil }
    return DataFinding(.candleLast(close: close, price: price), advice: .otherPairOrUnit)
  }
}

extension Cell {
  fileprivate var negativeValue: Decimal? {
    if case .value(let value) = self, value.signum < 0 { value } else { nil }
  }
}
