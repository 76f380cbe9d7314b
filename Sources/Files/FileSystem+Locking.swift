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
    while true {
      let outcome = tryLock(descriptor)
      let rest = end - .now
      guard outcome == .held, rest > .zero, (try? await Task.sleep(for: min(pause, rest))) != nil else {
        return outcome
      }
      pause = min(pause * 2, .milliseconds(20))
    }
  }

  /// Locks an open file if it is free.
  static func tryLock(_ descriptor: Int32) -> LockOutcome {
    if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return .locked }
    let problem = errno
    return problem == EWOULDBLOCK || problem == EINTR ? .held : .failed(problem)
  }
}
