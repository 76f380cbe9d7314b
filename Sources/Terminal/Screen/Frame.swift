/// The cells of a screen.
package struct ScreenSize: Hashable, Sendable {
  package let columns: Int
  package let rows: Int

  /// What a system or a terminal says of itself is brought into 1...1000.
  package init(columns: Int, rows: Int) {
    self.columns = min(max(columns, 1), 1000)
    self.rows = min(max(rows, 1), 1000)
  }
}

/// A place on a screen, counted from 0.
package struct ScreenPlace: Hashable, Sendable {
  package var column: Int
  package var row: Int

  package init(column: Int, row: Int) {
    self.column = column
    self.row = row
  }
}

/// What a screen shows at one moment, cell by cell.
///
/// Lines that are too many or too long are cut at the edge; a wide character is drawn whole or not at all, and so is
/// one that only some terminals draw wide.
package struct Frame: Equatable, Sendable {
  package struct Cell: Equatable, Sendable {
    /// One grapheme cluster; empty for the cells that a wide one covers.
    package let text: String
    package let style: Style
    package let isStrong: Bool
    /// 1, or 2 for a wide character; 0 for a cell that the one before it covers. A conjunct of an Indic script may take
    /// more.
    package let width: Int8
    /// Which of the frame's links it belongs to, counted from 1; 0: none.
    package var link: UInt8 = 0
    /// False where terminals disagree about the width, so that the cursor is in an unknown column behind it.
    let hasCertainWidth: Bool

    package static let blank = Cell(text: " ", style: .neutral, isStrong: false, width: 1, hasCertainWidth: true)
  }

  package let size: ScreenSize
  /// Row by row.
  package private(set) var cells: [Cell]
  /// Where links of its cells lead.
  package private(set) var links: [Hyperlink] = []
  /// Where the cursor of the terminal stands and is seen; nil: it is hidden.
  package let cursor: ScreenPlace?

  /// - Parameters:
  ///   - cursor: brought onto the screen where it lies outside.
  ///   - glyphs: what the terminal can show.
  package init(
    size: ScreenSize, lines: [StyledText], cursor: ScreenPlace? = nil, glyphs: GlyphSet = GlyphSet(.full)
  ) {
    self.size = size
    self.cursor = cursor.map {
      ScreenPlace(column: min(max($0.column, 0), size.columns - 1), row: min(max($0.row, 0), size.rows - 1))
    }
    cells = Array(repeating: .blank, count: size.columns * size.rows)
    for (row, line) in lines.prefix(size.rows).enumerated() { draw(line, row: row, glyphs: glyphs) }
  }

  /// The cells of a row.
  package func row(_ row: Int) -> ArraySlice<Cell> {
    cells[row * size.columns..<(row + 1) * size.columns]
  }

  /// The rows as text, without blanks at their ends.
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

  /// A frame has few links; one too many is text without any.
  private mutating func number(of link: Hyperlink?) -> UInt8 {
    guard let link else { return 0 }
    if let place = links.firstIndex(of: link) { return UInt8(place + 1) }
    guard links.count < UInt8.max else { return 0 }
    links.append(link)
    return UInt8(links.count)
  }

  /// False once the edge is reached.
  private mutating func draw(
    _ character: Character, of run: StyledText.Run, _ link: UInt8, at column: inout Int, row: Int, glyphs: GlyphSet
  ) -> Bool {
    let room = TerminalText.width(of: character)
    let glyph = glyphs.glyph(for: character)
    // Some terminal would draw a doubtful one beyond the edge, which moves what stands before it.
    guard column + max(room, glyphs.mostCells(of: glyph)) <= size.columns else { return false }
    // What stands for a wide character may be narrow; the column behind it stays where it was.
    let width = min(TerminalText.width(of: glyph), room)
    let place = row * size.columns + column
    column += room
    // A blank has no style, so that two blanks are never told apart.
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
