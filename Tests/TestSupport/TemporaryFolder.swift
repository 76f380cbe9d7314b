import Files

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A separate folder for a test, removed with it.
package final class TemporaryFolder: Sendable {
  package struct CannotMake: Error {}

  package let path: String

  /// - Parameter inMemory: whether to use an in-memory file system if there is one, for thousands of writes.
  package init(inMemory: Bool = false) throws {
    let memory = "/dev/shm"
    let base = inMemory && access(memory, W_OK) == 0 ? memory : "/tmp"
    var template = Array("\(base)/market-tests.XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw CannotMake() }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit { remove() }

  package func remove() { Self.remove(path) }

  /// Removes a folder with all its contents.
  private static func remove(_ path: String) {
    for name in names(in: path) where unlink("\(path)/\(name)") != 0 { remove("\(path)/\(name)") }
    rmdir(path)
  }

  /// The names of the files in the folder, sorted.
  package var names: [String] { Self.names(in: path) }

  private static func names(in path: String) -> [String] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  /// Returns the names of all files that are not hidden, with their folders, sorted.
  package func files(in folder: String = "") throws -> [String] {
    try FileSystem.names(in: "\(path)/\(folder)").flatMap { name in
      FileSystem.isFolder("\(path)/\(folder)\(name)") ? try files(in: "\(folder)\(name)/") : ["\(folder)\(name)"]
    }.sorted()
  }

  /// Returns the permissions of a file or folder.
  package func mode(_ name: String) -> UInt32? { FileStatus("\(path)/\(name)")?.mode }

  package func write(_ text: String, to name: String) throws {
    if let slash = name.lastIndex(of: "/") { try FileSystem.createFolder("\(path)/\(name[..<slash])") }
    try FileSystem.writeAtomically(Array(text.utf8), to: "\(path)/\(name)")
  }

  package func read(_ name: String) throws -> String {
    String(decoding: try FileSystem.read("\(path)/\(name)"), as: UTF8.self)
  }
}
