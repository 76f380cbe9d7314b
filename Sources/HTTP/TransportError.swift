/// Why a request has no answer. The texts name hosts and causes and never hold a secret.
package enum TransportError: Error, Hashable, Sendable {
  /// No complete answer in the time of one attempt, or within the deadline of the run.
  case timeout
  /// The name of the host or of a proxy has no address.
  case cannotResolve(String)
  case cannotConnect(String)
  /// The handshake failed or the certificate is not trusted. Never tried again: it would not help, or it is an attack.
  case tls(String)
  /// The answer is longer than `limit` bytes, counted after decoding.
  case tooLarge(limit: Int)
  case redirectRefused(String)
  /// The body is not what its Content-Encoding says.
  case badEncoding
  /// The connection ended before the answer did.
  case brokenOff(String)
  /// A replay has no recording of this request.
  case notInCassette(String)
  case cancelled
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
    case .badEncoding: "the answer's compression is damaged"
    case .brokenOff(let detail): "the connection broke off: \(detail)"
    case .notInCassette(let request): "no recording of \(request)"
    case .cancelled: "cancelled"
    case .other(let detail): detail
    }
  }
}
