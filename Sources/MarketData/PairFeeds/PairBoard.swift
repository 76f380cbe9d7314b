package import Mapping
package import Quotes

/// The state of all sources of a live view about one pair. A value: events go in, and screens are drawn from it.
package struct PairBoard: Sendable {
  /// How a source is received.
  package enum Feed: Sendable, Hashable {
    /// Nothing has arrived yet.
    case loading
    case polled
    case streamed
    /// The stream is broken, and polling takes its place.
    case substituted(AnswerFailure, retry: Instant?)
    /// Nothing has arrived since then; earlier data is kept.
    case failed(AnswerFailure, since: Instant, retry: Instant?)
  }

  /// An inconsistency in the received data.
  package enum DataProblem: Sendable, Hashable {
    /// It is still shown, as the exchange answered.
    case shown(DataFinding)
    /// It came from a stream and was dropped, last at this time.
    case leftOut(DataFinding, at: Instant)
    /// Something was an error or unreadable, last at this time.
    case refused(AnswerFailure, at: Instant)

    /// `candle-time`, `stream-bad`
    package var code: String {
      switch self {
      case .shown(let finding), .leftOut(let finding, _): finding.kind.rawValue
      case .refused(let failure, _): failure.reason.code
      }
    }

    /// The details of the code; nil if there are none.
    package var message: String? {
      switch self {
      case .shown(let finding), .leftOut(let finding, _): finding.message
      case .refused(let failure, _): failure.message
      }
    }
  }

  /// One market of one exchange.
  package struct Source: Sendable {
    package let exchange: String
    package let badge: String
    package let market: Market
    package let pair: Pair
    /// In percent; nil if unknown.
    package let takerFee: Decimal?
    package let refreshMilliseconds: Int
    /// Whether sizes are made with lookups, as of contracts.
    fileprivate let looksUpSizes: Bool
    /// The check of the book's age.
    fileprivate let bookCheck: MeaningCheck

    /// The group of futures that its data is about; nil if the market has only one, or if none is wanted and nothing has
    /// arrived.
    package fileprivate(set) var product: String?
    package fileprivate(set) var ticker: Ticker?
    /// When the ticker last arrived.
    package fileprivate(set) var tickerArrival: Instant?
    /// Why there is no newer ticker; nil if it is the newest.
    package fileprivate(set) var tickerFailure: AnswerFailure?
    package fileprivate(set) var book: OrderBook?
    /// The newest trades in the order of their arrival.
    package fileprivate(set) var trades: [Trade] = []
    /// The time from which on the trades are known; nil without any. One that is older came late, and those beside it
    /// are not known.
    package fileprivate(set) var tapeStart: Instant?
    /// Those among them that were impossible when an answer had them, such as one with a time to come: they are shown, but
    /// are no price and in no sum.
    package fileprivate(set) var impossibleTrades: Set<Trade> = []
    /// The total number of trades received.
    package fileprivate(set) var tradeCount = 0
    /// The gaps in the tape: the number of trades received before each, and when it was noticed.
    package fileprivate(set) var gaps: [(count: Int, noticed: Instant)] = []
    package fileprivate(set) var candles: CandleSeries?
    /// Why there are no earlier candles; nil if that is not known yet.
    package fileprivate(set) var shortfall: CandleList.Shortfall?
    /// Whether an answer has provided the candles before those of a stream.
    package fileprivate(set) var hasHistory = false
    /// Why data from before the stream is missing, and when it is retried; nil if it is there or may still arrive.
    package fileprivate(set) var unfilled: (failure: AnswerFailure, retry: Instant?)?
    /// The latest inconsistency; nil if there is none.
    package fileprivate(set) var problem: DataProblem?
    /// What the checks found in the data shown.
    package var findings: [DataFinding] { if case .shown(let finding) = problem { [finding] } else { [] } }
    /// Daily candles; nil before the first have arrived.
    package fileprivate(set) var days: CandleSeries?
    /// What the checks found in them.
    package fileprivate(set) var daysFindings: [DataFinding] = []
    /// When they last arrived.
    package fileprivate(set) var daysArrival: Instant?
    /// Why there are no newer days; nil if they are the newest.
    package fileprivate(set) var daysFailure: AnswerFailure?
    package fileprivate(set) var feed = Feed.loading
    /// When any data last arrived.
    package fileprivate(set) var answered: Instant?
    /// Why the stream is broken, and when it is retried; nil if it is not known to be.
    fileprivate var broken: (failure: AnswerFailure, retry: Instant?)?
    /// The latest finding about an answer's trades while one that it is about is on the tape.
    fileprivate var tapeFinding: DataFinding?
    /// Those of the impossible trades that a clock which is a little off explains: they count once their time has come.
    fileprivate var earlyTrades: Set<Trade> = []
    /// How far the clock was set back since the last trade arrived; nil if it was not, or another trade is the last now.
    fileprivate var heldBack: (trade: Trade, span: Duration)?
    fileprivate var seen = SeenTrades()
    fileprivate var books = PairBooks()
    /// The candles of answers, without those of a stream.
    fileprivate var answeredCandles: CandleSeries?

    package init(
      exchange: String, badge: String, market: Market, product: String? = nil, pair: Pair, takerFee: Decimal? = nil,
      refreshMilliseconds: Int = 1000, looksUpSizes: Bool = false, bookCheck: MeaningCheck = MeaningCheck()
    ) {
      self.exchange = exchange
      self.badge = badge
      self.market = market
      self.product = product
      self.pair = pair
      self.takerFee = takerFee
      self.refreshMilliseconds = refreshMilliseconds
      self.looksUpSizes = looksUpSizes
      self.bookCheck = bookCheck
    }
  }

  package private(set) var sources: [Source]
  /// The market of a dollar token in local money, whose price converts the candles of the others one by one; nil if there
  /// is none. In events and requests, its index is the one after the last source.
  package private(set) var token: Source?
  package private(set) var rate: RateReport?
  /// The asset's display name; nil if there is none, or none yet.
  package private(set) var name: AssetName?
  /// Increases with every visible change.
  package private(set) var revision = 0
  package private(set) var interval: CandleInterval
  private var clock = LastMoment()

  /// The maximum number of trades on a tape.
  fileprivate static let maximumTrades = 2000

  package init(_ sources: [Source], token: Source? = nil, interval: CandleInterval = .oneHour) {
    (self.sources, self.token, self.interval) = (sources, token, interval)
  }

  /// Switches to candles of another interval, and discards the existing ones.
  package mutating func show(_ interval: CandleInterval) {
    guard interval != self.interval else { return }
    self.interval = interval
    for place in sources.indices { sources[place].forgetCandles() }
    token?.forgetCandles()
    revision += 1
  }

  /// Takes what the clock shows now. If it was set back, that makes nothing younger.
  package mutating func advance(to now: Instant) {
    let setBack = clock.take(now)
    guard setBack > .zero else { return }
    for place in sources.indices { sources[place].follow(setBack: setBack) }
    token?.follow(setBack: setBack)
  }

  package mutating func take(_ event: PairEvent) {
    switch event.content {
    case .rate(let report):
      rate = report
      revision += 1
      return
    case .name(let name):
      self.name = name
      revision += 1
      return
    default: break
    }
    let isOfToken = event.source == sources.count && token != nil
    guard isOfToken || sources.indices.contains(event.source) else { return }
    var event = event
    // What arrived later than it is now did so before the clock was set back.
    let late = clock.last.map { max(0, event.arrival.nanoseconds(since: $0)) } ?? 0
    event.arrival.follow(setBack: .nanoseconds(late))
    if isOfToken {
      token?.take(event, interval: interval)
      revision += 1
      return
    }
    if let product = event.product { sources[event.source].product = product }
    sources[event.source].take(event, interval: interval)
    if late > 0 { sources[event.source].follow(setBack: .nanoseconds(late), for: event) }
    revision += 1
  }
}

extension PairBoard.Source {
  /// Returns the book, flagged if it has become too old since it arrived, or if its sizes are in doubt.
  package func book(at now: Instant) -> OrderBook? {
    guard var book else { return nil }
    if hasDoubtfulSizes, !book.flags.contains(.doubtfulSizes) { book.flags.append(.doubtfulSizes) }
    guard let time = book.time, !book.flags.contains(where: \.excludes) else { return book }
    book.flags += [bookCheck.bookFinding(time: time, missing: nil, arrival: now)].compactMap(\.self)
    return book
  }

  /// Whether the ticker puts the contract size in doubt with which sizes are made.
  private var hasDoubtfulSizes: Bool { looksUpSizes && ticker?.flags.contains { $0.kind == .turnover } == true }

  /// The trades in the order of their own times, oldest first: some arrive late.
  package var tape: [Trade] {
    let isOrdered = zip(trades, trades.dropFirst()).allSatisfy { $0.time <= $1.time }
    // The standard library's sort is stable.
    return isOrdered ? trades : trades.sorted { $0.time < $1.time }
  }

  /// The newest trade that was possible when it arrived; nil if there is none.
  package var lastTrade: Trade? { tape.last { !impossibleTrades.contains($0) } }

  /// The trades that belong to sums: without those from before the tape begins, and without impossible ones.
  package func counted(_ trades: [Trade]) -> [Trade] {
    trades.filter { trade in tapeStart.map { $0 <= trade.time } ?? true && !impossibleTrades.contains(trade) }
  }

  /// When the last trade was paid, by a clock that may have been set back since: that makes it no younger.
  package var lastTraded: Instant? {
    lastTrade.map { trade in
      guard let heldBack, heldBack.trade == trade else { return trade.time }
      return trade.time.advanced(by: .zero - heldBack.span)
    }
  }

  private mutating func holdBackLastTrade(by span: Duration) {
    guard let trade = lastTrade else { return }
    heldBack = (trade, span + (heldBack.map { $0.trade == trade ? $0.span : .zero } ?? .zero))
  }

  /// Counts what an event has brought from a clock that was set back between its arrival and now.
  fileprivate mutating func follow(setBack span: Duration, for event: PairEvent) {
    switch event.content {
    case .ticker(.success): ticker?.follow(setBack: span)
    case .trades(let all, _):
      if let trade = lastTrade, heldBack?.trade != trade, all.contains(trade) { holdBackLastTrade(by: span) }
    default: break
    }
  }

  /// Counts everything that has arrived, and when it is retried, from a clock that was set back.
  fileprivate mutating func follow(setBack span: Duration) {
    answered?.follow(setBack: span)
    tickerArrival?.follow(setBack: span)
    ticker?.follow(setBack: span)
    holdBackLastTrade(by: span)
    daysArrival?.follow(setBack: span)
    broken?.retry?.follow(setBack: span)
    unfilled?.retry?.follow(setBack: span)
    books.follow(setBack: span)
    switch feed {
    case .loading, .polled, .streamed: break
    case .substituted(let failure, var retry):
      retry?.follow(setBack: span)
      feed = .substituted(failure, retry: retry)
    case .failed(let failure, var since, var retry):
      since.follow(setBack: span)
      retry?.follow(setBack: span)
      feed = .failed(failure, since: since, retry: retry)
    }
  }

  fileprivate mutating func forgetCandles() {
    (candles, answeredCandles, shortfall) = (nil, nil, nil)
    (hasHistory, unfilled, problem) = (false, nil, nil)
  }

  fileprivate mutating func take(_ event: PairEvent, interval: CandleInterval) {
    switch event.content {
    case .orderbook(let new):
      if event.isStreamed || !books.isOutdated(new, at: event.arrival) {
        book = new
        books.keep(new, isStreamed: event.isStreamed, at: event.arrival)
      }
      noteArrival(of: event)
    case .trades(let all, let incomplete):
      take(all, of: event)
      if incomplete > 0 {
        let rows = incomplete.counted("row lacks", plural: "rows lack")
        problem = .refused(AnswerFailure(.notANumber, "\(rows) a price or a time"), at: event.arrival)
      }
      noteArrival(of: event)
    case .candles(let list) where list.series.grid.interval == interval:
      take(list, of: event)
      noteArrival(of: event)
    case .candle(let candle, interval):
      take(candle, interval)
      // An old candle from a stream does not show that anything is being traded.
      if !CandleCheck.isOld(candle, interval, arrival: event.arrival) { noteArrival(of: event) }
    case .candles, .candle, .rate, .name: break
    case .days(.success(let list)):
      (days, daysArrival, daysFailure) = (list.series, event.arrival, nil)
      daysFindings = list.findings(arrival: event.arrival)
    case .days(.failure(let failure)): daysFailure = failure
    case .ticker(.success(let new)):
      (ticker, tickerArrival, tickerFailure) = (new, min(new.otherPriceArrival ?? event.arrival, event.arrival), nil)
    case .ticker(.failure(let failure)): tickerFailure = failure
    case .failed(let failure, let retry):
      var start = event.arrival
      if case .failed(_, let since, _) = feed { start = since }
      feed = .failed(failure, since: start, retry: retry)
    case .unfilled(let failure, let retry): unfilled = (failure, retry)
    case .fallback(let failure, let retry):
      broken = (failure, retry)
      // If polling fails as well, it does not take the stream's place.
      if case .failed = feed { break }
      feed = .substituted(failure, retry: retry)
    case .gap: book = nil
    case .leftOut(let finding): problem = .leftOut(finding, at: event.arrival)
    case .refused(let failure):
      problem = .refused(failure, at: event.arrival)
      seen.markGap()
    case .missed: seen.markGap()
    }
  }

  private mutating func noteArrival(of event: PairEvent) {
    answered = event.arrival
    if event.isStreamed {
      (broken, feed) = (nil, .streamed)
    } else if let broken {
      // Polling works, but the stream is still broken.
      feed = .substituted(broken.failure, retry: broken.retry)
    } else if feed != .streamed {
      feed = .polled
    }
  }

  private mutating func take(_ all: [Trade], of event: PairEvent) {
    // What is impossible in a stream has been left out.
    var (possible, findings) = (all, [DataFinding]())
    if !event.isStreamed {
      unfilled = nil
      (possible, findings) = TradeCheck.separatingImpossible(all, arrival: event.arrival, after: nil)
    }
    if event.isStreamed, feed != .streamed { seen.beginConnection() }
    let new = seen.new(all, isStreamed: event.isStreamed)
    if new.hasGap { gaps.append((tradeCount, event.arrival)) }
    // Of an answer, all trades are one another's neighbours; a stream may send an old one at any time.
    if let oldest = possible.map(\.time).min() {
      tapeStart = event.isStreamed ? tapeStart ?? oldest : min(tapeStart ?? oldest, oldest)
    }
    for trade in new.completed {
      let key = SeenTrades.Key(trade).withoutSize
      if let place = trades.firstIndex(where: { SeenTrades.Key($0) == key }) { trades[place] = trade }
    }
    let known = trades + new.trades
    trades = Array(known.suffix(PairBoard.maximumTrades))
    if !event.isStreamed || !impossibleTrades.isEmpty {
      let impossible = event.isStreamed ? [] : Set(all).subtracting(possible)
      noteImpossible(impossible, findings.first, at: event.arrival)
    }
    if event.doubt != nil || hasDoubtfulSizes {
      if problem == nil { note(.doubtfulSizes) }
    } else if case .shown(.doubtfulSizes) = problem {
      problem = nil
    }
    if known.count > trades.count, let start = tapeStart {
      tapeStart = trades.lazy.map(\.time).filter { $0 >= start }.min() ?? start
    }
    tradeCount += new.trades.count
    gaps.removeAll { $0.count < tradeCount - trades.count }
  }

  /// Notes which trades of an answer are impossible. What was found about one holds as long as it is on the tape, or
  /// until its time has come if it was less than a minute early.
  private mutating func noteImpossible(_ new: Set<Trade>, _ finding: DataFinding?, at arrival: Instant) {
    let limit = arrival.advanced(by: .seconds(60))
    earlyTrades.formUnion(new.filter { $0.time.isFuture(at: arrival) && $0.time < limit })
    let due = earlyTrades.filter { !$0.time.isFuture(at: arrival) }
    earlyTrades.subtract(due)
    impossibleTrades = impossibleTrades.subtracting(due).union(new).intersection(trades)
    earlyTrades.formIntersection(impossibleTrades)
    if finding != nil || impossibleTrades.isEmpty { tapeFinding = finding }
    note(tapeFinding)
  }

  private mutating func take(_ list: CandleList, of event: PairEvent) {
    let series = list.series
    if event.replacesAll { forgetCandles() }
    let isOlder = series.candles.first.map { first in candles?.candles.first.map { first.start < $0.start } ?? true }
    candles = candles.map { $0.joined(with: series) } ?? series
    answeredCandles = answeredCandles.map { $0.joined(with: series) } ?? series
    // The source that reaches back furthest explains why there is nothing older.
    if isOlder ?? (list.shortfall != nil) || !hasHistory { shortfall = list.shortfall }
    if !series.candles.isEmpty { (hasHistory, unfilled) = (true, nil) }
    note(list.findings(in: candles, answered: answeredCandles, arrival: event.arrival).worst)
  }

  /// Notes what the checks found in the newest answer; nil if nothing, which ends what they found before.
  private mutating func note(_ finding: DataFinding?) {
    if let finding {
      problem = .shown(finding)
    } else if case .shown = problem {
      problem = nil
    }
  }

  private mutating func take(_ streamed: Candle, _ interval: CandleInterval) {
    let candle = candles?.expecting(streamed) ?? streamed
    let one = CandleSeries([candle], on: candles?.grid ?? CandleGrid(interval, with: candle.start))
    guard let known = candles, let first = known.candles.first else {
      candles = one
      return
    }
    // A candle before all known ones says nothing about those in between.
    guard candle.start >= first.start, !known.hasLater(than: candle) else { return }
    candles = known.joined(with: one)
  }
}

extension CandleGrid {
  /// Creates the grid of a stream's candle before any answer has determined it, as exchanges decide when days begin.
  fileprivate init(_ interval: CandleInterval, with start: Instant) {
    let day: Int64 = 86_400
    let seconds = start.nanoseconds / 1_000_000_000
    let zone = interval < .fourHours ? 0 : Int((day - seconds % day) % day)
    self.init(interval, zoneSeconds: zone, weekday: CivilTime(start, offsetSeconds: zone).weekday)
  }
}

extension CandleSeries {
  /// Returns whether a candle that is not the last one has a later state, in which more is traded.
  fileprivate func hasLater(than candle: Candle) -> Bool {
    guard let last = candles.last, candle.start < last.start, let volume = candle.volume.value,
      let known = candles.last(where: { $0.start <= candle.start }), known.start == candle.start
    else { return false }
    return known.volume.value.map { volume < $0 } ?? false
  }

  /// Returns a candle of a stream. What the stream does not offer and these have is yet to be requested: once a candle is
  /// over, an answer brings it.
  fileprivate func expecting(_ candle: Candle) -> Candle {
    func cell(_ amount: KeyPath<Candle, Cell>) -> Cell {
      let own = candle[keyPath: amount]
      guard own.missing == .notOffered else { return own }
      let isOffered = candles.contains { $0[keyPath: amount].missing != .notOffered }
      return isOffered ? .missing(.notRequested) : own
    }
    return Candle(
      start: candle.start, open: candle.open, high: candle.high, low: candle.low, close: candle.close,
      volume: cell(\.volume), turnover: cell(\.turnover))
  }

  /// Returns these candles joined with others, on the others' grid; of two with the same start, the other one counts.
  func joined(with other: CandleSeries) -> CandleSeries {
    guard let first = other.candles.first, let last = other.candles.last else { return self }
    let before = candles.prefix { $0.start < first.start }
    let behind = candles.drop { $0.start <= last.start }
    let inside = candles.dropFirst(before.count).dropLast(behind.count)
    let end = other.grid.end(of: last.start)
    let gaps = sourceGaps.filter { $0.start < first.start || $0.start >= end } + other.sourceGaps
    let joined = CandleSeries(
      Array(before) + Array(inside) + other.candles + Array(behind), on: other.grid, builtFrom: other.source ?? source,
      sourceGaps: gaps.sorted { $0.start < $1.start })
    return joined.requested(at: other.requested, whole: other.whole)
  }
}

extension [DataFinding] {
  /// The finding to name if there is room for one: one that discredits all prices is worse than any other.
  package var worst: DataFinding? { first(where: \.discreditsPrices) ?? first }
}
