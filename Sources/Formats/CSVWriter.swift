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

  private var bytes: [UInt8] = []

  /// The lines so far.
  package var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Without a line of titles.
  package init() {}

  /// - Parameter titles: the first line.
  package init(titles: [String]) {
    addRecord(titles.map { .text($0) })
  }

  /// Adds a line.
  package mutating func addRecord(_ fields: [Field]) {
    for index in fields.indices {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      append(fields[index])
    }
    bytes.append(UInt8(ascii: "\r"))
    bytes.append(UInt8(ascii: "\n"))
  }

  // MARK: Records field by field

  /// Fields as they stand in a record, made once where they begin many.
  package static func part(_ fields: [Field]) -> [UInt8] {
    var writer = CSVWriter()
    for field in fields { writer.add(field) }
    return writer.bytes
  }

  /// Adds fields made beforehand.
  package mutating func add(part: [UInt8]) { bytes += part }

  package mutating func add(_ field: Field) {
    append(field)
    bytes.append(UInt8(ascii: ","))
  }

  /// An exact number; nothing where there is none.
  package mutating func add(_ value: Decimal?) {
    if let value {
      let written = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Decimal.writtenLength) { buffer in
        guard let start = buffer.baseAddress, let count = value.write(to: start) else { return false }
        bytes.append(contentsOf: UnsafeBufferPointer(start: start, count: count))
        return true
      }
      if !written { bytes.append(contentsOf: value.description.utf8) }
    }
    bytes.append(UInt8(ascii: ","))
  }

  package mutating func add(_ moment: Instant) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Instant.writtenLength) { buffer in
      guard let start = buffer.baseAddress else { return }
      bytes.append(contentsOf: UnsafeBufferPointer(start: start, count: moment.writeISO8601(to: start)))
    }
    bytes.append(UInt8(ascii: ","))
  }

  package mutating func add(_ flag: Bool) { add(part: flag ? Self.yes : Self.no) }

  private static let yes = Array("true,".utf8)
  private static let no = Array("false,".utf8)

  /// Ends a record: its last field has a comma behind it.
  package mutating func end() {
    bytes.removeLast()
    bytes.append(UInt8(ascii: "\r"))
    bytes.append(UInt8(ascii: "\n"))
  }

  private mutating func append(_ field: Field) {
    switch field {
    case .number(let digits) where Self.isNumber(digits): bytes.append(contentsOf: digits.utf8)
    case .number(let words), .text(let words):
      guard !Self.isPlain(words) else { return bytes.append(contentsOf: words.utf8) }
      let inside = TerminalText.sanitized(Self.looksLikeFormula(words) ? "'" + words : words)
      bytes.append(contentsOf: Self.quoted(inside).utf8)
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
