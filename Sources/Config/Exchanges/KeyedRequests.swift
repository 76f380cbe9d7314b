import HTTP
package import JSON

/// What decides where the user's keys of one owner go, an exchange or a rate provider, and with which words: `auth`, and the
/// requests of every block that is signed or names a secret.
///
/// An exchange and a rate provider of one name share their keys in `credentials.json`, so they are looked at together.
///
/// It is one text, so that two configs can be compared and a user's word can be kept. What is added to it by mistake asks the
/// user once more; what is left out by mistake could send a key elsewhere. So whatever may count is in it.
package struct KeyedRequests: Sendable {
  /// The JSON text: no blanks, members in the order of the config, without notes and vectors. The levels that others laid
  /// their own over stand before these, those without anything to say left out.
  package let canonical: [UInt8]

  /// The hosts that the user's own files name.
  package var ownHosts: [String] { own.flatMap(\.baseURLs).map { HostName(of: $0).text } }

  /// In 64 small hexadecimal digits.
  package var fingerprint: String { SHA256.hexadecimal(canonical) }

  /// Whether all of it ships with the program.
  package let isShipped: Bool
  /// What the files say that do not ship with the program, as far as it counts: whoever has seen this has seen all that a word
  /// of theirs would allow.
  package let own: [JSONValue]

  /// nil where no request of the owner needs a key.
  ///
  /// - Parameter owner: its own name, letter for letter, as the keys are stored under it.
  package init?(of owner: String, in configuration: Configuration) {
    let source = configuration.exchanges.first { $0.name == owner }
    let provider = configuration.levels(ofProvider: owner)
    let groups = [source?.base ?? [], source?.own ?? []] + (provider.isEmpty ? [] : [provider])
    let levels = Levels(groups.flatMap(\.self), isHeir: source?.base.isEmpty == false)
    guard levels.needKeys else { return nil }
    let foreign = groups.joined().filter { $0.file.source.origin != .shipped }
    isShipped = foreign.isEmpty
    own = foreign.map { levels.kept(of: $0) }.filter { !$0.isEmpty }
    let parts = groups.map { nodes in
      JSONValue.array(nodes.map { levels.kept(of: $0) }.filter { !$0.isEmpty })
    }
    canonical = JSONValue.array(parts).written()
  }
}

extension ExchangeSource {
  /// The names of the secrets that anything of the exchange asks for, each once, in the order in which they stand there:
  /// `apiKey`, `secret`.
  package var secretNames: [String] { (base + own).secretNames }
}

extension Configuration {
  /// The names of the secrets that a rate provider asks for.
  package func secretNames(ofProvider name: String) -> [String] { levels(ofProvider: name).secretNames }
}

extension [ConfigNode] {
  fileprivate var secretNames: [String] {
    var names: [String] = []
    for node in self {
      node.json.visitTexts { text in
        for name in SecretName.names(in: text) where !names.contains(name) { names.append(name) }
      }
    }
    return names
  }
}

/// The levels of an owner, read for what has to do with keys.
private struct Levels {
  private static let accounts: Set = ["auth", "balances", "permissions", "walletStatus"]
  /// What shapes a request, or says how it is signed: kept as it stands.
  private static let shaping: Set = [
    "baseUrls", "headers", "request", "set", "lookups", "batch", "signed", "intervals",
  ]
  let needKeys: Bool
  /// Whether a block outside of the accounts names a secret: then any of them counts.
  private let isPublicKeyed: Bool
  private let isWalletKeyed: Bool
  /// Whether a request with a key may go where the exchange's own `baseUrls` lead.
  private let usesOwnHosts: Bool

  /// - Parameter isHeir: whether the exchange starts from another, whose `auth` then keeps its hosts to itself.
  init(_ levels: [ConfigNode], isHeir: Bool) {
    let roots = levels.map(\.json)
    func values(_ name: String) -> [JSONNode] { roots.compactMap { $0[name] } }
    let wallets = values("walletStatus")
    isPublicKeyed = roots.contains { root in
      root.members.contains { !Self.accounts.contains($0.name) && $0.value.namesSecret }
    }
    isWalletKeyed = wallets.contains { wallet in
      wallet.namesSecret || !wallet.all("auth").isEmpty || wallet.all("signed").contains { $0.text != "false" }
    }
    let keyed = values("balances") + values("permissions") + (isWalletKeyed ? wallets : [])
    needKeys = isPublicKeyed || isWalletKeyed || !keyed.isEmpty || !values("auth").isEmpty
    let auths = values("auth") + keyed.flatMap { $0.all("auth") }
    // What is unsigned takes its hosts from the exchange, and what is signed where no auth says them.
    let isUnsignedKeyed =
      wallets.contains(where: \.namesSecret)
      || keyed.contains { block in
        block.all("signed").contains { $0.text != "true" } || block.all("lookups").contains(where: \.namesSecret)
      }
    usesOwnHosts =
      isHeir || isPublicKeyed || isUnsignedKeyed || auths.isEmpty || auths.contains { $0["baseUrls"]?.kind != .array }
  }

  /// What of one level counts.
  func kept(of level: ConfigNode) -> JSONValue {
    var members: [(String, JSONValue)] = []
    for member in level.json.members {
      switch member.name {
      case "auth": members.append((member.name, member.value.authValue))
      case "headers", "set", "lookups": members.append((member.name, JSONValue(member.value)))
      case "baseUrls": if usesOwnHosts { members.append((member.name, JSONValue(member.value))) }
      case "walletStatus" where !isWalletKeyed: break
      case let name where Self.accounts.contains(name):
        let shape = Self.shape(of: member.value)
        // A null forgets what another level says.
        if !shape.isEmpty || member.value.kind == .null { members.append((name, shape)) }
      default:
        guard isPublicKeyed else { break }
        let shape = Self.shaping.contains(member.name) ? JSONValue(member.value) : Self.shape(of: member.value)
        if !shape.isEmpty { members.append((member.name, shape)) }
      }
    }
    return .members(members)
  }

  /// A block, or several by their names, with what shapes their requests, on whatever level it stands. Texts alone shape
  /// none.
  private static func shape(of node: JSONNode) -> JSONValue {
    switch node.kind {
    case .object:
      return .members(
        node.members.compactMap { member in
          if member.name == "auth" { return (member.name, member.value.authValue) }
          if shaping.contains(member.name) { return (member.name, JSONValue(member.value)) }
          let shape = shape(of: member.value)
          return shape.isEmpty ? nil : (member.name, shape)
        })
    case .array: return .array(node.elements.map(shape).filter { !$0.isEmpty })
    default: return .null
    }
  }
}

extension JSONValue {
  /// Every text of a `baseUrls` in it.
  fileprivate var baseURLs: [String] {
    switch self {
    case .object(let members):
      members.flatMap { member -> [String] in
        guard member.name == "baseUrls", case .array(let urls) = member.value else { return member.value.baseURLs }
        return urls.compactMap { if case .string(let url) = $0 { url } else { nil } }
      }
    case .array(let elements): elements.flatMap(\.baseURLs)
    default: []
    }
  }

  /// Whether it says nothing.
  fileprivate var isEmpty: Bool {
    switch self {
    case .null: true
    case .array(let elements): elements.isEmpty
    case .object(let members): members.isEmpty
    default: false
    }
  }
}

extension JSONNode {
  fileprivate var namesSecret: Bool {
    var isNamed = false
    visitTexts { isNamed = isNamed || $0.contains("{secret:") }
    return isNamed
  }

  /// Every text in the value, with its escapes undone: `\u007b` is a brace too. The names of members are none.
  fileprivate func visitTexts(_ visit: (String) -> Void) {
    if let text = string { visit(text) }
    for element in elements { element.visitTexts(visit) }
    for member in members { member.value.visitTexts(visit) }
  }

  /// What stands under a name anywhere in the value.
  fileprivate func all(_ name: String) -> [JSONNode] {
    elements.flatMap { $0.all(name) }
      + members.flatMap { ($0.name == name ? [$0.value] : []) + $0.value.all(name) }
  }

  /// An `auth` as it stands, without the members that sign nothing.
  fileprivate var authValue: JSONValue {
    guard kind == .object else { return JSONValue(self) }
    return .members(
      members.filter { member in
        switch member.name {
        case "note", "$comment": member.value.kind != .string
        case "vectors": member.value.kind != .array
        default: true
        }
      }.map { ($0.name, JSONValue($0.value)) })
  }
}
