import Adapters
import Catalog
import MarketData
import Quotes
import Terminal
import Transport

/// One run of `add-exchange` with a sample, from the proposal to the written file.
struct AddingRun {
  let name: String
  let sample: Sample
  let options: AddingOptions
  let settings: Settings
  let questioner: Questioner
  let context: Context
  let palette: Palette
  /// Tries the venue on its recording, once there is one, and keeps what it comes to.
  let trial: () async throws -> [TrialFinding]

  /// How the run is to end.
  struct Settings {
    var isDry = false
    var isJSON = false
    var showsDifference = false
    var writesUnasked = false
    /// As the options have it.
    var baseURL: String?
    var tickers: String?
    var like: String?
  }

  private func note(_ text: String) { context.note(TerminalText.sanitized(text)) }

  func run(_ answers: AddingAnswers, _ draft: ConfigDraft) async throws -> ExitCode {
    if settings.like != nil { return try await runLike(answers, draft) }
    try showProposal(answers)
    let (request, symbol) = try address(answers, draft)
    let block = VenueBlock(
      answers.proposal, symbol: symbol, roles: answers.roles, market: options.market, request: request.block)
    var draft = draft
    try draft.add(name, block.value)
    guard answers.objection == nil else {
      show(block.value, answers, nil)
      note(answers.objection ?? "")
      return .noAnswer
    }
    let venue = try draft.venue(named: name)
    let pair = pair(answers)
    let preview = SamplePreview(
      venue, market: options.market, sample: sample, pair: pair, catalog: try draft.catalog(),
      now: context.now())
    if !settings.isJSON { show(preview) }
    if settings.isDry || settings.isJSON { show(block.value, answers, preview) }
    if preview.failure != nil || preview.rows == 0 { return .noAnswer }
    return try await finish(draft, venue, preview, pair: pair, request)
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
  ) throws -> (request: VenueRequest, symbol: SymbolProposal) {
    var symbol = answers.symbol ?? .request(nil)
    var request: VenueRequest
    if let known = try VenueRequest.request(
      base: settings.baseURL, tickers: settings.tickers, sample: sample.request)
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
      request = try VenueRequest(SampleRequest(url: (settings.baseURL ?? "https://api.example.com") + "/tickers"))
    }
    tell(request, draft)
    return (request, symbol)
  }

  /// Says where to put what was taken out.
  private func tell(_ request: VenueRequest, _ draft: ConfigDraft) {
    for secret in request.secrets {
      let variable = Credentials.variable(secret.name, of: name)
      let file = context.paths.config.map { "\($0)/credentials.json" } ?? "credentials.json"
      note(
        "\(secret.place) is a secret and stays out of the config; put it into \(file) as "
          + "{ \(ConfigValue.quoted(name)): { \(ConfigValue.quoted(secret.name)): \"…\" } }, or into \(variable)")
      if secret.name == "basic_auth" { note("basic_auth is the base64 of user:password") }
    }
    for name in request.signatures {
      note("'\(name)' is made anew for each request, which a config cannot do: the venue will refuse it later")
    }
    if !request.secrets.isEmpty, draft.isUntrusted {
      note("\(draft.path) lies in the working directory: it never receives secrets")
    }
  }

  // MARK: Like another venue

  private func runLike(_ answers: AddingAnswers, _ draft: ConfigDraft) async throws -> ExitCode {
    let request = try VenueRequest.request(base: settings.baseURL, tickers: settings.tickers, sample: sample.request)
    var like = try LikeDraft(
      name, like: settings.like ?? "", baseURLs: try baseURLs(request), options, draft, in: context)
    try like.take(request?.block)
    try like.prove(on: sample, answers)
    if let request { tell(request, draft) }
    return try await finish(like, draft, pair: pair(answers), request)
  }

  private func baseURLs(_ request: VenueRequest?) throws -> [String] {
    if let base = request?.base ?? settings.baseURL { return [base] }
    guard settings.isDry else {
      throw UsageProblem.other("say where the venue answers: --base-url https://api.example.com")
    }
    return ["https://api.example.com"]
  }

  private func finish(
    _ like: LikeDraft, _ draft: ConfigDraft, pair: Pair?, _ request: VenueRequest?
  ) async throws -> ExitCode {
    var draft = draft
    try draft.add(name, like.block)
    let venue = try draft.venue(named: name)
    if settings.isJSON {
      context.write(json: like.json)
    } else {
      context.output.write(like.text)
      if let preview = like.preview { show(preview) }
    }
    if settings.isDry, !settings.isJSON {
      context.output.write(Self.text(of: like.block, named: name))
    }
    guard let preview = like.preview else { return .noAnswer }
    if preview.failure != nil || preview.rows == 0 {
      note("the sample does not read like \(settings.like ?? ""); leave --like out")
      return .noAnswer
    }
    return try await finish(draft, venue, preview, pair: pair, request)
  }

  // MARK: The end

  /// Writes the edit and the recording, after a last question where there is somebody to ask.
  private func finish(
    _ draft: ConfigDraft, _ venue: Venue, _ preview: SamplePreview, pair: Pair?, _ request: VenueRequest?
  ) async throws -> ExitCode {
    let ending = AddingEnd(settings: settings, questioner: questioner, context: context)
    guard try ending.write(draft) else { return settings.isDry ? .answer : .noAnswer }
    let cassette = SampleCassette(config: draft.path)
    let arrival = sample.arrival ?? preview.latestTime ?? context.now()
    do {
      if let folder = try await cassette.record(sample, of: venue, pair: pair, arrival: arrival) {
        note("recorded the sample in \(folder)")
        for finding in try await trial() { note("test-exchange finds: \(finding.text)") }
      }
    } catch let error as CommandError {
      if case .noAnswer(let reason) = error { note("the sample is not recorded: \(reason)") }
    }
    return .answer
  }
}
