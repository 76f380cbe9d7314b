#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A lock between processes, and between tasks of a process: `flock` on a file. It is released by `release`, or at the
/// latest when the process ends, so a crash leaves nothing locked.
struct FileLock: Sendable {
  private let file: Int32

  /// Returns the lock if it is or becomes free within `patience`; nil if it does not, if the task is cancelled or if
  /// locking is impossible: the caller decides whether to go on without.
  static func acquire(_ path: String, patience: Duration) async -> FileLock? {
    let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard file >= 0 else { return nil }
    let end = ContinuousClock.now + patience
    // A blocking `flock` would block a thread and has no time limit, so poll instead.
    var pause = Duration.milliseconds(1)
    while flock(file, LOCK_EX | LOCK_NB) != 0 {
      let problem = errno
      let rest = end - .now
      guard problem == EWOULDBLOCK || problem == EINTR, rest > .zero,
        (try? await Task.sleep(for: min(pause, rest))) != nil
      else {
        close(file)
        return nil
      }
      pause = min(pause * 2, .milliseconds(30))
    }
    return FileLock(file: file)
  }

  func release() {
    // Closing the only descriptor releases the lock.
    close(file)
  }
}
