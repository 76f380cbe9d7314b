import Terminal

/// A text in both languages of the interface.
typealias Phrase = (english: String, korean: String)

/// A key of a live view in words. Its bottom line and its help share these.
package struct KeyText: Sendable {
  /// The key's name; for a single letter, the key itself.
  package let name: String
  /// The text in the bottom line; nil to omit it there.
  let short: Phrase?
  let long: Phrase

  init(_ name: String, _ short: Phrase?, _ long: Phrase) {
    self.name = name
    self.short = short
    self.long = long
  }

  /// The event loop's own key, on every screen.
  static let colors = KeyText("C", nil, ("the colours of up and down: kr, us, cb, none", "상승, 하락 색: kr, us, cb, 없음"))

  /// Returns the key as the bottom line shows it.
  func word(_ language: Language) -> StyledText {
    StyledText(name, .heading) + StyledText(" " + (short.map { language($0) } ?? ""), .dim)
  }

  static func help(_ keys: [KeyText], _ language: Language) -> [StyledText] {
    let names = keys.reduce(0) { max($0, TerminalText.width(of: $1.name)) }
    return keys.map { key in
      (StyledText("  ") + StyledText(key.name, .heading)).padded(to: names + 4) + StyledText(language(key.long))
    }
  }
}
