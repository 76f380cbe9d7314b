import Adapters
package import Catalog
import Quotes

extension Gatherer {
  /// Asks one market of one venue.
  ///
  /// For one pair the single-pair request is used where the config has one. Where names are multiplied (1000PEPE) or
  /// renamed, the pair may hide behind one that the request could not guess: then a miss is followed by the table of all
  /// pairs.
  package func report(
    on market: VenueMarket, of venue: Venue, _ question: TableQuestion
  ) async -> VenueReport {
    var question = question
    question.market = market.market
    let aliases = question.options.globalAliases
    func parts(_ specs: [TableSpec]) -> [TableSpec] {
      guard let pair = question.pair else { return specs }
      return specs.filter { $0.canHold(payment: pair.payment, globalAliases: aliases) }
    }
    let single = question.pair == nil ? [] : parts(market.ticker)
    let bulk = parts(market.tickers)
    var gathered = await table(of: single.isEmpty ? bulk : single, question)
    var isOfPairAlone = !single.isEmpty && single.allSatisfy(\.request.asksForPair)
    if !single.isEmpty, gathered.table.isWorthTheBulk(mayHidePairs: market.mayHidePairs) {
      gathered = await table(of: bulk, question)
      isOfPairAlone = false
    }
    return VenueReport(
      exchange: venue.name, market: market.market, wanted: question.pair, gathered,
      isOfPairAlone: isOfPairAlone)
  }

  /// Asks many venues at once; reports come in the order given.
  package func reports(
    on markets: [(venue: Venue, market: VenueMarket)], _ question: TableQuestion
  ) async -> [VenueReport] {
    await concurrently(markets) { await report(on: $0.market, of: $0.venue, question) }
  }

  /// Asks many venues at once, each of them read by the task that then asks it: the first requests are under way while
  /// other venues are still text, and every core reads.
  ///
  /// - Parameter markets: reads a venue; nil for one that cannot be read.
  /// - Returns: the reports of each venue, in the order given; nil where it could not be read.
  package func reports(
    of sources: [VenueSource], _ question: TableQuestion,
    reading markets: @escaping @Sendable (VenueSource) -> [(venue: Venue, market: VenueMarket)]?
  ) async -> [[VenueReport]?] {
    await concurrently(sources) { source in
      guard let markets = markets(source) else { return nil }
      return await reports(on: markets, question)
    }
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
