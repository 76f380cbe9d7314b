package import Mapping
package import Quotes
import Synchronization

/// A report from a stream to its feed.
package enum StreamReport: Sendable {
  case connecting
  /// The stream is subscribed to these pairs, which are no longer polled.
  ///
  /// - Parameters:
  ///   - quiet: Other pairs that it has not reported for a long time.
  ///   - refused: Other pairs that it does not provide, and why.
  ///   - products: What it provides of such pairs all the same.
  case live(Set<Pair>, quiet: Set<Pair> = [], refused: [Pair: Missing] = [:], products: [Pair: Set<String?>] = [:])
  /// Each row replaces the one with its key.
  case rows([TickerRow])
  /// A sign of life without anything new.
  case life
  /// Polling takes over until the stream is back.
  case broken(reason: Missing, retry: Instant?)
}

/// Polls feeds according to the plan and keeps their answers. The only mutable state behind immutable values.
///
///     let board = FeedBoard(feeds, now: clock, ask: ask, askRate: rate) { wake() }
///     async let asking: Void = board.run()
///     … board.state …
///
/// Every poll is a separate task, so a slow exchange delays no other.
package actor FeedBoard {
  /// Asks one feed; returns one report for a whole table, or one for each pair in their order.
  package typealias Ask = @Sendable (FeedKey, FeedQuery) async -> [ExchangeReport]

  private let now: @Sendable () -> Instant
  private let ask: Ask
  private let askRate: (@Sendable () async -> RateReport)?
  /// Called after every change, from any thread; it must be quick.
  private let onChange: @Sendable () -> Void
  /// Changed in place. With a second copy, each batch of a stream would copy thousands of rows; a reader's copy costs
  /// that once, at the next change.
  private let board: Mutex<BoardState>

  private var plan: FeedPlan
  private let places: [FeedKey: Int]
  private var tasks: [UInt64: Task<Void, Never>] = [:]
  private var lastTask: UInt64 = 0
  private var sleeper: Task<Void, Never>?
  private var rateAsked: Instant?
  private var isAskingRate = false
  private var listeners: [UInt64: Listener] = [:]
  private var lastListener: UInt64 = 0

  /// A caller waiting for answers about pairs.
  private struct Listener {
    let key: FeedKey
    /// The pairs not answered yet.
    var pairs: Set<Pair>
    let answers: AsyncStream<(Pair, ExchangeReport)>.Continuation
  }

  /// How often to ask for a new rate; the rate memory applies its own refresh times and budgets.
  static let rateSeconds = 10
  /// The longest sleep of the loop, after which it notices a clock that has jumped.
  private static let maximumSleep = Duration.seconds(1)

  package init(
    _ feeds: [FeedState], now: @escaping @Sendable () -> Instant, ask: @escaping Ask,
    askRate: (@Sendable () async -> RateReport)? = nil, onChange: @escaping @Sendable () -> Void = {}
  ) {
    self.now = now
    self.ask = ask
    self.askRate = askRate
    self.onChange = onChange
    // A feed without any of the pairs may get one when other pairs are followed.
    plan = FeedPlan(
      feeds.filter { $0.inactiveReason == nil || $0.inactiveReason == .noPair }.map { ($0.key, $0.capabilities) })
    board = Mutex(BoardState(feeds: feeds))
    places = Dictionary(feeds.enumerated().map { ($1.key, $0) }) { first, _ in first }
  }

  package nonisolated var state: BoardState { board.withLock { $0 } }

  /// Takes what the clock shows, and returns it.
  @discardableResult package nonisolated func advance() -> Instant {
    let (moment, isSetBack) = board.withLock { board in
      let moment = now()
      return (moment, board.advance(to: moment))
    }
    if isSetBack { onChange() }
    return moment
  }

  /// Returns the state at what the clock shows, and that.
  package nonisolated func picture() -> (state: BoardState, now: Instant) {
    let moment = advance()
    return (state, moment)
  }

  // MARK: Running

  /// Polls until the task is cancelled.
  package func run() async {
    while !Task.isCancelled {
      let next = step()
      let wait = next.map { Duration.nanoseconds(max(1_000_000, $0.nanoseconds(since: advance()))) }
      let sleeper = Task<Void, Never> { try? await Task.sleep(for: min(wait ?? Self.maximumSleep, Self.maximumSleep)) }
      self.sleeper = sleeper
      await withTaskCancellationHandler {
        await sleeper.value
      } onCancel: {
        sleeper.cancel()
      }
    }
    stop()
  }

  /// Cancels everything under way.
  package func stop() {
    for task in tasks.values { task.cancel() }
    tasks = [:]
    for listener in listeners.values { listener.answers.finish() }
  }

  /// Polls the feeds that are due.
  ///
  /// - Returns: When the next one is due; nil if none will be before an answer arrives.
  @discardableResult package func step() -> Instant? {
    let moment = advance()
    let unconfirmed = board.withLock { board in board.feeds.map { ($0.key, $0.pairsToConfirm(at: moment)) } }
    for (key, pairs) in unconfirmed where !pairs.isEmpty { plan.want(pairs, of: key) }
    for (key, query) in plan.due(at: moment) {
      if let place = places[key] { board.withLock { $0.feeds[place].asked = moment } }
      start { [ask] in
        let reports = await ask(key, query)
        await self.finish(key, query, reports)
      }
    }
    if let askRate, !isAskingRate, moment.isPast(.seconds(Self.rateSeconds), after: rateAsked) {
      isAskingRate = true
      rateAsked = moment
      start { await self.finish(await askRate()) }
    }
    let rate = askRate == nil || isAskingRate ? nil : rateAsked?.advanced(by: .seconds(Self.rateSeconds))
    return [plan.nextDue(after: moment), rate].compactMap(\.self).min()
  }

  /// Polls everything once and waits for the answers: a round of a replay, or a picture of one moment.
  package func round() async {
    plan.restart()
    rateAsked = nil
    step()
    await settle()
  }

  /// Waits until everything under way has finished.
  package func settle() async {
    while let (_, task) = tasks.first { await task.value }
  }

  /// Returns the next answers about some pairs of a feed, even streamed ones; without pairs that are not followed.
  ///
  /// One poll serves all callers: the board itself, and a stream that checks whether its last data is still valid.
  package func answers(about pairs: [Pair], of key: FeedKey) async -> [Pair: ExchangeReport] {
    guard let capabilities = capabilities(of: key) else { return [:] }
    let followed = capabilities.isWhole ? Set(pairs) : Set(pairs).intersection(capabilities.pairs)
    guard !followed.isEmpty else { return [:] }
    let (answers, continuation) = AsyncStream.makeStream(of: (Pair, ExchangeReport).self)
    lastListener += 1
    let number = lastListener
    listeners[number] = Listener(key: key, pairs: followed, answers: continuation)
    plan.want(followed, of: key)
    sleeper?.cancel()
    var found: [Pair: ExchangeReport] = [:]
    for await (pair, report) in answers { found[pair] = report }
    listeners[number] = nil
    return found
  }

  /// The number of callers waiting for answers.
  var listenerCount: Int { listeners.count }

  private func deliver(_ reading: FeedReading, of key: FeedKey) {
    for number in listeners.keys {
      guard var listener = listeners[number], listener.key == key else { continue }
      for (pair, report) in reading.answers {
        for pair in pair.map({ [$0] }) ?? Array(listener.pairs) where listener.pairs.remove(pair) != nil {
          listener.answers.yield((pair, report))
        }
      }
      if listener.pairs.isEmpty { listener.answers.finish() }
      listeners[number] = listener
    }
  }

  private func start(_ work: @escaping @Sendable () async -> Void) {
    lastTask += 1
    let number = lastTask
    tasks[number] = Task {
      await work()
      self.end(number)
    }
  }

  private func end(_ number: UInt64) { tasks[number] = nil }

  // MARK: User actions

  /// Polls all feeds, or one, as soon as their limits allow: after sleep, after a suspension, or on a key press.
  package func pollSoon(_ key: FeedKey? = nil) {
    plan.pollSoon(key)
    if key == nil { rateAsked = nil }
    sleeper?.cancel()
  }

  package func togglePause(_ key: FeedKey) {
    guard let capabilities = capabilities(of: key) else { return }
    let isPaused = !plan.isPaused(key)
    plan.pause(key, isPaused)
    if !isPaused {
      // What a stream sent in the meantime was not taken.
      plan.want(Set(capabilities.pairs), of: key)
      plan.pollSoon(key)
    }
    change(key, at: advance()) { $0.inactiveReason = isPaused ? .paused : nil }
    sleeper?.cancel()
  }

  /// Follows other pairs from now on; data of pairs that remain is kept.
  ///
  /// - Parameter feeds: The same feeds with other means.
  package func follow(_ feeds: [FeedState]) {
    board.withLock { board in
      for new in feeds {
        guard let place = places[new.key], board.feeds[place].isFollowed || board.feeds[place].inactiveReason == .noPair
        else { continue }
        plan.follow(new.capabilities, of: new.key)
        // Callers waiting for a pair that is no longer followed would wait forever.
        for listener in listeners.values where listener.key == new.key { listener.answers.finish() }
        board.feeds[place].follow(new)
        if plan.isPaused(new.key), new.inactiveReason == nil { board.feeds[place].inactiveReason = .paused }
      }
    }
    onChange()
    sleeper?.cancel()
  }

  // MARK: Receiving

  /// Takes a report from a stream; of a paused feed only the state of its connection.
  package func take(_ report: StreamReport, of key: FeedKey) {
    guard let capabilities = capabilities(of: key) else { return }
    if case .rows = report, plan.isPaused(key) { return }
    let moment = advance()
    let wanted = capabilities.isWhole ? nil : Set(capabilities.pairs)
    switch report {
    case .live(let pairs, let quiet, _, _):
      // A table followed as a whole is still polled as often, and contains all of the stream's pairs.
      plan.stream(wanted.map(pairs.intersection) ?? pairs, quiet: wanted.map(quiet.intersection) ?? [], of: key)
    case .broken, .connecting: plan.stream([], of: key)
    case .rows, .life: break
    }
    change(key, at: moment) { feed in
      switch report {
      case .live, .rows, .life: feed.contacted = moment
      case .connecting, .broken: feed.rows.streamedProducts = [:]
      }
      switch report {
      case .connecting:
        (feed.quiet, feed.polledPairs) = ([], [:])
        if case .broken = feed.stream {} else { feed.stream = .connecting }
      case .live(let pairs, let quiet, let refused, let products):
        feed.stream = .live(life: moment)
        feed.streamed = pairs
        feed.rows.streamedProducts = products
        feed.polledPairs = refused.filter { wanted?.contains($0.key) ?? true }
        feed.note(quiet: plan.quiet(of: key), of: capabilities.isWhole ? [] : quiet)
      case .broken(let reason, let retry):
        (feed.quiet, feed.polledPairs) = ([], [:])
        feed.stream = .broken(reason: reason, retry: retry)
      case .life: if case .live = feed.stream { feed.stream = .live(life: moment) }
      case .rows(let rows):
        feed.rows.take(rows.arrived(by: moment), pairs: wanted)
        feed.answered = moment
        if feed.isAllStreamed { feed.failure = nil }
        if case .live = feed.stream { feed.stream = .live(life: moment) }
      }
    }
    if case .broken = report { sleeper?.cancel() }
  }

  private func finish(_ report: RateReport) {
    isAskingRate = false
    board.withLock { $0.rate = report }
    onChange()
  }

  private func finish(_ key: FeedKey, _ query: FeedQuery, _ reports: [ExchangeReport]) {
    guard let place = places[key], !Task.isCancelled else { return }
    let moment = advance()
    let feed = board.withLock { $0.feeds[place] }
    let traded = feed.halted.subtracting(plan.dormant(of: key)).union(feed.rows.rows.map(\.ticker.pair))
    let reading = FeedReading(feed.capabilities, query, reports, traded: traded)
    let (outcome, failure) = reading.outcome
    deliver(reading, of: key)
    plan.finish(key, outcome, at: moment)
    let tries = plan.failures(of: key)
    let streamed = plan.streamed(of: key)
    change(key, at: moment) { feed in
      let quiet = plan.quiet(of: key)
      // A stream that is quiet about one product of a pair may still bring another's.
      let silence = moment.advanced(by: .seconds(-FeedPlan.quietSeconds))
      let said = quiet.reduce(into: [:]) { $0[$1] = feed.rows.prices(of: $1, notAfter: silence) }
      reading.put(into: &feed.rows, streamed: streamed, asked: feed.asked, at: moment)
      plan.doubt(
        quiet.filter { pair in
          let now = feed.rows.prices(of: pair)
          return said[pair]?.contains { now[$0] != $1 } ?? false
        }, of: key)
      feed.note(quiet: plan.quiet(of: key), of: quiet)
      if !outcome.isFailure {
        feed.unlisted = plan.unlisted(of: key)
        if case .pairs(let pairs, _) = query { feed.halted.subtract(pairs) } else { feed.halted = [] }
        feed.halted.formUnion(outcome.halted)
        feed.answered = min(reports.flatMap(\.requests).map(\.arrival).max() ?? moment, moment)
        // An answer about a few pairs says nothing about the others.
        feed.rowCount =
          query == .whole ? reports.reduce(0) { $0 + $1.table.rows.count } : max(feed.rowCount, feed.rows.rows.count)
        feed.requests = reports.flatMap(\.requests)
      }
      let isOffline = outcome.isFailure && failure?.isConnectionFailure == true
      if !isOffline { feed.contacted = moment }
      feed.failure = failure.map {
        FeedState.Failure(
          $0, since: feed.failure?.since ?? moment,
          offlineSince: isOffline ? feed.failure?.offlineSince ?? moment : nil, tries: max(1, tries),
          isPartial: !outcome.isFailure)
      }
    }
    sleeper?.cancel()
  }

  /// Returns what a feed offers; nil if there is no such feed, or it is not followed.
  private func capabilities(of key: FeedKey) -> FeedCapabilities? {
    guard let place = places[key] else { return nil }
    return board.withLock { $0.feeds[place].isFollowed ? $0.feeds[place].capabilities : nil }
  }

  /// Changes one feed, and updates it from the plan.
  private func change(_ key: FeedKey, at moment: Instant, _ change: (inout FeedState) -> Void) {
    guard let place = places[key] else { return }
    board.withLock { board in
      change(&board.feeds[place])
      board.feeds[place].retry = plan.retry(of: key)
      board.feeds[place].period = plan.period(of: key, at: moment)
      if let limit = board.feeds[place].capabilities.limit {
        board.feeds[place].spent = plan.spent(of: limit, at: moment)
      }
    }
    onChange()
  }
}
