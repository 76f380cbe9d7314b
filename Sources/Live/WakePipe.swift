import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Wakes the loop of a live screen from any thread: a feed calls `wake` when it has put something new where the screen
/// looks. However often it is called, the loop wakes once.
package final class WakePipe: Sendable {
  let readable: Int32
  private let writable: Int32
  private let isPending = Atomic(false)

  /// nil: the system has no two descriptors left.
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

  /// Blocks the thread until somebody wakes it.
  package func wait() {
    var waiting = pollfd(fd: readable, events: Int16(POLLIN), revents: 0)
    while poll(&waiting, 1, -1) < 0, errno == EINTR {}
    take()
  }

  /// Empties the pipe; whoever wakes from now on is heard again. To be called before one looks at what is new.
  func take() {
    var bytes = [UInt8](repeating: 0, count: 16)
    while read(readable, &bytes, bytes.count) > 0 {}
    // Not before the pipe is empty: the byte of one who wakes in between would be read with the others, and nobody be heard
    // after it.
    isPending.store(false, ordering: .sequentiallyConsistent)
  }
}
