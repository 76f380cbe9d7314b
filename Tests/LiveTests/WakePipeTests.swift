import Synchronization
import Testing
import Transport

@testable import Live

@Suite(.timeLimit(.minutes(3))) struct WakePipeTests {
  /// What was put there before a wake is seen behind it, however the two threads are interleaved: the last of all as well.
  @Test func noWakeIsLost() throws {
    // Each wake is a change of threads, which takes milliseconds on a machine that is busy: thousands are enough.
    for _ in 0..<20 {
      let pipe = try #require(WakePipe())
      let last = 100
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
