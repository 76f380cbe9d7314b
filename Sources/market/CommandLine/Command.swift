/// A command of the program: data for parsing and help, and the work itself.
///
/// One file a command, in `Commands/`: an enumeration that holds the arguments and options as constants, the
/// `command` made of them, and the function that runs.
struct Command: Sendable {
  /// A command line worth copying, and what it does.
  struct Example: Hashable, Sendable {
    let line: String
    let meaning: String

    init(_ line: String, _ meaning: String) {
      self.line = line
      self.meaning = meaning
    }
  }

  /// The work of a command.
  enum Work: Sendable {
    /// Done on the calling thread: no task, no wait.
    case immediate(@Sendable (Invocation, Context) throws -> ExitCode)
    /// Needs the network or several things at once.
    case awaiting(@Sendable (Invocation, Context) async throws -> ExitCode)
    /// One or the other, as the command line has it.
    indirect case depending(@Sendable (Invocation) -> Work)
  }

  let name: String
  /// One line, lower case, no full stop.
  let summary: String
  /// The help page shows them first.
  let examples: [Example]
  let arguments: [Argument]
  /// The command's own options; `Option.help` and `Option.color`, which every command has, are added.
  let options: [Option]
  /// Paragraphs at the end of the help page; empty for none.
  let discussion: [String]
  let work: Work

  init(
    name: String, summary: String, examples: [Example], arguments: [Argument] = [], options: [Option] = [],
    discussion: [String] = [], work: Work
  ) {
    self.name = name
    self.summary = summary
    self.examples = examples
    self.arguments = arguments
    self.options = options + Option.common
    self.discussion = discussion
    self.work = work
  }

  func option(named name: String) -> Option? {
    options.first { $0.name == name }
  }

  func option(short: Character) -> Option? {
    options.first { $0.short == short }
  }
}
