package import Quotes
import Synchronization

/// A moment of a recorded run.
package struct ReplayMoment: Sendable, Hashable {
  /// The run's time, which never goes back: see `ClockJump`.
  package let time: Instant
  /// What the clock showed.
  package let shown: Instant

  package init(_ time: Instant, showing shown: Instant) { (self.time, self.shown) = (time, shown) }

  fileprivate var behind: Duration { .nanoseconds(time.nanoseconds(since: shown)) }
}

/// The clock of a replay: it shows what the run's showed at the latest moment played, and goes back only where that was set
/// back.
package final class ReplayClock: Sendable {
  private struct State {
    /// In the run's time.
    var time: Instant?
    var behind = Duration.zero
    /// The first moment waited for, and when that was in real time.
    var beginning: (recorded: Instant, real: ContinuousClock.Instant)?

    mutating func turn(to moment: Instant) { time = max(time ?? moment, moment) }
  }

  private let state = Mutex(State())

  package init() {}

  /// nil before anything was played.
  package var time: Instant? { state.withLock { state in state.time?.advanced(by: .zero - state.behind) } }

  /// - Parameter shown: What the clock showed.
  package func turn(to shown: Instant?) {
    guard let shown else { return }
    state.withLock { $0.turn(to: shown.advanced(by: $0.behind)) }
  }

  /// Waits for the time between the first moment waited for and this one, and advances the clock to it.
  ///
  /// - Parameter speed: A multiple of the recorded speed; nil to skip waiting.
  /// - Returns: false if the task was cancelled meanwhile.
  package func reach(_ moment: ReplayMoment, speed: Int?) async -> Bool {
    if let speed {
      let beginning = state.withLock { state in
        let beginning = state.beginning ?? (moment.time, .now)
        state.beginning = beginning
        return beginning
      }
      let elapsed = Duration.nanoseconds(moment.time.nanoseconds(since: beginning.recorded))
      guard (try? await Task.sleep(until: beginning.real + elapsed / speed, clock: .continuous)) != nil else {
        return false
      }
    }
    state.withLock { state in
      state.behind = moment.behind
      state.turn(to: moment.time)
    }
    return !Task.isCancelled
  }
}
