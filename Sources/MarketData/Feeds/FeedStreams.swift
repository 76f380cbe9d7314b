package import Config
package import Mapping
package import Quotes

/// Streams that feed a board: what of their events is news for which feed.
///
/// The board asks for whatever no stream brings. A feed's rows begin with an answer to the board's own question; before that
/// a stream has nothing to renew.
package struct FeedStreams: Sendable {
  private let board: FeedBoard
  /// The pairs that streams bring, by feed.
  private var live: [FeedKey: Set<Pair>] = [:]

  package init(_ board: FeedBoard) { self.board = board }

  /// What the streams of these feeds are asked.
  package static func question(_ pairs: [Pair], _ options: Interpretation) -> StreamQuestion {
    StreamQuestion(pairs, [.ticker], isOfFeeds: true, options)
  }

  package mutating func take(_ events: [StreamEvent]) async {
    for event in events {
      let key = FeedKey(exchange: event.exchange, market: event.market)
      switch event.content {
      case .ticker(let row): await take(row, isStreamed: event.isStreamed, of: key)
      case .connected: if live[key, default: []].isEmpty { await board.take(.connecting, of: key) }
      case .life: await board.take(.life, of: key)
      case .fallback(let failure, let retry): await fall(back: event.pair, failure, retry, of: key)
      case .gap, .failed, .trades, .orderbook, .candle: break
      }
    }
  }

  private mutating func take(_ ticker: Ticker, isStreamed: Bool, of key: FeedKey) async {
    guard isStreamed, let known = board.state[key]?.rows.rows.first(where: { $0.ticker.key == ticker.key }) else { return }
    if live[key, default: []].insert(ticker.pair).inserted { await board.take(.live(live[key] ?? []), of: key) }
    await board.take(.rows([known.renewed(ticker)]), of: key)
  }

  /// - Parameter pair: nil for all of the connection, of which nobody says which they are: then all of the feed, until the
  ///   next message of each.
  private mutating func fall(
    back pair: Pair?, _ failure: TableFailure, _ retry: Instant?, of key: FeedKey
  ) async {
    if let pair { live[key]?.remove(pair) } else { live[key] = [] }
    let rest = live[key] ?? []
    await board.take(rest.isEmpty ? .broken(reason: failure.reason.code, retry: retry) : .live(rest), of: key)
  }
}

extension FeedSelection {
  /// The markets whose streams may bring one of the pairs.
  package func streamed(_ options: Interpretation) -> [(exchange: Exchange, market: ExchangeMarket)] {
    exchanges.flatMap { $0.enabled(among: markets) }.filter { _, market in
      market.streams.contains { $0[.ticker] != nil || $0[.tickers] != nil }
        && market.tickers.contains { table in
          (pairs + companions).contains {
            table.canHold(payment: $0.payment, globalAliases: options.globalAliases)
          }
        }
    }
  }
}
