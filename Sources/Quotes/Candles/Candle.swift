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

  /// The midpoint of the open and the close, which always lies within the candle.
  package var middle: Decimal { ((open + close) * Decimal(exactly: 5, exponent: -1)).strippingZeros(downTo: 0) }
}

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
  package private(set) var sourceFaults: [Instant: DataFinding.Kind] = [:]

  /// When the candles were requested: one that ended later may still have been running. nil if that is unknown.
  package private(set) var requested: Instant?

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
    grid.end(of: candle.start) <= min(now, requested ?? now)
  }

  /// Returns the same candles, as requested at a moment.
  package func requested(at moment: Instant) -> CandleSeries {
    var series = self
    series.requested = moment
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
      guard let expected, expected < candle.start else { return nil }
      let count = grid.count(from: expected, to: candle.start)
      return count > 0 ? Gap(start: expected, count: count) : nil
    }
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

  /// Different candles with the same start, of one answer or of two.
  package struct Contradiction: Sendable, Hashable {
    /// The newest two of them.
    package let first: Candle
    /// The candle that is kept.
    package let second: Candle
    /// The starts that have different candles.
    package let starts: Set<Instant>

    package init?(among candles: [Candle]) {
      let starts = candles.map(\.start)
      let neighbours = starts.indices.dropFirst()
      // If sorted in either direction, there are no duplicates.
      guard neighbours.contains(where: { starts[$0 - 1] >= starts[$0] }),
        neighbours.contains(where: { starts[$0 - 1] <= starts[$0] })
      else { return nil }
      var known: [Instant: Candle] = [:]
      self.init(
        candles.compactMap { candle in
          known.updateValue(candle, forKey: candle.start).flatMap { $0 == candle ? nil : ($0, candle) }
        })
    }

    /// Returns nil if two answers agree on the candles that both have. Candles that had not long ended on arrival may
    /// differ, and volumes and last prices are now and then corrected afterwards, but nothing changes an open.
    ///
    /// - Parameters:
    ///   - candles: Those of the answer whose candles are not kept.
    ///   - others: Those of the answer whose candles are kept.
    ///   - arrival: When the earlier of the two arrived.
    package init?(between candles: [Candle], and others: [Candle], of interval: CandleInterval, arrival: Instant) {
      guard let least = others.lazy.map(\.start).min(), let most = others.lazy.map(\.start).max() else { return nil }
      let shared = candles.filter {
        $0.start >= least && $0.start <= most && CandleCheck.isOld($0, interval, arrival: arrival)
      }
      guard !shared.isEmpty else { return nil }
      let kept = Dictionary(others.map { ($0.start, $0) }) { $1 }
      self.init(
        shared.compactMap { candle in
          kept[candle.start].flatMap { $0.open == candle.open ? nil : (candle, $0) }
        })
    }

    private init?(_ pairs: [(first: Candle, second: Candle)]) {
      guard let newest = pairs.max(by: { $0.second.start < $1.second.start }) else { return nil }
      (first, second) = newest
      starts = Set(pairs.map(\.second.start))
    }

    /// Returns the same with other candles in place of the two, at the same start.
    package func map(_ change: (Candle) -> Candle) -> Contradiction {
      Contradiction(change(first), change(second), starts)
    }

    private init(_ first: Candle, _ second: Candle, _ starts: Set<Instant>) {
      (self.first, self.second, self.starts) = (first, second, starts)
    }
  }

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
    series.requested = requested
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

  /// Returns the newest `count` candles.
  package func newest(_ count: Int) -> CandleSeries {
    count >= candles.count ? self : with(Array(candles.suffix(count)))
  }

  /// Builds the candles of a coarser grid, which this one divides: first open, last close, highest high, lowest low,
  /// and sums, which are missing if a part of them is, or is below zero.
  ///
  /// - Parameter reachesBack: Whether the series holds everything before its first candle's interval. If not, the
  ///   oldest candle built is dropped unless a source candle starts with it, as it may be incomplete. Later ones are
  ///   complete but for the gaps between their parts.
  /// - Parameter now: Intervals of the newest candle that have begun by then but have no source candle count as gaps; nil
  ///   for a series that has no end.
  /// - Parameter findings: What the checks have found in these candles; nil if they have not been made.
  package func built(
    on coarser: CandleGrid, reachesBack: Bool, now: Instant? = nil, findings: [DataFinding]? = nil
  ) -> CandleSeries {
    var built: [Candle] = []
    var part: [Candle] = []
    var isOldest = true
    func close() {
      guard let first = part.first, let last = part.last else { return }
      let start = coarser.start(containing: first.start)
      let mayBeIncomplete = isOldest && !reachesBack && first.start != start
      defer { (part, isOldest) = ([], false) }
      if mayBeIncomplete { return }
      built.append(
        Candle(
          start: start, open: first.open, high: part.map(\.high).max() ?? first.high,
          low: part.map(\.low).min() ?? first.low, close: last.close, volume: Self.sum(part.map(\.volume)),
          turnover: Self.sum(part.map(\.turnover))))
    }
    for candle in candles {
      if let last = part.last, coarser.start(containing: last.start) != coarser.start(containing: candle.start) {
        close()
      }
      part.append(candle)
    }
    close()
    var missing = gaps
    func miss(from start: Instant, to end: Instant, at index: Int) {
      let count = grid.count(from: start, to: end)
      if count > 0 { missing.insert(Gap(start: start, count: count), at: index) }
    }
    if let first = candles.first, let start = built.first?.start { miss(from: start, to: first.start, at: 0) }
    if let now, let last = candles.last, let start = built.last?.start {
      let begun = min(grid.end(of: grid.start(containing: now)), coarser.end(of: start))
      miss(from: grid.end(of: last.start), to: begun, at: missing.count)
    }
    var series = CandleSeries(built, on: coarser, builtFrom: grid.interval, sourceGaps: missing)
    series.requested = requested
    series.sourceFaults = faults(findings, byStartsOn: coarser)
    return series.with(built)
  }

  /// Returns what is wrong with single candles, by the starts of those that are built from them.
  private func faults(_ findings: [DataFinding]?, byStartsOn coarser: CandleGrid) -> [Instant: DataFinding.Kind] {
    var faults: [Instant: DataFinding.Kind] = [:]
    // There are many candles, and hardly ever one to look for.
    if findings?.contains(where: \.isOfCandles) ?? true {
      for candle in candles {
        guard let fault = CandleCheck.fault(of: candle, on: grid) else { continue }
        let start = coarser.start(containing: candle.start)
        if faults[start] == nil { faults[start] = fault }
      }
    }
    for finding in findings ?? [] {
      for start in finding.starts.map({ coarser.start(containing: $0) }) where faults[start] == nil {
        faults[start] = finding.kind
      }
    }
    return faults
  }

  private static func sum(_ cells: [Cell]) -> Cell {
    var sum = Decimal(0)
    for cell in cells {
      switch cell {
      // What is impossible would otherwise hide in the sum.
      case .value(let value) where value.signum < 0: return .missing(.negative)
      case .value(let value): sum = sum + value
      case .missing: return cell
      }
    }
    return .value(sum)
  }
}
