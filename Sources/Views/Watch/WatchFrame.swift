package import Terminal

/// A screen of text: exactly as many lines as the screen has rows, none wider than it.
package struct WatchFrame: Sendable, Hashable {
  package let lines: [StyledText]
  /// Where the cursor of an open line stands, counted from 0; nil while no line is open.
  package let cursor: (row: Int, column: Int)?

  package static func == (left: WatchFrame, right: WatchFrame) -> Bool {
    left.lines == right.lines && left.cursor?.row == right.cursor?.row && left.cursor?.column == right.cursor?.column
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(lines) }

  /// - Parameters:
  ///   - top: stays at the top.
  ///   - body: gets what room is left; too many lines are cut at the end.
  ///   - bottom: stays at the bottom.
  init(
    top: [StyledText], body: [StyledText], bottom: [StyledText], _ size: ScreenSize,
    cursor column: Int? = nil
  ) {
    let bottom = bottom.suffix(size.rows)
    let top = top.prefix(size.rows - bottom.count)
    let room = size.rows - top.count - bottom.count
    let shown = body.prefix(room)
    let blank = Array(repeating: StyledText(""), count: room - shown.count)
    lines = (Array(top) + Array(shown) + blank + Array(bottom)).map { $0.shortened(to: size.columns) }
    cursor = column.map { (max(0, size.rows - 1), min($0, max(0, size.columns - 1))) }
  }

  /// The frame as text, each line with its end and without blanks before it.
  package func text(with palette: Palette) -> String {
    lines.map { $0.painted(with: palette) + "\n" }.joined()
  }
}
