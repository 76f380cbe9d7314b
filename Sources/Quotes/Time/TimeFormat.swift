/// A fixed format of dates and times: `yyyy-MM-dd HH:mm:ss`, `yyyyMMdd`.
///
/// `yyyy` year, `MM` month, `MMM` its English name in three letters, `dd` day, `HH` hour (00 to 23), `hh` hour (01 to 12) beside
/// `a`, which is `AM` or `PM`, `mm` minute, `ss` second, `S` to `SSSSSSSSS` fraction of a second, `Z` offset from UTC
/// (`+0900`, `+09:00`, `Z`). A part has as many digits as letters, but `M`, `d`, `H` and `h` have one or two. Everything else is
/// literal; other letters go between apostrophes (`yyyy'년'`, `yyyy-MM-dd'T'HH:mm`), and two apostrophes are one.
package struct TimeFormat: Sendable, Hashable {
  enum Part: Sendable, Hashable {
    case year, month, day, hour, minute, second
    case monthName
    /// The hour of half a day, and which half it is.
    case halfHour, half
    case zone
    /// A number of one or two digits.
    indirect case short(Part)
    case fraction(digits: Int)
    case literal(String)

    var digits: Int {
      switch self {
      case .year: 4
      case .month, .day, .hour, .halfHour, .minute, .second: 2
      case .fraction(let digits): digits
      case .literal, .monthName, .half, .zone, .short: 0
      }
    }

    /// The same for a part that is written in another way.
    private var kind: Part {
      switch self {
      case .monthName: .month
      case .halfHour: .hour
      case .short(let part): part.kind
      case .fraction: .fraction(digits: 0)
      default: self
      }
    }

    func isSameKind(as other: Part) -> Bool { kind == other.kind }
  }

  package let pattern: String
  let parts: [Part]

  package init(_ pattern: String) throws(TimeFormatError) {
    self.pattern = pattern
    self.parts = try TimeFormat.parts(of: pattern)
  }

  /// Whether a time can be read; without a year it can only be written.
  package var canBeRead: Bool { parts.contains(.year) }

  /// Whether it writes more than the day.
  package var hasTimeOfDay: Bool {
    let parts: [Part] = [.hour, .halfHour, .minute, .second, .fraction(digits: 0)]
    return self.parts.contains { part in parts.contains { $0.isSameKind(as: part) } }
  }

  /// Parses a text as local time at an offset from UTC; nil if the text does not match.
  ///
  /// Missing parts default to the first: no `dd` is the first of the month, no `HH` is midnight. A pattern without a
  /// year matches nothing. An offset in the text takes precedence.
  package func parse(_ text: String, offsetSeconds: Int) -> Instant? {
    var text = text
    return text.withUTF8 { parse($0, offsetSeconds: offsetSeconds) }
  }

  /// Parses a text in UTF-8.
  package func parse(_ bytes: UnsafeBufferPointer<UInt8>, offsetSeconds: Int) -> Instant? {
    var reader = DigitReader(bytes)
    var year: Int?
    var month = 1
    var day = 1
    var hour = 0
    var minute = 0
    var second = 0
    var nanosecond = 0
    var offset = offsetSeconds
    for part in parts {
      if case .literal(let literal) = part {
        guard reader.skip(literal) else { return nil }
        continue
      }
      guard let value = reader.value(of: part) else { return nil }
      switch part {
      case .year: year = value
      case .month, .monthName, .short(.month): month = value
      case .day, .short(.day): day = value
      case .hour, .short(.hour): hour += value
      case .halfHour, .short(.halfHour):
        guard 1...12 ~= value else { return nil }
        hour += value % 12
      case .half: hour += value
      case .minute: minute = value
      case .second: second = value
      case .fraction(let digits): nanosecond = value * Int(PowersOfTen.narrow[9 - digits])
      case .zone: offset = value
      case .literal, .short: break
      }
    }
    guard reader.isAtEnd, let year else { return nil }
    let civil = CivilTime(
      year: year, month: month, day: day, hour: hour, minute: minute, second: second, nanosecond: nanosecond,
      offsetSeconds: offset)
    return civil?.instant
  }

  /// Formats a moment as local time at an offset from UTC; fractions are truncated, as on clocks.
  package func format(_ instant: Instant, offsetSeconds: Int) -> String {
    let civil = CivilTime(instant, offsetSeconds: offsetSeconds)
    var text = ""
    for part in parts {
      switch part {
      case .year: text += civil.year.padded(to: 4)
      case .monthName: text += TimeFormat.monthNames[civil.month - 1]
      case .fraction(let digits):
        text += (civil.nanosecond / Int(PowersOfTen.narrow[9 - digits])).padded(to: digits)
      case .half: text += civil.hour < 12 ? "AM" : "PM"
      case .zone: text += ClockZone(offsetSeconds: offsetSeconds).offset
      case .literal(let literal): text += literal
      case .short(let part): text += String(TimeFormat.number(part, of: civil))
      default: text += TimeFormat.number(part, of: civil).padded(to: 2)
      }
    }
    return text
  }

  private static func number(_ part: Part, of civil: CivilTime) -> Int {
    switch part {
    case .month: civil.month
    case .day: civil.day
    case .hour: civil.hour
    case .halfHour: (civil.hour + 11) % 12 + 1
    case .minute: civil.minute
    default: civil.second
    }
  }

  static let monthNames = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

  fileprivate static func parts(of pattern: String) throws(TimeFormatError) -> [Part] {
    var parts: [Part] = []
    var literal = ""
    var rest = pattern[...]
    func problem(_ text: String) -> TimeFormatError {
      TimeFormatError(offset: pattern.utf8.distance(from: pattern.startIndex, to: rest.startIndex), problem: text)
    }
    while let character = rest.first {
      if character == "'" {
        guard let end = rest.dropFirst().firstIndex(of: "'") else { throw problem("unmatched apostrophe") }
        let quoted = rest[rest.index(after: rest.startIndex)..<end]
        literal += quoted.isEmpty ? "'" : quoted
        rest = rest[rest.index(after: end)...]
      } else if character.isASCII, character.isLetter {
        let run = rest.prefix { $0 == character }
        guard let part = part(of: run) else {
          throw problem("'\(run)' is not one of \(components); put other letters between apostrophes")
        }
        guard !parts.contains(where: { $0.isSameKind(as: part) }) else { throw problem("'\(run)' is repeated") }
        if !literal.isEmpty { parts.append(.literal(literal)) }
        literal = ""
        parts.append(part)
        rest = rest[run.endIndex...]
      } else {
        literal.append(character)
        rest = rest.dropFirst()
      }
    }
    if !literal.isEmpty { parts.append(.literal(literal)) }
    let hasHalves = parts.contains { $0 == .halfHour || $0 == .short(.halfHour) }
    guard hasHalves == parts.contains(.half) else {
      throw problem(
        hasHalves ? "the hours of 'h' need AM or PM, written 'a'" : "'a' needs the hours of 12, written 'h'")
    }
    return parts
  }

  private static let components = "yyyy M MM MMM d dd H HH h hh a mm ss S Z"

  private static func part(of run: Substring) -> Part? {
    switch run {
    case "yyyy": .year
    case "MM": .month
    case "M": .short(.month)
    case "MMM": .monthName
    case "d": .short(.day)
    case "H": .short(.hour)
    case "h": .short(.halfHour)
    case "hh": .halfHour
    case "a": .half
    case "Z": .zone
    case "dd": .day
    case "HH": .hour
    case "mm": .minute
    case "ss": .second
    default: run.first == "S" && run.count <= 9 ? .fraction(digits: run.count) : nil
    }
  }
}

/// What is wrong with the pattern of a ``TimeFormat``, and where.
package struct TimeFormatError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The UTF-8 offset in the pattern.
  package let offset: Int
  /// In lower case without a final period.
  package let problem: String

  package var description: String { problem }
}

/// A reader of digits and punctuation at the front of a text, for time formats.
struct DigitReader {
  private let bytes: UnsafeBufferPointer<UInt8>
  private var index = 0

  /// The bytes must outlive the reader.
  init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  var isAtEnd: Bool { index == bytes.count }

  /// Skips a byte if it is next, and returns whether it was.
  mutating func skip(_ byte: UInt8) -> Bool {
    guard index < bytes.count, bytes[index] == byte else { return false }
    index += 1
    return true
  }

  /// Skips these bytes if all of them are next, and returns whether they were.
  mutating func skip(_ text: String) -> Bool {
    for byte in text.utf8 where !skip(byte) { return false }
    return true
  }

  /// Reads a part of a time that is not literal: the half of a day in hours, an offset from UTC in seconds.
  mutating func value(of part: TimeFormat.Part) -> Int? {
    switch part {
    case .monthName: monthName()
    case .short: number(digits: 2) ?? number(digits: 1)
    case .half: word(["am", "pm"]).map { $0 * 12 }
    case .zone: offset()
    default: number(digits: part.digits)
    }
  }

  /// Reads an offset from UTC as seconds: `+09:00`, `+0900`, `+09` at the end, or `Z`.
  mutating func offset() -> Int? {
    if skip(UInt8(ascii: "Z")) || skip(UInt8(ascii: "z")) { return 0 }
    let isBehind = skip(ASCII.minus)
    guard isBehind || skip(ASCII.plus), let hours = number(digits: 2) else { return nil }
    var minutes = 0
    if !isAtEnd {
      _ = skip(ASCII.colon)
      guard let written = number(digits: 2) else { return nil }
      minutes = written
    }
    guard hours < 24, minutes < 60 else { return nil }
    return (hours * 3600 + minutes * 60) * (isBehind ? -1 : 1)
  }

  /// Reads a number of exactly that many digits; nil if there are fewer.
  mutating func number(digits: Int) -> Int? {
    let end = index + digits
    guard end <= bytes.count else { return nil }
    var value = 0
    for byte in bytes[index..<end] {
      let digit = byte &- ASCII.zero
      guard digit <= 9 else { return nil }
      value = value * 10 + Int(digit)
    }
    index = end
    return value
  }

  /// Reads the English name of a month in three letters, in any case, as its number.
  mutating func monthName() -> Int? { word(TimeFormat.monthNames).map { $0 + 1 } }

  /// Reads one of several words of the same length, in any case, as its place among them.
  private mutating func word(_ words: [String]) -> Int? {
    let end = index + (words.first?.utf8.count ?? 0)
    guard end <= bytes.count else { return nil }
    let letters = bytes[index..<end].map { $0 | 0x20 }
    guard let place = words.firstIndex(where: { $0.lowercased().utf8.elementsEqual(letters) }) else { return nil }
    index = end
    return place
  }

  /// Reads the fraction of a second as nanoseconds, of one or more digits; those beyond the ninth are cut off.
  mutating func fraction() -> Int? {
    var value = 0
    var count = 0
    while index < bytes.count {
      let digit = bytes[index] &- ASCII.zero
      if digit > 9 { break }
      if count < 9 { value = value * 10 + Int(digit) }
      count += 1
      index += 1
    }
    guard count > 0 else { return nil }
    return count < 9 ? value * Int(PowersOfTen.narrow[9 - count]) : value
  }
}
