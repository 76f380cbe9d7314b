import Quotes

/// What has to be said beside a rate.
package enum RateLabel: Sendable, Hashable {
  /// The provider names one rate a day.
  case daily
  /// The provider's newest answer could not be fetched: this is the one before.
  case kept(TableFailure)
  /// More than six hours old, of a provider that has something new more often than once a day.
  case old
  /// It says neither time nor date, or none that can be read: nobody knows how old it is.
  case undated
  /// What an exchange's price of a stablecoin implies, its premium included.
  case implied
  /// The product of two rates, through this currency.
  case crossed(String)
  /// One divided by the rate of the pair the other way round.
  case inverse
  /// Far from the last known rate, and confirmed by this provider.
  case confirmed(String)
  /// There is no earlier rate to hold it against.
  case unchecked

  /// The stable word of JSON and csv: `daily`, `last-known timeout`.
  package var code: String {
    switch self {
    case .daily: "daily"
    case .kept(let failure): "last-known \(failure.reason.code)"
    case .old: "old"
    case .undated: "undated"
    case .implied: "implied"
    case .crossed(let currency): "via \(currency)"
    case .inverse: "inverse"
    case .confirmed(let provider): "confirmed \(provider)"
    case .unchecked: "unchecked"
    }
  }
}
