package import Quotes

/// Why a request has no answer. The texts name hosts and causes but never contain a secret.
package enum TransportError: Error, Hashable, Sendable {
  /// No complete answer within the time of one attempt, or the deadline of the run.
  case timeout
  /// The name of the host or of a proxy has no address.
  case cannotResolve(String)
  case cannotConnect(String)
  /// A connection needs more open files than this process, or the system, has left.
  case tooManyFiles
  /// The handshake failed or the certificate is not trusted. Never retried: it would not help, or it is an attack.
  case tls(String)
  /// The answer is longer than `limit` bytes, counted after decoding.
  case tooLarge(limit: Int)
  case redirectRefused(String)
  /// The body does not match its Content-Encoding.
  case badEncoding
  /// The connection ended before the answer was complete.
  case brokenOff(String)
  /// A replay has no recording of this request.
  case notInCassette(String)
  case cancelled
  /// It was never sent, for a reason that a sentence explains.
  case notSent(reason: NotSent, String)
  case other(String)
}

extension TransportError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .timeout: "no answer in time"
    case .cannotResolve(let host): "cannot resolve '\(host)'"
    case .cannotConnect(let detail): "cannot connect to \(detail)"
    case .tooManyFiles: "too many files are open at once; run: ulimit -n 4096"
    case .tls(let detail): "no secure connection: \(detail)"
    case .tooLarge(let limit): "the answer is longer than \(limit) bytes"
    case .redirectRefused(let detail): "redirect refused: \(detail)"
    case .badEncoding: "the answer's compression is unknown or damaged"
    case .brokenOff(let detail): "connection lost: \(detail)"
    case .notInCassette(let request): "no recording of \(request)"
    case .cancelled: "cancelled"
    case .notSent(_, let sentence): sentence
    case .other(let detail): detail
    }
  }
}

extension TransportError {
  /// The limit that the config has for an exchange leaves no time for the request.
  package static func limitUsedUp(_ limit: RateLimit) -> TransportError {
    let seconds = Decimal(mantissa: Int128(limit.perMilliseconds), exponent: -3).shortest
    return .notSent(
      reason: .ownLimit, "not sent, as the exchange's limit of \(limit.requests) in \(seconds) s is used up")
  }

  /// The kinds of errors, by the codes that cassettes use.
  private enum Kind: String, CaseIterable {
    case timeout
    case cannotResolve = "cannot-resolve"
    case cannotConnect = "cannot-connect"
    case tooManyFiles = "too-many-files"
    case tls
    case tooLarge = "too-large"
    case redirectRefused = "redirect-refused"
    case badEncoding = "bad-encoding"
    case brokenOff = "broken-off"
    case notInCassette = "not-in-cassette"
    case cancelled
    case notSent = "not-sent"
    case other
  }

  /// The codes that cassettes use.
  package static var codes: [String] { Kind.allCases.map(\.rawValue) }

  /// The error as written to cassettes: a code and the details, which may be empty.
  package var parts: (code: String, detail: String) {
    let (kind, detail): (Kind, String) =
      switch self {
      case .timeout: (.timeout, "")
      case .cannotResolve(let detail): (.cannotResolve, detail)
      case .cannotConnect(let detail): (.cannotConnect, detail)
      case .tooManyFiles: (.tooManyFiles, "")
      case .tls(let detail): (.tls, detail)
      case .tooLarge(let limit): (.tooLarge, "\(limit)")
      case .redirectRefused(let detail): (.redirectRefused, detail)
      case .badEncoding: (.badEncoding, "")
      case .brokenOff(let detail): (.brokenOff, detail)
      case .notInCassette(let detail): (.notInCassette, detail)
      case .cancelled: (.cancelled, "")
      case .notSent(let reason, let sentence): (.notSent, "\(reason.rawValue) \(sentence)")
      case .other(let detail): (.other, detail)
      }
    return (kind.rawValue, detail)
  }

  /// Returns nil if no error has these parts.
  package init?(code: some StringProtocol, detail: String) {
    switch Kind(rawValue: String(code)) {
    case .timeout? where detail.isEmpty: self = .timeout
    case .cannotResolve?: self = .cannotResolve(detail)
    case .cannotConnect?: self = .cannotConnect(detail)
    case .tooManyFiles? where detail.isEmpty: self = .tooManyFiles
    case .tls?: self = .tls(detail)
    case .tooLarge?:
      guard let limit = Int(detail) else { return nil }
      self = .tooLarge(limit: limit)
    case .redirectRefused?: self = .redirectRefused(detail)
    case .badEncoding? where detail.isEmpty: self = .badEncoding
    case .brokenOff?: self = .brokenOff(detail)
    case .notInCassette?: self = .notInCassette(detail)
    case .cancelled? where detail.isEmpty: self = .cancelled
    case .notSent?:
      guard let reason = NotSent.allCases.first(where: { detail.hasPrefix($0.rawValue + " ") }) else { return nil }
      self = .notSent(reason: reason, String(detail.dropFirst(reason.rawValue.count + 1)))
    case .other?: self = .other(detail)
    case .timeout?, .tooManyFiles?, .badEncoding?, .cancelled?, nil: return nil
    }
  }
}
