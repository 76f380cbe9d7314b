package import Quotes

/// The horizontal axis of a chart: consecutive intervals, with round times among them.
package struct TimeAxis: Sendable, Hashable {
  package let grid: CandleGrid
  /// The start of the first interval.
  package let start: Instant
  /// The number of intervals, with or without a candle.
  package let count: Int
  /// The zone in which times are shown. Candles of a day or more use the days of their grid.
  package let zone: ClockZone

  package init(_ grid: CandleGrid, from start: Instant, count: Int, zone: ClockZone) {
    self.grid = grid
    self.start = start
    self.count = count
    self.zone = grid.zone(preferring: zone)
  }

  package func index(of start: Instant) -> Int { grid.count(from: self.start, to: start) }

  /// The distance between round times.
  private enum Step {
    case seconds(Int)
    case months(Int)

    var seconds: Int {
      switch self {
      case .seconds(let seconds): seconds
      case .months(let months): months * 30 * 86_400
      }
    }

    /// Returns the same number for two moments if no round time lies between them.
    func number(_ time: CivilTime) -> Int {
      switch self {
      case .months(let months): return (time.year * 12 + time.month - 1) / months
      case .seconds(7 * 86_400): return (time.dayNumber + 3) / 7
      case .seconds(let seconds):
        let second = time.dayNumber * 86_400 + time.hour * 3600 + time.minute * 60 + time.second
        return (second - (second < 0 ? seconds - 1 : 0)) / seconds
      }
    }
  }

  private static let steps: [Step] =
    [1, 2, 5, 10, 15, 30].map { .seconds($0 * 60) } + [1, 2, 3, 4, 6, 8, 12].map { .seconds($0 * 3600) }
    + [1, 2, 7].map { .seconds($0 * 86_400) } + [1, 2, 3, 6, 12, 24, 60, 120].map { .months($0) }

  /// Returns labels for round times, few enough for each to fit, and the interval at which each is placed.
  ///
  /// - Parameter room: The number of intervals needed for a label and the space after it.
  package func labels(room: Double) -> [(index: Int, text: String)] {
    let least = room * Double(grid.interval.seconds)
    guard let step = Self.steps.first(where: { Double($0.seconds) >= least }) else { return [] }
    var labels: [(index: Int, text: String)] = []
    var before = zone.time(grid.moment(-1, after: start))
    for index in 0..<max(0, count) {
      let moment = grid.moment(index, after: start)
      let time = zone.time(moment)
      if step.number(time) != step.number(before) {
        labels.append((index, text(moment, isNewDay: time.dayNumber != before.dayNumber, step)))
      }
      before = time
    }
    return labels
  }

  private func text(_ moment: Instant, isNewDay: Bool, _ step: Step) -> String {
    switch step {
    case .months: String(zone.day(moment).dropLast(3))
    case .seconds:
      isNewDay || step.seconds >= 86_400 ? String(zone.day(moment).dropFirst(5)) : zone.hourAndMinute(moment)
    }
  }
}

extension CandleGrid {
  /// Returns the zone in which times are shown: the preferred one, except that candles of a day or more have their own.
  package func zone(preferring zone: ClockZone) -> ClockZone {
    interval < .oneDay ? zone : ClockZone(offsetSeconds: zoneSeconds)
  }

  /// Returns `2026-11-18 08:40`, or just the date for candles of a day or more.
  package func text(of start: Instant, in zone: ClockZone) -> String {
    zone.day(start) + (interval < .oneDay ? " \(zone.hourAndMinute(start))" : "")
  }
}
