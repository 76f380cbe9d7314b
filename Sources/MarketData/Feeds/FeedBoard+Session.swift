package import Config
package import Mapping
package import Quotes
import Synchronization

/// Tables that are followed as a whole.
package struct WholeTables: Sendable {
  package let market: Market
  /// nil for those of all exchanges.
  package let exchanges: Set<String>?

  package init(_ market: Market, of exchanges: Set<String>?) {
    self.market = market
    self.exchanges = exchanges
  }

  func contains(_ market: Market, of exchange: String) -> Bool {
    market == self.market && exchanges?.contains(exchange) ?? true
  }
}

/// What a live view follows.
package struct FeedSelection: Sendable {
  /// The pairs to show, in order.
  package var pairs: [Pair]
  /// Additional pairs needed for other figures.
  package var companions: [Pair] = []
  package var markets: [Market] = Market.allCases
  /// The tables of which all pairs are followed; nil for none.
  package var tables: WholeTables?
  /// The exchanges in the order of the config; disabled ones have disabled feeds.
  package var exchanges: [Exchange]
  /// The exchanges whose block cannot be read.
  package var unreadable: [String] = []
  /// The fields to read from a row.
  package var fields: Set<TickerField>
  /// Whether to ask for the header's rate.
  package var asksRate = true

  package init(pairs: [Pair], exchanges: [Exchange], fields: Set<TickerField>) {
    self.pairs = pairs
    self.exchanges = exchanges
    self.fields = fields
  }

  /// Returns a feed for each market, in the order of the config.
  package func feeds(in session: MarketSession, _ options: Interpretation) -> [FeedState] {
    var feeds: [FeedState] = []
    let badges = Badges.distinct(exchanges.map { ($0.name, $0.badge) } + unreadable.map { ($0, nil) })
    for exchange in exchanges {
      for market in exchange.markets where markets.contains(market.market) {
        let capabilities = FeedCapabilities(
          market, of: exchange, pairs: pairs + companions,
          isWhole: tables?.contains(market.market, of: exchange.name) ?? false, fields: fields,
          globalAliases: options.globalAliases, keepsLookups: session.client.cache != nil)
        let isOn = exchange.isEnabled && market.isEnabled
        feeds.append(
          FeedState(
            FeedKey(exchange: exchange.name, market: market.market), badge: badges[exchange.name],
            capabilities: capabilities,
            // A list of other tables does not report what it does not ask.
            inactiveReason: capabilities.isIdle && (isOn || tables != nil) ? .noPair : isOn ? nil : .disabled,
            staleAfterSeconds: (session.configuration.settings.staleAfterMilliseconds + 999) / 1000))
      }
    }
    if tables?.exchanges != nil { return feeds }
    let unread = FeedCapabilities(termMilliseconds: 1000, pairs: [], wholeCost: nil)
    return feeds
      + unreadable.map {
        FeedState(
          FeedKey(exchange: $0, market: .spot), badge: badges[$0], capabilities: unread, inactiveReason: .unreadable)
      }
  }
}

extension FeedBoard {
  /// Creates the board for a session's feeds.
  ///
  /// A replay uses the recordings' own clock, which shows the arrival of the newest answer played so far.
  package static func following(
    _ selection: FeedSelection, in session: MarketSession, _ options: Interpretation,
    replayed: ReplayClock = ReplayClock(), onChange: @escaping @Sendable () -> Void = {}
  ) -> (board: FeedBoard, now: @Sendable () -> Instant) {
    let feeds = selection.feeds(in: session, options)
    var markets: [FeedKey: AskedMarket] = [:]
    for exchange in selection.exchanges {
      for market in exchange.markets {
        markets[FeedKey(exchange: exchange.name, market: market.market)] = (exchange, market)
      }
    }
    let query = TableQuery(market: nil, pair: nil, fields: selection.fields, options: options)
    let isReplay = session.replay != nil
    let now: @Sendable () -> Instant = {
      isReplay ? replayed.time ?? session.recordedStart ?? session.clock() : session.clock()
    }
    let asked = markets
    // The feeds whose last answers all failed.
    let failing = Mutex<Set<FeedKey>>([])
    let ask: Ask = { key, wanted in
      guard let (exchange, market) = asked[key] else { return [] }
      // The plan itself polls a failing feed less and less often, so single polls of it are not retried.
      let client = session.newRound(isRetried: !failing.withLock { $0.contains(key) })
      let reports: [ExchangeReport]
      switch wanted {
      case .whole: reports = [await client.report(on: market, of: exchange, query)]
      case .pairs(let pairs):
        reports = await concurrently(pairs) { pair in
          var own = query
          own.pair = pair
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
