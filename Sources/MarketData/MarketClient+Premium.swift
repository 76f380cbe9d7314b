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
    let localPair = Pair(asset: query.asset, payment: query.local)
    let tokens = Set(query.dollars.map { PremiumQuery.token(for: $0) }).sorted()
    async let rate = rate(of: Pair(asset: "USD", payment: query.local), configuration, options)
    async let localReports = spotReports(of: localPair, exchanges, options)
    async let tokenReports = concurrently(tokens) {
      await spotReports(of: Pair(asset: $0, payment: query.local), exchanges, options)
    }
    let dollarReports = await concurrently(query.dollars) {
      await spotReports(of: Pair(asset: query.asset, payment: $0), exchanges, options)
    }
    let local = checkedRows(await localReports, options, query)
    let dollars = dollarReports.flatMap { checkedRows($0, options, query) }
    var tokenRows = await tokenReports.flatMap { checkedRows($0, options, query) }
    let findings = options.check.identity.findings(
      official: await rate.quote?.rate,
      tokens: tokenRows.map { ($0.ticker.exchange, $0.ticker.headlinePrice()) },
      local: local.compactMap { $0.ticker.headlinePrice(query.rule) },
      dollar: dollars.compactMap { $0.ticker.headlinePrice(query.rule) })
    tokenRows = zip(tokenRows, findings.tokens).map { $0.flagged($1) }
    let official = findings.official == nil ? await rate.quote?.rate : nil
    let books = await books(for: local + dollars, query, exchanges, options)
    let fees = query.countsFees ? Self.fees(of: local + dollars, exchanges) : [:]
    let prices = PriceCalculator(
      query: query, official: official, books: books, fees: fees, identity: options.check.identity)
    let tokenPrices = Self.tokenPrices(tokenRows, query)
    func table(isReverse: Bool) -> LocalPremiumTable {
      LocalPremiumTable(
        local: local.map { prices.priced($0.ticker, buys: isReverse) },
        dollar: dollars.map { prices.priced($0.ticker, buys: !isReverse) },
        official: official, token: tokenPrices, identity: options.check.identity)
    }
    let reports = await localReports + dollarReports.flatMap(\.self) + tokenReports.flatMap(\.self)
    return PremiumSnapshot(
      query: query, time: now(), table: table(isReverse: false), reverse: table(isReverse: true),
      fees: fees, tokens: tokenRows, rate: await rate, rateFlag: findings.official, reports: reports)
  }

  private func spotReports(of pair: Pair, _ exchanges: [Exchange], _ options: Interpretation) async -> [ExchangeReport]
  {
    let query = TableQuery(market: .spot, pair: pair, fields: [.price, .time], options: options)
    let markets = exchanges.compactMap { exchange in
      exchange.market(.spot).flatMap { $0.isEnabled ? (exchange: exchange, market: $0) : nil }
    }
    return await reports(on: markets, query)
  }

  /// Returns the rows of one pair, with a flag on those that are of a different coin than the rest.
  private func checkedRows(
    _ reports: [ExchangeReport], _ options: Interpretation, _ query: PremiumQuery
  ) -> [TickerRow] {
    let rows = reports.flatMap(\.table.rows)
    return options.check.identity.flagged(rows, rule: query.rule)
  }

  /// Returns the price of a dollar on each local exchange, by the payment currency that it stands for.
  private static func tokenPrices(
    _ rows: [TickerRow], _ query: PremiumQuery
  ) -> [String: [String: Decimal]] {
    var prices: [String: [String: Decimal]] = [:]
    for row in rows {
      guard let price = row.ticker.headlinePrice() else { continue }
      for payment in query.dollars where PremiumQuery.token(for: payment) == row.ticker.pair.asset {
        prices[row.ticker.exchange, default: [:]][payment] = price
      }
    }
    return prices
  }

  /// Returns each exchange's fee for trading the row's pair, if the config has one.
  private static func fees(of rows: [TickerRow], _ exchanges: [Exchange]) -> [RowKey: Decimal] {
    rows.map(\.ticker).reduce(into: [:]) { fees, ticker in
      let market = exchanges.first { $0.name == ticker.exchange }?.market(.spot)
      fees[ticker.key] = market?.takerFees?.percent(forPayment: ticker.pair.payment)
    }
  }

  /// Returns the order books of the usable rows, by row, if a size requires them.
  private func books(
    for rows: [TickerRow], _ query: PremiumQuery, _ exchanges: [Exchange], _ options: Interpretation
  ) async -> [RowKey: Result<OrderBook, PriceObjection>] {
    guard query.size != nil else { return [:] }
    let wanted = rows.map(\.ticker).filter { $0.headlinePrice(query.rule) != nil }
    let books = await concurrently(wanted) { ticker in
      guard let market = exchanges.first(where: { $0.name == ticker.exchange })?.market(.spot), ticker.multiplier == nil
      else { return (ticker.key, Result<OrderBook, PriceObjection>.failure(.book(.notOffered))) }
      // Request the whole book, as a size may reach deep into it.
      let query = PairQuery(ticker.pair, options)
      let answer = await orderbook(query, count: .max, on: market, of: ticker.exchange)
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
