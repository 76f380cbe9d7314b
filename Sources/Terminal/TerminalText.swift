/// Text as shown on a terminal: its width, and what is safe to send.
package enum TerminalText {
  /// Returns whether text is only printable ASCII, as most is: one cell per byte, nothing to sanitize.
  static func isPlain(_ text: String) -> Bool { text.utf8.allSatisfy { $0 &- 0x20 < 0x5F } }
}

/// Truncating and wrapping text.
extension TerminalText {
  /// Returns the text if it fits into `cells`, otherwise as much of its beginning as fits, followed by an ellipsis.
  ///
  ///     TerminalText.prefix(of: "하나은행", cells: 5) == "하나…"
  package static func prefix(of text: String, cells: Int) -> String {
    if width(of: text) <= cells { return text }
    return cells > 0 ? String(fitting(text, cells: cells - 1)) + "…" : ""
  }

  /// Returns the text if it fits into `cells`, otherwise an ellipsis and as much of its end as fits.
  package static func suffix(of text: String, cells: Int) -> String {
    if width(of: text) <= cells { return text }
    guard cells > 0 else { return "" }
    return "…" + String(fitting(text.reversed(), cells: cells - 1).reversed())
  }

  /// Returns the beginning of the text with an ellipsis, in at most `cells`, even if the whole text would fit. A number
  /// at the end is dropped altogether, as it may have lost digits: `than 2…` is not 20.
  ///
  ///     TerminalText.cutSparingNumbers("further than 20 %", cells: 15) == "further than…"
  static func cutSparingNumbers(_ text: String, cells: Int) -> String {
    guard cells > 0 else { return "" }
    var kept = fitting(text, cells: cells - 1)
    let number = kept.reversed().prefix { $0.isASCIIDigit || ".,:+-".contains($0) }
    if kept.count < text.count, number.contains(where: \.isASCIIDigit) {
      kept.removeLast(number.count)
      while kept.last == " " { kept.removeLast() }
    }
    return String(kept) + "…"
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

  /// Returns lines of at most `cells` each, wrapped at blanks; a wider word gets its own line.
  ///
  /// - Parameter cells: nil for a single line.
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

extension Character {
  fileprivate var isASCIIDigit: Bool { isASCII && isNumber }
}
