package import Mapping
package import Quotes

/// What one exchange says of its owner's accounts.
package struct BalanceReport: Sendable {
  package struct Failure: Sendable, Hashable {
    package let account: String
    /// The names of `set`; empty where the account has one part.
    package let part: String
    package let failure: TableFailure

    package init(account: String, part: String, failure: TableFailure) {
      (self.account, self.part, self.failure) = (account, part, failure)
    }
  }

  package let exchange: String
  /// In the order of the config; nothing that is zero.
  package var rows: [Balance] = []
  package var failures: [Failure] = []
  /// Rows that name no asset.
  package var incomplete = 0
  package var requests: [RequestReport] = []
  /// How many accounts answered, with rows or without.
  package var answered = 0
  /// How the rows of each answer came to be, before they are added; only where that was asked for.
  package var explained: [ExplainedRecord] = []

  package init(exchange: String) { self.exchange = exchange }

  /// Whether the user has given nothing of this exchange.
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
  /// Whether the exchange tells it only to the owner of an account.
  package var isPrivate = false

  package init(exchange: String) { self.exchange = exchange }

  /// The wallets of one asset.
  package func wallets(of asset: String) -> [WalletStatus] { rows.filter { $0.asset == asset } }

  /// What is known of the wallets of one asset.
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
