package import Config
package import HTTP

/// The user's keys for one config: the stored ones that the config may use.
package struct KeyStore: SecretSource {
  package let credentials: Credentials
  package let allowance: KeyAllowance
  private let configuration: Configuration

  package init(_ credentials: Credentials, _ configuration: Configuration, _ allowance: KeyAllowance) {
    (self.credentials, self.configuration, self.allowance) = (credentials, configuration, allowance)
  }

  package func status(of exchange: String) -> KeyAllowance.Status {
    allowance.status(of: exchange, allowed: credentials.allowed(exchange))
  }

  /// Returns a copy with changes that have not been written yet.
  package func applying(_ edits: [CredentialsEdit], to exchange: String) -> KeyStore {
    KeyStore(credentials.applying(edits, to: exchange), configuration, allowance)
  }

  /// Returns the names of the secrets that an exchange's requests use, and of those stored for it.
  package func names(of exchange: String) -> [String] {
    let stored = credentials.storedNames(of: exchange)
    let asked = configuration.exchanges.first { $0.name == exchange }?.secretNames ?? []
    return asked + stored.filter { !asked.contains($0) }
  }

  package func hasSecrets(of exchange: String) -> Bool {
    names(of: exchange).contains { credentials.origin(of: $0, exchange) != nil }
  }

  package func secrets(of exchange: String) throws(SecretProblem) -> [String: Secret] {
    let names = names(of: exchange).filter { credentials.origin(of: $0, exchange) != nil }
    guard !names.isEmpty else { return [:] }
    // Checked before running any program: secrets that may not be used are not fetched.
    if case .notAllowed = status(of: exchange) { throw .notAllowed }
    var secrets: [String: Secret] = [:]
    for name in names { secrets[name] = try credentials.usable(name, of: exchange) }
    return secrets
  }
}
