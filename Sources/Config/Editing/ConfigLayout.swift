/// How the lines of a text are laid out around a value that is written into it.
package struct ConfigLayout: Hashable, Sendable {
  /// What the line begins with.
  package var blanks = ""
  /// By how much the lines of a member move in: blanks or a tab.
  package var step = "  "
  /// How the text ends its lines.
  package var newline = "\n"

  package init(blanks: String = "", step: String = "  ", newline: String = "\n") {
    self.blanks = blanks
    self.step = step
    self.newline = newline
  }

  /// The layout of the lines within.
  var inner: ConfigLayout { ConfigLayout(blanks: blanks + step, step: step, newline: newline) }

  /// The end of the line before and the beginning of one.
  var lineStart: String { newline + blanks }
}
