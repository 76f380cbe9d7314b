package import Config
import Files
import HTTP
package import Mapping
package import MarketData
package import Quotes
package import Shell
import Terminal
package import Views

/// The sources a command about one pair queries, and what it requests.
package struct PairSession {
  package let options: PairOptions
  package let session: MarketSession
  package private(set) var sources: [PairPoller.Source]
  /// The source that each place names, by index; empty if none was named.
  private var namedSources: [PairOptions.Place: Int] = [:]
  /// The additional currency that prices are shown in.
  package let currency: String?
  /// The time zone of displayed and typed times.
  package let zone: ClockZone
  /// The language of the text; nil for English with the weekdays of the locale.
  private let textLanguage: Language?
  /// Saved answers used instead of requests; nil if exchanges are queried.
  package private(set) var saved: SavedResponses?

  /// - Parameters:
  ///   - kind: the kind of data.
  ///   - places: the exchanges; nil for the first one that offers it.
  ///   - isFollowed: whether it is for a live screen, which requests more and uses streams.
  ///   - isDrawn: whether it is for a picture in a file, whose words are in English.
  package init(
    _ options: PairOptions, _ kind: BlockKind, _ places: [PairOptions.Place]? = nil, isFollowed: Bool = false,
    isDrawn: Bool = false, in context: Context
  ) throws {
    self.options = options
    textLanguage = isDrawn ? nil : context.textLanguage(options.language, for: options.format)
    let config = try LoadedConfig(options.asking.config, in: context)
    currency = try options.currency.map { try config.canonicalCurrency($0) }
    session = try MarketSession(config, options.asking, isContinuous: isFollowed, in: context)
    if options.responses.isEmpty { try session.requireNetwork() }
    let interpretation = session.interpretation(traces: options.isExplained)
    let extent = ExchangeExtent(
      markets: [options.market], blocks: isFollowed ? BlockKind.allCases : [kind], hasStreams: isFollowed)
    func query(payment: String) -> PairQuery {
      let pair = Pair(asset: config.canonicalAsset(options.asset), payment: config.canonicalPayment(payment))
      return PairQuery(pair, product: options.product, interpretation)
    }
    func source(_ exchange: Exchange, payment: String) throws(UsageProblem) -> PairPoller.Source {
      PairPoller.Source(exchange, try exchange.requireMarkets(options.market)[0], query(payment: payment))
    }
    let places = places ?? options.places
    let named = try places?.map { try ($0.payment, config.chosenExchanges([$0.exchange], extent, in: context)) }
    let payment = try Self.payment(options, named, config, in: context)
    zone = options.zoneSeconds.map { ClockZone(offsetSeconds: $0) } ?? (payment == "KRW" ? .seoul : .utc)
    sources = []
    if let named {
      for (place, (own, exchanges)) in zip(places ?? [], named) {
        for exchange in exchanges { add(try source(exchange, payment: own ?? payment), namedBy: place) }
      }
      // Why each is left out has been said.
      if sources.isEmpty, let place = places?.first { throw CommandError.unreadableBlock(of: place.exchange) }
    } else {
      let query = query(payment: payment)
      guard let exchange = Self.defaultExchange(kind, options.market, query, extent, config, in: context) else {
        try requireProduct(among: Self.products(kind, options.market, query, extent, config))
        let wanted = kind.plural + (options.product.map { " of '\($0)'" } ?? "")
        throw CommandError.noAnswer(
          "no exchange in the config offers \(wanted) in \(payment); look for pairs with: market search "
            + config.canonicalAsset(options.asset) + config.found.option)
      }
      sources = [try source(exchange, payment: payment)]
      context.note("querying \(exchange.name); use --exchange A,B for others")
    }
    try requireProduct(among: sources.flatMap { $0.market.products(of: $0.query) })
    if !options.responses.isEmpty { saved = try responses(kind, in: context) }
  }

  /// Rejects a group of futures that no source can have. Where only some have it, the others do not list the pair.
  private func requireProduct(among known: [String]) throws(UsageProblem) {
    guard let product = options.product, !known.isEmpty, !known.contains(product) else { return }
    throw .invalidValue(option: Option.pairProduct.spelling, value: product, valid: known.unique)
  }

  /// Returns the groups of futures that enabled exchanges with a kind of data may have a pair in.
  private static func products(
    _ kind: BlockKind, _ market: Market, _ query: PairQuery, _ extent: ExchangeExtent, _ config: LoadedConfig
  ) -> [String] {
    let query = PairQuery(query.pair, query.options)
    let markets = config.configuration.exchanges.compactMap { source in
      config.configuration.read(source, extent).exchange?.enabled(among: [market]).first?.market
    }
    return markets.filter { $0.offers(kind, for: query) }.flatMap { $0.products(of: query) }
  }

  /// Adds a source unless it is there already: `upbit` and `upbit:KRW` are one source of BTC/KRW.
  private mutating func add(_ source: PairPoller.Source, namedBy place: PairOptions.Place) {
    let known = sources.firstIndex { $0.exchange.name == source.exchange.name && $0.query.pair == source.query.pair }
    if known == nil { sources.append(source) }
    if namedSources[place] == nil { namedSources[place] = known ?? sources.count - 1 }
  }

  /// Returns the payment currency of the pair: the given one, or else the usual one of the exchanges without their own.
  ///
  /// - Parameter named: the exchanges, each with its own payment currency if it has one; nil for all.
  private static func payment(
    _ options: PairOptions, _ named: [(payment: String?, exchanges: [Exchange])]?, _ config: LoadedConfig,
    in context: Context
  ) throws -> String {
    let own = named?.allSatisfy { $0.payment != nil } == true ? named?.first?.payment : nil
    if let payment = options.payment ?? own { return config.canonicalPayment(payment) }
    let others = named?.flatMap { $0.payment == nil ? $0.exchanges : [] }
    let (payment, note) = try config.defaultPayment(of: config.canonicalAsset(options.asset), others, options.command)
    context.note(note)
    return payment
  }

  private func responses(_ kind: BlockKind, in context: Context) throws -> SavedResponses {
    let tables = sources.flatMap { $0.market.tables(of: kind) + $0.market.tickers }
    let names = Set(tables.flatMap { $0.lookups.map(\.name) }).union([SavedResponses.tableName])
    return try SavedResponses(options.responses, lookupNames: names, in: context)
  }

  /// Returns the first enabled exchange that offers a kind of data for a pair, judging by its payment currency and its
  /// product, and reports those skipped because their blocks are broken.
  private static func defaultExchange(
    _ kind: BlockKind, _ market: Market, _ query: PairQuery, _ extent: ExchangeExtent, _ config: LoadedConfig,
    in context: Context
  ) -> Exchange? {
    for source in config.configuration.exchanges {
      guard let exchange = config.exchange(source, extent, in: context),
        let side = exchange.enabled(among: [market]).first?.market
      else { continue }
      if side.offers(kind, for: query) { return exchange }
    }
    return nil
  }

  /// Returns the index of the source that a place names.
  ///
  /// - Throws: `CommandError`, if that is left out because its block is invalid.
  package func index(of place: PairOptions.Place) throws(CommandError) -> Int {
    guard let index = namedSources[place] else { throw .unreadableBlock(of: place.exchange) }
    return index
  }

  /// Queries all sources concurrently, with a progress line; the network is not needed afterwards.
  package func answers<Value: Sendable>(
    in context: Context, _ ask: @escaping @Sendable (PairPoller.Source) async -> PairAnswer<Value>
  ) async -> [PairAnswer<Value>] {
    await context.showing(session.journal) { await concurrently(sources, ask) }
  }

  /// Returns the rate for converting a source's prices, if another currency was requested.
  package func conversion(of source: PairPoller.Source) async -> Conversion? {
    guard let currency else { return nil }
    let payment = source.query.pair.payment
    return await session.client.conversion(
      from: payment, to: currency, session.configuration, source.query.options)
  }

  /// The language of the text's own words, and of the notes that answers are given.
  package var language: Language { textLanguage ?? .english }

  /// The reference time of reports: now, or that of the recordings.
  package var moment: Instant { session.clock() }

  /// Ends the session and writes the report of its answers, and failures to stderr.
  ///
  /// - Parameter made: Returns the report at the reference time.
  /// - Returns: whether there is data, and none is missing.
  package func write<Value, Written: LineReport>(
    _ answers: [PairAnswer<Value>], in context: Context, _ made: (_ time: Instant) -> Written
  ) async -> ExitCode {
    session.close()
    let time = moment
    let report = made(time)
    let page = session.page(options.asking, at: time, language: textLanguage, in: context)
    context.write(report, as: options.format, on: page)
    if options.format == .csv || options.format == .ndjson {
      for note in report.notes { context.note(note) }
    }
    return await conclude(answers, namesAbsent: options.format == .csv, in: context)
  }

  /// Reports failures on stderr.
  ///
  /// - Parameter namesAbsent: whether to name the exchanges without the pair, which the report itself does not.
  /// - Returns: whether there is data, and none is missing.
  package func conclude<Value>(
    _ answers: [PairAnswer<Value>], namesAbsent: Bool, in context: Context
  ) async -> ExitCode {
    let isVerbose = options.asking.config.isVerbose
    if namesAbsent { for line in answers.compactMap(\.absenceLine) { context.note(line) } }
    let lines = answers.failureLines(
      isVerbose: isVerbose, isReplay: session.replay != nil, option: session.config.found.option)
    for line in lines { context.note(line) }
    if let note = await otherName(answers) { context.note(note) }
    if isVerbose { session.noteRequests(in: context) }
    let isWhole = answers.allSatisfy { $0.value == nil || $0.shortfall == nil }
    return answers.contains { $0.value != nil } && isWhole ? .answer : .noAnswer
  }

  /// Returns which assets have what was typed as their name, if it is no symbol of any exchange asked.
  private func otherName<Value>(_ answers: [PairAnswer<Value>]) async -> String? {
    guard saved == nil, let pair = sources.first?.query.pair,
      answers.allSatisfy({ $0.failure?.reason == .notListed && $0.value == nil })
    else { return nil }
    let question = NoListing.question(await session.keptAssets(called: options.asset))
    return question.map { "\(NoListing(by: answers.map(\.exchange)).text("\(pair)", .english)); \($0)" }
  }
}

extension ExchangeMarket {
  /// Returns the parts in which a kind of data is requested and read.
  package func tables(of kind: BlockKind) -> [TableSpec] {
    switch kind {
    case .orderbook: orderbooks.map(\.table)
    case .trades: trades
    case .candles: candles.flatMap { $0.intervals.map(\.table) }
    }
  }

  /// Returns whether it has a kind of data for pairs with that payment currency, and that product.
  package func offers(_ kind: BlockKind, for query: PairQuery) -> Bool {
    tables(of: kind).contains { mayHave(query, in: $0) }
  }
}

extension PairAnswer {
  /// Returns the answer with notes for the reader.
  package func with(
    notes: [String] = [], findings: [DataFinding] = [], shortfall: AnswerFailure? = nil, conversion: Conversion?,
    _ language: Language
  ) -> PairAnswer {
    var answer = self
    let unit = multiplier.map { size in
      language(
        "\(exchange) quotes it per \(size.shortest); this is for one", "거래소 가격은 \(size.shortest)개 기준; 여기는 1개 기준")
    }
    answer.findings = findings
    answer.notes = [unit].compactMap(\.self) + notes + findings.map { $0.note(language) }
    answer.shortfall = shortfall
    answer.conversion = conversion
    return answer
  }
}

extension SavedResponses {
  /// Reads the files in `--response`; `-` is standard input.
  package init(_ words: [String], lookupNames: Set<String>, in context: Context) throws {
    for word in words where !lookupNames.contains(String(word.prefix { $0 != "=" })) {
      let name = word.prefix { $0 != "=" }
      // A file may have the sign in its name.
      guard name.endIndex < word.endIndex, Pair.isName(name), !FileSystem.exists(word) else { continue }
      let known = lookupNames.isEmpty ? "it has none" : "expected \(lookupNames.sorted().listed("or"))"
      throw UsageProblem.other("unknown lookup '\(name)' in '--response'; \(known)")
    }
    try self.init(words, lookupNames: lookupNames) { path in
      try path == "-" ? context.readInput(FileSystem.defaultLimit) : FileSystem.read(path, from: .anything)
    }
  }
}
