/// The size of a screen in cells.
package struct ScreenSize: Hashable, Sendable {
  package let columns: Int
  package let rows: Int

  /// Creates a size, clamping what a system or terminal reports to 1...1000.
  package init(columns: Int, rows: Int) {
    self.columns = min(max(columns, 1), 1000)
    self.rows = min(max(rows, 1), 1000)
  }

  /// The smallest size that live screens are drawn for.
  package static let smallest = ScreenSize(columns: 40, rows: 8)
}

/// A position on a screen, counted from 0.
package struct ScreenPlace: Hashable, Sendable {
  package var column: Int
  package var row: Int

  package init(column: Int, row: Int) {
    self.column = column
    self.row = row
  }
}

/// The contents of a screen at one moment, cell by cell.
///
/// Lines that are too many or too long are cut at the edge. A wide character is never split, nor is one that only some
/// terminals draw wide.
package struct Frame: Equatable, Sendable {
  package struct Cell: Equatable, Sendable {
    /// One grapheme cluster; empty for cells covered by a wide one.
    package let text: String
    package let style: Style
    package let isStrong: Bool
    /// 1, or 2 for a wide character; 0 for a cell covered by the one before it. A conjunct of an Indic script may take
    /// more.
    package let width: Int8
    /// The number of the frame's link that it belongs to, from 1; 0 means none.
    package var link: UInt8 = 0
    /// False if terminals disagree about the width, so that the cursor's column after it is unknown.
    let hasCertainWidth: Bool

    package static let blank = Cell(text: " ", style: .neutral, isStrong: false, width: 1, hasCertainWidth: true)
  }

  package let size: ScreenSize
  /// Row by row.
  package private(set) var cells: [Cell]
  package private(set) var links: [Hyperlink] = []
  /// The position of the terminal's visible cursor; nil if it is hidden.
  package let cursor: ScreenPlace?

  /// - Parameters:
  ///   - cursor: Clamped to the screen.
  ///   - glyphs: The characters that the terminal can show.
  package init(size: ScreenSize, lines: [StyledText], cursor: ScreenPlace? = nil, glyphs: GlyphSet = GlyphSet(.full)) {
    self.size = size
    self.cursor = cursor.map {
      ScreenPlace(column: min(max($0.column, 0), size.columns - 1), row: min(max($0.row, 0), size.rows - 1))
    }
    cells = Array(repeating: .blank, count: size.columns * size.rows)
    for (row, line) in lines.prefix(size.rows).enumerated() { draw(line, row: row, glyphs: glyphs) }
  }

  package func row(_ row: Int) -> ArraySlice<Cell> { cells[row * size.columns..<(row + 1) * size.columns] }

  /// The rows as text, without trailing blanks.
  package var lines: [String] {
    (0..<size.rows).map { row in
      var text = self.row(row).map(\.text).joined()
      while text.last == " " { text.removeLast() }
      return text
    }
  }

  private mutating func draw(_ line: StyledText, row: Int, glyphs: GlyphSet) {
    var column = 0
    for run in line.runs {
      let link = number(of: run.link)
      if TerminalText.isPlain(run.text) {
        for byte in run.text.utf8 {
          guard column < size.columns else { return }
          if byte != UInt8(ascii: " ") {
            cells[row * size.columns + column] = Cell(
              text: String(Unicode.Scalar(byte)), style: run.style, isStrong: run.isStrong, width: 1, link: link,
              hasCertainWidth: true)
          }
          column += 1
        }
      } else {
        for character in run.text {
          guard draw(character, of: run, link, at: &column, row: row, glyphs: glyphs) else { return }
        }
      }
    }
  }

  /// Returns the number of a link. A frame has few of them; any beyond the limit become plain text.
  private mutating func number(of link: Hyperlink?) -> UInt8 {
    guard let link else { return 0 }
    if let place = links.firstIndex(of: link) { return UInt8(place + 1) }
    guard links.count < UInt8.max else { return 0 }
    links.append(link)
    return UInt8(links.count)
  }

  /// Draws a character. Returns false once the edge is reached.
  private mutating func draw(
    _ character: Character, of run: StyledText.Run, _ link: UInt8, at column: inout Int, row: Int, glyphs: GlyphSet
  ) -> Bool {
    let room = TerminalText.width(of: character)
    let glyph = glyphs.glyph(for: character, in: run.style)
    // A terminal might draw a character of uncertain width beyond the edge, which would move what precedes it.
    guard column + max(room, glyphs.maximumCells(of: glyph)) <= size.columns else { return false }
    // The replacement of a wide character may be narrow; the column after it stays the same.
    let width = min(TerminalText.width(of: glyph), room)
    let place = row * size.columns + column
    column += room
    // A blank has no style, so that all blanks are equal.
    guard width > 0, glyph != " " else { return true }
    cells[place] = Cell(
      text: String(glyph), style: run.style, isStrong: run.isStrong, width: Int8(clamping: width), link: link,
      hasCertainWidth: glyphs.hasCertainWidth(glyph))
    for covered in 1..<max(width, 1) {
      cells[place + covered] = Cell(
        text: "", style: run.style, isStrong: run.isStrong, width: 0, link: link, hasCertainWidth: true)
    }
    return true
  }
}
