import Files

@testable import Transport

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A separate folder for a test, which removes it at its end.
struct TemporaryFolder: Sendable {
  struct Failure: Error {}

  let path: String

  /// - Parameter inMemory: whether to use an in-memory file system if there is one, for thousands of writes.
  init(inMemory: Bool = false) throws {
    let memory = "/dev/shm"
    let isThere = inMemory && access(memory, W_OK) == 0
    let base = isThere ? memory : getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(base)/market-test.XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw Failure() }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  func remove() {
    Self.remove(path)
  }

  func write(_ text: String, to name: String) throws {
    if let slash = name.lastIndex(of: "/") { try FileSystem.createFolder("\(path)/\(name[..<slash])") }
    try FileSystem.writeAtomically(Array(text.utf8), to: "\(path)/\(name)")
  }

  func read(_ name: String) throws -> String {
    String(decoding: try FileSystem.read("\(path)/\(name)"), as: UTF8.self)
  }

  /// Returns the names of all files, with their folders, sorted.
  func files(in folder: String = "") throws -> [String] {
    try FileSystem.names(in: "\(path)/\(folder)").flatMap { name in
      FileSystem.isFolder("\(path)/\(folder)\(name)") ? try files(in: "\(folder)\(name)/") : ["\(folder)\(name)"]
    }.sorted()
  }

  /// Returns the permission bits of a file or folder.
  func permissions(_ name: String) -> UInt32 {
    var status = stat()
    return stat("\(path)/\(name)", &status) == 0 ? UInt32(status.st_mode) & 0o777 : 0
  }

  private static func remove(_ path: String) {
    for name in (try? FileSystem.names(in: path)) ?? [] {
      if FileSystem.isFolder("\(path)/\(name)") { remove("\(path)/\(name)") } else { unlink("\(path)/\(name)") }
    }
    rmdir(path)
  }
}
