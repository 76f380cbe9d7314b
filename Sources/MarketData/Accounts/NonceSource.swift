package import Config
package import HTTP
package import Quotes

/// Numbers that increase with each request of a key, across all processes.
package protocol NonceSource: Sendable {
  /// Waits until no other request with a nonce of this key is under way, and takes the next nonce: the time, or the
  /// last nonce plus one `unit`, whichever is greater. It is stored on disk before this returns.
  ///
  /// - Parameters:
  ///   - now: The time, which is the minimum of the nonce.
  ///   - patience: How long to wait for the turn.
  /// - Throws: `nonceAhead`, `nonceBusy`, `nonceStore` or `nonceDamaged`.
  func turn(
    of key: NonceKey, unit: SignedTemplate.ClockUnit, now: Instant, patience: Duration
  ) async throws(SecretProblem) -> any NonceTurn
}

/// One nonce and the exclusive right to use it: until it is released, no other nonce of the same key is sent.
package protocol NonceTurn: Sendable {
  /// Microseconds since 1970; a multiple of the unit.
  var microseconds: Int64 { get }

  /// Called once when the response has arrived, or none will.
  func release()
}

/// The key for which nonces increase: the one by which the exchange identifies requests.
package struct NonceKey: Sendable, Hashable {
  package let exchange: String
  /// The text that identifies the key for the exchange, only for hashing.
  package let id: Secret

  package init(exchange: String, id: Secret) { (self.exchange, self.id) = (exchange, id) }

  /// Creates a key. Exchanges track the nonces of a key by the secret that is sent, or else by the one that signs.
  ///
  /// - Parameter secrets: The secrets by name.
  package init(exchange: String, auth: AuthSpec, secrets: [String: Secret]) {
    let names = auth.sent.flatMap(\.secretNames) + auth.secretNames
    self.init(exchange: exchange, id: names.lazy.compactMap { secrets[$0] }.first ?? Secret(""))
  }
}
