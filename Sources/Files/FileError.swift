/// Why a file could not be read or written.
package enum FileError: Error, Hashable, Sendable {
  /// A call of the system failed; `reason` is the system's own text.
  case failed(Operation, path: String, reason: String)
  /// The file holds more bytes than the caller is ready to take.
  case tooLarge(path: String, limit: Int)
  /// The file is no longer what was read before.
  case changed(path: String)

  /// What was tried.
  package enum Operation: String, Sendable {
    case read, write, list
    case createFolder = "create the folder"
    case remove
  }
}

extension FileError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .failed(let operation, let path, let reason):
      "cannot \(operation.rawValue) '\(path)': \(reason)"
    case .tooLarge(let path, let limit):
      "cannot read '\(path)': it is larger than \(limit) bytes"
    case .changed(let path):
      "'\(path)' has been changed meanwhile; nothing is written, run the command again"
    }
  }
}
