import HTTP
import JSON
import Quotes
import Shell
import Terminal

/// The context of adding an exchange: that of the command, its own way to the network, and whether there is a user.
struct OnboardingContext: Sendable {
  let context: Context
  let handler: HTTPHandler
  let palette: Palette
  /// Whether there is a user to ask; otherwise every question has its default.
  var isAsking: Bool

  var now: @Sendable () -> Instant { context.now }
  /// The width of standard output in cells; nil if it is not a terminal.
  var columns: Int? { context.terminal.columns }

  func write(_ text: String) { context.output.write(text) }

  func write(json: JSONValue) { context.write(json: json.written(indent: 2)) }

  /// Writes to standard error, after flushing standard output.
  private func writeError(_ text: String) {
    context.output.flush()
    context.errorOutput.write(text)
  }

  /// Writes one line to standard error. It may end with a command to copy, so it is not wrapped.
  func note(_ text: String) { writeError("\(context.program): \(TerminalText.sanitized(text))\n") }
}

// Line-by-line prompts.
extension OnboardingContext {
  /// Shows text above a question to the user.
  func say(_ text: String) {
    if isAsking { writeError(TerminalText.sanitizedLines(text) + "\n") }
  }

  /// Returns the trimmed answer; empty if there is none.
  ///
  /// - Throws: At the end of the input.
  func ask(_ question: String) throws(OnboardingProblem) -> String { try askLine(question).trimmed }

  /// Returns the answer as typed.
  ///
  /// - Throws: At the end of the input, and if the terminal has truncated the line.
  func askLine(_ question: String) throws(OnboardingProblem) -> String {
    guard isAsking else { return "" }
    writeError(TerminalText.sanitized(question) + " ")
    guard let line = context.readLine() else {
      // The cursor is after the question.
      writeError("\n")
      throw .stopped
    }
    // In line mode, a terminal accepts only this much of a line and silently discards the rest of a pasted one.
    guard line.utf8.count < TerminalState.maximumLineLength else {
      throw .lineCut(limit: TerminalState.maximumLineLength)
    }
    return line
  }

  func confirm(_ question: String, byDefault isYes: Bool = false) throws(OnboardingProblem) -> Bool {
    while true {
      let answer = try ask("\(question) [\(isYes ? "Y/n" : "y/N")]").lowercased()
      if answer.isEmpty { return isYes }
      if let said = Self.yesOrNo(answer) { return said }
      say("unknown answer '\(answer)'; expected y or n")
    }
  }

  /// Returns what `y` or `No` says; nil for any other word.
  static func yesOrNo(_ word: String) -> Bool? {
    switch word.lowercased() {
    case "y", "yes": true
    case "n", "no": false
    default: nil
    }
  }

  /// Returns the pair that was typed; if it is none, says how to write one.
  func pair(typed answer: String) -> Pair? {
    if let pair = Pair(answer) { return pair }
    say("write it like BTC/KRW")
    return nil
  }

  /// The user's choice from a list, or what was typed instead.
  enum Choice: Hashable {
    case number(Int)
    case text(String)
    case nothing
  }

  /// - Parameter byDefault: The meaning of an empty line.
  func choose(
    _ question: String, from lines: [String], byDefault: Choice = .nothing
  ) throws(OnboardingProblem) -> Choice {
    for (index, line) in lines.enumerated() { say(item(index + 1, line)) }
    while true {
      let answer = try ask(question)
      if answer.isEmpty { return byDefault }
      guard let number = Int(answer) else { return .text(answer) }
      if (1..<lines.count + 1).contains(number) { return .number(number - 1) }
      say("unknown number \(number); expected 1 to \(lines.count)")
    }
  }

  /// Returns a numbered line, wrapped at the width of the terminal.
  private func item(_ number: Int, _ line: String) -> String {
    let lead = "  \(number)  "
    let room = context.terminal.errorColumns.map { max(20, $0 - lead.count) }
    let blanks = String(repeating: " ", count: lead.count)
    // Wrapping collapses the spaces that separate columns.
    guard let room, TerminalText.width(of: line) > room else { return lead + line }
    return lead + TerminalText.wrapped(line, cells: room).joined(separator: "\n" + blanks)
  }
}

extension StringProtocol {
  /// Without leading and trailing whitespace.
  var trimmed: String {
    let start = drop { $0.isWhitespace }
    return start.lastIndex { !$0.isWhitespace }.map { String(start[...$0]) } ?? ""
  }
}
