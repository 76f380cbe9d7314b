import JSON

/// Finds the place of the mistake in a config that is no JSON.
///
/// A reader notices a missing bracket only where nothing fits any more, often at the end of the file. The lines of a
/// config are indented, and that tells where the bracket was meant to be; the guess is kept only if the text reads
/// further with it.
enum BrokenText {
  struct Mistake: Hashable {
    let offset: Int
    let message: String
    let help: String?
  }

  static func mistake(in bytes: [UInt8], _ error: JSONSyntaxError) -> Mistake {
    if let bracket = missingBracket(in: bytes, before: error.offset) { return bracket }
    if let bracket = missingOpening(in: bytes, error) { return bracket }
    var offset = error.offset
    switch error.problem {
    case .expectedCommaOrBrace, .expectedCommaOrBracket, .expectedColon:
      // What is missing belongs behind the last thing that was there, perhaps lines above.
      offset = endOfText(in: bytes, before: offset)
    default: break
    }
    return Mistake(offset: min(offset, bytes.count), message: "\(error.problem)", help: nil)
  }

  private static func endOfText(in bytes: [UInt8], before offset: Int) -> Int {
    let limit = min(offset, bytes.count)
    guard let last = bytes[..<limit].lastIndex(where: { $0 > 0x20 }) else { return limit }
    let hasNewline = bytes[last..<limit].contains(UInt8(ascii: "\n"))
    return hasNewline ? last + 1 : offset
  }

  /// An open bracket, and the indentation of the line that it stands on.
  private struct Opening {
    let byte: UInt8
    let indentation: Int
    let line: Int
  }

  /// Each guess reads the whole text, and a text whose lines are not indented at all would suggest one a line.
  private static let mostGuesses = 20

  private static func missingBracket(in bytes: [UInt8], before limit: Int) -> Mistake? {
    var stack: [Opening] = []
    var guesses = 0
    var lineStart = 0
    var line = 1
    var previousEnd: Int?
    while lineStart < min(limit, bytes.count) {
      let lineEnd = bytes[lineStart...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
      let text = bytes[lineStart..<lineEnd]
      if let first = text.firstIndex(where: { $0 > 0x20 }) {
        let indentation = first - lineStart
        let closes = bytes[first] == UInt8(ascii: "}") || bytes[first] == UInt8(ascii: "]")
        if let opening = stack.last, let end = previousEnd, !closes, opening.line < line, stack.count > 1,
          indentation <= opening.indentation
        {
          guesses += 1
          if guesses > mostGuesses { return nil }
          if let mistake = insertion(closing: opening, at: end, in: bytes, limit: limit) { return mistake }
        }
        scan(text, line: line, indentation: indentation, stack: &stack)
        previousEnd = text.lastIndex { $0 > 0x20 }.map { $0 + 1 }
      }
      lineStart = lineEnd + 1
      line += 1
    }
    // All lines fit together: what is missing is missing at the end.
    guard limit >= bytes.count, let opening = stack.last, let end = previousEnd else { return nil }
    return insertion(closing: opening, at: end, in: bytes, limit: limit)
  }

  /// An object where a member's name should be, behind a member whose value is an object: the two are elements of a list
  /// whose bracket is missing before the first of them.
  private static func missingOpening(in bytes: [UInt8], _ error: JSONSyntaxError) -> Mistake? {
    guard error.problem == .expectedNameAfterComma, error.offset < bytes.count,
      bytes[error.offset] == UInt8(ascii: "{"),
      let comma = bytes[..<error.offset].lastIndex(where: { $0 > 0x20 }),
      let start = startOfValue(in: bytes, before: comma)
    else { return nil }
    let patched = bytes[..<start] + [UInt8(ascii: "[")] + bytes[start...]
    do throws(JSONSyntaxError) {
      _ = try JSONDocument(parsing: Array(patched))
    } catch let next {
      guard next.offset > error.offset + 1 else { return nil }
    }
    let line = bytes[..<error.offset].count { $0 == UInt8(ascii: "\n") } + 1
    return Mistake(
      offset: start, message: "expected '[' before the first of several objects",
      help: "the next one begins on line \(line)")
  }

  /// Where the object or list begins that ends before an offset. The text up to there has been read, so its brackets fit.
  private static func startOfValue(in bytes: [UInt8], before end: Int) -> Int? {
    var openings: [Int] = []
    var last: Int?
    var isInString = false
    var isEscaped = false
    for (index, byte) in bytes[..<end].enumerated() {
      if isInString {
        if !isEscaped, byte == UInt8(ascii: "\"") { isInString = false }
        isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
        continue
      }
      switch byte {
      case UInt8(ascii: "\""): isInString = true
      case UInt8(ascii: "{"), UInt8(ascii: "["): openings.append(index)
      case UInt8(ascii: "}"), UInt8(ascii: "]"): last = openings.popLast()
      default: break
      }
    }
    return last
  }

  private static func insertion(closing opening: Opening, at end: Int, in bytes: [UInt8], limit: Int) -> Mistake? {
    let closer = opening.byte == UInt8(ascii: "{") ? UInt8(ascii: "}") : UInt8(ascii: "]")
    var place = end
    if bytes[end - 1] == UInt8(ascii: ",") { place -= 1 }
    let patched = bytes[..<place] + [closer] + bytes[place...]
    do throws(JSONSyntaxError) {
      _ = try JSONDocument(parsing: Array(patched))
    } catch {
      guard error.offset > limit + 1 else { return nil }
    }
    let isAtEnd = bytes[end...].allSatisfy { [UInt8(ascii: " "), 0x09, 0x0A, 0x0D].contains($0) }
    let character = Character(Unicode.Scalar(closer))
    let open = Character(Unicode.Scalar(opening.byte))
    return Mistake(
      offset: place, message: "expected '\(character)' for the '\(open)' of line \(opening.line)",
      help: isAtEnd ? "the text ends here" : "the next line stands further left")
  }

  /// Follows the brackets of one line. Strings never reach over its end.
  private static func scan(_ text: ArraySlice<UInt8>, line: Int, indentation: Int, stack: inout [Opening]) {
    var isInString = false
    var isEscaped = false
    for byte in text {
      if isInString {
        if !isEscaped, byte == UInt8(ascii: "\"") { isInString = false }
        isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
      } else if byte == UInt8(ascii: "\"") {
        isInString = true
      } else if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") {
        stack.append(Opening(byte: byte, indentation: indentation, line: line))
      } else if byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") {
        _ = stack.popLast()
      }
    }
  }
}

extension Finding {
  /// The one finding of a text that is no JSON.
  package static func brokenText(_ error: ConfigSyntaxError) -> Finding {
    let mistake = BrokenText.mistake(in: error.bytes, error.error)
    let map = SourceMap(error.bytes)
    let start = map.position(of: mistake.offset)
    return Finding(
      file: error.file, start: start, end: SourcePosition(line: start.line, column: start.column + 1), code: "MKT001",
      severity: .error, message: mistake.message, help: mistake.help, line: map.line(start.line))
  }
}
