import Terminal

/// The text on stderr and the exit code of an error: the one place where both are made.
struct ErrorReport {
  let text: String
  let exitCode: ExitCode

  /// - Parameters:
  ///   - command: the command that was being read or run; nil before one was found.
  ///   - width: cells that a line of a source text may take.
  init(_ error: any Error, program: String, command: Command?, palette: Palette, width: Int) {
    let label = palette.paint("\(program): error:", as: .alert)
    switch error {
    case let problem as UsageProblem:
      let page = command.map { "\(program) \($0.name) --help" } ?? "\(program) help"
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
}
