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
    }
  }
}
