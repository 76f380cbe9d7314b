/// Which of the characters that pictures are made of a terminal shows, each in a single cell.
///
/// Screens are drawn with all of them; what a terminal lacks is replaced cell by cell on the way to it, so that nothing
/// moves.
package struct GlyphSet: Hashable, Sendable {
  package enum Drawing: String, CaseIterable, Sendable {
    /// All: blocks, boxes, braille.
    case full
    /// None whose width is ambiguous (UAX #11, East Asian Width A): some Korean and Japanese terminals give those two
    /// cells.
    case unambiguous
    /// None but ASCII, and braille drawn with it.
    case ascii
  }

  package let drawing: Drawing
  /// False: a character beyond ASCII is shown as `?`, and a blank where it would take two cells.
  package let hasUnicode: Bool

  package init(_ drawing: Drawing, hasUnicode: Bool = true) {
    self.drawing = drawing
    self.hasUnicode = hasUnicode
  }

  /// What stands for a character.
  func glyph(for character: Character) -> Character {
    guard let scalar = character.unicodeScalars.first, scalar.value >= 0x80 else { return character }
    let glyph: Character? =
      switch drawing {
      case .full: nil
      case .unambiguous: Self.unambiguous[scalar]
      case .ascii: Self.isBraille(scalar) ? Self.asciiDots(scalar) : Self.ascii[scalar]
      }
    return glyph ?? (hasUnicode ? character : "?")
  }

  /// True where every terminal moves its cursor by what `TerminalText.width(of:)` says.
  func hasCertainWidth(_ character: Character) -> Bool {
    let scalars = character.unicodeScalars
    guard let first = scalars.first, scalars.count == 1 else { return false }
    switch first.value {
    case 0x20...0x7E, 0x2800...0x28FF, 0x3041...0x3096, 0x30A1...0x30FA, 0x3131...0x318E, 0x4E00...0x9FFF,
      0xAC00...0xD7A3, 0xFF01...0xFF60:
      return true
    default:
      return Self.narrow.contains(first) || drawing == .full && Self.unambiguous[first] != nil
    }
  }

  /// The most cells that some terminal gives a character: an ambiguous one has two, and where clusters are unknown each
  /// part of one has its own.
  func mostCells(of character: Character) -> Int {
    let width = TerminalText.width(of: character)
    if hasCertainWidth(character) { return width }
    return max(2, width, character.unicodeScalars.reduce(0) { $0 + TerminalText.width(of: $1) })
  }

  /// The ones beside braille that have one cell everywhere.
  private static let narrow: Set<Unicode.Scalar> = [
    "▴", "▾", "▸", "◂", "⋮", "⋯", "╽", "╿", "╻", "╹", "╷", "╵", "░", "▐",
  ]

  /// Ambiguous ones, and what is like them with a width that is not.
  private static let unambiguous: [Unicode.Scalar: Character] = [
    "┃": "⡇", "│": "⡇", "─": "⠒", "━": "⠒", "…": "⋯", "▒": "░", "▓": "░",
    "▁": "⣀", "▂": "⣀", "▃": "⣤", "▄": "⣤", "▅": "⣶", "▆": "⣶", "▇": "⣿", "█": "⣿",
    "▏": "⡇", "▎": "⡇", "▍": "⡇", "▌": "⡇", "▋": "⣿", "▊": "⣿", "▉": "⣿",
  ]

  private static let ascii: [Unicode.Scalar: Character] = [
    "┃": "|", "│": "|", "╽": "|", "╿": "|", "╻": "|", "╹": "|", "╷": "|", "╵": "|", "─": "-", "━": "-",
    "▴": "^", "▾": "v", "▸": ">", "◂": "<", "⋮": ":", "⋯": ".", "…": ".", "░": ":", "▒": ":", "▓": "#", "▐": "#",
    "▁": ".", "▂": ".", "▃": "-", "▄": "-", "▅": "=", "▆": "=", "▇": "#", "█": "#",
    "▏": "-", "▎": "-", "▍": "-", "▌": "=", "▋": "=", "▊": "#", "▉": "#",
  ]

  private static func isBraille(_ scalar: Unicode.Scalar) -> Bool {
    (0x2800...0x28FF).contains(scalar.value)
  }

  /// Dots by their height: at the bottom, at the top, both.
  private static func asciiDots(_ scalar: Unicode.Scalar) -> Character {
    let dots = scalar.value & 0xFF
    // Bits 6 and 7 are the fourth row, 2 and 5 the third: https://www.unicode.org/charts/PDF/U2800.pdf
    let (low, high) = (dots & 0b1110_0100 != 0, dots & 0b0001_1011 != 0)
    return low && high ? ":" : low ? "." : high ? "'" : " "
  }
}

extension GlyphSet {
  /// What a terminal shows, by what it said of itself and by the environment.
  ///
  /// - Parameters:
  ///   - wish: the user's setting; nil: the best that the terminal can do.
  package init(traits: TerminalTraits, wish: Drawing?, environment: (String) -> String?) {
    let isConsole = environment("TERM") == "linux"
    // Nobody has answered yet, or never will: then the locale says what to believe of characters beyond ASCII, and
    // nothing that could be two cells wide is sent.
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap(environment).first { !$0.isEmpty }
    let says = locale.map { name in ["utf-8", "utf8"].contains { name.lowercased().contains($0) } }
    let hasUnicode = traits.hangulWidth.map { $0 == 2 } ?? says ?? true
    let best: Drawing = isConsole || !hasUnicode ? .ascii : traits.barWidth == 1 ? .full : .unambiguous
    self.init(wish ?? best, hasUnicode: hasUnicode)
  }
}
