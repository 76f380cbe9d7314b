import Mapping
import Quotes
import Terminal
import TestSupport
import Testing

@testable import MarketData
@testable import Views

/// What a live view says about prices that are missing, and about the order and the measure of those that are shown.
@Suite struct WatchNoticeTests {
  private static let replay = Task { try await WatchReplay() }
  private static let bitcoin = Pair(asset: "BTC", payment: "USDT")

  /// Without a network, last prices stay, dim and with their ages. Before the first, the line does not speak of any.
  @Test func offline() async throws {
    let replay = try await Self.replay.value
    let failure = FeedState.Failure(
      AnswerFailure(.noAnswer(.unreachable)), since: replay.now, offlineSince: replay.now, tries: 3, isPartial: false)
    func failing(_ feed: FeedState, _ isNew: Bool) -> FeedState {
      var feed = isNew ? FeedState(feed.key, badge: feed.badge, capabilities: feed.capabilities) : feed
      feed.failure = failure
      return feed
    }
    var text = ""
    for (isNew, isTable, screen) in [
      (false, false, WatchState.Screen.pairs), (false, true, .pairs), (false, false, .pair(Self.bitcoin)),
      (false, false, .feeds), (true, false, .pairs),
    ] {
      let feeds = replay.board.feeds.filter { $0.inactiveReason == nil }.map { failing($0, isNew) }
      let board = replay.watch(BoardState(feeds: feeds, rate: replay.board.rate), later: 125)
      let state = WatchState(isTable: isTable, screen: screen).taking(board)
      let lines = board.texts(state)
      let notice = try #require(lines.first { $0.hasPrefix("NO NETWORK") })
      #expect(notice.hasSuffix("; last prices") == (!isNew && screen != .feeds))
      text += "====\n" + lines.map { $0 + "\n" }.joined()
    }
    Golden.expect(text, matches: "offline.txt")
  }

  /// The network has been gone since the first failure to connect after the last answer of any exchange, be it an error.
  ///
  /// - Parameters:
  ///   - feeds: Of two exchanges, the seconds of the last answer and of the first failure to connect, nil for none.
  @Test(
    arguments: [
      ([(0, 10), (5, 12)], 10), ([(0, 10), (11, 30)], 30), ([(nil, 10), (nil, 12)], 10), ([(0, 10), (5, nil)], nil),
    ] as [([(contact: Int?, offline: Int?)], Int?)])
  func offlineSince(_ feeds: [(contact: Int?, offline: Int?)], _ expected: Int?) async throws {
    let replay = try await Self.replay.value
    func moment(_ seconds: Int) -> Instant { replay.now.advanced(by: .seconds(seconds)) }
    let active = replay.board.feeds.filter { $0.inactiveReason == nil }
    let failing = zip([active.first, active.last].compactMap(\.self), feeds).map { feed, times in
      var feed = FeedState(feed.key, badge: feed.badge, capabilities: feed.capabilities)
      feed.contacted = times.contact.map(moment)
      feed.failure = FeedState.Failure(
        AnswerFailure(.timeout), since: moment(-60), offlineSince: times.offline.map(moment), tries: 9, isPartial: false
      )
      return feed
    }
    let board = WatchBoard(
      BoardState(feeds: failing, rate: nil), pairs: WatchReplay.pairs, at: moment(60), WatchReplay.settings(.english))
    #expect(board.offlineSince?.time == expected.map(moment))
  }

  /// That an exchange does not list a pair is only mentioned once no other can; that it does not trade it now, always.
  @Test(arguments: [(false, ["Binance not-listed"], []), (true, ["Binance halted"], ["Binance halted"])])
  func loadingFeedsMayListThePair(_ isHalted: Bool, _ alone: [String], _ besideLoading: [String]) async throws {
    let replay = try await Self.replay.value
    let pair = Pair(asset: "NOPE", payment: "USDT")
    let key = FeedKey(exchange: "Binance", market: .spot)
    var capabilities = try #require(replay.board.feeds.first { $0.key == key }).capabilities
    capabilities.pairs = [pair]
    func leftOut(_ feeds: [FeedState]) -> [String] {
      let board = replay.watch(BoardState(feeds: feeds, rate: nil), pairs: [pair])
      return board[pair].map { board.leftOut(of: $0).map { "\($0.exchange) \($0.reason)" } } ?? []
    }
    var own = FeedState(key, badge: "BN", capabilities: capabilities)
    own.answered = replay.now
    if isHalted { own.halted = [pair] }
    #expect(leftOut([own]) == alone)
    let loading = FeedState(FeedKey(exchange: "Kraken", market: .spot), badge: "KR", capabilities: capabilities)
    #expect(leftOut([own, loading]) == besideLoading)
  }

  private static let problems = [
    WatchProblem(.favorites, "favorites.json is broken: line 1"),
    WatchProblem(.config, "config.json is broken: line 2"),
  ]

  /// However low the screen, a pair is drawn before anything is said about it, and the first notice before the others.
  @Test(arguments: [40, 60, 80, 140], [false, true])
  func lowScreenHasAPair(_ columns: Int, _ isTable: Bool) async throws {
    let board = try await Self.replay.value.watch()
    var state = WatchState(isTable: isTable)
    (state.problems, state.message) = (Self.problems, "copied")
    state.take(board)
    let lines = board.texts(state, columns: columns, rows: 8)
    #expect(lines.contains { $0.hasPrefix("▸ BTC/USDT") && $0.contains(" 9") }, "\(lines)")
    #expect(lines.contains { $0.hasPrefix("favorites.json is broken") }, "\(lines)")
    #expect(lines.last?.hasPrefix("/ filter") == true)
  }

  /// So it is above a line that is being typed and all that is wrong with it, if only its price.
  @Test(arguments: [40, 60, 80, 140]) func lowScreenHasAPairAboveALine(_ columns: Int) async throws {
    let board = try await Self.replay.value.watch()
    var state = WatchState()
    state.line = .init(
      kind: .alert(replacing: nil), editor: LineEditor("premium > 1"),
      problem: String(repeating: "no such field ", count: 20))
    state.take(board)
    let lines = board.texts(state, columns: columns, rows: 8)
    #expect(lines.contains { $0.hasPrefix("▸ BTC/USDT") && $0.contains(" 9") }, "\(lines)")
    #expect(lines.last == "alert> premium > 1", "\(lines)")
  }

  /// Nor is any other screen without what it is about.
  @Test(arguments: [40, 60, 80, 140])
  func lowScreenHasARow(_ columns: Int) async throws {
    let board = try await Self.replay.value.watch()
    let pair = Pair(asset: "BTC", payment: "USDT")
    var state = WatchState(screen: .pair(pair)).taking(board)
    let row = try #require(state.row)
    let named: [(WatchState.Screen, String)] = [
      (.pair(pair), "▸ "), (.row(row), "asking \(row.exchange)"), (.feeds, "▸ "),
    ]
    for (screen, text) in named {
      state.screen = screen
      (state.problems, state.message) = (Self.problems, "copied")
      state.take(board)
      let lines = board.texts(state, columns: columns, rows: 8)
      #expect(lines.count == 8 && lines.contains { $0.contains(text) }, "\(lines)")
    }
  }

  /// Without favourites, none are shown for that reason, not for a filter.
  @Test func noFavourites() async throws {
    let board = try await Self.replay.value.watch()
    var state = WatchState().taking(board)
    _ = state.perform(.onlyFavorites, board, page: 10)
    let lines = board.texts(state)
    #expect(lines.contains("  no favourites yet; F shows all pairs, f marks one"))
  }

  /// An exchange without the pair of an alert is named once that is known, and again for another reason.
  @Test func absentFigures() async throws {
    let replay = try await Self.replay.value
    let pair = Pair(asset: "PEPE", payment: "USDT")
    let watch = replay.watch()
    func rule(_ exchange: String) -> AlertRule? {
      try? AlertRule(parsing: "\(pair) price@\(exchange) > 1", AlertNames(exchanges: watch.exchanges))
    }
    let found = replay.board.feeds.first { feed in
      let mayList = feed.capabilities.isWhole || feed.capabilities.pairs.contains(pair)
      let absence = rule(feed.key.exchange).flatMap { watch.absence(in: $0) }
      return feed.key.market == .spot && mayList && absence?.hasSuffix("(not-listed)") == true
    }
    let key = try #require(found).key
    let own = try #require(rule(key.exchange))
    func board(_ change: (inout FeedState) -> Void) -> WatchBoard {
      let feeds = replay.board.feeds.map { feed in
        var feed = feed
        if feed.key == key { change(&feed) }
        return feed
      }
      return replay.watch(BoardState(feeds: feeds, rate: replay.board.rate))
    }
    let failing = board { feed in
      feed = FeedState(key, badge: nil, capabilities: feed.capabilities)
      feed.failure = FeedState.Failure(AnswerFailure(.timeout), since: replay.now, tries: 1, isPartial: false)
    }
    var absences = AlertAbsences()
    #expect(absences.new(of: [own], failing) == [])
    let sentence = "\(key.exchange) has no price of PEPE/USDT"
    #expect(absences.new(of: [own], watch) == ["\(sentence) (not-listed): \(own.text)"])
    #expect(absences.new(of: [own], failing) == [])
    #expect(absences.new(of: [own], watch) == [])
    let disabled = board { $0.inactiveReason = .disabled }
    #expect(
      absences.new(of: [own], disabled) == ["\(sentence) (\(InactiveReason.disabled.rawValue)): \(own.text)"])
  }

  /// When a feed is tried again is said in full; the numbers of requests give way to it.
  @Test(arguments: [60, 80, 120]) func retriesOfFeeds(_ columns: Int) async throws {
    let replay = try await Self.replay.value
    let key = FeedKey(exchange: "Cryptocom", market: .spot)
    let failure = FeedState.Failure(
      AnswerFailure(.noAnswer(.unreachable)), since: replay.now, tries: 3, isPartial: false)
    let feeds = replay.board.feeds.map { feed in
      var feed = feed
      if feed.key == key { (feed.failure, feed.retry) = (failure, replay.now.advanced(by: .seconds(12))) }
      return feed
    }
    let board = replay.watch(BoardState(feeds: feeds, rate: nil))
    let state = WatchState(screen: .feeds).taking(board)
    let lines = board.texts(state, columns: columns)
    let row = try #require(lines.first { $0.hasPrefix("▸ Cryptoc") })
    #expect(row.hasSuffix("  unreachable, retry 12s"))
    #expect(lines.contains { $0.hasSuffix("  3 tries, waits 1 5 15 60 s") })
  }

  /// A reversed list says so, in any order.
  @Test func reversedOrderIsMarked() async throws {
    let board = try await Self.replay.value.watch()
    var state = WatchState().taking(board)
    func head(_ columns: Int) -> String {
      let head = board.texts(state, columns: columns).first { $0.hasPrefix("Watchlist") } ?? ""
      return head.split(separator: "  ").prefix { !$0.contains("poll") }.joined(separator: "  ")
    }
    #expect([head(80), head(60)] == ["Watchlist 5  order: list", "Watchlist 5"])
    _ = state.perform(.reverseSort, board, page: 10)
    #expect([head(80), head(60)] == ["Watchlist 5  order: list ▾", "Watchlist 5 ▾"])
    _ = state.perform(.sort(1), board, page: 10)
    #expect(head(80) == "Watchlist 5  sort: pair ▴")
  }

  /// `p` says what the kimchi premium is measured by, and cards of won show it by both.
  @Test(arguments: [
    (false, "kimchi at: official rate", ["kimchi ", "by USDT/KRW "]),
    (true, "kimchi at: USDT/KRW", ["USDT kimchi ", "at official rate "]),
  ])
  func kimchiOnCards(_ isToken: Bool, _ notice: String, _ words: [String]) async throws {
    let board = try await Self.replay.value.watch()
    var state = WatchState().taking(board)
    for _ in 0..<(isToken ? 1 : 2) { _ = state.perform(.switchBasis, board, page: 10) }
    #expect(state.message == notice)
    let won = Pair(asset: "BTC", payment: "KRW")
    let figures = try #require(board[won])
    let bases: [DollarBasis] = isToken ? [.token, .official] : [.official, .token]
    let expected = zip(words, bases).map { word, basis in
      word + (figures.localPercent(on: basis)?.signedPercentText ?? "-") + "%"
    }
    let lines = board.texts(state)
    let place = try #require(lines.firstIndex { $0.contains("BTC/KRW") })
    #expect(zip(lines[place...], expected).allSatisfy { $0.hasSuffix("  " + $1) })
    #expect(board.texts(state, columns: 40).allSatisfy { !$0.contains("official rate +") })
  }

  /// However narrow the screen, the kimchi premium on a card has its name: without it, it would look like a disparity.
  @Test(arguments: [(Language.english, " kimchi +0.54%"), (.korean, " 김프 +0.54%")])
  func kimchiHasItsName(_ language: Language, _ end: String) async throws {
    let board = try await Self.replay.value.watch(language)
    let state = WatchState().taking(board)
    for columns in 40..<140 {
      let lines = board.texts(state, columns: columns).filter { $0.contains("+0.54%") }
      #expect(lines.allSatisfy { $0.hasSuffix(end) }, "\(columns): \(lines)")
      #expect(columns < 60 || lines.count == 1, "\(columns)")
    }
  }

  /// The disparity of a future that has not been traded for long has its age; where both do not fit, the age alone.
  @Test(arguments: [
    (80, "  ID   0.13% KR        91479.10  KR        +0.46u     +0.01%  WO 3m   +1.36"),
    (60, "  ID   0.13% KR        91479.10  KR    +0.46u     +0.01%  3m"),
  ])
  func oldDisparityHasItsAge(_ columns: Int, _ line: String) async throws {
    let more = try #require(Decimal("0.2"))
    let board = try await board { ticker, now in
      ticker.price = .value(try #require(ticker.price.value) + more)
      (ticker.time, ticker.timeBasis) = (now.advanced(by: .seconds(-185)), .trade)
    }
    #expect(board.texts(WatchState().taking(board), columns: columns).contains(line))
  }

  /// Beside the list, a column that is empty where there is a reason goes before the reason is cut.
  @Test func reasonsOfFuturesAreWhole() async throws {
    let board = try await board { ticker, _ in ticker.flags = [Flag(.stale, .unreadTime)] }
    let lines = board.texts(WatchState().taking(board), columns: 160, rows: 60)
    #expect(lines.count { $0.hasSuffix("-  +1.36   futures stale") } == 1)
  }

  /// Returns the board with another price of Woo's future.
  private func board(_ change: (inout Ticker, Instant) throws -> Void) async throws -> WatchBoard {
    let replay = try await Self.replay.value
    let key = FeedKey(exchange: "Woo", market: .futures)
    let row = try #require(replay.board[key]?.rows[Self.bitcoin].first)
    var ticker = row.ticker
    try change(&ticker, replay.now)
    let feeds = FeedBoard(replay.board.feeds, now: { replay.now }, ask: { _, _ in [] })
    await feeds.take(.rows([row.renewed(ticker)]), of: key)
    return replay.watch(feeds.state)
  }
}
