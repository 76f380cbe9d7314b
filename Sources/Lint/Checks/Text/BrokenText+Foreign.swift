import Config
import JSON

extension BrokenText {
  /// What other languages have and JSON has not, at the very place where a reader stops.
  static func foreignSyntax(in text: SourceText, _ error: JSONSyntaxError) -> Mistake? {
    guard error.offset < text.count else { return nil }
    return conflict(in: text, error.offset) ?? comment(in: text, error.offset) ?? comma(in: text, error)
      ?? otherQuote(in: text, error) ?? sign(in: text, error) ?? name(in: text, error) ?? word(in: text, error)
  }

  private static func conflict(in text: SourceText, _ offset: Int) -> Mistake? {
    guard text.startOfLine(at: offset) == offset,
      ["<<<<<<<", "=======", ">>>>>>>"].contains(where: { text.starts(with: $0, at: offset) })
    else { return nil }
    return Mistake(
      range: offset..<offset + 7, message: "a mark of a merge conflict",
      help: "keep one of the two sides, and remove the marks")
  }

  private static func comment(in text: SourceText, _ offset: Int) -> Mistake? {
    let end: Int
    var length = 2
    if text.starts(with: "//", at: offset) {
      end = text.endOfLine(at: offset)
    } else if text.starts(with: "#", at: offset) {
      (end, length) = (text.endOfLine(at: offset), 1)
    } else if text.starts(with: "/*", at: offset) {
      let close = text.bytes.indices.dropFirst(offset + 2).first { text.starts(with: "*/", at: $0) }
      end = close.map { $0 + 2 } ?? text.count
    } else {
      return nil
    }
    let blanks = text.bytes[offset..<end].map { $0 < 0x20 ? $0 : 0x20 }
    return Mistake(
      range: offset..<offset + length, message: "JSON has no comments",
      help: "write it as a member: \"note\" or \"$comment\"",
      repair: Repair(range: offset..<end, replacement: String(decoding: blanks, as: UTF8.self)),
      certainty: .certain)
  }

  /// A comma before a bracket that closes, or before another comma.
  private static func comma(in text: SourceText, _ error: JSONSyntaxError) -> Mistake? {
    let offset = error.offset
    let close: Character
    switch (error.problem, text[offset]) {
    case (.expectedNameAfterComma, UInt8(ascii: "}")): close = "}"
    case (.expectedValueAfterComma, UInt8(ascii: "]")): close = "]"
    case (.expectedNameAfterComma, UInt8(ascii: ",")), (.expectedValueAfterComma, UInt8(ascii: ",")),
      (.expectedName, UInt8(ascii: ",")):
      return Mistake(
        range: offset..<offset + 1, message: "a ',' too many",
        repair: Repair(range: offset..<offset + 1, replacement: ""), certainty: .certain)
    default: return nil
    }
    guard let end = text.endOfToken(before: offset) else { return nil }
    return Mistake(
      range: end - 1..<end, message: "a ',' before '\(close)'",
      help: "nothing stands behind the last member; --fix takes the comma away",
      repair: Repair(range: end - 1..<end, replacement: ""), certainty: .safe)
  }

  // MARK: Quotes

  /// Typographic quotes, single ones and backticks.
  private static func otherQuote(in text: SourceText, _ error: JSONSyntaxError) -> Mistake? {
    if let quote = typographicEnd(in: text, error) { return quote }
    let offset = error.offset
    let isOpening =
      switch error.problem {
      case .expectedValue, .expectedValueAfterComma, .expectedName, .expectedNameAfterComma, .contentAfterValue: true
      default: false
      }
    guard isOpening else { return nil }
    let end = text.endOfLine(at: offset)
    if let length = typographicQuote(in: text, at: offset) {
      let rest = offset + length..<end
      let close = rest.first { typographicQuote(in: text, at: $0) != nil || text[$0] == UInt8(ascii: "\"") }
      let closeEnd = close.map { $0 + (typographicQuote(in: text, at: $0) ?? 1) }
      return Mistake(
        range: offset..<offset + length, message: "\(text.string(offset..<offset + length)) is no quote of JSON",
        help: "write \"",
        repair: close.flatMap { close in
          closeEnd.map {
            Repair(range: offset..<$0, replacement: "\"\(text.string(offset + length..<close))\"")
          }
        }, certainty: .certain)
    }
    guard let quote = text[offset], quote == UInt8(ascii: "'") || quote == UInt8(ascii: "`") else { return nil }
    let close = (offset + 1..<end).first { text[$0] == quote && text[$0 - 1] != UInt8(ascii: "\\") }
    guard let close else { return nil }
    let inside = text.string(offset + 1..<close)
    let escaped = inside.split(separator: "\\'", omittingEmptySubsequences: false).joined(separator: "'")
      .split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\\\"")
    return Mistake(
      range: offset..<offset + 1, message: "texts and names stand in double quotes",
      help: inside.utf8.count > 40 ? nil : "write \"\(escaped)\"",
      repair: Repair(range: offset..<close + 1, replacement: "\"\(escaped)\""), certainty: .certain)
  }

  /// A text that was begun with a plain quote and ended with a typographic one runs on to the next plain one.
  private static func typographicEnd(in text: SourceText, _ error: JSONSyntaxError) -> Mistake? {
    switch error.problem {
    case .expectedColon, .expectedCommaOrBrace, .expectedCommaOrBracket, .controlCharacter: break
    default: return nil
    }
    guard let string = text.strings(inLineOf: error.offset).last(where: { $0.lowerBound < error.offset }) else {
      return nil
    }
    for index in string.dropFirst() {
      guard let length = typographicQuote(in: text, at: index), let next = text.startOfToken(from: index + length),
        ":,}]".utf8.contains(text.bytes[next])
      else { continue }
      return Mistake(
        range: index..<index + length, message: "\(text.string(index..<index + length)) is no quote of JSON",
        help: "write \"",
        repair: Repair(range: index..<index + length, replacement: "\""), certainty: .certain)
    }
    return nil
  }

  /// The length of a typographic quote at an offset, in bytes.
  private static func typographicQuote(in text: SourceText, at offset: Int) -> Int? {
    ["“", "”", "„", "‟", "‘", "’", "‚", "«", "»", "＂", "″"].first { text.starts(with: $0, at: offset) }?.utf8.count
  }

  // MARK: Words and signs

  private static func sign(in text: SourceText, _ error: JSONSyntaxError) -> Mistake? {
    let offset = error.offset
    func replacing(_ length: Int, by sign: String, _ message: String, _ help: String?) -> Mistake {
      Mistake(
        range: offset..<offset + length, message: message, help: help,
        repair: Repair(range: offset..<offset + length, replacement: sign), certainty: .certain)
    }
    switch (error.problem, text[offset]) {
    case (.expectedColon, UInt8(ascii: "=")):
      return replacing(text[offset + 1] == UInt8(ascii: ">") ? 2 : 1, by: ":", "\(error.problem)", "write ':'")
    case (.expectedCommaOrBrace, UInt8(ascii: ";")), (.expectedCommaOrBracket, UInt8(ascii: ";")):
      return replacing(1, by: ",", "\(error.problem)", "write ','")
    case (.expectedValue, UInt8(ascii: ".")), (.expectedValueAfterComma, UInt8(ascii: ".")):
      guard text[offset + 1]?.isDigitOrMinus == true else { return nil }
      return replacing(1, by: "0.", "a number begins with a digit", "write 0 before the point")
    case (.expectedValue, UInt8(ascii: "+")), (.expectedValueAfterComma, UInt8(ascii: "+")):
      return replacing(1, by: "", "a number has no '+'", nil)
    default: return nil
    }
  }

  /// A member's name without its quotes, or without the first of them.
  private static func name(in text: SourceText, _ error: JSONSyntaxError) -> Mistake? {
    guard error.problem == .expectedName || error.problem == .expectedNameAfterComma else { return nil }
    let range = text.word(at: error.offset, colonEnds: true)
    guard let first = text[range.lowerBound], isWordStart(first), !range.isEmpty else { return nil }
    let name = text.string(range)
    if text[range.upperBound] == UInt8(ascii: "\"") {
      return Mistake(
        range: range, message: "the quote before this name is missing", help: "write \"\(name)\"",
        repair: Repair(range: range.lowerBound..<range.lowerBound, replacement: "\""), certainty: .certain)
    }
    guard let next = text.startOfToken(from: range.upperBound),
      text[next] == UInt8(ascii: ":") || text[next] == UInt8(ascii: "=")
    else { return nil }
    return Mistake(
      range: range, message: "a member's name stands in double quotes", help: "write \"\(name)\"",
      repair: Repair(range: range, replacement: "\"\(name)\""), certainty: .certain)
  }

  /// A word where a value should be: a literal of another language, a misspelt one, or a text without its quotes.
  private static func word(in text: SourceText, _ error: JSONSyntaxError) -> Mistake? {
    var start = error.offset
    switch error.problem {
    case .expectedValue, .expectedValueAfterComma: break
    case .misspelledLiteral, .expectedDigitAfterMinus:
      while start > 0, let byte = text[start - 1], isWordStart(byte) || byte.isDigitOrMinus { start -= 1 }
    default: return nil
    }
    // Before the first value there is no text to lack a quote: the file is none of JSON.
    guard text.endOfToken(before: start) != nil, let first = text[start], isWordStart(first) || first.isDigitOrMinus
    else { return nil }
    let range = text.word(at: start, colonEnds: false)
    guard !range.isEmpty else { return nil }
    let word = text.string(range)
    func literal(_ value: String, _ message: String, _ help: String) -> Mistake {
      Mistake(
        range: range, message: message, help: help, repair: Repair(range: range, replacement: value),
        certainty: .certain)
    }
    switch word.lowercased() {
    case "nan", "-nan", "inf", "-inf", "infinity", "-infinity", "undefined":
      var mistake = literal("null", "JSON has no \(word)", "write a number, or leave the member out")
      mistake.standsIn = true
      return mistake
    case "none", "nil", "null": return literal("null", "JSON has no \(word)", "write null")
    case "true", "yes", "on": return literal("true", "JSON has no \(word)", "write true")
    case "false", "no", "off": return literal("false", "JSON has no \(word)", "write false")
    default: break
    }
    guard isWordStart(first) else { return nil }
    if text[range.upperBound] == UInt8(ascii: "\"") {
      return Mistake(
        range: range, message: "the quote before this text is missing", help: "write \"\(word)\"",
        repair: Repair(range: start..<start, replacement: "\""), certainty: .certain)
    }
    if let meant = Spelling.suggestion(for: word, among: ["true", "false", "null"]) {
      return literal(meant, "JSON has no \(word)", "did you mean \(meant)?")
    }
    return Mistake(
      range: range, message: "a text stands in double quotes", help: word.utf8.count > 40 ? nil : "write \"\(word)\"",
      repair: Repair(range: range, replacement: "\"\(word)\""), certainty: .certain)
  }

  private static func isWordStart(_ byte: UInt8) -> Bool {
    let lower = byte | 0x20
    return (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(lower) || byte == UInt8(ascii: "_")
      || byte == UInt8(ascii: "$")
  }

  // MARK: Lost quotes

  /// A text that lost its last quote runs on to the first quote of the next one, or to the end of its line.
  static func lostQuote(in text: SourceText, _ error: JSONSyntaxError) -> Mistake? {
    let isEndOfLine: Bool
    switch error.problem {
    case .controlCharacter(0x0A), .controlCharacter(0x0D), .endInside(.string): isEndOfLine = true
    case .expectedColon, .expectedCommaOrBrace, .expectedCommaOrBracket: isEndOfLine = false
    default: return nil
    }
    let limit = min(error.offset, text.count)
    guard let string = text.strings(inLineOf: max(0, limit - 1)).last(where: { $0.lowerBound < limit }) else {
      return nil
    }
    if isEndOfLine {
      let column = text.string(text.startOfLine(at: string.lowerBound)..<string.lowerBound).unicodeScalars.count + 1
      return Mistake(
        range: limit..<limit, message: "a text ends on its line: expected '\"'", help: "it begins at column \(column)")
    }
    guard string.upperBound == text.endOfToken(before: limit), string.count > 2, text[limit].map(isInText) ?? false
    else { return nil }
    let inside = string.dropFirst().dropLast()
    guard let last = inside.last(where: { text.bytes[$0] > 0x20 }) else { return nil }
    let sign = text.bytes[last]
    let isName = error.problem == .expectedColon
    guard sign == (isName ? UInt8(ascii: ":") : UInt8(ascii: ",")) else { return nil }
    let range = string.lowerBound..<last
    let shown = text.string(string.lowerBound + 1..<last)
    return Mistake(
      range: range, message: "the quote behind this \(isName ? "name" : "text") is missing",
      help: shown.utf8.count > 40 ? nil : "write \"\(shown)\"",
      repair: Repair(range: last..<last, replacement: "\""))
  }

  /// What stands in a text rather than between two.
  private static func isInText(_ byte: UInt8) -> Bool { isWordStart(byte) || byte >= 0x80 || byte == UInt8(ascii: "/") }
}
