extension CandleSeries {
  /// Builds the candles of a coarser grid, which this one divides: first open, last close, highest high, lowest low,
  /// and sums, which are missing if a part of them is, or is below zero.
  ///
  /// - Parameters:
  ///   - reachesBack: Whether the series holds everything before its first candle's interval. If not, the oldest candle
  ///     built is dropped unless a source candle starts with it, as it may be incomplete. Later ones are complete but for
  ///     the gaps between their parts.
  ///   - now: Intervals of the newest candle that have begun by then but have no source candle count as gaps; nil for a
  ///     series that has no end.
  ///   - findings: What the checks have found in these candles; nil if they have not been made.
  package func built(
    on coarser: CandleGrid, reachesBack: Bool, now: Instant? = nil, findings: [DataFinding]? = nil
  ) -> CandleSeries {
    var built: [Candle] = []
    var rest = candles[...]
    while let first = rest.first {
      let start = coarser.start(containing: first.start)
      let parts = rest.prefix { coarser.start(containing: $0.start) == start }
      let mayBeIncomplete = rest.startIndex == 0 && !reachesBack && first.start != start
      if !mayBeIncomplete { built.append(Candle(joining: parts, from: start)) }
      rest = rest.dropFirst(parts.count)
    }
    var series = CandleSeries(
      built, on: coarser, builtFrom: grid.interval, sourceGaps: sourceGaps(of: built, on: coarser, now: now))
    (series.requested, series.whole) = (requested, whole)
    series.sourceFaults = faults(findings, byStartsOn: coarser)
    return series.with(built)
  }

  /// Returns the gaps of this series, with those at either end of the candles built from it.
  private func sourceGaps(of built: [Candle], on coarser: CandleGrid, now: Instant?) -> [Gap] {
    var before: Gap?
    var behind: Gap?
    if let first = candles.first, let start = built.first?.start { before = gap(from: start, to: first.start) }
    if let now, let last = candles.last, let start = built.last?.start {
      let begun = min(grid.end(of: grid.start(containing: now)), coarser.end(of: start))
      behind = gap(from: grid.end(of: last.start), to: begun)
    }
    return [before].compactMap(\.self) + gaps + [behind].compactMap(\.self)
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
}

extension Candle {
  /// Creates the candle of consecutive shorter ones, at least one.
  fileprivate init(joining parts: ArraySlice<Candle>, from start: Instant) {
    let (first, last) = (parts[parts.startIndex], parts[parts.endIndex - 1])
    self.init(
      start: start, open: first.open, high: parts.map(\.high).max() ?? first.high,
      low: parts.map(\.low).min() ?? first.low, close: last.close, volume: Self.sum(parts.map(\.volume)),
      turnover: Self.sum(parts.map(\.turnover)))
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
