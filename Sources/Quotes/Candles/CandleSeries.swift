/// The candles of one pair on one exchange, oldest first, on one grid.
///
/// An exchange may omit an interval without trades. It is not filled in but reported as a gap.
package struct CandleSeries: Sendable, Hashable {
  package let grid: CandleGrid
  package let candles: [Candle]
  /// The interval that these candles were built from; nil if they are as the exchange sent them.
  package let source: CandleInterval?
  /// The source intervals without a candle, within the range that these were built from: either nothing was traded in
  /// them, or these candles cover only part of their time.
  package let sourceGaps: [Gap]
  /// The start of the first interval that the answers cover, if a candle from before it was received as well: if it has
  /// none itself, nothing was traded in it.
  package private(set) var coveredFrom: Instant?
  /// What is wrong with the candles that these were built from, by the starts of these; of several faults, the oldest.
  package internal(set) var sourceFaults: [Instant: DataFinding.Kind] = [:]
  /// When the candles were requested: one that ended later may still have been running. nil if that is unknown.
  package internal(set) var requested: Instant?
  /// Until when they are known to be whole by the exchange's clock, if this machine's is behind it; otherwise nil.
  package internal(set) var whole: Instant?

  /// - Parameter candles: From the oldest answer to the newest. Of two candles with the same start, the later one wins.
  package init(
    _ candles: [Candle], on grid: CandleGrid, builtFrom source: CandleInterval? = nil, sourceGaps: [Gap] = []
  ) {
    self.grid = grid
    self.source = source
    self.sourceGaps = sourceGaps
    let neighbours = candles.indices.dropFirst()
    guard neighbours.contains(where: { candles[$0 - 1].start >= candles[$0].start }) else {
      self.candles = candles
      return
    }
    // Pages usually share a candle with their neighbours: then all are in order, and only that one is duplicated.
    guard neighbours.contains(where: { candles[$0 - 1].start > candles[$0].start }) else {
      var kept: [Candle] = []
      kept.reserveCapacity(candles.count)
      for (index, candle) in candles.enumerated() {
        if index + 1 == candles.count || candles[index + 1].start > candle.start { kept.append(candle) }
      }
      self.candles = kept
      return
    }
    let kept = Dictionary(candles.map { ($0.start, $0) }) { $1 }
    self.candles = kept.values.sorted { $0.start < $1.start }
  }

  /// Returns whether the candle's interval was over when it was requested, or is over now if that is unknown.
  package func isComplete(_ candle: Candle, at now: Instant) -> Bool {
    let end = grid.end(of: candle.start)
    return end <= min(now, requested ?? now) || whole.map { end <= $0 } == true
  }

  /// Returns the same candles, as requested at a moment, and whole until another.
  package func requested(at moment: Instant?, whole: Instant? = nil) -> CandleSeries {
    var series = self
    (series.requested, series.whole) = (moment, whole)
    return series
  }

  /// How long before the request the newest candle ends, if it was built without the running candle, and that lacks at
  /// least as much as makes a last trade too old to be compared.
  package var nanosecondsBehind: Int64? {
    guard let requested, let parts, let gap = sourceGaps.last, parts.moment(gap.count, after: gap.start) > requested
    else { return nil }
    let age = requested.nanoseconds(since: gap.start)
    return age >= 5 * Instant.minute ? age : nil
  }

  /// The candles without a newest one that was built without the running one: its close is none of now.
  package var currentCandles: ArraySlice<Candle> {
    nanosecondsBehind == nil ? candles[...] : candles.dropLast()
  }

  /// Consecutive intervals without a candle, before the last one and after another.
  package struct Gap: Sendable, Hashable {
    /// The start of the first interval without a candle.
    package let start: Instant
    /// The number of consecutive intervals without one.
    package let count: Int

    package init(start: Instant, count: Int) { (self.start, self.count) = (start, count) }

    /// Returns the part of the gap from `start` up to but excluding `end`, or nil if there is none.
    fileprivate func within(_ start: Instant, _ end: Instant, on grid: CandleGrid) -> Gap? {
      let (first, last) = (max(self.start, start), min(grid.moment(count, after: self.start), end))
      let count = first < last ? grid.count(from: first, to: last) : 0
      return count > 0 ? Gap(start: first, count: count) : nil
    }
  }

  package var gaps: [Gap] {
    var expected = coveredFrom
    return candles.compactMap { candle in
      defer { expected = grid.end(of: candle.start) }
      return expected.flatMap { gap(from: $0, to: candle.start) }
    }
  }

  /// Returns the intervals from `start` up to but excluding `end`; nil if there are none.
  func gap(from start: Instant, to end: Instant) -> Gap? {
    let count = grid.count(from: start, to: end)
    return count > 0 ? Gap(start: start, count: count) : nil
  }

  /// Why the first candle without a volume has none; nil if each has one.
  package var missingVolume: Missing? { candles.lazy.compactMap(\.volume.missing).first }

  /// The start of the exchange's oldest candle: if these were built, that of the candles they were built from.
  package var oldest: Instant? {
    guard let first = candles.first?.start, let gap = sourceGaps.first, gap.start == first, let parts else {
      return candles.first?.start
    }
    return parts.moment(gap.count, after: first)
  }

  /// The grid of the candles that these were built from; nil if they were not built.
  private var parts: CandleGrid? { source.map { CandleGrid($0, zoneSeconds: grid.zoneSeconds) } }

  /// Returns the series with some of its candles, or with others in their place.
  package func with(_ candles: [Candle]) -> CandleSeries {
    guard let first = candles.first, let last = candles.last else {
      return CandleSeries([], on: grid, builtFrom: source)
    }
    let end = grid.end(of: last.start)
    var series = CandleSeries(
      candles, on: grid, builtFrom: source,
      sourceGaps: sourceGaps.compactMap { gap in parts.flatMap { gap.within(first.start, end, on: $0) } })
    if first.start == self.candles.first?.start { series.coveredFrom = coveredFrom }
    (series.requested, series.whole) = (requested, whole)
    series.sourceFaults = sourceFaults
    return series
  }

  /// Returns the candles that start from `start` up to but excluding `end`.
  package func within(_ start: Instant, _ end: Instant) -> CandleSeries {
    let wanted = candles.drop { $0.start < start }.prefix { $0.start < end }
    if wanted.count == candles.count { return self }
    var series = with(Array(wanted))
    if let first = candles.first?.start, first < start, !wanted.isEmpty {
      let interval = grid.start(containing: start)
      series.coveredFrom = interval < start ? grid.end(of: interval) : interval
    }
    return series
  }

  /// The closes by the starts of their candles, without those of built candles whose last parts are missing: they are of
  /// an earlier time.
  package var closesWithEnd: [Instant: Decimal] {
    Dictionary(candles.filter { !lacksEnd(of: $0) }.map { ($0.start, $0.close) }) { $1 }
  }

  private func lacksEnd(of candle: Candle) -> Bool {
    guard let source else { return false }
    let end = grid.end(of: candle.start)
    return sourceGaps.contains { gap in
      let length = source.nanoseconds.multipliedReportingOverflow(by: Int64(gap.count))
      let gapEnd = gap.start.advanced(by: .nanoseconds(length.overflow ? .max : length.partialValue))
      return gap.start < end && gapEnd >= end
    }
  }

  package func newest(_ count: Int) -> CandleSeries {
    count >= candles.count ? self : with(Array(candles.suffix(count)))
  }
}
