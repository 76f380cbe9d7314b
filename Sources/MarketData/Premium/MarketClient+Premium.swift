package import Config
package import Mapping
import Quotes

extension MarketClient {
  /// Compares the prices of an asset in local currency and in dollars across all exchanges.
  ///
  /// - Parameter exchanges: The exchanges in the order of the config.
  package func premium(
    _ query: PremiumQuery, exchanges: [Exchange], _ configuration: Configuration, _ options: Interpretation
  ) async -> PremiumSnapshot {
    await PremiumComparison(client: self, query: query, exchanges: exchanges, options: options).snapshot(configuration)
  }
}

/// The requests that answer one query about a premium.
private struct PremiumComparison: Sendable {
  let client: MarketClient
  let query: PremiumQuery
  let exchanges: [Exchange]
  let options: Interpretation

  func snapshot(_ configuration: Configuration) async -> PremiumSnapshot {
    let tokens = Set(query.dollars.map { PremiumQuery.token(for: $0) }).sorted()
    async let rate = client.rate(of: Pair(asset: "USD", payment: query.local), configuration, options)
    async let localReports = spotReports(of: Pair(asset: query.asset, payment: query.local))
    async let tokenReports = concurrently(tokens) { await spotReports(of: Pair(asset: $0, payment: query.local)) }
    let dollarReports = await concurrently(query.dollars) { payment in
      await spotReports(of: Pair(asset: query.asset, payment: payment))
    }
    let local = checkedRows(await localReports)
    let dollars = dollarReports.flatMap(checkedRows)
    var tokenRows = await tokenReports.flatMap(checkedRows)
    let findings = options.check.identity.findings(
      official: await rate.quote?.rate,
      tokens: tokenRows.map { ($0.ticker.exchange, $0.ticker.headlinePrice(query.rule)) },
      local: local.compactMap { $0.ticker.headlinePrice(query.rule) },
      dollar: dollars.compactMap { $0.ticker.headlinePrice(query.rule) })
    tokenRows = zip(tokenRows, findings.tokens).map { $0.flagged($1) }
    let official = findings.official == nil ? await rate.quote?.rate : nil
    let fees = query.countsFees ? fees(of: local + dollars) : [:]
    let prices = PriceCalculator(
      query: query, official: official, books: await books(for: local + dollars), fees: fees,
      identity: options.check.identity)
    let tokenPrices = dollarPrices(tokenRows)
    func table(isReverse: Bool) -> LocalPremiumTable {
      LocalPremiumTable(
        local: local.map { prices.priced($0.ticker, buys: isReverse) },
        dollar: dollars.map { prices.priced($0.ticker, buys: !isReverse) },
        official: official, token: tokenPrices, identity: options.check.identity)
    }
    return PremiumSnapshot(
      query: query, time: client.now(), table: table(isReverse: false), reverse: table(isReverse: true),
      fees: fees, tokens: tokenRows, rate: await rate, rateFlag: findings.official,
      reports: await localReports + dollarReports.flatMap(\.self) + tokenReports.flatMap(\.self))
  }

  /// Asks every exchange's spot market for one pair.
  private func spotReports(of pair: Pair) async -> [ExchangeReport] {
    let asked = TableQuery(market: .spot, pair: pair, fields: [.price, .time], options: options)
    return await client.reports(on: exchanges.flatMap { $0.enabled(among: [.spot]) }, asked)
  }

  /// Returns the rows of one pair, with a flag on those that are of a different coin than the rest.
  private func checkedRows(_ reports: [ExchangeReport]) -> [TickerRow] {
    options.check.identity.flagged(reports.flatMap(\.table.rows), rule: query.rule)
  }

  /// Returns the price of a dollar on each local exchange, by the payment currency that it stands for.
  private func dollarPrices(_ tokens: [TickerRow]) -> [String: [String: Decimal]] {
    var prices: [String: [String: Decimal]] = [:]
    for row in tokens {
      guard let price = row.ticker.headlinePrice(query.rule) else { continue }
      for payment in query.dollars where PremiumQuery.token(for: payment) == row.ticker.pair.asset {
        prices[row.ticker.exchange, default: [:]][payment] = price
      }
    }
    return prices
  }

  private func spot(_ exchange: String) -> ExchangeMarket? { exchanges.first { $0.name == exchange }?.market(.spot) }

  /// Returns each exchange's fee for trading the row's pair, if the config has one.
  private func fees(of rows: [TickerRow]) -> [RowKey: Decimal] {
    rows.map(\.ticker).reduce(into: [:]) { fees, ticker in
      fees[ticker.key] = spot(ticker.exchange)?.takerFees?.percent(of: ticker.pair)
    }
  }

  /// Returns the order books of the usable rows, by row, if a size requires them.
  private func books(for rows: [TickerRow]) async -> [RowKey: Result<OrderBook, PriceObjection>] {
    guard query.size != nil else { return [:] }
    let wanted = rows.map(\.ticker).filter { $0.headlinePrice(query.rule) != nil }
    let books = await concurrently(wanted) { ticker in
      guard let market = spot(ticker.exchange), ticker.multiplier == nil else {
        return (ticker.key, Result<OrderBook, PriceObjection>.failure(.book(.notOffered)))
      }
      // Request the whole book, as a size may reach deep into it.
      let answer = await client.orderbook(
        PairQuery(ticker.pair, options), count: .max, on: market, of: ticker.exchange)
      return (ticker.key, answer.result.mapError { .book($0.reason) })
    }
    return Dictionary(books, uniquingKeysWith: { first, _ in first })
  }
}

/// Calculates the price with which a row enters the comparison.
private struct PriceCalculator {
  let query: PremiumQuery
  let official: Decimal?
  let books: [RowKey: Result<OrderBook, PriceObjection>]
  /// In percent.
  let fees: [RowKey: Decimal]
  let identity: IdentityCheck

  /// - Parameter buys: Whether the asset is bought there, rather than sold.
  func priced(_ ticker: Ticker, buys: Bool) -> PricedRow {
    let row = PricedRow(ticker, rule: query.rule)
    guard case .success(let last) = row.price else { return row }
    do throws(PriceObjection) {
      var price = try walked(ticker, last, buys: buys) ?? last
      if query.countsFees {
        guard let percent = fees[ticker.key] else { throw PriceObjection.feeUnknown }
        let share = percent.scaledByPowerOfTen(-2)
        price = price * (buys ? Decimal(1) + share : Decimal(1) - share)
      }
      return PricedRow(ticker, price: .success(price))
    } catch {
      return PricedRow(ticker, price: .failure(error))
    }
  }

  /// Returns the average price for the size; nil if no size was requested.
  private func walked(_ ticker: Ticker, _ last: Decimal, buys: Bool) throws(PriceObjection) -> Decimal? {
    guard let size = query.size else { return nil }
    let isLocal = ticker.pair.payment == query.local
    guard let money = isLocal ? size : official.flatMap({ size.divided(by: $0) }) else {
      throw .book(.noRate)
    }
    let book = try (books[ticker.key] ?? .failure(.book(.notRequested))).get()
    if let flag = book.flags.first(where: \.excludes) { throw .flaggedBook(flag) }
    // If the book and the last price are of different coins, the mapping of one of them is wrong.
    if let price = book.price, let flag = identity.finding(price.normalized, beside: last, of: ticker.exchange) {
      throw .flaggedBook(flag)
    }
    guard let price = buys ? book.averagePrice(buyingFor: money) : book.averagePrice(sellingFor: money) else {
      throw .thinBook
    }
    return price
  }
}
