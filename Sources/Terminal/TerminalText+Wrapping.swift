/// Breaking text into lines.
extension TerminalText {
  /// Lines of at most `cells` each, broken at blanks; a word that is wider has a line of its own.
  ///
  /// - Parameters:
  ///   - cells: nil = one line.
  package static func wrapped(_ text: String, cells: Int?) -> [String] {
    guard let cells else { return [text] }
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
      if !line.isEmpty, width(of: line) + 1 + width(of: String(word)) > cells {
        lines.append(line)
        line = ""
      }
      line += (line.isEmpty ? "" : " ") + word
    }
    return lines + [line]
  }
}
