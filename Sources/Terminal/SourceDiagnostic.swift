/// A problem at a position in a text, in the format of compilers.
///
///     exchanges.json:3:14: error[MKT021]: unknown key 'symbl'
///       3 |     "symbl": {
///         |     ^^^^^^^
///       help: did you mean 'symbol'?
package struct SourceDiagnostic: Hashable, Sendable {
  package enum Severity: String, Sendable {
    case error, warning
  }

  /// The name of the text: a path, `<query>`, `<stdin>`.
  package var source: String
  /// The position, and the line itself.
  package var excerpt: SourceExcerpt
  package var severity: Severity
  /// The identifier of the diagnostic, shown in brackets.
  package var code: String?
  /// In lower case without a final period.
  package var message: String
  /// Suggested fixes, one per line below the excerpt.
  package var help: [String]

  package init(
    source: String, excerpt: SourceExcerpt, severity: Severity = .error, code: String? = nil, message: String,
    help: [String] = []
  ) {
    self.source = source
    self.excerpt = excerpt
    self.severity = severity
    self.code = code
    self.message = message
    self.help = help
  }

  /// Returns the diagnostic as lines, each ending with a newline.
  ///
  /// - Parameter width: The maximum width of an excerpt line in cells.
  package func rendered(palette: Palette, width: Int = 100) -> String {
    var text = sentence(palette) + "\n" + excerpt.rendered(palette: palette, width: width)
    for line in help {
      text += "  \(palette.paint("help:", as: .heading)) \(TerminalText.sanitized(line))\n"
    }
    return text
  }

  /// The first of these lines: `exchanges.json:3:14: error[MKT021]: unknown key 'symbl'`.
  package var sentence: String { sentence(.plain) }

  private func sentence(_ palette: Palette) -> String {
    let place = TerminalText.sanitized("\(source):\(excerpt.line):\(excerpt.column):")
    let identifier = code.map { "[\($0)]" } ?? ""
    let label = palette.paint("\(severity.rawValue)\(identifier):", as: severity == .error ? .alert : .warning)
    return palette.paint(place, as: .heading) + " \(label) " + TerminalText.sanitized(message)
  }
}

/// One line of a text with a caret under a position in it.
package struct SourceExcerpt: Hashable, Sendable {
  /// The line number, from 1.
  package var line: Int
  /// The column of the position in Unicode scalars, from 1; one past the end of the line is valid.
  package var column: Int
  /// The number of scalars underlined; 1 for a position.
  package var length: Int
  /// The line without its line break; nil if it must not be shown.
  package var text: String?

  package init(line: Int, column: Int, length: Int = 1, text: String?) {
    self.line = line
    self.column = column
    self.length = length
    self.text = text
  }

  /// Returns the line and the caret below it, each ending with a newline.
  ///
  /// Control characters are made visible, and a tab becomes two spaces. A line wider than `width` is cut on both sides
  /// so that the caret stays visible. The caret is placed by cells, so that it also aligns with wide and combining
  /// characters.
  package func rendered(palette: Palette, width: Int = 100) -> String {
    guard let text else { return "" }
    // A config may be one line of a megabyte: anything far away will be cut off anyway.
    let far = 4 * max(width, 20)
    let first = max(0, column - 1 - far)
    let scalars = Array(text.unicodeScalars.dropFirst(first).prefix(2 * far + min(max(length, 1), far)))
    let start = min(max(column - 1 - first, 0), scalars.count)
    let end = min(start + max(length, 1), scalars.count)
    let before = Self.visible(scalars[..<start])
    let marked = Self.visible(scalars[start..<end])
    let after = Self.visible(scalars[end...])

    let number = String(line)
    let gutter = "  \(number) | "
    let emptyGutter = "  \(String(repeating: " ", count: number.count)) | "
    let (left, middle, right) = Self.clipped(before, marked, after, to: max(width - gutter.count, 20))
    let caret =
      String(repeating: " ", count: TerminalText.width(of: left))
      + palette.paint(String(repeating: "^", count: max(1, TerminalText.width(of: middle))), as: .alert)
    return palette.paint(gutter, as: .dim) + left + middle + right + "\n"
      + palette.paint(emptyGutter, as: .dim) + caret + "\n"
  }

  private static func visible(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
    TerminalText.sanitized(scalars.map { $0 == "\t" ? "  " : String($0) }.joined())
  }

  /// Cuts the three parts of a line to `room` cells, keeping at least a third of it before the position if there is
  /// that much.
  private static func clipped(
    _ before: String, _ marked: String, _ after: String, to room: Int
  ) -> (String, String, String) {
    let total = [before, marked, after].reduce(0) { $0 + TerminalText.width(of: $1) }
    if total <= room { return (before, marked, after) }
    let middle = TerminalText.prefix(of: marked, cells: room / 3)
    let rest = room - TerminalText.width(of: middle)
    let behind = min(TerminalText.width(of: after), rest * 2 / 3)
    let left = TerminalText.suffix(of: before, cells: rest - behind)
    let right = TerminalText.prefix(of: after, cells: rest - TerminalText.width(of: left))
    return (left, middle, right)
  }
}
