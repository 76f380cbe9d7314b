import Shell

/// `market help [COMMAND]`
enum HelpCommand {
  private static let topic = Argument("COMMAND", help: "the command to explain", isOptional: true, kind: .command)

  static let command = Command(
    name: "help",
    summary: "explain the program or one command",
    examples: [
      .init("market help", "the list of commands"),
      .init("market help show", "the page of 'show'"),
    ],
    arguments: [topic],
    work: .immediate(run))

  @Sendable private static func run(_ invocation: Invocation, in context: Context) throws -> ExitCode {
    let program = Program.market
    let pages = HelpPage(program: program.name)
    guard let name = invocation.optionalText(of: topic) else {
      context.output.write(pages.page(of: program))
      return .answer
    }
    guard let command = program.command(named: name) else {
      throw UsageProblem.unknownCommand(name, suggestion: program.suggestion(for: name))
    }
    context.output.write(pages.page(of: command))
    return .answer
  }
}
