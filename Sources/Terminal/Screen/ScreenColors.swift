/// The look of a cell: the part of "select graphic rendition" (ECMA-48 §8.3.117) that live screens use.
struct Ink: Hashable, Sendable {
  enum Color: Hashable, Sendable {
    /// The terminal's own foreground.
    case own
    /// One of the eight basic colours, as its parameter: 30...37.
    case basic(UInt8)
    /// One of xterm's 256 colours.
    case indexed(UInt8)

    fileprivate var parameters: String {
      switch self {
      case .own: "39"
      case .basic(let code): "\(code)"
      // Semicolons rather than the colons of ISO 8613-6, which older terminals and pyte do not know.
      case .indexed(let number): "38;5;\(number)"
      }
    }
  }

  var isBold = false
  var isUnderlined = false
  var color = Color.own

  static let plain = Ink()

  /// Returns the sequence that changes one ink into the other: the shorter of the difference and a full reset. Empty if
  /// they are equal.
  func sequence(after before: Ink) -> String {
    guard self != before else { return "" }
    var changes: [String] = []
    if isBold != before.isBold { changes.append(isBold ? "1" : "22") }
    if isUnderlined != before.isUnderlined { changes.append(isUnderlined ? "4" : "24") }
    if color != before.color { changes.append(color.parameters) }
    let difference = changes.joined(separator: ";")

    // An empty first parameter is 0, which resets everything.
    var all = [""]
    if isBold { all.append("1") }
    if isUnderlined { all.append("4") }
    if color != .own { all.append(color.parameters) }
    let whole = all.joined(separator: ";")
    return "\u{1B}[\(whole.utf8.count < difference.utf8.count ? whole : difference)m"
  }
}

/// The background of a terminal.
package enum Ground: Sendable {
  case light, dark
}

/// The colours of a live screen, with the same meanings as `Palette`, in tones suited to the terminal's background.
package struct ScreenColors: Hashable, Sendable {
  package enum Depth: Hashable, Sendable {
    /// No colours: strong text is underlined.
    case none
    /// The eight colours of ECMA-48.
    case eight
    /// xterm's 256 colours, except the first 16: themes change those, Solarized even into its own background.
    case indexed
  }

  package let scheme: ColorScheme
  package let depth: Depth
  /// nil if unknown, in which case the tones suit both.
  package let ground: Ground?

  package init(scheme: ColorScheme, depth: Depth, ground: Ground?) {
    self.scheme = scheme
    self.depth = depth
    self.ground = ground
  }

  func ink(of style: Style, isStrong: Bool) -> Ink {
    var ink = Ink(isBold: style.isBold)
    if isStrong {
      if depth == .none { ink.isUnderlined = true } else { ink.isBold = true }
    }
    if depth != .none, let tone = style.tone(in: scheme) { ink.color = color(of: tone, ink: &ink) }
    return ink
  }

  private func color(of tone: Tone, ink: inout Ink) -> Ink.Color {
    guard depth == .eight else {
      let tones =
        switch ground {
        case nil: Self.tonesOfBoth
        case .dark: Self.tonesOfDark
        case .light: Self.tonesOfLight
        }
      return .indexed(tones[tone.rawValue])
    }
    // Blue and black are too dark on a console's black background unless bold brightens them.
    if tone == .blue || tone == .grey { ink.isBold = true }
    return .basic(Self.basicTones[tone.rawValue])
  }

  // In the order of `Tone`.

  private static let basicTones: [UInt8] = [31, 34, 32, 33, 30, 33, 36, 35, 32, 37]

  // Contrast as in WCAG 2.1, verified by a test.

  /// At least 3.8 on black and white, 3.2 on both Solarized backgrounds.
  static let tonesOfBoth: [UInt8] = [196, 32, 28, 166, 243, 100, 30, 133, 100, 98]
  /// At least 4.5 on black and on Solarized's dark background.
  static let tonesOfDark: [UInt8] = [203, 75, 77, 208, 246, 178, 37, 170, 136, 141]
  /// At least 4.5 on white, 4 on Solarized's light background.
  static let tonesOfLight: [UInt8] = [160, 25, 28, 130, 242, 94, 23, 127, 94, 62]
}

extension ScreenColors {
  package init(palette: Palette, traits: TerminalTraits, environment: (String) -> String?) {
    let depth: Depth = !palette.isColored ? .none : environment("TERM") == "linux" ? .eight : .indexed
    self.init(scheme: palette.scheme, depth: depth, ground: traits.ground)
  }
}
