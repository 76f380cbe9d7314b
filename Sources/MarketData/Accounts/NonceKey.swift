package import Config
package import HTTP

extension NonceKey {
  /// Creates a key. Exchanges track the nonces of a key by the secret that is sent, or else by the one that signs.
  ///
  /// - Parameter secrets: The secrets by name.
  package init(exchange: String, auth: AuthSpec, secrets: [String: Secret]) {
    let names = auth.sent.flatMap(\.secretNames) + auth.secretNames
    self.init(exchange: exchange, id: names.lazy.compactMap { secrets[$0] }.first ?? Secret(""))
  }
}
