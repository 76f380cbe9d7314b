import Adapters
import Catalog
import Files
import JSON
import Quotes
import Terminal
import Transport

/// `market add-exchange [NAME]`
enum AddExchangeCommand {
  private enum Format: String, CaseIterable { case text, json }

  private static let name = Argument(
    "NAME", help: "what the exchange shall be called; or a file with a ready block", isOptional: true)
  private static let sample = Option(
    "from-sample", value: "SOURCE",
    help: "an answer with the venue's tickers: a file, an address, or '-' for standard input")
  private static let curl = Option(
    "from-curl", value: "LINE",
    help: "a pasted 'curl …'; '-' reads it from standard input, where no one else sees its keys")
  private static let like = Option(
    "like", value: "EXCHANGE", help: "start from this exchange; only what differs is written")
  private static let yes = Option("yes", short: "y", help: "write without asking whether to; what is unsure stays out")
  private static let noInput = Option("no-input", help: "never ask; what is unsure stays out")
  private static let dryRun = Option("dry-run", short: "n", help: "write nothing, show the block")
  private static let diff = Option("diff", help: "show the lines of the config that change")
  private static let format = Option(
    "format", short: "f", value: "FORMAT", help: "how to write the proposal", default: Format.text.rawValue,
    choices: Format.allCases.map(\.rawValue), category: .output)

  static let command = Command(
    name: "add-exchange",
    summary: "add an exchange from one answer",
    examples: [
      .init("market add-exchange", "step by step, on a terminal"),
      .init(
        "market add-exchange Newex --from-sample https://host/tickers",
        "ask once, infer the block, ask what is unsure, write it"),
      .init("market add-exchange Newex --from-sample a.json --tickers https://host/tickers", "from a saved answer"),
      .init("market add-exchange Newex --from-curl -", "paste a curl line; its keys stay out of the config"),
      .init("market add-exchange Newex --like Binance --from-sample https://host/all", "a look-alike"),
      .init("market add-exchange Newex --from-sample a.json --dry-run -f json", "for a program"),
      .init("market add-exchange block.json", "merge a block that is written already"),
    ],
    arguments: [name],
    options: [sample, curl, like] + AddingOptions.all
      + [yes, noInput, dryRun, diff, format, .config, .scheme, .timeout],
    discussion: [
      "Names propose, the numbers of all rows decide: low <= price <= high, bid <= ask, turnover / volume is a price, the "
        + "change fits the open. What stays unsure is asked on a terminal, and left out with --yes or --no-input. An option "
        + "that gives a path goes before what is inferred, and is refused where the sample has nothing there.",
      "Keys and passwords of an address or a curl line are never written or shown: {secret:name} takes their place, and a "
        + "message says where to put them.",
      "The config is edited in place: every other byte stays as it was, and nothing is written before the result has been "
        + "read without an error. Where only the shipped config is in use, a file of your own is made that extends it.",
      "The sample is kept, without secrets, in the folder 'cassettes' beside the config: test-exchange holds the exchange "
        + "to it from then on.",
    ],
    work: .awaiting { try await run($0, in: $1) })

  /// - Parameter exchange: asks the network; nil: with the transport of the program.
  static func run(
    _ invocation: Invocation, in context: Context, by exchange: Exchange? = nil
  ) async throws -> ExitCode {
    let word = invocation.optionalText(of: name)
    let source = try source(invocation, in: context)
    let isBare = source == nil && invocation.value(of: like) == nil
    if isBare, let word, word.hasSuffix(".json") { return try merge(word, invocation, in: context) }
    let isTerminal = context.terminal.inputIsTerminal && context.terminal.errorIsTerminal
    let readsInput = invocation.value(of: sample) == "-" || (invocation.value(of: curl) == "-" && !isTerminal)
    let questioner = Questioner(
      context: context,
      isAsking: isTerminal && !readsInput && !invocation.has(noInput) && !invocation.has(yes)
        && !invocation.has(dryRun))
    guard !isBare || questioner.isAsking else {
      throw UsageProblem.other(
        "give an answer of the exchange with --from-sample FILE, URL or -, a curl line with --from-curl, or --like EXCHANGE"
      )
    }
    guard word != nil || questioner.isAsking else { throw UsageProblem.missingArgument(name.name) }
    let client = exchange == nil ? try client(invocation) : nil
    defer { client?.shutDown() }
    guard let exchange = exchange ?? client?.exchange else { return .noAnswer }
    let adding = Adding(
      invocation: invocation, context: context, questioner: questioner, exchange: exchange, isBare: isBare)
    return try await adding.run(word, source)
  }

  /// Where the sample comes from, and what it answers.
  private struct Source {
    /// nil where a request has to be sent.
    var place: SampleSource
    var request: SampleRequest?
    var notes: [String] = []
  }

  private static func source(_ invocation: Invocation, in context: Context) throws -> Source? {
    let text = invocation.value(of: sample)
    guard let line = invocation.value(of: curl) else { return text.map { Source(place: SampleSource($0)) } }
    guard line != "-" || text != "-" else {
      throw UsageProblem.other("standard input holds the curl line or the sample, not both")
    }
    let bytes = line == "-" ? try context.input(limit: 1 << 20) : Array(line.utf8)
    let pasted: CurlLine
    do { pasted = try CurlLine(String(decoding: bytes, as: UTF8.self)) } catch {
      throw UsageProblem.other("\(error)")
    }
    return Source(
      place: text.map { SampleSource($0) } ?? .wire(pasted.request), request: pasted.request, notes: pasted.notes)
  }

  private static func client(_ invocation: Invocation) throws -> HTTPClient {
    var options = HTTPClient.Options(userAgent: "market/\(Version.number)")
    let timeout: Duration = .milliseconds(try invocation.timeout() ?? 5_000)
    options.timeout = timeout
    options.connectTimeout = timeout
    // The clock of the run starts with the client, and a person may think for long: each request has its own end.
    options.deadline = nil
    return HTTPClient(options)
  }

  /// The way from the words of the command line to a run.
  private struct Adding {
    let invocation: Invocation
    let context: Context
    let questioner: Questioner
    let exchange: Exchange
    /// Without a sample and without a family: everything is asked.
    let isBare: Bool

    func run(_ word: String?, _ source: Source?) async throws -> ExitCode {
      var options = try AddingOptions(invocation)
      var draft = try ConfigDraft(invocation, in: context)
      if let word, let problem = try AddExchangeCommand.objection(to: word, in: draft) {
        throw CommandError.noAnswer(problem)
      }
      let dialogue = AddingDialogue(questioner: questioner, context: context, exchange: exchange)
      var sample: Sample?
      if let source {
        for note in source.notes { context.note(TerminalText.sanitized(note)) }
        sample = try await source.place.sample(
          answering: source.request, named: word ?? "sample", in: context, by: exchange)
      } else if isBare {
        sample = try await dialogue.sample(named: word)
      }
      guard let sample else { return try runWithoutSample(word ?? "", options, &draft) }
      let answers: AddingAnswers
      if isBare {
        answers = try dialogue.answers(to: sample, options)
      } else {
        // Where a family answers, what the sample leaves open is no question.
        let isLike = settings.like != nil
        let asking = isLike ? Questioner(context: context, isAsking: false) : questioner
        var found = try AddingAnswers(sample.bytes, options, asking)
        try found.settle()
        answers = found
      }
      try settleMarket(&options, answers.proposal)
      var settings = settings
      if isBare, sample.request == nil, settings.tickers == nil { settings.tickers = try askAddress() }
      let name = try word ?? dialogue.name { try AddExchangeCommand.objection(to: $0, in: draft) }
      let run = AddingRun(
        name: name, sample: sample, options: options, settings: settings, questioner: questioner, context: context,
        palette: try context.palette(for: invocation), trial: { try await trial(of: name) })
      return try await run.run(answers, draft)
    }

    /// Proves the written venue on its recording. What the recording comes to is kept beside it, if nothing is wrong.
    private func trial(of name: String) async throws -> [TrialFinding] {
      let config = try ConfigLoader(invocation, in: context)
      let shelf = CassetteShelf(named: nil, config: config.found.path, in: context)
      let bench = TrialBench(config: config, shelf: shelf, desk: nil, accepts: true)
      let venue = config.venue(try config.source(named: name), in: context)
      return await bench.trials(of: [venue.map { .venue($0) }]).compactMap { $0?.problems }.flatMap { $0 }
    }

    /// Nobody has said that the sample is of spot: where it looks like futures, that is asked.
    private func settleMarket(_ options: inout AddingOptions, _ proposal: VenueProposal) throws {
      guard let sign = proposal.futuresSign, !options.isMarketGiven, options.market == .spot, settings.like == nil
      else { return }
      let text = "these look like futures: \(TerminalText.sanitized(sign))"
      if questioner.isAsking {
        questioner.say("")
        if try questioner.confirm("\(text). Are they?", byDefault: true) { options.market = .futures }
      } else if settings.isDry {
        context.note("\(text); say --market futures, or --market spot if they are none")
      } else {
        throw CommandError.noAnswer("\(text); say --market futures, or --market spot if they are none")
      }
    }

    /// A saved answer does not say where it is from.
    private func askAddress() throws -> String {
      questioner.say("")
      while true {
        let text = try questioner.ask("which address gives this answer? https://")
        let url = text.contains("://") ? text : "https://" + text
        if !text.isEmpty, (try? SampleRequest(url: url).address()) != nil { return url }
      }
    }

    private var settings: AddingRun.Settings {
      AddingRun.Settings(
        isDry: invocation.has(dryRun), isJSON: invocation.value(of: format) == Format.json.rawValue,
        showsDifference: invocation.has(diff), writesUnasked: invocation.has(yes),
        baseURL: invocation.value(of: AddingOptions.baseURL), tickers: invocation.value(of: AddingOptions.tickers),
        like: invocation.value(of: like))
    }

    /// A family and what the options say differs: nothing proves it.
    private func runWithoutSample(
      _ name: String, _ options: AddingOptions, _ draft: inout ConfigDraft
    ) throws -> ExitCode {
      let settings = settings
      let request = try VenueRequest.request(base: settings.baseURL, tickers: settings.tickers, sample: nil)
      guard let base = request?.base ?? settings.baseURL else {
        throw UsageProblem.other("say where the venue answers: --base-url https://api.example.com")
      }
      var draftOfLike = try LikeDraft(
        name, like: settings.like ?? "", baseURLs: [base], options, draft, in: context)
      try draftOfLike.take(request?.block)
      try draft.add(name, draftOfLike.block)
      _ = try draft.venue(named: name)
      if settings.isJSON {
        context.write(json: draftOfLike.json)
      } else {
        context.output.write(draftOfLike.text)
        context.output.write(AddingRun.text(of: draftOfLike.block, named: name))
      }
      context.note("no answer of \(TerminalText.sanitized(name)) proves this; give one with --from-sample")
      let end = AddingEnd(settings: settings, questioner: questioner, context: context)
      return try end.write(draft) || settings.isDry ? .answer : .noAnswer
    }
  }

  /// Why the name cannot be taken; nil where it can.
  private static func objection(to name: String, in draft: ConfigDraft) throws -> String? {
    let (isOwn, isShipped) = try draft.place(of: name)
    if isOwn { return "\(draft.path) has an exchange '\(name)' already; remove it with remove-exchange first" }
    if isShipped { return "an exchange '\(name)' ships with the program; call yours something else" }
    if name.isEmpty || name.contains(where: \.isNewline) { return "a name is a line of text" }
    // Names are found in any case: one of the two could not be asked for.
    let other = try draft.catalog().venue(named: name)?.name
    return other.map { "the exchange '\($0)' goes by '\(name)', too; call yours something else" }
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
      if let problem = try objection(to: block.name, in: draft) { throw CommandError.noAnswer(problem) }
      try draft.add(block.name, .raw(block.value.json.text))
    }
    for block in blocks { _ = try draft.venue(named: block.name) }
    let settings = AddingRun.Settings(
      isDry: invocation.has(dryRun), showsDifference: invocation.has(diff), writesUnasked: invocation.has(yes))
    let isAsking = context.terminal.inputIsTerminal && !invocation.has(noInput)
    let end = AddingEnd(
      settings: settings, questioner: Questioner(context: context, isAsking: isAsking), context: context)
    return try end.write(draft) || settings.isDry ? .answer : .noAnswer
  }
}
