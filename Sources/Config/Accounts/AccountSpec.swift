import Quotes

/// The data that an exchange provides only to the owner of an account: how to request it and where to find it in the
/// responses.
package struct AccountSpec: Sendable {
  /// A table and the way its requests are signed.
  package struct Part: Sendable {
    package var table: TableSpec
    /// nil for unsigned requests.
    package let auth: AuthSpec?
  }

  /// The balances of one account, in config order: `spot`, `funding`, `futures`, or the exchange's own word.
  package struct Balances: Sendable {
    package let account: String
    package let parts: [Part]
    /// The exchange's codes for a key whose owner has no such account.
    package let absentCodes: [String]
  }

  /// The deposit and withdrawal status of wallets.
  package struct Wallets: Sendable {
    package let part: Part
    /// The path from a row to the rows of its networks; nil if each row describes one network, or none.
    package let networks: PathSpec?
    package let network: ValueSpec?
    package let deposit: [ConditionSpec]
    package let withdraw: [ConditionSpec]
    package let message: ValueSpec?
    package let timeToLiveSeconds: Int
  }

  /// The permissions of a key: all conditions of at least one list must hold.
  package struct Permissions: Sendable {
    package let part: Part
    package let trade: [[ConditionSpec]]
    package let withdraw: [[ConditionSpec]]
    package let expires: ValueSpec?
    /// The path to the addresses that the key may be used from.
    package let addresses: PathSpec?
  }

  /// A signing method with the hosts its requests go to.
  package struct Signer: Sendable {
    package let auth: AuthSpec
    package let baseURLs: [String]
  }

  package var balances: [Balances] = []
  package var wallets: [Wallets] = []
  package var permissions: [Permissions] = []
  /// Every `auth` of the exchange, without duplicates.
  package var signers: [Signer] = []

  package init() {}

  /// A key of the user: some exchanges have several, each with names of its own.
  package struct Key: Sendable {
    package let secretNames: Set<String>
    /// The accounts that are read with it.
    package internal(set) var accounts: [Balances] = []
    /// Whether the exchange tells its permissions.
    package internal(set) var hasPermissions = false
  }

  /// The keys that its permissions and balances need, the one with permissions first.
  package var keys: [Key] {
    var keys: [Key] = []
    func place(_ parts: [Part]) -> Int? {
      let names = Set(parts.flatMap(\.secretNames))
      guard !names.isEmpty else { return nil }
      if let known = keys.firstIndex(where: { $0.secretNames == names }) { return known }
      keys.append(Key(secretNames: names))
      return keys.count - 1
    }
    // Only the first ones are asked for.
    if let place = permissions.first.flatMap({ place([$0.part]) }) { keys[place].hasPermissions = true }
    for account in balances { if let place = place(account.parts) { keys[place].accounts.append(account) } }
    return keys
  }

  package var parts: [Part] { balances.flatMap(\.parts) + wallets.map(\.part) + permissions.map(\.part) }
}

extension AccountSpec.Part {
  /// The secrets that its requests need, without duplicates.
  package var secretNames: [String] {
    ((auth?.secretNames ?? []) + table.secretNames).unique
  }

  /// Whether it is signed or needs secrets of the user.
  package var isPrivate: Bool { auth != nil || !secretNames.isEmpty }
}

/// The blocks of an account.
package enum AccountBlock: String, CaseIterable, Sendable {
  case balances, walletStatus, permissions

  /// The keys of the block, those of its parts, and the fields of its rows.
  var language: (block: ObjectShape, part: ObjectShape, fields: FieldVocabulary) {
    switch self {
    case .balances: (.balances, .balancesPart, .balance)
    case .walletStatus: (.walletStatus, .walletStatusPart, .wallet)
    case .permissions: (.permissions, .permissionsPart, .permission)
    }
  }

  /// Whether its requests are signed by default.
  var isSigned: Bool { self != .walletStatus }
}
