import Config
import JSON

/// The search for the mistake in a config that is not JSON: its place and a plain hint.
///
/// Parsing stops where nothing fits. Usually the mistake is right there: a comment, an extra comma, a word without
/// quotes. A missing bracket is only noticed much later, often at the end of the file, so indentation is used to find
/// it.
enum BrokenText {
  struct Mistake: Sendable {
    /// The range of the wrong bytes; empty if something is missing.
    var range: Range<Int>
    var message: String
    var help: String?
    /// A replacement that lets the rest be parsed as intended; nil if it would be a guess.
    var repair: Repair?
    /// Whether the repair is safe enough for `--fix`.
    var isSafe = false
  }

  struct Repair: Sendable {
    /// In byte offsets.
    let range: Range<Int>
    let replacement: String
  }

  static func mistake(in bytes: [UInt8], _ error: JSONSyntaxError) -> Mistake {
    let text = SourceText(bytes)
    return encoding(of: text, error) ?? comment(in: text, error.offset) ?? comma(in: text, error)
      ?? word(in: text, error) ?? unclosedString(in: text, error) ?? bracket(in: text, error)
      ?? missingSeparator(in: text, error) ?? plain(text, error)
  }

  private static func encoding(of text: SourceText, _ error: JSONSyntaxError) -> Mistake? {
    let start = text.bytes.prefix(2)
    let marks: [[UInt8]] = [[0xFF, 0xFE], [0xFE, 0xFF], [UInt8(ascii: "{"), 0], [0, UInt8(ascii: "{")]]
    if marks.contains(Array(start)) {
      return Mistake(range: 0..<2, message: "the file is UTF-16; expected UTF-8", help: "save it as UTF-8")
    }
    guard error.problem == .byteOrderMark else { return nil }
    return Mistake(
      range: 0..<3, message: "unexpected byte order mark", help: "save the file as UTF-8 without it, or run with --fix",
      repair: Repair(range: 0..<3, replacement: ""), isSafe: true)
  }

  private static func comment(in text: SourceText, _ offset: Int) -> Mistake? {
    let end: Int
    if text.starts(with: "//", at: offset) || text.starts(with: "#", at: offset) {
      end = text.endOfLine(at: offset)
    } else if text.starts(with: "/*", at: offset) {
      let close = text.bytes.indices.dropFirst(offset + 2).first { text.starts(with: "*/", at: $0) }
      end = close.map { $0 + 2 } ?? text.count
    } else {
      return nil
    }
    // Preserve lines and columns.
    let blanks = text.bytes[offset..<end].map { $0 < 0x20 ? $0 : 0x20 }
    return Mistake(
      range: offset..<min(offset + 2, end), message: "JSON has no comments",
      help: "write it as a member, \"note\" or \"$comment\"",
      repair: Repair(range: offset..<end, replacement: String(decoding: blanks, as: UTF8.self)))
  }

  /// Finds a comma before a closing bracket or another comma.
  private static func comma(in text: SourceText, _ error: JSONSyntaxError) -> Mistake? {
    let offset = error.offset
    guard [.expectedName, .expectedNameAfterComma, .expectedValueAfterComma].contains(error.problem),
      let byte = text[offset], let end = text.endOfToken(before: offset)
    else { return nil }
    if byte == UInt8(ascii: ",") {
      let range = offset..<offset + 1
      return Mistake(range: range, message: "unexpected ','", repair: Repair(range: range, replacement: ""))
    }
    guard byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]"), text[end - 1] == UInt8(ascii: ",") else { return nil }
    return Mistake(
      range: end - 1..<end, message: "unexpected ',' before '\(Character(Unicode.Scalar(byte)))'",
      help: "remove the comma after the last member, or run with --fix",
      repair: Repair(range: end - 1..<end, replacement: ""), isSafe: true)
  }

  /// Finds a name or string in single quotes or without quotes.
  private static func word(in text: SourceText, _ error: JSONSyntaxError) -> Mistake? {
    var start = error.offset
    let isName = [.expectedName, .expectedNameAfterComma].contains(error.problem)
    switch error.problem {
    case .expectedName, .expectedNameAfterComma, .expectedValue, .expectedValueAfterComma: break
    case .misspelledLiteral: while start > 0, let byte = text[start - 1], byte.isLetter { start -= 1 }
    default: return nil
    }
    // Before the first value there are no missing quotes: the file must be something else.
    guard let first = text[start], text.endOfToken(before: start) != nil else { return nil }
    if first == UInt8(ascii: "'") {
      let close = (start + 1..<text.endOfLine(at: start)).first { text[$0] == first && text[$0 - 1] != 0x5C }
      guard let close else { return nil }
      return quoted(text.string(start + 1..<close), in: start..<close + 1, "expected double quotes")
    }
    guard first.isLetter || "_$".utf8.contains(first) else { return nil }
    let end = text.bytes[start...].firstIndex { $0 <= 0x20 || ":,\"{}[]".utf8.contains($0) } ?? text.count
    let word = text.string(start..<end)
    let hasQuote = text[end] == UInt8(ascii: "\"")
    if !isName, !hasQuote, let literal = Spelling.suggestion(for: word, among: ["true", "false", "null"]) {
      return Mistake(
        range: start..<end, message: "expected a value, found '\(word)'", help: "write \(literal)",
        repair: Repair(range: start..<end, replacement: literal))
    }
    if !isName, !hasQuote, ["nan", "inf", "infinity", "undefined", "none"].contains(word.lowercased()) {
      return Mistake(
        range: start..<end, message: "expected a value, found '\(word)'", help: "write a number, or remove the member",
        repair: Repair(range: start..<end, replacement: "null"))
    }
    return quoted(
      word, in: start..<(hasQuote ? end + 1 : end),
      isName ? "expected a name in double quotes" : "expected a value, found '\(word)'")
  }

  private static func quoted(_ word: String, in range: Range<Int>, _ message: String) -> Mistake {
    let literal = ConfigValue.quoted(word)
    return Mistake(
      range: range, message: message, help: word.utf8.count > 40 ? nil : "write \(literal)",
      repair: Repair(range: range, replacement: literal))
  }

  private static func unclosedString(in text: SourceText, _ error: JSONSyntaxError) -> Mistake? {
    switch error.problem {
    case .controlCharacter(0x0A), .controlCharacter(0x0D), .endInside(.string): break
    default: return nil
    }
    let limit = min(error.offset, text.count)
    guard let string = text.strings(inLineOf: max(0, limit - 1)).last(where: { $0.lowerBound < limit }) else {
      return nil
    }
    let column = text.string(text.startOfLine(at: string.lowerBound)..<string.lowerBound).unicodeScalars.count + 1
    return Mistake(
      range: limit..<limit, message: "unclosed string; expected '\"'", help: "it begins at column \(column)")
  }

  // MARK: Commas and colons

  /// Finds a missing comma or colon between two tokens.
  private static func missingSeparator(in text: SourceText, _ error: JSONSyntaxError) -> Mistake? {
    let offset = error.offset
    guard let next = text[offset], let end = text.endOfToken(before: offset) else { return nil }
    let begins = "\"{[".utf8.contains(next)
    let separator: String
    switch error.problem {
    case .expectedCommaOrBrace where text.isName(at: offset): separator = ","
    case .expectedCommaOrBracket where begins && !text.isName(at: offset): separator = ","
    case .expectedColon where begins || next == UInt8(ascii: "-") || next.isDigit || next.isLetter: separator = ":"
    default: return nil
    }
    return Mistake(
      range: place(of: end, before: offset, in: text), message: "\(error.problem)",
      repair: Repair(range: end..<end, replacement: separator))
  }

  /// A missing token goes right after the preceding one, perhaps lines above.
  private static func place(of end: Int, before offset: Int, in text: SourceText) -> Range<Int> {
    let isSameLine = !text.bytes[end..<min(offset, text.count)].contains(UInt8(ascii: "\n"))
    return isSameLine ? offset..<min(offset + 1, text.count) : end..<end
  }

  private static func plain(_ text: SourceText, _ error: JSONSyntaxError) -> Mistake {
    let offset = min(error.offset, text.count)
    var range = offset..<min(offset + 1, text.count)
    var help: String?
    switch error.problem {
    case .expectedCommaOrBrace, .expectedCommaOrBracket, .expectedColon:
      if let end = text.endOfToken(before: offset) { range = place(of: end, before: offset, in: text) }
    case .emptyText: help = "the smallest config is { \"version\": 1, \"extends\": \"builtin\" }"
    case .invalidUTF8: help = "save the file as UTF-8"
    case .unknownEscape: help = "write a backslash twice: \\\\"
    case .expectedValue where text.endOfToken(before: offset) == nil: help = "a config begins with {"
    default: break
    }
    return Mistake(range: range, message: "\(error.problem)", help: help)
  }

  // MARK: Brackets

  /// Each guess parses the whole text, and an unindented text would suggest one per line.
  private static let maximumGuesses = 20

  /// An open bracket and the indentation of its line.
  private struct Opening {
    let byte: UInt8
    let indentation: Int
    let line: Int
    /// The indentation of the first line inside the bracket.
    var inside: Int?

    var closer: UInt8 { byte + 2 }
  }

  /// Finds a missing or extra bracket by indentation. A line indented no more than that of the innermost open bracket
  /// is not inside it, so the closing bracket is missing before that line. A line indented more than its neighbors
  /// belongs to a bracket that was closed too early, or never opened. A guess is accepted only if it lets parsing get
  /// further.
  private static func bracket(in text: SourceText, _ error: JSONSyntaxError) -> Mistake? {
    let limit = min(error.offset, text.count)
    var stack: [Opening] = []
    var previous: Range<Int>?
    var start = 0
    var number = 0
    var guesses = 0
    while start <= limit, start < text.count, guesses < maximumGuesses {
      let end = text.bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? text.count
      number += 1
      defer { start = end + 1 }
      guard let first = text.startOfToken(from: start), first < end, let last = text.endOfToken(before: end) else {
        continue
      }
      let indentation = first - start
      let isCloser = "}]".utf8.contains(text.bytes[first])
      if let previous {
        // A closing bracket may be indented as little as the line that it closes.
        let open = stack.lastIndex { $0.line < number && $0.indentation < (isCloser ? indentation + 1 : indentation) }
        let unclosed = stack[min((open ?? 0) + 1, stack.count)...].filter { $0.line < number }
        let inside = stack.last.map { $0.inside ?? .max } ?? -1
        let isTooFarRight = indentation > inside || isCloser && indentation == inside
        if !unclosed.isEmpty || isTooFarRight { guesses += 1 }
        if !unclosed.isEmpty {
          if let found = closing(Array(unclosed), behind: previous.upperBound, next: first, text, limit) {
            return found
          }
        } else if isTooFarRight, let found = opening(previous, next: first, number, text, limit) {
          return found
        }
      }
      if let top = stack.indices.last, stack[top].inside == nil { stack[top].inside = indentation }
      text.forEachBracket(in: first..<last) { byte in
        if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") {
          stack.append(Opening(byte: byte, indentation: indentation, line: number))
        } else {
          _ = stack.popLast()
        }
      }
      previous = first..<last
    }
    // All lines are consistent, so the missing brackets belong at the end.
    guard limit >= text.count, !stack.isEmpty, let previous else { return nil }
    return closing(stack, behind: previous.upperBound, next: nil, text, limit)
  }

  /// - Parameter openings: the brackets that are still open, outermost first.
  private static func closing(
    _ openings: [Opening], behind end: Int, next: Int?, _ text: SourceText, _ limit: Int
  ) -> Mistake? {
    guard let innermost = openings.last else { return nil }
    let hasComma = text.bytes[end - 1] == UInt8(ascii: ",")
    let place = hasComma ? end - 1 : end
    // After a line that opens a bracket, the comma is missing too.
    let commas: [[UInt8]] = next != nil && !hasComma ? [[], [UInt8(ascii: ",")]] : [[]]
    // One at a time: fewer may be missing than the indentation suggests.
    for count in 1...openings.count {
      let closers = openings.suffix(count).reversed().map(\.closer)
      guard commas.contains(where: { text.reads(with: closers + $0, at: place..<place, beyond: limit) }) else {
        continue
      }
      return Mistake(
        range: place..<place,
        message: """
          expected '\(Character(Unicode.Scalar(innermost.closer)))' for the \
          '\(Character(Unicode.Scalar(innermost.byte)))' on line \(innermost.line)
          """,
        help: next == nil ? "the text ends here" : "the next line is indented less")
    }
    return nil
  }

  /// - Parameters:
  ///   - previous: the previous line, from its first to its last character.
  ///   - next: the start of the line that is indented too far.
  private static func opening(
    _ previous: Range<Int>, next: Int, _ line: Int, _ text: SourceText, _ limit: Int
  ) -> Mistake? {
    let strings = text.strings(inLineOf: previous.lowerBound)
    for index in previous.reversed()
    where "}]".utf8.contains(text.bytes[index]) && !strings.contains(where: { $0.contains(index) }) {
      guard text.reads(with: [], at: index..<index + 1, beyond: limit) else { continue }
      return Mistake(
        range: index..<index + 1, message: "unexpected '\(Character(Unicode.Scalar(text.bytes[index])))'",
        help: "line \(line) is indented as if the bracket were still open")
    }
    for opening in ["\"\": {", "{", "\"\": [", "["]
    where text.reads(with: Array(opening.utf8), at: next..<next, beyond: limit) {
      return Mistake(
        range: next..<next + 1, message: "expected '\(opening.suffix(1))' before this line",
        help: "it is indented more than the lines before it")
    }
    return nil
  }
}

/// The bytes of a text that is not valid JSON, with operations that work nevertheless.
struct SourceText {
  let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var count: Int { bytes.count }

  /// nil beyond the end.
  subscript(_ offset: Int) -> UInt8? { bytes.indices.contains(offset) ? bytes[offset] : nil }

  func startOfLine(at offset: Int) -> Int {
    bytes[..<min(offset, count)].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
  }

  /// Returns the end of the line, excluding its line break.
  func endOfLine(at offset: Int) -> Int {
    let end = bytes[min(offset, count)...].firstIndex(of: UInt8(ascii: "\n")) ?? count
    return end > 0 && self[end - 1] == UInt8(ascii: "\r") ? max(offset, end - 1) : end
  }

  func starts(with word: String, at offset: Int) -> Bool {
    offset <= count && bytes[offset...].starts(with: word.utf8)
  }

  func string(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  /// Returns the offset after the last non-blank byte before an offset.
  func endOfToken(before offset: Int) -> Int? {
    bytes[..<min(offset, count)].lastIndex { $0 > 0x20 }.map { $0 + 1 }
  }

  /// Returns the offset of the first non-blank byte at or after an offset.
  func startOfToken(from offset: Int) -> Int? {
    offset > count ? nil : bytes[offset...].firstIndex { $0 > 0x20 }
  }

  /// Returns the strings that start on a line, in order, including quotes; an unclosed one ends with its line.
  func strings(inLineOf offset: Int) -> [Range<Int>] {
    let end = endOfLine(at: offset)
    var result: [Range<Int>] = []
    var index = startOfLine(at: offset)
    while index < end {
      if bytes[index] == UInt8(ascii: "\"") {
        let close = endOfString(at: index, before: end)
        result.append(index..<close)
        index = close
      } else {
        index += 1
      }
    }
    return result
  }

  /// Returns the offset after the closing quote of a string that starts at an offset.
  private func endOfString(at offset: Int, before limit: Int) -> Int {
    var index = offset + 1
    while index < limit {
      if bytes[index] == UInt8(ascii: "\\") {
        index += 2
        continue
      }
      index += 1
      if bytes[index - 1] == UInt8(ascii: "\"") { break }
    }
    return min(index, limit)
  }

  /// Returns whether a string followed by a colon starts at an offset.
  func isName(at offset: Int) -> Bool {
    guard self[offset] == UInt8(ascii: "\"") else { return false }
    let end = endOfString(at: offset, before: endOfLine(at: offset))
    return startOfToken(from: end).map { bytes[$0] == UInt8(ascii: ":") } ?? false
  }

  /// Calls `body` for each bracket outside strings in a range of one line.
  func forEachBracket(in range: Range<Int>, _ body: (UInt8) -> Void) {
    var index = range.lowerBound
    while index < range.upperBound {
      if bytes[index] == UInt8(ascii: "\"") {
        index = endOfString(at: index, before: range.upperBound)
      } else {
        if "{}[]".utf8.contains(bytes[index]) { body(bytes[index]) }
        index += 1
      }
    }
  }

  /// Returns whether the text with a replacement is JSON, or can be parsed beyond `limit`, where parsing stopped.
  func reads(with replacement: [UInt8], at range: Range<Int>, beyond limit: Int) -> Bool {
    var patched = bytes
    patched.replaceSubrange(range, with: replacement)
    do throws(JSONSyntaxError) {
      _ = try JSONDocument(parsing: patched)
      return true
    } catch {
      return error.offset > limit + replacement.count - range.count
    }
  }
}

extension UInt8 {
  var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

  var isLetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) }
}
