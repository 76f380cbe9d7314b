package import JSON

/// The user's secrets: what `{secret:name}` of a config is filled with.
///
/// A secret comes from `credentials.json` or, failing that, from one environment variable whose name is made of the
/// owner's and the secret's: no config can ask for any other.
package struct Credentials: Sendable {
  private let byOwner: [String: [String: String]]
  private let environment: @Sendable (String) -> String?

  /// - Parameter document: `{"OpenExchangeRates": {"app_id": ".."}}`; nil where the user has no such file.
  package init(_ document: JSONDocument?, environment: @escaping @Sendable (String) -> String?) {
    var byOwner: [String: [String: String]] = [:]
    for owner in document.map({ Array($0.root.members) }) ?? [] {
      for secret in owner.value.members {
        byOwner[owner.name, default: [:]][secret.name] = secret.value.string
      }
    }
    self.byOwner = byOwner
    self.environment = environment
  }

  package func secret(_ name: String, of owner: String) -> String? {
    byOwner[owner]?[name] ?? environment(Self.variable(name, of: owner))
  }

  /// `MARKET_OPENEXCHANGERATES_APP_ID`.
  package static func variable(_ name: String, of owner: String) -> String {
    let letters = "\(owner)_\(name)".uppercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" }
    return "MARKET_" + String(letters)
  }
}
