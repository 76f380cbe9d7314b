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

  /// Of more assets that their own exchange does not price whole tables are asked for: that is quicker than pair by pair.
  private static let mostPairs = 12

  /// - Parameters:
  ///   - assets: those to value; empty: all.
  ///   - asksOthers: whether exchanges that hold nothing are asked as well for what the others do not price.
  package func valuation(
    of reports: [BalanceReport], _ assets: [String], by client: MarketClient, asksOthers: Bool
  ) async -> Valuation {
    let options = session.interpretation()
    let holders = exchanges.filter { exchange in reports.contains { $0.exchange == exchange.name && !$0.rows.isEmpty } }
    let question = TableQuestion(market: nil, pair: nil, fields: [.price, .time], options: options)
    async let asked = client.reports(on: holders.flatMap { $0.enabled(among: [.spot]) }, question)
    // Nil where the dollar is the currency.
    async let rate = client.conversion(from: "USD", to: self.currency, session.configuration, options).rate
    let held = reports.flatMap { report in
      report.rows.filter { assets.isEmpty || assets.contains($0.asset) }.map { (report.exchange, $0.asset) }
    }
    var tables = await asked
    let dollar = await rate
    let first = valuation(tables, dollar)
    let money = held.reduce(into: Set<String>()) { $0.formUnion(first.money(for: $1.1, at: $1.0)) }.sorted()
    let (currency, configuration) = (currency, session.configuration)
    let conversions = await client.concurrently(money) {
      await client.conversion(from: $0, to: currency, configuration, options)
    }
    func converting(_ valuation: Valuation) -> Valuation {
      var valuation = valuation
      valuation.take(conversions)
      return valuation
    }
    let own = converting(first)
    guard asksOthers else { return own }
    // Money of a state needs no exchange.
    let wanted = Set(
      held.filter { !FiatCurrency.codes.contains($0.1) && own.price(of: $0.1, at: $0.0).hangsOnOthers }.map(\.1)
    ).sorted()
    guard !wanted.isEmpty else { return own }
    tables += await others(wanted, options, client)
    return converting(valuation(tables, dollar))
  }

  private func valuation(_ tables: [ExchangeReport], _ dollar: RateReport?) -> Valuation {
    let settings = session.configuration.settings
    return Valuation(
      in: currency, tables, rateOfDollar: dollar, dollarTokens: settings.dollarTokens,
      identity: IdentityCheck(limitPercent: settings.identityPercent), at: session.clock())
  }

  /// What all exchanges say of some assets.
  private func others(
    _ assets: [String], _ options: Interpretation, _ client: MarketClient
  ) async -> [ExchangeReport] {
    let pairs: [Pair?] =
      assets.count > Self.mostPairs
      ? [nil]
      : assets.flatMap { asset in
        Set([currency, "USDT"]).sorted().map { Pair(asset: asset, payment: $0) }
      }
    let session = session
    return await client.concurrently(pairs) { pair in
      await session.reports(
        ofAll: [.spot], TableQuestion(market: nil, pair: pair, fields: [.price, .time], options: options)
      ).reports
    }.flatMap(\.self)
  }
}
