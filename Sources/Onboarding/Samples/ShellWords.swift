/// The words of a command line, split like a POSIX shell does (Shell Command Language, 2.2 and 2.3).
///
///     ShellWords("curl 'https://a.example/x?a=1&b=2' -H \"Accept: */*\" | jq .").words
///     // ["curl", "https://a.example/x?a=1&b=2", "-H", "Accept: */*"], rest: "| jq ."
///
/// Supports quotes, backslashes, line continuations, and `$'…'` as written by browsers. Anything that a shell would
/// have to evaluate is a problem, never a guess.
package struct ShellWords: Hashable {
  package enum Problem: Error, Hashable, Sendable, CustomStringConvertible {
    /// The line ends within quotes or after a backslash, so more lines may follow.
    case unfinished(String)
    /// `$NAME`, `$(…)`, or a backquote.
    case needsShell(String)

    package var description: String {
      switch self {
      case .unfinished(let what): "the line ends within \(what)"
      case .needsShell(let text): "only a shell can expand '\(text)'; write its value"
      }
    }
  }

  var words: [String] = []
  /// What follows the end of the command, with the operator that ends it: `| jq .`, `> file`.
  var rest = ""

  private var current: String?

  /// Removes the prompt of `$ curl …`, as used in documentation, and any blanks at the start.
  static func withoutPrompt(_ line: String) -> String {
    let start = line.drop(while: \.isWhitespace)
    let rest = start.dropFirst()
    guard let sign = start.first, "$%>".contains(sign), rest.first?.isWhitespace == true else { return String(start) }
    return String(rest.drop(while: \.isWhitespace))
  }

  init(_ line: String) throws(Problem) {
    // Line ends must not be part of a grapheme: `\r\n` is one Character.
    let text = line.replacing("\r\n", with: "\n")
    var index = text.startIndex
    while index < text.endIndex {
      let character = text[index]
      switch character {
      case " ", "\t": endWord()
      case "\n" where words.isEmpty && current == nil: break
      case "'": try readQuoted(text, &index)
      case "\"": try readDoubleQuoted(text, &index)
      case "\\": try readEscape(text, &index)
      case "$", "`": try readDollar(text, &index)
      case "#" where current == nil: return
      case "\n", "|", "&", ";", "<", ">", "(", ")":
        endWord()
        rest = text[index...].trimmed
        return
      default: current = (current ?? "") + String(character)
      }
      index = text.index(after: index)
    }
    endWord()
  }

  private mutating func endWord() {
    if let word = current { words.append(word) }
    current = nil
  }

  /// Leaves the index on the closing quote.
  private mutating func readQuoted(_ text: String, _ index: inout String.Index) throws(Problem) {
    let start = text.index(after: index)
    guard let end = text[start...].firstIndex(of: "'") else { throw .unfinished("single quotes") }
    current = (current ?? "") + text[start..<end]
    index = end
  }

  private mutating func readDoubleQuoted(_ text: String, _ index: inout String.Index) throws(Problem) {
    var word = current ?? ""
    index = text.index(after: index)
    while index < text.endIndex, text[index] != "\"" {
      if text[index] == "\\" {
        let next = text.index(after: index)
        guard next < text.endIndex else { throw .unfinished("double quotes") }
        switch text[next] {
        case "\n": break
        case "$", "`", "\"", "\\": word.append(text[next])
        default: word += text[index...next]
        }
        index = next
      } else if Self.isExpansion(text, index) {
        throw .needsShell(Self.expansion(text, index))
      } else {
        word.append(text[index])
      }
      index = text.index(after: index)
    }
    guard index < text.endIndex else { throw .unfinished("double quotes") }
    current = word
  }

  private mutating func readEscape(_ text: String, _ index: inout String.Index) throws(Problem) {
    let next = text.index(after: index)
    guard next < text.endIndex else { throw .unfinished("a line that continues after a backslash") }
    // Spaces between the backslash and the end of its line are a mistake.
    let end = text[next...].firstIndex { $0 != " " && $0 != "\t" } ?? text.endIndex
    if end != next, end == text.endIndex || text[end] == "\n" {
      index = end == text.endIndex ? text.index(before: end) : end
      return
    }
    if text[next] != "\n" { current = (current ?? "") + String(text[next]) }
    index = next
  }

  private mutating func readDollar(_ text: String, _ index: inout String.Index) throws(Problem) {
    let next = text.index(after: index)
    if text[index] == "$", next < text.endIndex, text[next] == "'" {
      index = next
      return try readANSIQuoted(text, &index)
    }
    if Self.isExpansion(text, index) { throw .needsShell(Self.expansion(text, index)) }
    current = (current ?? "") + String(text[index])
  }

  /// Reads `$'…'` with escapes as in C (POSIX.1-2024, 2.2.4).
  private mutating func readANSIQuoted(_ text: String, _ index: inout String.Index) throws(Problem) {
    var word = current ?? ""
    index = text.index(after: index)
    while index < text.endIndex, text[index] != "'" {
      guard text[index] == "\\" else {
        word.append(text[index])
        index = text.index(after: index)
        continue
      }
      index = text.index(after: index)
      guard index < text.endIndex else { break }
      let letter = text[index]
      index = text.index(after: index)
      switch letter {
      case "n": word.append("\n")
      case "t": word.append("\t")
      case "r": word.append("\r")
      case "u": word += Self.scalar(text, &index, digits: 4)
      case "U": word += Self.scalar(text, &index, digits: 8)
      case "x": word += Self.scalar(text, &index, digits: 2)
      case "0"..."7":
        index = text.index(before: index)
        word += Self.scalar(text, &index, digits: 3, radix: 8)
      default: word.append(letter)
      }
    }
    guard index < text.endIndex else { throw .unfinished("single quotes") }
    current = word
  }

  private static func scalar(_ text: String, _ index: inout String.Index, digits: Int, radix: Int = 16) -> String {
    let number = text[index...].prefix(digits).prefix { $0.isASCII && ($0.hexDigitValue ?? 16) < radix }
    index = number.endIndex
    guard let value = UInt32(number, radix: radix), let scalar = Unicode.Scalar(value) else { return "\u{FFFD}" }
    return String(Character(scalar))
  }

  private static func isExpansion(_ text: String, _ index: String.Index) -> Bool {
    if text[index] == "`" { return true }
    guard text[index] == "$" else { return false }
    let next = text.index(after: index)
    guard next < text.endIndex else { return false }
    return text[next].isLetter || "_{(".contains(text[next])
  }

  /// Returns `$NAME` as written, for the message.
  private static func expansion(_ text: String, _ index: String.Index) -> String {
    let name = text[text.index(after: index)...].prefix { $0.isLetter || $0.isNumber || "_{(".contains($0) }
    return String(text[index]) + name.prefix(30)
  }
}
