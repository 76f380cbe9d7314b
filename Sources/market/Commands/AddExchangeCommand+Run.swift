import Config
import Files
import HTTP
import Inference
import Mapping
import MarketData
import Proving
import Quotes
import Terminal
import Transport

extension AddExchangeCommand {
  /// - Parameter exchange: asks the network; nil: with the transport of the program.
  static func run(
    _ invocation: Invocation, in context: Context, by handler: HTTPHandler? = nil
  ) async throws -> ExitCode {
    let word = invocation.optionalText(of: name)
    let words = invocation.texts(of: place) + invocation.values(of: sample)
    if let word, word.contains("://") {
      throw UsageProblem.other("the name of the exchange comes first: market add-exchange NAME ADDRESS")
    }
    let line = invocation.value(of: curl)
    let isBare = words.isEmpty && line == nil && invocation.value(of: like) == nil
    if isBare, let word, word.hasSuffix(".json") { return try merge(word, invocation, in: context) }
    let isTerminal = context.terminal.inputIsTerminal && context.terminal.errorIsTerminal
    let readers = words.filter { SampleWord.readsInput($0) }.count + (line == "-" ? 1 : 0)
    guard readers <= 1 else {
      throw UsageProblem.other("standard input holds one thing only; give the others as files")
    }
    let readsInput = readers > 0 && (line != "-" || !isTerminal)
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
    let client = handler == nil ? try client(invocation) : nil
    defer { client?.shutDown() }
    guard let handler = handler ?? client?.handler else { return .noAnswer }
    let adding = Adding(
      invocation: invocation, context: context, questioner: questioner, handler: handler, isBare: isBare)
    return try await adding.run(word)
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
    let handler: HTTPHandler
    /// Without a sample and without a family: everything is asked.
    let isBare: Bool

    func run(_ word: String?) async throws -> ExitCode {
      var options = try AddingOptions(invocation)
      var draft = try ConfigDraft(invocation, in: context)
      // The exchange's own names go before those of all.
      options.hints.aliases = try draft.configuration().aliases.merging(options.keys.aliases) { $1 }
      if let word, let problem = try AddExchangeCommand.objection(to: word, in: draft) {
        throw CommandError.noAnswer(problem)
      }
      let settings = try settings
      let dialogue = AddingDialogue(
        questioner: questioner, context: context, handler: handler, flags: settings.flags, pair: options.hints.pair)
      let family = try settings.like.map { try LikeFamily($0, options.market, in: draft) }
      var samples = try await samples(word, options, family, settings.flags)
      if isBare { samples.append((nil, try await dialogue.sample(named: word, options.hints))) }
      guard var sample = samples.first(where: { $0.part.isTable != false })?.sample ?? samples.first?.sample else {
        return try runWithoutSample(word ?? "", options, &draft, family)
      }
      let answers: AddingAnswers
      if isBare {
        answers = try dialogue.answers(to: sample, options)
      } else {
        // Where a family answers, what the sample leaves open is no question.
        let asking = family == nil ? questioner : Questioner(context: context, isAsking: false)
        var found = try AddingAnswers(sample.bytes, options, asking)
        try found.settle()
        answers = found
      }
      try settleMarket(&options, answers.proposal)
      if isBare, sample.request == nil, settings.tickers == nil {
        sample = try Sample(bytes: sample.bytes, request: try dialogue.address(), arrival: nil, name: sample.name)
      }
      let name = try word ?? dialogue.name { try AddExchangeCommand.objection(to: $0, in: draft) }
      let run = AddingRun(
        name: name, sample: sample, tickerSample: samples.first { $0.part.isTable == false }?.sample, options: options,
        settings: settings, questioner: questioner, context: context, palette: try context.palette(for: invocation),
        trial: { try await trial(of: name) })
      guard let family else { return try await run.run(answers, draft) }
      return try await run.runLike(family, samples, answers, draft)
    }

    // MARK: The samples

    /// All that `--from-sample` and `--from-curl` give, each with the part that it was given for.
    private func samples(
      _ name: String?, _ options: AddingOptions, _ family: LikeFamily?, _ flags: RequestFlags
    ) async throws -> [(part: LikeFamily.Part?, sample: Sample)] {
      let pasted = try curlRequest()
      var labels = family?.labels ?? []
      if family == nil, options.ticker != nil { labels = [("ticker", .place(.single(0)))] }
      let texts = invocation.texts(of: place) + invocation.values(of: AddExchangeCommand.sample)
      let words = texts.map { SampleWord($0, labels: labels.map(\.label)) }
      guard family != nil || words.filter({ $0.label == nil }).count <= 1 else {
        throw UsageProblem.other(
          "one answer is enough for a new exchange; several are for the parts of one with --like")
      }
      var samples: [(part: LikeFamily.Part?, sample: Sample)] = []
      if words.allSatisfy({ $0.label != nil }), let pasted {
        let sample = try await SampleSource.wire(pasted).sample(
          answering: pasted, named: name ?? "sample", pair: options.hints.pair, in: context, by: handler)
        samples.append((nil, sample))
      }
      for word in words {
        let part = labels.first { $0.label == word.label }?.part
        let request = word.label == nil ? pasted : nil
        let sample = try await word.source.adding(flags).sample(
          answering: request, named: name ?? "sample", pair: options.hints.pair, in: context, by: handler)
        samples.append((part, sample))
      }
      return samples
    }

    /// The request of the curl line, with what the other options say of it.
    private func curlRequest() throws -> SampleRequest? {
      guard let line = invocation.value(of: AddExchangeCommand.curl) else { return nil }
      let bytes = line == "-" ? try context.input(limit: 1 << 20) : Array(line.utf8)
      let pasted: CurlLine
      do { pasted = try CurlLine(String(decoding: bytes, as: UTF8.self)) } catch {
        throw UsageProblem.other("\(error)")
      }
      for note in pasted.notes { context.note(TerminalText.sanitized(note)) }
      var request = pasted.request
      try RequestFlags(invocation).apply(to: &request)
      return request
    }

    /// Proves the written exchange on its recording. What the recording comes to is kept beside it, if nothing is wrong.
    private func trial(of name: String) async throws -> [TrialFinding] {
      let config = try LoadedConfig(invocation, in: context)
      let shelf = CassetteShelf(named: nil, config: config.found.path, in: context)
      let bench = TrialBench(config: config, shelf: shelf, session: nil, accepts: true)
      let exchange = config.exchange(try config.source(named: name), in: context)
      return await bench.trials(of: [exchange.map { .exchange($0) }]).compactMap { $0?.problems }.flatMap { $0 }
    }

    /// Nobody has said that the sample is of spot: where it looks like futures, that is asked.
    private func settleMarket(_ options: inout AddingOptions, _ proposal: ExchangeProposal) throws {
      guard let sign = proposal.futuresSign, !options.isMarketGiven, options.market == .spot, !invocation.has(like)
      else { return }
      let text = "these look like futures: \(TerminalText.sanitized(sign))"
      if questioner.isAsking {
        questioner.say("")
        if try questioner.confirm("\(text). Are they?", byDefault: true) { options.market = .futures }
      } else if invocation.has(dryRun) {
        context.note("\(text); say --market futures, or --market spot if they are none")
      } else {
        throw CommandError.noAnswer("\(text); say --market futures, or --market spot if they are none")
      }
    }

    private var settings: AddingRun.Settings {
      get throws {
        AddingRun.Settings(
          isDry: invocation.has(dryRun), isJSON: invocation.value(of: format) == Format.json.rawValue,
          showsDifference: invocation.has(diff), writesUnasked: invocation.has(yes),
          baseURLs: invocation.values(of: AddingOptions.baseURL),
          tickers: invocation.value(of: AddingOptions.tickers), flags: try RequestFlags(invocation),
          like: invocation.value(of: like), config: invocation.value(of: .config))
      }
    }

    /// A family and what the options say differs: nothing proves it.
    private func runWithoutSample(
      _ name: String, _ options: AddingOptions, _ draft: inout ConfigDraft, _ family: LikeFamily?
    ) throws -> ExitCode {
      let settings = try settings
      guard let family else { return .noAnswer }
      var symbol = options.hints.symbol
      symbol.payments = []
      guard symbol == SampleHints.Symbol() else {
        throw UsageProblem.other("how a pair is named is held against an answer: give one with --from-sample")
      }
      let request = try ExchangeRequest.request(
        bases: settings.baseURLs, tickers: settings.tickers, flags: settings.flags, sample: nil)
      let bases = try request?.block.baseURLs ?? settings.baseURLs.map { try ExchangeRequest.base($0) }
      guard !bases.isEmpty else {
        throw UsageProblem.other("say where the exchange answers: --base-url https://api.example.com")
      }
      var like = LikeDraft(name, like: family, baseURLs: bases, options, draft, in: context)
      try like.take(request?.block)
      try draft.add(name, like.block)
      _ = try draft.exchange(named: name)
      if settings.isJSON {
        context.write(json: like.json)
      } else {
        context.output.write(like.text)
        context.output.write(AddingRun.text(of: like.block, named: name))
      }
      context.note("no answer of \(TerminalText.sanitized(name)) proves this; give one with --from-sample")
      let end = AddingEnd(settings: settings, questioner: questioner, context: context)
      return try end.write(draft) || settings.isDry ? .answer : .noAnswer
    }
  }
}

extension LikeFamily.Part? {
  /// Whether it is a part of the table of all; nil where nobody has said what it is.
  fileprivate var isTable: Bool? {
    switch self {
    case nil: nil
    case .place(.table)?: true
    case .place(.single)?, .lookup?: false
    }
  }
}
