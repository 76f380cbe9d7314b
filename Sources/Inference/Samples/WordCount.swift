import Quotes

/// A word of a column, or one before its symbols, and how many rows have it.
package struct WordCount: Hashable, Sendable, CustomStringConvertible {
  package let text: String
  package let rows: Int

  /// `'SPOT' in 412`, of which the reader says that these are rows.
  package var description: String { "'\(text)' in \(rows)" }
}

extension [WordCount] {
  /// Returns words with the numbers of their rows, most frequent first; nil unless there are two or more.
  ///
  /// - Parameter most: How many distinct words there may be: more of them would be names, not kinds.
  init?(_ counts: [String: Int], atMost most: Int) {
    guard (2...most).contains(counts.count) else { return nil }
    self = counts.byFrequency.map { WordCount(text: $0.key, rows: $0.value) }
  }
}
