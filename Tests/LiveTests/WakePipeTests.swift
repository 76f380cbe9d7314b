import Synchronization
import Testing
import Transport

@testable import Live

@Suite(.timeLimit(.minutes(5))) struct WakePipeTests {
  /// What was put there before a wake is seen behind it, however the two threads are interleaved: the last of all as well.
  @Test func noWakeIsLost() throws {
    // Each wake is a change of threads: all of them take a blink, and minutes on a machine that is busy with more.
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
