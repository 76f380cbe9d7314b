import Config
import Inference
import JSON
import Mapping
import MarketData
import Proving
import Quotes
import Shell
import Terminal

extension Onboarding {
  /// A block with a given answer: `candles=FILE`.
  struct BlockSource {
    let kind: BlockKind
    let source: SampleSource
  }

  /// Returns the answers given for blocks, in the order of the command line; empty if there are none.
  static func blockSources(_ options: OnboardingOptions) -> [BlockSource] {
    guard options.like == nil else { return [] }
    return options.sources.compactMap { text in
      let word = SampleWord(text, labels: BlockKind.allCases.map(\.rawValue))
      return word.label.flatMap(BlockKind.init).map { BlockSource(kind: $0, source: word.source) }
    }
  }

  /// The answer with tickers that blocks are compared with: `tickers=FILE`; nil if none is given.
  private var tickerSource: SampleSource? {
    options.sources.lazy.map { SampleWord($0, labels: ["tickers"]) }.first { $0.label != nil }?.source
  }

  /// Adds order books, trades or candles to an exchange in the user's own file.
  ///
  /// - Returns: Whether they are written, or would be without the dry run.
  mutating func addBlocks(_ sources: [BlockSource]) async throws -> Bool {
    let others = options.sources.count - sources.count - (tickerSource == nil ? 0 : 1)
    guard others == 0 else { throw OnboardingProblem.usage(.blocksComeLater) }
    guard sources.count == 1 || options.url == nil && options.curl == nil else {
      throw OnboardingProblem.usage(.blocksShareNoAddress)
    }
    let owner = try draft.spelling(of: options.name ?? "")
    guard try draft.place(of: owner).isOwn else { throw OnboardingProblem.blockNeedsExchange(owner, path: draft.path) }
    let before = try draft.exchange(named: owner)
    guard let side = before.market(market) else { throw OnboardingProblem.noMarket(market, of: owner) }
    guard let given = options.hints.pair else { throw OnboardingProblem.usage(.pairNeeded) }
    for alias in side.firstTable?.aliases ?? [] { options.hints.aliases[alias.from] = alias.to }
    let pair = options.hints.canonical(given)
    let asked = try pastedRequest() ?? options.url.map { SampleRequest(url: $0) }
    let known = try await known(pair, on: side, of: before)
    name = owner
    var pieces: [SampleCassette.BlockPiece] = []
    for source in sources {
      var sample = try await source.source.sample(
        answering: options.curl == nil ? nil : asked, named: owner, pair: pair, in: context)
      // The address of the answer may name the pair in a way that only a given one shows.
      if sample.request == nil || options.url != nil { sample.request = asked }
      guard let piece = try add(source.kind, sample, pair, known, to: before) else { return false }
      pieces.append(piece)
    }
    guard try write() else { return options.isDry }
    await record(pieces, of: try draft.exchange(named: owner))
    return true
  }

  /// Keeps the answers beside the exchange's recordings, and reports what a test of them says.
  private func record(_ pieces: [SampleCassette.BlockPiece], of exchange: Exchange) async {
    do {
      let options = Interpretation(try draft.configuration(), hooks: .shipped)
      let cassette = SampleCassette(config: draft.path)
      try cassette.drop(pieces, of: exchange)
      let folder = cassette.folder(of: exchange.name)
      let isGood = await hasKeptRows(in: folder)
      guard let ownsRows = try await cassette.add(pieces, to: exchange, options) else { return }
      try await noteRecording(of: pieces.count, in: folder, keepsRows: ownsRows && isGood)
    } catch {
      context.note("the sample is not recorded: \(error)")
    }
  }

  /// Returns whether the recordings so far give the rows kept with them, so that nothing else is accepted along with those
  /// of a new block. Blocks whose rows were not kept because another one had a problem may have theirs now.
  private func hasKeptRows(in folder: String) async -> Bool {
    guard let tested = try? await trial(keepsRows: false) else { return false }
    guard tested.problems.allSatisfy({ $0.code == .rowsDiffer }), let kept = KeptRows(in: folder) else {
      return tested.problems.isEmpty
    }
    return tested.rows.differsOnlyByNewBlocks(from: kept)
  }

  /// Returns the ticker of the pair to compare blocks with, and reports where it is from, or that there is none.
  private func known(_ pair: Pair, on side: ExchangeMarket, of exchange: Exchange) async throws -> Ticker? {
    let ticker: Ticker?
    let place: String
    if let source = tickerSource {
      let sample = try await source.sample(named: exchange.name, pair: pair, in: context)
      place = sample.name
      ticker = try preview(exchange, nil, sample, pair).ticker(of: pair)
    } else {
      let cassette = SampleCassette(config: draft.path)
      place = cassette.folder(of: exchange.name)
      ticker = await cassette.ticker(
        of: pair, on: side, of: exchange, Interpretation(try draft.configuration(), hooks: .shipped))
    }
    if let price = ticker?.price.value {
      context.note("prices are compared with the ticker of \(pair) in \(place): \(price)")
    } else {
      context.note(
        "prices and amounts are not compared with a ticker: \(place) has none of \(pair)"
          + (tickerSource == nil ? "; give an answer of the exchange's table with --from-sample tickers=SOURCE" : ""))
    }
    return ticker
  }

  /// - Parameter known: The pair's ticker in a recording of the exchange's table.
  /// - Returns: The answer to keep; nil if the block is refused.
  private mutating func add(
    _ kind: BlockKind, _ sample: Sample, _ pair: Pair, _ known: Ticker?, to exchange: Exchange
  ) throws -> SampleCassette.BlockPiece? {
    let proposal = try proposal(of: kind, sample, known, exchange)
    guard let asked = sample.request else { throw OnboardingProblem.blockNeedsAddress(kind) }
    let names = exchange.market(market)?.firstTable?.spelling(of: pair)
    let named = names.map { Pair(asset: $0.asset, payment: $0.payment) } ?? pair
    let request = try BlockRequest(asked, proposal, named, spelled: known?.symbol, bases: Self.bases(of: exchange))
    noteSecrets(of: request.request, owner: exchange.name)
    noteTimes(of: request.request)
    guard var block = try block(proposal, request, sample, named, pair) else { return nil }
    let before = kind == .candles ? CandleIntervals(exchange, market) : nil
    let merged = before?.merged(
      with: block, isCountGuessed: request.isCountGuessed, isCountGiven: options.keys.gives(["candles", "count"]))
    block = merged ?? block
    if !options.isJSON { context.write(text(of: proposal)) }
    try noteFields(of: proposal, in: block)
    let preview = try preview(&block, proposal, of: exchange, sample, pair, known)
    if options.isJSON {
      context.write(json: json(proposal, exchange.name, block))
    } else {
      context.write(preview.text(in: context))
      if options.isDry { context.write(Self.text(of: block, named: kind.rawValue)) }
    }
    if let problem = preview.problem {
      context.note("the block does not read its own answer: \(problem)")
      return nil
    }
    noteInterval(of: proposal, request)
    let gone = before?.missing(in: block) ?? []
    if !gone.isEmpty { note(gone: gone) }
    if request.isCountGuessed, merged == nil { noteCount(of: request, kind) }
    return SampleCassette.BlockPiece(
      kind: kind, sample: sample, market: market, pair: pair, interval: proposal.interval, replaced: gone,
      arrival: sample.moment ?? preview.moment ?? context.now())
  }

  private func note(gone: [CandleInterval]) {
    context.note(
      "these candles replace the previous ones, as more than their interval differs: "
        + "\(gone.map(\.rawValue).joined(separator: ", ")) \(gone.count == 1 ? "is" : "are") gone")
  }

  private func noteCount(of request: BlockRequest, _ kind: BlockKind) {
    context.note(
      "count is \(request.count ?? 0), as in this answer; give the maximum per request with --set "
        + "\(kind.rawValue).count=…")
  }

  private func proposal(
    of kind: BlockKind, _ sample: Sample, _ known: Ticker?, _ exchange: Exchange
  ) throws(OnboardingProblem) -> BlockProposal {
    let payments = exchange.market(market)?.firstTable?.paymentCurrencies.flatMap(\.currencies) ?? []
    let day = DayAmounts(price: known?.price.value, volume: known?.volume24.value, turnover: known?.turnover24.value)
    let own = options.keys.overriding(.object([]))[kind.rawValue] ?? .object([])
    let names = (BlockProposal.needed(of: kind) + BlockProposal.others(of: kind)).filter { Self.has($0, kind, own) }
    let given = Set(names.filter { own[["fields", $0]]?.isNull != true })
    do throws(SampleProblem) {
      return try BlockInference(
        kind, sample.bytes, isFutures: market == .futures, arrival: sample.moment ?? context.now(), day: day,
        given: given, payments: Set(payments.map { $0.uppercased() })
      ).proposal()
    } catch {
      switch error {
      case .noBlock, .noLevels, .emptySide: return try Self.proposal(given: own, given, of: kind, insteadOf: error)
      default: throw .sample(error)
      }
    }
  }

  /// Returns the proposal for a block that is given as a whole: its reading of the sample shows what it is worth.
  ///
  /// - Parameter names: The fields it has.
  /// - Throws: The problem of the sample, if the block lacks anything.
  private static func proposal(
    given block: ConfigValue, _ names: Set<String>, of kind: BlockKind, insteadOf problem: SampleProblem
  ) throws(OnboardingProblem) -> BlockProposal {
    let intervals = block["intervals"]?.members ?? []
    let interval = intervals.count == 1 ? CandleInterval(rawValue: intervals[0].name) : nil
    guard names.isSuperset(of: BlockProposal.needed(of: kind)), kind == .orderbook || block["rows"] != nil,
      kind != .candles || interval != nil
    else {
      // Several intervals, or one without a name that is known, do not say which one the sample has.
      let missing = kind.neededKeys.filter { key in
        if key == "intervals" { return interval == nil }
        return key.split(separator: ".").last.map { names.contains(String($0)) } != true && block[key] == nil
      }
      throw .blockNotFound(kind, problem, missing: missing)
    }
    return BlockProposal(given: kind, interval: interval)
  }

  /// Reports that the address says the interval in no known word: every other one would be requested alike, or by a
  /// word that is only assumed.
  private func noteInterval(of proposal: BlockProposal, _ request: BlockRequest) {
    guard let interval = proposal.interval?.rawValue, request.word == nil else { return }
    let word = "with --set " + "candles.intervals={ \(ConfigValue.quoted(interval)): \"WORD\" }".shellQuoted
    if request.request.placeholders.contains("interval") {
      guard !options.keys.gives(["candles", "intervals"]) else { return }
      context.note(
        "the exchange's word for \(interval) is assumed to be '\(interval)'; if it is another, give it \(word)")
    } else if !options.keys.gives(["candles", "request"]) {
      context.note(
        "no part of the address is known to mean \(interval); if a parameter does, name it with --set "
          + "'candles.request.query.NAME={interval}', or if a part of the path does, give the address with --url and "
          + "{interval} in its place; give the exchange's word \(word)")
    }
  }

  /// Returns the block with all options that go beyond the sample; nil if these remove it.
  ///
  /// - Parameters:
  ///   - sample: The answer that the block was found in.
  ///   - named: The pair in the exchange's own names.
  ///   - pair: The same in the names that it has everywhere.
  private func block(
    _ proposal: BlockProposal, _ request: BlockRequest, _ sample: Sample, _ named: Pair, _ pair: Pair
  ) throws(OnboardingProblem) -> ConfigValue? {
    let key = proposal.kind.rawValue
    let aliases = try draft.configuration().aliases.filter { $0.value == pair.asset }.map(\.key)
    let found = proposal.block(request: request.value, count: request.count, word: request.word)
    let assets = [named.asset, pair.asset] + aliases
    if let root = try? JSONDocument(parsing: sample.bytes).root,
      let path = found.pathToOthers(than: named, called: assets, in: root), !givesRows(of: proposal.kind)
    {
      throw .blockOfSeveralPairs(proposal.kind, path: path)
    }
    var holder = ConfigValue.object([(key, found.ofAnyPair(named, called: assets))])
    if let base = request.otherBase { holder.set([key, "baseUrls"], to: .list([.text(base)])) }
    return options.keys.overriding(holder)[key]
  }

  /// Returns whether the places of a block's rows are given: of an order book, those of both sides.
  private func givesRows(of kind: BlockKind) -> Bool {
    let own = options.keys.overriding(.object([]))[kind.rawValue]
    let places = kind == .orderbook ? [own?["bids"], own?["asks"]] : [own?["rows"]]
    return places.allSatisfy { place in
      // A side may be an object with its rows, or with a column alone.
      place.map { kind != .orderbook || $0.members == nil || $0["rows"] != nil || $0["zip"] != nil } ?? false
    }
  }

  /// Reports what the block leaves out or assumes.
  ///
  /// - Throws: If nothing proves what it needs.
  private func noteFields(of proposal: BlockProposal, in block: ConfigValue) throws(OnboardingProblem) {
    let kind = proposal.kind
    let open = proposal.unproved.filter { !Self.has($0, kind, block) }
    if open == ["size"], let size = proposal["size"] {
      switch (size.unit, proposal.sizeByPrice) {
      case (.money, let setting?): throw .sizesCountMoney(setting: setting)
      case (.moneyOrSmallUnit, let setting?): throw .sizesAreTooLarge(path: size.path, setting: setting)
      case (.contractsOrMoney, _): throw .sizesMayCountContracts(path: size.path)
      default: break
      }
    }
    if let first = open.first {
      let guess = proposal[first].flatMap { $0.isContested ? nil : $0.setting }
      throw .blockUnproved(kind, open, guess: guess, mayNeedRows: !proposal.hasManyRows)
    }
    for field in proposal.fields where !field.isSure && !Self.has(field.name, kind, block) {
      leaveOut(field.name, of: kind, "\(field.path): \(ConfidenceText(field.confidence).unsure)")
    }
    // Nothing was looked for beside a block that is given as a whole. Otherwise an unknown column may be one of them.
    if proposal.fields.isEmpty { return }
    for name in BlockProposal.others(of: kind) where proposal[name] == nil && !Self.has(name, kind, block) {
      if proposal.unused.isEmpty {
        context.note("\(name) is left out: the answer has no further column")
      } else {
        leaveOut(name, of: kind, "no column is proved to be it")
      }
    }
    if proposal.isBasisOpen, !options.keys.gives(["candles", "fields", "time"]), let time = proposal["time"] {
      context.note(
        "nothing shows whether the time of a candle is its start or its end; it is taken for the start; for the end add "
          + "--set \(time.ending.shellQuoted)")
    }
  }

  /// Puts the block into the draft, and returns its reading of the sample. It has the columns of what was asked for, so
  /// it is no error, whatever shows that in the exchange's other answers.
  private mutating func preview(
    _ block: inout ConfigValue, _ proposal: BlockProposal, of exchange: Exchange, _ sample: Sample, _ pair: Pair,
    _ known: Ticker?
  ) throws(OnboardingProblem) -> BlockPreview {
    let preview = try reading(block, proposal, of: exchange, sample, pair, known)
    guard preview.isRefused, block["success"] == nil else { return preview }
    block.set(["success"], to: .null)
    let unchecked = try reading(block, proposal, of: exchange, sample, pair, known)
    context.note(
      "the answer lacks the member that shows success in the exchange's other answers, so success is not checked")
    return unchecked
  }

  private mutating func reading(
    _ block: ConfigValue, _ proposal: BlockProposal, of exchange: Exchange, _ sample: Sample, _ pair: Pair,
    _ known: Ticker?
  ) throws(OnboardingProblem) -> BlockPreview {
    try draft.setBlock(proposal.kind, of: exchange.name, market, block)
    let side = try draft.exchange(named: exchange.name).market(market)
    return BlockPreview(proposal, on: side, sample, pair, known, now: context.now())
  }

  private func leaveOut(_ name: String, of kind: BlockKind, _ reason: String) {
    let place = kind.rawValue + (kind == .orderbook ? "." : ".fields.") + name
    context.note("\(name) is left out: \(reason); give it with --set \(place)=…")
  }

  /// Returns whether a block has a field, whatever its source.
  private static func has(_ name: String, _ kind: BlockKind, _ block: ConfigValue) -> Bool {
    kind == .orderbook
      ? block[name] != nil || block[["bids", name]] != nil && block[["asks", name]] != nil
      : block[["fields", name]] != nil
  }

  private static func bases(of exchange: Exchange) -> [String] {
    exchange.node["baseUrls"]?.json.elements.compactMap(\.string) ?? []
  }

  // MARK: Output

  private func text(of proposal: BlockProposal) -> String {
    let rows = proposal.fields.isEmpty ? "" : "  (\(proposal.rowCount.counted("row")))"
    var text = TerminalText.sanitized("rows    \(proposal.rowsText)\(rows)") + "\n"
    if let interval = proposal.interval { text += "step    \(interval.rawValue)\n" }
    if proposal.fields.isEmpty { return text }
    return text + "\n" + proposal.fields.map { FieldEvidence($0) }.text(context.columns, context.palette)
      + ProposalReport.text(unused: proposal.unused, context.columns, context.palette)
  }

  private func json(_ proposal: BlockProposal, _ name: String, _ block: ConfigValue) -> JSONValue {
    [
      "exchange": .string(name), "market": .string(market.rawValue), "kind": .string(proposal.kind.rawValue),
      "block": JSONValue(block), "fields": .list(proposal.fields) { FieldEvidence($0).json },
      "unused": .list(proposal.unused) { ["path": .string($0.path), "example": .string($0.example)] },
    ]
  }
}
