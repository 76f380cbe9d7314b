import Files
import HTTP
package import Quotes
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Nonces that rise over all processes of a user, by a small file for each key.
///
/// The file holds the last nonce that may have been sent, in microseconds since 1970, and is locked from the taking of a nonce
/// until the answer to its request is there. Whoever dies in between has used it up; the lock ends with the process.
package struct NonceFiles: NonceSource {
  /// How far a nonce may lie ahead of the clock, in microseconds: an exchange that has seen a nonce refuses every smaller
  /// one, so one far away locks its key out for as long.
  static let mostAhead = mostSecondsAhead * 1_000_000
  package static let mostSecondsAhead: Int64 = 60

  private let folder: String

  /// - Parameter folder: `$XDG_STATE_HOME/market/nonces`; made for its owner alone when it is first needed.
  package init(in folder: String) { self.folder = folder }

  package func turn(
    of key: NonceKey, unit: NonceUnit, now: Instant, patience: Duration
  ) async throws(SecretProblem) -> any NonceTurn {
    let file = try await locked(key, patience: patience)
    let next = try Self.next(after: try file.last(), unit: unit, now: now.nanoseconds / 1000)
    try file.write(next)
    return Turn(microseconds: next, file)
  }

  /// The last nonce of a key, in microseconds since 1970; nil where there has been none.
  package func last(of key: NonceKey) throws(SecretProblem) -> Int64? {
    let path = path(of: key)
    // Reading makes no file, and needs no lock: it is written by one call.
    return FileSystem.isThere(path) ? try LockedFile(path).last() : nil
  }

  /// Forgets the last nonce of a key, so that the next is the time.
  ///
  /// - Returns: what was forgotten, in microseconds since 1970; nil where there was none, or none that could be read.
  package func forget(_ key: NonceKey, patience: Duration) async throws(SecretProblem) -> Int64? {
    guard FileSystem.isThere(path(of: key)) else { return nil }
    let file = try await locked(key, patience: patience)
    defer { file.release() }
    let last = try? file.last()
    try file.clear()
    return last
  }

  /// The nonce that follows.
  ///
  /// - Parameters:
  ///   - last: nil where there has been none.
  ///   - now: microseconds since 1970.
  static func next(after last: Int64?, unit: NonceUnit, now: Int64) throws(SecretProblem) -> Int64 {
    let step = unit.rawValue
    let time = max(0, now / step * step)
    guard let last else { return time }
    let next = max(time, (last / step + 1) * step)
    guard next - now <= mostAhead else { throw .nonceAhead(seconds: (last - now) / 1_000_000) }
    return next
  }

  /// Where the last nonce of a key is. The name tells neither the exchange nor the key.
  package func path(of key: NonceKey) -> String {
    "\(folder)/\(SHA256.hexadecimal(Array("\(key.exchange)\n\(key.id.revealed)".utf8)).prefix(32))"
  }

  private func locked(_ key: NonceKey, patience: Duration) async throws(SecretProblem) -> LockedFile {
    do {
      try FileSystem.createFolder(folder)
    } catch {
      throw .nonceStore("\(error)")
    }
    let file = try LockedFile(path(of: key))
    let end = ContinuousClock.now + patience
    // `flock` itself blocks a thread and knows no time limit, so it is asked again and again.
    var pause = Duration.milliseconds(1)
    while !(try file.lock()) {
      let rest = end - .now
      guard rest > .zero, (try? await Task.sleep(for: min(pause, rest))) != nil else { throw .nonceBusy }
      pause = min(pause * 2, .milliseconds(20))
    }
    return file
  }

  private struct Turn: NonceTurn {
    let microseconds: Int64
    private let file: LockedFile

    init(microseconds: Int64, _ file: LockedFile) {
      self.microseconds = microseconds
      self.file = file
    }

    func release() { file.release() }
  }
}

/// The open file of one key. It is written in place, so that the lock, which is the file's, is never that of another one.
private final class LockedFile: Sendable {
  private let path: String
  /// -1 once it is released.
  private let descriptor: Mutex<Int32>

  init(_ path: String) throws(SecretProblem) {
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
    guard descriptor >= 0 else { throw Self.problem(path, errno) }
    self.path = path
    self.descriptor = Mutex(descriptor)
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid() else {
      throw .nonceStore("'\(path)' is no file of yours")
    }
  }

  deinit { release() }

  func release() {
    descriptor.withLock { descriptor in
      // Closing the only descriptor lets the lock go.
      if descriptor >= 0 { _ = systemClose(descriptor) }
      descriptor = -1
    }
  }

  private static func problem(_ path: String, _ number: Int32) -> SecretProblem {
    .nonceStore("cannot keep nonces in '\(path)': \(String(cString: strerror(number)))")
  }

  /// Whether the lock was free.
  func lock() throws(SecretProblem) -> Bool {
    let number = descriptor.withLock { flock($0, LOCK_EX | LOCK_NB) == 0 ? 0 : errno }
    switch number {
    case 0: return true
    case EWOULDBLOCK, EINTR: return false
    default: throw Self.problem(path, number)
    }
  }

  /// The last nonce; nil in a file that is empty: whoever made it has sent nothing.
  func last() throws(SecretProblem) -> Int64? {
    var buffer = [UInt8](repeating: 0, count: Self.length + 1)
    let count = descriptor.withLock { pread($0, &buffer, buffer.count, 0) }
    guard count >= 0 else { throw Self.problem(path, errno) }
    if count == 0 { return nil }
    let digits = buffer.prefix(Self.length - 1)
    guard count == Self.length, buffer[Self.length - 1] == 0x0A, digits.allSatisfy({ 0x30...0x39 ~= $0 }),
      let last = Int64(String(decoding: digits, as: UTF8.self))
    else { throw .nonceStore("'\(path)' is damaged, so the last nonce is not known") }
    return last
  }

  /// The bytes of the file: 18 digits, and a line end. Always as many, so that one call replaces them all.
  private static let length = 19

  /// Writes a nonce, and waits until it is on the disk.
  func write(_ nonce: Int64) throws(SecretProblem) {
    let digits = String(nonce)
    let text = String(repeating: "0", count: Self.length - 1 - digits.utf8.count) + digits + "\n"
    let bytes = Array(text.utf8)
    let number = descriptor.withLock { descriptor -> Int32 in
      errno = 0
      return pwrite(descriptor, bytes, bytes.count, 0) == bytes.count && fsync(descriptor) == 0 ? 0 : max(errno, EIO)
    }
    guard number == 0 else { throw Self.problem(path, number) }
  }

  func clear() throws(SecretProblem) {
    let number = descriptor.withLock { ftruncate($0, 0) == 0 && fsync($0) == 0 ? 0 : errno }
    guard number == 0 else { throw Self.problem(path, number) }
  }
}

private func systemClose(_ descriptor: Int32) -> Int32 { close(descriptor) }
