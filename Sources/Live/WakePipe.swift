import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Wakes the loop of a live screen from any thread: a feed calls `wake` after updating what the screen shows. Repeated
/// calls wake the loop once.
package final class WakePipe: Sendable {
  let readable: Int32
  private let writable: Int32
  private let isPending = Atomic(false)

  /// Returns nil if the system has no two descriptors left.
  package init?() {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends {
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
    }
    (readable, writable) = (ends[0], ends[1])
  }

  deinit {
    close(readable)
    close(writable)
  }

  package func wake() {
    guard !isPending.exchange(true, ordering: .acquiringAndReleasing) else { return }
    var byte: UInt8 = 0
    _ = write(writable, &byte, 1)
  }

  /// Blocks the thread until it is woken.
  package func wait() {
    var waiting = pollfd(fd: readable, events: Int16(POLLIN), revents: 0)
    while poll(&waiting, 1, -1) < 0, errno == EINTR {}
    take()
  }

  /// Empties the pipe and rearms `wake`. Must be called before looking at what is new.
  func take() {
    var bytes = [UInt8](repeating: 0, count: 16)
    while read(readable, &bytes, bytes.count) > 0 {}
    // Only once the pipe is empty: otherwise the byte of a `wake` in between would be read with the others, and later
    // calls would be ignored.
    isPending.store(false, ordering: .sequentiallyConsistent)
  }
}
