import HTTP
package import JSON
import Quotes

/// Everything that decides where an owner's keys are sent, and in which form: `auth`, and the requests of every block
/// that is signed or names a secret. An owner is an exchange or a rate provider.
///
/// An exchange and a rate provider of the same name share their keys in `credentials.json`, so they are examined
/// together.
///
/// The result is one text, so that two configs can be compared and the user's consent stored. Including too much only
/// asks the user once more; leaving something out could send a key elsewhere. So anything that might matter is
/// included.
package struct KeyedRequests: Sendable {
  /// The JSON text: no whitespace, members in config order, without notes and vectors. Levels that others override come
  /// before them; levels with nothing relevant are left out.
  package let canonical: [UInt8]

  /// The hosts named in the user's own files.
  package var ownHosts: [String] { own.flatMap(\.baseURLs).map { HostName(of: $0).text } }

  /// The SHA-256 of `canonical` as 64 lowercase hexadecimal digits.
  package var fingerprint: String { SHA256.hexadecimal(canonical) }

  /// Whether all of it ships with the program.
  package let isShipped: Bool
  /// The relevant content of files that do not ship with the program: everything that the user's consent would allow
  /// them.
  package let own: [JSONValue]

  /// Returns nil if no request of the owner needs a key.
  ///
  /// - Parameter owner: the owner's own name, exactly as the keys are stored under it.
  package init?(of owner: String, in configuration: Configuration) {
    let source = configuration.exchanges.first { $0.name == owner }
    let provider = configuration.levels(ofProvider: owner)
    let groups = [source?.base ?? [], source?.own ?? []] + (provider.isEmpty ? [] : [provider])
    let levels = Levels(groups.flatMap(\.self), inherits: source?.base.isEmpty == false)
    guard levels.needKeys else { return nil }
    let foreign = groups.joined().filter { !$0.isShipped }
    isShipped = foreign.isEmpty
    own = foreign.map { levels.kept(of: $0) }.filter { !$0.isEmpty }
    let parts = groups.map { nodes in
      JSONValue.array(nodes.map { levels.kept(of: $0) }.filter { !$0.isEmpty })
    }
    canonical = JSONValue.array(parts).written()
  }
}

extension ExchangeSource {
  /// The names of the secrets that the exchange uses, without duplicates, in the order in which they first appear:
  /// `apiKey`, `secret`.
  package var secretNames: [String] { (base + own).secretNames }
}

extension Configuration {
  /// Returns the names of the secrets that a rate provider uses.
  package func secretNames(ofProvider name: String) -> [String] { levels(ofProvider: name).secretNames }
}

extension [ConfigNode] {
  fileprivate var secretNames: [String] {
    var names: [String] = []
    for node in self { node.json.visitTexts { names += SecretName.names(in: $0) } }
    return names.unique
  }
}

/// The levels of an owner, examined for everything related to keys.
private struct Levels {
  private static let accounts: Set = ["auth", "balances", "permissions", "walletStatus"]
  /// The keys that shape a request or its signature; kept unchanged.
  private static let shaping: Set = [
    "baseUrls", "headers", "request", "set", "lookups", "batch", "signed", "intervals",
  ]
  let needKeys: Bool
  /// Whether a block outside the accounts names a secret; if so, all such blocks count.
  private let isPublicKeyed: Bool
  private let isWalletKeyed: Bool
  /// Whether a request with a key may go to the exchange's own `baseUrls`.
  private let usesOwnHosts: Bool

  /// - Parameter inherits: whether the exchange inherits from another, whose `auth` then keeps its hosts to itself.
  init(_ levels: [ConfigNode], inherits: Bool) {
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
    // Unsigned requests take their hosts from the exchange, as do signed ones if their auth names none.
    let isUnsignedKeyed =
      wallets.contains(where: \.namesSecret)
      || keyed.contains { block in
        block.all("signed").contains { $0.text != "true" } || block.all("lookups").contains(where: \.namesSecret)
      }
    usesOwnHosts =
      inherits || isPublicKeyed || isUnsignedKeyed || auths.isEmpty || auths.contains { $0["baseUrls"]?.kind != .array }
  }

  /// Returns the relevant content of one level.
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
        // A null removes what another level says.
        if !shape.isEmpty || member.value.kind == .null { members.append((name, shape)) }
      default:
        guard isPublicKeyed else { break }
        let shape = Self.shaping.contains(member.name) ? JSONValue(member.value) : Self.shape(of: member.value)
        if !shape.isEmpty { members.append((member.name, shape)) }
      }
    }
    return .members(members)
  }

  /// Returns whatever in a block, or in several by name, shapes requests, at any depth. Scalars alone shape none.
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
  /// Every `baseUrls` string within the value.
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

  /// Whether the value has no content.
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
    visitTexts { isNamed = isNamed || !SecretName.names(in: $0).isEmpty }
    return isNamed
  }

  /// Visits every string in the value, with escapes decoded since `\u007b` is a brace too. Skips member names.
  fileprivate func visitTexts(_ visit: (String) -> Void) {
    if let text = string { visit(text) }
    for element in elements { element.visitTexts(visit) }
    for member in members { member.value.visitTexts(visit) }
  }

  /// Returns the values of all members with a name, at any depth.
  fileprivate func all(_ name: String) -> [JSONNode] {
    elements.flatMap { $0.all(name) }
      + members.flatMap { ($0.name == name ? [$0.value] : []) + $0.value.all(name) }
  }

  /// The `auth` unchanged, except for members that do not affect signing.
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
