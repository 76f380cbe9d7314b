import Quotes
import Synchronization

@testable import Transport

/// A clock that stands still until something sleeps, then jumps to the end of that sleep and records it.
final class TestClock: Sendable {
  private struct State {
    var now: Int64 = 0
    var sleeps: [Int64] = []
  }

  private let state = Mutex<State>(State())
  /// The wall-clock time at instant 0.
  private let wallStart: Instant

  init(wallStart: Instant = .at("2026-01-01T00:00:00Z")) { self.wallStart = wallStart }

  /// The lengths of all sleeps so far, in nanoseconds.
  var sleeps: [Int64] { state.withLock { $0.sleeps } }
  var now: Int64 { state.withLock { $0.now } }

  func advance(by nanoseconds: Int64) { state.withLock { $0.now += nanoseconds } }

  var clock: TransportClock {
    TransportClock(
      now: { self.now },
      wall: { self.wallStart.advanced(by: .nanoseconds(self.now)) },
      sleep: { until throws(CancellationError) in
        if Task.isCancelled { throw CancellationError() }
        self.state.withLock { state in
          state.sleeps.append(until - state.now)
          state.now = max(state.now, until)
        }
      })
  }
}
