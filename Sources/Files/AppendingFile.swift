import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A file that is appended to while a program runs. What has been appended is kept, however the program ends.
package final class AppendingFile: Sendable {
  private let path: String
  private let descriptor: Int32
  /// The first failure, after which nothing more is written.
  private let failure = Mutex<FileError?>(nil)

  /// Creates the file for the owner alone; nil if something has its name.
  package init?(creating path: String) throws(FileError) {
    guard let descriptor = try FileSystem.create(path) else { return nil }
    (self.path, self.descriptor) = (path, descriptor)
  }

  deinit { close(descriptor) }

  /// Appends the bytes. After a failure, which may have left a part of them, nothing more is written.
  package func append(_ bytes: [UInt8]) throws(FileError) {
    let problem = failure.withLock { failure -> FileError? in
      if failure == nil {
        switch FileSystem.send(bytes, to: descriptor, named: path) {
        case .done: break
        case .readerGone: failure = .failed(.write, path: path, reason: "its reader is gone")
        case .failed(let error): failure = error
        }
      }
      return failure
    }
    if let problem { throw problem }
  }
}
