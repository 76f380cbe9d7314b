import Config
import JSON
import Quotes

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
    /// Whether the repair has nothing to do with what was meant.
    var isMadeUp = false
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

  /// What word processors and chats make of quotes; each has three bytes.
  private static let curlyQuotes = ["\u{201C}", "\u{201D}", "\u{201E}", "\u{2018}", "\u{2019}"]

  /// Finds a name or string in single or curly quotes, or without quotes.
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
    if curlyQuotes.contains(where: { text.starts(with: $0, at: start) }) {
      let close = (start + 3..<text.endOfLine(at: start)).first { place in
        curlyQuotes.contains { text.starts(with: $0, at: place) }
      }
      guard let close else { return nil }
      return quoted(text.string(start + 3..<close), in: start..<close + 3, "expected straight double quotes")
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
        repair: Repair(range: start..<end, replacement: "null"), isMadeUp: true)
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
    var guesses = 0
    for line in text.lines(to: limit) {
      if guesses == maximumGuesses { break }
      let isCloser = "}]".utf8.contains(text.bytes[line.content.lowerBound])
      if let previous {
        let unclosed = unclosed(stack, before: line, isCloser: isCloser)
        let inside = stack.last.map { $0.inside ?? .max } ?? -1
        let isTooFarRight = line.indentation > inside || isCloser && line.indentation == inside
        if !unclosed.isEmpty || isTooFarRight { guesses += 1 }
        let found =
          if !unclosed.isEmpty {
            closing(unclosed, behind: previous.upperBound, isLast: false, text, limit)
          } else {
            isTooFarRight ? opening(previous, before: line, text, limit) : nil
          }
        if let found { return found }
      }
      if let top = stack.indices.last, stack[top].inside == nil { stack[top].inside = line.indentation }
      text.forEachBracket(in: line.content) { byte in
        if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") {
          stack.append(Opening(byte: byte, indentation: line.indentation, line: line.number))
        } else {
          _ = stack.popLast()
        }
      }
      previous = line.content
    }
    // All lines are consistent, so the missing brackets belong at the end.
    guard limit >= text.count, !stack.isEmpty, let previous else { return nil }
    return closing(stack, behind: previous.upperBound, isLast: true, text, limit)
  }

  /// Returns the open brackets that a line is not indented enough to be inside of.
  private static func unclosed(_ stack: [Opening], before line: SourceText.Line, isCloser: Bool) -> [Opening] {
    // A closing bracket may be indented as little as the line that it closes.
    let indentation = isCloser ? line.indentation + 1 : line.indentation
    let open = stack.lastIndex { $0.line < line.number && $0.indentation < indentation }
    return stack[min((open ?? 0) + 1, stack.count)...].filter { $0.line < line.number }
  }

  /// - Parameters:
  ///   - openings: the brackets that are still open, outermost first.
  ///   - isLast: whether no line follows.
  private static func closing(
    _ openings: [Opening], behind end: Int, isLast: Bool, _ text: SourceText, _ limit: Int
  ) -> Mistake? {
    guard let innermost = openings.last else { return nil }
    let hasComma = text.bytes[end - 1] == UInt8(ascii: ",")
    let place = hasComma ? end - 1 : end
    // After a line that opens a bracket, the comma is missing too.
    let commas: [[UInt8]] = isLast || hasComma ? [[]] : [[], [UInt8(ascii: ",")]]
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
        help: isLast ? "the text ends here" : "the next line is indented less")
    }
    return nil
  }

  /// - Parameters:
  ///   - previous: the previous line, from its first to its last character.
  ///   - line: the line that is indented too far.
  private static func opening(
    _ previous: Range<Int>, before line: SourceText.Line, _ text: SourceText, _ limit: Int
  ) -> Mistake? {
    let strings = text.strings(inLineOf: previous.lowerBound)
    for index in previous.reversed()
    where "}]".utf8.contains(text.bytes[index]) && !strings.contains(where: { $0.contains(index) }) {
      guard text.reads(with: [], at: index..<index + 1, beyond: limit) else { continue }
      return Mistake(
        range: index..<index + 1, message: "unexpected '\(Character(Unicode.Scalar(text.bytes[index])))'",
        help: "line \(line.number) is indented as if the bracket were still open")
    }
    let next = line.content.lowerBound
    for opening in ["\"\": {", "{", "\"\": [", "["]
    where text.reads(with: Array(opening.utf8), at: next..<next, beyond: limit) {
      return Mistake(
        range: next..<next + 1, message: "expected '\(opening.suffix(1))' before this line",
        help: "it is indented more than the lines before it")
    }
    return nil
  }
}
