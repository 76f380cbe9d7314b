#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A file's metadata.
package struct FileStatus: Hashable, Sendable {
  /// The type: `S_IFREG`, `S_IFDIR`.
  let kind: mode_t
  /// In bytes.
  package let size: Int
  /// The permissions: `0o600`.
  package let mode: UInt32
  /// The user who owns it.
  package let owner: UInt32
  /// The identity of the file under any of its names.
  package let identity: Identity
  /// When its bytes last changed, in nanoseconds since 1970.
  package let modified: Int64

  package struct Identity: Hashable, Sendable {
    fileprivate let device: UInt64
    fileprivate let number: UInt64
  }

  package var isFolder: Bool { kind == S_IFDIR }

  package var isFile: Bool { kind == S_IFREG }

  /// Whether the owner is the user who runs the program, or root.
  package var isOwnedByCaller: Bool { owner == geteuid() || owner == 0 }

  /// Returns nil if there is no such file, or none that may be seen.
  package init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  /// Returns the status of a link itself, if it is one.
  init?(linkAt path: String) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  /// Returns the status of an open file.
  package init?(descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    self.init(status)
  }

  private init(_ status: stat) {
    kind = status.st_mode & S_IFMT
    size = Int(status.st_size)
    mode = UInt32(status.st_mode & 0o7777)
    owner = status.st_uid
    identity = Identity(device: UInt64(truncatingIfNeeded: status.st_dev), number: UInt64(status.st_ino))
    #if canImport(Darwin)
      let time = status.st_mtimespec
    #else
      let time = status.st_mtim
    #endif
    modified = Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
