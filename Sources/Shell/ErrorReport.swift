import Files
import JSON
import MarketData
package import Terminal

/// What the program reports to its caller; the numbers are a promise to scripts.
package enum ExitCode: Int32, CaseIterable, Sendable {
  /// There is an answer.
  case answer = 0
  /// There is none.
  case noAnswer = 1
  /// The command line is wrong.
  case usage = 2
  /// The configuration is invalid.
  case invalidConfig = 3

  /// For the manual.
  package var meaning: String {
    switch self {
    case .answer: "there is an answer"
    case .noAnswer: "there is none: no exchange lists the pair, all failed, a file to read is missing"
    case .usage: "the command line is wrong"
    case .invalidConfig: "the config is missing, unreadable or not valid"
    }
  }
}

/// Why a command ends without an answer: facts only. `ErrorReport` makes the text, `exitCode` the number.
///
/// A command throws one of these, a `UsageProblem` or a `FileError`; nothing else prints an error that ends the run.
package enum CommandError: Error, Sendable {
  /// There is no answer; the sentence says why (lower case, no full stop).
  case noAnswer(String)
  /// The configuration cannot be used; the sentence says why.
  case invalidConfig(String)
  /// Problems at places of texts: the whole report, already laid out, and what it means for the caller.
  case diagnostics([SourceDiagnostic], ExitCode)

  package var exitCode: ExitCode {
    switch self {
    case .noAnswer: .noAnswer
    case .invalidConfig: .invalidConfig
    case .diagnostics(_, let code): code
    }
  }
}

/// The text on stderr and the exit code of an error: the one place where both are made.
package struct ErrorReport {
  package let text: String
  package let exitCode: ExitCode

  /// - Parameters:
  ///   - command: the command that was being read or run; nil before one was found.
  ///   - width: cells that a line of a source text may take.
  ///   - columns: cells that a sentence is broken at; nil: it is one line.
  package init(
    _ error: any Error, program: String, command: Command?, palette: Palette, width: Int, columns: Int? = nil
  ) {
    // Names and words of an exchange may be in it.
    func line(_ label: String, _ style: Style, _ sentence: String) -> String {
      (StyledText(label, style) + StyledText(" " + TerminalText.sanitized(sentence))).wrapped(to: columns)
        .map { $0.painted(with: palette) + "\n" }.joined()
    }
    func line(_ sentence: String) -> String { line("error:", .alert, sentence) }
    switch (error as? ConfigProblem)?.commandError ?? (error as? ExchangeChoiceProblem)?.commandError ?? error {
    case let problem as UsageProblem:
      let page = Self.helpfulPage(for: problem, program: program, command: command)
      text = line(problem.description) + line("help:", .heading, page)
      exitCode = .usage
    case CommandError.diagnostics(let diagnostics, let code):
      text = diagnostics.map { $0.rendered(palette: palette, width: width) }.joined()
      exitCode = code
    case CommandError.noAnswer(let sentence):
      text = line(sentence)
      exitCode = .noAnswer
    case CommandError.invalidConfig(let sentence):
      text = line(sentence)
      exitCode = .invalidConfig
    default:
      text = line(String(describing: error))
      exitCode = .noAnswer
    }
  }

  /// The command line that shows what would have been right.
  private static func helpfulPage(for problem: UsageProblem, program: String, command: Command?) -> String {
    if case .unknownCommand = problem { return "\(program) help" }
    return command.map { "\(program) \($0.name) --help" } ?? "\(program) help"
  }
}

extension SourceDiagnostic {
  /// A problem at a byte of a text; line and column are counted now, because only an error needs them.
  ///
  /// - Parameters:
  ///   - offset: of the byte, from 0; the length of the text points behind its end.
  ///   - length: how many scalars are underlined.
  package init(
    source: String, bytes: [UInt8], offset: Int, length: Int = 1, severity: Severity = .error, code: String? = nil,
    message: String, help: [String] = []
  ) {
    let map = SourceMap(bytes)
    let position = map.position(of: offset)
    let excerpt = SourceExcerpt(
      line: position.line, column: position.column, length: length, text: map.line(position.line))
    self.init(source: source, excerpt: excerpt, severity: severity, code: code, message: message, help: help)
  }
}
