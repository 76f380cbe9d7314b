/// A grid of cells to draw on with characters and with dots, of which a cell has two columns and four rows.
///
/// Anything outside is clipped.
package struct Canvas: Hashable, Sendable {
  private struct Cell: Hashable, Sendable {
    var character: Character?
    var dots: UInt8 = 0
    var style = Style.neutral
    /// Whether it is the second half of a wide character.
    var isCovered = false

    var isBlank: Bool { character == nil && dots == 0 && !isCovered }

    var text: String {
      if isCovered { return "" }
      if let character { return String(character) }
      // The dots of braille are the bits of its code: https://www.unicode.org/charts/PDF/U2800.pdf
      return dots == 0 ? " " : Unicode.Scalar(0x2800 + UInt32(dots)).map { String($0) } ?? " "
    }
  }

  package let columns: Int
  package let rows: Int
  private var cells: [Cell]

  package init(columns: Int, rows: Int) {
    self.columns = max(0, columns)
    self.rows = max(0, rows)
    cells = Array(repeating: Cell(), count: self.columns * self.rows)
  }

  private func index(_ column: Int, _ row: Int) -> Int? {
    column >= 0 && column < columns && row >= 0 && row < rows ? row * columns + column : nil
  }

  /// Puts a single-cell character at a position.
  package mutating func put(_ character: Character, column: Int, row: Int, _ style: Style = .neutral) {
    guard let index = index(column, row) else { return }
    cells[index] = Cell(character: character, style: style)
  }

  /// Writes text from a column on. What does not fit is cut off, without splitting wide characters.
  package mutating func write(_ text: String, column: Int, row: Int, _ style: Style = .neutral) {
    var column = column
    for character in TerminalText.sanitized(text) {
      let width = TerminalText.width(of: character)
      guard column + width <= columns else { return }
      if width > 0 {
        put(character, column: column, row: row, style)
        if width == 2, let next = index(column + 1, row) { cells[next] = Cell(isCovered: true) }
      }
      column += width
    }
  }

  /// The braille bits, row by row.
  private static let bits: [UInt8] = [0x01, 0x08, 0x02, 0x10, 0x04, 0x20, 0x40, 0x80]

  /// Sets a dot in a cell without a character: `x` counts half cells from the left, `y` quarters from the top.
  package mutating func dot(x: Int, y: Int, _ style: Style = .neutral) {
    guard x >= 0, y >= 0, let index = index(x / 2, y / 4), cells[index].character == nil, !cells[index].isCovered else {
      return
    }
    cells[index].dots |= Self.bits[2 * (y % 4) + x % 2]
    cells[index].style = style
  }

  /// Draws a line of dots by Bresenham's algorithm, only in cells whose column counts.
  package mutating func line(
    from start: (x: Int, y: Int), to end: (x: Int, y: Int), _ style: Style = .neutral,
    inColumns counts: (Int) -> Bool = { _ in true }
  ) {
    let (width, height) = (abs(end.x - start.x), -abs(end.y - start.y))
    var (x, y) = start
    var error = width + height
    while true {
      if counts(x / 2) { dot(x: x, y: y, style) }
      if x == end.x, y == end.y { return }
      let doubled = 2 * error
      if doubled >= height {
        error += height
        x += end.x > start.x ? 1 : -1
      }
      if doubled <= width {
        error += width
        y += end.y > start.y ? 1 : -1
      }
    }
  }

  /// The rows, without trailing blanks.
  package var lines: [StyledText] {
    (0..<rows).map { row in
      var cells = self.cells[row * columns..<(row + 1) * columns]
      while cells.last?.isBlank == true { cells.removeLast() }
      var line = StyledText("")
      var text = ""
      var style = Style.neutral
      for cell in cells {
        if !cell.isBlank, cell.style != style, !cell.isCovered {
          line += StyledText(text, style)
          text = ""
          style = cell.style
        }
        text += cell.text
      }
      return line + StyledText(text, style)
    }
  }
}
