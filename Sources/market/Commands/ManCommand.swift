import Shell

/// `market man`
enum ManCommand {
  static let command = Command(
    name: "man",
    summary: "print the manual page",
    examples: [
      .init("market man | man -l -", "read it"),
      .init("market man > ~/.local/share/man/man1/market.1", "so that 'man market' finds it"),
    ],
    discussion: ["The page uses the man macros of roff and has everything that 'market help' prints for each command."],
    work: .immediate(run))

  @Sendable private static func run(_ invocation: Invocation, in context: Context) -> ExitCode {
    context.output.write(ManPage(.market).text)
    return .answer
  }
}
