import Config
import Mapping
package import Quotes

/// Streams that feed a board: what of their events is news for which feed.
///
/// The board asks for whatever no stream brings. A feed's rows begin with an answer to the board's own question; before that
/// a stream has nothing to renew. A pair that its stream says nothing of for a minute is asked for once a minute: its trading may
/// have ended, or the messages about it mean nothing any more, while the connection goes on. The stream holds that answer against
/// what it said last, and asks for none of its own.
package actor FeedStreams {
  private let board: FeedBoard
  private var heard: [FeedKey: HeardPairs] = [:]

  init(_ board: FeedBoard) { self.board = board }

  /// Feeds a board until the task is cancelled.
  ///
  /// - Parameter selection: what the board follows.
  package static func run(_ board: FeedBoard, _ selection: FeedSelection, in session: MarketSession) async {
    let (markets, question) = streamed(selection, in: session)
    guard !markets.isEmpty else { return }
    let feeds = FeedStreams(board)
    let run = StreamRun(session, markets, question) { await board.answers(about: $0, of: $1) }
    await run.follow { events in
      await feeds.take(events)
      return true
    }
    await feeds.stop()
  }

  /// From now on the board asks for everything.
  private func stop() async {
    for (key, pairs) in heard where !pairs.isEmpty { await board.take(.connecting, of: key) }
    heard = [:]
  }

  /// Feeds a board from what streams said in the recordings of a replay.
  ///
  /// - Parameter pace: is told of each moment before anything of it is on the board; false ends it.
  /// - Throws: `CassetteError` for recordings that cannot be read.
  package static func play(
    _ board: FeedBoard, _ selection: FeedSelection, in session: MarketSession, _ pace: (Instant) async -> Bool
  ) async throws {
    let (markets, question) = streamed(selection, in: session)
    guard let directory = session.replay, !markets.isEmpty else { return }
    let feeds = FeedStreams(board)
    var replay = try StreamReplay(session, markets, question, from: directory)
    await replay.play { moment, events in
      guard await pace(moment) else { return false }
      await feeds.take(events)
      return true
    }
  }

  /// The markets whose streams may bring one of the pairs, and what they are asked.
  private static func streamed(
    _ selection: FeedSelection, in session: MarketSession
  ) -> (markets: [(exchange: Exchange, market: ExchangeMarket)], StreamQuestion) {
    let pairs = selection.pairs + selection.companions
    let tables = selection.tables
    let options = session.interpretation()
    let hooks = session.client.hooks.names
    // A board's exchanges are read without their streams, so that its first picture need not wait for them.
    let exchanges = selection.exchanges.filter(\.isEnabled).compactMap { exchange in
      session.configuration.exchange(named: exchange.name).flatMap {
        session.configuration.read(
          $0, ExchangeExtent(markets: tables.map { [$0.market] } ?? selection.markets, hasStreams: true), hooks: hooks
        ).exchange
      }
    }
    let markets = exchanges.flatMap { $0.enabled(among: selection.markets) }.filter { exchange, market in
      guard market.streams.contains(where: { $0[.ticker] != nil || $0[.tickers] != nil }) else { return false }
      if let tables { return tables.contains(market.market, of: exchange.name) }
      return market.tickers.contains { table in
        pairs.contains { table.canHold(payment: $0.payment, globalAliases: options.globalAliases) }
      }
    }
    return (markets, StreamQuestion(tables == nil ? pairs : nil, [.ticker], isOfFeeds: true, options))
  }

  /// Rows that come together go on the board together: a table of thousands is not put there row by row.
  func take(_ events: [StreamEvent]) async {
    var rows: [FeedKey: [Ticker]] = [:]
    for event in events {
      let key = FeedKey(exchange: event.exchange, market: event.market)
      if case .ticker(let row) = event.content {
        if event.isStreamed { rows[key, default: []].append(row) }
        continue
      }
      await put(rows.removeValue(forKey: key) ?? [], of: key)
      switch event.content {
      case .ticker: break
      case .connected:
        heard[key, default: HeardPairs()].begin(at: event.arrival)
        if heard[key]?.isEmpty ?? true { await board.take(.connecting, of: key) }
      case .life:
        await board.take(.life, of: key)
        let feed = board.state[key].flatMap { $0.means.isWhole ? nil : $0 }
        let listed = feed.map { feed in feed.means.pairs.filter { !feed.rows[$0].isEmpty } } ?? []
        if let report = heard[key]?.look(at: event.arrival, for: listed) { await board.take(report, of: key) }
      // A replay has what was recorded, and misses nothing else.
      case .fallback(let failure, _) where failure.reason == TableFailure.notRecorded: break
      case .fallback(let failure, let retry):
        await fall(back: event.pair, failure, retry, at: event.arrival, of: key)
      case .gap, .missed, .refused, .leftOut, .failed, .trades, .orderbook, .candle: break
      }
    }
    for (key, tickers) in rows { await put(tickers, of: key) }
  }

  private func put(_ tickers: [Ticker], of key: FeedKey) async {
    guard !tickers.isEmpty, let known = board.state[key]?.rows else { return }
    var newest: [RowKey: TickerRow] = [:]
    let rows = tickers.compactMap { ticker -> TickerRow? in
      guard let row = (newest[ticker.key] ?? known[ticker.key])?.renewed(ticker) else { return nil }
      newest[ticker.key] = row
      return row
    }
    guard !rows.isEmpty else { return }
    if let report = heard[key, default: HeardPairs()].hear(rows.map(\.ticker)) { await board.take(report, of: key) }
    await board.take(.rows(rows), of: key)
  }

  /// - Parameter pair: nil for all of the connection, of which nobody says which they are: then all of the feed, until the
  ///   next message of each.
  private func fall(
    back pair: Pair?, _ failure: TableFailure, _ retry: Instant?, at now: Instant, of key: FeedKey
  ) async {
    heard[key, default: HeardPairs()].fallBack(pair, failure.reason.code, at: now)
    guard let pairs = heard[key] else { return }
    await board.take(pairs.isEmpty ? .broken(reason: failure.reason.code, retry: retry) : pairs.report, of: key)
  }
}

/// Which pairs of a feed streams bring, which they are silent about, and which they do not bring.
private struct HeardPairs {
  /// When each was heard of last.
  private var heard: [Pair: Instant] = [:]
  private var quiet: Set<Pair> = []
  /// Why others do not come, where the exchange has said so, or nothing has come for long.
  private var refused: [Pair: String] = [:]
  /// When the last connection began or broke, and why what has not come since does not come.
  private var change: Instant?
  private var reason = TableFailure.streamSilent.reason.code

  private static let quietAfter = Duration.seconds(FeedPlan.quietSeconds)
  /// How long a connection has for the first message about a pair.
  private static let patience = Duration.seconds(10)

  var isEmpty: Bool { heard.isEmpty }

  var report: StreamReport { .live(Set(heard.keys).subtracting(quiet), quiet: quiet, refused: refused) }

  mutating func begin(at now: Instant) { (change, reason) = (now, TableFailure.streamSilent.reason.code) }

  /// Messages have come.
  ///
  /// - Returns: nil where that changes nothing but when.
  mutating func hear(_ tickers: [Ticker]) -> StreamReport? {
    var isNews = false
    for ticker in tickers {
      let before = heard.updateValue(
        ticker.arrival ?? heard[ticker.pair] ?? Instant(nanoseconds: 0), forKey: ticker.pair)
      if before == nil { isNews = true }
      if !quiet.isEmpty, quiet.remove(ticker.pair) != nil { isNews = true }
      if !refused.isEmpty, refused.removeValue(forKey: ticker.pair) != nil { isNews = true }
    }
    return isNews ? report : nil
  }

  /// Looks for pairs of which nothing came for long while the connection lives.
  ///
  /// - Parameter listed: those that should come.
  mutating func look(at now: Instant, for listed: [Pair]) -> StreamReport? {
    let old = (quiet, refused)
    quiet = Set(heard.filter { $0.value.advanced(by: Self.quietAfter) <= now }.keys)
    if !heard.isEmpty, change.map({ $0.advanced(by: Self.patience) <= now }) ?? true {
      for pair in listed where heard[pair] == nil && refused[pair] == nil { refused[pair] = reason }
    }
    return old == (quiet, refused) ? nil : report
  }

  /// - Parameter pair: nil for all.
  mutating func fallBack(_ pair: Pair?, _ reason: String, at now: Instant) {
    guard let pair else {
      (heard, quiet, change, self.reason) = ([:], [], now, reason)
      return
    }
    heard[pair] = nil
    quiet.remove(pair)
    refused[pair] = reason
  }
}
