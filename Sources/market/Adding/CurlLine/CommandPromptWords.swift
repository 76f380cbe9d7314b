/// The words of a command line as Windows takes it apart: first cmd.exe, which knows the caret, then the program itself,
/// which knows quotes and backslashes (Microsoft C, "Parsing C command-line arguments").
///
///     curl ^"https://a.example/x?a=1^&b=2^" ^
///       -H ^"accept: application/json^"
struct CommandPromptWords {
  private(set) var words = ShellWords()

  /// Whether a line is written for cmd.exe rather than for a shell: carets before quotes or line ends, or doubled quotes.
  static func isNeeded(_ line: String) -> Bool {
    let line = line.replacing("\r\n", with: "\n")
    if line.contains("^\"") || line.contains("^\n") || line.hasSuffix("^") { return true }
    return line.contains("\"\"") && !line.contains("'") && !line.contains("\\\n")
  }

  init(_ line: String) throws(ShellWords.Problem) {
    let text = Array(line.replacing("\r\n", with: "\n"))
    guard text.last != "^" else { throw .unfinished("a line that goes on behind a caret") }
    var command: [Character] = []
    let end = Self.unescape(text, into: &command)
    words.words = try Self.arguments(command)
    words.rest = Questioner.trimmed(String(text[end...]))
  }

  /// Takes the carets out. Within quotes they are letters.
  ///
  /// - Returns: where the command ends.
  private static func unescape(_ text: [Character], into command: inout [Character]) -> Int {
    var isQuoted = false
    var isLeading = true
    var index = 0
    while index < text.count {
      let character = text[index]
      if isQuoted {
        if character == "\"" { isQuoted = false }
        command.append(character)
      } else if character == "^" {
        index += 1
        // The end of the line goes as well, and the character behind it stands for itself.
        if index < text.count, text[index] == "\n" { index += 1 }
        if index < text.count { command.append(text[index]) }
      } else if "&|<>\n".contains(character) {
        if character != "\n" || !isLeading { return index }
      } else {
        if character == "\"" { isQuoted = true }
        command.append(character)
      }
      if command.last?.isWhitespace == false { isLeading = false }
      index += 1
    }
    return text.count
  }

  private static func arguments(_ command: [Character]) throws(ShellWords.Problem) -> [String] {
    var words: [String] = []
    var word: String?
    var isQuoted = false
    var index = 0
    while index < command.count {
      let character = command[index]
      if character == "\\" {
        let count = command[index...].prefix { $0 == "\\" }.count
        let next = index + count
        let isBeforeQuote = next < command.count && command[next] == "\""
        if word == nil { word = "" }
        word?.append(contentsOf: repeatElement("\\", count: isBeforeQuote ? count / 2 : count))
        index = next
        if isBeforeQuote, count % 2 == 1 {
          word?.append("\"")
          index += 1
        }
        continue
      }
      if character == "\"" {
        if isQuoted, index + 1 < command.count, command[index + 1] == "\"" {
          word?.append("\"")
          index += 1
        } else {
          isQuoted.toggle()
          if word == nil { word = "" }
        }
      } else if !isQuoted, character.isWhitespace {
        if let done = word { words.append(done) }
        word = nil
      } else {
        if word == nil { word = "" }
        word?.append(character)
      }
      index += 1
    }
    guard !isQuoted else { throw .unfinished("double quotes") }
    if let done = word { words.append(done) }
    return words
  }
}
