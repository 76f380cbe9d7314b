import Live
package import MarketData
import Synchronization

/// Carries events from their producers to standard output on its own thread: a slow reader delays nothing else, and
/// gets the newest events.
package final class StreamOutlet: Sendable {
  private struct State {
    var backlog = StreamBacklog()
    var isEnding = false
  }

  private let state = Mutex(State())
  private let pipe: WakePipe

  /// Returns nil if the system has run out of file descriptors.
  package init?() {
    guard let pipe = WakePipe() else { return nil }
    self.pipe = pipe
  }

  package func add(_ events: [StreamEvent]) {
    guard !events.isEmpty else { return }
    state.withLock { $0.backlog.add(events) }
    pipe.wake()
  }

  /// Ends the output after writing what is still queued.
  package func end() {
    state.withLock { $0.isEnding = true }
    pipe.wake()
  }

  /// Writes until the end, or until no more is wanted. Blocks the thread.
  ///
  /// - Returns: Whether there was any data.
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
