import Config
import Quotes

/// The times of candles.
struct CandleTimes {
  let field: BlockField
  /// The offset of their days from UTC, in seconds.
  let zone: Int
  let interval: CandleInterval?
  let starts: [Instant]
  /// The indexes of rows from oldest to newest.
  let order: [Int]
  let isBasisOpen: Bool

  private var successive: [(row: Int, next: Int)] { zip(order, order.dropFirst()).map { (row: $0, next: $1) } }

  /// Pairs of successive rows that belong to the same candle.
  var growth: [(row: Int, next: Int)] { successive.filter { starts[$0.row] == starts[$0.next] } }

  /// Pairs of rows of candles that follow each other without a gap.
  var chain: [(row: Int, next: Int)] {
    successive.filter { starts[$0.next].nanoseconds(since: starts[$0.row]) == interval?.nanoseconds }
  }
}

/// Finds the column of candles' times, and what they mean.
struct CandleTimeInference {
  let rows: BlockRows
  /// Whether times repeat, as in `CandleInference`.
  let isRunning: Bool
  /// When the answer arrived, or a later moment; nil if unknown.
  let arrival: Instant?

  private struct TimeColumn {
    let column: SampleColumn
    let form: TimeRole.Form
    /// The start times.
    let moments: [Instant]
    let step: Int64
    /// The offset of its days from UTC, in seconds.
    let zone: Int
    /// If its times are ends, their distance to the next candle: `15:59:59.999`.
    var rest: Int64?
  }

  /// Returns a column as times on a grid; nil if it has no times.
  ///
  /// - Throws: if its times are no candles'.
  private func timeColumn(_ column: SampleColumn) throws(BlockRefusal) -> TimeColumn? {
    guard let (form, moments) = column.moments ?? column.dates else { return nil }
    func refusal(_ reason: String) -> BlockRefusal {
      BlockRefusal(reason: "the times at \(column.path.text) \(reason)", nearness: 2)
    }
    let steps = zip(moments, moments.dropFirst()).map { $1.nanoseconds(since: $0) }
    guard isRunning || moments.isStrictlyMonotonic else { throw refusal("neither rise nor fall") }
    let lengths = steps.map(\.magnitude).filter { !isRunning || $0 > 0 }.map { Int64(clamping: $0) }
    if isRunning, lengths.isEmpty {
      // Of a single candle, all that is known is that it starts on a minute.
      guard moments[0].nanoseconds % Instant.minute == 0 else { return nil }
      return TimeColumn(column: column, form: form, moments: moments, step: 0, zone: 0)
    }
    guard let step = lengths.min(), lengths.allSatisfy({ $0 % step == 0 }) else { throw refusal("are not on a grid") }
    let seconds = Self.seconds(step)
    guard Self.interval(step) != nil else {
      throw refusal("are \(seconds) s apart, which is not an interval of the config")
    }
    // Times that are all on the grid of a longer interval by chance are few.
    let following = lengths.count { $0 == step }
    guard following * 2 >= lengths.count || following >= 3 && lengths.count >= 20 else {
      throw refusal(
        "are \(seconds) s apart in only \(following) of \(lengths.count) steps, so that their interval may be shorter; "
          + "give more candles, or those of a pair that is traded more")
    }
    if let zone = Self.zone(moments[0], step) {
      return TimeColumn(column: column, form: form, moments: moments, step: step, zone: zone)
    }
    guard let (rest, zone) = Self.end(moments[0], step) else {
      throw refusal("are \(seconds) s apart, but begin at no multiple of that")
    }
    let starts = moments.map { $0.advanced(by: .nanoseconds(rest - step)) }
    return TimeColumn(column: column, form: form, moments: starts, step: step, zone: zone, rest: rest)
  }

  /// Returns the columns of times on a grid.
  ///
  /// - Throws: if there are none.
  private func timeColumns() throws(BlockRefusal) -> [TimeColumn] {
    var found: [TimeColumn] = []
    var refusal: BlockRefusal?
    for column in rows.columns {
      do { if let time = try timeColumn(column) { found.append(time) } } catch { refusal = refusal ?? error }
    }
    guard found.isEmpty else { return found }
    throw refusal ?? BlockRefusal(reason: "no column of \(rows.text) is a time", nearness: 2)
  }

  /// - Throws: if no column has times on a grid.
  func times() throws(BlockRefusal) -> CandleTimes {
    let found = try timeColumns()
    let first = found.min(by: Self.isBetter) ?? found[0]
    let utc = first.form.saysZone ? nil : found.first(where: \.column.saysUTC)
    let time = utc ?? first
    let meaning = meaning(of: time, beside: found)
    let interval = Self.interval(time.step)
    let order = meaning.starts.risingIndexes
    let rise = order.first == 0 ? "rising" : "falling"
    let grid =
      interval.map { "\(order.count) times on a grid of \($0.rawValue), \(rise)" } ?? "one whole minute in all rows"
    let field = BlockField(
      "time", time.column,
      value: BlockField.time(
        at: time.column.path.text, time.form, basis: meaning.basis, zoneSeconds: meaning.zoneSeconds),
      min(time.form.saysZone || utc != nil ? 0.9 : 0.6, meaning.confidence),
      [TimeRole.evidence(time.form), meaning.evidence, grid])
    return CandleTimes(
      field: field, zone: time.zone, interval: interval, starts: meaning.starts, order: order,
      isBasisOpen: meaning.isBasisOpen)
  }

  /// What times on a grid are: which moments of their candles, by which clock.
  private struct TimeMeaning {
    let starts: [Instant]
    /// nil for the start.
    var basis: CandleTimeBasis?
    var zoneSeconds = 0
    var confidence = 1.0
    let evidence: String
    /// Whether nothing says that the times are not the ends.
    var isBasisOpen = false
  }

  private func meaning(of time: TimeColumn, beside others: [TimeColumn]) -> TimeMeaning {
    if let rest = time.rest {
      return TimeMeaning(
        starts: time.moments, basis: .within, evidence: "the end: \(Self.seconds(rest)) s before the next candle")
    }
    if others.contains(where: { Self.areEnds($0, of: time) }) {
      return TimeMeaning(starts: time.moments, evidence: "another column is the end")
    }
    if let update = updates(before: time) {
      return TimeMeaning(
        starts: time.moments.map { $0.advanced(by: .nanoseconds(-time.step)) }, basis: .end,
        evidence: "the end: \(update.path.text) is within one interval before it")
    }
    if let clock = localClock(time) {
      return TimeMeaning(
        starts: time.moments.map { $0.advanced(by: .seconds(-clock.zoneSeconds)) }, zoneSeconds: clock.zoneSeconds,
        confidence: 0.5, evidence: clock.evidence)
    }
    return startOrEnd(time)
  }

  /// Returns a column of moments within the candles whose ends the times are, such as those of their last trades: before
  /// them, at changing distances of less than an interval. One in ten may come a little late.
  private func updates(before time: TimeColumn) -> SampleColumn? {
    guard time.step > 0 else { return nil }
    return rows.columns.first { column in
      guard column.path != time.column.path, let moments = column.moments?.all else { return false }
      let distances = zip(moments, time.moments).map { $1.nanoseconds(since: $0) }
      let within = distances.count { 0...time.step ~= $0 }
      return Set(distances).count >= 3 && within * 10 >= distances.count * 9
        && distances.allSatisfy { -time.step / 4 <= $0 && $0 <= time.step }
    }
  }

  /// Returns whether times are the ends of candles that begin at others: both may be written as starts, one interval
  /// apart.
  private static func areEnds(_ ends: TimeColumn, of starts: TimeColumn) -> Bool {
    if ends.rest != nil { return ends.moments[0] == starts.moments[0] }
    let distance = ends.moments[0].nanoseconds(since: starts.moments[0])
    return distance > 0 && (starts.step > 0 ? distance == starts.step : interval(distance) != nil)
  }

  /// Returns the clock of times whose newest is further in the future than the end of a running candle, or whole hours
  /// before the running one. Candles that are long themselves say nothing of hours, and a name may say that it is UTC.
  private func localClock(_ time: TimeColumn) -> TimeRole.LocalClock? {
    guard time.step > 0, let newest = time.moments.max() else { return nil }
    let tellsAge = time.step <= 15 * Instant.minute && !time.column.saysUTC
    return TimeRole.LocalClock(
      newest, time.form, at: arrival, of: "candle", lead: time.step + min(time.step / 4, Instant.minute),
      lag: tellsAge ? time.step : 0)
  }

  /// Decides whether times on the grid, of which there is only one column, are starts or ends.
  private func startOrEnd(_ time: TimeColumn) -> TimeMeaning {
    let name = time.column.plainName
    let isNamedEnd = ["end", "close"].contains(where: name.contains)
    let isNamedStart = !isNamedEnd && ["start", "open", "begin"].contains(where: name.contains)
    func end(_ isProved: Bool, _ evidence: String) -> TimeMeaning {
      TimeMeaning(
        starts: time.moments.map { $0.advanced(by: .nanoseconds(-time.step)) }, basis: .end,
        confidence: isProved ? 1 : 0.5, evidence: evidence)
    }
    // Clocks differ, but not by much of a candle.
    let tolerance = min(time.step / 4, Instant.minute)
    if let arrival, time.step > 0, let newest = time.moments.max(), newest.nanoseconds(since: arrival) > tolerance {
      let isPossible = newest.nanoseconds(since: arrival) <= time.step + tolerance
      return end(
        isPossible && !isNamedStart, "the end: no candle begins at \(newest.iso8601), after the answer arrived")
    }
    if isNamedEnd { return end(false, "its name says that it is the end") }
    return TimeMeaning(
      starts: time.moments,
      evidence: isNamedStart
        ? "its name says that it is the start" : "taken for the start of the candle, as on nearly all exchanges",
      isBasisOpen: !isNamedStart && !isRunning)
  }

  private static func seconds(_ nanoseconds: Int64) -> String {
    Decimal(mantissa: Int128(nanoseconds), exponent: -9).shortest
  }

  private static func interval(_ nanoseconds: Int64) -> CandleInterval? {
    CandleInterval.allCases.first { $0.nanoseconds == nanoseconds }
  }

  /// Prefers starts to ends, then the earlier time, then numbers to text.
  private static func isBetter(_ one: TimeColumn, _ other: TimeColumn) -> Bool {
    if (one.rest == nil) != (other.rest == nil) { return one.rest == nil }
    if one.moments[0] != other.moments[0] { return one.moments[0] < other.moments[0] }
    if case .unit = other.form { return false }
    if case .unit = one.form { return true }
    return false
  }

  /// Returns the distance of an end time to the next candle in the exchange's precision, and the grid's offset from
  /// UTC; nil if it is not an end.
  private static func end(_ moment: Instant, _ step: Int64) -> (rest: Int64, zone: Int)? {
    for rest: Int64 in [Instant.second, 1_000_000, 1000, 1] {
      if let zone = zone(moment.advanced(by: .nanoseconds(rest)), step) { return (rest, zone) }
    }
    return nil
  }

  /// Returns the grid's offset from UTC; nil if no time zone has it.
  private static func zone(_ moment: Instant, _ step: Int64) -> Int? {
    let day = Instant.day
    let unit = min(step, day)
    let rest = (moment.nanoseconds % unit + unit) % unit
    if rest == 0 { return 0 }
    guard unit == day, rest % 1_800_000_000_000 == 0 else { return nil }
    let seconds = Int((day - rest) / Instant.second)
    return seconds <= 14 * 3600 ? seconds : seconds - 86_400
  }
}
