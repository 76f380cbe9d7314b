package import Config
import Mapping
package import MarketData
import Quotes

/// Asks for the prices that balances are valued with.
package struct BalancePrices {
  private let session: MarketSession
  private let currency: String
  private let exchanges: [Exchange]

  package init(_ accounts: AccountSession, in currency: String, of exchanges: [Exchange]) {
    (session, self.currency, self.exchanges) = (accounts.session, currency, exchanges)
  }

  /// Of so many assets that their own exchange does not price, the others are asked.
  private static let mostOthers = 12

  /// - Parameters:
  ///   - assets: those to value; empty: all.
  ///   - asksOthers: whether exchanges that hold nothing are asked as well for what the others do not price.
  package func valuation(
    of reports: [BalanceReport], _ assets: [String], by client: MarketClient, asksOthers: Bool
  ) async -> Valuation {
    let options = session.interpretation()
    let configuration = session.configuration
    let tokens = configuration.settings.dollarTokens
    let holders = exchanges.filter { exchange in reports.contains { $0.exchange == exchange.name && !$0.rows.isEmpty } }
    let question = TableQuestion(market: nil, pair: nil, fields: [.price, .time], options: options)
    async let asked = client.reports(on: holders.flatMap { $0.enabled(among: [.spot]) }, question)
    async let rate = dollars(configuration, options, client)
    var tables = await asked
    let rateOfDollar = await rate
    let first = Valuation(in: currency, tables, rateOfDollar: rateOfDollar, dollarTokens: tokens)
    guard asksOthers else { return first }
    var missing: [String] = []
    var seen: Set<String> = []
    for report in reports {
      for row in report.rows where assets.isEmpty || assets.contains(row.asset) {
        guard first.price(of: row.asset, at: report.exchange) == nil, seen.insert(row.asset).inserted else { continue }
        missing.append(row.asset)
      }
    }
    guard !missing.isEmpty else { return first }
    let pairs = missing.prefix(Self.mostOthers).flatMap { asset in
      Set([currency, "USDT"]).sorted().map { Pair(asset: asset, payment: $0) }
    }
    let session = session
    for more in await client.concurrently(
      pairs,
      { pair in
        await session.reports(
          ofAll: [.spot], TableQuestion(market: nil, pair: pair, fields: [.price, .time], options: options)
        ).reports
      })
    {
      tables += more
    }
    return Valuation(in: currency, tables, rateOfDollar: rateOfDollar, dollarTokens: tokens)
  }

  private func dollars(
    _ configuration: Configuration, _ options: Interpretation, _ client: MarketClient
  ) async -> Decimal? {
    guard currency != "USD" else { return 1 }
    return await client.rate(of: Pair(asset: "USD", payment: currency), configuration, options).quote?.rate
  }
}
