import Quotes

/// A table of styled text that is measured, laid out for a width, and rendered.
///
///     var table = Table(columns: [.init("exchange"), .init("price", .right)])
///     table.addRow(["Upbit", StyledText("134512000", .up)])
///     table.rendered(width: 80, palette: .plain) == """
///       exchange      price
///       Upbit     134512000
///
///       """
package struct Table: Hashable, Sendable {
  package let columns: [TableColumn]
  package private(set) var rows: [[StyledText]] = []

  package init(columns: [TableColumn]) { self.columns = columns }

  /// The widest number or exchange's word, so that none can push the others off the screen. The widest number ever
  /// recorded has 41 digits.
  package static let maximumCellWidth = 64

  /// Adds a row. Missing cells are empty and extra ones are dropped; a number wider than `maximumCellWidth` ends in an
  /// ellipsis.
  package mutating func addRow(_ cells: [StyledText]) {
    let missing = max(0, columns.count - cells.count)
    rows.append(
      zip(cells, columns).map { $1.alignment == .left ? $0 : $0.shortened(to: Self.maximumCellWidth) }
        + Array(repeating: StyledText(""), count: missing))
  }

  /// The table with the decimal points of its numbers aligned; a column that would become too wide keeps its numbers
  /// right-aligned.
  private var withAlignedPoints: Table {
    var table = self
    for index in columns.indices where columns[index].alignment == .decimal {
      let parts = rows.map { $0[index].decimalParts }
      let whole = parts.reduce(0) { max($0, $1?.whole ?? 0) }
      let fraction = parts.reduce(0) { max($0, $1?.fraction ?? 0) }
      guard fraction > 0, whole + fraction <= Self.maximumAlignedWidth else { continue }
      for row in rows.indices {
        guard let own = parts[row], own.fraction < fraction else { continue }
        table.rows[row][index] += StyledText(blanks: fraction - own.fraction)
      }
    }
    return table
  }

  /// The maximum width of a column with aligned points: prices of one coin fit, those of all coins do not.
  private static let maximumAlignedWidth = 18

  /// Returns the width in cells that each column needs to show everything.
  package func naturalWidths() -> [Int] {
    columns.indices.map { index in
      rows.reduce(TerminalText.width(of: TerminalText.sanitized(columns[index].title))) {
        max($0, $1[index].width)
      }
    }
  }

  /// Returns the table as lines, each ending with a newline: titles, rows, and a note if columns are hidden. A row that
  /// has no room on one line goes on in the next: the terminal would break it within a number.
  ///
  /// - Parameters:
  ///   - width: The line width in cells; nil is unlimited, as for a pipe or a file.
  ///   - note: Returns the note about the columns that do not fit, from their number and names.
  package func rendered(
    width: Int?, palette: Palette, note: (_ count: Int, _ names: String) -> String = Self.hiddenNote
  ) -> String {
    let (lines, hidden) = laidOut(width, wraps: true)
    return (lines + remarks(note, about: hidden, width)).map { $0.painted(with: palette) + "\n" }.joined()
  }

  /// Returns the table as unpainted lines, one per row, for tables side by side and for screens.
  ///
  /// - Parameter namesHidden: Whether a final line names the columns that do not fit.
  package func lines(width: Int?, namesHidden: Bool = true) -> [StyledText] {
    let (lines, hidden) = laidOut(width, wraps: false)
    return namesHidden ? lines + remarks(Self.hiddenNote, about: hidden, width) : lines
  }

  /// Returns the titles and the rows as lines without trailing blanks, and the columns that do not fit.
  ///
  /// - Parameter wraps: Whether a row may take several lines.
  private func laidOut(_ width: Int?, wraps: Bool) -> (lines: [StyledText], hidden: [Int]) {
    let table = withAlignedPoints
    let empty = Set(columns.indices.filter { index in table.rows.allSatisfy { $0[index].width == 0 } })
    let layout = TableLayout(columns: columns, natural: table.naturalWidths(), empty: empty, room: width)
    let titles = columns.map { StyledText($0.title, .heading) }
    let parts = wraps ? layout.lines(within: width) : [layout.shown[...]]
    let lines = ([titles] + table.rows).flatMap { row in
      parts.enumerated().compactMap { place, placements in
        let line = line(of: row, placements, indent: place == 0 ? 0 : TableLayout.gap)
        return place == 0 || line.width > 0 ? line : nil
      }
    }
    return (lines, layout.hidden)
  }

  private func line(
    of row: [StyledText], _ placements: ArraySlice<TableLayout.Placement>, indent: Int
  ) -> StyledText {
    var line = StyledText("")
    var end = indent
    for placement in placements {
      let cell = row[placement.index].shortened(to: placement.width)
      let blanks = columns[placement.index].alignment == .left ? 0 : placement.width - cell.width
      if cell.width > 0 {
        line.pad(to: end + blanks)
        line += cell
      }
      end += placement.width + TableLayout.gap
    }
    return line
  }

  /// `2 columns hidden: ask, bid; widen the terminal or use --format csv`
  package static func hiddenNote(_ count: Int, _ names: String) -> String {
    "\(count.counted("column")) hidden: \(names); widen the terminal or use --format csv"
  }

  /// Returns the note, wrapped between words.
  private func remarks(_ note: (Int, String) -> String, about hidden: [Int], _ width: Int?) -> [StyledText] {
    guard !hidden.isEmpty else { return [] }
    let titles = columns.map { column in
      TerminalText.sanitized(column.title).split(separator: " ", omittingEmptySubsequences: true)
        .joined(separator: " ")
    }
    let names = hidden.compactMap { place -> String? in
      // A column without a title belongs to the one before it, and so does one with a title that several have.
      let title = titles[place]
      guard title.isEmpty || titles.count(where: { $0 == title }) > 1 && place > 0 else { return title }
      if hidden.contains(place - 1) { return nil }
      return title.isEmpty ? columns[place].hiddenName : "\(titles[place - 1]) \(title)"
    }
    guard !names.isEmpty else { return [] }
    let text = note(names.count, names.joined(separator: ", "))
    return TerminalText.wrapped(text, cells: width).map { StyledText($0, .dim) }
  }
}

/// A column of a table, and how it may adapt to a narrow terminal.
package struct TableColumn: Hashable, Sendable {
  package enum Alignment: Sendable {
    case left
    /// For numbers. Such a column is never shortened to fit a terminal: half a number is a wrong number.
    case right
    /// For numbers of one kind: like `right`, but with their decimal points aligned.
    case decimal
  }

  package var title: String
  /// What a column without a title is called in the note that it is hidden; nil if it needs no mention.
  package var hiddenName: String?
  package var alignment: Alignment
  /// The minimum width in cells to which the column is shortened.
  package var minimumWidth: Int
  /// The width in cells to which it is shortened once no column is left to drop; nil for no less than the minimum.
  package var lastWidth: Int?
  /// The order in which the column's text may be shortened, lowest first; nil means never.
  package var shortening: Int?
  /// The order in which the column may be dropped, lowest first and equal ones together (bid and ask); nil means never.
  package var dropping: Int?
  /// The width in cells that the column takes if there is room, even if its text is shorter: otherwise the columns
  /// behind one that changes all the time would move with it.
  package var reserved: Int
  /// Whether the column tells rows apart: it is shortened only once it is the next to be dropped or, if it stays, once no
  /// column is left to drop.
  package var isKey: Bool

  package init(
    _ title: String, hiddenName: String? = nil, _ alignment: Alignment = .left, minimumWidth: Int = 4,
    lastWidth: Int? = nil,
    shortening: Int? = nil, dropping: Int? = nil, reserved: Int = 0, isKey: Bool = false
  ) {
    self.title = title
    self.hiddenName = hiddenName
    self.alignment = alignment
    self.minimumWidth = minimumWidth
    self.lastWidth = lastWidth
    self.reserved = reserved
    self.shortening = shortening
    self.dropping = dropping
    self.isKey = isKey
  }
}
