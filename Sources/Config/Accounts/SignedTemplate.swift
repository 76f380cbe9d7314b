package import JSONPath
package import Quotes

/// A text of `auth` with placeholders, each optionally followed by filters: `{now.ms}{method}{body|sha512|hex}`.
package struct SignedTemplate: Sendable {
  /// A filter that follows a placeholder and applies to the output of those before it.
  package enum Filter: String, CaseIterable, Sendable {
    case lower, upper
    /// Digests of bytes, or of the UTF-8 of a text.
    case sha256, sha512, md5
    /// Bytes to text.
    case hex, base64, base64url
    /// Base64 text to bytes.
    case unbase64
    /// Writes the text as a number in JSON.
    case number
  }

  /// A part of the request being signed.
  package enum RequestPart: String, CaseIterable, Sendable { case method, host, path, query, body, target, url }

  package enum ClockUnit: String, CaseIterable, Sendable {
    case seconds = "s"
    case milliseconds = "ms"
    case microseconds = "us"

    package var nanoseconds: Int64 {
      switch self {
      case .seconds: 1_000_000_000
      case .milliseconds: 1_000_000
      case .microseconds: 1_000
      }
    }
  }

  package enum Placeholder: Sendable {
    /// A value of `auth`, a name from `set`, or `keys`.
    case name(String)
    case part(RequestPart)
    /// The current time plus an offset.
    case now(ClockUnit, laterNanoseconds: Int64)
    /// A number that increases with each request.
    case nonce(ClockUnit)
    case uuid
    case date(TimeFormat, offsetSeconds: Int)
    case secret(String)
  }

  package enum Piece: Sendable {
    case text(String)
    case placeholder(Placeholder, [Filter])
  }

  package let pieces: [Piece]
  /// The plain names, each with its UTF-8 offset in the text.
  package let names: [(name: String, offset: Int)]

  /// The names that a value cannot have, because they have another meaning.
  package static let reservedNames =
    RequestPart.allCases.map(\.rawValue) + ["uuid", "keys", "now", "nonce", "date", "secret"]

  package init(_ text: String) throws(SyntaxError) {
    var pieces: [Piece] = []
    var names: [(name: String, offset: Int)] = []
    for stretch in try TemplateStretch.stretches(of: text) {
      switch stretch {
      case .text(let literal): pieces.append(.text(literal))
      case .placeholder(let inside, let offset):
        let (placeholder, filters) = try Self.placeholder(inside, offset: offset)
        if case .name(let name) = placeholder { names.append((name, offset)) }
        pieces.append(.placeholder(placeholder, filters))
      }
    }
    self.pieces = pieces
    self.names = names
  }

  private static func placeholder(_ text: Substring, offset: Int) throws(SyntaxError) -> (Placeholder, [Filter]) {
    let parts = text.split(separator: "|", omittingEmptySubsequences: false)
    var filters: [Filter] = []
    var place = offset + parts[0].utf8.count + 1
    for part in parts.dropFirst() {
      guard let filter = Filter(rawValue: String(part)) else {
        let known = Filter.allCases.map(\.rawValue).listed("or")
        throw SyntaxError(offset: place, message: "unknown filter '\(part)'; expected \(known)")
      }
      if filters.last == .number { throw SyntaxError(offset: place, message: "nothing can follow 'number'") }
      filters.append(filter)
      place += part.utf8.count + 1
    }
    return (try plain(parts[0], offset: offset), filters)
  }

  private static func plain(_ text: Substring, offset: Int) throws(SyntaxError) -> Placeholder {
    if text.isEmpty { throw TemplateStretch.unnamed(at: offset) }
    if text.hasPrefix("date:") {
      let (format, seconds) = try Template.moment(text.dropFirst(5), offset: offset + 5)
      return .date(format, offsetSeconds: seconds)
    }
    if text.hasPrefix("secret:") { return .secret(String(text.dropFirst(7))) }
    if text == "uuid" { return .uuid }
    if let part = RequestPart(rawValue: String(text)) { return .part(part) }
    if text.hasPrefix("now.") {
      let parts = text.dropFirst(4).split(separator: "+", maxSplits: 1, omittingEmptySubsequences: false)
      if let unit = ClockUnit(rawValue: String(parts[0])) {
        guard parts.count == 2 else { return .now(unit, laterNanoseconds: 0) }
        // No signature is valid for longer than a year.
        guard let later = DurationText.milliseconds(String(parts[1])), later <= 366 * 86_400_000 else {
          throw SyntaxError(
            offset: offset + 5 + parts[0].utf8.count, message: "invalid duration '\(parts[1])' after '+'")
        }
        return .now(unit, laterNanoseconds: Int64(later) * 1_000_000)
      }
    }
    if text.hasPrefix("nonce."), let unit = ClockUnit(rawValue: String(text.dropFirst(6))) { return .nonce(unit) }
    return .name(String(text))
  }

  package var placeholders: [(placeholder: Placeholder, filters: [Filter])] {
    pieces.compactMap {
      if case .placeholder(let placeholder, let filters) = $0 { (placeholder, filters) } else { nil }
    }
  }

  /// The names of the secrets used.
  package var secretNames: [String] {
    placeholders.compactMap { if case .secret(let name) = $0.placeholder { name } else { nil } }
  }

  /// The unit of the nonce used; nil if there is none.
  package var nonceUnit: ClockUnit? {
    for case (.nonce(let unit), _) in placeholders { return unit }
    return nil
  }

  /// Whether the text is a single placeholder that is written as a number in JSON.
  package var isNumber: Bool {
    guard pieces.count == 1, case .placeholder(_, let filters) = pieces[0] else { return false }
    return filters.last == .number
  }
}
