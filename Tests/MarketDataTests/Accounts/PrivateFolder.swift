import Files
import TestSupport

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A separate folder for one test, removed with it.
final class PrivateFolder: Sendable {
  let path: String

  struct CannotMake: Error {}

  init() throws {
    var template = Array("/tmp/market-keys-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw CannotMake() }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit { _ = BackgroundProgram.succeeds("rm", ["-rf", path]) }

  var credentials: String { "\(path)/credentials.json" }

  /// Writes `credentials.json`, replacing any existing file.
  func write(_ text: String, mode: UInt32 = 0o600) throws {
    _ = unlink(credentials)
    try FileSystem.writeAtomically(Array(text.utf8), to: credentials, mode: mode)
  }

  func script(_ name: String, _ lines: String) throws -> String {
    let path = "\(path)/\(name)"
    try BackgroundProgram.writeScript(lines, to: path)
    return path
  }

  func text(_ name: String) throws -> String {
    String(decoding: try FileSystem.read("\(path)/\(name)"), as: UTF8.self)
  }

  func mode(_ name: String) -> UInt32? { FileStatus("\(path)/\(name)")?.mode }
}
