import Config
import Files
import HTTP
import Inference
import JSON
import Mapping
import MarketData
import Proving
import Quotes
import Shell
import Terminal

/// Adds an exchange based on its answers, from the proposal to the saved file.
///
/// Nothing is written to disk before the edited config is free of errors and the block has read its own sample.
package struct Onboarding {
  var options: OnboardingOptions
  var draft: ConfigDraft
  let context: OnboardingContext
  var market: Market
  var name = ""
  /// The answers of the lookups that the rows need, by name.
  var lookups: [String: Sample] = [:]
  /// The made-up address that a dry run shows in place of one that was not given; nil if none is made up.
  private(set) var placeholder: String?
  /// Whether the actual run, instead of a dry run, would have ended with a problem.
  private var isRefused = false

  /// - Parameter draft: The config to add the exchange to.
  init(_ options: OnboardingOptions, _ draft: ConfigDraft, in context: OnboardingContext) throws(OnboardingProblem) {
    (self.options, self.draft, self.context) = (options, draft, context)
    market = options.market ?? .spot
    // The exchange's own names take precedence over the global ones.
    self.options.hints.aliases = try draft.configuration().aliases.merging(options.keys.aliases) { $1 }
  }

  /// - Returns: Whether it is written, or would be without the dry run.
  /// - Throws: `OnboardingProblem`, or `FileError` if the file cannot be written.
  mutating func run() async throws -> Bool {
    if let file = options.readyBlocks { return try await merge(file) }
    if let sample = options.streamSample { return try await proposeStream(sample) }
    if options.givesStreamsAlone { return try addStreams() }
    let blocks = Self.blockSources(options)
    if !blocks.isEmpty { return try await addBlocks(blocks) }
    if let name = options.name, let problem = try draft.problem(with: name) {
      throw OnboardingProblem.nameTaken(problem)
    }
    let dialogue = Dialogue(context: context, pair: options.hints.pair)
    let family = try options.like.map { like throws(OnboardingProblem) in try TemplateFamily(like, market, in: draft) }
    var samples = try await samples(family)
    if options.isBare { samples.append((nil, try await dialogue.sample(named: options.name, options.hints))) }
    guard var sample = samples.first(where: { $0.part?.isOfTable != false })?.sample ?? samples.first?.sample else {
      name = options.name ?? ""
      guard let family else { return false }
      return try await add(like: family, [], nil)
    }
    options.hints.arrival = sample.moment
    let known = try ExchangeRequest.request(bases: options.baseURLs, tickers: options.tickers, sample: sample.request)
    options.hints.addressSaysWindow = known?.parts.contains { SampleHints.saysWindow($0.value) } ?? false
    let answers: SettledProposal
    if options.isBare {
      answers = try dialogue.answers(to: sample, options) { proposal throws(OnboardingProblem) in
        try settleMarket(proposal, of: sample)
      }
    } else {
      // The family answers whatever the sample leaves open.
      var asking = context
      asking.isAsking = context.isAsking && family == nil
      var found = try SettledProposal(sample.bytes, options, asking)
      if try settleMarket(found.proposal, of: sample) { found = try SettledProposal(sample.bytes, options, asking) }
      try found.settle()
      answers = found
    }
    if options.isBare, sample.request == nil, options.tickers == nil {
      sample = try Sample(
        bytes: sample.bytes, request: try dialogue.address(), arrival: nil, recorded: sample.recorded, name: sample.name
      )
    }
    name = try options.name ?? dialogue.name(in: draft)
    if let family { return try await add(like: family, samples, (sample, answers)) }
    return try await add(sample, samples, answers)
  }

  // MARK: Samples

  /// Returns the samples in `--from-sample` and `--from-curl`, each with its given part.
  private func samples(_ family: TemplateFamily?) async throws(OnboardingProblem) -> [GivenSample] {
    let pasted = try pastedRequest()
    var labels = family?.labels ?? []
    if family == nil {
      if options.ticker != nil { labels = [("ticker", .place(.single(0)))] }
      labels += options.keys.lookupNames.map { ($0, .lookup($0)) }
    }
    let words = options.sources.map { SampleWord($0, labels: labels.map(\.label)) }
    guard family != nil || words.count(where: { $0.label == nil }) <= 1 else { throw .usage(.severalAnswers) }
    let (owner, pair) = (options.name ?? "sample", options.hints.pair)
    var samples: [GivenSample] = []
    if words.allSatisfy({ $0.label != nil }), let pasted {
      samples.append((nil, try await SampleSource.wire(pasted).sample(named: owner, pair: pair, in: context)))
    }
    for word in words {
      let sample = try await word.source.sample(
        answering: word.label == nil ? pasted : nil, named: owner, pair: pair, in: context)
      samples.append((labels.first { $0.label == word.label }?.part, sample))
    }
    return samples
  }

  /// Returns the request in `--from-curl`, and reports what is left out of it; nil if there is none.
  func pastedRequest() throws(OnboardingProblem) -> SampleRequest? {
    guard let line = try options.curl.map(CurlLine.parsed) else { return nil }
    line.notes.forEach(context.note)
    return line.request
  }

  /// Asks before treating a sample that looks like futures as spot.
  ///
  /// - Returns: Whether it is one of futures, whose fields may mean something else: a volume may count contracts.
  private mutating func settleMarket(
    _ proposal: ExchangeProposal, of sample: Sample
  ) throws(OnboardingProblem) -> Bool {
    let addresses = options.baseURLs + [options.tickers ?? sample.request?.url].compactMap(\.self)
    let word = addresses.lazy.compactMap(FuturesSign.word).first
    // An address is the user's own word for what it answers.
    guard let sign = proposal.futuresSign ?? word.map({ (text: "the address has '\($0)'", isProof: true) }),
      options.market == nil, options.like == nil
    else { return false }
    guard context.isAsking else {
      guard options.isDry else { throw .looksLikeFutures(sign: sign.text) }
      context.note("\(OnboardingProblem.looksLikeFutures(sign: sign.text))")
      isRefused = true
      return false
    }
    context.say("")
    // Enter must not turn spot into futures on a suspicion.
    guard try context.confirm("these look like futures: \(sign.text). Are they?", byDefault: sign.isProof) else {
      return false
    }
    market = .futures
    options.hints.isFutures = true
    return true
  }

  // MARK: From a single answer

  /// - Parameters:
  ///   - sample: The answer of the table.
  ///   - samples: All that are given, with the part that each answers.
  private mutating func add(
    _ sample: Sample, _ samples: [GivenSample], _ answers: SettledProposal
  ) async throws -> Bool {
    let report = ProposalReport(answers: answers)
    show(report)
    if let objection = answers.objection, !options.isDry { throw OnboardingProblem.unsettled(objection) }
    let (request, symbol) = try request(sample, answers)
    var value = try value(answers, symbol, request)
    note(sample, answers)
    try draft.add(name, value)
    if let objection = answers.objection {
      show(value, nil, of: report)
      context.note("\(objection)")
      return false
    }
    var exchange = try draft.exchange(named: name)
    let pair = pair(answers)
    var ticker = take(samples)
    // Only an exchange that answers now is asked for more.
    if sample.arrival != nil, sample.request != nil { await requestLookups(of: exchange, market, pair, sample.request) }
    let preview = try preview(exchange, nil, sample, pair)
    if ticker == nil, sample.arrival != nil { ticker = await tickerAnswer(at: request.base, pair ?? preview.firstPair) }
    if let ticker {
      value = fitted(value, to: ticker, pair ?? preview.firstPair)
      try draft.add(name, value)
      exchange = try draft.exchange(named: name)
    }
    if !options.isJSON { showRows(preview) }
    noteMultiples(preview)
    if options.isDry || options.isJSON { show(value, preview, of: report) }
    guard try isTaken(preview) else { return false }
    var pieces = [piece(sample, nil, pair, preview)]
    if let ticker {
      guard let single = try piece(ofTicker: ticker, exchange, pair, beside: preview, in: value) else { return false }
      pieces.append(single)
    } else if options.ticker != nil {
      context.note("--ticker is taken on trust; prove it with an answer: --from-sample ticker=SOURCE")
    }
    pieces += self.pieces(ofLookups: lookups, of: pieces[0])
    return try await finish(exchange, pieces, shown: pair ?? preview.firstPair, isSaved: sample.arrival == nil)
  }

  static let placeholderBase = "https://api.example.com"

  /// Notes an address that a dry run makes up.
  ///
  /// - Parameter option: What gives the address.
  mutating func note(placeholder address: String, _ option: String) {
    placeholder = address
    context.note("\(address) is a placeholder; add \(option)")
  }

  /// The words that give a command the same config.
  var configWords: [String] { options.config.path.map { ["-c", $0.shellWord] } ?? [] }

  /// Shows what was found, and names what is left out.
  private func show(_ report: ProposalReport) {
    let answers = report.answers
    if !options.isJSON { context.write(report.text(width: context.columns, palette: context.palette)) }
    for (role, reason) in answers.left {
      context.note("\(role.role.field.rawValue) is left out: \(role.path): \(reason)")
    }
    for role in answers.roles where role.confidence == 1 {
      if let doubt = role.doubts.first {
        context.note("\(role.role.field.rawValue) is read from \(role.path) as given: \(doubt)")
      }
    }
    if let unread = answers.proposal.unread {
      context.note("the other lists at \(unread.rows) are not read, \(unread.count.counted("row")) in all")
    }
  }

  /// Shows the block.
  private func show(_ value: ConfigValue, _ preview: SamplePreview?, of report: ProposalReport) {
    if options.isJSON {
      context.write(json: report.json(name, value, preview, placeholder: placeholder))
    } else {
      context.write(Self.text(of: value, named: name))
    }
  }

  /// Keeps the given answers of lookups, and returns that about one pair; nil if there is none.
  private mutating func take(_ samples: [GivenSample]) -> Sample? {
    var ticker: Sample?
    for (part, sample) in samples {
      switch part {
      case .place(.single)?: ticker = sample
      case .lookup(let name)?: lookups[name] = sample
      case .place(.table)?, nil: break
      }
    }
    return ticker
  }

  /// Returns whether the block reads its own sample, and nothing speaks against what it reads.
  private func isTaken(_ preview: SamplePreview) throws(OnboardingProblem) -> Bool {
    guard preview.isRead else {
      context.note("the block does not read its own sample: \(preview.unread ?? "it has no row")")
      return false
    }
    return try isTaken(preview.objection)
  }

  /// Returns the block of what is settled, with all options that go beyond the sample.
  private func value(
    _ answers: SettledProposal, _ symbol: SymbolProposal, _ request: ExchangeRequest
  ) throws(OnboardingProblem) -> ConfigValue {
    var block = ExchangeBlock(
      answers.proposal, symbol: symbol, roles: answers.roles, market: market, request: request.block)
    // A request names currencies the way the rows do, and the config's aliases for all exchanges only read.
    block.aliases = (answers.proposal.symbol ?? symbol).names(for: try draft.configuration().aliases)
    var value = block.value
    if let ticker = try options.tickerBlock() {
      guard value[["markets", market.rawValue, "tickers"]] != nil else { throw .usage(.tickerOfOnePair) }
      value.set(["markets", market.rawValue, "ticker"], to: ticker)
    }
    return options.keys.overriding(value)
  }

  /// Returns the single-pair answer, requested once as specified in `--ticker`; nil if there is none.
  private func tickerAnswer(at base: String, _ pair: Pair?) async -> Sample? {
    guard let ticker = options.ticker, let pair else { return nil }
    do throws(OnboardingProblem) {
      return try await SampleSource.wire(SampleRequest(ticker, at: base)).sample(named: name, pair: pair, in: context)
    } catch {
      context.note("\(error)")
      return nil
    }
  }

  /// Returns the pair of a single-pair response.
  private func pair(_ answers: SettledProposal) -> Pair? {
    let isOnly = answers.proposal.totalRowCount == 1
    let pair = answers.hints.pair ?? (isOnly ? answers.symbol?.pairs.first.flatMap(\.self) : nil)
    return pair.map(answers.hints.canonical)
  }

  /// Returns the block's request and how its answer names the pair: a URL about one pair gets templates.
  private mutating func request(
    _ sample: Sample, _ answers: SettledProposal
  ) throws(OnboardingProblem) -> (request: ExchangeRequest, symbol: SymbolProposal) {
    var symbol = answers.symbol ?? .request(nil)
    let known = try ExchangeRequest.request(bases: options.baseURLs, tickers: options.tickers, sample: sample.request)
    // A dry run makes up the address of a table, but that of an answer about one pair has to name the pair.
    let isTable = symbol.source != .request || answers.objection != nil
    guard known != nil || options.isDry && isTable else { throw .usage(.tickersMissing) }
    var request: ExchangeRequest
    if let known {
      request = known
    } else {
      let address = (options.baseURLs.first ?? Self.placeholderBase) + "/tickers"
      note(placeholder: address, "--tickers URL")
      request = try ExchangeRequest(SampleRequest(url: address))
    }
    // The only row is that of the pair that the address names; a single-pair response not requested for any pair is always
    // about that one. A table may be of all pairs in a currency.
    if known != nil, answers.proposal.totalRowCount == 1, let pair = pair(answers) {
      let spelled = symbol.pairs.lazy.compactMap(\.self).first { answers.hints.areSame($0, pair) }
      var asked = request
      asked.ask(for: spelled ?? pair)
      // An address that names only the payment currency asks for this one asset, whatever else is put in its place.
      let isFixed = symbol.source == .request && !asked.asksForPair
      if answers.proposal.isSingle && !isFixed || asked.asksForPair { request = asked }
      if symbol.source == .request {
        if let other = request.other(than: pair, answers.hints) { throw .addressNamesOther(other, insteadOf: pair) }
        if !request.isAboutPair { symbol.source = .constant(pair) }
      }
    }
    noteSecrets(of: request)
    noteTimes(of: request)
    if !answers.proposal.isSingle { noteLists(of: request, symbol) }
    if answers.proposal.totalRowCount == 1 { noteOwnSymbol(in: request, symbol) }
    return (request, symbol)
  }

  /// Returns whether an objection is left to the user, who has seen it; an unattended run ends here.
  func isTaken(_ objection: SettledProposal.Objection?) throws(OnboardingProblem) -> Bool {
    guard let objection else { return true }
    if context.isAsking, !options.writesUnasked {
      context.note("\(objection)")
      return true
    }
    guard options.isDry else { throw .unsettled(objection) }
    context.note("\(objection)")
    return false
  }

  // MARK: Output

  /// - Parameter market: nil for the one of the options.
  func preview(
    _ exchange: Exchange, _ place: SamplePreview.Place?, _ sample: Sample, _ pair: Pair?, of market: Market? = nil
  ) throws(OnboardingProblem) -> SamplePreview {
    SamplePreview(
      exchange, market: market ?? self.market, place: place, sample: sample, pair: pair,
      configuration: try draft.configuration(), now: context.now(), lookups: lookups.mapValues(\.bytes))
  }

  func showRows(_ preview: SamplePreview) { context.write("\n" + preview.text(in: context) + "\n") }

  /// Returns a block as a member of `exchanges`.
  static func text(of block: ConfigValue, named name: String) -> String {
    TerminalText.sanitizedLines("\(ConfigValue.quoted(name)): \(block.text(lead: ConfigValue.lineWidth))\n")
  }

  // MARK: Saving

  func piece(
    _ sample: Sample, _ place: SamplePreview.Place?, _ pair: Pair?, _ preview: SamplePreview
  ) -> SampleCassette.Piece {
    SampleCassette.Piece(
      sample: sample, market: market, place: place, pair: pair,
      arrival: sample.moment ?? preview.latestTime ?? context.now())
  }

  /// Shows the changed lines and writes the file, after asking for confirmation if there is a user.
  ///
  /// - Returns: Whether it was written.
  func write() throws -> Bool {
    if options.showsDifference { context.write(TerminalText.sanitizedLines(draft.difference)) }
    if options.isDry { return false }
    guard options.writesUnasked || context.isAsking else {
      context.note("nothing was written; add --yes to write \(draft.path)")
      return false
    }
    guard try options.writesUnasked || context.confirm("write \(draft.path)?") else {
      context.note("nothing was written")
      return false
    }
    try draft.write()
    context.note("wrote \(draft.path)")
    return true
  }

  /// Writes the edit and the recording, and reports what can be done with them.
  ///
  /// - Parameters:
  ///   - pair: A pair to show.
  ///   - isSaved: Whether the sample is a saved answer, whose URL has not been tried.
  func finish(
    _ exchange: Exchange, _ pieces: [SampleCassette.Piece], shown pair: Pair?, isSaved: Bool
  ) async throws -> Bool {
    guard try write() else { return options.isDry && !isRefused }
    var folder: String?
    do {
      let record = try await SampleCassette(config: draft.path).record(pieces, of: exchange, at: context.now())
      folder = record?.folder
      if let record {
        try await noteRecording(of: pieces.count, in: record.folder, keepsRows: record.ownsRows)
        if !record.older.isEmpty {
          let names = record.older.sorted().listed("and")
          context.note("older recordings there have the same name, and are read first; remove them: \(names)")
        }
      }
    } catch {
      context.note("the sample is not recorded: \(error)")
    }
    guard let pair else { return true }
    var words = ["show", pair.asset, pair.payment, "-e", name.shellWord]
    if market == .futures { words += ["-m", "futures"] }
    words += configWords
    context.note("see a price: \(context.context.program) " + words.joined(separator: " "))
    // Replaying a recording needs no secrets, but new requests do.
    if let folder, isSaved, SecretName.names(in: exchange.node.json.text).isEmpty {
      context.note("from the recording, without the network: add --replay \(folder.shellWord)")
    }
    return true
  }

  /// Reports where samples are recorded, and what a test of them says.
  func noteRecording(of count: Int, in folder: String, keepsRows: Bool) async throws {
    context.note("recorded the sample\(count == 1 ? "" : "s") in \(folder)")
    for problem in try await trial(keepsRows: keepsRows)?.problems ?? [] {
      context.note("test-exchange reports: \(problem.message)" + (problem.help.map { "; \($0)" } ?? ""))
    }
  }

  /// Proves the new exchange against its recording.
  ///
  /// - Parameter keepsRows: Whether to save the recording's rows with it if there are no problems.
  func trial(keepsRows: Bool) async throws -> TestedExchange? {
    let config = try LoadedConfig(options.config, in: context.context)
    let run = TestRun(of: config, ConfigLocator(context.context), hooks: .shipped, accepts: keepsRows)
    let exchange = config.exchange(try config.source(named: name), in: context.context)
    return await run.results(of: [exchange.map { .exchange($0) }]).first ?? nil
  }
}
