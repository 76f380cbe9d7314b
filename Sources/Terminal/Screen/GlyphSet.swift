/// What pictures are drawn with: the value of `--glyphs`.
package enum GlyphMode: String, CaseIterable, Sendable {
  /// ASCII where nothing else works: in a locale of another encoding than UTF-8, and on Linux's console.
  case auto
  case ascii, unicode
}

/// The drawing characters that a terminal shows in a single cell each.
///
/// Screens are drawn with all of them, and unsupported ones are replaced cell by cell on output, so that nothing moves.
package struct GlyphSet: Hashable, Sendable {
  package enum Drawing: Sendable {
    /// All: blocks, boxes, braille.
    case full
    /// No characters of ambiguous width (UAX #11, East Asian Width A), which some Korean and Japanese terminals draw in
    /// two cells.
    case unambiguous
    /// ASCII only, which also replaces braille.
    case ascii
  }

  package let drawing: Drawing
  /// If false, non-ASCII characters are shown as `?`, followed by a blank if they take two cells.
  package let hasUnicode: Bool

  package init(_ drawing: Drawing, hasUnicode: Bool = true) {
    self.drawing = drawing
    self.hasUnicode = hasUnicode
  }

  /// Returns the character that is shown for a character.
  ///
  /// - Parameter style: the one it is drawn in: a terminal that has only ASCII may have no colours to tell a candle that
  ///   rose from one that fell.
  func glyph(for character: Character, in style: Style) -> Character {
    guard let scalar = character.unicodeScalars.first, scalar.value >= 0x80 else { return character }
    let glyph: Character? =
      switch drawing {
      case .full: nil
      case .unambiguous: Self.unambiguous[scalar]
      case .ascii:
        Self.isBraille(scalar)
          ? Self.asciiDots(scalar) : Self.bodies.contains(scalar) ? Self.asciiBody(style) : Self.ascii[scalar]
      }
    return glyph ?? (hasUnicode ? character : "?")
  }

  /// Returns a text in one style with the characters that are shown for its own.
  func shown(_ text: String, in style: Style) -> String {
    drawing == .full && hasUnicode || TerminalText.isPlain(text) ? text : String(text.map { glyph(for: $0, in: style) })
  }

  /// Returns whether every terminal moves its cursor by `TerminalText.width(of:)`.
  func hasCertainWidth(_ character: Character) -> Bool {
    let scalars = character.unicodeScalars
    guard let first = scalars.first, scalars.count == 1 else { return false }
    switch first.value {
    case 0x20...0x7E, 0x2800...0x28FF, 0x3041...0x3096, 0x30A1...0x30FA, 0x3131...0x318E, 0x4E00...0x9FFF,
      0xAC00...0xD7A3, 0xFF01...0xFF60:
      return true
    default: return Self.narrow.contains(first) || drawing == .full && Self.unambiguous[first] != nil
    }
  }

  /// Returns the most cells that any terminal gives a character: two for an ambiguous one, and the sum of its parts
  /// where clusters are not supported.
  func maximumCells(of character: Character) -> Int {
    let width = TerminalText.width(of: character)
    if hasCertainWidth(character) { return width }
    return max(2, width, character.unicodeScalars.reduce(0) { $0 + TerminalText.width(of: $1) })
  }

  /// Those besides braille that take one cell everywhere.
  private static let narrow: Set<Unicode.Scalar> = [
    "▴", "▾", "▸", "◂", "⋮", "⋯", "╽", "╿", "╻", "╹", "╷", "╵", "░", "▐",
  ]

  /// Ambiguous characters, and similar ones of unambiguous width.
  private static let unambiguous: [Unicode.Scalar: Character] = [
    "┃": "⡇", "│": "⡇", "─": "⠒", "━": "⠒", "…": "⋯", "▒": "░", "▓": "░",
    "▁": "⣀", "▂": "⣀", "▃": "⣤", "▄": "⣤", "▅": "⣶", "▆": "⣶", "▇": "⣿", "█": "⣿",
    "▏": "⡇", "▎": "⡇", "▍": "⡇", "▌": "⡇", "▋": "⣿", "▊": "⣿", "▉": "⣿",
  ]

  private static let ascii: [Unicode.Scalar: Character] = [
    "│": "|", "╷": "|", "╵": "|", "─": "-", "━": "-",
    "▴": "^", "▾": "v", "▸": ">", "◂": "<", "⋮": ":", "⋯": ".", "…": "~", "░": ":", "▒": ":", "▓": "#", "▐": "#",
    "▁": ".", "▂": ".", "▃": "-", "▄": "-", "▅": "=", "▆": "=", "▇": "#", "█": "#",
    "▏": "-", "▎": "-", "▍": "-", "▌": "=", "▋": "=", "▊": "#", "▉": "#",
  ]

  /// The cells of a candle that have some of its body.
  private static let bodies: Set<Unicode.Scalar> = ["┃", "╽", "╿", "╻", "╹"]

  /// Returns a hollow body for a rise, a solid one for a fall, and another for neither: unchanged, or still running.
  private static func asciiBody(_ style: Style) -> Character { style == .up ? "O" : style == .down ? "#" : "=" }

  private static func isBraille(_ scalar: Unicode.Scalar) -> Bool {
    (0x2800...0x28FF).contains(scalar.value)
  }

  /// Returns an ASCII character for dots by their height: at the bottom, at the top, or both.
  private static func asciiDots(_ scalar: Unicode.Scalar) -> Character {
    let dots = scalar.value & 0xFF
    // Bits 6 and 7 are the fourth row, 2 and 5 the third: https://www.unicode.org/charts/PDF/U2800.pdf
    let (low, high) = (dots & 0b1110_0100 != 0, dots & 0b0001_1011 != 0)
    return low && high ? ":" : low ? "." : high ? "'" : " "
  }
}

extension GlyphSet {
  /// Creates the best set that a terminal shows, from its own answers and the environment.
  package init(_ mode: GlyphMode = .auto, traits: TerminalTraits, environment: (String) -> String?) {
    // If there is no answer yet, or never will be, the locale says whether non-ASCII characters work, and nothing that
    // could be two cells wide is sent.
    let locale = LocaleName(of: "LC_CTYPE", environment: environment)
    let hasUnicode = mode == .unicode || traits.hangulWidth.map { $0 == 2 } ?? locale?.isUTF8 ?? true
    let isASCII = mode == .ascii || mode == .auto && (environment("TERM") == "linux" || !hasUnicode)
    self.init(isASCII ? .ascii : traits.barWidth == 1 ? .full : .unambiguous, hasUnicode: hasUnicode)
  }

  /// Creates the set of printed text, which keeps names as they are: only what is drawn has a form in ASCII.
  ///
  /// - Parameter isTerminal: whether it goes to a terminal rather than to a file or pipe.
  package init(_ mode: GlyphMode, onTerminal isTerminal: Bool, environment: (String) -> String?) {
    let hasUnicode = LocaleName(of: "LC_CTYPE", environment: environment)?.isUTF8 ?? true
    let isConsole = isTerminal && environment("TERM") == "linux"
    self.init(mode == .ascii || mode == .auto && (isConsole || !hasUnicode) ? .ascii : .full)
  }
}
