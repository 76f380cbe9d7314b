import Quotes

extension SeenTrades {
  /// How the times of twins agree, the surest first.
  enum Agreement {
    /// The coarser of the usual precisions.
    case millisecond
    /// One source tells whole seconds, cut off.
    case second
    /// One source tells whole seconds, rounded.
    case rounded
    /// A message without ID and time has that of its arrival.
    case arrival

    func holds(_ one: Instant, _ other: Instant) -> Bool {
      switch self {
      case .millisecond: one.nanoseconds / 1_000_000 == other.nanoseconds / 1_000_000
      case .second: one.nanoseconds / Instant.second == other.nanoseconds / Instant.second
      case .rounded: one.nanoseconds(since: other).magnitude < Instant.second
      case .arrival: one.nanoseconds(since: other).magnitude <= 5_000_000_000
      }
    }
  }

  /// A span in which there may be trades that were not reported; without a start, it has no known beginning.
  struct Gap {
    let start: Instant?
    let end: Instant

    /// - Parameter slack: How far the time of a trade may be off.
    func contains(_ time: Instant, slack: Duration) -> Bool {
      time <= end.advanced(by: slack) && start.map { $0 <= time.advanced(by: slack) } ?? true
    }
  }
}
