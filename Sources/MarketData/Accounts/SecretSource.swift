package import Config
package import HTTP
package import Mapping
package import Quotes

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
}

/// Numbers that increase with each request of a key, across all processes.
package protocol NonceSource: Sendable {
  /// Waits until no other request with a nonce of this key is under way, and takes the next nonce: the time, or the
  /// last nonce plus one `unit`, whichever is greater. It is stored on disk before this returns.
  ///
  /// - Parameters:
  ///   - now: The time, which is the minimum of the nonce.
  ///   - patience: How long to wait for the turn.
  /// - Throws: `nonceAhead`, `nonceBusy` or `nonceStore`.
  func turn(
    of key: NonceKey, unit: NonceUnit, now: Instant, patience: Duration
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

  package init(exchange: String, id: Secret) {
    self.exchange = exchange
    self.id = id
  }

  /// Creates a key. Exchanges track the nonces of a key by the secret that is sent, or else by the one that signs.
  ///
  /// - Parameter secrets: The secrets by name.
  package init(exchange: String, auth: AuthSpec, secrets: [String: Secret]) {
    let names = auth.sent.flatMap(\.secretNames) + auth.secretNames
    self.init(exchange: exchange, id: names.lazy.compactMap { secrets[$0] }.first ?? Secret(""))
  }
}

/// The granularity of an exchange's nonces, in microseconds.
package enum NonceUnit: Int64, Sendable, Hashable {
  case microseconds = 1
  case milliseconds = 1_000
  case seconds = 1_000_000
}

/// Why a request that needs the user's secrets is not sent. Contains no secrets.
package enum SecretProblem: Error, Hashable, Sendable {
  /// The user has stored none of this name.
  case noSecret(name: String)
  /// The requests are neither shipped nor allowed by the user.
  case notAllowed
  /// The secret is unusable: it contains a control character, or is not base64 although that is required.
  case badSecret(name: String, why: String)
  /// The key file, or the program that should print a key, as a sentence for the user.
  case unreadable(String)
  /// The last nonce is so far in the future that the exchange would refuse current ones.
  case nonceAhead(seconds: Int64)
  /// Another process holds the key's turn.
  case nonceBusy
  /// Nonces cannot be stored, as a sentence for the user.
  case nonceStore(String)
  /// This machine's clock and the host's are too far apart.
  case clock(host: String, own: Instant, theirs: Instant)
}

extension SecretProblem {
  /// The code for scripts.
  package var code: String {
    switch self {
    case .noSecret: "no-secret"
    case .notAllowed: "not-allowed"
    case .badSecret: "bad-secret"
    case .unreadable: "no-secret"
    case .nonceAhead: "nonce-ahead"
    case .nonceBusy: "nonce-busy"
    case .nonceStore: "nonce-store"
    case .clock: "clock"
    }
  }

  /// The problem and its remedy, for the user.
  package var sentence: String {
    switch self {
    case .noSecret(let name): return "missing secret '\(name)'"
    case .notAllowed:
      return "its keyed requests differ from the shipped ones and have not been allowed"
    case .badSecret(let name, let why): return "the secret '\(name)' cannot be used: \(why)"
    case .unreadable(let sentence), .nonceStore(let sentence): return sentence
    case .nonceAhead(let seconds):
      return "the last nonce of this key is \(seconds) s ahead of the clock, and the exchange refuses smaller ones"
    case .nonceBusy: return "another request with this key is still running"
    case .clock(let host, let own, let theirs):
      return
        "this machine's clock is at \(own.iso8601) but \(host)'s is at \(theirs.iso8601); correct this machine's clock"
    }
  }

  /// Why there is no answer.
  package var failure: TableFailure {
    switch self {
    case .noSecret, .unreadable: TableFailure(.noSecret, sentence)
    default: TableFailure(.notSent(InternedText(code)), sentence)
    }
  }

  var transportError: TransportError { .notSent(reason: code, sentence) }
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
