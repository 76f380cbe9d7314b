import Asking
import Config
import Mapping
package import MarketData
package import Quotes
package import Shell
package import Terminal
package import Views

/// What a live view follows, and the board that polls it.
///
/// A value with the state of one run. Its owner, which draws or writes, has it re-read the favourites now and then.
package struct WatchRun: Sendable {
  package let session: MarketSession
  package let board: FeedBoard
  /// The clock of the view: real time, or that of the recordings.
  package let now: @Sendable () -> Instant
  package private(set) var pairs: [Pair]
  /// The exchanges to ask, in the order of the config.
  package let exchanges: [String]
  package private(set) var settings: WatchSettings
  /// The favourites file; nil if the user has no folder for it.
  private var followed: Followed<FavoritesFile>?
  /// The pairs followed regardless of favourites. Favourites are ignored if the command line names pairs.
  private let fixed: [Pair]
  private let countsFavorites: Bool
  private let chosen: [Exchange]
  /// Those whose blocks cannot be read.
  let broken: [String]
  private let asksRate: Bool
  /// The tables of a list; nil if this is not a list.
  package let tables: WholeTables?
  /// Yields after every change, possibly merging several; for a single consumer.
  package let changes: AsyncStream<Void>
  private let waker: AsyncStream<Void>.Continuation
  private let replayed = ReplayClock()
  private let explanations = RowExplanations()

  /// - Parameters:
  ///   - named: The pairs of the command line; nil for the config's, then the favourites.
  ///   - list: The market whose pairs are all followed instead of named ones; its exchange as the user writes it.
  ///   - language: nil for the locale's.
  package init(
    pairs named: [Pair]?, list: ListedMarket? = nil, exchanges names: [String]?, rule: HeadlineRule, asksRate: Bool,
    language: Language?, _ asking: AskingOptions, in context: Context
  ) async throws {
    let config = try LoadedConfig(asking.config, in: context)
    let configuration = config.configuration
    followed = context.paths.config.map { Followed(FavoritesFile(in: $0)) }
    let watchlist = configuration.watchlist.filter(\.isEnabled)
    fixed = list == nil ? (named ?? watchlist.map(\.pair)).map { config.canonicalPair($0) } : []
    countsFavorites = named == nil && list == nil
    self.asksRate = asksRate
    pairs = Self.pairs(fixed, countsFavorites ? followed?.contents : nil, config)
    guard !pairs.isEmpty || list != nil else {
      throw CommandError.noAnswer(
        "no pair to follow: the config has no watchlist; name one: market watch BTC/USDT, or mark one: market favorites add "
          + "BTC/USDT")
    }
    session = try MarketSession(config, asking, in: context)
    try session.requireNetwork()

    let listed = try list?.found(in: config, context)
    tables = listed.map { WholeTables($0.market, of: $0.exchange.map { [$0] }) }
    (chosen, broken) = try await Self.exchanges(names, session, in: context)
    let selection = Self.selection(pairs, chosen, broken, asksRate, tables, session)
    exchanges = chosen.filter(\.isEnabled).map(\.name)
    let interpretation = session.interpretation()
    let (changes, waker) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    (self.changes, self.waker) = (changes, waker)
    (board, now) = FeedBoard.following(selection, in: session, interpretation, replayed: replayed) { waker.yield() }

    var settings = WatchSettings(
      language: language ?? context.language, alert: configuration.settings.premiumAlert, rule: rule,
      check: interpretation.check, dollarTokens: configuration.settings.dollarTokens, names: watchlist.names,
      localClock: context.localClock)
    settings.isReplay = asking.replay != nil
    settings.configOption = config.found.option
    settings.aliases = configuration.aliases
    settings.otherExchangeNames = configuration.otherExchangeNames
    settings.headerRate = configuration.settings.headerRate
    settings.list = listed
    self.settings = settings
  }

  private static func pairs(_ fixed: [Pair], _ favorites: Favorites?, _ config: LoadedConfig) -> [Pair] {
    (fixed + (favorites?.pairs ?? []).map { config.canonicalPair($0) }).unique
  }

  private static func selection(
    _ pairs: [Pair], _ exchanges: [Exchange], _ broken: [String], _ asksRate: Bool, _ tables: WholeTables?,
    _ session: MarketSession
  ) -> FeedSelection {
    let settings = session.configuration.settings
    let shown: Set<TickerField> = [.price, .changePricePercent24, .turnover24, .time]
    var selection = FeedSelection(
      pairs: pairs, exchanges: exchanges, fields: tables == nil ? shown : Set(TickerField.allCases))
    selection.tables = tables
    selection.companions = PairFigures.companions(
      of: pairs, local: settings.headerRate.payment, dollarTokens: settings.dollarTokens)
    selection.unreadable = broken
    selection.asksRate = asksRate
    return selection
  }

  private var selection: FeedSelection { Self.selection(pairs, chosen, broken, asksRate, tables, session) }

  package mutating func take(_ names: AssetNames) { settings.assetNames = names }

  // MARK: Lists

  /// Requests the closes of a row's newest hours, and returns the milliseconds for which its exchange is then left alone.
  func trend(of row: RowKey, hours: Int) async -> (reading: TrendReading, rest: Int) {
    await session.trend(of: row, hours: hours, at: now(), by: session.newRound())
  }

  /// Keeps the closes of rows, of which there are none to begin with; without a call, none are drawn.
  package mutating func take(_ trends: [RowKey: TrendReading]) {
    settings.trends = (settings.trends ?? [:]).merging(trends) { $0.followed(by: $1) }
  }

  /// Requests the closes of the leaders and of the first ten rows of a picture, which is made at once.
  package mutating func takeTrends(_ state: WatchState, _ size: ScreenSize) async {
    let (feeds, time) = board.picture()
    var (state, settings) = (state, settings)
    let hours = Trend.hours(columns: size.columns)
    let trends = await session.trends(hours: hours, by: session.newRound()) { [pairs] trends in
      settings.trends = trends
      let board = WatchBoard(feeds, pairs: pairs, at: time, settings)
      state.take(board)
      return WatchScreen(board, state, size).trendRows(ofRows: 10)
    }
    take(trends)
  }

  /// Follows one pair of a list on all exchanges; nil to stop.
  ///
  /// - Returns: The feeds to follow.
  package mutating func look(at pair: Pair?) -> [FeedState] {
    pairs = pair.map { [$0] } ?? []
    return selection.feeds(in: session, session.interpretation())
  }

  // MARK: Favourites

  package var favorites: Favorites { followed?.contents ?? Favorites() }

  /// Why the current favourites file is not in effect; nil if it is.
  var favoritesProblem: String? { followed?.sentence }

  /// Reads the favourites again.
  ///
  /// - Returns: Whether anything about them has changed, and the feeds to follow if the pairs have changed.
  mutating func refreshFavorites() -> (hasChanged: Bool, feeds: [FeedState]?) {
    guard followed?.refresh() == true else { return (false, nil) }
    let wanted = Self.pairs(fixed, countsFavorites ? favorites : nil, session.config)
    guard wanted != pairs, !wanted.isEmpty else { return (true, nil) }
    pairs = wanted
    return (true, selection.feeds(in: session, session.interpretation()))
  }

  /// Adds a pair to the favourites or removes it; ``refreshFavorites()`` picks up the change.
  func toggleFavorite(_ pair: Pair) throws(UserFileProblem) {
    try followed?.file.update { favorites in
      if favorites.insert(pair) { return true }
      return favorites.remove(pair)
    }
  }

  /// Returns the exchanges to ask; without names, all of the config, including disabled ones, which are shown as such.
  private static func exchanges(
    _ names: [String]?, _ session: MarketSession, in context: Context
  ) async throws -> (exchanges: [Exchange], broken: [String]) {
    let configuration = session.configuration
    if let names {
      let chosen = try session.config.chosenExchanges(names, ExchangeExtent(), in: context)
      let named = names.compactMap { configuration.exchange(named: $0)?.name }.unique
      return (chosen, named.filter { name in !chosen.contains { $0.name == name } })
    }
    let hooks = session.client.hooks.names
    let read = await concurrently(configuration.exchanges) { source in
      (source.name, configuration.read(source, ExchangeExtent(), hooks: hooks))
    }
    let broken = read.filter { $0.1.exchange == nil }
    session.config.report(broken.map { UnreadableExchange(name: $0.0, diagnostics: $0.1.diagnostics) }, in: context)
    return (read.compactMap(\.1.exchange), broken.map(\.0))
  }

  /// Which exchanges are left out because their blocks cannot be read, and where to look; nil if there are none.
  var brokenProblem: String? {
    guard !broken.isEmpty else { return nil }
    let command = "market validate-config\(session.config.found.option)"
    let (names, isOne) = (broken.named(upTo: 5), broken.count == 1)
    return settings.language(
      "\(names) \(isOne ? "is" : "are") left out because \(isOne ? "its block is" : "their blocks are") invalid: \(command)",
      "\(names) 제외, 설정 오류: \(command)")
  }

  // MARK: Alerts

  var alertNames: AlertNames { settings.alertNames(of: exchanges) }

  /// Returns what is wrong with the comparison in a filter; nil if nothing is.
  package func problem(inFilter text: String) -> AlertProblem? { WatchFilter(text, alertNames).problem }

  /// Returns the user's alerts; nil if there is no folder for them. They may name any exchange of the config, followed or
  /// not: one alert must not cost all others.
  func alerts(in context: Context) -> Followed<AlertsFile>? {
    let names = settings.alertNames(of: session.configuration.exchangeNames)
    return context.paths.config.map { Followed(AlertsFile(in: $0, names)) }
  }

  // MARK: Explaining

  /// How long to wait for a message to explain.
  private static let messagePatience = Duration.seconds(3)

  /// Explains how a row was calculated: by the next message of its stream, if that provides it; otherwise asks its
  /// exchange again. Records every step of the interpretation.
  package func explanation(of key: RowKey) async -> [String] {
    let feed = board.state[FeedKey(exchange: key.exchange, market: key.market)]
    let isStreamed = feed.map { $0.streamed.contains(key.pair) && $0.phase(of: key.pair, at: now()) == .live } ?? false
    if isStreamed, session.replay == nil,
      let event = await explanations.next(about: key, within: Self.messagePatience)
    {
      return Explanation.lines(of: event, settings.language) + computed(key)
    }
    let note = settings.language(
      "this row comes from the stream; a new REST answer is explained below", "이 행은 스트림 값, 아래는 새 REST 응답의 설명")
    return (isStreamed ? [note] : []) + (await answerExplanation(of: key)) + computed(key)
  }

  /// Returns how the cells of a row came to be that are computed from several rows.
  private func computed(_ key: RowKey) -> [String] {
    picture[key.pair].map { Explanation.computedLines(of: key, in: $0.snapshot, settings.language) } ?? []
  }

  private func answerExplanation(of key: RowKey) async -> [String] {
    guard let exchange = chosen.first(where: { $0.name == key.exchange }),
      let market = exchange.markets.first(where: { $0.market == key.market })
    else { return [] }
    let query = TableQuery(market: key.market, pair: key.pair, options: session.interpretation(traces: true))
    let report = await session.newRound().report(on: market, of: exchange, query)
    return Explanation.lines(of: report, product: key.product, settings.language)
  }

  // MARK: State

  /// Signals a change other than an answer.
  func touch() { waker.yield() }

  package var picture: WatchBoard {
    let (state, now) = board.picture()
    return WatchBoard(state, pairs: pairs, at: now, settings)
  }

  /// Whether any pair has a price; those of a list if none is named. Others are followed for the kimchi premium.
  package var hasPrice: Bool {
    let rows = board.state.feeds.lazy.flatMap(\.rows.rows).filter { $0.ticker.price.value != nil }
    return rows.contains { pairs.isEmpty || pairs.contains($0.ticker.pair) }
  }

  /// `24 of 60 answers`; nil before the first.
  package var progress: Progress? {
    let asked = board.state.feeds.filter { $0.inactiveReason == nil }
    let waiting = asked.filter { $0.answered == nil && $0.failure == nil }
    guard waiting.count < asked.count else { return nil }
    return Progress(
      done: "\(asked.count - waiting.count) of \(asked.count) answers", waitingFor: waiting.map(\.key.exchange))
  }

  // MARK: Following

  /// Feeds the board from streams of what is currently followed, in addition to polling, until the task is cancelled.
  /// The streams start a moment later, so that they do not delay the first picture.
  func streaming() -> Task<Void, Never> {
    let selection = selection
    return Task { [board, session, explanations] in
      guard session.replay == nil, (try? await Task.sleep(for: .seconds(1))) != nil else { return }
      await FeedStreams.run(board, selection, in: session, explaining: explanations)
    }
  }

  /// How long each round of recorded answers is shown, as they have no timing of their own.
  private static let roundMilliseconds = 1000
  /// The interval between pictures while streams are replayed, on the clock of the recordings.
  private static let pictureMilliseconds = 100

  /// Plays the recordings: the exchanges' answers, round by round, and then their streams.
  ///
  /// - Parameters:
  ///   - speed: A multiple of the recorded speed; nil for as fast as possible.
  ///   - show: Called when there is something new; returns whether it wants more. `isEnd` means that nothing follows.
  /// - Throws: `CassetteError` for recordings that cannot be read.
  package func play(speed: Int?, _ show: (_ isEnd: Bool) async -> Bool) async throws {
    for round in 1...max(1, session.recordedRounds) {
      if round > 1 {
        guard await show(false) else { return }
        if let speed, (try? await Task.sleep(for: .milliseconds(Self.roundMilliseconds) / speed)) == nil { return }
      }
      await board.round()
    }
    let selection = selection
    var shown = now()
    var isWanted = true
    try await FeedStreams.play(board, selection, in: session) { moment in
      if moment.time >= shown.advanced(by: .milliseconds(Self.pictureMilliseconds)) {
        shown = moment.time
        isWanted = await show(false)
      }
      guard isWanted else { return false }
      return await replayed.reach(moment, speed: speed)
    }
    if isWanted, !Task.isCancelled { _ = await show(true) }
  }

  /// Waits for one answer from every exchange, or plays the recordings to their end.
  ///
  /// - Throws: `CassetteError` for recordings that cannot be read.
  package func firstAnswers(in context: Context) async throws {
    if session.replay != nil {
      try await play(speed: nil) { _ in true }
    } else {
      await context.showing({ progress }, during: { await board.round() })
    }
  }

  /// Prints the picture.
  ///
  /// - Parameter size: The size; nil for the terminal's.
  package func print(_ state: WatchState, _ asking: AskingOptions, _ size: ScreenSize?, in context: Context) -> ExitCode
  {
    let size = size ?? context.pictureSize
    if let problem = favoritesProblem { context.note(problem) }
    let board = picture
    var state = state
    state.take(board)
    let palette = context.palette(asking.colors, preferring: session.config.preferredScheme)
    context.output.write(WatchScreen(board, state, size).frame().text(with: palette))
    return hasPrice ? .answer : .noAnswer
  }

  /// How long to wait at the start for exchanges that have not answered, in milliseconds.
  private static let patienceMilliseconds = 5000
  /// How often the user's files are looked at.
  static let filesMilliseconds = 2000

  /// A state of the board, for a view without a screen.
  package struct Picture {
    package let board: WatchBoard
    /// Whether all exchanges have had time to answer.
    package var isWhole = true
    package var isEnd = false
    /// Whether the reader has read the previous output. Otherwise only alerts see this picture.
    package var isAsked = true
  }

  /// How much of a picture was written.
  package enum Written {
    case whole
    /// The rest waits for the reader, and will be newer by then.
    case inPart
    /// No more pictures are wanted.
    case last
  }

  /// Writes changes until the reader has gone; a replay ends with its recordings.
  ///
  /// - Parameters:
  ///   - speed: The speed of a replay; nil for as fast as possible.
  ///   - write: Writes what is new in a picture.
  /// - Throws: `CassetteError` for recordings that cannot be read.
  package mutating func follow(
    in context: Context, speed: Int?, _ write: (Picture) -> Written
  ) async throws -> ExitCode {
    if let problem = favoritesProblem { context.note(problem) }
    if session.replay != nil {
      try await play(speed: speed) { isEnd in
        await Self.writeAll(in: context, write) { Picture(board: picture, isEnd: isEnd) }
      }
    } else {
      await followAnswers(in: context, write)
    }
    return hasPrice ? .answer : .noAnswer
  }

  /// Writes a picture, if in parts the newest for each; returns whether more are wanted.
  private static func writeAll(
    in context: Context, _ write: (Picture) -> Written, _ newest: () async -> Picture
  ) async -> Bool {
    var written = Written.inPart
    while written == .inPart, !context.output.isClosed {
      written = write(await newest())
      context.output.flush()
    }
    return written != .last && !context.output.isClosed
  }

  private mutating func followAnswers(in context: Context, _ write: (Picture) -> Written) async {
    let start = now()
    let asking = Task { [board] in await board.run() }
    var streams = streaming() { didSet { oldValue.cancel() } }
    // Figures also change without an answer, as data ages.
    let ticking = Task { [waker] in
      while (try? await Task.sleep(for: .seconds(1))) != nil { waker.yield() }
    }
    defer {
      asking.cancel()
      streams.cancel()
      ticking.cancel()
    }
    var looked = start
    var recording = RecordingNotice(session)
    for await _ in changes {
      recording.say(in: context)
      if now().isPast(.milliseconds(Self.filesMilliseconds), after: looked) {
        looked = now()
        let (hasChanged, feeds) = refreshFavorites()
        if let feeds {
          await board.follow(feeds)
          streams = streaming()
        }
        if hasChanged, let problem = favoritesProblem { context.note(problem) }
      }
      let isWanted = await Self.writeAll(in: context, write) {
        let isAsked = await context.output.isTaken()
        let board = picture
        let isWhole = board.state.isSettled || board.now >= start.advanced(by: .milliseconds(Self.patienceMilliseconds))
        return Picture(board: board, isWhole: isWhole, isAsked: isAsked)
      }
      if !isWanted { break }
    }
  }
}

extension ListedMarket {
  /// Returns the market with the exchange's name in the config.
  fileprivate func found(in config: LoadedConfig, _ context: Context) throws -> ListedMarket {
    let found = try exchange.map { name in
      guard let found = try config.chosenExchanges([name], ExchangeExtent(), in: context).first else {
        throw CommandError.unreadableBlock(of: name)
      }
      return found
    }
    try found?.requireMarkets(market)
    return ListedMarket(market, of: found?.name, digits: digits)
  }
}
