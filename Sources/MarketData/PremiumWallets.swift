package import Quotes

/// The wallets of the asset of a premium, at the exchanges that are held against each other.
package struct PremiumWallets: Sendable {
  package let asset: String
  /// In the order of the config.
  package let reports: [WalletReport]
  let networks: NetworkNames
  /// The pairs of exchanges that were left out for their wallets; nil where all are kept.
  package internal(set) var leftOut: [(premium: LocalPremium, route: WalletRoute)]?

  package func side(of exchange: String) -> WalletSide {
    reports.first { $0.exchange == exchange }?.side(of: asset) ?? .unknown(.notTold)
  }

  /// Whether what is bought at one exchange can be sold at another.
  package func route(from source: String, to destination: String) -> WalletRoute {
    source == destination
      ? .sameExchange : WalletRoute(from: side(of: source), to: side(of: destination), networks)
  }
}

extension PremiumSnapshot {
  /// The exchanges that the premiums are between, each once.
  package var compared: Set<String> {
    Set(table.premiums.flatMap { [table.local[$0.local].ticker.exchange, table.dollar[$0.dollar].ticker.exchange] })
  }

  /// The way of the coin that a premium earns by: it is bought for dollars and sold for local money; in `reverse` the other way
  /// round. nil where nobody asked.
  package func route(of premium: LocalPremium, isReverse: Bool = false) -> WalletRoute? {
    let local = table.local[premium.local].ticker.exchange
    let dollar = table.dollar[premium.dollar].ticker.exchange
    return isReverse ? wallets?.route(from: local, to: dollar) : wallets?.route(from: dollar, to: local)
  }

  /// The snapshot with what exchanges say of their wallets.
  ///
  /// - Parameter keepsOpen: leaves out the pairs whose coin cannot be moved, as far as is known, before anything is the
  ///   greatest or the smallest.
  package func joined(with reports: [WalletReport], _ networks: NetworkNames, keepsOpen: Bool) -> PremiumSnapshot {
    var result = self
    result.wallets = PremiumWallets(asset: question.asset, reports: reports, networks: networks)
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
