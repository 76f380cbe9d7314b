#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A lock between processes, and between tasks of one: `flock` on a file. It ends with `release`, at the latest with
/// the process, so a crash leaves nothing locked.
struct FileLock: Sendable {
  private let file: Int32

  /// The lock, if it is free or becomes free within `patience`; nil where it does not, where the task is cancelled or where
  /// there can be no lock at all. A lock here saves work and guards nothing, so that is not an error.
  static func acquire(_ path: String, patience: Duration) async -> FileLock? {
    let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard file >= 0 else { return nil }
    let end = ContinuousClock.now + patience
    // `flock` itself blocks a thread and knows no time limit, so it is asked again and again.
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
    // Closing the only descriptor lets the lock go.
    close(file)
  }
}
