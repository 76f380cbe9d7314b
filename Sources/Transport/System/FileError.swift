#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// What the operating system says when a file cannot be read or written.
package struct FileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What was tried: "read", "write", "list" …
  package var action: String
  package var path: String
  /// The system's error number.
  package var code: Int32

  package var description: String { "cannot \(action) '\(path)': \(String(cString: strerror(code)))" }
}
