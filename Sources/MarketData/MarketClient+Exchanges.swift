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
      exchange: exchange.name, market: market.market, gathered,
      isOfPairAlone: parts.allSatisfy(\.request.asksForPair))
  }

  private func bulkReport(
    of tickers: [TableSpec], on market: ExchangeMarket, of exchange: Exchange, _ question: TableQuestion
  ) async -> ExchangeReport {
    let gathered = await table(of: usable(tickers, for: question), question.on(market))
    return ExchangeReport(exchange: exchange.name, market: market.market, gathered)
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
  ///   - read: reads an exchange, or says what is wrong with it.
  /// - Returns: the reports of each exchange, or what is wrong with its block, in the order given.
  package func reports(
    of sources: [ExchangeSource], _ markets: [Market], _ question: TableQuestion,
    reading read: @escaping @Sendable (ExchangeSource, ExchangeExtent) throws(UnreadableExchange) -> Exchange
  ) async -> [Result<[ExchangeReport], UnreadableExchange>] {
    let extent = ExchangeExtent(markets: markets, isOfOnePair: question.pair != nil)
    return await concurrently(sources) { source in
      do throws(UnreadableExchange) {
        let exchange = try read(source, extent)
        let reports = await concurrently(exchange.enabled(among: markets)) { (exchange, market) in
          await self.report(on: market, of: exchange, question) { () throws(UnreadableExchange) in
            // What was left unread is read once it is needed, which is seldom.
            market.isOfOnePair
              ? try read(source, ExchangeExtent(markets: [market.market])).market(market.market) ?? market : market
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

  /// - Parameter whole: the market with its table of all pairs.
  private func report(
    on market: ExchangeMarket, of exchange: Exchange, _ question: TableQuestion,
    whole: () throws(UnreadableExchange) -> ExchangeMarket
  ) async -> Result<ExchangeReport, UnreadableExchange> {
    if let report = await pairReport(on: market, of: exchange, question) { return .success(report) }
    do throws(UnreadableExchange) {
      let whole = try whole()
      return .success(await bulkReport(of: whole.tickers, on: whole, of: exchange, question))
    } catch {
      return .failure(error)
    }
  }
}

/// An exchange whose block of the config cannot be read.
package struct UnreadableExchange: Error {
  package let name: String
  package let diagnostics: [Finding]

  package init(name: String, diagnostics: [Finding]) {
    self.name = name
    self.diagnostics = diagnostics
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
