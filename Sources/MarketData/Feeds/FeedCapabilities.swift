package import Config
package import HTTP
import Mapping
package import Quotes

/// The market of an exchange that a feed is for.
package struct FeedKey: Sendable, Hashable, CustomStringConvertible {
  package let exchange: String
  package let market: Market

  package init(exchange: String, market: Market) { (self.exchange, self.market) = (exchange, market) }

  /// `Binance futures`
  package var description: String { "\(exchange) \(market.rawValue)" }
}

/// The requests that a market offers for the followed pairs, and their costs.
package struct FeedCapabilities: Sendable, Hashable {
  /// The polling interval of live views, from the config; at least 1.
  package var termMilliseconds: Int
  /// The followed pairs that the market may list, judging by the payment currencies of its parts.
  package var pairs: [Pair]
  /// Whether all pairs of its table are followed.
  package var isWhole = false
  /// The cost of the table of all pairs; nil if there is none.
  package var wholeCost: Int?
  /// The minimum number of requests for that table.
  package var wholeParts = 1
  /// The cost of each single-pair request; without pairs that have none.
  package var pairCosts: [Pair: Int]
  /// Whether the table of all pairs is requested, too, if a request for one pair says that there is no such pair or that it
  /// is halted: it may have another name there.
  package var searchesWhole = false
  /// The rate limit that requests count against, as when they are sent; nil if the exchange states none for them.
  package var limit: SharedLimit?

  package init(
    termMilliseconds: Int, pairs: [Pair], wholeCost: Int?, pairCosts: [Pair: Int] = [:], limit: SharedLimit? = nil
  ) {
    self.termMilliseconds = max(1, termMilliseconds)
    self.pairs = pairs
    self.wholeCost = wholeCost
    self.pairCosts = pairCosts
    self.limit = limit
  }

  /// - Parameters:
  ///   - pairs: All followed pairs.
  ///   - isWhole: Whether the table of all pairs is followed, if there is one.
  ///   - fields: The fields to read from a row, which determine the lookups to request.
  ///   - keepsLookups: Whether lookups are cached on disk between requests.
  package init(
    _ market: ExchangeMarket, of exchange: Exchange, pairs: [Pair], isWhole: Bool = false, fields: Set<TickerField>,
    globalAliases: [String: String], keepsLookups: Bool
  ) {
    func cost(_ table: TableSpec) -> Int {
      let plan = TablePlan(table, market: market.market)
      let names = plan.requestedLookups.union(plan.lookups(for: fields))
      let lookups = table.lookups.filter { lookup in
        names.contains(lookup.name) && !(keepsLookups && lookup.timeToLiveSeconds > 0)
      }
      return table.request.cost + lookups.reduce(0) { $0 + ($1.request?.cost ?? 0) }
    }
    func parts(_ tables: [TableSpec], holding pair: Pair) -> [TableSpec] {
      tables.filter { $0.canHold(payment: pair.payment, globalAliases: globalAliases) }
    }
    let known = pairs.filter { !parts(market.tickers + market.ticker, holding: $0).isEmpty }
    var pairCosts: [Pair: Int] = [:]
    for pair in known {
      let own = parts(market.ticker, holding: pair)
      // If one of its parts lacks such a request, or cannot name every product of the pair in it, the pair is only found
      // in the table of all pairs.
      guard !own.isEmpty, own.count >= parts(market.tickers, holding: pair).count,
        own.allSatisfy({ $0.products(of: pair.payment, globalAliases: globalAliases).count <= 1 })
      else { continue }
      pairCosts[pair] = own.reduce(0) { $0 + cost($1) }
    }
    self.init(
      termMilliseconds: market.refreshMilliseconds, pairs: known,
      wholeCost: market.tickers.isEmpty ? nil : market.tickers.reduce(0) { $0 + cost($1) }, pairCosts: pairCosts,
      limit: market.limit(of: exchange, for: .tickers))
    wholeParts = max(1, market.tickers.count)
    searchesWhole = market.mayOmitRenamedPairs && wholeCost != nil
    self.isWhole = isWhole && wholeCost != nil
  }

  /// Whether there is nothing to ask.
  package var isIdle: Bool { pairs.isEmpty && !isWhole }
}

extension ExchangeMarket {
  /// Returns the limit of the requests for a channel's data, the strictest if its tables have several; nil if they have
  /// none. A block may have its own, which is not its market's.
  func limit(of exchange: Exchange, for channel: StreamChannel) -> SharedLimit? {
    tables(of: channel).compactMap(\.limit).min { $0.requestsPerMillisecond < $1.requestsPerMillisecond }
      .map { SharedLimit(exchange: exchange.name, $0) }
  }

  /// Returns the tables of which some are requested for a channel's data.
  private func tables(of channel: StreamChannel) -> [TableSpec] {
    switch channel {
    case .ticker, .tickers: tickers + ticker
    case .trades: trades
    case .offers, .orderbook: orderbooks.map(\.table)
    case .candles: candles.flatMap(\.tables)
    }
  }

  /// Returns the cost of requesting a channel's data of some pairs once.
  func cost(of channel: StreamChannel, pairs count: Int = 1) -> Int {
    let table: TableSpec?
    switch channel {
    case .ticker, .tickers:
      if count > MarketClient.maximumPairsAskedAlone, !tickers.isEmpty {
        return tickers.reduce(0) { $0 + $1.request.cost }
      }
      table = ticker.first ?? tickers.first
    case .trades, .offers, .orderbook, .candles: table = tables(of: channel).first
    }
    return count * (table?.request.cost ?? 1)
  }
}

extension RateLimit {
  fileprivate var requestsPerMillisecond: Double { Double(requests) / Double(max(1, perMilliseconds)) }
}
