import JSON
import MarketData
package import Terminal

/// The program's exit codes; scripts rely on the numbers.
package enum ExitCode: Int32, CaseIterable, Sendable {
  case answer = 0
  case noAnswer = 1
  case usage = 2
  case invalidConfig = 3

  /// The description in the manual.
  package var meaning: String {
    switch self {
    case .answer: "there is an answer"
    case .noAnswer: "no answer: no exchange lists the pair, all failed, or an input file is missing"
    case .usage: "the command line is wrong"
    case .invalidConfig: "the config is missing, unreadable or not valid"
    }
  }
}

/// An error that ends a command without an answer. Facts only: `ErrorReport` creates the text and finds the exit code.
///
/// Commands throw one of these, a `UsageProblem` or a `FileError`; nothing else prints an error that ends the run.
package enum CommandError: Error, Sendable {
  /// There is no answer; the sentence says why (lowercase, no full stop).
  case noAnswer(String)
  /// The configuration is unusable; the sentence says why.
  case invalidConfig(String)
  /// Problems at locations in texts: the complete report, already laid out, and its exit code.
  case diagnostics([SourceDiagnostic], ExitCode)

  package static func unreadableBlock(of exchange: String) -> CommandError {
    .invalidConfig("cannot query \(exchange): its block in the config is invalid")
  }
}

/// The text on stderr and the exit code of an error, created in this one place.
package struct ErrorReport {
  package let text: String
  /// What is wrong, in one line without a label; of several problems the first.
  package let sentence: String
  package let exitCode: ExitCode

  /// - Parameters:
  ///   - command: the command being parsed or run; nil before one was found.
  ///   - width: the width available for a line of source text, in cells.
  ///   - columns: the width at which sentences are wrapped; nil for no wrapping.
  package init(
    _ error: any Error, program: String, command: Command?, palette: Palette, width: Int, columns: Int? = nil
  ) {
    // It may contain names and texts from an exchange.
    func line(_ label: String, _ style: Style, _ sentence: String) -> String {
      (StyledText(label, style) + StyledText(" " + sentence)).wrapped(to: columns)
        .map { $0.painted(with: palette) + "\n" }.joined()
    }
    func line(_ sentence: String) -> String { line("error:", .alert, sentence) }
    let choice = (error as? ExchangeChoiceProblem)?.commandError(of: command)
    switch (error as? ConfigProblem)?.commandError ?? choice ?? error {
    case let problem as UsageProblem:
      let page = Self.helpfulPage(for: problem, program: program, command: command)
      (sentence, exitCode) = (problem.description, .usage)
      text = line(sentence) + line("help:", .heading, page)
    case CommandError.diagnostics(let diagnostics, let code):
      (sentence, exitCode) = (diagnostics.first?.sentence ?? "", code)
      text = diagnostics.map { $0.rendered(palette: palette, width: width) }.joined()
    case CommandError.noAnswer(let sentence):
      (self.sentence, text, exitCode) = (sentence, line(sentence), .noAnswer)
    case CommandError.invalidConfig(let sentence):
      (self.sentence, text, exitCode) = (sentence, line(sentence), .invalidConfig)
    default:
      sentence = String(describing: error)
      (text, exitCode) = (line(sentence), .noAnswer)
    }
  }

  /// Returns the command line of the help page that shows correct usage.
  private static func helpfulPage(for problem: UsageProblem, program: String, command: Command?) -> String {
    if case .unknownCommand = problem { return "\(program) help" }
    return command.map { "\(program) \($0.name) --help" } ?? "\(program) help"
  }
}

extension SourceDiagnostic {
  /// Creates a problem at a byte of a text. Line and column are only computed now, since only errors need them.
  ///
  /// - Parameters:
  ///   - offset: the byte offset from 0; the text's length points past its end.
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
