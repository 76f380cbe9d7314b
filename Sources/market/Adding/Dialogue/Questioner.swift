import Terminal

/// Asks a person line by line. Where there is nobody, nothing is asked and every question has its default.
struct Questioner {
  let context: Context
  /// Whether there is a person to ask.
  let isAsking: Bool

  /// A person who ends the input wants out.
  static let stopReason = "stopped; nothing is written"

  /// Text for the person, above a question.
  func say(_ text: String) {
    guard isAsking else { return }
    context.output.flush()
    context.errorOutput.write(TerminalText.sanitizedLines(text) + "\n")
  }

  /// The answer without blanks around it; empty for none.
  ///
  /// - Throws: at the end of the input.
  func ask(_ question: String) throws -> String { Self.trimmed(try askLine(question)) }

  /// The answer as it was typed.
  ///
  /// - Throws: at the end of the input, and where the terminal has cut the line.
  func askLine(_ question: String) throws -> String {
    guard isAsking else { return "" }
    context.output.flush()
    context.errorOutput.write(TerminalText.sanitized(question) + " ")
    guard let line = context.readLine() else {
      // The cursor stands behind the question.
      context.errorOutput.write("\n")
      throw CommandError.noAnswer(Self.stopReason)
    }
    // A terminal that edits lines takes so much of one and no more: the rest of a pasted line is lost without a word.
    guard line.utf8.count < Self.longestLine else {
      throw CommandError.noAnswer(
        "the terminal takes lines of \(Self.longestLine) bytes at most and has cut this one; put it into a file, and say "
          + "--from-curl - < FILE; nothing is written")
    }
    return line
  }

  /// `MAX_CANON` of Linux and macOS, the end of the line apart: 4095 and 1023.
  static let longestLine: Int = {
    #if canImport(Darwin)
      1023
    #else
      4095
    #endif
  }()

  func confirm(_ question: String, byDefault isYes: Bool = false) throws -> Bool {
    let answer = try ask("\(question) [\(isYes ? "Y/n" : "y/N")]").lowercased()
    return answer.isEmpty ? isYes : ["y", "yes"].contains(answer)
  }

  /// What a person chooses from a list, or writes instead.
  enum Choice: Hashable {
    case number(Int)
    case text(String)
    case nothing
  }

  /// - Parameter byDefault: what an empty line means.
  func choose(_ question: String, from lines: [String], byDefault: Choice = .nothing) throws -> Choice {
    for (index, line) in lines.enumerated() { say(item(index + 1, line)) }
    while true {
      let answer = try ask(question)
      if answer.isEmpty { return byDefault }
      guard let number = Int(answer) else { return .text(answer) }
      if lines.indices.contains(number - 1) { return .number(number - 1) }
      say("there is no \(number)")
    }
  }

  /// A numbered line, broken at blanks where the screen ends.
  private func item(_ number: Int, _ line: String) -> String {
    let lead = "  \(number)  "
    let room = context.terminal.errorColumns.map { max(20, $0 - lead.count) }
    let blanks = String(repeating: " ", count: lead.count)
    // Wrapping joins blanks, which set columns apart.
    guard let room, TerminalText.width(of: line) > room else { return lead + line }
    return lead + TerminalText.wrapped(line, cells: room).joined(separator: "\n" + blanks)
  }

  static func trimmed(_ text: String) -> String {
    let start = text.drop { $0.isWhitespace }
    guard let end = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
    return String(start[...end])
  }
}
