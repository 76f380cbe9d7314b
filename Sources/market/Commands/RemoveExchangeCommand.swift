import Config
import MarketData
import Onboarding
import Shell
import Terminal

/// `market remove-exchange NAME`
enum RemoveExchangeCommand {
  private static let name = Argument("NAME", help: "an exchange of your own config", kind: .ownExchange)
  private static let dryRun = Option("dry-run", short: "n", help: "write nothing, show the lines that would be removed")

  static let command = Command(
    name: "remove-exchange",
    summary: "remove an exchange from your config",
    examples: [.init("market remove-exchange Newex", "undo add-exchange")],
    arguments: [name],
    options: [dryRun, .config],
    discussion: [
      "Removes the exchange from your own file, whose every other byte stays the same, and the recording that "
        + "add-exchange made, but nothing beside it. If the file only changes an exchange that ships with the program, "
        + "that exchange has its shipped settings again. One that your file does not name cannot be removed; disable it "
        + "with \"enabled\": false."
    ],
    work: .immediate(run))

  @Sendable private static func run(_ invocation: Invocation, in context: Context) throws -> ExitCode {
    do { return try remove(invocation, in: context) } catch let problem as OnboardingProblem { throw problem.asError }
  }

  private static func remove(_ invocation: Invocation, in context: Context) throws -> ExitCode {
    var draft = try ConfigDraft(ConfigLocator(context), named: invocation.value(of: .config))
    let word = try draft.spelling(of: invocation.text(of: name))
    let (isOwn, isShipped) = try draft.place(of: word)
    guard isOwn else {
      guard isShipped else {
        if draft.isNew { throw UsageProblem.other("unknown exchange '\(word)'; no such file: '\(draft.path)'") }
        throw OnboardingProblem.unknownExchange(word, path: draft.path, suggestion: nil)
      }
      throw CommandError.noAnswer("'\(word)' ships with the program; to disable it, write \"enabled\": false")
    }
    try draft.remove(word)
    let errors = try draft.configuration().diagnostics.filter { $0.severity == .error }
    guard errors.isEmpty else { throw CommandError.diagnostics(SourceDiagnostic.list(errors), .invalidConfig) }
    guard !invocation.has(dryRun) else {
      context.output.write(TerminalText.sanitizedLines(draft.difference))
      return .answer
    }
    try draft.write()
    context.note("removed \(word) from \(draft.path)")
    if isShipped { context.note("\(word) has its shipped settings again") }
    let recordings = SampleCassette(config: draft.path).removeRecordings(of: word)
    if recordings.removed > 0 { context.note("removed its recording, \(recordings.removed) files") }
    if let remainder = recordings.remainder { context.note(remainder) }
    return .answer
  }
}
