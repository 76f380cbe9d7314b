import Mapping
import MarketData
package import Quotes
package import Terminal

/// The result of a command, in each of its output formats.
package protocol Report {
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
  /// A note about answers of a replay or of an earlier run; nil for new ones.
  package let replayNote: String?
  package let digits: Digits
  /// Returns the reader's local time zone at a moment; nil if that is UTC.
  let localClock: @Sendable (Instant) -> ClockZone?

  package enum Digits: String, CaseIterable, Sendable {
    /// Without the exchange's zero padding, and turnovers to three digits.
    case short
    /// Exactly as sent by the exchange.
    case full
  }

  package init(
    palette: Palette, width: Int?, language: Language = .english, weekdays: Language? = nil,
    replayNote: String? = nil, digits: Digits = .short,
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

  func heading(_ text: String) -> String { lines([StyledText(text, .heading)]) }

  /// Joins lines, wrapping those wider than the page between words.
  func lines(_ lines: [StyledText]) -> String {
    lines.flatMap { $0.wrapped(to: width) }.map { $0.painted(with: palette) + "\n" }.joined()
  }

  func remarks(_ lines: [String]) -> String { self.lines(lines.map { StyledText($0, .dim) }) }

  func table(_ table: Table) -> String {
    table.rendered(width: width, palette: palette, note: hiddenNote)
  }

  private func hiddenNote(_ count: Int, _ names: String) -> String {
    language(Table.hiddenNote(count, names), "열 \(count)개 숨김: \(names); 터미널을 넓히거나 --format csv 사용")
  }

  /// Names columns of a drawing that have no room, as below a table; empty if there are none.
  func hiddenNote(_ titles: [String]) -> String {
    if titles.isEmpty { return "" }
    return remarks(TerminalText.wrapped(hiddenNote(titles.count, titles.joined(separator: ", ")), cells: width))
  }

  // MARK: Header

  /// The replay note as a line of its own; empty for live answers.
  var replayLine: String { replayNote.map { lines([StyledText($0, .warning)]) } ?? "" }

  /// Returns the first line with the replay note appended.
  func titled(_ title: StyledText) -> StyledText {
    replayNote.map { title + StyledText("  \($0)", .warning) } ?? title
  }
}

// MARK: - Header of a report

extension Page {
  /// Returns the top of a page: its subject, UTC and the local time, and the dollar in won.
  func header(_ title: String, time: Instant, rate: RateReport? = nil) -> String {
    let clocks = ClockText.clocks(at: time, localClock(time), weekdays)
    let head = [titled(StyledText(title, .heading)), StyledText(clocks.joined(separator: "   "))]
    return lines(head + (rate.map { [line(of: $0, at: time)] } ?? []))
  }

  private func line(of report: RateReport, at time: Instant) -> StyledText {
    let name = StyledText("\(report.pair) ")
    guard let quote = report.quote else {
      let line = name + StyledText("- (\(report.shortReason(language, namesOption: true)))", .dim)
      let known = StyledText(language("  last known ", "  마지막 환율 "), .dim)
      return report.lastKnown.map { line + known + RateView($0, at: time).lastKnown(language) } ?? line
    }
    let view = RateView(quote, at: time)
    let line = name + view.text + StyledText("  \(quote.institution)  ") + view.timeText(language)
    let remarks = view.remarks(language) + [report.failureCount(language, namesOption: true)].compactMap(\.self)
    return remarks.isEmpty ? line : line + StyledText("  \(remarks.joined(separator: "; "))", .warning)
  }
}

// MARK: - Sections

extension Page {
  /// Joins the sections of a report that are not empty, with a blank line between them.
  func sections(_ sections: [String]) -> String { sections.filter { !$0.isEmpty }.joined(separator: "\n") }

  /// Formats a number from an exchange without its zero padding, unless full digits are wanted.
  func number(_ value: Decimal) -> String { digits == .full ? value.description : value.shortest }

  /// Formats an amount of money to three digits, unless full digits are wanted.
  func amount(_ value: Decimal) -> String { digits == .full ? value.description : language.amount(value) }

  /// The width of charts in cells: that of the terminal, or one that fits everywhere.
  var pictureWidth: Int { max(1, width ?? 80) }

  /// Lays out blocks of lines side by side as far as the width allows, otherwise one below the other.
  ///
  /// - Parameters:
  ///   - least: the minimum width of a block in cells.
  ///   - blocks: returns lists of lines no wider than the given width.
  func beside(_ count: Int, least: Int, _ blocks: (_ range: Range<Int>, _ width: Int) -> [[StyledText]]) -> String {
    guard count > 0 else { return "" }
    let gap = 3
    let together = max(1, min(count, (pictureWidth + gap) / (least + gap)))
    var sections: [String] = []
    for start in stride(from: 0, to: count, by: together) {
      let range = start..<min(count, start + together)
      let width = (pictureWidth - gap * (together - 1)) / together
      let blocks = blocks(range, width)
      sections.append(lines(StyledText.beside(blocks, at: blocks.indices.map { $0 * (width + gap) })))
    }
    return sections.joined(separator: "\n")
  }
}

// MARK: - Time

extension ClockText {
  /// Returns a moment in UTC and, if it is another one, in the reader's zone: `UTC 2023-07-26 (Wed) 17:58:51`.
  static func clocks(at moment: Instant, _ local: ClockZone?, _ language: Language) -> [String] {
    [ClockZone.utc, local].compactMap { zone in zone.map { "\($0.name) \(dayAndTime(moment, $0, language))" } }
  }

  /// `2023-07-27 (Thu) 02:58:51`
  static func dayAndTime(_ instant: Instant, _ zone: ClockZone, _ language: Language) -> String {
    "\(zone.day(instant)) (\(language.short(zone.time(instant).weekday))) \(zone.clock(instant))"
  }
}
