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
    !storedNames(of: exchange).isEmpty || flaw(of: exchange) != nil
  }

  private func storedNames(of exchange: String) -> [String] {
    names(of: exchange).filter { credentials.origin(of: $0, exchange) != nil }
  }

  /// Returns why an exchange has no key although the file has an entry that is meant to be one; nil if it has none.
  private func flaw(of exchange: String) -> String? {
    for owner in credentials.meantOwners where configuration.exchange(named: owner)?.name == exchange {
      if owner != exchange { return "credentials.json has its key under '\(owner)'; write '\(exchange)'" }
      if credentials.entry(of: owner)?.isMalformed == true { return "its entry in credentials.json is not an object" }
    }
    return nil
  }

  package func secrets(of exchange: String) throws(SecretProblem) -> [String: Secret] {
    let names = storedNames(of: exchange)
    if names.isEmpty, let flaw = flaw(of: exchange) { throw .unreadable(flaw) }
    guard !names.isEmpty else { return [:] }
    // Checked before running any program: secrets that may not be used are not fetched.
    if let refusal = allowance.refusal(of: exchange, allowed: credentials.allowed(exchange)) { throw refusal }
    var secrets: [String: Secret] = [:]
    for name in names { secrets[name] = try credentials.usable(name, of: exchange) }
    return secrets
  }
}
