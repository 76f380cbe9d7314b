/// How sending bytes to a file descriptor ended.
package enum FileDescriptorWrite: Hashable, Sendable {
  case done
  /// EPIPE.
  case readerGone
  case failed(FileError)
}
