#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Reading and writing of whole files by system calls.
package enum FileSystem {
  /// Returns the path without its last component: `.` for a bare name, empty at the root, so that a slash and a name can
  /// follow.
  package static func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[..<$0]) } ?? (path.isEmpty ? "" : ".")
  }

  /// Returns the last component of a path.
  package static func name(of path: String) -> String {
    // By bytes: a folder may hold thousands of recordings.
    path.utf8.split(separator: UInt8(ascii: "/")).last.map { String(Substring($0)) } ?? path
  }

  /// More than any response or config; guards against a wrong path such as a disk or an endless device.
  package static let defaultLimit = 256 * 1024 * 1024

  /// What a path may refer to.
  package enum Source: Sendable {
    /// A file on disk, possibly through links. For paths that the program chooses, which must never block it.
    case file
    /// A file on disk but not a link. For folders put together by someone else.
    case ownFile
    /// Anything that the user has named: a pipe is waited for, as `cat` does.
    case anything
    /// The same, but a pipe must have a writer, and is given up after this many milliseconds of silence.
    case promptPipe(milliseconds: Int32)
  }

  /// Reads all bytes of a file.
  package static func read(
    _ path: String, limit: Int = defaultLimit, from source: Source = .file
  ) throws(FileError) -> [UInt8] {
    var flags = O_RDONLY | O_CLOEXEC
    var silence: Int32 = -1
    switch source {
    case .anything: break
    case .file: flags |= O_NONBLOCK
    case .ownFile: flags |= O_NONBLOCK | O_NOFOLLOW
    case .promptPipe(let milliseconds):
      flags |= O_NONBLOCK
      silence = milliseconds
    }
    let descriptor = open(path, flags)
    guard descriptor >= 0 else {
      let isLink = errno == ELOOP && flags & O_NOFOLLOW != 0
      throw .failed(.read, path: path, reason: isLink ? "it is a link" : errorText())
    }
    defer { close(descriptor) }
    if flags & O_NONBLOCK != 0, let status = FileStatus(descriptor: descriptor), !status.isFile {
      guard status.kind == S_IFIFO, silence >= 0 else {
        throw .failed(.read, path: path, reason: phrase(status.kind))
      }
    }
    return try readAll(from: descriptor, named: path, limit: limit, silence: silence)
  }

  private static func phrase(_ kind: mode_t) -> String {
    switch kind {
    case S_IFDIR: String(cString: strerror(EISDIR))
    case S_IFIFO: "it is a pipe, not a file"
    default: "it is a device, not a file"
    }
  }

  /// Reads all bytes from a descriptor.
  ///
  /// - Parameter silence: How long a nonblocking pipe may be silent, in milliseconds; negative means forever.
  package static func readAll(
    from descriptor: Int32, named name: String, limit: Int, silence: Int32 = -1
  ) throws(FileError) -> [UInt8] {
    // A regular file has a known length, so that a single read suffices, which asks for one byte more; a pipe does not.
    let size = expectedSize(of: descriptor)
    if let size, size > limit { throw .tooLarge(path: name, limit: limit) }
    var room = size.map { $0 + 1 } ?? 64 * 1024
    var bytes: [UInt8] = []
    while true {
      var count = 0
      let chunk = [UInt8](unsafeUninitializedCapacity: room) { buffer, initialized in
        count = Self.read(descriptor, into: UnsafeMutableRawBufferPointer(buffer))
        initialized = max(0, count)
      }
      if count == 0 { return bytes }
      if count < 0, errno == EAGAIN {
        var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        if poll(&wait, 1, silence) == 0 {
          throw .failed(.read, path: name, reason: "nothing came through the pipe for \(silence / 1000) seconds")
        }
        continue
      }
      guard count > 0 else { throw .failed(.read, path: name, reason: errorText()) }
      if bytes.isEmpty { bytes = chunk } else { bytes += chunk }
      if bytes.count > limit { throw .tooLarge(path: name, limit: limit) }
      if count < room, bytes.count == size { return bytes }
      room = 64 * 1024
    }
  }

  /// Returns the length of a regular file; nil for anything else, and for an empty one (`/proc` reports 0 for files
  /// with text).
  private static func expectedSize(of descriptor: Int32) -> Int? {
    guard let status = FileStatus(descriptor: descriptor), status.isFile, status.size > 0 else { return nil }
    return status.size
  }

  /// Writes `bytes` to `path` atomically: a reader sees the old file or the new one, never a part of it.
  ///
  /// The temporary file is in the same folder, because a rename is only atomic within one file system. A symbolic link
  /// is followed, so that its target is replaced and not the link.
  ///
  /// - Parameters:
  ///   - mode: The permissions of a new file; an existing one keeps its own.
  ///   - isDurable: Whether the bytes must survive a power failure; not needed for what can be fetched again.
  package static func writeAtomically(
    _ bytes: [UInt8], to path: String, mode: UInt32 = 0o644, isDurable: Bool = true
  ) throws(FileError) {
    let target = resolved(path)
    guard let (descriptor, temporary) = temporaryFile(beside: target) else {
      throw .failed(.write, path: path, reason: errorText())
    }
    var failure: FileError?
    switch send(bytes, to: descriptor, named: path) {
    case .done: break
    case .readerGone: failure = .failed(.write, path: path, reason: errorText())
    case .failed(let error): failure = error
    }
    // An existing file keeps its owner, if permitted, and its permissions; the temporary file's permissions are for the
    // owner alone.
    if failure == nil { keepOwner(of: target, on: descriptor) }
    let permissions = mode_t(FileStatus(target)?.mode ?? mode)
    if failure == nil, fchmod(descriptor, permissions) != 0 || (isDurable && !storeOnDisk(descriptor)) {
      failure = .failed(.write, path: path, reason: errorText())
    }
    close(descriptor)
    if failure == nil, rename(temporary, target) != 0 {
      failure = .failed(.write, path: path, reason: errorText())
    }
    if let failure {
      unlink(temporary)
      throw failure
    }
  }

  /// Creates an empty file with these permissions. Returns false if something has its name.
  package static func reserve(_ path: String, mode: UInt32 = 0o644) throws(FileError) -> Bool {
    guard let descriptor = try create(path) else { return false }
    defer { close(descriptor) }
    guard fchmod(descriptor, mode_t(mode)) == 0 else { throw .failed(.write, path: path, reason: errorText()) }
    return true
  }

  /// Creates an empty file for the owner alone, open for appending. Returns nil if something has its name.
  static func create(_ path: String) throws(FileError) -> Int32? {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0o600)
    if descriptor >= 0 { return descriptor }
    if errno == EEXIST { return nil }
    throw .failed(.write, path: path, reason: errorText())
  }

  /// Waits until what was written to a file is on the disk; returns false, with `errno`, if that fails.
  package static func storeOnDisk(_ descriptor: Int32) -> Bool {
    #if canImport(Darwin)
      // `fsync` would leave it in the disk's own cache. Not every file system has more.
      if fcntl(descriptor, F_FULLFSYNC) == 0 { return true }
    #endif
    return fsync(descriptor) == 0
  }

  /// The suffix of temporary files. Nothing else has it, so that files left behind by killed runs can be recognised.
  static let temporaryEnding = ".market-tmp"

  /// Creates a uniquely named file in the folder of `path`, open for writing, for the owner alone. Returns nil with
  /// `errno` set if that fails.
  ///
  /// Does not use `mkstemp`, whose descriptor is inherited by every program started meanwhile: that would keep the
  /// finished file from being executed ("text file busy"), and Swift's Glibc lacks the variant with `O_CLOEXEC`.
  private static func temporaryFile(beside path: String) -> (descriptor: Int32, path: String)? {
    let letters = Array("abcdefghijklmnopqrstuvwxyz0123456789")
    for _ in 0..<100 {
      let name = "\(path).\(String((0..<8).compactMap { _ in letters.randomElement() }))\(temporaryEnding)"
      let descriptor = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
      if descriptor >= 0 { return (descriptor, name) }
      if errno != EEXIST && errno != EINTR { return nil }
    }
    return nil
  }

  /// Returns whether the path names a regular file that may be executed.
  package static func isExecutable(_ path: String) -> Bool {
    FileStatus(path)?.isFile == true && access(path, X_OK) == 0
  }

  /// Returns whether the path can be read.
  package static func isReadable(_ path: String) -> Bool { access(path, R_OK) == 0 }

  /// Returns whether the path can be written: a folder, or an existing file.
  package static func isWritable(_ path: String) -> Bool { access(path, W_OK) == 0 }

  /// Sends all bytes to a descriptor, however many calls that takes.
  package static func send(_ bytes: [UInt8], to descriptor: Int32, named name: String) -> FileDescriptorWrite {
    bytes.withUnsafeBytes { buffer in
      var rest = buffer[...]
      while !rest.isEmpty {
        let count = write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
        if count >= 0 {
          rest = rest.dropFirst(count)
        } else if errno == EPIPE {
          return .readerGone
        } else if errno != EINTR {
          return .failed(.failed(.write, path: name, reason: errorText()))
        }
      }
      return .done
    }
  }

  // MARK: Folders

  /// Creates a folder and any missing parents, for the user alone (0700).
  package static func createFolder(_ path: String) throws(FileError) {
    guard !isFolder(path) else { return }
    if mkdir(path, 0o700) == 0 { return }
    // Kept, as looking whether someone else has created it sets another.
    var (code, reason) = (errno, errorText())
    if code == ENOENT {
      try createFolder(ofFile: path)
      if mkdir(path, 0o700) == 0 { return }
      (code, reason) = (errno, errorText())
    }
    if isFolder(path) { return }
    throw .failed(.createFolder, path: path, reason: reason)
  }

  /// Creates the folder of a file, like `createFolder`.
  package static func createFolder(ofFile path: String) throws(FileError) {
    let folder = folder(of: path)
    if !folder.isEmpty, folder != "." { try createFolder(folder) }
  }

  package static func remove(_ path: String) throws(FileError) {
    guard unlink(path) == 0 else { throw .failed(.remove, path: path, reason: errorText()) }
  }

  package static func removeFolder(_ path: String) throws(FileError) {
    guard rmdir(path) == 0 else { throw .failed(.remove, path: path, reason: errorText()) }
  }

  package static func isFolder(_ path: String) -> Bool { FileStatus(path)?.isFolder == true }

  package static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  /// Returns whether something has this name, even a dangling link.
  package static func isThere(_ path: String) -> Bool { FileStatus(linkAt: path) != nil }

  /// Returns whether the name is that of a symbolic link, dangling or not.
  package static func isLink(_ path: String) -> Bool { FileStatus(linkAt: path)?.kind == S_IFLNK }

  /// Returns whether it is certain that nothing has this name. An inaccessible folder or a dangling link is not
  /// certain: reading then reports the problem.
  package static func isAbsent(_ path: String) -> Bool {
    !isThere(path) && (errno == ENOENT || errno == ENOTDIR)
  }

  /// Returns the names in a folder, unsorted and without those that start with a dot.
  package static func names(in path: String) throws(FileError) -> [String] {
    guard let folder = opendir(path) else { throw .failed(.list, path: path, reason: errorText()) }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: $0.pointee)) { String(cString: $0) }
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names
  }

  // MARK: The system's calls

  private static func read(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) -> Int {
    while true {
      let count = systemRead(descriptor, buffer.baseAddress, buffer.count)
      if count >= 0 || errno != EINTR { return count }
    }
  }

  /// Returns the path with symbolic links resolved, whether or not the file exists.
  package static func resolved(_ path: String) -> String {
    var path = path
    // Follow a dangling link manually: its target is created, and the link stays.
    for _ in 0..<40 {
      if let real = realpath(path, nil) {
        defer { free(real) }
        return String(cString: real)
      }
      guard let next = linkTarget(of: path) else { break }
      path = next
    }
    return path
  }

  private static func linkTarget(of path: String) -> String? {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
    let count = readlink(path, &buffer, buffer.count - 1)
    guard count > 0 else { return nil }
    let target = String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    guard !target.hasPrefix("/"), let slash = path.lastIndex(of: "/") else { return target }
    return path[...slash] + target
  }

  private static func keepOwner(of path: String, on descriptor: Int32) {
    var status = stat()
    guard stat(path, &status) == 0, status.st_uid != geteuid() || status.st_gid != getegid() else { return }
    // Only root may do this; otherwise the file becomes the user's own.
    _ = fchown(descriptor, status.st_uid, status.st_gid)
  }

  /// Returns the system's text for the last error.
  static func errorText() -> String { String(cString: strerror(errno)) }
}

/// The outcome of sending bytes to a file descriptor.
package enum FileDescriptorWrite: Hashable, Sendable {
  case done
  /// EPIPE.
  case readerGone
  case failed(FileError)
}

/// The system's call, under a name that no method hides.
private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  read(descriptor, buffer, count)
}
