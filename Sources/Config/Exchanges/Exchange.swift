package import Quotes

/// An exchange as the config describes it.
package struct Exchange: Sendable {
  package let name: String
  /// Further names by which people know it.
  package var names: [String] = []
  /// Up to three letters or an emoji, for places without room.
  package var badge: String?
  package var documentation: String?
  package var note: String?
  package var isEnabled = true
  package var markets: [ExchangeMarket] = []
  package let node: ConfigNode

  package func market(_ market: Market) -> ExchangeMarket? { markets.first { $0.market == market } }

  /// Those of some markets that may be asked.
  package func enabled(among wanted: [Market]) -> [(exchange: Exchange, market: ExchangeMarket)] {
    isEnabled ? markets.filter { $0.isEnabled && wanted.contains($0.market) }.map { (self, $0) } : []
  }
}

/// The spot or the futures side of an exchange.
package struct ExchangeMarket: Sendable {
  package let market: Market
  package var isEnabled = true
  /// How often a live view asks.
  package var refreshMilliseconds = 1000
  /// All pairs: the parts of one table; empty where `isOfOnePair`.
  package var tickers: [TableSpec] = []
  /// One pair: the parts that can be asked for it. Empty where the config has no `ticker`.
  package var ticker: [TableSpec] = []

  /// How the order book of one pair is asked for; nil where the config does not say.
  package var orderbook: BookSpec?
  /// nil where the config does not say.
  package var takerFees: TakerFees?

  /// Whether the tables of all pairs and the order book were left unread: those of `ticker` hold the same pairs.
  package var isOfOnePair = false

  /// Whether a pair that the request for one does not list may stand in the table of all under a newer name.
  package var renamesPairs = false

  /// True where names such as 1000PEPE, or a renamed pair, may be hidden from a request for one pair.
  package var mayHidePairs: Bool { renamesPairs || (tickers + ticker).contains { !$0.multipliers.isEmpty } }
}
