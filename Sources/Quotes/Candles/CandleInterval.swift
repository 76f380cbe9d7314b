/// The intervals of candles, by the names used on the command line and in the config.
package enum CandleInterval: String, Sendable, Hashable, CaseIterable, Comparable {
  case oneMinute = "1m"
  case threeMinutes = "3m"
  case fiveMinutes = "5m"
  case tenMinutes = "10m"
  case fifteenMinutes = "15m"
  case thirtyMinutes = "30m"
  case oneHour = "1h"
  case twoHours = "2h"
  case fourHours = "4h"
  case sixHours = "6h"
  case eightHours = "8h"
  case twelveHours = "12h"
  case oneDay = "1d"
  case oneWeek = "1w"

  package var seconds: Int {
    switch self {
    case .oneMinute: 60
    case .threeMinutes: 180
    case .fiveMinutes: 300
    case .tenMinutes: 600
    case .fifteenMinutes: 900
    case .thirtyMinutes: 1800
    case .oneHour: 3600
    case .twoHours: 7200
    case .fourHours: 14_400
    case .sixHours: 21_600
    case .eightHours: 28_800
    case .twelveHours: 43_200
    case .oneDay: 86_400
    case .oneWeek: 604_800
    }
  }

  package var nanoseconds: Int64 { Int64(seconds) * Instant.second }

  package static func < (left: CandleInterval, right: CandleInterval) -> Bool { left.seconds < right.seconds }
}

/// The start times of candles of one interval, counted from a midnight in a time zone.
package struct CandleGrid: Sendable, Hashable {
  package let interval: CandleInterval
  /// The zone whose midnight starts the day, in seconds east of UTC.
  package let zoneSeconds: Int
  /// The day on which weeks begin; irrelevant for shorter intervals.
  package let weekday: Weekday

  package init(_ interval: CandleInterval, zoneSeconds: Int = 0, weekday: Weekday = .monday) {
    self.interval = interval
    self.zoneSeconds = zoneSeconds
    self.weekday = interval == .oneWeek ? weekday : .monday
  }

  /// One of the start times; all others are whole intervals away.
  private var origin: Int64 {
    // 1970-01-01 was a Thursday.
    let days = interval == .oneWeek ? weekday.rawValue - Weekday.thursday.rawValue : 0
    return Int64(days) * Instant.day - Int64(zoneSeconds) * Instant.second
  }

  /// Returns the start of the candle that contains a moment, clamped to the range of `Instant`.
  package func start(containing moment: Instant) -> Instant {
    let (distance, isFar) = moment.nanoseconds.subtractingReportingOverflow(origin)
    if isFar { return Instant(nanoseconds: distance < 0 ? .max : .min) }
    let offset = distance % interval.nanoseconds
    let rest = offset < 0 ? offset + interval.nanoseconds : offset
    let (start, isOutside) = moment.nanoseconds.subtractingReportingOverflow(rest)
    return Instant(nanoseconds: isOutside ? .min : start)
  }

  package func isStart(_ moment: Instant) -> Bool { start(containing: moment) == moment }

  /// Returns the moment `count` candles later, or earlier if negative, clamped to the range of `Instant`.
  package func moment(_ count: Int, after start: Instant) -> Instant {
    let (span, isTooLong) = Int64(count).multipliedReportingOverflow(by: interval.nanoseconds)
    let (moment, isOutside) = start.nanoseconds.addingReportingOverflow(span)
    if isTooLong || isOutside { return Instant(nanoseconds: count < 0 ? .min : .max) }
    return Instant(nanoseconds: moment)
  }

  /// Returns the end of the candle that starts there, which is the start of the next one.
  package func end(of start: Instant) -> Instant { moment(1, after: start) }

  /// Returns how many candles start from `start` up to but excluding `end`, both on the grid; 0 if `end` is not later.
  package func count(from start: Instant, to end: Instant) -> Int {
    end > start ? Int(end.nanoseconds(since: start) / interval.nanoseconds) : 0
  }

  /// Returns whether every start of a coarser grid is also a start here and its interval is a multiple of this one, so
  /// that its candles can be built from these.
  package func divides(_ coarser: CandleGrid) -> Bool {
    interval < coarser.interval && coarser.interval.seconds % interval.seconds == 0
      && isStart(Instant(nanoseconds: coarser.origin))
  }
}

/// What a candle's timestamp refers to.
package enum CandleTimeBasis: String, Sendable, Hashable, CaseIterable {
  /// Its first moment.
  case start
  /// The first moment after it.
  case end
  /// Any moment within it, such as that of its last trade.
  case within
}
