import Config
import Quotes

/// Finds the columns of candles by the relations of their numbers; meaningful names must agree.
struct CandleInference {
  private let rows: BlockRows
  /// Whether the rows are successive states of growing candles, so that times repeat.
  private let isRunning: Bool
  /// The indexes of rows from oldest to newest.
  private var order: [Int] = []
  private var starts: [Instant] = []
  private var interval: CandleInterval?

  /// When the answer arrived, or a later moment; nil if unknown.
  private let arrival: Instant?
  private var isBasisOpen = false
  /// The pair's day according to the ticker of the exchange; nil if unknown.
  private let day: DayAmounts?
  private let isFutures: Bool

  init(
    _ rows: BlockRows, isRunning: Bool = false, arrival: Instant? = nil, day: DayAmounts? = nil, isFutures: Bool = false
  ) {
    (self.rows, self.isRunning, self.arrival) = (rows, isRunning, arrival)
    (self.day, self.isFutures) = (day, isFutures)
  }

  private var hasAllNames: Bool {
    Self.names.keys.allSatisfy { name in rows.columns.contains { Self.name(of: $0) == name } }
  }

  mutating func proposal() throws(BlockRefusal) -> BlockProposal {
    guard rows.count >= 3 || isRunning && hasAllNames else {
      throw BlockRefusal(reason: "\(rows.text) has fewer than three rows")
    }
    let prices = try range()
    let (time, zone) = try time()
    if isRunning { try grows(prices) }
    var fields = [time]
    let (open, close) = openAndClose(prices)
    fields += [open, prices.high.field("high", prices), prices.low.field("low", prices), close]
    fields += volumes(prices)
    return BlockProposal(
      kind: .candles, rows: rows.value, rowsText: rows.text, rowCount: rows.count, fields: fields, interval: interval,
      zoneSeconds: zone, times: starts.span,
      unused: rows.unused(beside: fields), isBasisOpen: isBasisOpen)
  }

  // MARK: High and low

  private struct Bound {
    let column: SampleColumn
    /// Whether its name contradicts it.
    var isDenied = false

    func field(_ name: String, _ range: Range) -> BlockField {
      BlockField(
        name, column, range.isProved && !isDenied ? 0.97 : 0.5,
        ["low <= open, close <= high in \(range.rows) of \(range.rows)"]
          + (isDenied ? ["against its name"] : []))
    }
  }

  private struct Range {
    var high: Bound
    var low: Bound
    var between: [SampleColumn]
    var rows: Int
    /// The distance between the two, summed over the rows.
    var width: Double
    var isProved: Bool
  }

  /// Returns the two columns between which all other prices of a row lie.
  private func range() throws(BlockRefusal) -> Range {
    // Prices in a small currency may look like times.
    var found = ranges { $0.moments == nil }
    if found.isEmpty { found = ranges { _ in true } }
    guard let least = found.map(\.width).min() else {
      throw BlockRefusal(
        reason: "no rows have numbers with low <= open, close <= high, at \(rows.text)", nearness: 1)
    }
    let named = found.filter { isRunning && Self.areNamed($0.high.column, $0.low.column) }
    let best = named.count == 1 ? named : found.filter { $0.width == least }
    guard var first = best.first else { throw BlockRefusal(reason: "no prices", nearness: 1) }
    if best.count > 1 { first.isProved = false }
    return first
  }

  /// Returns the pairs of columns between which at least two others always lie.
  private func ranges(_ mayBePrice: (SampleColumn) -> Bool) -> [Range] {
    let prices = rows.columns.filter { column in
      guard mayBePrice(column), column.dates == nil, let numbers = column.allNumbers else { return false }
      return numbers.allSatisfy { $0 > 0 }
    }.prefix(24)
    var found: [Range] = []
    for high in prices {
      for low in prices where low.path != high.path {
        let pairs = zip(high.numbers, low.numbers).map { ($0 ?? 0, $1 ?? 0) }
        guard pairs.allSatisfy({ $0 >= $1 && $0 < $1 * 10 }), isRunning || pairs.contains(where: { $0 > $1 })
        else { continue }
        let between = prices.filter { column in
          column.path != high.path && column.path != low.path
            && zip(column.numbers, pairs).allSatisfy { number, pair in
              number.map { $0 <= pair.0 && $0 >= pair.1 } ?? false
            }
        }
        guard between.count >= 2 else { continue }
        // The day's extremes are not proved if another column never differs from one of them.
        let isProved = between.allSatisfy { column in
          zip(column.numbers, pairs).contains { ($0 ?? 0) < $1.0 }
            && zip(column.numbers, pairs).contains { ($0 ?? 0) > $1.1 }
        }
        let isNamed = Self.areNamed(high, low)
        found.append(
          Range(
            high: Bound(column: high, isDenied: Self.isNamed(high, otherThan: "high")),
            low: Bound(column: low, isDenied: Self.isNamed(low, otherThan: "low")), between: between,
            rows: pairs.count, width: pairs.reduce(0) { $0 + ($1.0 - $1.1) / $1.1 },
            isProved: isProved && (isNamed || rows.count >= 5) || isRunning && isNamed))
      }
    }
    return found
  }

  private static let names: [String: Set<String>] = [
    "open": ["o", "open", "openprice", "opening", "openingprice", "op", "startprice"],
    "high": ["h", "high", "highprice", "max", "maxprice", "highest", "hi", "highestprice"],
    "low": ["l", "low", "lowprice", "min", "minprice", "lowest", "lo", "lowestprice"],
    "close": ["c", "close", "closeprice", "closing", "closingprice", "tradeprice", "last", "lastprice", "endprice"],
  ]

  /// Returns the price a column is named after; nil if its name says nothing.
  private static func name(of column: SampleColumn) -> String? {
    names.first { $0.value.contains(column.plainName) }?.key
  }

  private static func areNamed(_ high: SampleColumn, _ low: SampleColumn) -> Bool {
    name(of: high) == "high" && name(of: low) == "low"
  }

  private static func isNamed(_ column: SampleColumn, otherThan name: String) -> Bool {
    Self.name(of: column).map { $0 != name } ?? false
  }

  // MARK: Time

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
      guard moments[0].nanoseconds % Self.minute == 0 else { return nil }
      return TimeColumn(column: column, form: form, moments: moments, step: 0, zone: 0)
    }
    guard let step = lengths.min(), lengths.allSatisfy({ $0 % step == 0 }),
      lengths.count(where: { $0 == step }) * 2 >= lengths.count
    else { throw refusal("are not on a grid") }
    guard Self.interval(step) != nil else {
      throw refusal("are \(step / 1_000_000_000) s apart, which is not an interval of the config")
    }
    if let zone = Self.zone(moments[0], step) {
      return TimeColumn(column: column, form: form, moments: moments, step: step, zone: zone)
    }
    guard let (rest, zone) = Self.end(moments[0], step) else { return nil }
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

  /// Returns the best column of times, and the offset of its days from UTC.
  private mutating func time() throws(BlockRefusal) -> (BlockField, zone: Int) {
    let found = try timeColumns()
    let first = found.min(by: Self.isBetter) ?? found[0]
    let utc = first.form.saysZone ? nil : found.first(where: \.column.saysUTC)
    let time = utc ?? first
    let meaning = meaning(of: time, beside: found)
    interval = Self.interval(time.step)
    starts = meaning.starts
    order = starts.risingIndexes
    let rise = order.first == 0 ? "rising" : "falling"
    let grid =
      interval.map { "\(starts.count) times on a grid of \($0.rawValue), \(rise)" } ?? "one whole minute in all rows"
    let field = BlockField(
      "time", time.column,
      value: BlockField.time(
        at: time.column.path.text, time.form, basis: meaning.basis, zoneSeconds: meaning.zoneSeconds),
      min(time.form.saysZone || utc != nil ? 0.9 : 0.6, meaning.confidence),
      [TimeRole.evidence(time.form), meaning.evidence, grid])
    return (field, time.zone)
  }

  /// What times on a grid are: which moments of their candles, by which clock.
  private struct TimeMeaning {
    let starts: [Instant]
    /// nil for the start.
    var basis: CandleTimeBasis?
    var zoneSeconds = 0
    var confidence = 1.0
    let evidence: String
  }

  private mutating func meaning(of time: TimeColumn, beside others: [TimeColumn]) -> TimeMeaning {
    if let rest = time.rest {
      let seconds = Decimal(mantissa: Int128(rest), exponent: -9).shortest
      return TimeMeaning(starts: time.moments, basis: .within, evidence: "the end: \(seconds) s before the next candle")
    }
    if others.contains(where: { Self.areEnds($0, of: time) }) {
      return TimeMeaning(starts: time.moments, evidence: "another column is the end")
    }
    if let clock = localClock(time) {
      return TimeMeaning(
        starts: time.moments.map { $0.advanced(by: .seconds(-clock.zoneSeconds)) }, zoneSeconds: clock.zoneSeconds,
        confidence: 0.5, evidence: clock.evidence)
    }
    return startOrEnd(time)
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
    let tellsAge = time.step <= 15 * Self.minute && !time.column.saysUTC
    return TimeRole.LocalClock(
      newest, time.form, at: arrival, of: "candle", lead: time.step + min(time.step / 4, Self.minute),
      lag: tellsAge ? time.step : 0)
  }

  /// Decides whether times on the grid, of which there is only one column, are starts or ends.
  private mutating func startOrEnd(_ time: TimeColumn) -> TimeMeaning {
    let name = time.column.plainName
    let isNamedEnd = ["end", "close"].contains(where: name.contains)
    let isNamedStart = !isNamedEnd && ["start", "open", "begin"].contains(where: name.contains)
    func end(_ isProved: Bool, _ evidence: String) -> TimeMeaning {
      TimeMeaning(
        starts: time.moments.map { $0.advanced(by: .nanoseconds(-time.step)) }, basis: .end,
        confidence: isProved ? 1 : 0.5, evidence: evidence)
    }
    // Clocks differ, but not by much of a candle.
    let tolerance = min(time.step / 4, Self.minute)
    if let arrival, time.step > 0, let newest = time.moments.max(), newest.nanoseconds(since: arrival) > tolerance {
      let isPossible = newest.nanoseconds(since: arrival) <= time.step + tolerance
      return end(
        isPossible && !isNamedStart, "the end: no candle begins at \(newest.iso8601), after the answer arrived")
    }
    if isNamedEnd { return end(false, "its name says that it is the end") }
    isBasisOpen = !isNamedStart && !isRunning
    return TimeMeaning(
      starts: time.moments,
      evidence: isNamedStart
        ? "its name says that it is the start" : "taken for the start of the candle, as on nearly all exchanges")
  }

  private static let minute: Int64 = 60_000_000_000

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
    for rest: Int64 in [1_000_000_000, 1_000_000, 1000, 1] {
      if let zone = zone(moment.advanced(by: .nanoseconds(rest)), step) { return (rest, zone) }
    }
    return nil
  }

  /// Returns the grid's offset from UTC; nil if no time zone has it.
  private static func zone(_ moment: Instant, _ step: Int64) -> Int? {
    let day: Int64 = 86_400_000_000_000
    let unit = min(step, day)
    let rest = (moment.nanoseconds % unit + unit) % unit
    if rest == 0 { return 0 }
    guard unit == day, rest % 1_800_000_000_000 == 0 else { return nil }
    let seconds = Int((day - rest) / 1_000_000_000)
    return seconds <= 14 * 3600 ? seconds : seconds - 86_400
  }

  // MARK: Running candle

  /// Pairs of successive rows that belong to the same candle.
  private var growth: [(row: Int, next: Int)] {
    zip(order, order.dropFirst()).filter { starts[$0] == starts[$1] }.map { (row: $0, next: $1) }
  }

  /// Checks that while a candle runs, its high never falls and its low never rises.
  private func grows(_ range: Range) throws(BlockRefusal) {
    for (row, next) in growth {
      guard let high = range.high.column.numbers[row], let later = range.high.column.numbers[next],
        let low = range.low.column.numbers[row], let last = range.low.column.numbers[next]
      else { continue }
      guard later >= high, last <= low else {
        throw BlockRefusal(reason: "the high of a candle falls, or its low rises, at \(rows.text)", nearness: 3)
      }
    }
  }

  /// Returns the two prices of which one stays and the other moves while a candle runs; nil if that is inconclusive.
  private func openAndCloseOfGrowth(_ range: Range) -> (open: SampleColumn, close: SampleColumn)? {
    func isMoved(_ column: SampleColumn) -> Bool {
      growth.contains { column.numbers[$0.row] != column.numbers[$0.next] }
    }
    let (moved, still) = (range.between.filter(isMoved), range.between.filter { !isMoved($0) })
    return moved.count == 1 && still.count == 1 ? (still[0], moved[0]) : nil
  }

  // MARK: Open and close

  /// Finds open and close: a candle opens where the previous one closed.
  private func openAndClose(_ range: Range) -> (open: BlockField, close: BlockField) {
    var best: (open: SampleColumn, close: SampleColumn, distance: Double)?
    var second = Double.infinity
    for open in range.between {
      for close in range.between where close.path != open.path {
        let distance = chain(open, close).distance
        if best.map({ distance < $0.distance }) ?? true {
          second = best?.distance ?? second
          best = (open, close, distance)
        } else {
          second = min(second, distance)
        }
      }
    }
    let namedOpen = range.between.filter { Self.name(of: $0) == "open" }
    let namedClose = range.between.filter { Self.name(of: $0) == "close" }
    let isNamed = namedOpen.count == 1 && namedClose.count == 1
    func fields(
      _ open: SampleColumn, _ close: SampleColumn, _ confidence: Double, _ evidence: [String]
    ) -> (open: BlockField, close: BlockField) {
      (BlockField("open", open, confidence, evidence), BlockField("close", close, confidence, evidence))
    }
    if isRunning, let grown = openAndCloseOfGrowth(range) {
      let isDenied = isNamed && (namedOpen[0].path != grown.open.path || namedClose[0].path != grown.close.path)
      let text = "while a candle runs its open stays and its close moves"
      let evidence = (isNamed ? ["its name"] : []) + [text]
      return fields(grown.open, grown.close, isDenied ? 0.4 : isNamed ? 0.95 : 0.9, evidence)
    }
    let open = isNamed ? namedOpen[0] : best?.open ?? range.between[0]
    let close = isNamed ? namedClose[0] : best?.close ?? range.between[1]
    let forward = chain(open, close)
    let back = chain(close, open)
    let text = "a candle opens nearer to the last close than vice versa in \(forward.wins) of \(forward.rows)"
    var confidence = 0.5
    if isNamed {
      // The names decide, unless the candles contradict them.
      confidence = back.rows >= 6 && back.wins * 4 > back.rows * 3 ? 0.5 : 0.95
    } else if namedOpen.isEmpty, namedClose.isEmpty {
      let isChain = forward.rows >= 4 && forward.wins * 5 >= forward.rows * 4 && forward.distance * 2 <= back.distance
      if isChain, forward.distance < second * 0.9, forward.rows >= 6 || forward.wins == forward.rows {
        confidence = 0.9
      }
    }
    let evidence = (isNamed ? ["its name"] : []) + (forward.rows > 0 ? [text] : [])
    return fields(open, close, confidence, evidence)
  }

  /// Returns the total distance of closes to the next open, and in how many rows that of open to next close is larger.
  private func chain(_ open: SampleColumn, _ close: SampleColumn) -> (distance: Double, wins: Int, rows: Int) {
    var sum = 0.0
    var (wins, count) = (0, 0)
    for (row, next) in zip(order, order.dropFirst()) {
      guard starts[next].nanoseconds(since: starts[row]) == interval?.nanoseconds,
        let from = close.numbers[row], let to = open.numbers[next], let first = open.numbers[row],
        let last = close.numbers[next]
      else { continue }
      let (forward, back) = ((to - from).magnitude / from, (last - first).magnitude / first)
      sum += forward
      guard forward != back else { continue }
      count += 1
      if forward < back { wins += 1 }
    }
    return (sum, wins, count)
  }

  // MARK: Volume and turnover

  /// Finds turnover / volume between low and high; of several such pairs, the total is the one that is never less.
  private func volumes(_ range: Range) -> [BlockField] {
    let taken = Set((range.between + [range.high.column, range.low.column]).map(\.path))
    let amounts = rows.columns.filter { column in
      !taken.contains(column.path) && column.moments == nil && column.dates == nil
        && (column.allNumbers?.allSatisfy { $0 >= 0 } ?? false)
    }
    var found: [(volume: SampleColumn, turnover: SampleColumn, vote: RowRelations.Vote)] = []
    for volume in amounts {
      for turnover in amounts where turnover.path != volume.path {
        let vote = ratio(turnover, volume, range)
        let back = ratio(volume, turnover, range)
        guard vote.rows >= 3, vote.share >= 0.9, back.rows == 0 || back.share < 0.5 else { continue }
        found.append((volume, turnover, vote))
      }
    }
    let whole = found.filter { one in
      found.allSatisfy { other in
        zip(one.volume.numbers, other.volume.numbers).allSatisfy { ($0 ?? 0) >= ($1 ?? 0) }
          && zip(one.turnover.numbers, other.turnover.numbers).allSatisfy { ($0 ?? 0) >= ($1 ?? 0) }
      }
    }
    // Two columns with the same numbers are one.
    let isOne = whole.allSatisfy {
      $0.volume.numbers == whole[0].volume.numbers && $0.turnover.numbers == whole[0].turnover.numbers
    }
    if isOne, let pair = whole.first {
      let text = ["turnover / volume lies between low and high in \(pair.vote.text)"]
      return [BlockField("volume", pair.volume, 0.95, text), BlockField("turnover", pair.turnover, 0.95, text)]
    }
    let named = amounts.filter { ["v", "vol", "volume"].contains($0.plainName) }
    guard let only = named.count == 1 ? named.first : amounts.count == 1 ? amounts.first : nil else { return [] }
    if let amount = daily(only), let found = day?.field(ofDaily: amount, isFutures: isFutures) {
      return [BlockField(found.name, only, 0.85, [found.evidence])]
    }
    return [BlockField("volume", only, 0.5, ["nothing shows whether it counts the asset, money or contracts"])]
  }

  /// Returns how much of an amount there is per day, by the candles of the last day or at least the last seven.
  private func daily(_ column: SampleColumn) -> Double? {
    let day = 86_400.0
    guard let length = interval.map({ Double($0.nanoseconds) / 1e9 }), length > 0 else { return nil }
    let count = max(7, Int((day / length).rounded()))
    let amounts = order.suffix(count).compactMap { column.numbers[$0] }
    guard amounts.count >= 3 else { return nil }
    return amounts.reduce(0, +) / Double(amounts.count) * day / length
  }

  private func ratio(_ over: SampleColumn, _ under: SampleColumn, _ range: Range) -> RowRelations.Vote {
    var vote = RowRelations.Vote()
    for row in 0..<rows.count {
      guard let over = over.numbers[row], let under = under.numbers[row], under > 0, over > 0,
        let low = range.low.column.numbers[row], let high = range.high.column.numbers[row]
      else { continue }
      // Amounts are rounded.
      vote.count(over / under >= low * 0.999 && over / under <= high * 1.001)
    }
    return vote
  }
}
