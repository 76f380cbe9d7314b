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
    discussion: ["The page, in the man macros of roff, has all that 'market help' says of every command."],
    work: .immediate(run))

  @Sendable private static func run(_ invocation: Invocation, in context: Context) -> ExitCode {
    context.output.write(ManPage(.market).text)
    return .answer
  }
}
