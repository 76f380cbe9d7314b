/// A column of a table, and what may happen to it when the terminal is narrow.
package struct TableColumn: Hashable, Sendable {
  /// On which side the text of the column's cells stands.
  package enum Alignment: Sendable {
    case left
    /// For numbers. Such a column is never shortened to fit a terminal: half a number is a wrong number.
    case right
  }

  package var title: String
  package var alignment: Alignment
  /// The cells that the column keeps when it is shortened.
  package var minimumWidth: Int
  /// When the column's texts may be shortened: the lowest goes first; nil = never.
  package var shortening: Int?
  /// When the column may be left out: the lowest goes first, equal ones go together (bid and ask); nil = never.
  package var dropping: Int?

  package init(
    _ title: String, _ alignment: Alignment = .left, minimumWidth: Int = 4, shortening: Int? = nil,
    dropping: Int? = nil
  ) {
    self.title = title
    self.alignment = alignment
    self.minimumWidth = minimumWidth
    self.shortening = shortening
    self.dropping = dropping
  }
}
