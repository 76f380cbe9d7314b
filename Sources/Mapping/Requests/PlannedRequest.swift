package import Config

/// A request with every template filled, ready for the wire.
package struct PlannedRequest: Sendable, Hashable {
  package struct Header: Sendable, Hashable {
    package let name: String
    package let value: String
  }

  package let owner: String
  /// A short label: `spot-tickers`.
  package let name: String
  package let method: String
  /// Full addresses in the order in which they are tried.
  package let urls: [String]
  package let headers: [Header]
  package let body: [UInt8]?
  /// Texts that must never be shown or stored.
  package let secrets: [String]
  /// Texts that the clock filled in: what differs between two askings of the same.
  package let moments: [String]
  package let limit: LimitSpec?
  package let cost: Int
}

/// Why a request could not be written.
package enum RequestError: Error, Hashable {
  /// The user has not given this secret, or the config may not have it.
  case noSecret(name: String)
  /// The template asks for a value that this use does not have: `{asset}` in a table of all pairs.
  case noValue(placeholder: String)
}
