package import Quotes

/// The wallets of a premium's asset, at the exchanges being compared.
package struct PremiumWallets: Sendable {
  package let asset: String
  /// In the order of the config.
  package let reports: [WalletReport]
  let networks: NetworkNames
  /// The pairs of exchanges excluded because of their wallets; nil if all are kept.
  package internal(set) var leftOut: [(premium: LocalPremium, route: WalletRoute)]?

  package func side(of exchange: String) -> WalletSide {
    reports.first { $0.exchange == exchange }?.side(of: asset) ?? .unknown(.notTold)
  }

  /// Returns whether coins bought at one exchange can be moved to another for selling.
  package func route(from source: String, to destination: String) -> WalletRoute {
    source == destination
      ? .sameExchange : WalletRoute(from: side(of: source), to: side(of: destination), networks)
  }
}

extension PremiumSnapshot {
  /// The exchanges compared by the premiums.
  package var compared: Set<String> {
    Set(table.premiums.flatMap { [table.local[$0.local].ticker.exchange, table.dollar[$0.dollar].ticker.exchange] })
  }

  /// Returns the route of the coin that realises a premium: bought for dollars and sold for local currency, or the
  /// other way round if `isReverse`. nil if wallets were not requested.
  package func route(of premium: LocalPremium, isReverse: Bool = false) -> WalletRoute? {
    let local = table.local[premium.local].ticker.exchange
    let dollar = table.dollar[premium.dollar].ticker.exchange
    return isReverse ? wallets?.route(from: local, to: dollar) : wallets?.route(from: dollar, to: local)
  }

  /// Returns the snapshot with the exchanges' wallet reports.
  ///
  /// - Parameter keepsOpen: Whether to exclude pairs whose coin is known to be immovable, before finding the largest
  ///   and smallest premium.
  package func joined(with reports: [WalletReport], _ networks: NetworkNames, keepsOpen: Bool) -> PremiumSnapshot {
    var result = self
    result.wallets = PremiumWallets(asset: query.asset, reports: reports, networks: networks)
    guard keepsOpen else { return result }
    let routes = table.premiums.map { ($0, result.route(of: $0) ?? .unknown([])) }
    result.wallets?.leftOut = routes.filter { !$0.1.isOpen }.map { (premium: $0.0, route: $0.1) }
    (result.table, result.reverse) = (
      table.keeping { result.route(of: $0)?.isOpen == true },
      reverse.keeping { result.route(of: $0, isReverse: true)?.isOpen == true }
    )
    return result
  }
}
