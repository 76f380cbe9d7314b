package import Quotes
import Synchronization

/// The clock of a replay: it stands at the newest of what was played, and never goes back.
package final class ReplayClock: Sendable {
  private struct State {
    var time: Instant?
    /// The first moment that was waited for, and when that was.
    var beginning: (recorded: Instant, real: ContinuousClock.Instant)?
  }

  private let state = Mutex(State())

  package init() {}

  /// nil before anything was played.
  package var time: Instant? { state.withLock { $0.time } }

  package func turn(to moment: Instant?) {
    guard let moment else { return }
    state.withLock { $0.time = max($0.time ?? moment, moment) }
  }

  /// Waits as long as it was between the first moment that was waited for and this one, and turns the clock to it.
  ///
  /// - Parameter speed: so many times as fast; nil waits for nothing.
  /// - Returns: false where the task was cancelled meanwhile.
  package func reach(_ moment: Instant, speed: Int?) async -> Bool {
    if let speed {
      let beginning = state.withLock { state in
        let beginning = state.beginning ?? (moment, .now)
        state.beginning = beginning
        return beginning
      }
      let elapsed = Duration.nanoseconds(moment.nanoseconds(since: beginning.recorded))
      guard (try? await Task.sleep(until: beginning.real + elapsed / speed, clock: .continuous)) != nil else {
        return false
      }
    }
    turn(to: moment)
    return !Task.isCancelled
  }
}
