package import Config
package import HTTP
package import Quotes

/// The known replies of a rate provider for one pair.
package struct ProviderState: Sendable {
  /// One of its responses, as far as it concerns the pair.
  package struct Reply: Sendable {
    package let outcome: Result<RateReading, AnswerFailure>
    /// nil if unknown.
    package let arrival: Instant?
    /// The entire response, if it came from the provider itself.
    package let answer: HTTPResponse?

    package init(_ outcome: Result<RateReading, AnswerFailure>, arrival: Instant?) {
      self.outcome = outcome
      self.arrival = arrival
      answer = nil
    }

    package init(_ outcome: Result<RateReading, AnswerFailure>, _ answer: HTTPResponse) {
      self.outcome = outcome
      self.answer = answer
      arrival = answer.arrival
    }

    package var reading: RateReading? { try? outcome.get() }

    package var failure: AnswerFailure? {
      if case .failure(let failure) = outcome { failure } else { nil }
    }
  }

  /// Newest first.
  package var replies: [Reply]
  /// Why there is nothing newer; nil if the newest reply is as recent as the provider can have it.
  package var trouble: AnswerFailure?
  /// Whether the provider publishes one rate a day.
  package var isDaily: Bool
  /// Whether its rate is implied by an exchange's price.
  package var isImplied: Bool

  package init(
    replies: [Reply] = [], trouble: AnswerFailure? = nil, isDaily: Bool = false, isImplied: Bool = false
  ) {
    self.replies = replies
    self.trouble = trouble
    self.isDaily = isDaily
    self.isImplied = isImplied
  }
}

/// A provider of a route: its state, or the reason why it is never used for this pair.
package enum RouteProvider: Sendable {
  case known(ProviderState)
  case excluded(Exclusion)

  package enum Exclusion: Sendable, Hashable {
    /// The config has no such provider, or it is unreadable.
    case unreadable(String)
    case disabled
    /// Its `pairs` cannot hold the pair.
    case withoutPair
  }
}

/// The outcome of one rule of a route.
package enum RateVerdict: Sendable, Hashable {
  case taken
  /// An earlier rule was used.
  case notNeeded
  /// An earlier rule was used, and the provider was asked only to check its rate; nil if it had none.
  case witness(Decimal?)
  /// The rate is old, and another rule's is not as old.
  case old(RateReading)
  /// The rate is not newer than an earlier rule's, which is old.
  case notNewer(RateReading)
  /// The rule does not apply at this time of day.
  case outsideHours(DayHours)
  case excluded(RouteProvider.Exclusion)
  /// The provider returned nothing usable.
  case failed(AnswerFailure)
  /// The rule requires a rate of today, but the provider's is of another day.
  case notOfToday(RateReading)
  /// The rate is more than a fifth off the last known one, and no other provider confirms it.
  /// `by` is the provider of the other rate, if none is known.
  case implausible(rate: Decimal, known: Decimal, by: String?)
  /// The newest response could not be fetched for this reason, and the one before is of another day.
  case outdated(RateReading, AnswerFailure)

  /// The stable code used in JSON: `not-of-today`, or a failure's own code.
  package var code: String {
    switch self {
    case .taken: "taken"
    case .notNeeded: "not-needed"
    case .witness: "witness"
    case .old: "old"
    case .notNewer: "not-newer"
    case .outsideHours: "outside-hours"
    case .excluded(.unreadable): "no-provider"
    case .excluded(.disabled): "disabled"
    case .excluded(.withoutPair): "without-pair"
    case .failed(let failure), .outdated(_, let failure): failure.reason.code
    case .notOfToday: "not-of-today"
    case .implausible: "implausible"
    }
  }

  /// Whether it is a failure that someone should fix, worth reporting if no rate was found.
  package var isFailure: Bool {
    switch self {
    case .failed, .outdated, .implausible, .notOfToday, .old: true
    case .excluded(.unreadable): true
    default: false
    }
  }
}
