package import Mapping
package import Quotes

/// One exchange's report of the user's accounts there.
package struct BalanceReport: Sendable {
  package struct Failure: Sendable, Hashable {
    package let account: String
    /// The part's settings from `set`; empty if the account has a single part.
    package let part: String
    package let failure: TableFailure
  }

  package let exchange: String
  /// In the order of the config, without zero balances.
  package var rows: [Balance] = []
  package var failures: [Failure] = []
  /// The number of rows without an asset.
  package var incomplete = 0
  package var requests: [RequestReport] = []
  /// The number of accounts that answered, with or without rows.
  package var answered = 0
  /// How the rows of each answer were derived, before they are combined; empty unless requested.
  package var explained: [ExplainedRecord] = []

  package init(exchange: String) { self.exchange = exchange }

  /// Whether the user has provided no secrets for this exchange.
  package var lacksSecrets: Bool {
    !failures.isEmpty && answered == 0 && failures.allSatisfy { $0.failure.reason == .noSecret }
  }
}

/// Which wallets of one exchange are open.
package struct WalletReport: Sendable {
  package let exchange: String
  package var rows: [WalletStatus] = []
  package var failures: [TableFailure] = []
  package var incomplete = 0
  package var requests: [RequestReport] = []
  /// Whether the exchange only tells account owners.
  package var isPrivate = false

  package init(exchange: String) { self.exchange = exchange }

  /// Returns the wallets of one asset.
  package func wallets(of asset: String) -> [WalletStatus] { rows.filter { $0.asset == asset } }

  /// Returns what is known about the wallets of one asset.
  package func side(of asset: String) -> WalletSide {
    let wallets = wallets(of: asset)
    guard wallets.isEmpty else { return .told(wallets) }
    return switch failures.first?.reason {
    case nil: .unknown(.notNamed)
    case .noSecret: .unknown(.noKey)
    case .notOffered: .unknown(.notTold)
    case let reason?: .unknown(.failed(code: reason.code))
    }
  }
}
