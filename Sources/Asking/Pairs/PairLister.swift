package import Config
import Mapping
package import MarketData
package import Quotes
package import Shell
package import Terminal
package import Views

/// A run that lists pairs: requests tables, names and rate concurrently, then the candles of the sparklines.
package struct PairLister {
  package let options: ListOptions
  package let session: MarketSession
  package let language: Language
  /// nil for all enabled ones.
  package let chosen: [Exchange]?
  /// The one listed exchange; nil if the pairs of many are joined.
  package let exchange: Exchange?

  /// - Parameter single: the exchange to list by itself; nil to join those of the options.
  package init(_ options: ListOptions, of single: String? = nil, in context: Context) throws {
    self.options = options
    let config = try LoadedConfig(options.asking.config, in: context)
    session = try MarketSession(config, options.asking, in: context)
    try session.requireNetwork()
    language = options.language ?? context.language
    let named = single.map { [$0] } ?? options.asking.exchanges
    chosen = try named.map { try config.chosenExchanges($0, ExchangeExtent(blocks: [.candles]), in: context) }
    exchange = single == nil ? nil : chosen?.first
    if let single, exchange == nil { throw CommandError.unreadableBlock(of: single) }
    try exchange?.requireMarkets(options.market)
  }

  package func listing(in context: Context) async -> PairListing {
    let settings = session.configuration.settings
    let interpretation = session.interpretation()
    let query = TableQuery(options: interpretation)
    async let names = session.assetNames()
    async let rate: RateReport? =
      options.asksRate ? session.client.headerRate(session.configuration, interpretation) : nil
    let reports = await session.reports(of: chosen, on: [options.market], query, in: context)
    return PairListing(
      of: exchange?.name, options.market, reports, names: await names, rate: await rate,
      check: MeaningCheck(settings), rule: options.rule)
  }

  /// Returns the texts that a typed word is matched against, for each pair.
  package func subjects(of entries: [PairListing.Entry], _ listing: PairListing) -> [NameFilter.Subject] {
    let aliases = session.configuration.aliases
    let watched = session.configuration.watchlist.names
    return entries.map { entry in
      listing.names.subject(
        of: entry.pair, on: listing.exchange, aliases: aliases, names: [watched[entry.pair]].compactMap(\.self))
    }
  }

  /// Writes the list, and failures to stderr.
  ///
  /// - Parameter entries: the entries to show, in order; nil for all, sorted.
  package func write(
    _ listing: PairListing, _ entries: [PairListing.Entry]?, order: PairListReport.Order,
    trends: [RowKey: TrendReading] = [:], in context: Context
  ) -> ExitCode {
    let time = session.moment(of: listing.reports, listing.rate)
    let page = session.page(options.asking, at: time, language: language, in: context)
    let report = PairListReport(
      listing, entries, order: order, at: time, language: language, favorites: favorites(in: context),
      badges: session.configuration.badges, alert: session.configuration.settings.premiumAlert, trends: trends)
    context.write(report, as: options.format, on: page)
    for answer in listing.names.answers {
      guard case .failure(let failure) = answer.result, failure.reason != .notRecorded else { continue }
      context.note("\(answer.exchange) \(answer.market.rawValue) names: \(failure.wordsInParentheses)")
    }
    for exchange in chosen ?? [] {
      if exchange.enabled(among: [options.market]).isEmpty {
        context.note("\(exchange.name) has no \(options.market.rawValue) market")
      }
      if let note = exchange.market(options.market)?.noteWithoutTable(of: exchange.name) { context.note(note) }
    }
    session.noteFailures(
      of: listing.reports, listing.rate, isVerbose: options.asking.config.isVerbose, in: context)
    return report.isEmpty ? .noAnswer : .answer
  }

  private func favorites(in context: Context) -> Set<Pair> {
    guard let folder = context.paths.config else { return [] }
    // A broken file is reported when favorites are changed.
    return Set(((try? FavoritesFile(in: folder).read()) ?? Favorites()).pairs)
  }
}

extension ExchangeMarket {
  /// Returns why the market lists nothing although it has prices; nil if it has a table of all pairs.
  package func noteWithoutTable(of exchange: String) -> String? {
    guard isEnabled, tickers.isEmpty, let single = ticker.first else { return nil }
    let payment = single.paymentCurrencies.lazy.flatMap(\.currencies).first ?? "USDT"
    let option = market == .spot ? "" : " -m \(market.rawValue)"
    return "\(exchange) \(market.rawValue) has no request for all pairs; ask for one with: "
      + "market show BTC \(payment.uppercased()) -e \(exchange.shellWord)\(option)"
  }
}
