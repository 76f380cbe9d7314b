package import Config
import HTTP
import Mapping
package import Quotes

/// The requested candles of a pair.
package struct CandleQuery: Sendable {
  package enum Span: Sendable, Hashable {
    /// The candles of the given number of newest intervals, including the running one.
    case newest(Int)
    /// The candles of the given number of newest intervals that begin before a moment.
    case last(Int, before: Instant)
    /// Candles that overlap the time from the first moment up to but not including the second.
    case between(Instant, Instant)
  }

  package let pair: PairQuery
  package let interval: CandleInterval
  /// The UTC offset of the midnights at which days, and weeks on Mondays, begin; nil for the exchange's own.
  package let zoneSeconds: Int?
  package let span: Span

  package init(_ pair: PairQuery, _ interval: CandleInterval, zoneSeconds: Int? = nil, _ span: Span) {
    self.pair = pair
    self.interval = interval
    self.zoneSeconds = zoneSeconds
    self.span = span
  }

  /// The maximum number of requests per query; a longer span is refused with the number it would take.
  package static let maximumRequests = 100
}

extension MarketClient {
  /// Returns the candles of a pair on one market, with as many requests as necessary. They are built from shorter ones
  /// if the exchange does not offer the interval, or not at these midnights.
  ///
  /// - Parameter progress: Called before each page is requested, with its number and the number of pages if known.
  package func candles(
    _ query: CandleQuery, on market: ExchangeMarket, of exchange: String,
    progress: @Sendable (_ page: Int, _ count: Int?) -> Void = { _, _ in }
  ) async -> PairAnswer<CandleList> {
    let parts = market.candles.compactMap { CandlePart(query, $0) }
    return await answer(
      query.pair, by: parts, tables: \.source.table, lacking: \.source.table.missingName, on: market, of: exchange
    ) { part, asking in
      await candles(part, query, asking, progress)
    }
  }

  private func candles(
    _ part: CandlePart, _ query: CandleQuery, _ asking: PairAsking,
    _ progress: (_ page: Int, _ count: Int?) -> Void
  ) async -> PairReading<CandleList> {
    let plan = CandlePlan(part.source)
    let (start, end) = part.asked(query.span, now: now())
    let pages = CandlePages(plan, from: start, to: end, now: now())
    let multiplier = asking.multiplier
    let lookups = await lookups(of: part.source.table, part.source.table.lookupsOfRows, asking.context)
    var requests = lookups.requests
    if let count = pages.requestCount, count > CandleQuery.maximumRequests {
      let failure = "it would take \(count) requests; the maximum is \(CandleQuery.maximumRequests)"
      return PairReading(result: .failure(.tooManyRequests(failure)), requests: requests)
    }
    var explained: [ExplainedRecord] = []
    var gathered = GatheredCandles(part.source.table, of: pages.first)
    var page: CandlePages.Page? = pages.first
    var number = 0
    // The newest page is requested first, and its last candle runs on while older pages are awaited.
    let requested = now()
    var clock: ClockReading?
    while let asked = page {
      number += 1
      progress(number, pages.requestCount)
      var context = asking.context
      context.count = part.source.table.count(for: asked.count)
      context.candles = CandleRequest(word: part.source.word, from: asked.from, to: asked.to)
      let filled = ReadingContext(context, lookups: lookups.states, hooks: hooks)
      let isExplained = query.pair.options.traces && explained.isEmpty
      let reading = await ask(
        part.source.table, named: "candles-\(part.source.interval.rawValue)", context,
        LookupStates(states: lookups.states), isFurtherPage: number > 1
      ) { answer throws(TableFailure) in
        try asking.check(answer)
        let page = GatheredCandles.Page(try plan.candles(in: answer, filled), answer, sent: requested)
        guard isExplained, let newest = page.candles.newestKept(before: end) else { return (page, []) }
        return (page, try plan.explained(newest, in: answer, filled, multiplier: multiplier))
      }
      let result = reading.result
      if number == 1 { clock = try? result.get().clock }
      requests += reading.requests
      if explained.isEmpty { explained = reading.explained }
      let oldest = gathered.oldest
      guard gathered.take(result, of: asked, part.source.interval, isFirst: number == 1, now: self.now()) else { break }
      page = pages.next(after: asked, oldest: gathered.oldest, advanced: gathered.oldest != oldest)
      if page != nil, number == CandleQuery.maximumRequests {
        gathered.end(because: .tooManyRequests("the maximum is \(number) requests"))
        break
      }
    }
    let list = gathered.list(part, query.span, multiplier, requested: requested, clock, now: now())
    return PairReading(result: list, requests: requests, explained: explained)
  }
}

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
  /// - Throws: `TableFailure` if none of them is wanted.
  func list(
    of candles: [Candle], _ span: CandleQuery.Span, contradiction: CandleSeries.Contradiction?, incomplete: Int,
    _ multiplier: Decimal?, now: Instant
  ) throws(TableFailure) -> CandleList {
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
  fileprivate func asked(_ span: CandleQuery.Span, now: Instant) -> (start: Instant, end: Instant) {
    let (start, end) = grid.span(span, now: now)
    guard source.interval == .oneWeek else { return (start, end) }
    return (grid.moment(-1, after: start), grid.moment(1, after: end))
  }

  /// Returns the grid of the exchange's candles, whose weeks begin on its own day.
  fileprivate func sourceGrid(_ oldest: Instant?) -> CandleGrid {
    // Hours begin at the same moments in most zones, so hourly candles can be used as they are.
    let zone = isBuilt ? source.zoneSeconds : grid.zoneSeconds
    guard source.interval == .oneWeek, let oldest else { return CandleGrid(source.interval, zoneSeconds: zone) }
    return CandleGrid(.oneWeek, zoneSeconds: zone, weekday: CivilTime(oldest, offsetSeconds: zone).weekday)
  }

  var isBuilt: Bool { !CandleGrid(source.interval, zoneSeconds: source.zoneSeconds).hasSameStarts(as: grid) }
}

/// The candles of several pages.
private struct GatheredCandles {
  /// The candles of an answer.
  struct Page: Sendable {
    let candles: [Candle]
    let incomplete: Int
    /// Whether it is a recording: if the page's own is missing, that of another page is replayed.
    let isRecorded: Bool
    /// The exchange's time, if this machine's clock is ahead of it.
    let clock: ClockReading?

    /// - Parameter sent: When the first page was requested.
    init(_ rows: (candles: [Candle], incomplete: Int), _ answer: HTTPResponse, sent: Instant) {
      (candles, incomplete) = rows
      isRecorded = answer.cassette != nil
      let reading = answer.arrival.flatMap { ClockReading(answer.headers, sent: sent, received: $0) }
      clock = isRecorded ? nil : reading.flatMap { $0.ahead > 0 ? $0 : nil }
    }
  }

  /// The candles of each page, newest page first.
  private var batches: [[Candle]] = []
  private(set) var oldest: Instant?
  private var incomplete = 0
  private var contradiction: CandleSeries.Contradiction?
  private var shortfall: CandleList.Shortfall?
  private var failure: TableFailure?
  /// Whether a recording has candles from after the time that was requested: it is of another time.
  private var isOfAnotherTime = false
  /// Whether requests name the time from which candles are wanted, but no end.
  private let isOpenEnded: Bool
  /// Whether each request is for one day, month or year.
  private let isByCalendar: Bool
  /// The number of pages in a row that had nothing older, or no file.
  private var idlePages = 0
  private static let maximumIdlePages = 5
  /// The number of candles that an answer can hold; nil if unknown.
  private let most: Int?

  init(_ table: TableSpec, of page: CandlePages.Page) {
    isByCalendar = if case .calendar = CandlePaging(table.request) { true } else { false }
    let placeholders = table.request.templates.flatMap(\.placeholders)
    let sendsCount = placeholders.contains { if case .name("count") = $0 { true } else { false } }
    most = sendsCount ? table.count(for: page.count) : table.counts.last
    isOpenEnded =
      !isByCalendar && placeholders.contains { if case .from = $0 { true } else { false } }
      && !placeholders.contains { if case .to = $0 { true } else { false } }
  }

  /// - Parameter interval: That of the candles requested.
  /// - Returns: Whether to request older pages.
  mutating func take(
    _ result: Result<Page, TableFailure>, of page: CandlePages.Page, _ interval: CandleInterval, isFirst: Bool,
    now: Instant
  ) -> Bool {
    switch result {
    case .success(let answer):
      let (candles, isRecorded) = (answer.candles, answer.isRecorded)
      incomplete += answer.incomplete
      contradiction = contradiction ?? CandleSeries.Contradiction(among: candles)
      let starts = candles.map(\.start)
      guard let first = starts.min() else { return true }
      let isNewer = starts.allSatisfy { $0 > page.to }
      let isKnown = oldest.map { first >= $0 } == true
      // Without an end, a request for a time without trades is answered with the candles after it, which are known.
      if !isFirst, isOpenEnded, !isRecorded, isNewer || isKnown {
        return goesOn(TableFailure(.emptyAnswer, "\(idlePages + 1) answers in a row had nothing older"))
      }
      idlePages = 0
      // An exchange that always sends the newest candles would repeat them for each request.
      if isRecorded, isFirst, starts.contains(where: { $0 > page.to }) { isOfAnotherTime = true }
      if !isFirst, isNewer || isKnown && starts.count > 2 {
        shortfall = isRecorded ? .notRecorded : .notOffered
        return false
      }
      // Of two candles with the same start, that of the newer page is kept.
      if contradiction == nil, let newer = batches.last {
        contradiction = CandleSeries.Contradiction(between: candles, and: newer, of: interval, arrival: now)
      }
      batches.append(candles)
      oldest = min(oldest ?? first, first)
      return true
    case .failure(let failure):
      // An interval without trades is not a failure.
      if failure.reason == .emptyAnswer {
        self.failure = self.failure ?? failure
        return true
      }
      // Where each day has a file, one without trades has none, as an unknown pair has none for any.
      if isByCalendar, failure.reason == .notListed {
        self.failure = self.failure ?? failure
        return goesOn(failure)
      }
      if isFirst || batches.isEmpty { self.failure = failure } else { shortfall = .page(failure) }
      return false
    }
  }

  /// Counts a page that had nothing older.
  ///
  /// - Parameter failure: Why older candles are missing if there were too many of them in a row.
  /// - Returns: Whether to request older pages.
  private mutating func goesOn(_ failure: TableFailure) -> Bool {
    idlePages += 1
    guard idlePages > Self.maximumIdlePages else { return true }
    if !batches.isEmpty { shortfall = .page(failure) }
    return false
  }

  /// Ends the list because older candles could not be requested.
  mutating func end(because failure: TableFailure) { shortfall = .page(failure) }

  /// Returns all wanted candles in order, and releases the pages.
  mutating func list(
    _ part: CandlePart, _ span: CandleQuery.Span, _ multiplier: Decimal?, requested: Instant, _ clock: ClockReading?,
    now: Instant
  ) -> Result<CandleList, TableFailure> {
    guard let oldest else { return .failure(failure ?? TableFailure(.emptyAnswer)) }
    let candles = batches.count == 1 ? batches[0] : Array(batches.reversed().joined())
    // Otherwise a long span would be in memory twice.
    batches = []
    // A clock that is ahead would end candles that are still running.
    let requested = requested.advanced(by: .nanoseconds(-(clock?.ahead ?? 0)))
    var series = CandleSeries(candles, on: part.sourceGrid(oldest)).requested(at: requested)
    let (start, end) = (part.isBuilt ? part.grid : series.grid).span(span, now: now)
    var shortfall = shortfall
    let isRecordedElsewhere: Bool
    switch CandlePaging(part.source.table.request) {
    case .single:
      isRecordedElsewhere = false
      // An answer that could have held more begins with the pair's first candle.
      let isFull = most.map { candles.count + incomplete + 1 >= $0 } ?? true
      if shortfall == nil, oldest > start, isFull { shortfall = .notOffered }
    case .windows, .backwards:
      isRecordedElsewhere = isOfAnotherTime
      if shortfall == nil, oldest > start, isOfAnotherTime { shortfall = .notRecorded }
    case .calendar: isRecordedElsewhere = false
    }
    let future = series.candles.last { $0.start.isFuture(at: now) }?.start
    // Faults are hardly visible in a few of the candles, or in those that are built from them.
    let findings = series.findings(multiplier, future: future, contradiction: contradiction, arrival: now)
    if part.isBuilt {
      // One that has not begun is not part of the running candle.
      if future != nil { series = series.within(oldest, series.grid.end(of: series.grid.start(containing: now))) }
      series = series.built(on: part.grid, reachesBack: shortfall == nil, now: requested, findings: findings)
    }
    let all = series
    series = series.within(start, end)
    // At the begin of an interval, the running candle may be the only one wanted, and absent.
    if series.candles.isEmpty, case .newest(let count) = span {
      series = all.within(all.candles.first?.start ?? end, end).newest(count)
    }
    guard let newest = series.candles.last else {
      let failure = all.outsideOfSpan
      return .failure(isRecordedElsewhere ? TableFailure(.notRecorded, failure.message) : failure)
    }
    // The running candle may be absent.
    let (behind, over) = (series.grid.end(of: newest.start), min(end, series.grid.start(containing: now)))
    let count = series.grid.count(from: behind, to: over)
    // A page that failed, or that an exchange does not offer, does not matter if nothing is missing.
    let hasGaps = count > 0 || !series.gaps.isEmpty || !series.sourceGaps.isEmpty
    if series.candles.first?.start == start, !hasGaps { shortfall = nil }
    var list = CandleList(
      series, wantedStart: start, tail: count > 0 ? CandleSeries.Gap(start: behind, count: count) : nil,
      future: future, contradiction: contradiction, receivedFindings: findings, shortfall: shortfall,
      incomplete: incomplete)
    list.clock = clock
    return .success(list)
  }
}

extension Array {
  /// Returns the newest candle that starts before a moment: of those with the same start, the last, which is kept.
  func newestKept(before end: Instant) -> Candle? where Element == Candle {
    reduce(nil) { newest, candle in
      guard candle.start < end, newest.map({ $0.start <= candle.start }) ?? true else { return newest }
      return candle
    }
  }
}

extension CandleSeries {
  /// Returns what the checks find in the candles, in units of the asset.
  ///
  /// - Parameters:
  ///   - multiplier: The number of units that the exchange counts as one, if not 1.
  ///   - arrival: When they arrived; nil if unknown.
  fileprivate func findings(
    _ multiplier: Decimal?, future: Instant? = nil, contradiction: Contradiction?, arrival: Instant?
  ) -> [DataFinding] {
    CandleList(self, future: future, contradiction: contradiction).inUnits(multiplier).findings(arrival: arrival)
  }

  /// The failure if none of these candles is wanted.
  fileprivate var outsideOfSpan: TableFailure {
    let starts = candles.first.flatMap { first in
      candles.last.map { "; the answer's are from \(first.start.iso8601) to \($0.start.iso8601)" }
    }
    return TableFailure(.emptyAnswer, "no candle in the requested time" + (starts ?? ""))
  }
}

extension TableFailure {
  fileprivate static func tooManyRequests(_ message: String) -> TableFailure {
    TableFailure(.noAnswer("too-many-requests"), message)
  }
}

extension CandleGrid {
  fileprivate func hasSameStarts(as other: CandleGrid) -> Bool {
    let monday = Instant(nanoseconds: 0)
    return interval == other.interval && start(containing: monday) == other.start(containing: monday)
  }

  /// Returns the start of the first and the end of the last wanted candle.
  fileprivate func span(_ span: CandleQuery.Span, now: Instant) -> (start: Instant, end: Instant) {
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
