package import Config
package import Quotes

/// What became of one rule of a route.
package enum RateVerdict: Sendable, Hashable {
  case taken
  /// An earlier rule was taken.
  case notNeeded
  /// It is not the rule's time of the day.
  case outsideHours(DayHours)
  case excluded(RouteProvider.Exclusion)
  /// The provider gave nothing that may be used.
  case failed(TableFailure)
  /// The rule wants a rate of today, and the provider's is of another day.
  case notOfToday(RateReading)
  /// The rate is further than a fifth from the last known one, and nobody confirms it.
  case implausible(rate: Decimal, known: Decimal)
  /// The newest answer could not be fetched for that reason, and the one before is of another day.
  case outdated(RateReading, TableFailure)

  /// The stable word of JSON: `not-of-today`; a failure's own code.
  package var code: String {
    switch self {
    case .taken: "taken"
    case .notNeeded: "not-needed"
    case .outsideHours: "outside-hours"
    case .excluded(.unreadable): "no-provider"
    case .excluded(.disabled): "disabled"
    case .excluded(.withoutPair): "without-pair"
    case .failed(let failure), .outdated(_, let failure): failure.reason.code
    case .notOfToday: "not-of-today"
    case .implausible: "implausible"
    }
  }

  /// Whether somebody has to do with it that there is no rate: it is worth a word when none was found.
  package var isFailure: Bool {
    switch self {
    case .failed, .outdated, .implausible, .notOfToday: true
    case .excluded(.unreadable): true
    default: false
    }
  }
}
