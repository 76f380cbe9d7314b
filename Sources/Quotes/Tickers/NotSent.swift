/// Why a request is not sent. The raw values are shown and written; ``noRequest`` follows `no-answer`.
package enum NotSent: String, Sendable, CaseIterable {
  /// It needs a secret that the user has not provided.
  case noSecret = "no-secret"
  /// It needs a secret, and is neither shipped nor allowed by the user.
  case notAllowed = "not-allowed"
  /// It is neither, and cannot be allowed before the exchange's block is corrected.
  case invalidBlock = "invalid-block"
  /// The secret, or what keeps it, cannot be used.
  case badSecret = "bad-secret"
  /// The last nonce is ahead of the clock.
  case nonceAhead = "nonce-ahead"
  /// Another request with the same key is running.
  case nonceBusy = "nonce-busy"
  /// Nonces cannot be stored.
  case nonceStore = "nonce-store"
  /// The file with the last nonce cannot be understood.
  case nonceDamaged = "nonce-damaged"
  /// This machine's clock and the host's are too far apart.
  case clock
  /// The library that signs was not found.
  case noCrypto = "no-crypto"
  /// A template of the request has no value here: a hole in the config.
  case noRequest = "no-request"
  /// The exchange's limit is used up.
  case ownLimit = "own-limit"
  /// Nothing may be sent, and no answer is kept.
  case notKept = "not-kept"
}
