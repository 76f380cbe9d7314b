import Config
import Mapping
import Quotes

/// The interval to request from a part, and the grid of the resulting candles.
struct CandlePart: Sendable {
  let source: CandleSpec.Interval
  let grid: CandleGrid

  /// Returns nil if the part offers neither the interval nor one that it can be built from.
  init?(_ query: CandleQuery, _ spec: CandleSpec) {
    let own = spec[query.interval]
    let zone = query.zoneSeconds ?? own?.zoneSeconds ?? spec.zoneOfBuilt(query.interval)
    grid = CandleGrid(query.interval, zoneSeconds: zone)
    // Weeks of a given zone begin on Mondays. On which day those of an exchange do is unknown, so they are built if they can.
    let isWeekOfZone = query.interval == .oneWeek && query.zoneSeconds != nil
    if isWeekOfZone, let days = grid.source(among: spec.intervals.filter { $0.interval < .oneWeek }) {
      source = days
    } else if let own, CandleGrid(own.interval, zoneSeconds: own.zoneSeconds).hasSameStarts(as: grid) {
      source = own
    } else if let source = grid.source(among: spec.intervals) {
      self.source = source
    } else {
      return nil
    }
  }

  /// Returns the list of wanted candles among those that the user has on disk.
  ///
  /// - Throws: `AnswerFailure` if none of them is wanted.
  func list(
    of candles: [Candle], _ span: CandleQuery.Span, contradiction: CandleSeries.Contradiction?, incomplete: Int,
    _ multiplier: Decimal?, now: Instant
  ) throws(AnswerFailure) -> CandleList {
    var series = CandleSeries(candles, on: sourceGrid(candles.map(\.start).min()))
    // When they arrived is unknown.
    let findings = series.findings(multiplier, contradiction: contradiction, arrival: nil)
    // What precedes the oldest of them is unknown.
    if isBuilt { series = series.built(on: grid, reachesBack: false, now: now, findings: findings) }
    let (all, grid) = (series, series.grid)
    switch span {
    case .newest(let count):
      series = series.newest(count)
    case .last, .between:
      let (start, end) = grid.span(span, now: now)
      series = series.within(start, end)
    }
    if series.candles.isEmpty { throw all.outsideOfSpan }
    return CandleList(series, contradiction: contradiction, receivedFindings: findings, incomplete: incomplete)
  }

  /// Returns the start of the first and the end of the last candle to request. Weeks are extended by one at either end,
  /// as the day on which the exchange's weeks begin is unknown.
  func asked(_ span: CandleQuery.Span, now: Instant) -> (start: Instant, end: Instant) {
    let (start, end) = grid.span(span, now: now)
    guard source.interval == .oneWeek else { return (start, end) }
    return (grid.moment(-1, after: start), grid.moment(1, after: end))
  }

  /// Returns the grid of the exchange's candles, whose weeks begin on its own day.
  func sourceGrid(_ oldest: Instant?) -> CandleGrid {
    // Hours begin at the same moments in most zones, so hourly candles can be used as they are.
    let zone = isBuilt ? source.zoneSeconds : grid.zoneSeconds
    guard source.interval == .oneWeek, let oldest else { return CandleGrid(source.interval, zoneSeconds: zone) }
    return CandleGrid(.oneWeek, zoneSeconds: zone, weekday: CivilTime(oldest, offsetSeconds: zone).weekday)
  }

  var isBuilt: Bool { !CandleGrid(source.interval, zoneSeconds: source.zoneSeconds).hasSameStarts(as: grid) }
}

extension CandleGrid {
  fileprivate func hasSameStarts(as other: CandleGrid) -> Bool {
    let monday = Instant(nanoseconds: 0)
    return interval == other.interval && start(containing: monday) == other.start(containing: monday)
  }

  /// Returns the start of the first and the end of the last wanted candle.
  func span(_ span: CandleQuery.Span, now: Instant) -> (start: Instant, end: Instant) {
    let running = end(of: start(containing: now))
    switch span {
    case .newest(let count): return (moment(-max(count, 1), after: running), running)
    case .last(let count, let until):
      let end = min(end(before: until), running)
      return (moment(-max(count, 1), after: end), end)
    case .between(let since, let until):
      let first = start(containing: since)
      return (first, max(min(end(before: until), running), self.end(of: first)))
    }
  }

  /// Returns the end of the last candle that begins before a moment.
  private func end(before moment: Instant) -> Instant {
    end(of: start(containing: moment.advanced(by: .nanoseconds(-1))))
  }
}

extension CandleSpec {
  /// Returns the offset of the zone in which an interval that is not offered begins: that of days for whole days, and
  /// otherwise that of the longest interval it can be built from.
  fileprivate func zoneOfBuilt(_ interval: CandleInterval) -> Int {
    if interval >= .oneDay, let day = self[.oneDay] { return day.zoneSeconds }
    let parts = intervals.filter { $0.interval < interval && interval.seconds % $0.interval.seconds == 0 }
    return parts.max { $0.interval < $1.interval }?.zoneSeconds ?? 0
  }
}
