import Config
import Mapping
package import Quotes

/// Streams that feed a board: what of their events is news for which feed.
///
/// The board asks for whatever no stream brings. A feed's rows begin with an answer to the board's own question; before that
/// a stream has nothing to renew. A pair that its stream says nothing of for a minute is asked for as well: its trading may
/// have ended, or the messages about it mean nothing any more, while the connection goes on.
package actor FeedStreams {
  private let board: FeedBoard
  /// The pairs that streams bring, by feed, and when each was heard of last.
  private var live: [FeedKey: [Pair: Instant]] = [:]
  private static let quietAfter = Duration.seconds(60)

  init(_ board: FeedBoard) { self.board = board }

  /// Feeds a board until the task is cancelled.
  ///
  /// - Parameter selection: what the board follows.
  package static func run(_ board: FeedBoard, _ selection: FeedSelection, in session: MarketSession) async {
    let (markets, question) = streamed(selection, in: session)
    guard !markets.isEmpty else { return }
    let feeds = FeedStreams(board)
    await StreamRun(session, markets, question).follow { events in
      await feeds.take(events)
      return true
    }
    await feeds.stop()
  }

  /// From now on the board asks for everything.
  private func stop() async {
    for (key, pairs) in live where !pairs.isEmpty { await board.take(.connecting, of: key) }
    live = [:]
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
      case .connected: if live[key, default: [:]].isEmpty { await board.take(.connecting, of: key) }
      case .life:
        await board.take(.life, of: key)
        await leaveQuiet(at: event.arrival, of: key)
      // A replay has what was recorded, and misses nothing else.
      case .fallback(let failure, _) where failure.reason == TableFailure.notRecorded: break
      case .fallback(let failure, let retry): await fall(back: event.pair, failure, retry, of: key)
      case .gap, .missed, .refused, .failed, .trades, .orderbook, .candle: break
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
    let count = live[key]?.count ?? 0
    for row in rows { live[key, default: [:]][row.ticker.pair] = row.ticker.arrival }
    if let pairs = live[key]?.keys, pairs.count > count { await board.take(.live(Set(pairs)), of: key) }
    await board.take(.rows(rows), of: key)
  }

  /// - Parameter pair: nil for all of the connection, of which nobody says which they are: then all of the feed, until the
  ///   next message of each.
  private func fall(
    back pair: Pair?, _ failure: TableFailure, _ retry: Instant?, of key: FeedKey
  ) async {
    if let pair { live[key]?[pair] = nil } else { live[key] = [:] }
    let rest = pairs(of: key)
    await board.take(rest.isEmpty ? .broken(reason: failure.reason.code, retry: retry) : .live(rest), of: key)
  }

  /// Leaves to requests what a connection that lives has been silent about.
  private func leaveQuiet(at now: Instant, of key: FeedKey) async {
    guard let heard = live[key] else { return }
    let speaking = heard.filter { $0.value.advanced(by: Self.quietAfter) > now }
    guard speaking.count < heard.count else { return }
    live[key] = speaking
    await board.take(speaking.isEmpty ? .connecting : .live(pairs(of: key)), of: key)
  }

  private func pairs(of key: FeedKey) -> Set<Pair> { Set(live[key, default: [:]].keys) }
}
