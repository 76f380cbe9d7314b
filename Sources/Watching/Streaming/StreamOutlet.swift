import Live
package import MarketData
import Synchronization

/// Carries events from where they come about to standard output, on a thread of its own: a reader that is slow holds up
/// nobody, and gets the newest.
package final class StreamOutlet: Sendable {
  private struct State {
    var backlog = StreamBacklog()
    var isEnding = false
  }

  private let state = Mutex(State())
  private let pipe: WakePipe

  /// nil: the system has no descriptors left.
  package init?() {
    guard let pipe = WakePipe() else { return nil }
    self.pipe = pipe
  }

  package func add(_ events: [StreamEvent]) {
    guard !events.isEmpty else { return }
    state.withLock { $0.backlog.add(events) }
    pipe.wake()
  }

  /// What waits is still written.
  package func end() {
    state.withLock { $0.isEnding = true }
    pipe.wake()
  }

  /// Writes until the end, or until nobody wants more. Blocks the thread.
  ///
  /// - Returns: whether there were any data.
  package func write(to writer: consuming StreamWriter) -> Bool {
    while writer.isWanted {
      let (waiting, isEnding) = state.withLock { ($0.backlog.take(), $0.isEnding) }
      for (feed, count) in waiting.missed { writer.write(missed: count, of: feed) }
      for event in waiting.events { writer.write(event) }
      writer.flush()
      if isEnding { break }
      if waiting.events.isEmpty { pipe.wait() }
    }
    return writer.hasData
  }
}
