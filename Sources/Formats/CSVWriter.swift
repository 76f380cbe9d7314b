import JSON
package import Quotes
import Terminal

/// Writes comma-separated values as RFC 4180 has them.
///
/// Lines end with CRLF (§2.1). A field with a comma, a quote or a line break stands in quotes, quotes in it are
/// doubled (§2.5-2.7).
///
/// A spreadsheet takes a field that begins with `=`, `+`, `-`, `@`, tab or CR, or with one of these signs as wide as an
/// ideograph, for a formula, even in quotes, and a formula can send data away; `|` begins the call of another program. An exchange could name a coin `=HYPERLINK(...)`. So `text` puts an apostrophe before such
/// a field; `number` writes a field that begins with a sign as it is, but only if it is a number indeed.
///
/// An exchange could also put a terminal's escapes into a symbol, so what is invisible or active is written as `\u{1B}`, line
/// breaks too. Who needs the exact text of such a field asks for JSON.
package struct CSVWriter: Sendable {
  /// A field of a record.
  package enum Field: Hashable, Sendable {
    /// Words, the exchange's among them.
    case text(String)
    /// A decimal number as `-0.40` or `+1.23`; anything else is written as text.
    case number(String)
  }

  private var buffer = ByteBuffer()

  /// The lines so far.
  package var text: String { buffer.text }

  /// Without a line of titles.
  package init() {}

  /// - Parameter titles: the first line.
  package init(titles: [String]) {
    addRecord(titles.map { .text($0) })
  }

  /// Adds a line.
  package mutating func addRecord(_ fields: [Field]) {
    for index in fields.indices {
      if index > 0 { buffer.append(Self.comma) }
      append(fields[index])
    }
    endLine()
  }

  // MARK: Records field by field

  /// The bytes of leading fields that many records share.
  package static func part(_ fields: [Field]) -> [UInt8] {
    var writer = CSVWriter()
    for field in fields { writer.add(field) }
    return writer.buffer.finished()
  }

  /// Adds fields made by ``part(_:)``.
  package mutating func add(part: [UInt8]) { part.withUnsafeBufferPointer { buffer.append(contentsOf: $0) } }

  package mutating func add(_ field: Field) {
    append(field)
    buffer.append(Self.comma)
  }

  /// An exact number; nothing where there is none.
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

  /// Ends a record, whose last field has a comma behind it.
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
    case .number(let digits) where Self.isNumber(digits): buffer.append(digits)
    case .number(let words), .text(let words):
      guard !Self.isPlain(words) else { return buffer.append(words) }
      let inside = TerminalText.sanitized(Self.looksLikeFormula(words) ? "'" + words : words)
      buffer.append(Self.quoted(inside))
    }
  }

  /// Whether a text stands as it is: letters and digits, as nearly every field has them.
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
    // Scalar by scalar: a quote with a combining mark behind it is another `Character` than a quote.
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

  /// An optional sign, digits, at most one point, an optional exponent.
  private static func isNumber(_ digits: String) -> Bool {
    var seenDigit = false
    var seenPoint = false
    var seenExponent = false
    var previous: UInt8 = 0
    for byte in digits.utf8 {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): seenDigit = true
      case UInt8(ascii: "+"), UInt8(ascii: "-"):
        guard previous == 0 || previous == UInt8(ascii: "e") || previous == UInt8(ascii: "E") else { return false }
      case UInt8(ascii: "."):
        guard !seenPoint, !seenExponent else { return false }
        seenPoint = true
      case UInt8(ascii: "e"), UInt8(ascii: "E"):
        guard seenDigit, !seenExponent else { return false }
        seenExponent = true
        seenDigit = false
      default: return false
      }
      previous = byte
    }
    return seenDigit
  }
}
