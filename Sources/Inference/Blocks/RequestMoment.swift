import Config
package import Quotes

/// A moment as written in a request.
package struct RequestMoment: Sendable, Hashable {
  package let at: Instant
  /// What follows `{from` or `{to` in the template that formats moments this way: `.ms`, `:yyyy-MM-dd'T'HH:mm:ss'Z'`;
  /// nil if there is none, or if its zone is unknown.
  package let template: String?

  /// Returns nil if the text is not a moment.
  package init?(_ text: String) {
    let text = Self.withoutDecodedPlus(text)
    guard let form = TimeRole.form(of: [text]) ?? (text.utf8.count >= 10 ? TimeRole.dateForm(of: [text]) : nil),
      let at = TimeRole.moment(text, form)
    else { return nil }
    switch form {
    case .unit(.seconds): template = ".s"
    case .unit(.milliseconds): template = ".ms"
    case .iso8601(saysZone: true): template = Self.template(text, at)
    case .unit, .iso8601, .date: template = nil
    }
    self.at = at
  }

  /// Returns a moment whose zone its text does not say, taken for UTC, and its format: `yyyyMMdd`,
  /// `yyyy-MM-dd'T'HH:mm:ss`; nil if it is in no known form.
  package static func ofAnyZone(_ text: String) -> (at: Instant, format: String)? {
    if let form = TimeRole.dateForm(of: [text]), case .date(let format) = form, let at = TimeRole.moment(text, form) {
      return (at, format)
    }
    guard let form = TimeRole.form(of: [text]), form == .iso8601(saysZone: false),
      let at = TimeRole.moment(text, form), let template = template(text + "Z", at)
    else { return nil }
    return (at, String(template.dropFirst()).replacing("'Z'", with: ""))
  }

  /// Returns whether a text begins with a date, such as `2026-11-24T00` or `20261124T000000Z`.
  package static func begins(_ text: String) -> Bool {
    text.first.map { $0.isASCII && $0.isNumber } == true && isNamed(in: text, onlyAtStart: true)
  }

  /// Returns whether a text has a date in it. It may be something else, such as a version.
  package static func isNamed(in text: String, onlyAtStart: Bool = false) -> Bool {
    guard !text.contains("{") else { return false }
    let pieces = text.split { !$0.isASCII || !$0.isNumber }.map(String.init)
    func isDate(_ year: String, _ month: String, _ day: String) -> Bool {
      guard let year = Int(year), let month = Int(month), let day = Int(day) else { return false }
      return (2009...2100).contains(year) && (1...12).contains(month) && (1...31).contains(day)
    }
    for index in onlyAtStart ? pieces.indices.prefix(1) : pieces.indices {
      let piece = pieces[index]
      if TimeRole.form(of: [piece]) != nil { return true }
      let (year, month) = (String(piece.prefix(4)), String(piece.dropFirst(4).prefix(2)))
      if piece.count == 8, isDate(year, month, String(piece.suffix(2))) { return true }
      guard index + 2 < pieces.count else { continue }
      let (next, last) = (pieces[index + 1], String(pieces[index + 2].prefix(2)))
      if piece.count == 4, isDate(piece, next, last) { return true }
      if pieces[index + 2].count == 4, isDate(pieces[index + 2], next, piece) { return true }
    }
    return false
  }

  /// Returns a text with the `+` of its zone, which in a query stands for a space: `2026-11-24T00:00:00 00:00`.
  private static func withoutDecodedPlus(_ text: String) -> String {
    guard text.contains("T"), let space = text.lastIndex(of: " ") else { return text }
    let zone = text[text.index(after: space)...]
    guard zone.count == 5, UTCOffset.seconds("+" + zone) != nil else { return text }
    return text[..<space] + "+" + zone
  }

  /// Returns the format of a moment written like `2026-11-24T00:00:00.000Z` in UTC, or in the zone at its end:
  /// `:yyyy-MM-dd'T'HH:mm:ss'+09:00'@+09:00`.
  private static func template(_ text: String, _ at: Instant) -> String? {
    let zone = text.hasSuffix("Z") ? "Z" : String(text.suffix(6))
    guard let offset = zone == "Z" ? 0 : UTCOffset.seconds(zone) else { return nil }
    let days = "yyyy-MM-dd"
    for separator in ["'T'", " "] {
      for time in ["HH:mm", "HH:mm:ss"] + (1...9).map({ "HH:mm:ss." + String(repeating: "S", count: $0) }) {
        let pattern = "\(days)\(separator)\(time)'\(zone)'"
        guard (try? TimeFormat(pattern))?.parse(text, offsetSeconds: offset) == at else { continue }
        return ":" + pattern + (zone == "Z" ? "" : "@" + zone)
      }
    }
    return nil
  }
}
