import Quotes

/// Why a request has no answer. The texts name hosts and causes but never contain a secret.
package enum TransportError: Error, Hashable, Sendable {
  /// No complete answer within the time of one attempt, or the deadline of the run.
  case timeout
  /// The name of the host or of a proxy has no address.
  case cannotResolve(String)
  case cannotConnect(String)
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
  /// It was never sent, as its signing credentials cannot be used or a limit is used up: a code for scripts, and a
  /// sentence.
  case notSent(reason: String, String)
  case other(String)
}

extension TransportError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .timeout: "no answer in time"
    case .cannotResolve(let host): "cannot resolve '\(host)'"
    case .cannotConnect(let detail): "cannot connect to \(detail)"
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
    .notSent(
      reason: "own-limit",
      "not sent, as the exchange's limit of \(limit.requests) in \(Decimal(mantissa: Int128(limit.perMilliseconds), exponent: -3).shortest) s is used up"
    )
  }

  private static let kinds: [(code: String, make: @Sendable (_ detail: String) -> TransportError?)] = [
    ("timeout", { $0.isEmpty ? .timeout : nil }),
    ("cannot-resolve", { .cannotResolve($0) }),
    ("cannot-connect", { .cannotConnect($0) }),
    ("tls", { .tls($0) }),
    ("too-large", { Int($0).map { .tooLarge(limit: $0) } }),
    ("redirect-refused", { .redirectRefused($0) }),
    ("bad-encoding", { $0.isEmpty ? .badEncoding : nil }),
    ("broken-off", { .brokenOff($0) }),
    ("not-in-cassette", { .notInCassette($0) }),
    ("cancelled", { $0.isEmpty ? .cancelled : nil }),
    (
      "not-sent",
      { detail in
        let parts = detail.split(separator: " ", maxSplits: 1).map(String.init)
        return parts.count == 2 ? .notSent(reason: parts[0], parts[1]) : nil
      }
    ),
    ("other", { .other($0) }),
  ]

  /// The codes that cassettes use.
  package static var codes: [String] { kinds.map(\.code) }

  /// The error as written to cassettes: a code and the details, which may be empty.
  package var parts: (code: String, detail: String) {
    switch self {
    case .timeout: ("timeout", "")
    case .cannotResolve(let detail): ("cannot-resolve", detail)
    case .cannotConnect(let detail): ("cannot-connect", detail)
    case .tls(let detail): ("tls", detail)
    case .tooLarge(let limit): ("too-large", "\(limit)")
    case .redirectRefused(let detail): ("redirect-refused", detail)
    case .badEncoding: ("bad-encoding", "")
    case .brokenOff(let detail): ("broken-off", detail)
    case .notInCassette(let detail): ("not-in-cassette", detail)
    case .cancelled: ("cancelled", "")
    case .notSent(let reason, let sentence): ("not-sent", "\(reason) \(sentence)")
    case .other(let detail): ("other", detail)
    }
  }

  /// Returns nil if no error has these parts.
  package init?(code: some StringProtocol, detail: String) {
    guard let error = Self.kinds.first(where: { $0.code == code })?.make(detail) else { return nil }
    self = error
  }
}
