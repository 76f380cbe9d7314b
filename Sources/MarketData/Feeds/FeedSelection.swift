package import Config
package import Mapping
package import Quotes

/// Tables that are followed as a whole.
package struct WholeTables: Sendable {
  package let market: Market
  /// nil for those of all exchanges.
  package let exchanges: Set<String>?

  package init(_ market: Market, of exchanges: Set<String>?) { (self.market, self.exchanges) = (market, exchanges) }

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
    (self.pairs, self.exchanges, self.fields) = (pairs, exchanges, fields)
  }

  /// Returns a feed for each market, in the order of the config.
  package func feeds(in session: MarketSession, _ options: Interpretation) -> [FeedState] {
    var feeds: [FeedState] = []
    let badges = session.configuration.badges
    for exchange in exchanges {
      for market in exchange.markets {
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
