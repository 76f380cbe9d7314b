/// Why a text is no JSONPath query, and where.
package struct JSONPathSyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The UTF-8 offset, from 0, of the first character of the query that cannot be right: where something is missing at
  /// its end, the query's length; of a string that is not closed, its opening quote.
  package let offset: Int
  /// What is wrong, in lower case and without a full stop.
  package let message: String

  package init(offset: Int, message: String) {
    self.offset = offset
    self.message = message
  }

  package var description: String { "offset \(offset): \(message)" }
}
