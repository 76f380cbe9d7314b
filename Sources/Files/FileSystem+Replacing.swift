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
    let folder = target.lastIndex(of: "/").map { $0 == target.startIndex ? "/" : String(target[..<$0]) } ?? "."
    let lock = try lockFolder(folder, for: path)
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
    let old = Int64(time(nil)) - 600
    for leftover in (try? names(in: folder)) ?? []
    where leftover.hasPrefix(name) && leftover.hasSuffix(temporaryEnding)
      && leftover.utf8.count == name.utf8.count + 8 + temporaryEnding.utf8.count
    {
      var status = stat()
      let path = folder == "/" ? "/\(leftover)" : "\(folder)/\(leftover)"
      guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid() else { continue }
      #if canImport(Darwin)
        let modified = Int64(status.st_mtimespec.tv_sec)
      #else
        let modified = Int64(status.st_mtim.tv_sec)
      #endif
      if modified < old { unlink(path) }
    }
  }

  /// How long to wait for another program's edit, in hundredths of a second.
  private static let patience = 200

  /// Locks the folder rather than the file, which is replaced. Leaves nothing behind.
  ///
  /// - Returns: The descriptor that holds the lock; negative if the folder cannot be locked, as on some file systems.
  private static func lockFolder(_ folder: String, for path: String) throws(FileError) -> Int32 {
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return descriptor }
    var isHeld = true
    for _ in 0..<patience where isHeld {
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return descriptor }
      isHeld = errno == EWOULDBLOCK || errno == EINTR
      if isHeld { usleep(10_000) }
    }
    close(descriptor)
    if isHeld { throw .failed(.write, path: path, reason: "another program has locked its folder") }
    return -1
  }
}
