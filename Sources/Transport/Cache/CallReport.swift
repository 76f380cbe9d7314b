/// An answer as it is kept on disk: nothing of it is secret.
package struct KeptAnswer: Sendable, Hashable {
  /// Nanoseconds since 1970.
  package let arrival: Int64
  package let status: Int
  package let body: [UInt8]
  /// Whether it looks wrong, so that the one before it is kept too.
  package let isDoubtful: Bool

  package init(arrival: Int64, status: Int, body: [UInt8], isDoubtful: Bool) {
    self.arrival = arrival
    self.status = status
    self.body = body
    self.isDoubtful = isDoubtful
  }
}

/// Why a call failed, as it can be kept: a stable word and what was said.
package struct CallFailure: Error, Sendable, Hashable {
  package let code: String
  package let message: String?

  package init(_ code: String, _ message: String? = nil) {
    self.code = code
    self.message = message
  }
}

/// What an answer is worth.
package enum CallWorth: Sendable, Hashable {
  /// It takes the place of what was kept.
  case good
  /// It is kept before the one that was good.
  case doubtful
  /// It is not kept.
  case bad(CallFailure)
}

/// What there is of a provider's answers to a request, and whether it was called for it.
package struct CallReport: Sendable {
  /// Why there is nothing newer.
  package enum Trouble: Sendable, Hashable {
    /// The last call failed, in this run or before.
    case failed(CallFailure)
    /// All calls of the period are used up.
    case overBudget(calls: Int)
    /// Nothing is kept, and the provider has nothing new yet.
    case tooEarly
    /// The calls are limited, and cannot be counted: nothing can be written, or another process does not let go.
    case uncountable
  }

  /// The newest first.
  package let answers: [KeptAnswer]
  package let trouble: Trouble?
  /// When it may be called again, in nanoseconds since 1970; nil: at once.
  package let nextCall: Int64?
  /// Whether it was called for this.
  package let wasCalled: Bool
  /// The newest answer before the call.
  package let previous: KeptAnswer?
  /// The calls of the day or month so far.
  package let calls: Int
}
