package import Quotes
import Synchronization

/// The clock of a replay: it shows the latest moment played, and never goes back.
package final class ReplayClock: Sendable {
  private struct State {
    var time: Instant?
    /// The first moment waited for, and when that was in real time.
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

  /// Waits for the time between the first moment waited for and this one, and advances the clock to it.
  ///
  /// - Parameter speed: A multiple of the recorded speed; nil to skip waiting.
  /// - Returns: false if the task was cancelled meanwhile.
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
