package import HTTP
package import JSON
package import Mapping
package import Quotes
package import Terminal

/// The environment for adding an exchange: two output streams, user input, the network, a clock.
package struct OnboardingContext: Sendable {
  package var program: String
  /// Writes to standard output.
  package var write: @Sendable (String) -> Void
  /// Writes JSON to standard output.
  package var writeJSON: @Sendable (JSONValue) -> Void
  /// Writes to standard error, after flushing standard output.
  package var writeError: @Sendable (String) -> Void
  /// Reads a line typed by the user; nil at the end of the input.
  package var readLine: @Sendable () -> String?
  /// Reads all of standard input.
  package var readInput: @Sendable () throws(OnboardingProblem) -> [UInt8]
  package var now: @Sendable () -> Instant
  package var handler: HTTPHandler
  package var hooks: HookRegistry
  /// Tests the written exchange on its recording and returns the problems, in sentences.
  package var trial: @Sendable (_ exchange: String, _ keepsRows: Bool) async throws -> [String]
  package var palette: Palette
  /// The widths of standard output and standard error in cells; nil if it is not a terminal.
  package var columns: Int?
  package var errorColumns: Int?
  /// The file that secrets are stored in.
  package var credentialsFile: String
  /// Whether there is a user to ask; otherwise every question has its default.
  package var isAsking: Bool

  package init(
    program: String, write: @escaping @Sendable (String) -> Void, writeJSON: @escaping @Sendable (JSONValue) -> Void,
    writeError: @escaping @Sendable (String) -> Void,
    readLine: @escaping @Sendable () -> String?, readInput: @escaping @Sendable () throws(OnboardingProblem) -> [UInt8],
    now: @escaping @Sendable () -> Instant, handler: @escaping HTTPHandler, hooks: HookRegistry,
    trial: @escaping @Sendable (_ exchange: String, _ keepsRows: Bool) async throws -> [String], palette: Palette,
    columns: Int?, errorColumns: Int?, credentialsFile: String, isAsking: Bool
  ) {
    self.program = program
    self.write = write
    self.writeJSON = writeJSON
    self.writeError = writeError
    self.readLine = readLine
    self.readInput = readInput
    self.now = now
    self.handler = handler
    self.hooks = hooks
    self.trial = trial
    self.palette = palette
    self.columns = columns
    self.errorColumns = errorColumns
    self.credentialsFile = credentialsFile
    self.isAsking = isAsking
  }

  /// Writes one line to standard error.
  func note(_ text: String) { writeError("\(program): \(TerminalText.sanitized(text))\n") }
}

// Line-by-line prompts.
extension OnboardingContext {
  /// Shows text above a question to the user.
  func say(_ text: String) {
    if isAsking { writeError(TerminalText.sanitizedLines(text) + "\n") }
  }

  /// Returns the trimmed answer; empty if there is none.
  ///
  /// - Throws: at the end of the input.
  func ask(_ question: String) throws(OnboardingProblem) -> String { try askLine(question).trimmed }

  /// Returns the answer as typed.
  ///
  /// - Throws: at the end of the input, and if the terminal has truncated the line.
  func askLine(_ question: String) throws(OnboardingProblem) -> String {
    guard isAsking else { return "" }
    writeError(TerminalText.sanitized(question) + " ")
    guard let line = readLine() else {
      // The cursor is after the question.
      writeError("\n")
      throw .stopped
    }
    // In line mode, a terminal accepts only this much of a line and silently discards the rest of a pasted one.
    guard line.utf8.count < Self.maximumLineLength else { throw .lineCut(limit: Self.maximumLineLength) }
    return line
  }

  /// `MAX_CANON` of Linux and macOS without the line end: 4095 and 1023.
  static let maximumLineLength: Int = {
    #if canImport(Darwin)
      1023
    #else
      4095
    #endif
  }()

  func confirm(_ question: String, byDefault isYes: Bool = false) throws(OnboardingProblem) -> Bool {
    let answer = try ask("\(question) [\(isYes ? "Y/n" : "y/N")]").lowercased()
    return answer.isEmpty ? isYes : ["y", "yes"].contains(answer)
  }

  /// The user's choice from a list, or what was typed instead.
  enum Choice: Hashable {
    case number(Int)
    case text(String)
    case nothing
  }

  /// - Parameter byDefault: the meaning of an empty line.
  func choose(
    _ question: String, from lines: [String], byDefault: Choice = .nothing
  ) throws(OnboardingProblem) -> Choice {
    for (index, line) in lines.enumerated() { say(item(index + 1, line)) }
    while true {
      let answer = try ask(question)
      if answer.isEmpty { return byDefault }
      guard let number = Int(answer) else { return .text(answer) }
      if lines.indices.contains(number - 1) { return .number(number - 1) }
      say("unknown number \(number); expected 1 to \(lines.count)")
    }
  }

  /// Returns a numbered line, wrapped at the width of the terminal.
  private func item(_ number: Int, _ line: String) -> String {
    let lead = "  \(number)  "
    let room = errorColumns.map { max(20, $0 - lead.count) }
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
