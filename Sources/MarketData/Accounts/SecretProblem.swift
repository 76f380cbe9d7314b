import HTTP
package import Mapping
package import Quotes

/// Why a request that needs the user's secrets is not sent. Contains no secrets.
package enum SecretProblem: Error, Hashable, Sendable {
  /// The user has stored no secret that the request needs, one of which has this name.
  case noSecret(name: String)
  /// The user has stored others that the request needs, but none of this name.
  case incomplete(missing: String)
  /// The requests are neither shipped nor allowed by the user.
  case notAllowed
  /// They are neither, and cannot be allowed before the owner's block is corrected.
  case invalidBlock
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
  /// The file with the last nonce cannot be understood.
  case nonceDamaged(path: String)
  /// This machine's clock and the host's are too far apart.
  case clock(host: String, own: Instant, theirs: Instant)
}

extension SecretProblem {
  package var reason: NotSent {
    switch self {
    case .noSecret: .noSecret
    case .notAllowed: .notAllowed
    case .invalidBlock: .invalidBlock
    case .badSecret, .incomplete, .unreadable: .badSecret
    case .nonceAhead: .nonceAhead
    case .nonceBusy: .nonceBusy
    case .nonceStore: .nonceStore
    case .nonceDamaged: .nonceDamaged
    case .clock: .clock
    }
  }

  /// The problem and its remedy, for the user.
  package var sentence: String {
    switch self {
    case .noSecret(let name): return "missing secret '\(name)'"
    case .incomplete(let name): return "missing secret '\(name)', though others are stored"
    case .notAllowed:
      return "its keyed requests differ from the shipped ones and have not been allowed"
    case .invalidBlock:
      return "its keyed requests differ from the shipped ones, and its block is invalid"
    case .badSecret(let name, let why): return "the secret '\(name)' cannot be used: \(why)"
    case .unreadable(let sentence), .nonceStore(let sentence): return sentence
    case .nonceDamaged(let path): return "'\(path)' is damaged, so the last nonce is not known"
    case .nonceAhead(let seconds):
      return "the last nonce of this key is \(seconds) s ahead of the clock, and the exchange refuses smaller ones"
    case .nonceBusy: return "another request with this key is still running"
    case .clock(let host, let own, let theirs):
      return
        "this machine's clock is at \(own.iso8601) but \(host)'s is at \(theirs.iso8601); correct this machine's clock"
    }
  }

  /// Why there is no answer.
  package var failure: AnswerFailure { AnswerFailure(.notSent(reason), sentence) }

  var transportError: TransportError { .notSent(reason: reason, sentence) }
}
