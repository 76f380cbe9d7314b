package import Quotes

/// A source of exchange rates as the config describes it.
package struct RateProvider: Sendable {
  /// How often a provider has something new.
  package struct Refresh: Sendable {
    /// The length of a period: there is something new once in each.
    package let everyMilliseconds: Int
    /// So many seconds after a period's beginning, counted from midnight UTC, there is nothing new yet.
    package let atSeconds: Int
  }

  package struct Budget: Sendable {
    package enum Period: String, CaseIterable, Sendable { case day, month }
    package let calls: Int
    package let per: Period
  }

  package enum Source: Sendable {
    /// - daysBack: so many days before today are asked for, one after the other, while there is no row.
    case table(TableSpec, daysBack: Int)
    /// The rate implied by an exchange's ticker.
    case ticker(exchange: String, pair: Pair)
  }

  package let name: String
  package var isEnabled = true
  package var pairs: [PairPattern]
  package var refresh: Refresh?
  package var budget: Budget?
  package var source: Source
  package let node: ConfigNode

  /// Whether the provider's `pairs` can hold this one.
  package func canHold(_ pair: Pair) -> Bool { pairs.contains { $0.matches(pair) } }

  /// Whether it names one rate a day: then a rate is of a day and not of a moment.
  package var isDaily: Bool { (refresh?.everyMilliseconds ?? 0) >= 86_400_000 }
}
