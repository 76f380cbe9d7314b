import Config
import JSON

/// Finds a bracket that is lost or too many by the indentation of the lines: a reader notices it only where nothing fits
/// any more, often at the end of the file.
///
/// A line that stands no further right than the one of the innermost open bracket is not inside of it: its closing
/// bracket is missing before. A line that stands further right than its neighbours inside of the same bracket belongs to
/// one that was closed too early, or never opened. A guess is kept only if the text can be read further with it.
enum BracketGuess {
  /// An open bracket, and the indentation of the line that it stands on.
  private struct Opening {
    let byte: UInt8
    let indentation: Int
    let line: Int
    /// The indentation of the first line inside.
    var inside: Int?

    var closer: UInt8 { byte == UInt8(ascii: "{") ? UInt8(ascii: "}") : UInt8(ascii: "]") }
    var sign: Character { Character(Unicode.Scalar(byte)) }
  }

  /// Each guess reads the whole text, and a text whose lines are not indented at all would suggest one a line.
  private static let mostGuesses = 20

  /// What is wrong, and the text with that put right.
  typealias Guess = (mistake: BrokenText.Mistake, text: ArraySlice<UInt8>)

  static func mistake(in text: SourceText, _ error: JSONSyntaxError) -> BrokenText.Mistake? {
    let byLines = [byIndentation(text, error)].compactMap(\.self)
    return mostSensible(byLines + ShapeGuess.guesses(in: text, error))?.mistake
  }

  private static func byIndentation(_ text: SourceText, _ error: JSONSyntaxError) -> Guess? {
    let limit = min(error.offset, text.count)
    var stack: [Opening] = []
    var guesses = 0
    var lineStart = 0
    var line = 1
    /// Where the last line with anything on it begins and ends.
    var previous: Range<Int>?
    while lineStart < text.count, lineStart <= limit {
      let lineEnd = text.bytes[lineStart...].firstIndex(of: UInt8(ascii: "\n")) ?? text.count
      let content = text.bytes[lineStart..<lineEnd]
      if let first = content.firstIndex(where: { $0 > 0x20 }), let last = content.lastIndex(where: { $0 > 0x20 }) {
        let indentation = first - lineStart
        if let previous {
          var guess: Guess?
          let isCloser = content[first] == UInt8(ascii: "}") || content[first] == UInt8(ascii: "]")
          // A line that begins with a closing bracket may stand as far left as the bracket that it closes.
          let reach = isCloser ? indentation + 1 : indentation
          let open = stack.lastIndex { $0.line < line && $0.indentation < reach } ?? 0
          let tooMany = stack[min(open + 1, stack.count)...].filter { $0.line < line }
          if !tooMany.isEmpty {
            guess = closing(Array(tooMany), behind: previous.upperBound, next: first, in: text, limit: limit)
            guesses += 1
          } else if isFurtherRight(indentation, in: stack, isCloser: isCloser) {
            guess = opening(previous, next: first, nextLine: line, in: text, limit: limit)
            guesses += 1
          }
          if let guess { return guess }
          if guesses > mostGuesses { return nil }
        }
        if let top = stack.indices.last, stack[top].inside == nil, stack[top].line < line {
          stack[top].inside = indentation
        }
        scan(content, line: line, indentation: indentation, stack: &stack)
        previous = first..<(last + 1)
      }
      lineStart = lineEnd + 1
      line += 1
    }
    // All lines fit together: what is missing is missing at the end.
    if limit >= text.count, !stack.isEmpty, let previous {
      return closing(stack, behind: previous.upperBound, next: nil, in: text, limit: limit)
    }
    return missingOpening(in: text, error)
  }

  /// Whether a line stands further right than those that it would be a neighbour of.
  private static func isFurtherRight(_ indentation: Int, in stack: [Opening], isCloser: Bool) -> Bool {
    guard let top = stack.last else { return true }
    guard let inside = top.inside else { return false }
    return isCloser ? indentation >= inside && indentation > top.indentation : indentation > inside
  }

  // MARK: Too few closing brackets

  /// - Parameter openings: the brackets that are still open, the outermost first.
  private static func closing(
    _ openings: [Opening], behind end: Int, next: Int?, in text: SourceText, limit: Int
  ) -> Guess? {
    guard let innermost = openings.last else { return nil }
    let hasComma = text.bytes[end - 1] == UInt8(ascii: ",")
    let place = hasComma ? end - 1 : end
    // Behind a line that opens a bracket, the comma is missing too.
    let needsComma = next != nil && !hasComma
    // One at a time: what was lost may be less than what the indentation says.
    for count in 1...openings.count {
      let closers = openings.suffix(count).reversed().map(\.closer)
      for comma in needsComma ? [[], [UInt8(ascii: ",")]] : [[]] {
        let added = closers + comma
        let patched = text.bytes[..<place] + added + text.bytes[place...]
        guard reads(patched, beyond: limit + added.count) else { continue }
        let mistake = BrokenText.Mistake(
          range: place..<place,
          message: "expected '\(Character(Unicode.Scalar(innermost.closer)))' for the '\(innermost.sign)' of line "
            + "\(innermost.line)",
          help: next == nil ? "the text ends here" : "the next line stands further left")
        return (mistake, patched)
      }
    }
    return nil
  }

  // MARK: Too many, or none that was opened

  /// - Parameters:
  ///   - previous: the line before, from its first to its last character.
  ///   - next: where the line begins that stands too far right.
  private static func opening(
    _ previous: Range<Int>, next: Int, nextLine: Int, in text: SourceText, limit: Int
  ) -> Guess? {
    let strings = text.strings(inLineOf: previous.lowerBound)
    let closers = previous.filter { index in
      (text.bytes[index] == UInt8(ascii: "}") || text.bytes[index] == UInt8(ascii: "]"))
        && !strings.contains { $0.contains(index) }
    }
    var guesses: [Guess] = closers.reversed().map { index in
      let mistake = BrokenText.Mistake(
        range: index..<index + 1, message: "a '\(Character(Unicode.Scalar(text.bytes[index])))' too many",
        help: "line \(nextLine) stands as if the bracket were still open")
      return (mistake, text.bytes[..<index] + text.bytes[(index + 1)...])
    }
    for (opening, sign) in [("\"\": {", "{"), ("{", "{"), ("\"\": [", "["), ("[", "[")] {
      let mistake = BrokenText.Mistake(
        range: next..<next + 1, message: "expected '\(sign)' before this line",
        help: "it stands further right than its neighbours")
      guesses.append((mistake, text.bytes[..<next] + Array(opening.utf8) + text.bytes[next...]))
    }
    return mostSensible(guesses.filter { reads($0.text, beyond: limit + $0.text.count - text.count) })
  }

  /// Of several texts that can be read, the one that makes most sense as a config.
  private static func mostSensible(_ guesses: [Guess]) -> Guess? {
    guard guesses.count > 1 else { return guesses.first }
    let counts = guesses.prefix(8).map { guess -> (guess: Guess, count: Int) in
      let file = try? ConfigFile(name: "", bytes: Array(guess.text))
      let configuration = file.flatMap { file in try? Configuration(file) { () throws(ConfigSyntaxError) in file } }
      return (guess, configuration?.allDiagnostics().count ?? .max)
    }
    return counts.min { $0.count < $1.count }?.guess
  }

  // MARK: A list without its bracket

  /// An object where a member's name should be, behind a member whose value is an object: the two are elements of a list
  /// whose bracket is missing before the first of them.
  private static func missingOpening(in text: SourceText, _ error: JSONSyntaxError) -> Guess? {
    let bytes = text.bytes
    guard error.problem == .expectedNameAfterComma, text[error.offset] == UInt8(ascii: "{"),
      let comma = bytes[..<error.offset].lastIndex(where: { $0 > 0x20 }),
      let start = startOfValue(in: bytes, before: comma)
    else { return nil }
    let patched = bytes[..<start] + [UInt8(ascii: "[")] + bytes[start...]
    guard reads(patched, beyond: error.offset + 1) else { return nil }
    let mistake = BrokenText.Mistake(
      range: start..<start, message: "expected '[' before the first of several objects",
      help: "the next one begins on line \(text.line(of: error.offset))")
    return (mistake, patched)
  }

  /// Where the object or list begins that ends before an offset. The text up to there has been read, so its brackets fit.
  private static func startOfValue(in bytes: [UInt8], before end: Int) -> Int? {
    var openings: [Int] = []
    var last: Int?
    follow(bytes[..<end]) { index, byte in
      if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") {
        openings.append(index)
      } else {
        last = openings.popLast()
      }
    }
    return last
  }

  // MARK: Reading

  /// Whether a text is JSON, or can be read further than up to `limit`, where reading stopped before.
  private static func reads(_ bytes: ArraySlice<UInt8>, beyond limit: Int) -> Bool {
    do throws(JSONSyntaxError) {
      _ = try JSONDocument(parsing: Array(bytes))
      return true
    } catch {
      return error.offset > limit
    }
  }

  /// Calls for each bracket outside of the strings.
  static func follow(_ bytes: ArraySlice<UInt8>, _ bracket: (Int, UInt8) -> Void) {
    var isInString = false
    var isEscaped = false
    for index in bytes.indices {
      let byte = bytes[index]
      if isInString {
        if !isEscaped, byte == UInt8(ascii: "\"") { isInString = false }
        isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
        continue
      }
      switch byte {
      case UInt8(ascii: "\""): isInString = true
      case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "}"), UInt8(ascii: "]"): bracket(index, byte)
      default: break
      }
    }
  }

  /// Follows the brackets of one line. Strings never reach over its end.
  private static func scan(_ text: ArraySlice<UInt8>, line: Int, indentation: Int, stack: inout [Opening]) {
    follow(text) { _, byte in
      if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") {
        stack.append(Opening(byte: byte, indentation: indentation, line: line))
      } else {
        _ = stack.popLast()
      }
    }
  }
}
