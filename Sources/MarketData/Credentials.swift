import Files
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

  /// The secrets in `credentials.json` of the user's folder, if there is one, and in the environment.
  ///
  /// - Throws: where others can read the file, or it is not JSON.
  package static func load(
    from folder: String?, environment: @escaping @Sendable (String) -> String?
  ) throws(ConfigProblem) -> Credentials {
    guard let path = folder.map({ "\($0)/credentials.json" }), FileSystem.isReadable(path) else {
      return Credentials(nil, environment: environment)
    }
    guard FileSystem.isPrivate(path) else { throw .exposedCredentials(path: path) }
    guard let bytes = try? FileSystem.read(path), let document = try? JSONDocument(parsing: bytes) else {
      throw .malformedCredentials(path: path)
    }
    return Credentials(document, environment: environment)
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
