import Config
import HTTP
import Mapping
import Quotes

/// The candles of several pages.
struct GatheredCandles {
  /// The candles of an answer.
  struct Page: Sendable {
    let candles: [Candle]
    let incomplete: Int
    /// Whether it is a recording: if the page's own is missing, that of another page is replayed.
    let isRecorded: Bool
    /// The exchange's time by the answer's date, if this machine's clock is ahead of it, or behind it when it made the
    /// answer.
    let clock: ClockReading?

    /// - Parameter sent: When the first page was requested.
    init(_ rows: (candles: [Candle], incomplete: Int), _ answer: HTTPResponse, sent: Instant) {
      (candles, incomplete) = rows
      isRecorded = answer.isRecorded
      let reading = answer.arrival.flatMap { ClockReading(answer.headers, sent: sent, received: $0) }
      // The time of a copy that a cache hands out, or of an answer to an earlier request, is not that of its candles.
      let isNew = (answer.headers.cacheAge ?? 0) == 0 && answer.arrival.map { $0 >= sent } == true
      clock = isRecorded ? nil : reading.flatMap { $0.ahead > 0 || $0.ahead < 0 && isNew ? $0 : nil }
    }
  }

  /// The candles of each page, newest page first.
  private var batches: [[Candle]] = []
  private(set) var oldest: Instant?
  private var incomplete = 0
  private var contradiction: CandleSeries.Contradiction?
  private var shortfall: CandleList.Shortfall?
  private var failure: AnswerFailure?
  /// Whether a recording has candles from after the time that was requested: it is of another time.
  private var isOfAnotherTime = false
  /// The number of pages in a row that had nothing older, or no file.
  private var idlePages = 0
  private static let maximumIdlePages = 5

  private let paging: CandlePaging
  /// Whether requests name the time from which candles are wanted, but no end.
  private let isOpenEnded: Bool
  /// The number of candles that an answer can hold; nil if unknown.
  private let most: Int?

  init(_ table: TableSpec, of page: CandlePages.Page) {
    paging = CandlePaging(table.request)
    let placeholders = table.request.placeholders
    most = placeholders.contains(.count) ? table.count(for: page.count) : table.counts.last
    isOpenEnded = paging == .windows && !placeholders.contains { if case .to = $0 { true } else { false } }
  }

  // MARK: Pages

  /// - Parameter interval: That of the candles requested.
  /// - Returns: Whether to request older pages.
  mutating func take(
    _ result: Result<Page, AnswerFailure>, of page: CandlePages.Page, _ interval: CandleInterval, isFirst: Bool,
    now: Instant
  ) -> Bool {
    switch result {
    case .success(let answer): take(answer, of: page, interval, isFirst: isFirst, now: now)
    case .failure(let failure): take(failure, isFirst: isFirst)
    }
  }

  private mutating func take(
    _ answer: Page, of page: CandlePages.Page, _ interval: CandleInterval, isFirst: Bool, now: Instant
  ) -> Bool {
    let (candles, isRecorded) = (answer.candles, answer.isRecorded)
    incomplete += answer.incomplete
    contradiction = contradiction ?? CandleSeries.Contradiction(among: candles)
    let starts = candles.map(\.start)
    guard let first = starts.min() else { return true }
    let isNewer = starts.allSatisfy { $0 > page.to }
    let isKnown = oldest.map { first >= $0 } == true
    // Without an end, a request for a time without trades is answered with the candles after it, which are known.
    if !isFirst, isOpenEnded, !isRecorded, isNewer || isKnown {
      return goesOn(AnswerFailure(.emptyAnswer, "\(idlePages + 1) answers in a row had nothing older"))
    }
    idlePages = 0
    // An exchange that always sends the newest candles would repeat them for each request.
    if isRecorded, isFirst, paging.goesBack, starts.contains(where: { $0 > page.to }) { isOfAnotherTime = true }
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
  }

  private mutating func take(_ failure: AnswerFailure, isFirst: Bool) -> Bool {
    // An interval without trades is not a failure. Where each day has a file, one without trades has none, as an unknown
    // pair has none for any.
    let isWithoutFile = paging.isByCalendar && failure.reason == .notListed
    if failure.reason == .emptyAnswer || isWithoutFile {
      self.failure = self.failure ?? failure
      return isWithoutFile ? goesOn(failure) : true
    }
    if isFirst || batches.isEmpty { self.failure = failure } else { shortfall = .page(failure) }
    return false
  }

  /// Counts a page that had nothing older.
  ///
  /// - Parameter failure: Why older candles are missing if there were too many of them in a row.
  /// - Returns: Whether to request older pages.
  private mutating func goesOn(_ failure: AnswerFailure) -> Bool {
    idlePages += 1
    guard idlePages > Self.maximumIdlePages else { return true }
    if !batches.isEmpty { shortfall = .page(failure) }
    return false
  }

  /// Ends the list because older candles could not be requested.
  mutating func end(because failure: AnswerFailure) { shortfall = .page(failure) }

  // MARK: The list

  /// Returns all wanted candles in order, and releases the pages.
  mutating func list(
    _ part: CandlePart, _ span: CandleQuery.Span, _ multiplier: Decimal?, requested: Instant, _ clock: ClockReading?,
    now: Instant
  ) -> Result<CandleList, AnswerFailure> {
    guard let oldest else { return .failure(failure ?? AnswerFailure(.emptyAnswer)) }
    let candles = takeCandles()
    let grid = part.sourceGrid(oldest)
    let difference = Duration.nanoseconds(-(clock?.ahead ?? 0))
    let corrected = requested.advanced(by: difference)
    // A date alone may be wrong itself; a candle that has begun by it, and not by this machine's clock, bears it out.
    let newest = candles.lazy.map(\.start).max() ?? oldest
    let isBehind = clock.map { $0.ahead < 0 && newest > $0.received && !newest.isFuture(at: $0.theirs) } ?? false
    // What begins after the time of a clock that is behind was not requested.
    let whole = isBehind ? min(corrected, grid.end(of: grid.start(containing: requested))) : nil
    // A clock that is ahead would end candles that are still running.
    let requested = min(requested, corrected)
    var series = CandleSeries(candles, on: grid).requested(at: requested, whole: whole)
    let (start, end) = (part.isBuilt ? part.grid : series.grid).span(span, now: now)
    var shortfall = shortfall ?? (oldest > start ? unexplainedShortfall(candles.count) : nil)
    let exchangesNow = isBehind ? now.advanced(by: difference) : now
    let future = series.candles.last { $0.start.isFuture(at: exchangesNow) }?.start
    // Faults are hardly visible in a few of the candles, or in those that are built from them.
    let findings = series.findings(multiplier, future: future, contradiction: contradiction, arrival: now)
    if part.isBuilt {
      // One that has not begun is not part of the running candle.
      if future != nil || isBehind {
        series = series.within(oldest, series.grid.end(of: series.grid.start(containing: now)))
      }
      series = series.built(on: part.grid, reachesBack: shortfall == nil, now: requested, findings: findings)
    }
    let all = series
    series = series.within(start, end)
    // At the begin of an interval, the running candle may be the only one wanted, and absent.
    if series.candles.isEmpty, case .newest(let count) = span {
      series = all.within(all.candles.first?.start ?? end, end).newest(count)
    }
    guard !series.candles.isEmpty else {
      let failure = all.outsideOfSpan
      return .failure(isOfAnotherTime ? AnswerFailure(.notRecorded, failure.message) : failure)
    }
    let tail = series.tail(until: end, now: now)
    // A page that failed, or that an exchange does not offer, does not matter if nothing is missing.
    let hasGaps = tail != nil || !series.gaps.isEmpty || !series.sourceGaps.isEmpty
    if series.candles.first?.start == start, !hasGaps { shortfall = nil }
    var list = CandleList(
      series, wantedStart: start, tail: tail, future: future, contradiction: contradiction, receivedFindings: findings,
      shortfall: shortfall, incomplete: incomplete)
    list.clock = clock
    return .success(list)
  }

  /// Returns the candles from the oldest page to the newest, and releases the pages: a long span would be in memory twice.
  private mutating func takeCandles() -> [Candle] {
    defer { batches = [] }
    return batches.count == 1 ? batches[0] : Array(batches.reversed().joined())
  }

  /// Returns why the first of `count` candles is not the first wanted one, though no page says so; nil if it is the
  /// pair's first candle, as far as known.
  private func unexplainedShortfall(_ count: Int) -> CandleList.Shortfall? {
    switch paging {
    // An answer that could have held more begins with the pair's first candle.
    case .single: most.map { count + incomplete + 1 >= $0 } ?? true ? .notOffered : nil
    case .windows, .backwards: isOfAnotherTime ? .notRecorded : nil
    case .calendar: nil
    }
  }
}

extension CandlePaging {
  /// Whether each request is for one day, month or year.
  var isByCalendar: Bool { if case .calendar = self { true } else { false } }

  /// Whether older candles are requested in spans of any length.
  fileprivate var goesBack: Bool {
    switch self {
    case .windows, .backwards: true
    case .single, .calendar: false
    }
  }
}

extension CandleSeries {
  /// Returns what the checks find in the candles, in units of the asset.
  ///
  /// - Parameters:
  ///   - multiplier: The number of units that the exchange counts as one, if not 1.
  ///   - arrival: When they arrived; nil if unknown.
  func findings(
    _ multiplier: Decimal?, future: Instant? = nil, contradiction: Contradiction?, arrival: Instant?
  ) -> [DataFinding] {
    CandleList(self, future: future, contradiction: contradiction).inUnits(multiplier).findings(arrival: arrival)
  }

  /// Returns the ended intervals behind the newest candle, up to `end`; nil if there are none. The running candle may be
  /// absent.
  fileprivate func tail(until end: Instant, now: Instant) -> Gap? {
    guard let newest = candles.last else { return nil }
    let start = grid.end(of: newest.start)
    let count = grid.count(from: start, to: min(end, grid.start(containing: now)))
    return count > 0 ? Gap(start: start, count: count) : nil
  }

  /// The failure if none of these candles is wanted.
  var outsideOfSpan: AnswerFailure {
    let starts = candles.first.flatMap { first in
      candles.last.map { "; the answer's are from \(first.start.iso8601) to \($0.start.iso8601)" }
    }
    return AnswerFailure(.emptyAnswer, "no candle in the requested time" + (starts ?? ""))
  }
}
