/// Why a row is too old to be used: nothing has confirmed it for too long.
package struct Lapse: Sendable, Hashable, CustomStringConvertible {
  package enum Reason: Sendable, Hashable {
    /// Its feed has failed since.
    case failing(Missing)
    case inactive(InactiveReason)
    /// It answers, but has not confirmed the row for so long.
    case limit(seconds: Int)
  }

  package let seconds: Int
  package let reason: Reason

  package init(seconds: Int, reason: Reason) { (self.seconds, self.reason) = (seconds, reason) }

  /// The state that its feed is in; nil if it answers, so that only the row is old.
  fileprivate var cause: Flag.Cause? {
    switch reason {
    case .failing(let reason): .failing(reason)
    case .inactive(let reason): .inactive(reason)
    case .limit: nil
    }
  }

  /// `last updated 18 s ago; failing since then`, without the code.
  package var description: String {
    let why =
      switch reason {
      case .failing: "failing since then"
      case .inactive: "not asked since then"
      case .limit(let seconds): "the limit is \(seconds) s"
      }
    return "last updated \(seconds) s ago; \(why)"
  }
}

extension Flag {
  package init(_ lapse: Lapse) {
    self.init(.stale, .unconfirmed(lapse))
    cause = lapse.cause
  }
}
