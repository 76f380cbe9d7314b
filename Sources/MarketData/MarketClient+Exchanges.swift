package import Config
import HTTP
package import Mapping
package import Quotes

/// A market to ask, with its exchange.
package typealias AskedMarket = (exchange: Exchange, market: ExchangeMarket)

extension MarketClient {
  /// Asks one market of one exchange.
  ///
  /// For one pair, the single-pair request is used if the config has one and no further product of the pair can have a
  /// row that it does not name. If names may be multiplied (1000PEPE) or renamed, the pair may be listed under a name
  /// that the request could not guess, so a miss falls back to the table of all pairs. If that has no row either, a pair
  /// that the request called halted is: a table leaves it out without a word. That table is not asked again for a pair
  /// that the query knows it to lack.
  package func report(on market: ExchangeMarket, of exchange: Exchange, _ query: TableQuery) async -> ExchangeReport {
    await report(on: market, of: exchange, query) { market }
  }

  /// - Parameter whole: Returns the market with its table of all pairs; called only if that is needed.
  private func report<Failure: Error>(
    on market: ExchangeMarket, of exchange: Exchange, _ query: TableQuery,
    whole: () throws(Failure) -> ExchangeMarket
  ) async throws(Failure) -> ExchangeReport {
    let single = await pairReport(on: market, of: exchange, query)
    if let single {
      if query.isSearched, single.isHalted { return single }
      if !single.table.needsFullTable(mayOmitRenamedPairs: market.mayOmitRenamedPairs) { return single }
    }
    let gathered = await table(of: usable(try whole().tickers, for: query), query.on(market))
    let report = ExchangeReport(exchange: exchange.name, market: market.market, gathered)
    if let single, single.isHalted, report.table.rows.isEmpty { return single }
    return report
  }

  /// Returns the result of the single-pair request; nil if it cannot be asked.
  private func pairReport(
    on market: ExchangeMarket, of exchange: Exchange, _ query: TableQuery
  ) async -> ExchangeReport? {
    let parts = query.pair == nil ? [] : usable(market.ticker, for: query)
    // What the single-pair requests cannot hold, the unread tables cannot either.
    guard !parts.isEmpty || market.isSinglePair else { return nil }
    let hasLargerTable = market.isSinglePair || !market.tickers.isEmpty
    if hasLargerTable, let pair = query.pair, parts.contains(where: { $0.products(of: pair, query.options).count > 1 })
    {
      return nil
    }
    let gathered = await table(of: parts, query.on(market))
    return ExchangeReport(
      exchange: exchange.name, market: market.market, gathered,
      isSinglePairOnly: parts.allSatisfy(\.request.asksForPair))
  }

  /// Returns the parts that can contain the requested pair.
  private func usable(_ parts: [TableSpec], for query: TableQuery) -> [TableSpec] {
    query.pair.map { pair in parts.filter { $0.canHold(pair, query.options) } } ?? parts
  }

  /// Asks many exchanges concurrently; reports are in the order given.
  package func reports(on markets: [AskedMarket], _ query: TableQuery) async -> [ExchangeReport] {
    await concurrently(markets) { await report(on: $0.market, of: $0.exchange, query) }
  }

  /// Asks many exchanges concurrently. Each is parsed by the task that then asks it, so that the first requests are
  /// under way while other exchanges are still text, and all cores parse.
  ///
  /// - Parameters:
  ///   - markets: The markets to ask of each exchange, if enabled.
  ///   - read: Parses an exchange, or throws what is wrong with it.
  /// - Returns: For each exchange, its reports or what is wrong with its block, in the order given.
  package func reports(
    of sources: [ExchangeSource], _ markets: [Market], _ query: TableQuery,
    reading read: @escaping @Sendable (ExchangeSource, ExchangeExtent) throws(UnreadableExchange) -> Exchange
  ) async -> [Result<[ExchangeReport], UnreadableExchange>] {
    let extent = ExchangeExtent(markets: markets, isSinglePair: query.pair != nil)
    return await concurrently(sources) { source in
      do throws(UnreadableExchange) {
        let exchange = try read(source, extent)
        let reports = await concurrently(exchange.enabled(among: markets)) { asked in
          await Result { () async throws(UnreadableExchange) in
            try await report(on: asked, of: source, query, reading: read)
          }
        }
        var result: [ExchangeReport] = []
        for report in reports { result.append(try report.get()) }
        return .success(result)
      } catch {
        return .failure(error)
      }
    }
  }

  /// Asks a market of an exchange of which only a part has been parsed: the rest is only when needed, which is rare.
  private func report(
    on asked: AskedMarket, of source: ExchangeSource, _ query: TableQuery,
    reading read: (ExchangeSource, ExchangeExtent) throws(UnreadableExchange) -> Exchange
  ) async throws(UnreadableExchange) -> ExchangeReport {
    let market = asked.market
    return try await report(on: market, of: asked.exchange, query) { () throws(UnreadableExchange) in
      market.isSinglePair
        ? try read(source, ExchangeExtent(markets: [market.market])).market(market.market) ?? market : market
    }
  }
}

/// An exchange whose block of the config cannot be read.
package struct UnreadableExchange: Error {
  package let name: String
  package let diagnostics: [Finding]

  package init(name: String, diagnostics: [Finding]) { (self.name, self.diagnostics) = (name, diagnostics) }
}

extension TableSpec {
  /// Returns whether rows of the table may be of a pair.
  package func canHold(_ pair: Pair, _ options: Interpretation) -> Bool {
    canHold(payment: pair.payment, globalAliases: options.globalAliases)
  }

  /// Returns the groups of futures that rows of a pair may be of. If there are several, a request for the pair alone,
  /// which names one symbol, cannot speak for the pair.
  func products(of pair: Pair, _ options: Interpretation) -> [String?] {
    products(of: pair.payment, globalAliases: options.globalAliases)
  }
}

extension TableQuery {
  /// Returns the same query for one market.
  fileprivate func on(_ market: ExchangeMarket) -> TableQuery {
    var query = self
    query.market = market.market
    return query
  }
}

extension TickerTable {
  /// Returns whether the single-pair result should be followed by the table of all pairs: the pair may have a
  /// multiplied or newer name, or a recording may only contain the large answer.
  fileprivate func needsFullTable(mayOmitRenamedPairs: Bool) -> Bool {
    guard rows.isEmpty else { return false }
    let isUnlisted = failures.allSatisfy(\.failure.reason.isAbsence)
    let isUnrecorded = failures.contains { $0.failure.reason == .notRecorded }
    return isUnrecorded || (mayOmitRenamedPairs && isUnlisted)
  }
}
