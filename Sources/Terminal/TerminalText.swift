/// Text as a terminal shows it: how wide it is, and what of it is safe to send.
package enum TerminalText {
  /// True for text of printable ASCII only, by far the most: one cell a byte, nothing to clean.
  static func isPlain(_ text: String) -> Bool {
    text.utf8.allSatisfy { $0 &- 0x20 < 0x5F }
  }
}

/// Cutting text, and breaking it into lines.
extension TerminalText {
  /// The text if it fits into `cells`, else as much of its beginning as fits with an ellipsis behind it.
  ///
  ///     TerminalText.prefix(of: "하나은행", cells: 5) == "하나…"
  package static func prefix(of text: String, cells: Int) -> String {
    width(of: text) <= cells ? text : cut(text, cells: cells)
  }

  /// The text if it fits into `cells`, else an ellipsis and as much of its end as fits.
  package static func suffix(of text: String, cells: Int) -> String {
    if width(of: text) <= cells { return text }
    guard cells > 0 else { return "" }
    return "…" + String(fitting(text.reversed(), cells: cells - 1).reversed())
  }

  /// The beginning of the text with an ellipsis, in `cells` at most, even if the whole would fit.
  static func cut(_ text: String, cells: Int) -> String {
    guard cells > 0 else { return "" }
    return String(fitting(text, cells: cells - 1)) + "…"
  }

  private static func fitting(_ characters: some Sequence<Character>, cells: Int) -> [Character] {
    var kept: [Character] = []
    var used = 0
    for character in characters {
      used += width(of: character)
      if used > cells { break }
      kept.append(character)
    }
    return kept
  }

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
