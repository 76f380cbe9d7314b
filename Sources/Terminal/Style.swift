/// What a piece of text means; `Palette` knows how that looks.
package enum Style: Hashable, CaseIterable, Sendable {
  /// A change above zero, or a price that rose.
  case up
  /// A change below zero, or a price that fell.
  case down
  /// Plain text, and a change of zero.
  case neutral
  /// Of little weight: units, reasons of empty cells, a premium that is small.
  case dim
  /// Worth looking at first: a large premium.
  case highlight
  /// An error, a number that must not be trusted.
  case alert
  /// Something to know before trusting.
  case warning
  /// Titles of columns and sections.
  case heading
}
