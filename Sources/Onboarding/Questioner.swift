package import HTTP
package import JSON
package import Mapping
package import Quotes
package import Terminal

/// What adding an exchange sees of the world: two streams, a person's lines, the network, a clock.
package struct OnboardingContext: Sendable {
  package var program: String
  /// Standard output.
  package var write: @Sendable (String) -> Void
  /// JSON on standard output.
  package var writeJSON: @Sendable (JSONValue) -> Void
  /// Standard error, after what stands in the buffer of standard output.
  package var writeError: @Sendable (String) -> Void
  /// One line that a person types; nil at the end of the input.
  package var readLine: @Sendable () -> String?
  /// All of standard input.
  package var readInput: @Sendable () throws(OnboardingProblem) -> [UInt8]
  package var now: @Sendable () -> Instant
  package var handler: HTTPHandler
  package var hooks: HookRegistry
  /// What is wrong with the written exchange on its recording, in sentences.
  package var trial: @Sendable (_ exchange: String, _ keepsRows: Bool) async throws -> [String]
  package var palette: Palette
  /// Cells of a line on standard output and standard error; nil where it is no screen.
  package var columns: Int?
  package var errorColumns: Int?
  /// Where secrets are kept.
  package var credentialsFile: String
  /// Whether there is a person to ask; where not, every question has its default.
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

  /// One line on standard error.
  func note(_ text: String) { writeError("\(program): \(TerminalText.sanitized(text))\n") }
}

// Asks a person line by line.
extension OnboardingContext {
  /// Text for the person, above a question.
  func say(_ text: String) {
    if isAsking { writeError(TerminalText.sanitizedLines(text) + "\n") }
  }

  /// The answer without blanks around it; empty for none.
  ///
  /// - Throws: at the end of the input.
  func ask(_ question: String) throws(OnboardingProblem) -> String { try askLine(question).trimmed }

  /// The answer as it was typed.
  ///
  /// - Throws: at the end of the input, and where the terminal has cut the line.
  func askLine(_ question: String) throws(OnboardingProblem) -> String {
    guard isAsking else { return "" }
    writeError(TerminalText.sanitized(question) + " ")
    guard let line = readLine() else {
      // The cursor stands behind the question.
      writeError("\n")
      throw .stopped
    }
    // A terminal that edits lines takes so much of one and no more: the rest of a pasted line is lost without a word.
    guard line.utf8.count < Self.longestLine else { throw .lineCut(limit: Self.longestLine) }
    return line
  }

  /// `MAX_CANON` of Linux and macOS, without the end of the line: 4095 and 1023.
  static let longestLine: Int = {
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

  /// What a person chooses from a list, or writes instead.
  enum Choice: Hashable {
    case number(Int)
    case text(String)
    case nothing
  }

  /// - Parameter byDefault: what an empty line means.
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

  /// A numbered line, broken at blanks where the screen ends.
  private func item(_ number: Int, _ line: String) -> String {
    let lead = "  \(number)  "
    let room = errorColumns.map { max(20, $0 - lead.count) }
    let blanks = String(repeating: " ", count: lead.count)
    // Wrapping joins blanks, which set columns apart.
    guard let room, TerminalText.width(of: line) > room else { return lead + line }
    return lead + TerminalText.wrapped(line, cells: room).joined(separator: "\n" + blanks)
  }
}

extension StringProtocol {
  /// Without blanks at either end.
  var trimmed: String {
    let start = drop { $0.isWhitespace }
    return start.lastIndex { !$0.isWhitespace }.map { String(start[...$0]) } ?? ""
  }
}
