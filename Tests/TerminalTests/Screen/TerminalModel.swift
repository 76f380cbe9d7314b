@testable import Terminal

/// A terminal with just the features that frames need: CUP, CUF, CUB, CHA, EL, SGR, carriage return, line feed, private
/// modes, links, characters of one and two cells, and wrapping after the last column.
///
/// If half of a wide character is overwritten, its other half becomes blank, as in xterm.
struct TerminalModel {
  struct Cell: Equatable {
    var text = " "
    /// The pen's parameters, as an ordered set.
    var pen = Pen()
    /// Whether this is the second half of a wide character.
    var isCovered = false

    static let blank = Cell()
  }

  struct Pen: Hashable {
    var isBold = false
    var isUnderlined = false
    var color = "39"
    /// The target of the open link (OSC 8).
    var link: String?
  }

  private(set) var columns: Int
  private(set) var rows: Int
  private(set) var cells: [Cell]
  private(set) var row = 0
  private(set) var column = 0
  private(set) var pen = Pen()
  private(set) var isCursorShown = false
  private(set) var modes: Set<Int> = []
  /// Unknown input, and input that should never have been sent.
  private(set) var complaints: [String] = []
  private var isBehindLastColumn = false
  /// Whether ambiguous characters have the greatest width that any terminal gives them; otherwise they have ours.
  let isWide: Bool

  init(columns: Int, rows: Int, isWide: Bool = false) {
    (self.columns, self.rows) = (columns, rows)
    self.isWide = isWide
    cells = Array(repeating: .blank, count: columns * rows)
  }

  /// Changes the size, which keeps the upper left corner and may leave anything elsewhere: here `~`.
  mutating func resize(columns: Int, rows: Int) {
    var resized = TerminalModel(columns: columns, rows: rows, isWide: isWide)
    resized.cells = Array(repeating: Cell(text: "~"), count: columns * rows)
    resized.isCursorShown = isCursorShown
    self = resized
  }

  mutating func write(_ bytes: [UInt8]) {
    var rest = String(decoding: bytes, as: UTF8.self).unicodeScalars[...]
    while let first = rest.first {
      switch first {
      case "\r":
        rest.removeFirst()
        refuseLink()
        (column, isBehindLastColumn) = (0, false)
      case "\n":
        rest.removeFirst()
        refuseLink()
        isBehindLastColumn = false
        if row + 1 < rows { row += 1 } else { complaints.append("scrolls") }
      case "\u{1B}":
        rest.removeFirst()
        control(&rest)
      default:
        let text = rest.prefix { $0.value >= 0x20 }
        if text.isEmpty {
          complaints.append("control \(first.value)")
          rest.removeFirst()
        }
        rest = rest.dropFirst(text.count)
        for character in String(String.UnicodeScalarView(text)) { put(character) }
      }
    }
  }

  private mutating func put(_ character: Character) {
    let width = isWide ? GlyphSet(.full).maximumCells(of: character) : TerminalText.width(of: character)
    guard width > 0 else { return complaints.append("a character without width") }
    if isBehindLastColumn || column + width > columns {
      complaints.append("wraps")
      isBehindLastColumn = false
    }
    for place in column..<min(column + width, columns) { clear(place) }
    cells[row * columns + column] = Cell(text: String(character), pen: pen)
    for place in column + 1..<max(column + width, column + 1) where place < columns {
      cells[row * columns + place] = Cell(text: "", pen: pen, isCovered: true)
    }
    column += width
    if column >= columns { (column, isBehindLastColumn) = (columns - 1, true) }
  }

  /// Blanks a cell, including all of a wide character that it is part of.
  private mutating func clear(_ place: Int) {
    let line = row * columns
    var start = place
    while start > 0, cells[line + start].isCovered { start -= 1 }
    cells[line + start] = .blank
    var end = start + 1
    while end < columns, cells[line + end].isCovered {
      cells[line + end] = .blank
      end += 1
    }
  }

  /// Reports anything other than writing inside a link.
  private mutating func refuseLink() {
    if pen.link != nil { complaints.append("moves inside of a link") }
  }

  /// Parses `OSC 8 ; ; address ST`, without an address at the end of a link.
  private mutating func openLink(_ rest: inout String.UnicodeScalarView.SubSequence) {
    let text = String(String.UnicodeScalarView(rest.prefix { $0 != "\u{1B}" }))
    rest = rest.dropFirst(text.unicodeScalars.count)
    guard text.hasPrefix("]8;;"), rest.starts(with: ["\u{1B}", "\\"]) else { return complaints.append("OSC \(text)") }
    rest = rest.dropFirst(2)
    let address = String(text.dropFirst(4))
    if address.isEmpty, pen.link == nil { complaints.append("ends no link") }
    pen.link = address.isEmpty ? nil : address
  }

  private mutating func control(_ rest: inout String.UnicodeScalarView.SubSequence) {
    if rest.first == "]" { return openLink(&rest) }
    guard rest.first == "[" else { return complaints.append("escape \(rest.first.map(String.init) ?? "")") }
    rest.removeFirst()
    let body = String(String.UnicodeScalarView(rest.prefix { (0x20...0x3F).contains($0.value) }))
    rest = rest.dropFirst(body.unicodeScalars.count)
    guard let final = rest.popFirst() else { return complaints.append("unfinished sequence") }
    let numbers = body.drop { $0 == "?" }.split(separator: ";", omittingEmptySubsequences: false).map { Int($0) }
    func number(_ index: Int) -> Int { max(1, (index < numbers.count ? numbers[index] : nil) ?? 1) }
    if !["h", "l", "m"].contains(final) {
      isBehindLastColumn = false
      refuseLink()
    }
    switch (body.hasPrefix("?"), final) {
    case (true, "h"), (true, "l"):
      let mode = numbers.first.flatMap { $0 } ?? 0
      if mode == 25 { isCursorShown = final == "h" }
      if final == "h" { modes.insert(mode) } else { modes.remove(mode) }
    case (false, "H"): (row, column) = (min(number(0), rows) - 1, min(number(1), columns) - 1)
    case (false, "G"): column = min(number(0), columns) - 1
    case (false, "C"): column = min(column + number(0), columns - 1)
    case (false, "D"): column = max(column - number(0), 0)
    case (false, "K"):
      for place in column..<columns { clear(place) }
      for place in column..<columns { cells[row * columns + place] = .blank }
    case (false, "m"): render(numbers.map { $0 ?? 0 })
    default: complaints.append("CSI \(body) \(final)")
    }
  }

  private mutating func render(_ parameters: [Int]) {
    var rest = parameters[...]
    while let parameter = rest.popFirst() {
      switch parameter {
      case 0: pen = Pen(link: pen.link)
      case 1: pen.isBold = true
      case 22: pen.isBold = false
      case 4: pen.isUnderlined = true
      case 24: pen.isUnderlined = false
      case 30...37, 39: pen.color = "\(parameter)"
      case 38 where rest.first == 5 && rest.count > 1:
        rest.removeFirst()
        pen.color = "38;5;\(rest.removeFirst())"
      default: complaints.append("SGR \(parameter)")
      }
    }
  }
}

extension TerminalModel {
  /// Returns the cells after painting a frame completely.
  static func cells(of frame: Frame, in colors: ScreenColors, hasLinks: Bool = false) -> [Cell] {
    frame.cells.map { cell in
      guard cell != .blank else { return .blank }
      var pen = Pen(colors.ink(of: cell.style, isStrong: cell.isStrong))
      if hasLinks, cell.link > 0 { pen.link = frame.links[Int(cell.link) - 1].address }
      return Cell(text: cell.text, pen: pen, isCovered: cell.width == 0)
    }
  }

  /// The cells, with blanks stripped of their pen, which is invisible.
  var shown: [Cell] {
    cells.map { $0.text == " " && !$0.pen.isUnderlined && $0.pen.link == nil ? .blank : $0 }
  }
}

extension TerminalModel.Pen {
  init(_ ink: Ink) {
    isBold = ink.isBold
    isUnderlined = ink.isUnderlined
    color =
      switch ink.color {
      case .own: "39"
      case .basic(let code): "\(code)"
      case .indexed(let number): "38;5;\(number)"
      }
  }
}
