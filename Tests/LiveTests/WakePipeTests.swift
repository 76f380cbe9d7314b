import Synchronization
import Testing
import Transport

@testable import Live

@Suite(.timeLimit(.minutes(5))) struct WakePipeTests {
  /// Whatever was stored before a wake is visible after it, however the threads interleave, including the last item.
  @Test func noWakeIsLost() throws {
    // Each wake is a thread switch: all of them take an instant, but minutes on a busy machine.
    for _ in 0..<40 {
      let pipe = try #require(WakePipe())
      let last = 250
      let newest = Counter()
      let waker = SystemThread {
        for number in 1...last {
          newest.value.store(number, ordering: .sequentiallyConsistent)
          pipe.wake()
        }
      }
      while newest.value.load(ordering: .sequentiallyConsistent) < last { pipe.wait() }
      try #require(waker).join()
    }
  }

  private final class Counter: Sendable {
    let value = Atomic(0)
  }
}
