/// A generator of the bytes that turn one frame on a terminal into the next.
///
/// Only cells that differ are written, and the screen is never cleared, so unchanged parts do not flicker. Uses only
/// what every terminal since xterm understands (ECMA-48): CUP, CUF, EL, SGR, carriage return and line feed; and links
/// (OSC 8), which are only sent to terminals that know or ignore them.
package struct FrameDiff: Sendable {
  package var colors: ScreenColors
  package var hasLinks: Bool

  package init(colors: ScreenColors, hasLinks: Bool = false) {
    self.colors = colors
    self.hasLinks = hasLinks
  }

  /// Returns the bytes that turn the old frame on the screen into the new one; empty if they are equal.
  ///
  /// - Parameter old: The frame on the screen; nil if unknown: at the start, after a resize, after other output. Every
  ///   cell is then written.
  package func bytes(from old: Frame?, to new: Frame) -> [UInt8] {
    let known = old?.size == new.size ? old : nil
    let links = hasLinks ? new.links : []
    var writer = FrameWriter(colors: colors, links: links, linksAreKept: known.map { $0.links == new.links } ?? false)
    for row in 0..<new.size.rows { writer.write(row: row, of: new, over: known) }
    return writer.finished(cursor: new.cursor, before: old?.cursor, isKnown: old != nil)
  }

  // "Synchronized output": the terminal shows everything in between at once. Sent unconditionally, ignored if
  // unsupported: https://gist.github.com/christianparpart/d8a62cc1ab659194337d73e399004036
  static let beginning = "\u{1B}[?2026h"
  static let end = "\u{1B}[?2026l"
}

/// A frame being written: the bytes so far, and the terminal's resulting pen and cursor state.
private struct FrameWriter {
  let colors: ScreenColors
  /// Empty if links are not sent to the terminal.
  let links: [Hyperlink]
  /// Whether link numbers mean the same in the old frame.
  let linksAreKept: Bool
  var bytes: [UInt8] = []
  var ink = Ink.plain
  /// The open link; 0 if none.
  var link: UInt8 = 0
  /// nil if unknown.
  var row: Int?
  /// nil if unknown, as it is after a character whose width terminals disagree about, and in the last column, where the
  /// next character may wrap.
  var column: Int?

  private func isKept(_ old: Frame.Cell, _ new: Frame.Cell) -> Bool {
    old == new && (new.link == 0 || linksAreKept)
  }

  mutating func write(row: Int, of new: Frame, over old: Frame?) {
    let newCells = new.row(row)
    let oldCells = old?.row(row)
    let first = newCells.startIndex
    let text = newCells.lastIndex { $0 != .blank }.map { $0 + 1 } ?? first
    /// Where the rest of the row is erased; the end if nowhere.
    var erased = newCells.endIndex
    /// From where everything is rewritten, because a character may have left traces outside its own cells.
    var rewritten = erased
    if let oldCells {
      let changes = (text..<newCells.endIndex).lazy.filter { oldCells[$0] != .blank }
      // Erasing takes three bytes, so it is no better than up to three blanks.
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

  /// Places the terminal's cursor and closes the frame.
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

  private mutating func append(_ text: String) { bytes += text.utf8 }

  private mutating func use(_ next: Ink) {
    append(next.sequence(after: ink))
    ink = next
  }

  /// Ends the open link and starts another; 0 for none.
  private mutating func open(_ next: UInt8) {
    let next = Int(next) <= links.count ? next : 0
    guard next != link else { return }
    append(Hyperlink.sequence(next == 0 ? nil : links[Int(next) - 1]))
    link = next
  }

  private mutating func write(_ cell: Frame.Cell) {
    // A blank looks the same in every ink without underline.
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
    // On some terminals, an open link would extend to the cells that the cursor moves over.
    open(0)
    var way = Self.position(row: target, column: targetColumn)
    if row == target, let column, column < targetColumn {
      let distance = targetColumn - column
      let forward = distance == 1 ? "\u{1B}[C" : "\u{1B}[\(distance)C"
      if forward.utf8.count < way.utf8.count { way = forward }
      // Rewriting the cells in between is often shorter: a blank is one byte.
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

  /// Rewrites unchanged cells if that takes no more bytes than the limit and all terminals agree on their widths.
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

  /// Returns CUP, whose parameters count from 1 and may be omitted if they are 1.
  private static func position(row: Int, column: Int) -> String {
    switch (row, column) {
    case (0, 0): "\u{1B}[H"
    case (_, 0): "\u{1B}[\(row + 1)H"
    case (0, _): "\u{1B}[;\(column + 1)H"
    default: "\u{1B}[\(row + 1);\(column + 1)H"
    }
  }
}
