import Config
import Files
import Inference
import JSON
import MarketData
import Terminal

extension AddExchangeCommand {
  /// Why the name cannot be taken; nil where it can.
  static func objection(to name: String, in draft: ConfigDraft) throws -> String? {
    let (isOwn, isShipped) = try draft.place(of: name)
    if isOwn { return "\(draft.path) has an exchange '\(name)' already; remove it with remove-exchange first" }
    if isShipped { return "an exchange '\(name)' ships with the program; call yours something else" }
    if name.isEmpty || name.contains(where: \.isNewline) { return "a name is a line of text" }
    // Names are found in any case: one of the two could not be asked for.
    let other = try draft.configuration().exchange(named: name)?.name
    return other.map { "the exchange '\($0)' goes by '\(name)', too; call yours something else" }
  }

  // MARK: A ready block

  /// `{"Newex": {…}}`, or a whole config with `exchanges`: each exchange goes in as it is written.
  static func merge(_ path: String, _ invocation: Invocation, in context: Context) throws -> ExitCode {
    let file: ConfigFile
    do {
      file = try ConfigFile(name: path, bytes: try FileSystem.read(path))
    } catch let error as ConfigSyntaxError {
      throw ConfigProblem.syntax(error)
    }
    let blocks = file.root["exchanges"]?.members ?? file.root.members
    let hasBlock = blocks.contains { block in ["markets", "like", "baseUrls"].contains { block.value[$0] != nil } }
    if !hasBlock, (try? ExchangeInference(FileSystem.read(path)).proposal()) != nil {
      throw CommandError.noAnswer(
        "\(path) is an answer of an exchange, it seems, and no block: market add-exchange NAME \(path)")
    }
    guard !blocks.isEmpty, blocks.allSatisfy({ $0.value.json.kind == .object }) else {
      throw CommandError.noAnswer("\(TerminalText.sanitized(path)) holds no exchange: write { \"NAME\": { … } }")
    }
    var draft = try ConfigDraft(invocation, in: context)
    for block in blocks {
      if let problem = try objection(to: block.name, in: draft) { throw CommandError.noAnswer(problem) }
      try draft.add(block.name, .raw(block.value.json.text))
    }
    for block in blocks { _ = try draft.exchange(named: block.name) }
    let settings = AddingRun.Settings(
      isDry: invocation.has(dryRun), showsDifference: invocation.has(diff), writesUnasked: invocation.has(yes))
    let isAsking = context.terminal.inputIsTerminal && !invocation.has(noInput)
    let end = AddingEnd(
      settings: settings, questioner: Questioner(context: context, isAsking: isAsking), context: context)
    return try end.write(draft) || settings.isDry ? .answer : .noAnswer
  }
}
