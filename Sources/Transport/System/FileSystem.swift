#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The few operations on files that this room needs.
enum FileSystem {
  /// One name in a directory.
  struct Entry: Hashable, Sendable {
    var name: String
    var isDirectory: Bool
  }

  static func read(_ path: String) throws(FileError) -> [UInt8] {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw FileError(action: "read", path: path, code: errno) }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0 else { throw FileError(action: "read", path: path, code: errno) }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Int(status.st_size) + 1)
    var part = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      #if canImport(Glibc)
        let count = Glibc.read(file, &part, part.count)
      #else
        let count = Darwin.read(file, &part, part.count)
      #endif
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { throw FileError(action: "read", path: path, code: errno) }
      if count == 0 { return bytes }
      bytes.append(contentsOf: part[..<count])
    }
  }

  /// Writes a file as a whole or not at all: under another name first, then renamed. Readers see the old content or
  /// the new one. Only the user may read it.
  static func write(_ bytes: [UInt8], to path: String) throws(FileError) {
    var template = Array("\(path).XXXXXX".utf8CString)
    let file = mkstemp(&template)
    guard file >= 0 else { throw FileError(action: "write", path: path, code: errno) }
    do throws(FileError) {
      try writeAll(bytes, to: file, path: path)
      let isClosed = close(file) == 0
      guard isClosed, rename(template, path) == 0 else {
        throw FileError(action: "write", path: path, code: errno)
      }
    } catch {
      unlink(template)
      throw error
    }
  }

  private static func writeAll(_ bytes: [UInt8], to file: Int32, path: String) throws(FileError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { buffer in
        #if canImport(Glibc)
          Glibc.write(file, buffer.baseAddress, buffer.count)
        #else
          Darwin.write(file, buffer.baseAddress, buffer.count)
        #endif
      }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else {
        let code = errno
        close(file)
        throw FileError(action: "write", path: path, code: code)
      }
      rest = rest.dropFirst(count)
    }
  }

  /// Makes a directory and those above it where they are missing, for the user alone (0700).
  static func createDirectory(_ path: String) throws(FileError) {
    guard var code = makeDirectory(path) else { return }
    if code == ENOENT, let slash = path.lastIndex(of: "/"), slash != path.startIndex {
      try createDirectory(String(path[..<slash]))
      guard let second = makeDirectory(path) else { return }
      code = second
    }
    throw FileError(action: "create the folder", path: path, code: code)
  }

  /// nil where the directory is there now, made or found; else the system's error number.
  private static func makeDirectory(_ path: String) -> Int32? {
    let code = mkdir(path, 0o700) == 0 ? 0 : errno
    return code == 0 || isDirectory(path) ? nil : code
  }

  static func isDirectory(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  static func exists(_ path: String) -> Bool {
    access(path, F_OK) == 0
  }

  /// The names in a directory, without those that begin with a dot, in no order. Finding out which are directories
  /// costs a system call each; with `typed: false` none is said to be one.
  static func entries(of path: String, typed: Bool = true) throws(FileError) -> [Entry] {
    guard let directory = opendir(path) else { throw FileError(action: "list", path: path, code: errno) }
    defer { closedir(directory) }
    var entries: [Entry] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: $0.pointee)) { String(cString: $0) }
      }
      if !name.hasPrefix(".") {
        entries.append(Entry(name: name, isDirectory: typed && isDirectory("\(path)/\(name)")))
      }
    }
    return entries
  }
}
