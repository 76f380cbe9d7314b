import Files

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A lock between processes, and between tasks of a process, on a file of its own.
struct FileLock: Sendable {
  private let file: Int32

  /// Returns the lock if it is or becomes free within `patience`; nil if it does not, if the task is cancelled or if
  /// locking is impossible: the caller decides whether to go on without.
  static func acquire(_ path: String, patience: Duration) async -> FileLock? {
    let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard file >= 0 else { return nil }
    guard await FileSystem.lock(file, patience: patience) == .locked else {
      close(file)
      return nil
    }
    return FileLock(file: file)
  }

  func release() {
    // Closing the only descriptor releases the lock.
    close(file)
  }
}
