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
struct CSVWriter: Sendable {
  /// A field of a record.
  enum Field: Hashable, Sendable {
    /// Words, the exchange's among them.
    case text(String)
    /// A decimal number as `-0.40` or `+1.23`; anything else is written as text.
    case number(String)
  }

  private(set) var text = ""

  /// - Parameter titles: the first line.
  init(titles: [String]) {
    addRecord(titles.map { .text($0) })
  }

  /// Adds a line.
  mutating func addRecord(_ fields: [Field]) {
    text += fields.map(Self.encoded).joined(separator: ",") + "\r\n"
  }

  private static func encoded(_ field: Field) -> String {
    switch field {
    case .number(let digits) where isNumber(digits): digits
    case .number(let words), .text(let words):
      quoted(TerminalText.sanitized(looksLikeFormula(words) ? "'" + words : words))
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
    var previous: Unicode.Scalar?
    for scalar in digits.unicodeScalars {
      switch scalar {
      case "0"..."9": seenDigit = true
      case "+", "-":
        guard previous == nil || previous == "e" || previous == "E" else { return false }
      case ".":
        guard !seenPoint, !seenExponent else { return false }
        seenPoint = true
      case "e", "E":
        guard seenDigit, !seenExponent else { return false }
        seenExponent = true
        seenDigit = false
      default: return false
      }
      previous = scalar
    }
    return seenDigit
  }
}
