import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A lock between processes, and between tasks of one: `flock` on a file. It ends with `release`, at the latest with
/// the process, so a crash leaves nothing locked.
struct FileLock: Sendable {
  private let file: Int32

  /// The lock, if it is free or becomes free within `patience`; nil where it does not or cannot be had at all. A
  /// lock here saves work and guards nothing, so there is no error: who gets none goes on without.
  static func acquire(_ path: String, patience: Duration) async -> FileLock? {
    let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard file >= 0 else { return nil }
    if flock(file, LOCK_EX | LOCK_NB) == 0 { return FileLock(file: file) }
    guard errno == EWOULDBLOCK, patience > .zero else {
      close(file)
      return nil
    }
    let wait = LockWait(file: file)
    return await wait.isGranted(within: patience) ? FileLock(file: file) : nil
  }

  func release() {
    // Closing the only descriptor lets the lock go.
    close(file)
  }
}

/// The wait for a lock that somebody else has. `flock` blocks and has no time limit, so a thread of its own waits, and
/// whoever comes first, it or the clock, decides; the thread gives a lock that comes too late straight back.
private final class LockWait: Sendable {
  private enum State {
    case open
    case waiting(CheckedContinuation<Bool, Never>)
    case decided(Bool)
  }

  private let state = Mutex<State>(.open)
  private let file: Int32

  init(file: Int32) {
    self.file = file
  }

  /// Whether the lock is ours; when not, the file is closed sooner or later.
  func isGranted(within patience: Duration) async -> Bool {
    let thread = SystemThread { [self] in
      var result: Int32
      repeat { result = flock(file, LOCK_EX) } while result != 0 && errno == EINTR
      if !decide(result == 0) || result != 0 { close(file) }
    }
    guard let thread else {
      close(file)
      return false
    }
    thread.detach()
    let clock = Task {
      try? await Task.sleep(for: patience)
      _ = decide(false)
    }
    defer { clock.cancel() }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { waiter in
        let decision = state.withLock { state -> Bool? in
          if case .decided(let decision) = state { return decision }
          state = .waiting(waiter)
          return nil
        }
        if let decision { waiter.resume(returning: decision) }
      }
    } onCancel: {
      clock.cancel()
    }
  }

  /// True for the first who decides.
  private func decide(_ isGranted: Bool) -> Bool {
    let (isFirst, waiter) = state.withLock { state -> (Bool, CheckedContinuation<Bool, Never>?) in
      switch state {
      case .decided: return (false, nil)
      case .open:
        state = .decided(isGranted)
        return (true, nil)
      case .waiting(let waiter):
        state = .decided(isGranted)
        return (true, waiter)
      }
    }
    waiter?.resume(returning: isGranted)
    return isFirst
  }
}
