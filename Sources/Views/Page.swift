package import Quotes
package import Terminal

/// The result of a command, in each of its output formats.
package protocol Report {
  /// Returns human-readable text.
  func text(on page: Page) -> String
  /// Keys are stable, prices are strings, and missing values are null with their reason alongside.
  func json() -> [UInt8]
  func csv() -> [UInt8]
}

/// The layout settings for human-readable text.
package struct Page: Sendable {
  package let palette: Palette
  /// The width in cells; nil for a pipe.
  package let width: Int?
  /// The language of the page's own words, where they are translated.
  let language: Language
  /// The language of weekday names.
  let weekdays: Language
  /// A replay's note about itself; nil for live answers.
  package let replayNote: String?
  package let digits: Digits
  /// Returns the reader's local time zone at a moment; nil if that is UTC.
  let localClock: @Sendable (Instant) -> ClockZone?

  /// How many digits to show.
  package enum Digits: String, CaseIterable, Sendable {
    /// Without the exchange's zero padding, and turnovers to three digits.
    case short
    /// Exactly as sent by the exchange.
    case full
  }

  package init(
    palette: Palette, width: Int?, language: Language = .english, weekdays: Language? = nil,
    replayNote: String? = nil,
    digits: Digits = .short,
    localClock: @escaping @Sendable (Instant) -> ClockZone? = { _ in nil }
  ) {
    self.palette = palette
    self.width = width
    self.language = language
    self.weekdays = weekdays ?? language
    self.replayNote = replayNote
    self.digits = digits
    self.localClock = localClock
  }

  // MARK: Lines

  func heading(_ text: String) -> String {
    palette.paint(TerminalText.sanitized(text), as: .heading) + "\n"
  }

  /// Joins lines, wrapping those wider than the page between words.
  func lines(_ lines: [StyledText]) -> String {
    lines.flatMap { $0.wrapped(to: width) }.map { $0.painted(with: palette) + "\n" }.joined()
  }

  /// Joins dimmed lines.
  func remarks(_ lines: [String]) -> String { self.lines(lines.map { StyledText($0, .dim) }) }

  func table(_ table: Table) -> String {
    table.rendered(width: width, palette: palette) { count, names in
      language(Table.hiddenNote(count, names), "열 \(count)개 숨김: \(names); 터미널을 넓히거나 --format csv 사용")
    }
  }

  // MARK: Header

  /// The replay note as a line of its own; empty for live answers.
  var replayLine: String { replayNote.map { lines([StyledText($0, .warning)]) } ?? "" }

  /// Returns the first line with the replay note appended.
  func titled(_ title: StyledText) -> StyledText {
    replayNote.map { title + StyledText("  \($0)", .warning) } ?? title
  }
}

// MARK: - Time

extension ClockText {
  /// `2023-07-27 (Thu) 02:58:51`
  static func dayAndTime(_ instant: Instant, _ zone: ClockZone, _ language: Language) -> String {
    "\(zone.day(instant)) (\(language.short(zone.time(instant).weekday))) \(zone.clock(instant))"
  }
}
