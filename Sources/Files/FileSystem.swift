#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Whole files, read and written by the system's own calls.
package enum FileSystem {
  /// The path without its last component; `.` for a bare name, empty at the root.
  package static func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
  }

  /// More than any response or config; a guard against a wrong path such as a disk or an endless device.
  package static let defaultLimit = 256 * 1024 * 1024

  /// What a path may lead to.
  package enum Source: Sendable {
    /// A file on a disk, through links if need be: what the program finds by itself never makes it wait.
    case file
    /// The same, but no link: what lies in a folder that somebody else has put together.
    case ownFile
    /// Whatever the user has named: a pipe is waited for, as `cat` does.
    case anything
    /// The same, but a pipe must have a writer, and is given up when it says nothing for so many milliseconds.
    case promptPipe(milliseconds: Int32)
  }

  /// All bytes of a file.
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
    if flags & O_NONBLOCK != 0, let kind = oddKind(of: descriptor) {
      guard kind == S_IFIFO, silence >= 0 else { throw .failed(.read, path: path, reason: Self.phrase(kind)) }
    }
    return try readAll(from: descriptor, named: path, limit: limit, silence: silence)
  }

  /// The kind of what is open, where it is no regular file.
  private static func oddKind(of descriptor: Int32) -> mode_t? {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    let kind = status.st_mode & S_IFMT
    return kind == S_IFREG ? nil : kind
  }

  private static func phrase(_ kind: mode_t) -> String {
    switch kind {
    case S_IFDIR: String(cString: strerror(EISDIR))
    case S_IFIFO: "it is a pipe, not a file"
    default: "it is a device, not a file"
    }
  }

  /// All bytes up to the end of a descriptor's stream.
  ///
  /// - Parameter silence: how long a pipe that is open without blocking may say nothing, in milliseconds; below zero: for
  ///   ever.
  package static func readAll(
    from descriptor: Int32, named name: String, limit: Int, silence: Int32 = -1
  ) throws(FileError) -> [UInt8] {
    // A regular file says how long it is, so that one read into the right place does; a pipe does not.
    var room = expectedSize(of: descriptor).map { $0 + 1 } ?? 64 * 1024
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
      room = 64 * 1024
    }
  }

  /// The length of a regular file; nil for anything else, and for an empty one (`/proc` says 0 of what has text).
  private static func expectedSize(of descriptor: Int32) -> Int? {
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size > 0 else { return nil }
    return Int(status.st_size)
  }

  /// Puts `bytes` at `path` so that a reader sees the old file or the new one, never a part of it.
  ///
  /// The temporary file lies in the same folder, because a rename is atomic within one file system only. A symbolic
  /// link is followed, so that the file it names is replaced and not the link.
  ///
  /// - Parameters:
  ///   - mode: the permissions of a new file; an old one keeps its own.
  ///   - isDurable: whether the bytes must outlive a power cut; what can be fetched again need not.
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
    // The file keeps its owner, where we may give it, and its permissions, when there was one; those of the temporary file
    // are for the owner alone.
    if failure == nil { keepOwner(of: target, on: descriptor) }
    let permissions = permissions(of: target) ?? mode_t(mode)
    if failure == nil, fchmod(descriptor, permissions) != 0 || (isDurable && fsync(descriptor) != 0) {
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

  /// How the names of temporary files end. Nothing else is named so, so that what a killed run has left can be told.
  static let temporaryEnding = ".market-tmp"

  /// A new file with a name of its own in the folder of `path`, open for writing and for the owner alone; nil where there
  /// can be none, with `errno` set.
  ///
  /// Not by `mkstemp`, whose file stays open in every program that is started meanwhile: one that held it would keep the
  /// finished file from being run ("text file busy"), and the variant that closes it is no part of Swift's Glibc.
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

  /// True when the path names a regular file that may be executed.
  package static func isExecutable(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
  }

  /// True when nobody but its owner may read or write the file.
  package static func isPrivate(_ path: String) -> Bool {
    permissions(of: path).map { $0 & 0o077 == 0 } ?? false
  }

  /// True when the path can be read.
  package static func isReadable(_ path: String) -> Bool {
    access(path, R_OK) == 0
  }

  /// True when something can be written there: into a folder, or over a file.
  package static func isWritable(_ path: String) -> Bool {
    access(path, W_OK) == 0
  }

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

  /// Makes a folder and those above it where they are missing, for the user alone (0700).
  package static func createFolder(_ path: String) throws(FileError) {
    guard !isFolder(path) else { return }
    if mkdir(path, 0o700) == 0 || isFolder(path) { return }
    if errno == ENOENT, let slash = path.lastIndex(of: "/"), slash != path.startIndex {
      try createFolder(String(path[..<slash]))
      if mkdir(path, 0o700) == 0 || isFolder(path) { return }
    }
    throw .failed(.createFolder, path: path, reason: errorText())
  }

  /// Takes a file away.
  package static func remove(_ path: String) throws(FileError) {
    guard unlink(path) == 0 else { throw .failed(.remove, path: path, reason: errorText()) }
  }

  /// Takes a folder away that holds nothing.
  package static func removeFolder(_ path: String) throws(FileError) {
    guard rmdir(path) == 0 else { throw .failed(.remove, path: path, reason: errorText()) }
  }

  package static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  package static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  /// True when something has this name, be it a link that leads nowhere.
  package static func isThere(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0
  }

  /// True when the name is that of a symbolic link, wherever it leads.
  package static func isLink(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
  }

  /// True when it is certain that nothing has this name. A folder that may not be looked into, and a link that leads
  /// nowhere, leave it open: then reading says what is wrong.
  package static func isAbsent(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) != 0 && (errno == ENOENT || errno == ENOTDIR)
  }

  /// The names in a folder, without those that begin with a dot, in no order.
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
      #if canImport(Glibc)
        let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
      #else
        let count = Darwin.read(descriptor, buffer.baseAddress, buffer.count)
      #endif
      if count >= 0 || errno != EINTR { return count }
    }
  }

  /// The file behind symbolic links, there or not.
  package static func resolved(_ path: String) -> String {
    var path = path
    // A link that leads nowhere yet is followed by hand: the file that it names is made, and the link stays.
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

  private static func permissions(of path: String) -> mode_t? {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode & 0o7777 : nil
  }

  private static func keepOwner(of path: String, on descriptor: Int32) {
    var status = stat()
    guard stat(path, &status) == 0, status.st_uid != geteuid() || status.st_gid != getegid() else { return }
    // Only root may do this; for everybody else the file becomes their own.
    _ = fchown(descriptor, status.st_uid, status.st_gid)
  }

  /// The system's text for the last error.
  static func errorText() -> String {
    String(cString: strerror(errno))
  }
}
