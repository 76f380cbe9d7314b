import Config
import JSON

/// Finds the mistake in a config that is no JSON, its place and its remedy.
///
/// A reader stops where nothing fits any more. What was meant stands there in most cases: a comment, a comma too many, a
/// word without quotes. A bracket that is lost or too many is noticed much later, often at the end of the file; there the
/// indentation of the lines tells the place.
enum BrokenText {
  struct Repair: Hashable {
    /// Byte offsets.
    let range: Range<Int>
    let replacement: String
  }

  struct Mistake: Hashable {
    /// How sure the remedy is.
    enum Certainty: Hashable {
      /// There is none, or it is a guess: what comes behind it is left alone.
      case guess
      /// The rest can be read as if it had been made.
      case certain
      /// So harmless that `--fix` makes it.
      case safe
    }

    /// The bytes that are wrong; empty where something is missing.
    var range: Range<Int>
    var message: String
    var help: String?
    /// The edit that would put it right. It adds and removes no line.
    var repair: Repair?
    var certainty = Certainty.guess
    /// Whether the edit writes something that only stands in for what was meant: nothing is said of that.
    var standsIn = false
  }

  static func mistake(in bytes: [UInt8], _ error: JSONSyntaxError) -> Mistake {
    let text = SourceText(bytes)
    return encoding(of: text, error) ?? foreignSyntax(in: text, error) ?? lostQuote(in: text, error)
      ?? BracketGuess.mistake(in: text, error) ?? missingSeparator(in: text, error) ?? plain(text, error)
  }

  // MARK: Encodings

  private static func encoding(of text: SourceText, _ error: JSONSyntaxError) -> Mistake? {
    let bytes = text.bytes
    if let order = UTF16Order(of: bytes) {
      return Mistake(
        range: 0..<min(bytes.count, 2), message: "the file is written in UTF-16 (\(order.name))",
        help: "save it as UTF-8")
    }
    switch error.problem {
    case .byteOrderMark:
      return Mistake(
        range: 0..<3, message: "a byte order mark stands before the text",
        help: "save the file as UTF-8 without BOM; --fix takes the mark away",
        repair: Repair(range: 0..<3, replacement: ""), certainty: .safe)
    case .invalidUTF8:
      return Mistake(
        range: error.offset..<min(error.offset + 1, bytes.count), message: "\(error.problem)",
        help: "save the file as UTF-8")
    default: return nil
    }
  }

  // MARK: Commas and colons

  /// A comma or colon that is not there, between two things that are.
  private static func missingSeparator(in text: SourceText, _ error: JSONSyntaxError) -> Mistake? {
    let offset = error.offset
    guard let next = text[offset], let end = text.endOfToken(before: offset) else { return nil }
    let begins = next == UInt8(ascii: "\"") || next == UInt8(ascii: "{") || next == UInt8(ascii: "[")
    let separator: String
    switch error.problem {
    case .expectedCommaOrBrace where text.isName(at: offset): separator = ","
    case .expectedCommaOrBracket where begins && !text.isName(at: offset): separator = ","
    case .expectedColon where begins || next.isDigitOrMinus || text.isLiteral(at: offset): separator = ":"
    default: return nil
    }
    return Mistake(
      range: place(of: end, before: offset, in: text), message: "\(error.problem)",
      repair: Repair(range: end..<end, replacement: separator), certainty: .certain)
  }

  /// What is missing belongs behind the last thing that was there, perhaps lines above.
  private static func place(of end: Int, before offset: Int, in text: SourceText) -> Range<Int> {
    text.line(of: end) == text.line(of: offset) ? offset..<min(offset + 1, text.count) : end..<end
  }

  private static func plain(_ text: SourceText, _ error: JSONSyntaxError) -> Mistake {
    let offset = min(error.offset, text.count)
    var range = offset..<min(offset + 1, text.count)
    switch error.problem {
    case .expectedCommaOrBrace, .expectedCommaOrBracket, .expectedColon:
      if let end = text.endOfToken(before: offset) { range = place(of: end, before: offset, in: text) }
    default: break
    }
    return Mistake(range: range, message: "\(error.problem)", help: help(in: text, error))
  }

  private static func help(in text: SourceText, _ error: JSONSyntaxError) -> String? {
    let offset = error.offset
    switch error.problem {
    case .emptyText: return "the smallest config is { \"version\": 1, \"extends\": \"builtin\" }"
    case .leadingZero: return "write the number without it, or as a text in double quotes"
    case .expectedDigitAfterPoint: return "write 5.0 or 5, not \"5.\""
    case .controlCharacter(0x09): return "write \\t"
    case .unknownEscape: return "a backslash is written twice: \\\\"
    case .contentAfterValue where text[offset] == UInt8(ascii: "{") || text[offset] == UInt8(ascii: "["):
      return "a config is one object: put the members of the second into the first"
    case .expectedValue where text[offset] == UInt8(ascii: "<") && text.endOfToken(before: offset) == nil:
      return "this looks like a web page, not like a config"
    case .expectedValue where text.endOfToken(before: offset) == nil: return "a config begins with {"
    case .expectedNameAfterComma where text[offset]?.isDigitOrMinus == true:
      return "a number has no thousands separator"
    default: return nil
    }
  }
}

/// The order of the two bytes in a text of UTF-16.
enum UTF16Order {
  case littleEndian, bigEndian

  /// Told by the mark at the beginning, else by the zeros beside the first brace; nil for any other text.
  init?(of bytes: [UInt8]) {
    guard bytes.count >= 2 else { return nil }
    switch (bytes[0], bytes[1]) {
    case (0xFF, 0xFE), (UInt8(ascii: "{"), 0): self = .littleEndian
    case (0xFE, 0xFF), (0, UInt8(ascii: "{")): self = .bigEndian
    default: return nil
    }
  }

  var name: String { self == .littleEndian ? "little endian" : "big endian" }

  /// The beginning of the text, as UTF-8.
  func beginning(of bytes: [UInt8], units count: Int) -> String {
    var units: [UInt16] = []
    for index in stride(from: 0, to: min(bytes.count - 1, count * 2), by: 2) {
      let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
      units.append(self == .littleEndian ? second << 8 | first : first << 8 | second)
    }
    return String(decoding: units.first == 0xFEFF ? units.dropFirst() : units[...], as: UTF16.self)
  }
}

extension UInt8 {
  var isDigitOrMinus: Bool { self == UInt8(ascii: "-") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}
