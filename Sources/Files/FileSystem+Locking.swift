#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

extension FileSystem {
  package enum LockOutcome: Hashable, Sendable {
    case locked
    /// Another process or task holds the lock, or the task was cancelled.
    case held
    /// An error number.
    case failed(Int32)
  }

  /// Locks an open file against other processes and tasks (`flock`), as soon as it is free, within `patience`.
  ///
  /// The lock ends with the descriptor, or at the latest with the process, so a crash leaves nothing locked.
  package static func lock(_ descriptor: Int32, patience: Duration) async -> LockOutcome {
    let end = ContinuousClock.now + patience
    // A blocking `flock` would block a thread and has no time limit, so poll instead.
    var pause = Duration.milliseconds(1)
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      let problem = errno
      guard problem == EWOULDBLOCK || problem == EINTR else { return .failed(problem) }
      let rest = end - .now
      guard rest > .zero, (try? await Task.sleep(for: min(pause, rest))) != nil else { return .held }
      pause = min(pause * 2, .milliseconds(20))
    }
    return .locked
  }
}
