import Config
import Mapping
import MarketData
import Quotes
import Terminal
import Testing

@testable import Views

/// The effect of the user's actions on a live view.
@Suite struct WatchStateTests {
  private static let replay = Task { try await WatchReplay() }

  private func board(later seconds: Int = 0) async throws -> WatchBoard {
    try await Self.replay.value.watch(later: seconds)
  }

  private func names(_ state: WatchState) -> [String] { state.visible.map(\.description) }

  @Test func sortsByEachColumnAndReverses() async throws {
    let board = try await board()
    var orders: [String] = []
    for sort in WatchSort.allCases {
      for reversed in [false, true] {
        let order = sort.order(board.figures, reversed: reversed, .official).map(\.description)
        orders.append("\(sort.rawValue)\(reversed ? " turned" : ""): \(order.joined(separator: " "))")
      }
    }
    #expect(
      orders == [
        "list: BTC/USDT ETH/USDT PEPE/USDT BTC/KRW USDT/KRW",
        "list turned: USDT/KRW BTC/KRW PEPE/USDT ETH/USDT BTC/USDT",
        "pair: BTC/KRW BTC/USDT ETH/USDT PEPE/USDT USDT/KRW",
        "pair turned: USDT/KRW PEPE/USDT ETH/USDT BTC/USDT BTC/KRW",
        // The pairs whose lead measures from midnight are ranked among themselves, behind the others.
        "change: PEPE/USDT BTC/USDT ETH/USDT BTC/KRW USDT/KRW",
        "change turned: ETH/USDT BTC/USDT PEPE/USDT USDT/KRW BTC/KRW",
        "premium: PEPE/USDT USDT/KRW ETH/USDT BTC/KRW BTC/USDT",
        "premium turned: BTC/USDT BTC/KRW ETH/USDT USDT/KRW PEPE/USDT",
        "disparity: PEPE/USDT ETH/USDT BTC/USDT BTC/KRW USDT/KRW",
        "disparity turned: BTC/USDT ETH/USDT PEPE/USDT BTC/KRW USDT/KRW",
        "kimchi: USDT/KRW ETH/USDT BTC/USDT BTC/KRW PEPE/USDT",
        "kimchi turned: PEPE/USDT BTC/USDT BTC/KRW ETH/USDT USDT/KRW",
        "exchanges: BTC/USDT ETH/USDT PEPE/USDT BTC/KRW USDT/KRW",
        "exchanges turned: BTC/KRW USDT/KRW PEPE/USDT BTC/USDT ETH/USDT",
      ])
  }

  /// The same figures in another order of the watchlist: rows move once the order has held for three seconds, and three
  /// seconds after the last key.
  @Test func rowsMoveOnlyAfterOrderHolds() async throws {
    let replay = try await Self.replay.value
    func board(_ seconds: Int, _ pairs: [Pair]) -> WatchBoard { replay.watch(pairs: pairs, later: seconds) }
    let (first, second) = (WatchReplay.pairs, Array(WatchReplay.pairs.reversed()))
    var state = WatchState()
    state.take(board(0, first))
    #expect(state.cursor == first[0])
    state.take(board(2, second))
    #expect(state.visible == first)
    _ = state.perform(.move(1), board(2, second), page: 10)
    state.take(board(4, second))
    #expect(state.visible == first)
    state.take(board(5, second))
    #expect(state.visible == second)
    // The cursor stays with its pair.
    #expect(state.cursor == first[1])
  }

  /// Until all feeds have answered, or the user places it, a cursor is on the first row, whatever arrives above; then it
  /// stays with what it is on.
  @Test func cursorStartsOnFirstRow() async throws {
    let replay = try await Self.replay.value
    func board(_ seconds: Int, _ pairs: [Pair]) -> WatchBoard { replay.watch(pairs: pairs, later: seconds) }
    let (first, second) = (WatchReplay.pairs, Array(WatchReplay.pairs.reversed()))
    var state = WatchState()
    func loading(_ seconds: Int, _ pairs: [Pair]) -> WatchBoard {
      let feeds = replay.board.feeds.map { feed in
        feed.key.exchange == "Kraken" ? FeedState(feed.key, badge: nil, capabilities: feed.capabilities) : feed
      }
      return replay.watch(BoardState(feeds: feeds, rate: nil), pairs: pairs, later: seconds)
    }
    state.take(loading(0, first))
    state.take(loading(4, second))
    #expect(state.visible == second)
    #expect(state.cursor == second[0])
    var placed = state
    _ = placed.perform(.first, loading(4, second), page: 10)
    placed.take(loading(8, first))
    #expect(placed.visible == first)
    #expect(placed.cursor == second[0])
    state.take(board(8, first))
    #expect(state.cursor == first[0])
    state.take(board(12, second))
    #expect(state.visible == second)
    #expect(state.cursor == first[0])

    let bitcoin = first[0]
    let early = BoardState(
      feeds: replay.board.feeds.filter { $0.key.exchange == "Kraken" }, rate: replay.board.rate)
    var pair = WatchState(screen: .pair(bitcoin))
    pair.take(replay.watch(early, pairs: [bitcoin]))
    #expect(pair.row?.exchange == "Kraken")
    pair.take(board(0, [bitcoin]))
    #expect(pair.row?.exchange == "Indodax")
    _ = pair.perform(.togglePinned, board(0, [bitcoin]), page: 10)
    pair.take(board(4, [bitcoin]))
    #expect(pair.row?.exchange == "Indodax")
  }

  /// While a filter is typed, a cursor that the user has not placed is on its best match, which Enter keeps; without the
  /// filter it is back where it was. One that the user has placed stays as long as its pair matches.
  @Test(arguments: [
    (0, ["USDT/KRW", "USDT/KRW", "USDT/KRW"], "BTC/USDT"), (1, ["ETH/USDT", "ETH/USDT", "ETH/USDT"], "ETH/USDT"),
  ])
  func cursorFollowsTypedFilter(_ moves: Int, _ expected: [String], _ last: String) async throws {
    let board = try await board()
    var state = WatchState().taking(board)
    if moves > 0 { _ = state.perform(.move(moves), board, page: 10) }
    _ = state.perform(.filter, board, page: 10)
    for letter in "usdt" { _ = state.type(Key(.character(letter)), board, page: 10) }
    var seen = [state.cursor]
    state.take(board)
    seen.append(state.cursor)
    _ = state.type(Key(.enter), board, page: 10)
    state.take(board)
    seen.append(state.cursor)
    #expect(seen.map { $0?.description } == expected)
    var opened = state
    _ = opened.perform(.open, board, page: 10)
    opened.take(board)
    #expect(opened.screen.pair?.description == expected[2] && opened.cursor?.description == expected[2])
    _ = state.perform(.back, board, page: 10)
    #expect(state.cursor?.description == last)
  }

  /// Behind a screen about a pair, commands are about that pair even if the list no longer has it.
  @Test func visitedPairIsKept() async throws {
    let board = try await board()
    var state = WatchState(favorites: Favorites(Array(WatchReplay.pairs.prefix(2))))
    state.take(board)
    _ = state.perform(.onlyFavorites, board, page: 10)
    let bitcoin = WatchReplay.pairs[0]
    #expect(state.cursor == bitcoin)
    state.visited = (bitcoin, nil)
    var effects: [String] = []
    for command in [WatchCommand.favorite, .favorite, .visit(.trades), .copyRow] {
      switch state.perform(command, board, page: 10) {
      case .toggleFavorite(let pair):
        state.favorites = Favorites(
          state.favorites.pairs == [WatchReplay.pairs[1]]
            ? Array(WatchReplay.pairs.prefix(2)) : [WatchReplay.pairs[1]])
        state.take(board)
        effects.append("f \(pair)")
      case .visit(_, let pair, let row, _): effects.append("t \(pair) \(row == nil)")
      case .copy(let text): effects.append("y \(text.prefix(8))")
      default: effects.append("none")
      }
    }
    #expect(effects == ["f BTC/USDT", "f BTC/USDT", "t BTC/USDT true", "y BTC/USDT"])
    _ = state.perform(.detail, board, page: 10)
    #expect(state.screen == .pair(bitcoin))
  }

  @Test(arguments: [
    ("btc", ["BTC/USDT", "BTC/KRW"]),
    // The asset comes before the payment currency.
    ("usdt", ["USDT/KRW", "BTC/USDT", "ETH/USDT", "PEPE/USDT"]),
    ("btc krw", ["BTC/KRW"]), ("비트|pepe", ["PEPE/USDT", "BTC/KRW"]), ("", WatchReplay.pairs.map(\.description)),
    ("nothing", []), ("|", WatchReplay.pairs.map(\.description)),
    // By initials, half a syllable, the wrong keyboard layout both ways, another symbol, another composition.
    ("ㅂㅌ", ["BTC/KRW"]), ("빝", ["BTC/KRW"]), ("qlxm", ["BTC/KRW"]), ("ㅠㅅㅊ", ["BTC/USDT", "BTC/KRW"]),
    ("xbt", ["BTC/USDT", "BTC/KRW"]), ("비트", ["BTC/KRW"]), ("tether", ["USDT/KRW"]),
    // By figures.
    ("premium > 0.13", ["ETH/USDT", "PEPE/USDT", "USDT/KRW"]),
    ("premium > 0.13 and exchanges > 20", ["ETH/USDT"]), ("price@Upbit > 100M", ["BTC/KRW"]),
    ("(premium > 0.2 or kimchi >= 0.55%) and fx > 1000", ["ETH/USDT", "PEPE/USDT", "USDT/KRW"]),
    ("disparity.first < 0.07", ["BTC/USDT", "ETH/USDT"]), ("premium > 99", []),
    // By words, and by figures after them.
    ("krw premium > 0.13", ["USDT/KRW"]), ("krw|pepe premium > 0.13", ["PEPE/USDT", "USDT/KRW"]),
    ("usdt (premium > 0.2 or kimchi >= 0.55%) and fx > 1000", ["USDT/KRW", "ETH/USDT", "PEPE/USDT"]),
    ("xbt 100M < price@Upbit", ["BTC/KRW"]), ("nothing premium > 0", []),
    // A filter that is not understood hides nothing.
    ("krw and premium > 0.13", WatchReplay.pairs.map(\.description)),
    ("krw | premium > 0.13", WatchReplay.pairs.map(\.description)),
    ("krw premum > 3", WatchReplay.pairs.map(\.description)),
    ("premium >", WatchReplay.pairs.map(\.description)), ("premum > 3", WatchReplay.pairs.map(\.description)),
  ])
  func filters(_ text: String, _ expected: [String]) async throws {
    let board = try await board()
    var state = WatchState().taking(board)
    _ = state.perform(.filter, board, page: 10)
    // Key by key, as when typing.
    for character in text { #expect(state.type(Key(.character(character)), board, page: 10) == nil) }
    #expect(names(state) == expected)
    #expect(state.filter == text)
    // The filter ignores the order, and does not change it.
    _ = state.type(Key(.enter), board, page: 10)
    _ = state.perform(.sort(1), board, page: 10)
    #expect(names(state) == expected.sorted())
  }

  /// A filter by figures asks each pair once for the same figures, and again for newer ones.
  @Test func figureFilterFollowsFigures() async throws {
    let replay = try await Self.replay.value
    let board = replay.watch()
    let kraken = replay.board.feeds.filter { $0.key.exchange == "Kraken" }
    let few = replay.watch(BoardState(feeds: kraken, rate: replay.board.rate))
    var state = WatchState().taking(board)
    _ = state.perform(.filter, board, page: 10)
    for character in "exchanges > 1" { _ = state.type(Key(.character(character)), board, page: 10) }
    _ = state.type(Key(.enter), board, page: 10)
    #expect(state.visible == WatchReplay.pairs)
    state.take(few)
    #expect(names(state) == [])
    state.take(board)
    _ = state.perform(.last, board, page: 10)
    #expect(state.visible == WatchReplay.pairs)
    #expect(state.cursor == WatchReplay.pairs.last)
  }

  /// A filter that passes through other pairs, or none, on its way gives the cursor back, unless it was moved.
  @Test(arguments: [(false, "ETH/USDT"), (true, "USDT/KRW")])
  func cursorStaysWithItsPair(isMoved: Bool, expected: String) async throws {
    let board = try await board()
    var state = WatchState().taking(board)
    _ = state.perform(.move(1), board, page: 10)
    #expect(state.cursor?.description == "ETH/USDT")
    _ = state.perform(.filter, board, page: 10)
    for character in "premium > 0.13" { _ = state.type(Key(.character(character)), board, page: 10) }
    #expect(state.cursor?.description == "ETH/USDT")
    for character in " and exchanges > 90" { _ = state.type(Key(.character(character)), board, page: 10) }
    #expect(state.cursor == nil)
    _ = state.type(Key(.escape), board, page: 10)
    if isMoved { _ = state.perform(.move(10), board, page: 10) }
    state.take(board)
    #expect(state.cursor?.description == expected)
  }

  @Test func freezesAndCountsPendingUpdates() async throws {
    let board = try await board()
    var state = WatchState().taking(board)
    _ = state.perform(.freeze, board, page: 10)
    var later = board.state
    let moved = FeedBoard(later.feeds, now: { board.now }, ask: { _, _ in [] })
    for _ in 0..<3 { await moved.take(.life, of: later.feeds[0].key) }
    later = moved.state
    let newer = WatchBoard(
      later, pairs: [WatchReplay.pairs[0]], at: board.now.advanced(by: .seconds(31)), WatchReplay.settings(.english))
    #expect(state.shown(newer).figures.count == WatchReplay.pairs.count)
    #expect(newer.texts(state).contains { $0.hasPrefix("FROZEN 14:12:07  31s ago") })
    _ = state.perform(.freeze, newer, page: 10)
    #expect(state.shown(newer).figures.count == 1)
  }

  @Test func opensAndClosesScreens() async throws {
    let board = try await board()
    var state = WatchState().taking(board)
    func press(_ command: WatchCommand) -> WatchEffect? {
      defer { state.take(board) }
      return state.perform(command, board, page: 3)
    }
    #expect(press(.last) == nil)
    #expect(state.cursor == WatchReplay.pairs.last)
    #expect(press(.movePage(-1)) == nil)
    #expect(state.cursor == WatchReplay.pairs[1])
    #expect(press(.first) == nil)
    #expect(press(.open) == nil)
    #expect(state.screen == .pair(WatchReplay.pairs[0]))
    #expect(press(.move(2)) == nil)
    #expect(state.row == state.rows[2])
    #expect(press(.move(-9)) == nil)
    #expect(state.row == state.rows[0])
    #expect(press(.open) == .explain(state.rows[0]))
    #expect(state.screen == .row(state.rows[0]))
    #expect(press(.copyRow) == .copy("Indodax BTC/USDT 91600.65 +1.43"))
    #expect(press(.back) == nil)
    #expect(press(.visit(.candles)) == .visit(.candles, WatchReplay.pairs[0], row: state.rows[0], beside: []))
    #expect(press(.favorite) == .toggleFavorite(WatchReplay.pairs[0]))
    #expect(press(.back) == nil)
    #expect(state.screen == .pairs)
    #expect(press(.feeds) == nil)
    let feed = try #require(state.feed)
    #expect(press(.askNow) == .askNow(feed))
    #expect(press(.pause) == .togglePause(feed))
    #expect(press(.feeds) == nil)
    #expect(press(.askNow) == .askNow(nil))
    #expect(press(.sort(3)) == nil)
    #expect(state.sort == .premium)
    #expect(press(.sort(3)) == nil)
    #expect(state.isReversed)
    #expect(press(.sort(99)) == nil)
    #expect(press(.sort(0)) == nil)
    #expect(state.sort == .premium)
    #expect(press(.sortNext) == nil)
    #expect(state.sort == .disparity && !state.isReversed)
    #expect(press(.switchBasis) == nil)
    #expect(state.basis == .token)
    #expect(press(.onlyFavorites) == nil)
    #expect(state.visible.isEmpty)
    #expect(press(.back) == nil)
    #expect(state.visible.count == 5)
    #expect(press(.help) == nil)
    #expect(state.showsHelp)
    #expect(press(.back) == nil)
    #expect(!state.showsHelp)
    #expect(press(.filter) == nil)
    #expect(state.line?.kind == .filter)
    _ = state.type(Key(.character("x")), board, page: 3)
    #expect(state.filter == "x")
    _ = state.type(Key(.escape), board, page: 3)
    #expect(state.line == nil && state.filter.isEmpty)
    #expect(press(.detail) == nil)
    #expect(press(.quit) == nil)
    #expect(state.screen == .pairs)
    #expect(press(.quit) == .quit)
  }

  /// Rows of one asset are shown side by side; each pair has its lead row.
  /// Keys for the list of pairs do nothing where it is not on screen.
  @Test(arguments: [WatchCommand.feeds, .alerts, .balances]) func hiddenListStaysAsItIs(_ screen: WatchCommand)
    async throws
  {
    let board = try await board()
    var state = WatchState().taking(board)
    _ = state.perform(screen, board, page: 3)
    for key in "sS3wpF" {
      #expect(state.perform(try #require(WatchKey.command(key)), board, page: 3) == nil)
    }
    _ = state.perform(.switchLayout, board, page: 3)
    _ = state.perform(.back, board, page: 3)
    #expect(state.screen == .pairs && state.sort == .list && !state.isReversed && !state.showsFavoritesOnly)
    #expect(state.money == .sent && state.basis == .official && !state.isTable)
  }

  @Test func showsPairsSideBySide() async throws {
    let board = try await board()
    var state = WatchState().taking(board)
    func press(_ commands: WatchCommand...) -> WatchEffect? {
      commands.reduce(nil) { _, command in state.perform(command, board, page: 3) }
    }
    func beside() -> [String] { state.beside.map { "\($0.exchange) \($0.pair)" } }
    #expect(press(.togglePinned, .move(3), .togglePinned) == nil)
    #expect(beside() == ["Binance BTC/USDT", "Upbit BTC/KRW"])
    #expect(press(.visit(.trades)) == .visit(.trades, WatchReplay.pairs[3], row: nil, beside: state.beside))
    #expect(press(.first, .open, .move(1), .togglePinned) == nil)
    #expect(beside() == ["Binance BTC/USDT", "Upbit BTC/KRW", "Bitfinex BTC/USDT"])
    for _ in 0..<5 { #expect(press(.move(1), .togglePinned) == nil) }
    #expect(beside().count == WatchState.maximumPinned)
    #expect(state.message == "already comparing six exchanges")
    #expect(press(.first, .move(1), .togglePinned) == nil)
    #expect(beside().count == WatchState.maximumPinned - 1)
    // Another asset has others beside it.
    #expect(press(.back, .move(1)) == nil)
    #expect(press(.visit(.candles)) == .visit(.candles, WatchReplay.pairs[1], row: nil, beside: []))
    #expect(press(.togglePinned) == nil)
    #expect(beside() == ["Binance ETH/USDT"])
    #expect(press(.back) == nil)
    #expect(beside() == [])
  }

  /// In the line of an alert, Tab completes a field and leads from one to the next.
  @Test(arguments: [
    ("", 1, "premium"), ("", 2, "kimchi"), ("pr", 1, "premium"), ("kim", 1, "kimchi"), ("kim", 2, "kimchi.usdt"),
    ("feeds.failed", 1, "premium"), ("premium > 3 and ", 1, "premium > 3 and premium"),
    ("premium > 3", 1, "premium > 3"), ("premium > 3 then bel", 1, "premium > 3 then bel"),
    ("premium > ", 1, "premium > "), ("premium > 3% ", 1, "premium > 3% "), ("price@f", 1, "price@f"),
    ("BTC/KRW ", 1, "BTC/KRW premium"), ("premium > 3 or (", 1, "premium > 3 or (premium"), ("( ", 1, "( premium"),
    ("premium > kim", 1, "premium > kimchi"), ("가격", 1, "change"),
  ])
  func tabLeadsThroughFields(_ typed: String, _ tabs: Int, _ text: String) async throws {
    let board = try await board()
    var state = WatchState().taking(board)
    for _ in 0..<2 { _ = state.perform(.alerts, board, page: 3) }
    for character in typed { _ = state.type(Key(.character(character)), board, page: 3) }
    for _ in 0..<tabs { _ = state.type(Key(.tab), board, page: 3) }
    #expect(state.line?.editor.text == text)
  }

  @Test func armsAlerts() async throws {
    let board = try await board()
    var state = WatchState().taking(board)
    func type(_ text: String) { for character in text { _ = state.type(Key(.character(character)), board, page: 3) } }
    #expect(state.perform(.alerts, board, page: 3) == nil)
    #expect(state.screen == .alerts && state.line == nil)
    #expect(state.perform(.alerts, board, page: 3) == nil)
    type("kim")
    _ = state.type(Key(.tab), board, page: 3)
    #expect(state.line?.editor.text == "kimchi")
    type(" > 0..1")
    #expect(state.type(Key(.enter), board, page: 3) == nil)
    #expect(state.line?.problem == "column 10: '0..1' is not a number")
    for _ in 0..<4 { _ = state.type(Key(.backspace), board, page: 3) }
    type("1%")
    #expect(state.line?.problem == nil)
    let rule = try AlertRule(parsing: "kimchi > 1%", AlertNames())
    #expect(state.type(Key(.enter), board, page: 3) == .addAlert(rule, replacing: nil))
    #expect(state.line == nil)
    state.alerts.follow([rule])
    state.take(board)
    #expect(state.perform(.pause, board, page: 3) == .removeAlert("kimchi > 1%"))
    #expect(state.perform(.open, board, page: 3) == nil)
    #expect(state.line?.editor.text == "kimchi > 1%")
    // Editing it leaves only the new one, also if it had to be repaired first.
    type(" for 1m")
    let edited = try AlertRule(parsing: "kimchi > 1% for 1m", AlertNames())
    #expect(state.type(Key(.enter), board, page: 3) == .addAlert(edited, replacing: rule.text))
    state.take(.refused(RefusedChange("not added", cause: nil, alert: EnteredAlert(edited.text, replacing: rule.text))))
    #expect(state.line?.editor.text == edited.text)
    #expect(state.type(Key(.enter), board, page: 3) == .addAlert(edited, replacing: rule.text))
    #expect(state.line == nil)
    #expect(state.perform(.silence, board, page: 3) == nil)
    #expect(state.alerts.isSilent(at: board.now.advanced(by: .seconds(3599))))
    #expect(state.message == "alerts are silent for an hour; A ends that")
    #expect(state.perform(.silence, board, page: 3) == nil)
    #expect(!state.alerts.isSilent(at: board.now))
  }

  /// No line of a help is cut.
  @Test(arguments: [40, 60, 80, 160]) func helpFits(_ width: Int) {
    for language in Language.allCases {
      let settings = PairSettings(language: language, zone: .utc, identity: .standard, rule: .standard)
      let screens: [[KeyText]] = [
        CandleScreen.keys, BookScreen.keys, TapeScreen.keys,
      ]
      let lines =
        WatchKey.help(language, width: width).dropLast(width < 80 ? 3 : 0)
        + WatchKey.help(language, isList: true, width: width).dropLast(width < 80 ? 3 : 0)
        + screens.flatMap { KeyText.help($0, settings, width: width) }
      #expect(lines.filter { $0.width > width } == [])
    }
  }

  /// A help ends with what the letters on the screens stand for, if they can be of more than one exchange.
  @Test func helpNamesTheLetters() {
    func lines(_ exchanges: [StyledText], _ language: Language = .english) -> [String] {
      let keys = WatchKey.help(language, width: 40).count
      return WatchKey.help(language, exchanges: exchanges, width: 40).dropFirst(keys).map(\.plainText)
    }
    let all = ["BN Binance", "BY Bybit", "FLY Bitflyer", "UP Upbit"].map { StyledText($0) }
    #expect(lines([]) == [])
    #expect(lines(all) == ["  exchanges:  BN Binance  BY Bybit", "  FLY Bitflyer  UP Upbit"])
    #expect(lines(all, .korean) == ["  거래소:  BN Binance  BY Bybit", "  FLY Bitflyer  UP Upbit"])
  }

  /// Space leads through all of a help and back to its begin.
  @Test(arguments: [(1, 5), (5, 5), (6, 5), (9, 5), (34, 9), (34, 22)]) func helpTurns(_ count: Int, _ room: Int) {
    let lines = (0..<count).map { StyledText("\($0)") }
    var page = HelpScroll()
    var seen: [StyledText] = []
    repeat {
      let shown = page.shown(lines, room: room, .english)
      #expect(shown.count <= max(room, 1))
      seen += shown.filter { !seen.contains($0) && $0.painted(with: .plain).first != "⋮" }
      _ = page.take(.freeze, of: count, room: room)
    } while page.shown(lines, room: room, .english).first != lines.first
    #expect(seen == lines)
  }

  /// A key that is no character is named in the help, with what it does.
  @Test(
    arguments: [
      ("Enter", "Right", .right), ("j k", "Up", .up), ("j k", "Down", .down), ("j k", "Home", .home),
      ("j k", "End", .end),
      ("j k", "PgUp", .pageUp), ("j k", "PgDn", .pageDown), ("Esc", "Left", .left), ("Esc", "Backspace", .backspace),
      ("?", "F1", .function(1)), ("Del", "Del", .delete), ("Tab", "Tab", .tab),
    ] as [(String, String, Key.Code)])
  func helpNamesEveryKey(_ name: String, _ other: String, _ code: Key.Code) {
    #expect(WatchKey.command(Key(code)) != nil)
    let lines = WatchKey.help(.english, width: 160).map(\.plainText)
    #expect(lines.count { $0.hasPrefix("  \(name) ") && $0.contains(other) } == 1)
    #expect(lines.contains("  Ctrl-L  redraw"))
  }

  /// Each key has one meaning, and the bottom line's keys include help and the way out.
  @Test func everyKeyHasOneMeaning() {
    #expect(Set(WatchKey.all.map(\.name)).count == WatchKey.all.count)
    for key in WatchKey.all where key.name.count == 1 {
      #expect(key.name.first.flatMap { WatchKey.command($0) } == key.command)
    }
    #expect(
      "jkgG 19".map { (key: Character) in WatchKey.command(key) } == [
        .move(1), .move(-1), .first, .last, .freeze, .sort(1), .sort(9),
      ])
    #expect(WatchKey.command(Character("ㅂ")) == nil)
    #expect(WatchKey.command(Key(.pageDown)) == .movePage(1))
    #expect(WatchKey.command(Key(.character("q"), .control)) == nil)
    for language in Language.allCases {
      for width in 20...200 {
        let line = WatchKey.line(.pairs, language, width: width)
        #expect(line.width <= width)
        if width >= 30 { #expect(line.runs.map(\.text).contains("?") && line.runs.map(\.text).contains("q")) }
      }
    }
  }
}
