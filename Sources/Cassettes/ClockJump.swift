package import Quotes

/// A moment at which the clock of a run did not go on by itself, or the run had no turn while it did.
///
/// Recordings have the times that the clock showed. Their order is that of the *run's time*, which never goes back: what
/// the clock showed, plus how far it had been set back since the run began (`behind`).
package struct ClockJump: Sendable, Hashable {
  package enum Kind: String, Sendable, CaseIterable {
    /// The run was stopped, or the machine slept.
    case suspended
    /// What was due after `since` had its turn at `until`: the clock was set ahead, or the machine was busy.
    case late
    case setBack
  }

  package let kind: Kind
  /// What the clock showed at the last turn before.
  package let since: Instant
  /// What it showed at the first turn after.
  package let until: Instant
  /// How far the clock had been set back since the run began, this time included.
  package let behind: Duration

  /// - Parameter behind: How far it had been set back before.
  package init(_ kind: Kind, since: Instant, until: Instant, behind: Duration) {
    (self.kind, self.since, self.until) = (kind, since, until)
    self.behind = kind == .setBack ? behind + .nanoseconds(since.nanoseconds(since: until)) : behind
  }

  /// - Parameter total: How far it had been set back in all.
  init(_ kind: Kind, since: Instant, until: Instant, total: Duration) {
    (self.kind, self.since, self.until, behind) = (kind, since, until, total)
  }

  /// When it happened, in the run's time: what comes later has not had its turn before.
  package var start: Instant { kind == .setBack ? end : since.advanced(by: behind) }

  /// When the run went on, in its time.
  package var end: Instant { until.advanced(by: behind) }
}
