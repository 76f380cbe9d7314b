import Catalog
import Files
import JSON
import Quotes
import Terminal

/// `market add-exchange NAME --from-sample FILE`
enum AddExchangeCommand {
  private enum Format: String, CaseIterable { case text, json }

  private static let name = Argument("NAME", help: "what the exchange shall be called; or a file with a ready block")
  private static let sample = Option(
    "from-sample", value: "FILE", help: "a saved answer of the venue with its tickers; '-' is standard input")
  private static let yes = Option("yes", short: "y", help: "write without asking whether to; what is unsure stays out")
  private static let noInput = Option("no-input", help: "never ask; what is unsure stays out")
  private static let dryRun = Option("dry-run", short: "n", help: "write nothing, show the block")
  private static let diff = Option("diff", help: "show the lines of the config that change")
  private static let format = Option(
    "format", short: "f", value: "FORMAT", help: "how to write the proposal", default: Format.text.rawValue,
    choices: Format.allCases.map(\.rawValue), category: .output)

  static let command = Command(
    name: "add-exchange",
    summary: "add an exchange from one saved answer",
    examples: [
      .init(
        "market add-exchange Newex --from-sample a.json --tickers https://host/tickers",
        "infer the block, ask what is unsure, write it"),
      .init(
        "curl -s https://host/all | market add-exchange Newex --from-sample - --dry-run",
        "look first"),
      .init("market add-exchange Newex --from-sample a.json --dry-run -f json", "for a program"),
      .init("market add-exchange block.json", "merge a block that is written already"),
    ],
    arguments: [name],
    options: [sample] + AddingOptions.all + [yes, noInput, dryRun, diff, format, .config, .scheme],
    discussion: [
      "Names propose, the numbers of all rows decide: low <= price <= high, bid <= ask, turnover / volume is a price, the "
        + "change fits the open. What stays unsure is asked on a terminal, and left out with --yes or --no-input.",
      "The config is edited in place: every other byte stays as it was, and nothing is written before the result has been "
        + "read without an error. Where only the shipped config is in use, a file of your own is made that extends it.",
      "Samples from an address or a curl line are not read yet: save the answer first.",
    ],
    work: .immediate(run))

  @Sendable private static func run(_ invocation: Invocation, in context: Context) throws -> ExitCode {
    let word = invocation.text(of: name)
    guard let path = invocation.value(of: sample) else {
      guard word.hasSuffix(".json") else {
        throw UsageProblem.other("give a saved answer with --from-sample FILE")
      }
      return try merge(word, invocation, in: context)
    }
    if path.hasPrefix("http://") || path.hasPrefix("https://") {
      throw UsageProblem.other("a sample from an address is not read yet: save it with curl, then name the file")
    }
    let bytes = try path == "-" ? context.input() : FileSystem.read(path)
    return try add(word, sample: bytes, isFromInput: path == "-", invocation, in: context)
  }

  private static func add(
    _ name: String, sample: [UInt8], isFromInput: Bool, _ invocation: Invocation, in context: Context
  ) throws -> ExitCode {
    let options = try AddingOptions(invocation)
    let proposal: VenueProposal
    do {
      proposal = try VenueInference(sample, pair: options.pair).proposal()
    } catch {
      throw CommandError.noAnswer(TerminalText.sanitized("\(error)"))
    }
    let isDry = invocation.has(dryRun)
    let isJSON = invocation.value(of: format) == Format.json.rawValue
    let asks =
      !invocation.has(noInput) && !invocation.has(yes) && !isDry && !isFromInput
      && context.terminal.inputIsTerminal && context.terminal.errorIsTerminal
    let palette = try context.palette(for: invocation)
    let answers = AddingAnswers(proposal, options, asks: asks, in: context)
    if !isJSON {
      let report = ProposalText(proposal: proposal, answers: answers)
      context.output.write(report.text(width: context.terminal.columns, palette: palette))
    }
    for (role, reason) in answers.left {
      context.note(TerminalText.sanitized("\(role.role.field.rawValue) is left out: \(role.path): \(reason)"))
    }
    if let objection = answers.objection, !isDry {
      throw CommandError.noAnswer(TerminalText.sanitized(objection))
    }
    let address = try address(options, invocation, isDry: isDry, in: context)
    for secret in address.secrets {
      context.note(TerminalText.sanitized("'\(secret)' is kept out of the config; put it into credentials.json"))
    }
    let block = VenueBlock(
      proposal, symbol: answers.symbol ?? .request(nil), roles: answers.roles, market: options.market,
      baseURLs: [address.base], path: address.path, query: address.query.map { ($0.name, $0.value) })

    var draft = try ConfigDraft(invocation, in: context)
    try refuseTaken(name, in: draft)
    try draft.add(name, block.value)
    guard answers.objection == nil else {
      show(block, proposal, answers, nil, name: name, isJSON: isJSON, in: context)
      context.note(TerminalText.sanitized(answers.objection ?? ""))
      return .noAnswer
    }
    let venue = try draft.venue(named: name)
    let preview = SamplePreview(
      venue, sample: sample, pair: options.pair, catalog: try draft.catalog(), now: context.now())
    if !isJSON { context.output.write("\n" + preview.text(width: context.terminal.columns, palette: palette) + "\n") }
    if isDry || isJSON { show(block, proposal, answers, preview, name: name, isJSON: isJSON, in: context) }
    if preview.failure != nil || preview.rows == 0 { return .noAnswer }
    return try finish(draft, invocation, asks: asks, in: context)
  }

  private static func show(
    _ block: VenueBlock, _ proposal: VenueProposal, _ answers: AddingAnswers, _ preview: SamplePreview?, name: String,
    isJSON: Bool, in context: Context
  ) {
    if isJSON {
      context.write(
        json: ProposalJSON(name: name, block: block.value, proposal: proposal, answers: answers, preview: preview)
          .bytes())
    } else {
      context.output.write("\(ConfigValue.quoted(name)): \(block.text())\n")
    }
  }

  /// Writes the edit, after a last question where there is somebody to ask.
  private static func finish(
    _ draft: ConfigDraft, _ invocation: Invocation, asks: Bool, in context: Context
  ) throws -> ExitCode {
    if invocation.has(diff) { context.output.write(TerminalText.sanitizedLines(draft.difference)) }
    if invocation.has(dryRun) { return .answer }
    if !invocation.has(yes) {
      guard asks else {
        context.note("nothing is written; say --yes to write \(TerminalText.sanitized(draft.path))")
        return .noAnswer
      }
      context.output.flush()
      context.errorOutput.write("write \(TerminalText.sanitized(draft.path))? [y/N] ")
      guard ["y", "yes"].contains(context.readLine()?.lowercased() ?? "") else { return .noAnswer }
    }
    try draft.write()
    context.note("wrote \(TerminalText.sanitized(draft.path))")
    return .answer
  }

  private static func address(
    _ options: AddingOptions, _ invocation: Invocation, isDry: Bool, in context: Context
  ) throws -> RequestAddress {
    let base = invocation.value(of: AddingOptions.baseURL)
    let tickers = invocation.value(of: AddingOptions.tickers)
    if let tickers { return try RequestAddress(base: base, tickers: tickers, pair: options.pair) }
    guard isDry else {
      throw UsageProblem.other("say where the answer comes from: --tickers https://api.example.com/tickers")
    }
    return try RequestAddress(base: base ?? "https://api.example.com", tickers: "/tickers", pair: options.pair)
  }

  private static func refuseTaken(_ name: String, in draft: ConfigDraft) throws {
    let (isOwn, isShipped) = try draft.place(of: name)
    if isOwn {
      throw CommandError.noAnswer(
        TerminalText.sanitized("\(draft.path) has an exchange '\(name)' already; remove it with remove-exchange first"))
    }
    if isShipped {
      throw CommandError.noAnswer(
        TerminalText.sanitized("an exchange '\(name)' ships with the program; call yours something else"))
    }
  }

  // MARK: A ready block

  /// `{"Newex": {…}}`, or a whole config with `exchanges`: each exchange goes in as it is written.
  private static func merge(_ path: String, _ invocation: Invocation, in context: Context) throws -> ExitCode {
    let file: ConfigFile
    do {
      file = try ConfigFile(name: path, bytes: try FileSystem.read(path))
    } catch let error as ConfigSyntaxError {
      throw ConfigLoader.error(error)
    }
    let blocks = file.root["exchanges"]?.members ?? file.root.members
    guard !blocks.isEmpty, blocks.allSatisfy({ $0.value.json.kind == .object }) else {
      throw CommandError.noAnswer("\(TerminalText.sanitized(path)) holds no exchange: write { \"NAME\": { … } }")
    }
    var draft = try ConfigDraft(invocation, in: context)
    for block in blocks {
      try refuseTaken(block.name, in: draft)
      try draft.add(block.name, .raw(block.value.json.text))
    }
    for block in blocks { _ = try draft.venue(named: block.name) }
    return try finish(
      draft, invocation, asks: context.terminal.inputIsTerminal && !invocation.has(noInput), in: context)
  }
}
