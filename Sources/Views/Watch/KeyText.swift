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
  /// Whether it applies only where there are several exchanges.
  let isOfSeveral: Bool
  /// Whether the bottom line has it only if there is room left: other keys do the same.
  let givesWay: Bool

  init(_ name: String, _ short: Phrase?, _ long: Phrase, isOfSeveral: Bool = false, givesWay: Bool = false) {
    self.name = name
    self.short = short
    self.long = long
    self.isOfSeveral = isOfSeveral
    self.givesWay = givesWay
  }

  // The event loop's own keys, on every screen.

  static let redraw = KeyText("Ctrl-L", nil, ("redraw", "화면 다시 그리기"))
  static let colors = KeyText("C", nil, ("the colours of up and down: kr, us, cb, none", "상승, 하락 색: kr, us, cb, 없음"))

  /// Where a word that stands for a number is explained: near the end of every help.
  static let reasons: Phrase = (
    "  a word in place of a number: market explain WORD", "  숫자 대신 나온 단어의 뜻: market explain 단어"
  )

  /// Returns the key as the bottom line shows it.
  func word(_ language: Language) -> StyledText {
    StyledText(name, .heading) + StyledText(" " + (short.map { language($0) } ?? ""), .dim)
  }

  /// Returns a line for each key, or more where it does not fit on one.
  static func help(_ keys: [KeyText], _ language: Language, width: Int) -> [StyledText] {
    let indent = 4 + keys.reduce(0) { max($0, TerminalText.width(of: $1.name)) }
    return keys.flatMap { key in
      TerminalText.wrapped(language(key.long), cells: max(16, width - indent)).enumerated().map { place, text in
        let name = place == 0 ? "  " + StyledText(key.name, .heading) : ""
        return name.padded(to: indent) + StyledText(text)
      }
    }
  }
}

/// The part of a help text on the screen, which may be shorter than the text.
struct HelpScroll: Sendable {
  /// The number of lines scrolled off the top.
  private var first = 0

  /// Scrolls by a key's command; returns false if that has no meaning here.
  mutating func take(_ command: WatchCommand?, of count: Int, room: Int) -> Bool {
    let last = max(0, count - room)
    switch command {
    case .move(let distance): first += distance
    case .movePage(let pages): first += WatchState.lines(pages, of: room)
    // The next page; from the last one, the first.
    case .freeze: first = first >= last ? 0 : first + max(1, room - 1)
    case .first: first = 0
    case .last: first = last
    default: return false
    }
    first = min(max(0, first), last)
    return true
  }

  /// Returns the lines on the screen; the last one tells of those below.
  func shown(_ lines: [StyledText], room: Int, _ language: Language) -> [StyledText] {
    let rest = lines.dropFirst(min(first, max(0, lines.count - room)))
    guard rest.count > room, room > 1 else { return Array(rest) }
    let below = rest.count - room + 1
    return rest.prefix(room - 1) + [StyledText(language("⋮ \(below) more: Space", "⋮ \(below)줄 더: Space"), .dim)]
  }
}
