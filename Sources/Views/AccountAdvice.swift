import Mapping
import Quotes

/// Advice for accounts that could not be read.
///
/// Exchanges word the same mistake in a hundred ways, so their own message comes first and is never interpreted.
package enum AccountAdvice {
  /// Returns a line such as `Upbit spot: http-401: invalid_access_key; …` followed by advice.
  static func sentence(_ place: String, _ failure: TableFailure, of exchange: String) -> String {
    let said = [place + ": " + failure.reason.code, failure.message].compactMap(\.self).joined(separator: ": ")
    guard let words = words(for: failure.reason, of: exchange) else { return said }
    return (said.hasSuffix(".") ? String(said.dropLast()) : said) + "; " + words
  }

  /// Returns advice, or nil if the reason speaks for itself or nothing can be done.
  static func words(for reason: Missing, of exchange: String) -> String? {
    switch reason {
    case .noSecret: "add a read-only key with: market keys add \(exchange)"
    case .notSent(let code): words(forUnsent: "\(code)", of: exchange)
    case .exchangeError, .http(400), .http(401), .http(403):
      "check the key with: market keys test \(exchange); add another with: market keys add \(exchange)"
    case .http(418), .http(429): "wait a few minutes and try again"
    // Some exchanges refuse a key with a server error.
    case .http(500...599):
      "the exchange may be under maintenance, or refuse the key: try again later, or market keys test \(exchange)"
    case .timeout: "the exchange may be under maintenance; try again later"
    case .notJSON: "the exchange may be under maintenance, or a proxy may be interfering; try again later"
    default: nil
    }
  }

  /// Describes rows of an answer whose asset is unknown.
  static func unnamed(_ count: Int) -> String { "\(count.counted("row")) without an asset" }

  /// Returns a note about such rows of an exchange, if there are any.
  static func notes(unnamed count: Int, of exchange: String) -> [String] {
    count == 0 ? [] : ["\(exchange): \(unnamed(count))"]
  }

  /// What to do if no exchange has a key.
  package static let noKeys = "no API keys stored; add a read-only key with: market keys add NAME"

  private static func words(forUnsent code: String, of exchange: String) -> String? {
    switch code {
    case "not-allowed": "review and allow them with: market keys allow \(exchange)"
    case "bad-secret": "store it again with: market keys add \(exchange)"
    case "nonce-ahead": "start from the current time again with: market keys test \(exchange) --forget-nonce"
    case "nonce-busy": "try again when it is done"
    case "own-limit": "wait and try again"
    default: nil
    }
  }
}
