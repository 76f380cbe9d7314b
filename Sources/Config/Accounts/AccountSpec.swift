import JSON
package import JSONPath
import Quotes

/// The data that an exchange provides only to the owner of an account: how to request it and where to find it in the
/// responses.
package struct AccountSpec: Sendable {
  /// A table and the way its requests are signed.
  package struct Part: Sendable {
    package var table: TableSpec
    /// nil for unsigned requests.
    package let auth: AuthSpec?
    /// Of balances: the conditions of this part and of all others that read the same rows, except for those about lookups,
    /// which only say which account counts. Only the first such part has them.
    package fileprivate(set) var claims: [[ConditionSpec]] = []

    init(table: TableSpec, auth: AuthSpec?) { (self.table, self.auth) = (table, auth) }
  }

  /// The balances of one account, in config order: `spot`, `funding`, `futures`, or the exchange's own word.
  package struct Balances: Sendable {
    package let account: String
    package fileprivate(set) var parts: [Part]
    /// The exchange's codes for a key whose owner has no such account.
    package let absentCodes: [String]

    /// The secrets that its requests need.
    package var secretNames: Set<String> { Set(parts.flatMap(\.secretNames)) }
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

  /// The permissions of a key: all signs of at least one list must hold.
  package struct Permissions: Sendable {
    /// A sign that the key has a right.
    package enum Sign: Sendable {
      case condition(ConditionSpec)
      /// One of the words for its rights matches.
      case word(IRegexp)

      package var condition: ConditionSpec? { if case .condition(let condition) = self { condition } else { nil } }
      package var word: IRegexp? { if case .word(let word) = self { word } else { nil } }
    }

    package let part: Part
    package let trade: [[Sign]]
    package let withdraw: [[Sign]]
    /// The path to the words for what the key may do: a list, or a text with commas between them; nil if no sign is one.
    package let rights: PathSpec?
    /// The words for rights that are neither of the two.
    package let neither: [IRegexp]
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

  /// A key of the user: some exchanges have several, none of which needs only secrets of another.
  package struct Key: Sendable {
    package let secretNames: Set<String>
    /// The accounts that are read with it.
    package internal(set) var accounts: [Balances] = []
    /// Whether the config has a request for its permissions.
    package internal(set) var hasPermissions = false
  }

  /// The keys that its permissions and balances need, the one with permissions first.
  package var keys: [Key] {
    // Only the first ones are asked for.
    let rights = permissions.first.map { Set($0.part.secretNames) } ?? []
    let needed = ([rights] + balances.map(\.secretNames)).filter { !$0.isEmpty }.unique
    let whole = needed.filter { names in !needed.contains { names.isStrictSubset(of: $0) } }
    var keys = whole.map { Key(secretNames: $0) }
    func place(_ names: Set<String>) -> Int? {
      names.isEmpty ? nil : keys.firstIndex { names.isSubset(of: $0.secretNames) }
    }
    if let place = place(rights) { keys[place].hasPermissions = true }
    for account in balances { if let place = place(account.secretNames) { keys[place].accounts.append(account) } }
    return keys.filter(\.hasPermissions) + keys.filter { !$0.hasPermissions }
  }

  package var parts: [Part] { balances.flatMap(\.parts) + wallets.map(\.part) + permissions.map(\.part) }
}

extension AccountSpec {
  /// Sets ``Part/claims`` of the balances, and ``LookupSpec/claims`` of the lists that name their accounts.
  mutating func addClaims() {
    var firsts: [[[String]]: (account: Int, part: Int)] = [:]
    var lists: [[String]: (account: Int, part: Int, lookup: Int)] = [:]
    for account in balances.indices {
      for part in balances[account].parts.indices {
        let own = balances[account].parts[part]
        let first = firsts[own.reading] ?? (account, part)
        firsts[own.reading] = first
        let conditions = own.table.conditions.filter(\.value.lookupNames.isEmpty)
        balances[first.account].parts[first.part].claims.append(conditions)
        guard let index = own.table.lookups.firstIndex(where: { $0.name == own.table.batch?.lookup }) else { continue }
        let list = own.table.lookups[index]
        let place = lists[list.reading] ?? (account, part, index)
        lists[list.reading] = place
        balances[place.account].parts[place.part].table.lookups[place.lookup].claims.append(list.conditions)
      }
    }
  }
}

extension LookupSpec {
  /// What decides which rows it reads: see ``AccountSpec/Part``.
  fileprivate var reading: [String] {
    let request = node["request"].map { String(decoding: JSONValue($0.json).written(), as: UTF8.self) }
    return baseURLs + [request ?? "", hook ?? ""] + rows.text
  }
}

extension AccountSpec.Part {
  /// What decides which rows it reads: parts that agree in it read the same rows of the same answer.
  fileprivate var reading: [[String]] {
    let headers = table.block?.members(of: .headers).map(\.value) ?? []
    let nodes = [table.request.node] + [auth?.node].compactMap(\.self) + headers + table.lookups.map(\.node)
    let texts = nodes.map { String(decoding: JSONValue($0.json).written(), as: UTF8.self) }
    let constants = table.set.filter { constant in texts.contains { $0.contains("{\(constant.name)") } }
    return [
      table.baseURLs, texts, constants.flatMap { [$0.name, $0.value] }, table.rows.text, [table.hook ?? ""],
      [table.batch?.lookup ?? ""],
    ]
  }

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
