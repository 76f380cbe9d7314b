package import MarketData
package import Quotes
package import Terminal

/// What stands on a line, for who points at it.
package enum WatchTarget: Sendable, Hashable {
  case pair(Pair)
  case row(RowKey)
  case feed(FeedKey)
  /// By its text.
  case alert(String)
  /// By its place.
  case balance(Int)
  /// The titles of the pairs' columns.
  case titles(String)
}

/// A screen of text: exactly as many lines as the screen has rows, none wider than it.
package struct WatchFrame: Sendable, Hashable {
  package let lines: [StyledText]
  /// Where the cursor of an open line stands, counted from 0; nil while no line is open.
  package let cursor: (row: Int, column: Int)?
  /// What stands on the lines of the body, from its first line on; and left of which column.
  private let targets: (first: Int, all: [WatchTarget?], end: Int)

  /// What stands at a place; nil where nothing does that can be pointed at.
  package func target(at place: ScreenPlace) -> WatchTarget? {
    let index = place.row - targets.first
    return place.column < targets.end && targets.all.indices.contains(index) ? targets.all[index] : nil
  }

  package static func == (left: WatchFrame, right: WatchFrame) -> Bool {
    left.lines == right.lines && left.cursor?.row == right.cursor?.row && left.cursor?.column == right.cursor?.column
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(lines) }

  /// - Parameters:
  ///   - top: stays at the top.
  ///   - body: gets what room is left; too many lines are cut at the end.
  ///   - bottom: stays at the bottom.
  ///   - targets: what stands on the lines of the body.
  ///   - end: the column where that ends; nil: the edge.
  init(
    top: [StyledText], body: [StyledText], bottom: [StyledText], _ size: ScreenSize,
    cursor column: Int? = nil, targets: [WatchTarget?] = [], targetsEnd end: Int? = nil
  ) {
    let bottom = bottom.suffix(size.rows)
    let top = top.prefix(size.rows - bottom.count)
    let room = size.rows - top.count - bottom.count
    let shown = body.prefix(room)
    self.targets = (top.count, Array(targets.prefix(shown.count)), end ?? size.columns)
    let blank = Array(repeating: StyledText(""), count: room - shown.count)
    lines = (Array(top) + Array(shown) + blank + Array(bottom)).map { $0.shortened(to: size.columns) }
    cursor = column.map { (max(0, size.rows - 1), min($0, max(0, size.columns - 1))) }
  }

  /// The frame as text, each line with its end and without blanks before it.
  package func text(with palette: Palette) -> String {
    lines.map { $0.painted(with: palette) + "\n" }.joined()
  }
}
