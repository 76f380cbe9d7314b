/// Why a file could not be read or written.
package enum FileError: Error, Hashable, Sendable {
  /// A system call failed; `reason` is the system's own text.
  case failed(Operation, path: String, reason: String)
  /// The file holds more bytes than the caller accepts.
  case tooLarge(path: String, limit: Int)
  /// The file has changed since it was read.
  case changed(path: String)

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
      "'\(path)' was changed in the meantime; nothing was written, run the command again"
    }
  }
}
