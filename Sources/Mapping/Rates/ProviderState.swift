package import Config
package import HTTP
package import Quotes

/// What a rate provider is known to have said of one pair.
package struct ProviderState: Sendable {
  /// One of its answers, as far as the pair goes.
  package struct Reply: Sendable {
    package let outcome: Result<RateReading, TableFailure>
    /// nil when it is not known.
    package let arrival: Instant?
    /// The whole of it, where it was one of the provider's own.
    package let answer: HTTPResponse?

    package init(_ outcome: Result<RateReading, TableFailure>, arrival: Instant?) {
      self.outcome = outcome
      self.arrival = arrival
      answer = nil
    }

    package init(_ outcome: Result<RateReading, TableFailure>, _ answer: HTTPResponse) {
      self.outcome = outcome
      self.answer = answer
      arrival = answer.arrival
    }

    package var reading: RateReading? { try? outcome.get() }

    package var failure: TableFailure? {
      if case .failure(let failure) = outcome { failure } else { nil }
    }
  }

  /// The newest first.
  package var replies: [Reply]
  /// Why there is nothing newer; nil while the newest is as new as the provider can have it.
  package var trouble: TableFailure?
  /// Whether all that may be asked for now was asked for.
  package var isSettled: Bool
  /// Whether the provider names one rate a day.
  package var isDaily: Bool
  /// Whether its rate is what an exchange's price implies.
  package var isImplied: Bool

  package init(
    replies: [Reply] = [], trouble: TableFailure? = nil, isSettled: Bool = true, isDaily: Bool = false,
    isImplied: Bool = false
  ) {
    self.replies = replies
    self.trouble = trouble
    self.isSettled = isSettled
    self.isDaily = isDaily
    self.isImplied = isImplied
  }
}

/// A provider of a route: what it has said, or why it is never asked for this pair.
package enum RouteProvider: Sendable {
  case known(ProviderState)
  case excluded(Exclusion)

  package enum Exclusion: Sendable, Hashable {
    /// The config has no such provider, or it cannot be read.
    case unreadable(String)
    case disabled
    /// Its `pairs` cannot hold the pair.
    case withoutPair
  }
}

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
