import Config
import Mapping
import Quotes

extension PairPoller {
  /// Follows the sources until the task is cancelled: by streams what those provide, and by polling everything else.
  ///
  /// Each source starts with answers to requests, so that there is a picture before any stream message, and continues
  /// with them while its stream is broken.
  package func run(_ tell: @escaping @Sendable (PairEvent) -> Void) async {
    let live = LiveChannels(sources, subjects)
    let (markets, query) = streamed
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await run(beside: live, tell) }
      group.addTask {
        await StreamRun(session, markets, query).follow { events in
          for event in events.flatMap(live.take) {
            note(event)
            tell(event)
          }
          return true
        }
      }
    }
  }

  /// Notes whether a message puts a contract size in doubt.
  private func note(_ event: PairEvent) {
    guard case .ticker(.success(let row)) = event.content, row.flags.contains(where: { $0.kind == .turnover }) else {
      return
    }
    session.client.noteDoubt(about: row.pair, on: row.market, of: row.exchange)
  }

  /// The markets with streams, each once, and what to stream from them: a market shown in one payment currency does not
  /// need pairs in others.
  var streamed: (markets: [AskedMarket], query: StreamQuery) {
    var markets: [AskedMarket] = []
    var pairs: [FeedKey: [Pair]] = [:]
    for source in sources where !source.market.streams.isEmpty {
      let key = FeedKey(exchange: source.exchange.name, market: source.market.market)
      if pairs[key] == nil { markets.append((source.exchange, source.market)) }
      pairs[key] = (pairs[key, default: []] + [source.query.pair]).unique
    }
    var query = StreamQuery(
      sources.map(\.query.pair).unique, subjects.compactMap(\.channel), interval: candles?.interval ?? .oneMinute,
      servesFeeds: true, session.interpretation())
    query.pairsByMarket = pairs
    return (markets, query)
  }
}
