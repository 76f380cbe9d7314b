/// Which of the three streams are terminals, and how large the screen is.
struct TerminalState: Hashable, Sendable {
  var inputIsTerminal = false
  var outputIsTerminal = false
  var errorIsTerminal = false
  /// Cells a line; nil when the output is no terminal or does not say: then nothing is cut.
  var columns: Int?
  var rows: Int?
  /// Cells a line of the terminal that messages go to; nil when they go elsewhere.
  var errorColumns: Int?
}
