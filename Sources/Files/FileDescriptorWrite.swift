/// The outcome of sending bytes to a file descriptor.
package enum FileDescriptorWrite: Hashable, Sendable {
  case done
  /// EPIPE.
  case readerGone
  case failed(FileError)
}
