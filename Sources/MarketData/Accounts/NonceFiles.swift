package import Config
import Files
import HTTP
package import Quotes
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Nonces that increase across all processes of a user, by means of a small file for each key.
///
/// The file contains the last nonce that may have been sent, in microseconds since 1970, and is locked from taking a
/// nonce until the response has arrived. If the process dies in between, the nonce is used up and the lock released.
package struct NonceFiles: NonceSource {
  /// How far a nonce may lie ahead of the clock, in microseconds. As an exchange refuses nonces below one it has seen,
  /// one that is far ahead locks out its key for that time.
  static let maximumAhead = maximumSecondsAhead * 1_000_000
  package static let maximumSecondsAhead: Int64 = 60

  private let folder: String

  /// - Parameter folder: `$XDG_STATE_HOME/market/nonces`; created when first needed, accessible only to its owner.
  package init(in folder: String) { self.folder = folder }

  package func turn(
    of key: NonceKey, unit: SignedTemplate.ClockUnit, now: Instant, patience: Duration
  ) async throws(SecretProblem) -> any NonceTurn {
    let file = try await locked(key, patience: patience)
    let next = try Self.next(after: try file.last(), unit: unit, now: now.nanoseconds / 1000)
    try file.write(next)
    return Turn(microseconds: next, file: file)
  }

  /// Returns the last nonce of a key, in microseconds since 1970; nil if there was none.
  package func last(of key: NonceKey) throws(SecretProblem) -> Int64? {
    let path = path(of: key)
    // Reading creates no file, and needs no lock, as the file is written by a single call.
    return FileSystem.isThere(path) ? try LockedFile(path).last() : nil
  }

  /// Forgets the last nonce of a key, so that the next one is the current time.
  ///
  /// - Returns: The forgotten nonce, in microseconds since 1970; nil if there was none, or none that could be read.
  package func forget(_ key: NonceKey, patience: Duration) async throws(SecretProblem) -> Int64? {
    guard FileSystem.isThere(path(of: key)) else { return nil }
    let file = try await locked(key, patience: patience)
    defer { file.release() }
    let last = try? file.last()
    try file.clear()
    return last
  }

  /// Returns the next nonce.
  ///
  /// - Parameters:
  ///   - last: The last nonce; nil if there was none.
  ///   - now: Microseconds since 1970.
  static func next(after last: Int64?, unit: SignedTemplate.ClockUnit, now: Int64) throws(SecretProblem) -> Int64 {
    let step = unit.nanoseconds / 1000
    let time = max(0, now / step * step)
    guard let last else { return time }
    let next = max(time, (last / step + 1) * step)
    guard next - now <= maximumAhead else { throw .nonceAhead(seconds: (last - now) / 1_000_000) }
    return next
  }

  /// Returns the path of a key's last nonce. It reveals neither the exchange nor the key.
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
    try await file.lock(patience: patience)
    return file
  }

  private struct Turn: NonceTurn {
    let microseconds: Int64
    let file: LockedFile

    func release() { file.release() }
  }
}

/// The open file of one key. It is written in place, because the lock belongs to the file and must not move to another.
private final class LockedFile: Sendable {
  private let path: String
  /// -1 once it is released.
  private let descriptor: Mutex<Int32>

  init(_ path: String) throws(SecretProblem) {
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
    guard descriptor >= 0 else { throw Self.problem(path, errno) }
    self.path = path
    self.descriptor = Mutex(descriptor)
    guard let status = FileStatus(descriptor: descriptor), status.isFile, status.owner == geteuid() else {
      throw .nonceStore("'\(path)' is not a file of yours")
    }
  }

  deinit { release() }

  func release() {
    descriptor.withLock { descriptor in
      // Closing the only descriptor releases the lock.
      if descriptor >= 0 { close(descriptor) }
      descriptor = -1
    }
  }

  private static func problem(_ path: String, _ number: Int32) -> SecretProblem {
    .nonceStore("cannot keep nonces in '\(path)': \(String(cString: strerror(number)))")
  }

  func lock(patience: Duration) async throws(SecretProblem) {
    switch await FileSystem.lock(descriptor.withLock { $0 }, patience: patience) {
    case .locked: break
    case .held: throw .nonceBusy
    case .failed(let number): throw Self.problem(path, number)
    }
  }

  /// Returns the last nonce; nil for an empty file, whose creator has sent nothing.
  func last() throws(SecretProblem) -> Int64? {
    var buffer = [UInt8](repeating: 0, count: Self.length + 1)
    let count = descriptor.withLock { pread($0, &buffer, buffer.count, 0) }
    guard count >= 0 else { throw Self.problem(path, errno) }
    if count == 0 { return nil }
    let digits = buffer.prefix(Self.length - 1)
    guard count == Self.length, buffer[Self.length - 1] == 0x0A, digits.allSatisfy(\.isDigit),
      let last = Int64(String(decoding: digits, as: UTF8.self))
    else { throw .nonceDamaged(path: path) }
    return last
  }

  /// The size of the file in bytes: 18 digits and a line break. It is constant, so that one call replaces everything.
  private static let length = 19

  /// Writes a nonce, and waits until it is stored on disk.
  func write(_ nonce: Int64) throws(SecretProblem) {
    let bytes = Array("\(Int(nonce).padded(to: Self.length - 1))\n".utf8)
    let number = descriptor.withLock { descriptor -> Int32 in
      errno = 0
      return pwrite(descriptor, bytes, bytes.count, 0) == bytes.count && FileSystem.storeOnDisk(descriptor)
        ? 0 : max(errno, EIO)
    }
    guard number == 0 else { throw Self.problem(path, number) }
  }

  func clear() throws(SecretProblem) {
    let number = descriptor.withLock { ftruncate($0, 0) == 0 && FileSystem.storeOnDisk($0) ? 0 : errno }
    guard number == 0 else { throw Self.problem(path, number) }
  }
}
