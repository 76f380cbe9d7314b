/// How a cell is drawn: the part of "select graphic rendition" (ECMA-48 §8.3.117) that live screens use.
struct Ink: Hashable, Sendable {
  enum Color: Hashable, Sendable {
    /// The terminal's own foreground.
    case own
    /// One of the eight, as its parameter: 30...37.
    case basic(UInt8)
    /// One of the 256 of xterm.
    case indexed(UInt8)

    fileprivate var parameters: String {
      switch self {
      case .own: "39"
      case .basic(let code): "\(code)"
      // Semicolons, not the colons of ISO 8613-6: older terminals and pyte know no others.
      case .indexed(let number): "38;5;\(number)"
      }
    }
  }

  var isBold = false
  var isUnderlined = false
  var color = Color.own

  static let plain = Ink()

  /// The sequence that turns one into the other: the shorter of the difference and a new beginning. Empty for the same.
  func sequence(after before: Ink) -> String {
    guard self != before else { return "" }
    var changes: [String] = []
    if isBold != before.isBold { changes.append(isBold ? "1" : "22") }
    if isUnderlined != before.isUnderlined { changes.append(isUnderlined ? "4" : "24") }
    if color != before.color { changes.append(color.parameters) }
    let difference = changes.joined(separator: ";")

    // An empty parameter at the front is 0, which resets all.
    var all = [""]
    if isBold { all.append("1") }
    if isUnderlined { all.append("4") }
    if color != .own { all.append(color.parameters) }
    let whole = all.joined(separator: ";")
    return "\u{1B}[\(whole.utf8.count < difference.utf8.count ? whole : difference)m"
  }
}

/// The ground that a terminal paints text on.
package enum Ground: String, CaseIterable, Sendable {
  case light, dark
}

/// The colours of a live screen: the same meanings as `Palette`, in tones that hold on the ground of the terminal.
package struct ScreenColors: Hashable, Sendable {
  package enum Depth: Hashable, Sendable {
    /// Colours are not wanted: what is strong is underlined.
    case none
    /// The eight of ECMA-48.
    case eight
    /// The 256 of xterm. Not the first 16 of them: themes change those, Solarized into its own ground.
    case indexed
  }

  package let scheme: ColorScheme
  package let depth: Depth
  /// nil: unknown. Then tones are taken that hold on both.
  package let ground: Ground?

  package init(scheme: ColorScheme, depth: Depth, ground: Ground?) {
    self.scheme = scheme
    self.depth = depth
    self.ground = ground
  }

  func ink(of style: Style, isStrong: Bool) -> Ink {
    var ink = Ink()
    switch style {
    case .highlight, .alert, .heading: ink.isBold = true
    default: break
    }
    if isStrong {
      if depth == .none { ink.isUnderlined = true } else { ink.isBold = true }
    }
    if depth != .none, let tone = tone(of: style) { ink.color = color(of: tone, ink: &ink) }
    return ink
  }

  /// What is told apart by colour; `tones` has their numbers.
  private enum Tone: Int {
    case red, blue, green, orange, grey, yellow, firstLine, secondLine, thirdLine, fourthLine
  }

  private func tone(of style: Style) -> Tone? {
    switch (style, scheme) {
    case (.up, .kr), (.down, .us), (.alert, _): .red
    case (.up, .us): .green
    case (.up, .cb), (.down, .kr): .blue
    case (.down, .cb), (.highlight, _): .orange
    case (.neutral, _), (.heading, _): nil
    case (.dim, _): .grey
    case (.warning, _): .yellow
    case (.firstLine, _): .firstLine
    case (.secondLine, _): .secondLine
    case (.thirdLine, _): .thirdLine
    case (.fourthLine, _): .fourthLine
    }
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
    // Blue and black are too dark on the black ground of a console unless bold makes them bright.
    if tone == .blue || tone == .grey { ink.isBold = true }
    let basic: UInt8 =
      switch tone {
      case .red: 31
      case .blue: 34
      case .green, .thirdLine: 32
      case .orange, .yellow: 33
      case .grey: 30
      case .firstLine: 36
      case .secondLine: 35
      case .fourthLine: 37
      }
    return .basic(basic)
  }

  // In the order of `Tone`. Contrast after WCAG 2.1; a test computes it.

  /// At least 3.8 on black and white, 3.2 on both grounds of Solarized.
  static let tonesOfBoth: [UInt8] = [196, 32, 28, 166, 243, 100, 30, 133, 100, 98]
  /// At least 4.5 on black and on Solarized's dark ground.
  static let tonesOfDark: [UInt8] = [203, 75, 77, 208, 246, 178, 37, 170, 136, 141]
  /// At least 4.5 on white, 4 on Solarized's light ground.
  static let tonesOfLight: [UInt8] = [160, 25, 28, 130, 242, 94, 23, 127, 94, 62]
}

extension ScreenColors {
  /// - Parameters:
  ///   - palette: the scheme, and whether there are colours at all.
  ///   - wish: the user's setting of the ground; it wins over what the terminal says.
  package init(palette: Palette, traits: TerminalTraits, wish: Ground?, environment: (String) -> String?) {
    let depth: Depth = !palette.isColored ? .none : environment("TERM") == "linux" ? .eight : .indexed
    self.init(scheme: palette.scheme, depth: depth, ground: wish ?? traits.ground)
  }
}
