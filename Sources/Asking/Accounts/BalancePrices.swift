package import Config
import Mapping
package import MarketData
import Quotes

/// Requests the prices that balances are valued with.
package struct BalancePrices {
  private let session: MarketSession
  private let currency: String

  package init(_ accounts: AccountSession, in currency: String) {
    (session, self.currency) = (accounts.session, currency)
  }

  /// An exchange's prices of its own pairs, and the dollar rate.
  package struct Own: Sendable {
    fileprivate let exchange: String
    fileprivate let tables: [ExchangeReport]
    /// nil if the currency is the dollar.
    fileprivate let dollar: RateReport?
  }

  /// Requests an exchange's prices. Called as soon as its account has answered, so that a slow account does not delay
  /// the others.
  package func own(of exchange: Exchange, by client: MarketClient) async -> Own {
    let options = session.interpretation()
    let query = TableQuery(fields: [.price, .time], options: options)
    async let tables = client.reports(on: exchange.enabled(among: [.spot]), query)
    async let dollar = client.conversion(from: "USD", to: currency, session.configuration, options).rate
    return Own(exchange: exchange.name, tables: await tables, dollar: await dollar)
  }

  /// Above this many assets unpriced by their own exchange, whole tables are requested: faster than single pairs.
  private static let maximumPairs = 12

  /// - Parameters:
  ///   - assets: the assets to value; empty for all.
  ///   - own: the prices of the exchanges with balances.
  ///   - asksOthers: whether to query exchanges without balances for what the others do not price.
  package func valuation(
    of reports: [BalanceReport], _ assets: [String], own: [Own], by client: MarketClient, asksOthers: Bool
  ) async -> Valuation {
    let options = session.interpretation()
    let held = reports.flatMap { report in
      report.rows.filter { assets.isEmpty || assets.contains($0.asset) }.map { (report.exchange, $0.asset) }
    }
    var tables = own.flatMap(\.tables)
    let asked = Set(own.map(\.exchange))
    let rates = own.compactMap(\.dollar)
    let dollar = rates.first { $0.quote != nil } ?? rates.first
    let first = valuation(tables, asked, dollar)
    let money = held.reduce(into: Set<String>()) { $0.formUnion(first.money(for: $1.1, at: $1.0)) }.sorted()
    let (currency, configuration) = (currency, session.configuration)
    let conversions = await concurrently(money) {
      await client.conversion(from: $0, to: currency, configuration, options)
    }
    func converting(_ valuation: Valuation) -> Valuation {
      var valuation = valuation
      valuation.take(conversions)
      return valuation
    }
    let known = converting(first)
    guard asksOthers else { return known }
    // National currencies need no exchange.
    let wanted = Set(
      held.filter { !FiatCurrency.codes.contains($0.1) && known.price(of: $0.1, at: $0.0).hangsOnOthers }.map(\.1)
    ).sorted()
    guard !wanted.isEmpty else { return known }
    tables += await others(wanted, options)
    return converting(valuation(tables, asked, dollar))
  }

  private func valuation(_ tables: [ExchangeReport], _ asked: Set<String>, _ dollar: RateReport?) -> Valuation {
    let settings = session.configuration.settings
    return Valuation(
      in: currency, tables, asked: asked, rateOfDollar: dollar, dollarTokens: settings.dollarTokens,
      identity: IdentityCheck(limitPercent: settings.identityPercent), at: session.clock())
  }

  /// Returns the prices of some assets on all exchanges.
  private func others(_ assets: [String], _ options: Interpretation) async -> [ExchangeReport] {
    let pairs: [Pair?] =
      assets.count > Self.maximumPairs
      ? [nil]
      : assets.flatMap { asset in
        Set([currency, "USDT"]).subtracting([asset]).sorted().map { Pair(asset: asset, payment: $0) }
      }
    let session = session
    return await concurrently(pairs) { pair in
      await session.reports(
        ofAll: [.spot], TableQuery(pair: pair, fields: [.price, .time], options: options)
      ).reports
    }.flatMap(\.self)
  }
}
