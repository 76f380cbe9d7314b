package import Config
import HTTP
import Mapping
package import Quotes

/// Follows the sources of a live view, and reports the results. Each is polled at its market's `refresh` and within its
/// limit; what streams provide is requested once, to begin with.
package struct PairPoller: Sendable {
  /// The data to request from a source.
  package enum Subject: Sendable, Hashable {
    /// The number of levels on each side.
    case orderbook(Int)
    /// The number of newest trades.
    case trades(Int)
    /// The newest candles; days begin at the midnight of a zone, or the exchange's own if nil.
    case candles(CandleInterval, count: Int, zoneSeconds: Int?)
    case days(Int)
    case ticker

    /// The channel with the same requests: what no stream provides are candles of days.
    fileprivate var limitedChannel: StreamChannel { channel ?? .candles }

    /// As many trades as one answer contains, as that many may occur between two answers.
    package static let tape = Subject.trades(SeenTrades.maximumAnswered)

    /// The least number of candles that is requested once older ones are there: the running one and the last two that
    /// are finished.
    static let newestCandles = 3

    /// What is requested once all older data is there.
    var newest: Subject {
      guard case .candles(let interval, let count, let zone) = self else { return self }
      return .candles(interval, count: min(count, Self.newestCandles), zoneSeconds: zone)
    }
  }

  /// One market with its own name for the pair.
  package struct Source: Sendable {
    package let exchange: Exchange
    package let market: ExchangeMarket
    package let query: PairQuery

    package init(_ exchange: Exchange, _ market: ExchangeMarket, _ query: PairQuery) {
      (self.exchange, self.market, self.query) = (exchange, market, query)
    }
  }

  let session: MarketSession
  let sources: [Source]
  let subjects: [Subject]
  /// The market of a dollar token, of which candles are only requested when a screen wants them; nil if there is none.
  private let token: Source?

  package init(_ session: MarketSession, _ sources: [Source], _ subjects: [Subject], token: Source? = nil) {
    (self.session, self.sources, self.subjects, self.token) = (session, sources, subjects, token)
  }

  /// The initial sources of a board, and its token.
  package var beginning: (sources: [PairBoard.Source], token: PairBoard.Source?) {
    let badges = session.configuration.badges
    return (sources.map { beginning(of: $0, badges) }, token.map { beginning(of: $0, badges) })
  }

  private func beginning(of source: Source, _ badges: [String: String]) -> PairBoard.Source {
    let check = MeaningCheck(session.configuration.settings)
    let own = source.market.orderbooks.map { check.adapted(to: $0.table) }
    return PairBoard.Source(
      exchange: source.exchange.name, badge: sources.badge(of: source, badges),
      market: source.market.market, product: source.query.product, pair: source.query.pair,
      takerFee: source.market.takerFees?.percent(of: source.query.pair),
      refreshMilliseconds: source.market.refreshMilliseconds, looksUpSizes: source.market.looksUpSizes,
      // Which of several blocks a book is from is unknown.
      bookCheck: own.max { $0.staleAfterMilliseconds < $1.staleAfterMilliseconds } ?? check)
  }

  /// The candles among the subjects, without their count; nil if there are none.
  var candles: (interval: CandleInterval, zoneSeconds: Int?)? {
    for case .candles(let interval, _, let zoneSeconds) in subjects { return (interval, zoneSeconds) }
    return nil
  }

  // MARK: Polling

  /// What is requested from each source, by its index.
  private var requests: [(source: Int, subject: Subject)] {
    sources.indices.flatMap { source in subjects.map { (source, $0) } }
  }

  /// Requests everything from each source once, concurrently.
  ///
  /// - Parameter isFirst: Whether nothing is there yet: later rounds request as few candles as a run does.
  package func round(isFirst: Bool = true, _ tell: @escaping @Sendable (PairEvent) -> Void) async {
    await answers(isFirst: isFirst) { event, _ in tell(event) }
  }

  /// Requests the same, and tells what each answer is about: nothing if it is a name or a rate.
  func answers(isFirst: Bool, _ tell: @escaping @Sendable (PairEvent, Subject?) -> Void) async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await tellName { tell($0, nil) } }
      group.addTask { tell(await rate(), nil) }
      for (source, subject) in requests {
        group.addTask {
          let asked = isFirst ? subject : subject.newest
          var event = await ask(source, asked, by: session.client)
          if asked != subject, event.failure?.reason == .notRecorded {
            event = await ask(source, subject, by: session.client)
          }
          tell(event, subject)
        }
      }
    }
  }

  /// Polls until the task is cancelled. What streams provide is only requested initially, and to fill gaps.
  func run(beside live: LiveChannels, _ tell: @escaping @Sendable (PairEvent) -> Void) async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await tellName(tell) }
      group.addTask { await follow(every: FeedBoard.rateSeconds * 1000, tell) { await rate() } }
      for (source, subject) in requests {
        let term = term(of: subject, from: sources[source])
        group.addTask {
          await follow(every: term, tell, isLive: { live.holds(source, subject, at: session.clock()) }) {
            let begin = session.clock()
            guard let asking = live.asking(source, subject, at: begin) else { return nil }
            var event = await ask(source, asking.subject, by: session.newRound())
            event.replacesAll = asking.replacesAll
            live.note(event.product, of: source)
            live.take(answerOf: source, subject, isThere: event.failure == nil, asked: begin)
            // Stream data that arrived meanwhile is newer, but earlier trades and candles are wanted as well.
            if !subject.isHistory {
              guard !live.hasBrought(source, subject, since: begin) else { return nil }
              live.keep(event)
              return event
            }
            let running = live.runningCandle(source, subject, at: session.clock())
            return running.map { event.without(runningCandle: $0) } ?? event
          }
        }
      }
    }
  }

  private static let daysMilliseconds = 60_000
  /// The ticker is only used for the day's change, and to check contract sizes.
  private static let tickerMilliseconds = 5000

  /// Returns the polling interval: that of the config, or longer so that all requests that share its limit together
  /// use at most four fifths of it.
  private func term(of subject: Subject, from source: Source) -> Int {
    var term = source.market.refreshMilliseconds
    switch subject {
    case .days: term = max(term, Self.daysMilliseconds)
    case .ticker: term = max(term, Self.tickerMilliseconds)
    case .orderbook, .trades, .candles: break
    }
    guard let limit = source.market.limit(of: source.exchange, for: subject.limitedChannel) else { return term }
    let cost = sources.reduce(0) { sum, own in
      let sharers = subjects.map(\.limitedChannel).filter { own.market.limit(of: own.exchange, for: $0) == limit }
      return sum + sharers.reduce(0) { $0 + own.market.cost(of: $1) }
    }
    return max(term, FeedPlan.milliseconds(for: cost, limit.limit))
  }

  /// Polls until the task is cancelled; failures are retried after 1, 5, 15 and 60 seconds.
  ///
  /// - Parameters:
  ///   - isLive: Whether a stream currently provides the data, so that a failure only loses earlier data. When a stream
  ///     comes back, that ends the wait, as its exchange is likely to answer again.
  ///   - ask: Returns nil if a request was unnecessary.
  private func follow(
    every milliseconds: Int, _ tell: @Sendable (PairEvent) -> Void, isLive: @Sendable () -> Bool = { false },
    _ ask: @Sendable () async -> PairEvent?
  ) async {
    var failures = 0
    while !Task.isCancelled {
      var event = await ask()
      var wait = milliseconds
      let wasLive = isLive()
      if let failed = event, let failure = failed.failure {
        let seconds = FeedPlan.backOff.seconds(after: failures + 1)
        wait = max(wait, seconds * 1000)
        failures += 1
        let retry = failed.arrival.advanced(by: .milliseconds(wait))
        event = PairEvent(
          source: failed.source, wasLive ? .unfilled(failure, retry: retry) : .failed(failure, retry: retry),
          arrival: failed.arrival)
      } else {
        failures = 0
      }
      if Task.isCancelled { return }
      if let event { tell(event) }
      var waited = 0
      repeat {
        let step = min(max(1, milliseconds), wait - waited)
        guard (try? await Task.sleep(for: .milliseconds(step))) != nil else { return }
        waited += step
      } while waited < wait && (wasLive || !isLive())
    }
  }

  /// Reports the asset's name. It is requested only once, as names are cached for a day.
  private func tellName(_ tell: @Sendable (PairEvent) -> Void) async {
    guard let first = sources.first,
      let named = await session.assetNames()[first.query.pair.asset, on: first.exchange.name]
    else { return }
    tell(event(of: 0, .name(named.name)))
  }

  private func rate() async -> PairEvent {
    let report = await session.newRound().headerRate(session.configuration, session.interpretation())
    return event(of: 0, .rate(report))
  }

  /// - Parameter arrival: When its answer arrived; nil for now.
  private func event(of source: Int, _ content: PairEvent.Content, at arrival: Instant? = nil) -> PairEvent {
    PairEvent(source: source, content, arrival: arrival ?? session.clock())
  }

  private func ask(_ place: Int, _ subject: Subject, by client: MarketClient) async -> PairEvent {
    let source = sources[place]
    let (market, name, query) = (source.market, source.exchange.name, source.query)
    func told<Value>(_ answer: PairAnswer<Value>, _ content: (Value) -> PairEvent.Content) -> PairEvent {
      let content =
        switch answer.result {
        case .success(let value): content(value)
        case .failure(let failure): PairEvent.Content.failed(failure, retry: nil)
        }
      var event = event(of: place, content, at: answer.arrival)
      event.product = answer.product
      return event
    }
    switch subject {
    case .orderbook(let count):
      return told(await client.orderbook(query, count: count, on: market, of: name)) { .orderbook($0) }
    case .trades(let count):
      let answer = await client.trades(query, count: count, on: market, of: name)
      var event = told(answer) { .trades($0.trades, incomplete: $0.incomplete) }
      event.doubt = answer.value?.doubt
      return event
    case .candles(let interval, let count, let zone):
      let asked = CandleQuery(query, interval, zoneSeconds: zone, .newest(count))
      return told(await client.candles(asked, on: market, of: name)) { .candles($0) }
    case .days(let count):
      let asked = CandleQuery(query, .oneDay, .newest(count))
      let answer = await client.candles(asked, on: market, of: name)
      return event(of: place, .days(answer.result), at: answer.arrival)
    case .ticker:
      // A ticker that fails is too unimportant to mark the feed as failing.
      var asked = TableQuery(pair: query.pair, fields: [.price, .changePricePercent24, .time], options: query.options)
      // They tell whether a contract has another size now.
      if market.looksUpSizes { asked.fields.formUnion([.volume24, .turnover24]) }
      let report = await client.report(on: market, of: source.exchange, asked)
      let row = report.table.rows.map(\.ticker).first { query.product == nil || $0.product == query.product }
      let ticker = row.map { Result<Ticker, AnswerFailure>.success($0) }
      let arrival = report.requests.map(\.arrival).max()
      var event = event(of: place, .ticker(ticker ?? .failure(report.absence)), at: arrival)
      event.product = row?.product
      return event
    }
  }

  /// Returns candles from before a moment, `count` at most.
  ///
  /// - Parameter source: An index; the one after the last source is that of the token.
  package func older(
    of source: Int, _ interval: CandleInterval, before start: Instant, count: Int
  ) async -> PairEvent {
    let known = sources + [token].compactMap(\.self)
    guard known.indices.contains(source) else {
      return event(of: source, .failed(AnswerFailure(.notRequested), retry: nil))
    }
    let own = known[source]
    let zone = candles?.zoneSeconds
    let grid = CandleGrid(interval, zoneSeconds: zone ?? 0)
    let query = CandleQuery(
      own.query, interval, zoneSeconds: zone, .between(grid.moment(-count, after: start), start))
    let answer = await session.newRound().candles(query, on: own.market, of: own.exchange.name)
    let older: CandleList
    switch answer.result {
    case .success(let list):
      // Fewer than requested: nothing was traded before, or it is no longer available.
      let isShort = list.series.candles.first.map { $0.start > grid.moment(1 - count, after: start) } ?? true
      older = CandleList(
        list.series, contradiction: list.contradiction, receivedFindings: list.receivedFindings,
        shortfall: list.shortfall ?? (isShort ? .notOffered : nil))
    case .failure(let failure):
      older = CandleList(
        CandleSeries([], on: grid), shortfall: failure.reason == .emptyAnswer ? .notOffered : .page(failure))
    }
    return event(of: source, .candles(older), at: answer.arrival)
  }
}

extension [PairPoller.Source] {
  /// Returns the badge of an exchange, with the payment currency if it occurs with several pairs, and the product if it
  /// occurs with several of the pair.
  ///
  /// - Parameter badges: those of all exchanges by name.
  package func badge(of source: PairPoller.Source, _ badges: [String: String]) -> String {
    let name = badges[source.exchange.name] ?? source.exchange.name
    let own = filter { $0.exchange.name == source.exchange.name }
    let pairs = Set(own.map(\.query.pair))
    let products = Set(own.filter { $0.query.pair == source.query.pair }.map(\.query.product))
    return [name, pairs.count > 1 ? source.query.pair.payment : nil, products.count > 1 ? source.query.product : nil]
      .compactMap(\.self).joined(separator: ":")
  }
}
