import Config
import Mapping
import MarketData
import Quotes
import Terminal
import Views

/// What a live view follows, and the board that asks for it.
struct WatchRun: Sendable {
  let session: MarketSession
  let board: FeedBoard
  /// The clock of the view: the world's, or that of the recordings.
  let now: @Sendable () -> Instant
  let pairs: [Pair]
  /// The exchanges that are asked, in the order of the config.
  let exchanges: [String]
  let favorites: Favorites
  let settings: WatchSettings
  /// Says that the board has changed.
  private let wakes: AsyncStream<Void>
  private let waker: AsyncStream<Void>.Continuation

  /// - Parameters:
  ///   - named: the pairs of the command line; nil: the config's, then the favourites.
  ///   - language: nil: the locale's.
  init(
    pairs named: [Pair]?, exchanges names: [String]?, rule: HeadlineRule, asksRate: Bool, language: Language?,
    _ asking: AskingOptions, in context: Context
  ) async throws {
    let config = try LoadedConfig(asking.config, in: context)
    let configuration = config.configuration
    favorites = Self.favorites(in: context)
    let watchlist = configuration.watchlist.filter(\.isEnabled)
    let wanted = named ?? watchlist.map(\.pair) + favorites.pairs
    pairs = wanted.reduce(into: []) { pairs, pair in
      let own = Pair(asset: config.canonicalAsset(pair.asset), payment: config.canonicalAsset(pair.payment))
      if !pairs.contains(own) { pairs.append(own) }
    }
    guard !pairs.isEmpty else {
      throw CommandError.noAnswer(
        "no pair to follow: the config has no watchlist; name one: market watch BTC/USDT, or mark one: market favorites add "
          + "BTC/USDT")
    }
    session = try MarketSession(config, asking, in: context)
    try session.requireNetwork()

    let (chosen, broken) = try await Self.exchanges(names, session, in: context)
    let local = configuration.settings.headerRate.payment
    let tokens = configuration.settings.dollarTokens
    var selection = FeedSelection(pairs: pairs, exchanges: chosen, fields: [.price, .changePricePercent24, .turnover24, .time])
    selection.companions = PairFigures.companions(of: pairs, local: local, dollarTokens: tokens)
    selection.unreadable = broken
    selection.asksRate = asksRate
    exchanges = chosen.filter(\.isEnabled).map(\.name)
    let interpretation = session.interpretation()
    let (wakes, waker) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    (self.wakes, self.waker) = (wakes, waker)
    (board, now) = FeedBoard.following(selection, in: session, interpretation) { waker.yield() }

    let limits = configuration.settings.premiumAlert
    let locale = ColorScheme.localeName { context.environment[$0] }
    var settings = WatchSettings(
      language: language ?? Language(locale: locale), alert: PremiumAlert(grey: limits[0], orange: limits[1]), rule: rule,
      check: interpretation.check, dollarTokens: tokens,
      names: Dictionary(
        watchlist.compactMap { entry in entry.name.map { (entry.pair, $0) } }, uniquingKeysWith: { first, _ in first }),
      localClock: context.localClock)
    settings.replayNote = asking.replay.map { "replay of \($0)" }
    self.settings = settings
  }

  private static func favorites(in context: Context) -> Favorites {
    guard let folder = context.paths.config else { return Favorites() }
    let followed = FollowedFavorites(FavoritesFile(in: folder))
    if let problem = followed.problem {
      context.note(TerminalText.sanitized(problem.sentence(of: followed.file.path)))
    }
    return followed.favorites
  }

  /// The exchanges to ask; without names all of the config, those that are switched off too, which are shown as such.
  private static func exchanges(
    _ names: [String]?, _ session: MarketSession, in context: Context
  ) async throws -> (exchanges: [Exchange], broken: [String]) {
    if names != nil { return (try session.config.chosenExchanges(names, in: context), []) }
    let configuration = session.configuration
    let hooks = session.client.hooks.names
    let read = await session.client.concurrently(configuration.exchanges) { source in
      (source.name, configuration.read(source, ExchangeExtent(), hooks: hooks))
    }
    let broken = read.filter { $0.1.exchange == nil }
    session.config.report(
      broken.map { UnreadableExchange(name: $0.0, diagnostics: $0.1.diagnostics) }, in: context)
    return (read.compactMap(\.1.exchange), broken.map(\.0))
  }

  // MARK: What is known

  /// The newest picture.
  var picture: WatchBoard { WatchBoard(board.state, pairs: pairs, at: now(), settings) }

  var hasPrice: Bool { board.state.feeds.contains { feed in feed.rows.rows.contains { $0.ticker.price.value != nil } } }

  /// `24 of 60 answers`; nil before the first.
  var progress: Progress? {
    let asked = board.state.feeds.filter { $0.rest == nil }
    let waiting = asked.filter { $0.answered == nil && $0.failure == nil }
    guard waiting.count < asked.count else { return nil }
    return Progress(
      done: "\(asked.count - waiting.count) of \(asked.count) answers", waitingFor: waiting.map(\.key.exchange))
  }

  // MARK: Following

  /// How long is waited at the start for exchanges that have not answered, in milliseconds.
  private static let patienceMilliseconds = 5000

  /// Writes what changes until nobody reads any more; a replay ends with its recordings.
  ///
  /// - Parameter write: writes what is new of a picture. `isWhole`: all exchanges have had the time to answer; `isEnd`: it is
  ///   the last picture.
  func follow(
    in context: Context, _ write: (_ board: WatchBoard, _ isWhole: Bool, _ isEnd: Bool) -> Void
  ) async -> ExitCode {
    if session.replay != nil {
      for round in 1...max(1, session.recordedRounds) {
        await board.round()
        write(picture, true, round == session.recordedRounds)
        context.output.flush()
        if context.output.isClosed { break }
      }
      return hasPrice ? .answer : .noAnswer
    }
    let start = now()
    let asking = Task { [board] in await board.run() }
    // What grows old changes a figure without any answer.
    let ticking = Task { [waker] in
      while (try? await Task.sleep(for: .seconds(1))) != nil { waker.yield() }
    }
    defer {
      asking.cancel()
      ticking.cancel()
    }
    for await _ in wakes {
      let board = picture
      let isWhole = board.state.isSettled || board.now >= start.adding(milliseconds: Self.patienceMilliseconds)
      write(board, isWhole, false)
      context.output.flush()
      if context.output.isClosed { break }
    }
    return hasPrice ? .answer : .noAnswer
  }
}

extension FavoritesProblem {
  /// What it means for the user.
  ///
  /// - Parameter path: of the favourites.
  func sentence(of path: String) -> String {
    switch self {
    case .unreadable(let reason): "\(path) is broken, so it is not used: \(reason)"
    case .file(let error): "\(error)"
    }
  }
}
