import MarketData
import Terminal

/// The text on stderr and the exit code of an error: the one place where both are made.
struct ErrorReport {
  let text: String
  let exitCode: ExitCode

  /// - Parameters:
  ///   - command: the command that was being read or run; nil before one was found.
  ///   - width: cells that a line of a source text may take.
  init(_ error: any Error, program: String, command: Command?, palette: Palette, width: Int) {
    let label = palette.paint("error:", as: .alert)
    switch (error as? ConfigProblem)?.commandError ?? error {
    case let problem as UsageProblem:
      let page = Self.helpfulPage(for: problem, program: program, command: command)
      let sentence = TerminalText.sanitized(problem.description)
      text = "\(label) \(sentence)\n\(palette.paint("help:", as: .heading)) \(page)\n"
      exitCode = .usage
    case CommandError.diagnostics(let diagnostics, let code):
      text = diagnostics.map { $0.rendered(palette: palette, width: width) }.joined()
      exitCode = code
    case CommandError.noAnswer(let sentence):
      text = "\(label) \(TerminalText.sanitized(sentence))\n"
      exitCode = .noAnswer
    case CommandError.invalidConfig(let sentence):
      text = "\(label) \(TerminalText.sanitized(sentence))\n"
      exitCode = .invalidConfig
    default:
      text = "\(label) \(TerminalText.sanitized(String(describing: error)))\n"
      exitCode = .noAnswer
    }
  }

  /// The command line that shows what would have been right.
  private static func helpfulPage(for problem: UsageProblem, program: String, command: Command?) -> String {
    if case .unknownCommand = problem { return "\(program) help" }
    return command.map { "\(program) \($0.name) --help" } ?? "\(program) help"
  }
}
