import CTerminal

/// The process that reads this program's output.
package enum PipeReader {
  /// Returns how many bytes in a pipe are still unread; nil if it is not a pipe, or has no reader.
  package static func unread(of descriptor: Int32) -> Int? {
    let count = terminal_unread(descriptor)
    return count < 0 ? nil : Int(count)
  }

  /// Returns whether a pipe has lost its reader; false if it is not a pipe.
  package static func isGone(of descriptor: Int32) -> Bool { terminal_reader_is_gone(descriptor) != 0 }
}
