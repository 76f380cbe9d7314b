package import MarketData
package import Quotes
package import Terminal

/// What is on a line, for mouse input.
package enum WatchTarget: Sendable, Hashable {
  case pair(Pair)
  case row(RowKey)
  case feed(FeedKey)
  /// Identified by its text.
  case alert(String)
  /// Identified by its index.
  case balance(Int)
  /// The titles of the pairs' columns.
  case titles(String)
}

/// A screen of text with exactly as many lines as the screen has rows, none wider than the screen.
package struct WatchFrame: Sendable {
  package let lines: [StyledText]
  /// The cursor position in an input line, counted from 0; nil if there is none.
  package let cursor: ScreenPlace?
  /// The targets on the lines of the body from its first line on, and the column where they end.
  private let targets: (first: Int, all: [WatchTarget?], end: Int)

  /// The pairs on the lines of the body.
  var pairs: [Pair] { targets.all.compactMap { if case .pair(let pair)? = $0 { pair } else { nil } } }

  package func target(at place: ScreenPlace) -> WatchTarget? {
    let index = place.row - targets.first
    return place.column < targets.end && targets.all.indices.contains(index) ? targets.all[index] : nil
  }

  /// - Parameters:
  ///   - body: gets the room between the others; excess lines are cut off at the end.
  ///   - end: the column where the targets end; nil for the edge.
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
    cursor = column.map { ScreenPlace(column: min($0, size.columns - 1), row: size.rows - 1) }
  }

  package var picture: LivePicture { LivePicture(lines: lines, cursor: cursor) }

  /// Returns the frame as text, each line terminated and without trailing spaces.
  package func text(with palette: Palette) -> String {
    lines.map { $0.painted(with: palette) + "\n" }.joined()
  }
}
