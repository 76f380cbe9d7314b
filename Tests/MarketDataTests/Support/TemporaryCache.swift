import Files
import Transport

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A cache in its own folder, which the test removes at its end.
struct TemporaryCache: Sendable {
  struct Failure: Error {}

  let cache: DiskCache
  private let path: String

  init() throws {
    let base = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(base)/market-rates.XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw Failure() }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    cache = DiskCache(directory: path)
  }

  func remove() {
    for name in (try? FileSystem.names(in: path)) ?? [] { unlink("\(path)/\(name)") }
    rmdir(path)
  }
}
