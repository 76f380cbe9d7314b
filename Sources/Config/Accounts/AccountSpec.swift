import Quotes

/// What an exchange tells only the owner of an account: how it is asked, and where it stands in the answers.
package struct AccountSpec: Sendable {
  /// A table, and how its requests are signed.
  package struct Part: Sendable {
    package var table: TableSpec
    /// nil for a request that is not signed.
    package let auth: AuthSpec?
  }

  /// The accounts in the order of the config: `spot`, `funding`, `futures`, or the exchange's own word.
  package struct Balances: Sendable {
    package let account: String
    package let parts: [Part]
  }

  /// Which wallets are open.
  package struct Wallets: Sendable {
    package let part: Part
    /// From the row to the rows of its networks; nil where each row is of one network, or of none.
    package let networks: PathSpec?
    package let network: ValueSpec?
    package let deposit: [ConditionSpec]
    package let withdraw: [ConditionSpec]
    package let message: ValueSpec?
    package let timeToLiveSeconds: Int
  }

  /// What a key may do: one of the lists of conditions must hold, all of it.
  package struct Permissions: Sendable {
    package let part: Part
    package let trade: [[ConditionSpec]]
    package let withdraw: [[ConditionSpec]]
    package let expires: ValueSpec?
    /// To the addresses that it may be used from.
    package let addresses: PathSpec?
  }

  /// A way to sign, with where its requests go.
  package struct Signer: Sendable {
    package let auth: AuthSpec
    package let baseURLs: [String]
  }

  package var balances: [Balances] = []
  package var wallets: [Wallets] = []
  package var permissions: [Permissions] = []
  /// Every `auth` of the exchange, each once.
  package var signers: [Signer] = []

  package init() {}
}

extension AccountSpec {
  package var parts: [Part] {
    balances.flatMap(\.parts) + wallets.map(\.part) + permissions.map(\.part)
  }

  package var isEmpty: Bool { parts.isEmpty && signers.isEmpty }
}

extension AccountSpec.Part {
  /// The secrets that its requests need, each once.
  package var secretNames: [String] {
    let requests = [table.request] + table.lookups.compactMap(\.request)
    let templates = requests.flatMap(\.templates) + table.headers.map(\.value)
    let own = (auth?.secretNames ?? []) + templates.flatMap(\.secretNames)
    return own.unique
  }

  /// Whether it needs anything of the user's.
  package var isPrivate: Bool { auth != nil || !secretNames.isEmpty }
}

/// The blocks of an account.
package enum AccountBlock: String, CaseIterable, Sendable {
  case balances, walletStatus, permissions

  var shape: ShapeID {
    switch self {
    case .balances: .balances
    case .walletStatus: .walletStatus
    case .permissions: .permissions
    }
  }

  var partShape: ShapeID {
    switch self {
    case .balances: .balancesPart
    case .walletStatus: .walletStatusPart
    case .permissions: .permissionsPart
    }
  }

  var fields: FieldVocabulary {
    switch self {
    case .balances: .balance
    case .walletStatus: .wallet
    case .permissions: .permission
    }
  }

  /// Whether its requests are signed where nothing says otherwise.
  var isSigned: Bool { self != .walletStatus }
}
