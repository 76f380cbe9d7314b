import Config
import Files
import Inference
import JSON
import Mapping
import MarketData
import Proving
import Quotes
import Terminal
import Transport

/// One run of `add-exchange` with a sample, from the proposal to the written file.
struct AddingRun {
  let name: String
  let sample: Sample
  /// An answer about one pair, to prove `--ticker` on.
  var tickerSample: Sample?
  let options: AddingOptions
  let settings: Settings
  let questioner: Questioner
  let context: Context
  let palette: Palette
  /// Tries the exchange on its recording, once there is one, and keeps what it comes to.
  let trial: () async throws -> [Finding]

  /// How the run is to end.
  struct Settings {
    var isDry = false
    var isJSON = false
    var showsDifference = false
    var writesUnasked = false
    /// As the options have it.
    var baseURLs: [String] = []
    var tickers: String?
    var flags = RequestFlags()
    var like: String?
    /// The config, where the command line names it.
    var config: String?
  }

  private func note(_ text: String) { context.note(TerminalText.sanitized(text)) }

  func run(_ answers: AddingAnswers, _ draft: ConfigDraft) async throws -> ExitCode {
    try showProposal(answers)
    let (request, symbol) = try address(answers, draft)
    let block = ExchangeBlock(
      answers.proposal, symbol: symbol, roles: answers.roles, market: options.market, request: request.block)
    var draft = draft
    let value = try value(of: block)
    try draft.add(name, value)
    guard answers.objection == nil else {
      show(value, answers, nil)
      note(answers.objection ?? "")
      return .noAnswer
    }
    let exchange = try draft.exchange(named: name)
    let pair = pair(answers)
    let preview = SamplePreview(
      exchange, market: options.market, sample: sample, pair: pair, configuration: try draft.configuration(),
      now: context.now())
    if !settings.isJSON { show(preview) }
    if settings.isDry || settings.isJSON { show(value, answers, preview) }
    if preview.failure != nil || preview.rows == 0 { return .noAnswer }
    var pieces = [piece(sample, nil, pair, preview)]
    if options.ticker != nil {
      guard let single = try proveTicker(exchange, pair, try draft.configuration()) else { return .noAnswer }
      pieces += single
    }
    return try await finish(draft, exchange, pieces, shown: pair ?? preview.firstPair)
  }

  /// The block with all that the options say beyond the sample.
  private func value(of block: ExchangeBlock) throws -> ConfigValue {
    var value = options.keys.laid(over: block.value, market: options.market)
    guard let ticker = options.ticker else { return value }
    guard value[["markets", options.market.rawValue, "tickers"]] != nil else {
      throw UsageProblem.other("the answer is about one pair already: --tickers says how one is asked for")
    }
    value.set(["markets", options.market.rawValue, "ticker"], to: ticker)
    return value
  }

  /// Proves how one pair is asked for on an answer to that, if there is one.
  ///
  /// - Returns: what to record; nil where the answer does not read.
  private func proveTicker(_ exchange: Exchange, _ pair: Pair?, _ configuration: Configuration) throws
    -> [SampleCassette.Piece]?
  {
    guard let tickerSample else {
      note("--ticker is taken on trust; an answer proves it: --from-sample ticker=SOURCE")
      return []
    }
    let preview = SamplePreview(
      exchange, market: options.market, place: .single(0), sample: tickerSample, pair: pair,
      configuration: configuration,
      now: context.now())
    guard preview.failure == nil, preview.rows > 0 else {
      let help = options.keys.tickerRows == nil ? "; say where its row is with --ticker-rows" : ""
      note("the answer about one pair does not read: \(preview.failure ?? "it has no row")\(help)")
      return nil
    }
    if !settings.isJSON { show(preview) }
    return [piece(tickerSample, .single(0), pair ?? preview.firstPair, preview)]
  }

  private func piece(
    _ sample: Sample, _ place: SamplePreview.Place?, _ pair: Pair?, _ preview: SamplePreview
  ) -> SampleCassette.Piece {
    SampleCassette.Piece(
      sample: sample, market: options.market, place: place, pair: pair,
      arrival: sample.arrival ?? preview.latestTime ?? context.now())
  }

  // MARK: What is shown

  private func showProposal(_ answers: AddingAnswers) throws {
    if !settings.isJSON {
      let report = ProposalText(answers: answers)
      context.output.write(report.text(width: context.terminal.columns, palette: palette))
    }
    for (role, reason) in answers.left { note("\(role.role.field.rawValue) is left out: \(role.path): \(reason)") }
    if let objection = answers.objection, !settings.isDry { throw CommandError.noAnswer(objection) }
  }

  private func show(_ preview: SamplePreview) {
    context.output.write("\n" + preview.text(width: context.terminal.columns, palette: palette) + "\n")
  }

  private func show(_ block: ConfigValue, _ answers: AddingAnswers, _ preview: SamplePreview?) {
    if settings.isJSON {
      context.write(json: ProposalJSON(name: name, block: block, answers: answers, preview: preview).bytes())
    } else {
      context.output.write(Self.text(of: block, named: name))
    }
  }

  /// A block as a member of `exchanges`.
  static func text(of block: ConfigValue, named name: String) -> String {
    TerminalText.sanitizedLines("\(ConfigValue.quoted(name)): \(block.text(lead: ConfigValue.lineWidth))\n")
  }

  // MARK: Where it answers

  /// The pair that a response about one is about.
  private func pair(_ answers: AddingAnswers) -> Pair? {
    answers.hints.pair ?? (answers.proposal.isSingle ? answers.symbol?.pairs.first.flatMap(\.self) : nil)
  }

  /// The request of the block, and the way its answer names the pair: an address about one pair gets templates.
  private func address(
    _ answers: AddingAnswers, _ draft: ConfigDraft
  ) throws -> (request: ExchangeRequest, symbol: SymbolProposal) {
    var symbol = answers.symbol ?? .request(nil)
    var request: ExchangeRequest
    if let known = try ExchangeRequest.request(
      bases: settings.baseURLs, tickers: settings.tickers, flags: settings.flags, sample: sample.request)
    {
      request = known
      // A response about one pair that no request asks for is always about that one.
      if answers.proposal.isSingle, let pair = pair(answers) {
        request.ask(for: pair)
        if symbol.source == .request, !request.isAboutPair { symbol.source = .constant(pair) }
      }
    } else {
      guard settings.isDry else {
        throw UsageProblem.other("say where the answer comes from: --tickers https://api.example.com/tickers")
      }
      request = try ExchangeRequest(
        SampleRequest(url: (settings.baseURLs.first ?? "https://api.example.com") + "/tickers"))
    }
    tell(request, draft)
    return (request, symbol)
  }

  /// Says where to put what was taken out.
  private func tell(_ request: ExchangeRequest, _ draft: ConfigDraft) {
    for secret in request.secrets {
      let variable = Credentials.variable(secret.name, of: name)
      let file = context.paths.config.map { "\($0)/credentials.json" } ?? "credentials.json"
      note(
        "\(secret.place) is a secret and stays out of the config; put it into \(file) as "
          + "{ \(ConfigValue.quoted(name)): { \(ConfigValue.quoted(secret.name)): \"…\" } }, or into \(variable)")
      if secret.name == "basic_auth" { note("basic_auth is the base64 of user:password") }
    }
    for name in request.signatures {
      note("'\(name)' is made anew for each request, which a config cannot do: the exchange will refuse it later")
    }
    if !request.secrets.isEmpty, draft.isUntrusted {
      note("\(draft.path) lies in the working directory: it never receives secrets")
    }
  }

  // MARK: Like another exchange

  /// - Parameter samples: with the part of the family that each was given for.
  func runLike(
    _ family: LikeFamily, _ samples: [(part: LikeFamily.Part?, sample: Sample)], _ answers: AddingAnswers,
    _ draft: ConfigDraft
  ) async throws -> ExitCode {
    let request = try ExchangeRequest.request(
      bases: settings.baseURLs, tickers: settings.tickers, flags: settings.flags, sample: sample.request)
    var like = LikeDraft(name, like: family, baseURLs: try baseURLs(request), options, draft, in: context)
    try like.take(request?.block)
    let dealt = try like.dealt(samples)
    for sentence in dealt.notes { note(sentence) }
    try like.prove(on: dealt, answers)
    if let request { tell(request, draft) }
    return try await finish(like, draft)
  }

  private func baseURLs(_ request: ExchangeRequest?) throws -> [String] {
    if let request { return request.block.baseURLs }
    guard settings.baseURLs.isEmpty else { return try settings.baseURLs.map { try ExchangeRequest.base($0) } }
    guard settings.isDry else {
      throw UsageProblem.other("say where the exchange answers: --base-url https://api.example.com")
    }
    return ["https://api.example.com"]
  }

  private func finish(_ like: LikeDraft, _ draft: ConfigDraft) async throws -> ExitCode {
    var draft = draft
    try draft.add(name, like.block)
    let exchange = try draft.exchange(named: name)
    if settings.isJSON {
      context.write(json: like.json)
    } else {
      context.output.write(like.text)
      for part in like.family.parts {
        guard let preview = like.reading?.previews.first(where: { $0.part == part })?.preview else { continue }
        if like.family.parts.count > 1 {
          context.output.write("\n\(TerminalText.sanitized(like.family.name(of: part))):")
        }
        show(preview)
      }
    }
    if settings.isDry, !settings.isJSON {
      context.output.write(Self.text(of: like.block, named: name))
    }
    guard let reading = like.reading, let samples = like.samples else { return .noAnswer }
    if let failed = reading.previews.first(where: { $0.preview.failure != nil || $0.preview.rows == 0 }) {
      let reason = failed.preview.failure.map { ": \($0)" } ?? ": no row"
      note("the answer for '\(like.family.name(of: failed.part))' does not read like \(settings.like ?? "")\(reason)")
      if reading.rows == 0 { note("without --like the answer is all that counts") }
      return .noAnswer
    }
    let pieces = pieces(of: samples, reading)
    return try await finish(draft, exchange, pieces, shown: pieces.compactMap(\.pair).first)
  }

  private func pieces(of samples: LikeSamples, _ reading: LikeReading) -> [SampleCassette.Piece] {
    var pieces: [SampleCassette.Piece] = []
    for (part, sample) in samples.tables {
      guard case .place(let place) = part, let preview = reading.previews.first(where: { $0.part == part })?.preview
      else { continue }
      pieces.append(piece(sample, place, options.hints.pair ?? preview.firstPair, preview))
    }
    guard let first = pieces.first else { return pieces }
    for (name, sample) in samples.lookups.sorted(by: { $0.key < $1.key }) {
      pieces.append(
        SampleCassette.Piece(
          sample: sample, market: options.market, place: first.place, lookup: name, pair: first.pair,
          arrival: sample.arrival ?? first.arrival))
    }
    return pieces
  }

  // MARK: The end

  /// Writes the edit and the recording, after a last question where there is somebody to ask, and says what can be done
  /// with it.
  ///
  /// - Parameter shown: a pair to show.
  private func finish(
    _ draft: ConfigDraft, _ exchange: Exchange, _ pieces: [SampleCassette.Piece], shown pair: Pair?
  ) async throws -> ExitCode {
    let ending = AddingEnd(settings: settings, questioner: questioner, context: context)
    guard try ending.write(draft) else { return settings.isDry ? .answer : .noAnswer }
    var folder: String?
    do {
      folder = try await SampleCassette(config: draft.path).record(pieces, of: exchange, at: context.now())
      if let folder {
        note("recorded the sample\(pieces.count == 1 ? "" : "s") in \(folder)")
        for finding in try await trial() { note("test-exchange finds: \(finding.message)") }
      }
    } catch let error as CommandError {
      if case .noAnswer(let reason) = error { note("the sample is not recorded: \(reason)") }
    } catch let error as FileError {
      note("the sample is not recorded: \(error)")
    }
    // A recording is played without secrets, but not asked for without them.
    let isReplayed = sample.arrival == nil && !exchange.node.json.text.contains("{secret:")
    ending.tell(name, pair, market: options.market, folder: isReplayed ? folder : nil)
    return .answer
  }
}
