import Config
import Mapping
import Quotes

/// Feeds a board from streams: passes on each event that is news to the right feed.
///
/// The board polls whatever no stream provides. A feed's rows start with an answer to the board's own poll; before
/// that, a stream has nothing to update. A pair that its stream does not mention for a minute is polled once a minute,
/// as its trading may have ended, or its messages may have become unreadable while the connection lives. The stream
/// compares that answer with its last data, and sends no request of its own.
package actor FeedStreams {
  private let board: FeedBoard
  private let explanations: RowExplanations?
  private var heard: [FeedKey: StreamedRows] = [:]

  init(_ board: FeedBoard, explaining explanations: RowExplanations? = nil) {
    (self.board, self.explanations) = (board, explanations)
  }

  /// Feeds a board until the task is cancelled.
  ///
  /// - Parameters:
  ///   - selection: What the board follows.
  ///   - explanations: The requests for explanations of its rows.
  package static func run(
    _ board: FeedBoard, _ selection: FeedSelection, in session: MarketSession, explaining explanations: RowExplanations
  ) async {
    let (markets, query) = await begin(board, selection, in: session)
    guard !markets.isEmpty else { return }
    let feeds = FeedStreams(board, explaining: explanations)
    let run = StreamRun(session, markets, query, explanations: explanations) {
      await board.answers(about: $0, of: $1)
    }
    await run.follow { events in
      await feeds.take(events)
      return true
    }
    await feeds.stop()
  }

  /// Stops the streams, so that the board polls everything.
  private func stop() async {
    for (key, rows) in heard where !rows.isEmpty { await board.take(.connecting, of: key) }
    heard = [:]
  }

  /// Feeds a board from the streams in the recordings of a replay.
  ///
  /// - Parameter pace: Called with each moment before its events are put on the board; returns false to end.
  /// - Throws: `CassetteError` for recordings that cannot be read.
  package static func play(
    _ board: FeedBoard, _ selection: FeedSelection, in session: MarketSession, _ pace: (ReplayMoment) async -> Bool
  ) async throws {
    let (markets, query) = await begin(board, selection, in: session)
    guard let directory = session.replay, !markets.isEmpty else { return }
    let feeds = FeedStreams(board)
    var replay = try StreamReplay(session, markets, query, from: directory)
    await replay.play { moment, events in
      guard await pace(moment) else { return false }
      await feeds.take(events)
      return true
    }
  }

  /// Returns the markets whose streams may provide one of the pairs, and the query for them. The board is told of
  /// exchanges whose streams cannot be read.
  private static func begin(
    _ board: FeedBoard, _ selection: FeedSelection, in session: MarketSession
  ) async -> (markets: [AskedMarket], StreamQuery) {
    let pairs = selection.pairs + selection.companions
    let tables = selection.tables
    let options = session.interpretation()
    let hooks = session.client.hooks.names
    // A board's exchanges are parsed without their streams, so as not to delay its first picture.
    let extent = ExchangeExtent(markets: tables.map { [$0.market] } ?? Market.allCases, hasStreams: true)
    var exchanges: [Exchange] = []
    for known in selection.exchanges where known.isEnabled {
      guard let source = session.configuration.exchange(named: known.name) else { continue }
      if let exchange = session.configuration.read(source, extent, hooks: hooks).exchange {
        exchanges.append(exchange)
      } else {
        for market in known.markets {
          let key = FeedKey(exchange: known.name, market: market.market)
          await board.take(.broken(reason: StreamLapse.invalidConfig.reason, retry: nil), of: key)
        }
      }
    }
    let markets = exchanges.flatMap { $0.enabled(among: Market.allCases) }.filter { exchange, market in
      guard market.streams.contains(where: { $0[.ticker] != nil || $0[.tickers] != nil }) else { return false }
      if let tables { return tables.contains(market.market, of: exchange.name) }
      return market.tickers.contains { table in pairs.contains { table.canHold($0, options) } }
    }
    return (markets, StreamQuery(tables == nil ? pairs : nil, [.ticker], servesFeeds: true, options))
  }

  /// Puts rows that arrive together on the board together, as a table may have thousands.
  func take(_ events: [StreamEvent]) async {
    var rows: [FeedKey: [Ticker]] = [:]
    // Many pairs of a connection may fall back together.
    var fallen: [FeedKey: (failure: AnswerFailure, retry: Instant?)] = [:]
    for event in events {
      let key = FeedKey(exchange: event.exchange, market: event.market)
      if case .ticker(let row) = event.content {
        if event.isStreamed, await leavesOut(row, of: key, after: rows[key] ?? []) { continue }
        if event.explanation != nil { explanations?.tell(event, of: row.key) }
        if event.isStreamed { rows[key, default: []].append(row) }
        continue
      }
      await put(rows.removeValue(forKey: key) ?? [], of: key)
      switch event.content {
      case .ticker: break
      case .connected:
        heard[key, default: StreamedRows()].begin(at: event.arrival)
        if heard[key]?.isEmpty ?? true { await board.take(.connecting, of: key) }
      case .life:
        await board.take(.life, of: key)
        let feed = board.state[key].flatMap { $0.capabilities.isWhole ? nil : $0 }
        let listed = feed.map { feed in feed.capabilities.pairs.flatMap { feed.rows[$0].map(\.ticker) } } ?? []
        if let report = heard[key]?.look(at: event.arrival, for: listed) { await board.take(report, of: key) }
      // A replay only has what was recorded, and nothing else is missing.
      case .fallback(let failure, _) where failure.isUnrecorded: break
      case .fallback(let failure, let retry):
        // A table followed as a whole contains the pairs that are never traded.
        let isUnheard = [.silent(.unheard), .silent(.unnamed)].contains(failure.lapse)
        if event.pair != nil, isUnheard, board.state[key]?.capabilities.isWhole ?? false { break }
        // Without a pair all pairs of a connection fall back. As those are unknown, all of the feed do until the next
        // message about each.
        heard[key, default: StreamedRows()].fallBack(.init(event), failure.reason, at: event.arrival)
        fallen[key] = (failure, retry)
      case .refused(let failure) where failure.lapse == .unpriced:
        heard[key, default: StreamedRows()].fallBack(.init(event), failure.reason, at: event.arrival)
        fallen[key] = (failure, nil)
      case .gap, .missed, .refused, .leftOut, .failed, .trades, .orderbook, .candle: break
      }
    }
    for (key, tickers) in rows { await put(tickers, of: key) }
    for (key, (failure, retry)) in fallen {
      guard let rows = heard[key] else { continue }
      await board.take(rows.isEmpty ? .broken(reason: failure.reason, retry: retry) : rows.report, of: key)
    }
  }

  /// Returns whether a row is left out, since a stream begins with it and the answer to the board's own poll is newer.
  /// Its pair is polled until the stream has caught up; when answers fail again and again, the stream counts.
  ///
  /// - Parameter earlier: The rows that are yet to be put on the board.
  private func leavesOut(_ ticker: Ticker, of key: FeedKey, after earlier: [Ticker]) async -> Bool {
    guard let feed = board.state[key], let sent = ticker.time, let arrival = ticker.arrival, feed.rows.outdates(ticker),
      feed.failure.map({ $0.tries < PairState.comparisonTries }) ?? true,
      !earlier.contains(where: { $0.key == ticker.key })
    else { return false }
    let (verdict, report) = heard[key, default: StreamedRows()].takeLate(.init(ticker), sent: sent, at: arrival)
    if let report { await board.take(report, of: key) }
    return verdict != .counts
  }

  private func put(_ tickers: [Ticker], of key: FeedKey) async {
    guard !tickers.isEmpty, let known = board.state[key]?.rows else { return }
    var newest: [RowKey: TickerRow] = [:]
    let rows = tickers.compactMap { ticker -> TickerRow? in
      guard let row = (newest[ticker.key] ?? known[ticker.key])?.renewed(ticker) else { return nil }
      newest[ticker.key] = row
      return row
    }
    if let report = heard[key, default: StreamedRows()].hear(rows.map(\.ticker)) { await board.take(report, of: key) }
    await board.take(.rows(rows), of: key)
  }
}

/// Which rows of a feed streams provide, which they do not mention, and which they do not provide. What a feed polls are
/// pairs: a stream provides one only if it provides the rows of all its products.
private struct StreamedRows {
  struct Row: Hashable {
    let pair: Pair
    let product: String?

    init(_ ticker: Ticker) { (pair, product) = (ticker.pair, ticker.product) }

    /// nil for an event about all pairs.
    init?(_ event: StreamEvent) {
      guard let pair = event.pair else { return nil }
      (self.pair, product) = (pair, event.product)
    }
  }

  /// When each row was last mentioned with its price.
  private var heard: [Row: Instant] = [:]
  private var quiet: Set<Row> = []
  /// Why other rows are missing: the exchange has said so, or nothing has arrived for a long time.
  private var refused: [Row: Missing] = [:]
  /// Those whose messages are older than an answer.
  private var late: [Row: LateMessages] = [:]
  /// When the last connection started or broke, and why rows not mentioned since are missing.
  private var change: Instant?
  private var reason = StreamLapse.silent(.lifeless).reason

  private static let behind = StreamLapse.behind.reason
  private static let quietAfter = Duration.seconds(FeedPlan.quietSeconds)

  var isEmpty: Bool { heard.isEmpty }

  var report: StreamReport {
    let refused = Dictionary(self.refused.map { ($0.pair, $1) }, uniquingKeysWith: { first, _ in first })
    let late = Set(self.late.keys.map(\.pair))
    let quiet = Set(self.quiet.map(\.pair)).subtracting(refused.keys).subtracting(late)
    let live = Set(heard.keys.map(\.pair)).subtracting(quiet).subtracting(refused.keys).subtracting(late)
    var products: [Pair: Set<String?>] = [:]
    for row in heard.keys where !live.contains(row.pair) && !self.quiet.contains(row) && self.refused[row] == nil {
      products[row.pair, default: []].insert(row.product)
    }
    return .live(live, quiet: quiet, refused: refused, products: products)
  }

  mutating func begin(at now: Instant) { (change, reason) = (now, StreamLapse.silent(.lifeless).reason) }

  /// Notes that messages have arrived.
  ///
  /// - Returns: nil if only the times have changed.
  mutating func hear(_ tickers: [Ticker]) -> StreamReport? {
    var isNews = false
    for ticker in tickers {
      let row = Row(ticker)
      if !late.isEmpty { late[row] = nil }
      let before = heard[row]
      // A message without a price says as little about it as none.
      if before != nil, ticker.otherPriceArrival != nil { continue }
      heard[row] = ticker.priceArrival ?? before ?? Instant(nanoseconds: 0)
      if before == nil { isNews = true }
      if !quiet.isEmpty, quiet.remove(row) != nil { isNews = true }
      if !refused.isEmpty, refused.removeValue(forKey: row) != nil { isNews = true }
    }
    return isNews ? report : nil
  }

  /// Looks for rows that have not been mentioned for a long time while the connection is alive.
  ///
  /// - Parameter listed: The expected rows. A product that is missing from those of its pair is no longer listed, and
  ///   must not keep the pair from being provided.
  mutating func look(at now: Instant, for listed: [Ticker]) -> StreamReport? {
    let old = (quiet, refused, late.count)
    let rows = Set(listed.map(Row.init))
    let pairs = Set(rows.map(\.pair))
    func isListed(_ row: Row) -> Bool { rows.contains(row) || !pairs.contains(row.pair) }
    heard = heard.filter { isListed($0.key) }
    refused = refused.filter { isListed($0.key) }
    late = late.filter { isListed($0.key) }
    quiet = Set(heard.filter { $0.value.advanced(by: Self.quietAfter) <= now }.keys)
    if !heard.isEmpty, change.map({ $0.advanced(by: PairFeed.patience) <= now }) ?? true {
      for row in rows where heard[row] == nil && refused[row] == nil && late[row] == nil { refused[row] = reason }
    }
    for row in late.keys where late[row]?.isDue(at: now) == true { refused[row] = Self.behind }
    return old == (quiet, refused, late.count) ? nil : report
  }

  /// Takes a message that is older than an answer.
  ///
  /// - Returns: What becomes of it, and what to report; nil if nothing.
  mutating func takeLate(
    _ row: Row, sent: Instant, at arrival: Instant
  ) -> (verdict: LateMessages.Verdict, report: StreamReport?) {
    let isFirst = late[row] == nil
    let verdict = late[row, default: LateMessages()].take(sent: sent, at: arrival)
    switch verdict {
    case .counts: return (verdict, nil)
    case .leftOut:
      quiet.remove(row)
      let wasHeard = heard.removeValue(forKey: row) != nil
      // Other products of the pair may be heard.
      guard wasHeard || isFirst && !isEmpty else { return (verdict, nil) }
      return (verdict, isEmpty ? .connecting : report)
    case .reported:
      (heard[row], refused[row]) = (nil, Self.behind)
      quiet.remove(row)
      return (verdict, isEmpty ? .broken(reason: Self.behind, retry: nil) : report)
    }
  }

  /// - Parameter row: nil for all.
  mutating func fallBack(_ row: Row?, _ reason: Missing, at now: Instant?) {
    guard let row else {
      (heard, quiet, late, change, self.reason) = ([:], [], [:], now, reason)
      return
    }
    late[row] = nil
    heard[row] = nil
    quiet.remove(row)
    refused[row] = reason
  }
}
