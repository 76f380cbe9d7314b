package import Config
package import Quotes

/// The requests needed to get the candles of a time span, newest first.
///
/// The span covers the candles that start at or after `start` and before `end`. Each page gives the start of the first
/// requested candle and the last moment of the last one. Pages overlap by one candle and reach one before the start, so
/// it does not matter whether an exchange includes the bounds of a page, or which end of a long response it truncates.
package struct CandlePages: Sendable {
  package struct Page: Sendable, Hashable {
    package let from: Instant
    package let to: Instant
    /// The number of candles between the two.
    package let count: Int
  }

  private let paging: CandlePaging
  private let grid: CandleGrid
  /// The maximum number of candles per request; nil if unknown.
  private let most: Int?
  package let start: Instant
  package let end: Instant
  private let now: Instant

  /// - Parameters:
  ///   - start: the start of the first candle wanted.
  ///   - end: the end of the last one, later than `start`.
  package init(_ plan: CandlePlan, from start: Instant, to end: Instant, now: Instant) {
    self.init(
      CandlePaging(plan.spec.table.request), plan.grid, most: plan.spec.table.counts.last, from: start, to: end,
      now: now)
  }

  package init(
    _ paging: CandlePaging, _ grid: CandleGrid, most: Int?, from start: Instant, to end: Instant, now: Instant
  ) {
    (self.paging, self.grid, self.most, self.start, self.end, self.now) = (paging, grid, most, start, end, now)
  }

  /// The number of requests for the span; nil if only the responses can tell.
  package var requestCount: Int? {
    switch paging {
    case .single: return 1
    case .backwards: return most.map { Self.pageCount(wanted, most: $0) }
    // A window reaches one candle before the start.
    case .windows: return Self.pageCount(wanted + 1, most: most ?? 2)
    case .calendar(let unit, let zone):
      var count = 0
      var moment = unit.start(containing: last, offsetSeconds: zone)
      while true {
        count += 1
        if moment <= start || count > 10_000 { return count }
        moment = unit.start(before: moment, offsetSeconds: zone)
      }
    }
  }

  /// Each page except the newest adds one candle less than it holds, since it shares one with its neighbor.
  private static func pageCount(_ count: Int, most: Int) -> Int {
    let size = max(most, 2)
    return count <= size ? 1 : 1 + (count - 2) / (size - 1)
  }

  private var wanted: Int { grid.count(from: start, to: end) }

  /// A moment in the last candle wanted: its end minus a millisecond, but never later than now.
  private var last: Instant { lastMoment(before: end) }

  private func lastMoment(before end: Instant) -> Instant {
    min(end.advanced(by: .milliseconds(-1)), now)
  }

  /// The newest page.
  package var first: Page { page(from: nil, before: end) }

  /// Returns the page before `page` in time; nil if the span is covered.
  ///
  /// - Parameters:
  ///   - page: the page that was requested last.
  ///   - oldest: the start of the oldest candle received so far; nil if there is none.
  ///   - advanced: whether that page returned a candle older than all before it.
  package func next(after page: Page, oldest: Instant?, advanced: Bool) -> Page? {
    switch paging {
    case .single: return nil
    case .windows:
      let before = grid.moment(-1, after: start)
      return page.from <= before ? nil : self.page(from: nil, before: grid.end(of: page.from))
    case .backwards:
      guard let oldest, oldest > start else { return nil }
      if advanced { return self.page(from: nil, before: grid.end(of: oldest)) }
      // The response may consist of just the candle shared with its neighbor.
      return page.to >= oldest ? self.page(from: nil, before: oldest) : nil
    case .calendar(let unit, let zone):
      let unitStart = unit.start(containing: page.from, offsetSeconds: zone)
      guard unitStart > start else { return nil }
      return self.page(from: unit.start(before: unitStart, offsetSeconds: zone), before: unitStart)
    }
  }

  /// - Parameters:
  ///   - unit: the first moment of a calendar unit.
  ///   - end: the end of the last candle of the page.
  private func page(from unit: Instant?, before end: Instant) -> Page {
    let to = lastMoment(before: end)
    if case .calendar(let calendar, let zone) = paging {
      // Any moment of the unit fills the template; its first one is the start of the page.
      let from = unit ?? calendar.start(containing: to, offsetSeconds: zone)
      return Page(from: from, to: to, count: max(1, grid.count(from: grid.start(containing: from), to: end)))
    }
    // An answer to a request without times ends with the running candle, whatever is wanted.
    let end = paging == .single ? max(end, grid.end(of: grid.start(containing: now))) : end
    // One candle more than wanted, before the start.
    let needed = grid.count(from: start, to: end) + 1
    let count = min(most ?? needed, needed)
    return Page(from: grid.moment(-count, after: end), to: to, count: count)
  }
}

extension CandleGrid {
  /// Returns the interval from which these candles can be built: the largest offered one whose candles each lie within
  /// one of these. nil if there is none.
  package func source(among offered: [CandleSpec.Interval]) -> CandleSpec.Interval? {
    offered.filter { CandleGrid($0.interval, zoneSeconds: $0.zoneSeconds).divides(self) }
      .max { $0.interval < $1.interval }
  }
}
