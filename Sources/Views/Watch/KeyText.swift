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

  /// Returns a line for each key, or more where it does not fit on one.
  static func help(_ keys: [KeyText], _ language: Language, width: Int) -> [StyledText] {
    let indent = 4 + keys.reduce(0) { max($0, TerminalText.width(of: $1.name)) }
    return keys.flatMap { key in
      TerminalText.wrapped(language(key.long), cells: max(16, width - indent)).enumerated().map { place, text in
        let name = place == 0 ? StyledText("  ") + StyledText(key.name, .heading) : StyledText("")
        return name.padded(to: indent) + StyledText(text)
      }
    }
  }
}

/// The part of a help text on the screen, which may be shorter than the text.
struct HelpPage: Sendable {
  /// The number of lines scrolled off the top.
  private var first = 0

  mutating func move(by distance: Int, of count: Int, room: Int) {
    first = min(max(0, first + distance), Self.last(count, room))
  }

  /// Turns to the next page, and from the last one to the first.
  mutating func turn(of count: Int, room: Int) {
    first = first >= Self.last(count, room) ? 0 : min(first + max(1, room - 1), Self.last(count, room))
  }

  private static func last(_ count: Int, _ room: Int) -> Int { max(0, count - room) }

  /// Returns the lines on the screen; the last one tells of those below.
  func shown(_ lines: [StyledText], room: Int, _ language: Language) -> [StyledText] {
    let rest = lines.dropFirst(min(first, Self.last(lines.count, room)))
    guard rest.count > room, room > 1 else { return Array(rest) }
    let below = rest.count - room + 1
    return rest.prefix(room - 1)
      + [StyledText(language("⋮ \(below) more: Space", "⋮ \(below)줄 더: Space"), .dim)]
  }
}
