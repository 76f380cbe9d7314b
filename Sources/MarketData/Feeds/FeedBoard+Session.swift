import Config
package import Mapping
package import Quotes
import Synchronization

extension FeedBoard {
  /// Creates the board for a session's feeds.
  ///
  /// A replay uses the recordings' own clock, which shows the arrival of the newest answer played so far.
  package static func following(
    _ selection: FeedSelection, in session: MarketSession, _ options: Interpretation,
    replayed: ReplayClock = ReplayClock(), onChange: @escaping @Sendable () -> Void = {}
  ) -> (board: FeedBoard, now: @Sendable () -> Instant) {
    let feeds = selection.feeds(in: session, options)
    let markets = selection.exchanges.flatMap { exchange in
      exchange.markets.map { (FeedKey(exchange: exchange.name, market: $0.market), (exchange, $0)) }
    }
    let asked = Dictionary(markets) { _, last in last }
    var whole = TableQuery(fields: selection.fields, options: options)
    whole.sought = Set(selection.pairs + selection.companions)
    let query = whole
    let isReplay = session.replay != nil
    let now: @Sendable () -> Instant = {
      isReplay ? replayed.time ?? session.recordedStart ?? session.clock() : session.clock()
    }
    // The feeds whose last answers all failed.
    let failing = Mutex<Set<FeedKey>>([])
    let ask: Ask = { key, wanted in
      guard let (exchange, market) = asked[key] else { return [] }
      // The plan itself polls a failing feed less and less often, so single polls of it are not retried.
      let client = session.newRound(isRetried: !failing.withLock { $0.contains(key) })
      let reports: [ExchangeReport]
      switch wanted {
      case .whole: reports = [await client.report(on: market, of: exchange, query)]
      case .pairs(let pairs, let searched):
        reports = await concurrently(pairs) { pair in
          var own = query
          own.pair = pair
          own.isSearched = searched.contains(pair)
          return await client.report(on: market, of: exchange, own)
        }
      }
      if isReplay { replayed.turn(to: reports.flatMap(\.requests).map(\.arrival).max()) }
      let hasFailed = reports.allSatisfy { $0.status == .failed }
      failing.withLock { if hasFailed { _ = $0.insert(key) } else { _ = $0.remove(key) } }
      return reports
    }
    var askRate: (@Sendable () async -> RateReport)?
    if selection.asksRate {
      askRate = {
        let report = await session.newRound().headerRate(session.configuration, options)
        if isReplay { replayed.turn(to: report.quote?.arrival) }
        return report
      }
    }
    return (FeedBoard(feeds, now: now, ask: ask, askRate: askRate, onChange: onChange), now)
  }
}
