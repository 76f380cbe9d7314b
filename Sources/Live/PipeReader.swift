import CTerminal

/// Whoever reads what this program writes.
package enum PipeReader {
  /// How many bytes the reader of a pipe has yet to read; nil where that is no pipe, or nobody reads it.
  package static func unread(of descriptor: Int32) -> Int? {
    let count = terminal_unread(descriptor)
    return count < 0 ? nil : Int(count)
  }
}
