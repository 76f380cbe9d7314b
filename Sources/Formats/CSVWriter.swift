import JSON
package import Quotes
import Terminal

/// A writer of comma-separated values (RFC 4180).
///
/// Lines end with CRLF (§2.1). A field with a comma, a quote or a line break is quoted, with quotes in it doubled
/// (§2.5-2.7).
///
/// Spreadsheets interpret a field that starts with `=`, `+`, `-`, `@`, tab or CR, or with the full-width form of one of
/// these signs, as a formula, even in quotes, and a formula can leak data; `|` starts a call to another program. An
/// exchange could name a coin `=HYPERLINK(...)`. `text` therefore puts an apostrophe before such a field; `number`
/// writes a field that starts with a sign as it is, but only if it really is a number.
///
/// An exchange could also put terminal escapes into a symbol, so invisible or active characters are written as
/// `\u{1B}`, including line breaks. Use JSON if the exact text of such a field is needed.
package struct CSVWriter: Sendable {
  /// A field of a record; without a value it is empty.
  package enum Field: Hashable, Sendable {
    /// Any text, including an exchange's.
    case text(String?)
    /// A decimal number such as `-0.40` or `+1.23`; anything else is written as text.
    case number(String?)

    package static func flag(_ isSet: Bool?) -> Field { .text(isSet.map { $0 ? "true" : "false" }) }

    /// Returns why fields of the record are empty, `volume not-offered; turnover not-offered`.
    ///
    /// - Parameter fields: The titles of fields, and the code why each has no value; nil if it has one.
    package static func reasons(_ fields: [(title: String, code: String?)]) -> Field {
      .text(fields.compactMap { title, code in code.map { "\(title) \($0)" } }.joined(separator: "; "))
    }
  }

  private var buffer: ByteBuffer

  /// The lines so far.
  package var text: String { buffer.text }

  /// Returns the lines as UTF-8.
  package consuming func finished() -> [UInt8] { buffer.finished() }

  /// Creates a writer without a header line.
  package init() { buffer = ByteBuffer() }

  /// - Parameters:
  ///   - titles: The header line.
  ///   - capacity: The number of bytes to reserve room for.
  package init(titles: [String], capacity: Int = 0) {
    buffer = ByteBuffer(capacity: capacity)
    addRecord(titles.map { .text($0) })
  }

  package mutating func addRecord(_ fields: [Field]) {
    for index in fields.indices {
      if index > 0 { buffer.append(Self.comma) }
      append(fields[index])
    }
    endLine()
  }

  // MARK: Records field by field

  /// Returns encoded fields, for use at the start of many records.
  package static func part(_ fields: [Field]) -> [UInt8] {
    var writer = CSVWriter()
    for field in fields { writer.add(field) }
    return writer.buffer.finished()
  }

  /// Adds fields encoded by ``part(_:)``.
  package mutating func add(part: [UInt8]) { part.withUnsafeBufferPointer { buffer.append(contentsOf: $0) } }

  package mutating func add(_ field: Field) {
    append(field)
    buffer.append(Self.comma)
  }

  /// Adds an exact number, or an empty field if nil.
  package mutating func add(_ value: Decimal?) {
    guard let value else { return buffer.append(Self.comma) }
    let isWritten = buffer.append(atMost: Decimal.writtenLength + 1) { place in
      guard let count = value.write(to: place) else { return nil }
      place[count] = Self.comma
      return count + 1
    }
    if isWritten { return }
    buffer.append(value.description)
    buffer.append(Self.comma)
  }

  package mutating func add(_ moment: Instant) {
    buffer.append(atMost: Instant.writtenLength + 1) { place in
      let count = moment.writeISO8601(to: place)
      place[count] = Self.comma
      return count + 1
    }
  }

  package mutating func add(_ flag: Bool) { add(part: flag ? Self.yes : Self.no) }

  private static let yes = Array("true,".utf8)
  private static let no = Array("false,".utf8)

  /// Ends a record by replacing the comma after its last field.
  package mutating func end() {
    buffer.removeLast()
    endLine()
  }

  private mutating func endLine() {
    buffer.append(UInt8(ascii: "\r"))
    buffer.append(UInt8(ascii: "\n"))
  }

  private static let comma = UInt8(ascii: ",")

  private mutating func append(_ field: Field) {
    switch field {
    case .number(nil), .text(nil): break
    case .number(let digits?) where Decimal(digits) != nil: buffer.append(digits)
    case .number(let words?), .text(let words?):
      guard !Self.isPlain(words) else { return buffer.append(words) }
      let inside = TerminalText.sanitized(Self.looksLikeFormula(words) ? "'" + words : words)
      buffer.append(Self.quoted(inside))
    }
  }

  /// Returns whether a text needs no quoting: nearly every field is only letters and digits.
  private static func isPlain(_ words: String) -> Bool {
    words.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: ":"):
        true
      default: false
      }
    }
  }

  private static func quoted(_ words: String) -> String {
    // Scalar by scalar: a quote followed by a combining mark is a different `Character`.
    let scalars = words.unicodeScalars
    guard scalars.contains(where: { ["\"", ",", "\n", "\r"].contains($0) }) else { return words }
    var inside = String.UnicodeScalarView()
    for scalar in scalars {
      if scalar == "\"" { inside.append(scalar) }
      inside.append(scalar)
    }
    return "\"" + String(inside) + "\""
  }

  private static func looksLikeFormula(_ words: String) -> Bool {
    guard let first = words.unicodeScalars.first else { return false }
    return ["=", "+", "-", "@", "\t", "\r", "|", "\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}"].contains(first)
  }
}
