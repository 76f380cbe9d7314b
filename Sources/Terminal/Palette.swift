package import Quotes

/// What a piece of text means; `Palette` knows how that looks.
package enum Style: Hashable, CaseIterable, Sendable {
  /// A change above zero, or a price that rose.
  case up
  /// A change below zero, or a price that fell.
  case down
  /// Plain text, and a change of zero.
  case neutral
  /// Of little weight: units, reasons of empty cells, a premium that is small.
  case dim
  /// Worth looking at first: a large premium.
  case highlight
  /// An error, a number that must not be trusted.
  case alert
  /// Something to know before trusting.
  case warning
  /// Titles of columns and sections.
  case heading
  /// The lines of a picture, told apart by nothing else.
  case firstLine, secondLine, thirdLine, fourthLine

  package static let lines: [Style] = [.firstLine, .secondLine, .thirdLine, .fourthLine]
}

extension Style {
  /// The style of a change in percent, and of the price it belongs to.
  ///
  /// The printed figure decides: what rounds to `+0.00` is neutral.
  package init(ofChange percent: Decimal) {
    switch percent.rounded(toPlaces: 2).signum {
    case 1: self = .up
    case -1: self = .down
    default: self = .neutral
    }
  }

  /// The style of a premium in percent: highlighted from `strong` up, dim from `weak` up, else neutral.
  ///
  /// The printed figure decides: 0.095 prints 0.10 and is highlighted from 0.10 up.
  package init(ofPremium percent: Decimal, strong: Decimal, weak: Decimal) {
    let printed = percent.rounded(toPlaces: 2)
    self = printed >= strong ? .highlight : printed >= weak ? .dim : .neutral
  }
}

// MARK: - Colours

/// Turns styles into the escape sequences of a terminal, or into nothing.
package struct Palette: Hashable, Sendable {
  /// The colours of up and down; without effect when `isColored` is false.
  package let scheme: ColorScheme
  /// False: text stays as it is.
  package let isColored: Bool

  package init(scheme: ColorScheme, isColored: Bool) {
    self.scheme = scheme
    self.isColored = isColored
  }

  /// No colours at all: for pipes and files.
  package static let plain = Palette(scheme: .us, isColored: false)

  /// The colours after these, in a round: each scheme, and none.
  package var next: Palette {
    let all = ColorScheme.allCases.map { Palette(scheme: $0, isColored: true) } + [.plain]
    let place = isColored ? all.firstIndex(of: self) ?? 0 : all.count - 1
    return all[(place + 1) % all.count]
  }

  /// The text in the colour of its style. Neutral and empty text is never wrapped.
  package func paint(_ text: String, as style: Style) -> String {
    guard isColored, !text.isEmpty, let code = code(of: style) else { return text }
    return "\u{1B}[\(code)m\(text)\u{1B}[0m"
  }

  /// The parameters of "select graphic rendition" (ECMA-48 §8.3.117); nil = none.
  ///
  /// Bright blue (94) rather than blue (34): the dark one cannot be read on a black ground. Orange has no place among
  /// the 16 colours; 208 of the 256 is one that stays orange in every common theme.
  private func code(of style: Style) -> String? {
    switch (style, scheme) {
    case (.up, .kr), (.down, .us): "31"
    case (.up, .us): "32"
    case (.up, .cb), (.down, .kr): "94"
    case (.down, .cb): "38;5;208"
    case (.neutral, _): nil
    case (.dim, _): "90"
    case (.highlight, _): "1;38;5;208"
    case (.alert, _): "1;31"
    case (.warning, _): "33"
    case (.heading, _): "1"
    // Of one lightness, readable on black and on white, and none of them a colour of up or down.
    case (.firstLine, _): "38;5;37"
    case (.secondLine, _): "38;5;170"
    case (.thirdLine, _): "38;5;136"
    case (.fourthLine, _): "38;5;99"
    }
  }
}

/// The colours of up and down, which differ by country and by eye. A sign always stands beside them.
package enum ColorScheme: String, CaseIterable, Sendable {
  /// Korea: red up, blue down.
  case kr
  /// United States and Europe: green up, red down.
  case us
  /// For colour-blind readers: blue up, orange down.
  case cb

  /// The scheme of a locale as in `LANG`: Korean (`ko`, `ko_KR.UTF-8`) has `kr`, every other one (and none) `us`.
  package init(locale: String?) {
    // `kok` is Konkani.
    self = locale?.prefix(while: \.isLetter) == "ko" ? .kr : .us
  }

  /// The first of `LC_ALL`, `LC_MESSAGES` and `LANG` that is set to something, as POSIX orders them.
  package static func localeName(environment: (String) -> String?) -> String? {
    ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap(environment).first { !$0.isEmpty }
  }
}

/// When output is coloured: the value of `--color`.
package enum ColorMode: String, CaseIterable, Sendable {
  case auto, always, never

  /// Decides for one stream.
  ///
  /// The flag wins over everything. With `auto`, colour needs a terminal, no `NO_COLOR` that is set to something
  /// (https://no-color.org) and another `TERM` than `dumb`.
  ///
  /// - Parameters:
  ///   - environment: looks up a variable, nil when it is not set.
  package func isColored(onTerminal isTerminal: Bool, environment: (String) -> String?) -> Bool {
    switch self {
    case .always: true
    case .never: false
    case .auto:
      isTerminal && (environment("NO_COLOR") ?? "").isEmpty && environment("TERM") != "dumb"
    }
  }
}
