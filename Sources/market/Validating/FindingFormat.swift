/// The forms in which findings are written.
enum FindingFormat: String, CaseIterable {
  /// For people: the line with a caret.
  case human
  /// For programs.
  case json
  /// The Static Analysis Results Interchange Format, 2.1.0, which code hosts show beside the code.
  case sarif
  /// Commands of a GitHub workflow, which marks the lines of a change.
  case github
}
