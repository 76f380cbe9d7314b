import Config
import Mapping
package import Quotes

/// Streams that feed a board: what of their events is news for which feed.
///
/// The board asks for whatever no stream brings. A feed's rows begin with an answer to the board's own question; before that
/// a stream has nothing to renew.
package actor FeedStreams {
  private let board: FeedBoard
  /// The pairs that streams bring, by feed.
  private var live: [FeedKey: Set<Pair>] = [:]

  private init(_ board: FeedBoard) { self.board = board }

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
    let options = session.interpretation()
    let hooks = session.client.hooks.names
    // A board's exchanges are read without their streams, so that its first picture need not wait for them.
    let exchanges = selection.exchanges.filter(\.isEnabled).compactMap { exchange in
      session.configuration.exchange(named: exchange.name).flatMap {
        session.configuration.read($0, ExchangeExtent(markets: selection.markets, hasStreams: true), hooks: hooks)
          .exchange
      }
    }
    let markets = exchanges.flatMap { $0.enabled(among: selection.markets) }.filter { _, market in
      market.streams.contains { $0[.ticker] != nil || $0[.tickers] != nil }
        && market.tickers.contains { table in
          pairs.contains { table.canHold(payment: $0.payment, globalAliases: options.globalAliases) }
        }
    }
    return (markets, StreamQuestion(pairs, [.ticker], isOfFeeds: true, options))
  }

  private func take(_ events: [StreamEvent]) async {
    for event in events {
      let key = FeedKey(exchange: event.exchange, market: event.market)
      switch event.content {
      case .ticker(let row): await take(row, isStreamed: event.isStreamed, of: key)
      case .connected: if live[key, default: []].isEmpty { await board.take(.connecting, of: key) }
      case .life: await board.take(.life, of: key)
      // A replay has what was recorded, and misses nothing else.
      case .fallback(let failure, _) where failure.reason == TableFailure.notRecorded: break
      case .fallback(let failure, let retry): await fall(back: event.pair, failure, retry, of: key)
      case .gap, .failed, .trades, .orderbook, .candle: break
      }
    }
  }

  private func take(_ ticker: Ticker, isStreamed: Bool, of key: FeedKey) async {
    guard isStreamed, let known = board.state[key]?.rows.rows.first(where: { $0.ticker.key == ticker.key }) else {
      return
    }
    if live[key, default: []].insert(ticker.pair).inserted { await board.take(.live(live[key] ?? []), of: key) }
    await board.take(.rows([known.renewed(ticker)]), of: key)
  }

  /// - Parameter pair: nil for all of the connection, of which nobody says which they are: then all of the feed, until the
  ///   next message of each.
  private func fall(
    back pair: Pair?, _ failure: TableFailure, _ retry: Instant?, of key: FeedKey
  ) async {
    if let pair { live[key]?.remove(pair) } else { live[key] = [] }
    let rest = live[key] ?? []
    await board.take(rest.isEmpty ? .broken(reason: failure.reason.code, retry: retry) : .live(rest), of: key)
  }
}
