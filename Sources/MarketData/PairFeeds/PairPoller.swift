package import Config
import Mapping
package import Quotes

/// Asks the sources of a live view again and again, each at its market's `refresh`, within its limit, and tells what came.
package struct PairPoller: Sendable {
  /// What is asked of a source.
  package enum Subject: Sendable, Hashable {
    /// So many levels of each side.
    case orderbook(Int)
    /// The newest so many.
    case trades(Int)
    /// The newest so many; days begin at the midnight of a zone, of the exchange's own for nil.
    case candles(CandleInterval, count: Int, zoneSeconds: Int?)
    case days(Int)
    case ticker

    /// All trades that one answer brings: so many may be made from one answer to the next.
    ///
    /// - Parameter count: how many are wanted at least.
    package static func tape(atLeast count: Int = 0) -> Subject { .trades(max(count, SeenTrades.mostAnswered)) }
  }

  /// One market with its own spelling of the pair.
  package struct Source: Sendable {
    package let exchange: Exchange
    package let market: ExchangeMarket
    package let question: PairQuestion

    package init(_ exchange: Exchange, _ market: ExchangeMarket, _ question: PairQuestion) {
      self.exchange = exchange
      self.market = market
      self.question = question
    }
  }

  private let session: MarketSession
  private let sources: [Source]
  private let subjects: [Subject]
  private let asksRate: Bool

  init(_ session: MarketSession, _ sources: [Source], _ subjects: [Subject], asksRate: Bool) {
    self.session = session
    self.sources = sources
    self.subjects = subjects
    self.asksRate = asksRate
  }

  /// The sources as a board begins with them.
  var beginning: [PairBoard.Source] {
    sources.map { source in
      PairBoard.Source(
        exchange: source.exchange.name, badge: source.exchange.badge ?? source.exchange.name,
        market: source.market.market, pair: source.question.pair,
        takerFee: source.market.takerFees?.percent(forPayment: source.question.pair.payment),
        refreshMilliseconds: source.market.refreshMilliseconds)
    }
  }

  // MARK: Asking

  /// Asks each source for everything once, all at once.
  func round(_ tell: @escaping @Sendable (PairEvent) -> Void) async {
    let all = sources.indices.flatMap { source in subjects.map { (source, $0) } }
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await tellName(tell) }
      if asksRate { group.addTask { tell(await rate()) } }
      for (source, subject) in all {
        group.addTask { tell(await ask(source, subject, by: session.client)) }
      }
    }
  }

  /// Asks until the task is cancelled: what streams bring is only asked for the first time, and for what they have missed.
  func run(beside live: LiveChannels, _ tell: @escaping @Sendable (PairEvent) -> Void) async {
    let all = sources.indices.flatMap { source in subjects.map { (source, $0) } }
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await tellName(tell) }
      if asksRate { group.addTask { await follow(every: Self.rateMilliseconds, tell) { await rate() } } }
      for (source, subject) in all {
        let term = term(of: subject, on: sources[source].market)
        group.addTask {
          await follow(every: term, tell, isLive: { live.holds(source, subject, at: session.clock()) }) {
            let begin = session.clock()
            guard let asking = live.asking(source, subject, at: begin) else { return nil }
            var event = await ask(source, asking.subject, by: session.newRound())
            event.beginsAnew = asking.beginsAnew
            live.take(answerOf: source, subject, isThere: event.failure == nil, asked: begin)
            // What came meanwhile is newer; of trades and candles the older ones are wanted as well.
            return live.hasBrought(source, subject, since: begin) && !subject.isHistory ? nil : event
          }
        }
      }
    }
  }

  /// A rate moves once a minute at most, and has a budget of its own.
  private static let rateMilliseconds = 60_000
  private static let daysMilliseconds = 60_000
  /// The ticker only says what the day was like.
  private static let tickerMilliseconds = 5000

  /// How often something is asked: as often as the config says, and so seldom that all of it takes four fifths of the limit
  /// at most.
  private func term(of subject: Subject, on market: ExchangeMarket) -> Int {
    var term = market.refreshMilliseconds
    switch subject {
    case .days: term = max(term, Self.daysMilliseconds)
    case .ticker: term = max(term, Self.tickerMilliseconds)
    case .orderbook, .trades, .candles: break
    }
    guard let limit = (market.tickers + market.ticker + market.blockTables).compactMap(\.limit).first else {
      return term
    }
    let own = sources.count { $0.market.market == market.market } * subjects.count
    return max(term, own * limit.perMilliseconds * 5 / (4 * max(1, limit.requests)))
  }

  /// Asks until the task is cancelled; what fails is asked again after 1, 5, 15 and 60 seconds.
  ///
  /// - Parameters:
  ///   - isLive: whether a stream brings it at present: then a failure leaves out what was before, and no more. A stream that
  ///     is back ends the wait: what it speaks to is likely to answer again.
  ///   - ask: nil where there was no need to ask.
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
        let seconds = FeedPlan.backOff(after: failures + 1)
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

  /// Names are kept for a day: they are asked for once.
  private func tellName(_ tell: @Sendable (PairEvent) -> Void) async {
    guard let first = sources.first,
      let named = await session.assetNames()[first.question.pair.asset, on: first.exchange.name]
    else { return }
    tell(PairEvent(source: 0, .name(named.name), arrival: session.clock()))
  }

  private func rate() async -> PairEvent {
    let report = await session.newRound().headerRate(session.configuration, session.interpretation())
    return PairEvent(source: 0, .rate(report), arrival: session.clock())
  }

  private func ask(_ place: Int, _ subject: Subject, by client: MarketClient) async -> PairEvent {
    let source = sources[place]
    let (market, name, question) = (source.market, source.exchange.name, source.question)
    func event<Value>(_ answer: PairAnswer<Value>, _ content: (Value) -> PairEvent.Content) -> PairEvent {
      let content: PairEvent.Content =
        switch answer.result {
        case .success(let value): content(value)
        case .failure(let failure): .failed(failure, retry: nil)
        }
      let arrival = answer.requests.map(\.arrival).max() ?? session.clock()
      return PairEvent(source: place, content, arrival: arrival)
    }
    switch subject {
    case .orderbook(let count):
      return event(await client.orderbook(question, count: count, on: market, of: name)) { .orderbook($0) }
    case .trades(let count):
      return event(await client.trades(question, count: count, on: market, of: name)) { .trades($0.trades) }
    case .candles(let interval, let count, let zone):
      let asked = CandleQuestion(question, interval, zoneSeconds: zone, .newest(count))
      return event(await client.candles(asked, on: market, of: name)) { .candles($0) }
    case .days(let count):
      let asked = CandleQuestion(question, .oneDay, .newest(count))
      let answer = await client.candles(asked, on: market, of: name)
      let arrival = answer.requests.map(\.arrival).max() ?? session.clock()
      return PairEvent(source: place, .days(answer.result.map(\.series)), arrival: arrival)
    case .ticker:
      // Nobody misses a day's change so much that its failure says anything of the feed.
      let asked = TableQuestion(
        market: nil, pair: question.pair, fields: [.price, .changePricePercent24, .time], options: question.options)
      let report = await client.report(on: market, of: source.exchange, asked)
      let arrival = report.requests.map(\.arrival).max() ?? session.clock()
      let ticker = report.table.rows.first.map { Result<Ticker, TableFailure>.success($0.ticker) }
      let failure = report.failures.first?.failure ?? TableFailure(.notListed)
      return PairEvent(source: place, .ticker(ticker ?? .failure(failure)), arrival: arrival)
    }
  }

  /// Candles from before a moment, so many of them at most.
  func older(
    of source: Int, _ interval: CandleInterval, before start: Instant, count: Int
  ) async -> PairEvent {
    guard sources.indices.contains(source) else {
      return PairEvent(source: source, .failed(TableFailure(.notAsked), retry: nil), arrival: session.clock())
    }
    let own = sources[source]
    let zone = subjects.lazy.compactMap { subject -> Int? in
      if case .candles(_, _, let zone) = subject { zone } else { nil }
    }.first
    let grid = CandleGrid(interval, zoneSeconds: zone ?? 0)
    let question = CandleQuestion(
      own.question, interval, zoneSeconds: zone, .between(grid.moment(-count, after: start), start))
    let client = session.newRound()
    let answer = await client.candles(question, on: own.market, of: own.exchange.name)
    let arrival = answer.requests.map(\.arrival).max() ?? session.clock()
    switch answer.result {
    case .success(let list):
      // Fewer than were asked for: nothing was traded before, or nothing is kept of it.
      let isShort = list.series.candles.first.map { $0.start > grid.moment(1 - count, after: start) } ?? true
      return PairEvent(
        source: source,
        .candles(
          CandleList(
            list.series, contradiction: list.contradiction, sourceFindings: list.sourceFindings,
            shortfall: list.shortfall ?? (isShort ? .notOffered : nil))),
        arrival: arrival)
    case .failure(let failure) where failure.reason == .emptyAnswer:
      let nothing = CandleSeries([], on: grid)
      return PairEvent(source: source, .candles(CandleList(nothing, shortfall: .notOffered)), arrival: arrival)
    case .failure(let failure):
      let nothing = CandleSeries([], on: grid)
      return PairEvent(source: source, .candles(CandleList(nothing, shortfall: .page(failure))), arrival: arrival)
    }
  }
}
