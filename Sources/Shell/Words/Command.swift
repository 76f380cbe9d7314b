/// A command of the program: data for parsing and help, and the work itself.
///
/// One file a command, in `Commands/`: an enumeration that holds the arguments and options as constants, the
/// `command` made of them, and the function that runs.
package struct Command: Sendable {
  /// A command line worth copying, and what it does.
  package struct Example: Hashable, Sendable {
    let line: String
    let meaning: String

    package init(_ line: String, _ meaning: String) {
      self.line = line
      self.meaning = meaning
    }
  }

  /// The work of a command.
  package enum Work: Sendable {
    /// Done on the calling thread: no task, no wait.
    case immediate(@Sendable (Invocation, Context) throws -> ExitCode)
    /// Needs the network or several things at once.
    case awaiting(@Sendable (Invocation, Context) async throws -> ExitCode)
    /// One or the other, as the command line has it.
    indirect case depending(@Sendable (Invocation) -> Work)

    /// Work on options that have been resolved, done on the calling thread.
    package static func now<Options: CommandOptions>(
      _ run: @escaping @Sendable (Options, Context) throws -> ExitCode
    ) -> Work {
      .immediate { try run(Options($0), $1) }
    }

    /// Work on options that have been resolved, which waits for the network.
    package static func later<Options: CommandOptions>(
      _ run: @escaping @Sendable (Options, Context) async throws -> ExitCode
    ) -> Work {
      .awaiting { try await run(Options($0), $1) }
    }
  }

  package let name: String
  /// One line, lower case, no full stop.
  package let summary: String
  /// The help page shows them first.
  package let examples: [Example]
  package let arguments: [Argument]
  /// The command's own options; `Option.help` and `Option.color`, which every command has, are added.
  package let options: [Option]
  /// Paragraphs at the end of the help page; empty for none.
  package let discussion: [String]
  /// True for what only other programs ask for: no list of commands has it.
  package let isHidden: Bool
  package let work: Work

  package init(
    name: String, summary: String, examples: [Example], arguments: [Argument] = [], options: [Option] = [],
    discussion: [String] = [], isHidden: Bool = false, work: Work
  ) {
    self.name = name
    self.summary = summary
    self.examples = examples
    self.arguments = arguments
    self.options = options + Option.common
    self.discussion = discussion
    self.isHidden = isHidden
    self.work = work
  }

  /// The command line without the program's name: `show ASSET [PAYMENT] [OPTIONS]`.
  package var usage: String { ([name] + arguments.map(\.usage) + ["[OPTIONS]"]).joined(separator: " ") }

  package func option(named name: String) -> Option? {
    options.first { $0.name == name }
  }

  package func option(short: Character) -> Option? {
    options.first { $0.short == short }
  }
}

/// A positional argument of a command.
package struct Argument: Hashable, Sendable {
  /// What the help calls it, in capitals: `ASSET`.
  package let name: String
  /// What it means, lower case, no full stop.
  package let help: String
  /// True when the command works without it. Only the last arguments of a command may be optional.
  package let isOptional: Bool
  /// True when it takes all the words that are left. Only the last argument of a command may repeat.
  package let isRepeating: Bool
  /// The words that completions offer; empty = those of its kind.
  package let choices: [String]
  package let kind: WordKind

  package init(
    _ name: String, help: String, isOptional: Bool = false, isRepeating: Bool = false, choices: [String] = [],
    kind: WordKind = .text
  ) {
    self.name = name
    self.help = help
    self.choices = choices
    self.kind = kind
    self.isOptional = isOptional
    self.isRepeating = isRepeating
  }

  /// The argument as the usage line has it: `ASSET`, `[FILE]`, `NAME...`, `[NAME...]`.
  package var usage: String {
    let word = isRepeating ? name + "..." : name
    return isOptional ? "[\(word)]" : word
  }
}
