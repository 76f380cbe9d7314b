/// A command of the program: data for parsing and help, and the work itself.
///
/// Each command has a file in `Commands/` with an enumeration that holds its arguments and options as constants, its
/// `command`, and the function that runs it.
package struct Command: Sendable {
  /// A sample command line and what it does.
  package struct Example: Hashable, Sendable {
    let line: String
    let meaning: String

    package init(_ line: String, _ meaning: String) { (self.line, self.meaning) = (line, meaning) }
  }

  package enum Work: Sendable {
    /// Runs on the calling thread, without tasks or waiting.
    case immediate(@Sendable (Invocation, Context) throws -> ExitCode)
    /// Uses the network or concurrency.
    case awaiting(@Sendable (Invocation, Context) async throws -> ExitCode)
    /// Either of the two, depending on the command line.
    indirect case depending(@Sendable (Invocation) -> Work)

    /// Returns work that runs with resolved options on the calling thread.
    package static func now<Options: CommandOptions>(
      _ run: @escaping @Sendable (Options, Context) throws -> ExitCode
    ) -> Work {
      .immediate { try run(Options($0), $1) }
    }

    /// Returns work that runs with resolved options and waits for the network.
    package static func later<Options: CommandOptions>(
      _ run: @escaping @Sendable (Options, Context) async throws -> ExitCode
    ) -> Work { .awaiting { try await run(Options($0), $1) } }
  }

  package let name: String
  /// One line, lowercase, no full stop.
  package let summary: String
  /// Examples, shown first on the help page.
  package let examples: [Example]
  package let arguments: [Argument]
  /// The command's own options. `Option.help` and `Option.color`, common to all commands, are added.
  package let options: [Option]
  /// Explains arguments of which there are too many; nil for those that it knows nothing about.
  let surplus: @Sendable ([String]) -> UsageProblem?
  /// How to come to a live view of the same, such as `run: market watch`, for those who add `--watch`; nil if there is
  /// none, or the command has that option.
  let live: String?
  /// Paragraphs at the end of the help page; empty for none.
  package let discussion: [String]
  /// Whether the command is hidden from lists because only other programs use it.
  package let isHidden: Bool
  package let work: Work

  /// - Parameter options: the command's own options, in groups.
  package init(
    name: String, summary: String, examples: [Example], arguments: [Argument] = [], options: [Option]...,
    surplus: @escaping @Sendable ([String]) -> UsageProblem? = { _ in nil }, live: String? = nil,
    discussion: [String] = [], isHidden: Bool = false, work: Work
  ) {
    (self.name, self.summary, self.examples, self.arguments) = (name, summary, examples, arguments)
    (self.surplus, self.live, self.discussion) = (surplus, live, discussion)
    (self.isHidden, self.work) = (isHidden, work)
    self.options = options.flatMap(\.self) + Option.common
  }

  /// The command line without the program's name: `show ASSET [PAYMENT] [OPTIONS]`.
  package var usage: String { ([name] + arguments.map(\.usage) + ["[OPTIONS]"]).joined(separator: " ") }

  package func option(named name: String) -> Option? { options.first { $0.name == name } }

  package func option(short: Character) -> Option? { options.first { $0.short == short } }
}

/// A positional argument of a command.
package struct Argument: Hashable, Sendable {
  /// The uppercase name in the help: `ASSET`.
  package let name: String
  /// What it means; lowercase, no full stop.
  package let help: String
  /// Whether it may be omitted. Only the last arguments of a command may be optional.
  package let isOptional: Bool
  /// Whether it takes all remaining words. Only the last argument of a command may repeat.
  package let isRepeating: Bool
  package let kind: WordKind
  /// Its kind if the first argument, or an option before it, is one of these words.
  private let kinds: [String: WordKind]

  package init(
    _ name: String, help: String, isOptional: Bool = false, isRepeating: Bool = false, kind: WordKind = .text,
    after kinds: [String: WordKind] = [:]
  ) {
    (self.name, self.help, self.kind, self.kinds) = (name, help, kind, kinds)
    (self.isOptional, self.isRepeating) = (isOptional, isRepeating)
  }

  /// - Parameter words: the first argument, and the options as they are spelled in help.
  func kind(after words: [String]) -> WordKind { words.lazy.compactMap { kinds[$0] }.first ?? kind }

  /// The argument in the usage line: `ASSET`, `[FILE]`, `NAME...`, `[NAME...]`.
  package var usage: String {
    let word = isRepeating ? name + "..." : name
    return isOptional ? "[\(word)]" : word
  }
}
