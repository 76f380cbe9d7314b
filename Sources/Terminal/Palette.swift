package import Quotes

/// The meaning of a piece of text; `Palette` determines its look.
package enum Style: Hashable, CaseIterable, Sendable {
  /// A change above zero, or a price that rose.
  case up
  /// A change below zero, or a price that fell.
  case down
  /// Plain text, and a change of zero.
  case neutral
  /// Of little importance: units, reasons of empty cells, a small premium.
  case dim
  /// Worth looking at first: a large premium.
  case highlight
  /// An error, or a number that must not be trusted.
  case alert
  /// Something to know before trusting.
  case warning
  /// Titles of columns and sections.
  case heading
  /// The lines of a chart, distinguished by nothing else.
  case firstLine, secondLine, thirdLine, fourthLine

  package static let lines: [Style] = [.firstLine, .secondLine, .thirdLine, .fourthLine]
}

extension Style {
  /// The style of a change in percent, and of the price it belongs to.
  ///
  /// Based on the printed figure: anything that rounds to `+0.00` is neutral.
  package init(ofChange percent: Decimal) {
    switch percent.rounded(toPlaces: 2).signum {
    case 1: self = .up
    case -1: self = .down
    default: self = .neutral
    }
  }

  /// The style of a move from one price to another, however small.
  package init(from start: Decimal, to end: Decimal) { self = end > start ? .up : end < start ? .down : .neutral }
}

// MARK: - Colours

/// A mapping from styles to the escape sequences of a terminal, or to none, and from characters to those it draws.
package struct Palette: Hashable, Sendable {
  /// The colours of up and down; ignored if `isColored` is false.
  package let scheme: ColorScheme
  /// If false, text is not painted.
  package let isColored: Bool
  /// The characters of printed text; a live screen knows more about its terminal.
  package let glyphs: GlyphSet

  package init(scheme: ColorScheme, isColored: Bool, glyphs: GlyphSet = GlyphSet(.full)) {
    (self.scheme, self.isColored, self.glyphs) = (scheme, isColored, glyphs)
  }

  /// No colours at all: for pipes and files.
  package static let plain = Palette(scheme: .us, isColored: false)

  /// The next palette in the cycle of all schemes and none.
  package var next: Palette {
    let all =
      ColorScheme.allCases.map { Palette(scheme: $0, isColored: true, glyphs: glyphs) }
      + [Palette(scheme: .us, isColored: false, glyphs: glyphs)]
    let place = isColored ? all.firstIndex(of: self) ?? 0 : all.count - 1
    return all[(place + 1) % all.count]
  }

  /// Returns the text in the colour of its style. Neutral or empty text is never wrapped.
  package func paint(_ text: String, as style: Style) -> String {
    let text = glyphs.shown(text, in: style)
    guard isColored, !text.isEmpty, let code = code(of: style) else { return text }
    return "\u{1B}[\(code)m\(text)\u{1B}[0m"
  }

  /// Returns the parameters of "select graphic rendition" (ECMA-48 §8.3.117), or nil for none.
  private func code(of style: Style) -> String? {
    // The background is unknown: a terminal that is asked might answer to the next program. Linux's console shows the
    // nearest of its own colours.
    let tone = style.tone(in: scheme).map { "38;5;\(ScreenColors.tonesOfBoth[$0.rawValue])" }
    return style.isBold ? tone.map { "1;\($0)" } ?? "1" : tone
  }
}

/// The distinct colours of styles. Tables of what they are on a terminal have this order.
package enum Tone: Int, Sendable {
  case red, blue, green, orange, grey, yellow, firstLine, secondLine, thirdLine, fourthLine
}

extension Style {
  /// Returns the style's colour in a scheme; nil for the terminal's own.
  package func tone(in scheme: ColorScheme) -> Tone? {
    switch (self, scheme) {
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

  var isBold: Bool { self == .highlight || self == .alert || self == .heading }
}

/// The colours of up and down, which depend on the country and on colour vision. There is always a sign as well.
package enum ColorScheme: String, CaseIterable, Sendable {
  /// Korea: red up, blue down.
  case kr
  /// United States and Europe: green up, red down.
  case us
  /// For colour-blind readers: blue up, orange down.
  case cb

  /// The scheme for a locale: `kr` for a Korean one, `us` for any other one or none.
  package init(locale: LocaleName?) { self = locale?.isKorean == true ? .kr : .us }
}

/// When output is coloured: the value of `--color`.
package enum ColorMode: String, CaseIterable, Sendable {
  case auto, always, never

  /// Returns whether to colour a stream's output.
  ///
  /// The flag takes precedence over everything. With `auto`, colour requires a terminal, no nonempty `NO_COLOR`
  /// (https://no-color.org) and a `TERM` other than `dumb`.
  ///
  /// - Parameter environment: Looks up a variable; nil if it is not set.
  package func isColored(onTerminal isTerminal: Bool, environment: (String) -> String?) -> Bool {
    switch self {
    case .always: true
    case .never: false
    case .auto: isTerminal && (environment("NO_COLOR") ?? "").isEmpty && environment("TERM") != "dumb"
    }
  }
}
