package import HTTP
package import Mapping
package import Quotes

/// Where the user's keys are kept.
package protocol SecretSource: Sendable {
  /// The secrets of an exchange by their names (`apiKey`, `secret`, `passphrase`, `address`, or any other); empty where
  /// the user has stored none.
  ///
  /// It is asked at most once for an exchange in a run, and before anything is signed or filled.
  ///
  /// - Throws: `notAllowed` where the exchange's signed requests are neither those that ship nor allowed by the user, and
  ///   whatever makes the stored secrets unusable. Never because there are none.
  func secrets(of exchange: String) throws(SecretProblem) -> [String: Secret]
}

/// Numbers that rise from request to request of one key, over all processes.
package protocol NonceSource: Sendable {
  /// Waits until no other request with a nonce of this key is under way, and takes the next nonce: the time, or one `unit`
  /// more than the last, whichever is more. It is on disk before it is returned.
  ///
  /// - Parameters:
  ///   - now: the time, which the nonce is not below.
  ///   - patience: how long the turn is waited for at most.
  /// - Throws: `nonceAhead`, `nonceBusy` or `nonceStore`.
  func turn(
    of key: NonceKey, unit: NonceUnit, now: Instant, patience: Duration
  ) async throws(SecretProblem) -> any NonceTurn
}

/// One nonce, and the right to use it: nobody else sends one of the same key until it is released.
package protocol NonceTurn: Sendable {
  /// Microseconds since 1970; a multiple of the unit that it was taken in.
  var microseconds: Int64 { get }

  /// The answer is there, or there will be none. To be called once.
  func release()
}

/// Whose nonces rise: the key that the exchange knows a request by.
package struct NonceKey: Sendable, Hashable {
  package let exchange: String
  /// The text by which the exchange tells keys apart. It is for hashing alone.
  package let id: Secret

  package init(exchange: String, id: Secret) {
    self.exchange = exchange
    self.id = id
  }
}

/// The steps that the nonces of an exchange rise in, in microseconds.
package enum NonceUnit: Int64, Sendable, Hashable {
  case microseconds = 1
  case milliseconds = 1_000
  case seconds = 1_000_000
}

/// Holds this machine's clock against that of a host.
package protocol ClockCheck: Sendable {
  /// Called before a nonce is taken for a request to this base URL; after the first time in a run it answers from memory.
  ///
  /// - Throws: `clock` where the two are more than 5 s and the round trip apart. A host that does not tell the time is no
  ///   reason to stop.
  func check(_ baseURL: String) async throws(SecretProblem)

  /// By how much this machine's clock differs from that of a host that has answered in this run, as a sentence; nil where
  /// they agree to a second, or the host did not say.
  func difference(from url: String) -> String?
}

/// Why a request that needs the user's secrets is not sent. No text in it holds a secret.
package enum SecretProblem: Error, Hashable, Sendable {
  /// The user has stored none of this name.
  case noSecret(name: String)
  /// Neither what ships nor what the user has allowed.
  case notAllowed
  /// A secret that cannot be used as it is: with a control character, or no base64 where that is wanted.
  case badSecret(name: String, why: String)
  /// The file of the keys, or the program that is to give one, as a sentence for people.
  case unreadable(String)
  /// The last nonce is so far in the future that the exchange would refuse what is sent now.
  case nonceAhead(seconds: Int64)
  /// Another process holds the key's turn.
  case nonceBusy
  /// Nonces cannot be kept, as a sentence for people.
  case nonceStore(String)
  /// This machine's clock and the host's are too far apart.
  case clock(host: String, own: Instant, theirs: Instant)
}

extension SecretProblem {
  /// The word that scripts see.
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
}

extension SecretProblem {
  /// What is wrong and what to do, for people.
  package var sentence: String {
    switch self {
    case .noSecret(let name): return "missing secret '\(name)'"
    case .notAllowed:
      return "its requests with keys are not those that ship, and not allowed"
    case .badSecret(let name, let why): return "the secret '\(name)' cannot be used: \(why)"
    case .unreadable(let sentence), .nonceStore(let sentence): return sentence
    case .nonceAhead(let seconds):
      return "the last nonce of this key is \(seconds) s ahead of the clock, and the exchange refuses smaller ones"
    case .nonceBusy: return "another request of this key is still under way"
    case .clock(let host, let own, let theirs):
      return "this machine's clock says \(own.iso8601), that of \(host) \(theirs.iso8601): set the clock"
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

/// What requests of the user's accounts need of the world.
package struct AccountMeans: Sendable {
  package let secrets: any SecretSource
  package let nonces: any NonceSource
  /// nil holds no clock against another.
  package let clock: (any ClockCheck)?
  package let crypto: any Cryptography
  /// A random one, version 4, in lower case.
  package let uuid: @Sendable () -> String

  package init(
    secrets: any SecretSource, nonces: any NonceSource, clock: (any ClockCheck)? = nil, crypto: any Cryptography,
    uuid: @escaping @Sendable () -> String = { AccountMeans.randomUUID() }
  ) {
    self.secrets = secrets
    self.nonces = nonces
    self.clock = clock
    self.crypto = crypto
    self.uuid = uuid
  }

  /// RFC 9562, version 4.
  package static func randomUUID() -> String {
    var bytes = (0..<16).map { _ in UInt8.random(in: 0...255) }
    bytes[6] = bytes[6] & 0x0F | 0x40
    bytes[8] = bytes[8] & 0x3F | 0x80
    let digits = Array(bytes.hexadecimal)
    return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(digits[$0]) }.joined(separator: "-")
  }
}
