/// Why a text is no I-Regexp, and where.
package struct IRegexpSyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The UTF-8 offset, from 0, of the first character of the pattern that cannot be right; of what is opened and never
  /// closed, its first character.
  package let offset: Int
  /// What is wrong, in lower case and without a full stop.
  package let message: String

  package init(offset: Int, message: String) {
    self.offset = offset
    self.message = message
  }

  package var description: String { "offset \(offset): \(message)" }
}
