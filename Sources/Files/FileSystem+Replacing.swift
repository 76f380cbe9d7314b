#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

extension FileSystem {
  /// Atomically replaces a file with its edited text, but only if it still is what was read: of two programs that edit
  /// at once, the second gets an error.
  ///
  /// - Parameters:
  ///   - old: The text that the edit started from; nil if there was no file.
  ///   - mode: The permissions of a new file; an existing one keeps its own.
  /// - Throws: Also if the owner has made the file read-only.
  package static func replace(
    _ old: [UInt8]?, with new: [UInt8], at path: String, mode: UInt32 = 0o644
  ) throws(FileError) {
    let target = resolved(path)
    let folder = folder(of: target)
    let lock = try lockFolder(folder.isEmpty ? "/" : folder, for: path)
    defer { if lock >= 0 { close(lock) } }
    let now: [UInt8]? = isAbsent(target) ? nil : try read(target)
    guard now == old else { throw .changed(path: path) }
    removeLeftovers(of: target, in: folder)
    // Renaming over a file does not require write permission for it.
    if old != nil, access(target, W_OK) != 0 { throw .failed(.write, path: path, reason: errorText()) }
    try writeAtomically(new, to: path, mode: mode)
  }

  /// Removes files left behind by killed runs, which are those older than ten minutes: a running write never takes that
  /// long.
  private static func removeLeftovers(of target: String, in folder: String) {
    let name = name(of: target) + "."
    let old = (Int64(time(nil)) - 600) * 1_000_000_000
    for leftover in (try? names(in: folder.isEmpty ? "/" : folder)) ?? []
    where leftover.hasPrefix(name) && leftover.hasSuffix(temporaryEnding)
      && leftover.utf8.count == name.utf8.count + 8 + temporaryEnding.utf8.count
    {
      let path = "\(folder)/\(leftover)"
      guard let status = FileStatus(linkAt: path), status.isFile, status.owner == geteuid(), status.modified < old
      else { continue }
      unlink(path)
    }
  }

  /// How often to look whether another program's edit has ended, a hundredth of a second apart.
  private static let tries = 200

  /// Locks the folder rather than the file, which is replaced. Leaves nothing behind.
  ///
  /// - Returns: The descriptor that holds the lock; negative if the folder cannot be locked, as on some file systems.
  private static func lockFolder(_ folder: String, for path: String) throws(FileError) -> Int32 {
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return descriptor }
    for _ in 0..<tries {
      switch tryLock(descriptor) {
      case .locked: return descriptor
      case .held: usleep(10_000)
      case .failed:
        close(descriptor)
        return -1
      }
    }
    close(descriptor)
    throw .failed(.write, path: path, reason: "another program has locked its folder")
  }
}
