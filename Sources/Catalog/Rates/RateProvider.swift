package import Quotes

/// A source of exchange rates as the config describes it.
package struct RateProvider: Sendable {
  /// How often a provider has something new.
  package struct Refresh: Sendable {
    package let everyMilliseconds: Int
    /// `:mm:ss` past the hour before which there is nothing new.
    package let at: String?
  }

  package struct Budget: Sendable {
    package enum Period: String, CaseIterable, Sendable { case day, month }
    package let calls: Int
    package let per: Period
  }

  package enum Source: Sendable {
    case table(TableSpec)
    /// The rate implied by a venue's ticker.
    case ticker(exchange: String, pair: Pair)
  }

  package let name: String
  package var isEnabled = true
  /// Patterns such as `*/KRW`.
  package var pairs: [String]
  package var refresh: Refresh?
  package var budget: Budget?
  package var source: Source
  package let node: ConfigNode

  /// Whether the provider's `pairs` can hold this one.
  package func canHold(_ pair: Pair) -> Bool {
    pairs.contains { pattern in
      let parts = pattern.split(separator: "/")
      return parts.count == 2 && (parts[0] == "*" || parts[0] == pair.asset)
        && (parts[1] == "*" || parts[1] == pair.payment)
    }
  }
}
