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
  /// How long after they were sent messages arrive, by the clocks of the exchange and of this machine: the least and the
  /// most of those that are equally late, and when the first and the last of them arrived.
  private var lag: (least: Duration, most: Duration, first: Instant, last: Instant)?

  /// Times in whole seconds make messages up to a second later than they are, and as much again is for delays.
  private static let tolerance = Instant.hostTolerance + Instant.hostTolerance

  var hasBegun: Bool { lasting.hasBegun }

  /// Whether more than one has arrived, and all equally late: the first after ten seconds will count.
  private var isSteady: Bool { lag.map { $0.first == lasting.since && $0.first < $0.last } ?? false }

  /// Takes one. While an exchange sends what it has kept, or catches up, the lag changes. Messages that arrive equally late
  /// for ten seconds, all within less than two, are of a live stream, and count.
  mutating func take(sent: Instant, at arrival: Instant) -> Verdict {
    let span = Duration.nanoseconds(arrival.nanoseconds(since: sent))
    let (least, most) = (min(span, lag?.least ?? span), max(span, lag?.most ?? span))
    if let lag, most - least < Self.tolerance {
      if lag.first.advanced(by: PairFeed.patience) <= arrival { return .counts }
      self.lag = (least, most, lag.first, arrival)
    } else {
      lag = (span, span, arrival, arrival)
    }
    return lasting.take(at: arrival, reportedAfter: PairFeed.patience) ? .reported : .leftOut
  }

  /// Returns whether it is to be reported now that they go on. One that is about to count is awaited for as long again.
  mutating func isDue(at now: Instant) -> Bool {
    lasting.isDue(at: now, reportedAfter: isSteady ? PairFeed.patience + PairFeed.patience : PairFeed.patience)
  }
}
