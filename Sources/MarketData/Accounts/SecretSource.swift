package import HTTP

/// The storage of the user's keys.
package protocol SecretSource: Sendable {
  /// Returns the secrets of an exchange by name (`apiKey`, `secret`, `passphrase`, `address`, or any other); empty if
  /// the user has stored none.
  ///
  /// Called at most once per exchange in a run, before anything is signed or filled in.
  ///
  /// - Throws: `notAllowed` if the exchange's signed requests are neither the shipped ones nor allowed by the user, and
  ///   other errors if the stored secrets are unusable. Never because there are none.
  func secrets(of exchange: String) throws(SecretProblem) -> [String: Secret]

  /// Returns whether the user has stored any secret of an exchange, usable or not. Its block may be invalid.
  func hasSecrets(of exchange: String) -> Bool
}

/// The dependencies of requests for the user's accounts.
package struct AccountDependencies: Sendable {
  package let secrets: any SecretSource
  package let nonces: any NonceSource
  /// nil to skip clock checks.
  package let clock: HostClock?
  package let crypto: any Cryptography

  package init(
    secrets: any SecretSource, nonces: any NonceSource, clock: HostClock? = nil, crypto: any Cryptography
  ) {
    self.secrets = secrets
    self.nonces = nonces
    self.clock = clock
    self.crypto = crypto
  }
}
