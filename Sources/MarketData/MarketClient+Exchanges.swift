package import Config
import Mapping
package import Quotes

extension MarketClient {
  /// Asks one market of one exchange.
  ///
  /// For one pair the single-pair request is used where the config has one. Where names are multiplied (1000PEPE) or
  /// renamed, the pair may hide behind one that the request could not guess: then a miss is followed by the table of all
  /// pairs.
  package func report(
    on market: ExchangeMarket, of exchange: Exchange, _ question: TableQuestion
  ) async -> ExchangeReport {
    if let report = await pairReport(on: market, of: exchange, question) { return report }
    return await bulkReport(of: market.tickers, on: market, of: exchange, question)
  }

  /// What the request for one pair comes to; nil where the table of all pairs has to be asked.
  private func pairReport(
    on market: ExchangeMarket, of exchange: Exchange, _ question: TableQuestion
  ) async -> ExchangeReport? {
    let parts = question.pair == nil ? [] : usable(market.ticker, for: question)
    // A market of one pair has no table of others that could hold the pair.
    guard !parts.isEmpty || market.isOfOnePair else { return nil }
    let gathered = await table(of: parts, question.on(market))
    guard !gathered.table.isWorthTheBulk(mayHidePairs: market.mayHidePairs) else { return nil }
    return ExchangeReport(
      exchange: exchange.name, market: market.market, wanted: question.pair, gathered,
      isOfPairAlone: parts.allSatisfy(\.request.asksForPair))
  }

  private func bulkReport(
    of tickers: [TableSpec], on market: ExchangeMarket, of exchange: Exchange, _ question: TableQuestion
  ) async -> ExchangeReport {
    let gathered = await table(of: usable(tickers, for: question), question.on(market))
    return ExchangeReport(exchange: exchange.name, market: market.market, wanted: question.pair, gathered)
  }

  /// The parts that can hold the pair in question.
  private func usable(_ parts: [TableSpec], for question: TableQuestion) -> [TableSpec] {
    guard let pair = question.pair else { return parts }
    return parts.filter { $0.canHold(payment: pair.payment, globalAliases: question.options.globalAliases) }
  }

  /// Asks many exchanges at once; reports come in the order given.
  package func reports(
    on markets: [(exchange: Exchange, market: ExchangeMarket)], _ question: TableQuestion
  ) async -> [ExchangeReport] {
    await concurrently(markets) { await report(on: $0.market, of: $0.exchange, question) }
  }

  /// Asks many exchanges at once, each of them read by the task that then asks it: the first requests are under way while
  /// other exchanges are still text, and every core reads.
  ///
  /// - Parameters:
  ///   - markets: those to ask of each exchange, where they are enabled.
  ///   - read: reads an exchange; nil for one that cannot be read.
  /// - Returns: the reports of each exchange, in the order given; nil where it could not be read.
  package func reports(
    of sources: [ExchangeSource], _ markets: [Market], _ question: TableQuestion,
    reading read: @escaping @Sendable (ExchangeSource, ExchangeExtent) -> Exchange?
  ) async -> [[ExchangeReport]?] {
    let extent = ExchangeExtent(markets: markets, isOfOnePair: question.pair != nil)
    return await concurrently(sources) { source in
      guard let exchange = read(source, extent) else { return nil }
      let reports = await concurrently(exchange.enabled(among: markets)) { (exchange, market) -> ExchangeReport? in
        if let report = await pairReport(on: market, of: exchange, question) { return report }
        // What was left unread is read once it is needed, which is seldom.
        let whole = market.isOfOnePair ? read(source, .whole)?.market(market.market) : market
        guard let whole else { return nil }
        return await bulkReport(of: whole.tickers, on: whole, of: exchange, question)
      }
      return reports.contains { $0 == nil } ? nil : reports.compactMap(\.self)
    }
  }
}

extension TableQuestion {
  /// The same question to one market.
  fileprivate func on(_ market: ExchangeMarket) -> TableQuestion {
    var question = self
    question.market = market.market
    return question
  }
}

extension TickerTable {
  /// Whether a table that came of the request for one pair should be followed by that of all pairs: the pair may have a
  /// multiplied or a newer name, or a recording may hold the large answer only.
  fileprivate func isWorthTheBulk(mayHidePairs: Bool) -> Bool {
    guard rows.isEmpty else { return false }
    let isUnlisted = failures.allSatisfy { $0.failure.reason == .notListed }
    let isUnrecorded = failures.contains { $0.failure.reason == TableFailure.notRecorded }
    return isUnrecorded || (mayHidePairs && isUnlisted)
  }
}
