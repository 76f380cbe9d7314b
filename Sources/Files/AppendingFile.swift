import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A file that grows while a program runs: what has been appended is there, however the program ends.
package final class AppendingFile: Sendable {
  private let path: String
  private let descriptor: Int32
  /// The first failure; after it nothing more is written.
  private let failure = Mutex<FileError?>(nil)

  /// Makes the file, for the owner alone; one that is there already is an error.
  package init(creating path: String) throws(FileError) {
    self.path = path
    descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0o600)
    if descriptor < 0 { throw .failed(.write, path: path, reason: FileSystem.errorText()) }
  }

  deinit { close(descriptor) }

  /// Appends the bytes as a whole.
  package func append(_ bytes: [UInt8]) throws(FileError) {
    let problem = failure.withLock { failure -> FileError? in
      if failure == nil {
        switch FileSystem.send(bytes, to: descriptor, named: path) {
        case .done: break
        case .readerGone: failure = .failed(.write, path: path, reason: "its reader has gone")
        case .failed(let error): failure = error
        }
      }
      return failure
    }
    if let problem { throw problem }
  }
}
