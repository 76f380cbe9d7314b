package import Quotes
package import Terminal

/// What a command has found, in each of the forms that it can be written in.
package protocol Report {
  /// For people.
  func text(on page: Page) -> String
  /// Keys are stable, prices are texts, what is missing is null with its reason beside it.
  func json() -> [UInt8]
  func csv() -> String
}

/// What a text for people is laid out on.
package struct Page: Sendable {
  package let palette: Palette
  /// Cells a line; nil for a pipe.
  package let width: Int?
  /// Of the page's own words, as far as they are there in two.
  let language: Language
  /// Weekdays in the reader's language.
  let weekdays: WeekdayNames
  /// What a replay says of itself; nil when the answers are live.
  package let replayNote: String?
  package let digits: Digits
  /// The clock on the reader's wall at a moment; nil where that is UTC.
  let localClock: @Sendable (Instant) -> ClockZone?

  /// How many digits numbers are shown with.
  package enum Digits: String, CaseIterable, Sendable {
    /// Without zeros that an exchange only pads with, and turnovers to three digits.
    case short
    /// As the exchange sends them.
    case full
  }

  package init(
    palette: Palette, width: Int?, language: Language = .english, weekdays: WeekdayNames? = nil,
    replayNote: String? = nil,
    digits: Digits = .short,
    localClock: @escaping @Sendable (Instant) -> ClockZone? = { _ in nil }
  ) {
    self.palette = palette
    self.width = width
    self.language = language
    self.weekdays = weekdays ?? language.weekdays
    self.replayNote = replayNote
    self.digits = digits
    self.localClock = localClock
  }

  // MARK: Lines

  func heading(_ text: String) -> String {
    palette.paint(TerminalText.sanitized(text), as: .heading) + "\n"
  }

  /// Lines that are broken between words where they are wider than the page.
  func lines(_ lines: [StyledText]) -> String {
    lines.flatMap { $0.wrapped(to: width) }.map { $0.painted(with: palette) + "\n" }.joined()
  }

  /// Lines of little weight.
  func remarks(_ lines: [String]) -> String {
    self.lines(lines.map { StyledText($0, .dim) })
  }

  func table(_ table: Table) -> String {
    table.rendered(width: width, palette: palette) { count, names in
      language(Table.hiddenNote(count, names), "열 \(count)개 숨김: \(names); 터미널을 넓히거나 --format csv 사용")
    }
  }

  // MARK: Header

  /// The first line, with what a replay says of itself behind it.
  func titled(_ title: StyledText) -> StyledText {
    replayNote.map { title + StyledText("  \($0)", .warning) } ?? title
  }
}

// MARK: - Time

/// Moments and ages as people read them.
package enum ClockText {
  /// Korea has no summer time.
  static let seoulSeconds = 9 * 3600

  /// `2023-07-27 (Thu) 02:58:51`
  static func dayAndTime(_ instant: Instant, offsetSeconds: Int, _ names: WeekdayNames) -> String {
    let parts = plain(instant, offsetSeconds: offsetSeconds).split(separator: " ")
    let weekday = names.short(CivilTime(instant, offsetSeconds: offsetSeconds).weekday)
    return "\(parts[0]) (\(weekday)) \(parts[1])"
  }

  /// `2023-07-27 11:58:36`
  package static func plain(_ instant: Instant, offsetSeconds: Int) -> String {
    let time = CivilTime(instant, offsetSeconds: offsetSeconds)
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(time.year)-\(two(time.month))-\(two(time.day)) \(two(time.hour)):\(two(time.minute)):\(two(time.second))"
  }

  /// `2023-07-27 11:58:36 KST`
  package static func seoul(_ instant: Instant) -> String { plain(instant, offsetSeconds: seoulSeconds) + " KST" }

  /// An age in the largest unit that fits: `0s`, `59s`, `12m`, `5h`, `3d`.
  package static func age(nanoseconds: Int64) -> String {
    let seconds = nanoseconds / 1_000_000_000
    return switch seconds {
    case ..<60: "\(seconds)s"
    case ..<3600: "\(seconds / 60)m"
    case ..<86_400: "\(seconds / 3600)h"
    default: "\(seconds / 86_400)d"
    }
  }
}

/// The short names of weekdays in the reader's language.
package enum WeekdayNames: Sendable {
  case english
  case korean

  /// - Parameter locale: as `LC_TIME` has it: `ko_KR.UTF-8`.
  package init(locale: String?) {
    self = locale?.hasPrefix("ko") == true ? .korean : .english
  }

  func short(_ weekday: Weekday) -> String {
    switch self {
    case .english: ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"][weekday.rawValue - 1]
    case .korean: ["월", "화", "수", "목", "금", "토", "일"][weekday.rawValue - 1]
    }
  }
}
