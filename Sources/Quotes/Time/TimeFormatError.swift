/// What is wrong with the pattern of a ``TimeFormat``, and where.
package struct TimeFormatError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The UTF-8 offset in the pattern.
  package let offset: Int
  /// In lower case and without a full stop: `'hh' is no part of a time; put other letters between apostrophes`.
  package let problem: String

  package init(offset: Int, problem: String) {
    self.offset = offset
    self.problem = problem
  }

  package var description: String { problem }
}
