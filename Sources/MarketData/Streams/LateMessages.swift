import Quotes

/// Messages of a connection that are older than an answer, by the exchange's times. They are left out, as some streams
/// begin with data that the exchange has kept, but not for good if two clocks merely differ.
struct LateMessages: Sendable {
  enum Verdict {
    case counts
    case leftOut
    /// It is left out, as others before it, which is to be reported now.
    case reported
  }

  private var lasting = LastingState()
  /// How long after they were sent messages arrive, by the clocks of the exchange and of this machine, and since when.
  private var lag: (span: Duration, since: Instant)?

  var hasBegun: Bool { lasting.hasBegun }

  /// Takes one. While an exchange sends what it has kept, or catches up, the lag changes. Messages that arrive equally late
  /// for ten seconds, give or take a second, are of a live stream, and count.
  mutating func take(sent: Instant, at arrival: Instant) -> Verdict {
    let span = Duration.nanoseconds(arrival.nanoseconds(since: sent))
    if let lag, max(span, lag.span) - min(span, lag.span) <= Instant.hostTolerance {
      if lag.since.advanced(by: PairFeed.patience) <= arrival { return .counts }
    } else {
      lag = (span, arrival)
    }
    return lasting.take(at: arrival, reportedAfter: PairFeed.patience) ? .reported : .leftOut
  }

  /// Returns whether it is to be reported now that they go on.
  mutating func isDue(at now: Instant) -> Bool { lasting.isDue(at: now, reportedAfter: PairFeed.patience) }
}
