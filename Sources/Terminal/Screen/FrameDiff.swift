/// Turns one picture on a terminal into the next.
///
/// Only cells that differ are written, without ever clearing the screen: what stays never flickers. Everything is said
/// in what each terminal since xterm knows (ECMA-48): CUP, CUF, EL, SGR, carriage return and line feed; and links (OSC 8),
/// which all of those that are told of them know or pass over.
package struct FrameDiff: Sendable {
  package var colors: ScreenColors
  /// Whether the terminal is told of links.
  package var hasLinks: Bool

  package init(colors: ScreenColors, hasLinks: Bool = false) {
    self.colors = colors
    self.hasLinks = hasLinks
  }

  /// The bytes that make the new frame of what is on the screen; empty where nothing differs.
  ///
  /// - Parameter old: what the screen shows; nil where that is unknown: at the start, after a change of its size, after
  ///   something else has written on it. Then every cell is written.
  package func bytes(from old: Frame?, to new: Frame) -> [UInt8] {
    let known = old?.size == new.size ? old : nil
    let links = hasLinks ? new.links : []
    var writer = FrameWriter(colors: colors, links: links, linksAreKept: known.map { $0.links == new.links } ?? false)
    for row in 0..<new.size.rows { writer.write(row: row, of: new, over: known) }
    return writer.finished(cursor: new.cursor, before: old?.cursor, isKnown: old != nil)
  }

  // "Synchronized output": the terminal shows what lies between at once. Sent unasked, ignored where unknown:
  // https://gist.github.com/christianparpart/d8a62cc1ab659194337d73e399004036
  static let beginning = "\u{1B}[?2026h"
  static let end = "\u{1B}[?2026l"
}

/// One frame on its way: the bytes so far, and where the pen of the terminal stands after them.
private struct FrameWriter {
  let colors: ScreenColors
  /// Empty where the terminal is not told of them.
  let links: [Hyperlink]
  /// Whether their numbers mean the same in the old frame.
  let linksAreKept: Bool
  var bytes: [UInt8] = []
  var ink = Ink.plain
  /// The link that is open; 0: none.
  var link: UInt8 = 0
  /// nil: unknown.
  var row: Int?
  /// nil: unknown, as it is behind a character whose width terminals disagree about, and in the last column, where the
  /// next character may go to the next line.
  var column: Int?

  init(colors: ScreenColors, links: [Hyperlink], linksAreKept: Bool) {
    self.colors = colors
    self.links = links
    self.linksAreKept = linksAreKept
  }

  /// Whether what a cell showed is what it is to show.
  private func isKept(_ old: Frame.Cell, _ new: Frame.Cell) -> Bool {
    old == new && (new.link == 0 || linksAreKept)
  }

  mutating func write(row: Int, of new: Frame, over old: Frame?) {
    let newCells = new.row(row)
    let oldCells = old?.row(row)
    let first = newCells.startIndex
    let text = newCells.lastIndex { $0 != .blank }.map { $0 + 1 } ?? first
    /// Where the rest of the row is erased; its end for nowhere.
    var erased = newCells.endIndex
    /// From where on all is written, because a character may have left its traces in other cells than its own.
    var rewritten = erased
    if let oldCells {
      let changes = (text..<newCells.endIndex).lazy.filter { oldCells[$0] != .blank }
      // Erasing takes three bytes, and as many blanks are no longer.
      if let change = changes.first, changes.prefix(4).count > 3 { erased = change }
      let uncertain = newCells.indices.first {
        !(newCells[$0].hasCertainWidth && oldCells[$0].hasCertainWidth) && !isKept(oldCells[$0], newCells[$0])
      }
      if let uncertain { (rewritten, erased) = (uncertain, max(text, uncertain)) }
    } else {
      erased = text
    }
    for index in first..<erased where newCells[index].width > 0 {
      if let oldCells, index < rewritten, isKept(oldCells[index], newCells[index]) { continue }
      move(toRow: row, column: index - first, in: newCells)
      put(newCells[index], columns: new.size.columns)
    }
    if erased < newCells.endIndex {
      move(toRow: row, column: erased - first, in: newCells)
      open(0)
      use(.plain)
      append("\u{1B}[K")
    }
  }

  /// Puts the terminal's own cursor where it belongs and closes the frame.
  consuming func finished(cursor: ScreenPlace?, before: ScreenPlace?, isKnown: Bool) -> [UInt8] {
    open(0)
    use(.plain)
    if let cursor {
      if !bytes.isEmpty || cursor != before { append(Self.position(row: cursor.row, column: cursor.column)) }
      if before == nil { append("\u{1B}[?25h") }
    } else if before != nil || !isKnown {
      bytes = Array("\u{1B}[?25l".utf8) + bytes
    }
    guard !bytes.isEmpty else { return [] }
    return Array(FrameDiff.beginning.utf8) + bytes + Array(FrameDiff.end.utf8)
  }

  private mutating func append(_ text: String) {
    bytes += text.utf8
  }

  private mutating func use(_ next: Ink) {
    append(next.sequence(after: ink))
    ink = next
  }

  /// Ends the link that is open and begins another; 0: none.
  private mutating func open(_ next: UInt8) {
    let next = Int(next) <= links.count ? next : 0
    guard next != link else { return }
    append(Hyperlink.sequence(next == 0 ? nil : links[Int(next) - 1]))
    link = next
  }

  private mutating func write(_ cell: Frame.Cell) {
    // A blank looks alike in every ink but an underline.
    if cell != .blank || ink.isUnderlined { use(colors.ink(of: cell.style, isStrong: cell.isStrong)) }
    open(cell.link)
    append(cell.text)
  }

  private mutating func put(_ cell: Frame.Cell, columns: Int) {
    write(cell)
    let next = (column ?? 0) + Int(cell.width)
    column = cell.hasCertainWidth && column != nil && next < columns ? next : nil
  }

  // MARK: - Moving

  private mutating func move(toRow target: Int, column targetColumn: Int, in cells: ArraySlice<Frame.Cell>) {
    defer { (row, column) = (target, targetColumn) }
    if row == target, column == targetColumn { return }
    // A link that is open while the cursor moves takes in cells on the way on some terminals.
    open(0)
    var way = Self.position(row: target, column: targetColumn)
    if row == target, let column, column < targetColumn {
      let distance = targetColumn - column
      let forward = distance == 1 ? "\u{1B}[C" : "\u{1B}[\(distance)C"
      if forward.utf8.count < way.utf8.count { way = forward }
      // To write what stands there again is often shorter: a blank is one byte.
      if distance <= 6,
        rewrite(cells[cells.startIndex + column..<cells.startIndex + targetColumn], within: way.utf8.count)
      {
        return
      }
    } else if targetColumn == 0, let row, target == row || target == row + 1 {
      way = target == row ? "\r" : "\r\n"
    }
    append(way)
  }

  /// Writes cells again that have not changed, where that takes no more bytes than the limit; they have one width for
  /// all terminals then.
  private mutating func rewrite(_ cells: ArraySlice<Frame.Cell>, within limit: Int) -> Bool {
    let (length, before) = (bytes.count, (ink, link))
    for cell in cells {
      if cell.width > 0 { write(cell) }
      guard cell.hasCertainWidth, bytes.count - length <= limit else {
        bytes.removeLast(bytes.count - length)
        (ink, link) = before
        return false
      }
    }
    return true
  }

  /// CUP, whose parameters count from 1 and may be left out there.
  private static func position(row: Int, column: Int) -> String {
    switch (row, column) {
    case (0, 0): "\u{1B}[H"
    case (_, 0): "\u{1B}[\(row + 1)H"
    case (0, _): "\u{1B}[;\(column + 1)H"
    default: "\u{1B}[\(row + 1);\(column + 1)H"
    }
  }
}
