import Shell

/// `market completions SHELL`, and `market complete -- WORDS`, which its scripts run.
enum CompletionsCommand {
  private static let shell = Argument("SHELL", help: "bash, zsh or fish", kind: .oneOf(CompletionShell.names))

  static let command = Command(
    name: "completions",
    summary: "print the script that completes command lines in a shell",
    examples: [
      .init("eval \"$(market completions bash)\"", "in ~/.bashrc"),
      .init("source <(market completions zsh)", "in ~/.zshrc, after compinit"),
      .init("market completions fish | source", "in ~/.config/fish/config.fish"),
    ],
    arguments: [shell],
    discussion: [
      "'make install' puts the scripts where the shells look for them. Commands, options and their values come "
        + "from the installed program, exchange names from the config; no network request is made."
    ],
    work: .immediate { words, context in
      if let shell: CompletionShell = try words.choice(of: shell) { context.output.write(shell.script) }
      return .answer
    })

  // MARK: Completion queries

  private static let words = Argument(
    "WORD", help: "the words after 'market'; the last may be incomplete", isOptional: true, isRepeating: true)

  static let answer = Command(
    name: "complete",
    summary: "list possible completions of a command line",
    examples: [.init("market complete -- show BTC ''", "each word and its meaning, separated by a tab")],
    arguments: [words],
    isHidden: true,
    work: .immediate(complete))

  @Sendable private static func complete(_ invocation: Invocation, in context: Context) -> ExitCode {
    switch Completion(invocation.texts(of: words), program: .market, in: context).answer {
    case .files: context.output.write(":files\n")
    case .folders: context.output.write(":folders\n")
    case .words(let candidates):
      for candidate in candidates {
        let meaning = candidate.meaning.isEmpty ? "" : "\t" + candidate.meaning
        context.output.write(candidate.text + meaning + "\n")
      }
    }
    return .answer
  }
}
