import Files
import TestSupport

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A folder with keys.
extension TemporaryFolder {
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
}
