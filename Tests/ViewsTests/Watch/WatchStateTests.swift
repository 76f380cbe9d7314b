import Mapping
import MarketData
import Quotes
import Terminal
import Testing

@testable import Views

/// What a person makes of a live view.
@Suite struct WatchStateTests {
  private static let replay = Task { try await WatchReplay() }

  private func board(later seconds: Int = 0) async throws -> WatchBoard {
    try await Self.replay.value.watch(later: seconds)
  }

  private func names(_ state: WatchState, _ board: WatchBoard) -> [String] { state.visible(board).map(\.description) }

  @Test func sortsByEachColumnAndTurns() async throws {
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
        // The pairs whose lead measures from midnight are not ranked with the others.
        "change: PEPE/USDT BTC/USDT ETH/USDT BTC/KRW USDT/KRW",
        "change turned: ETH/USDT BTC/USDT PEPE/USDT BTC/KRW USDT/KRW",
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

  /// The same figures in another order of the watchlist: the rows move once they have stood for three seconds, and three seconds
  /// after the last key.
  @Test func rowsStayPut() async throws {
    let replay = try await Self.replay.value
    func board(_ seconds: Int, _ pairs: [Pair]) -> WatchBoard { replay.watch(pairs: pairs, later: seconds) }
    let (first, second) = (WatchReplay.pairs, Array(WatchReplay.pairs.reversed()))
    var state = WatchState()
    state.take(board(0, first))
    #expect(state.cursor == first[0])
    state.take(board(2, second))
    #expect(state.visible(board(2, second)) == first)
    _ = state.perform(.move(1), board(2, second), page: 10)
    state.take(board(4, second))
    #expect(state.visible(board(4, second)) == first)
    state.take(board(5, second))
    #expect(state.visible(board(5, second)) == second)
    // The cursor stays with its pair.
    #expect(state.cursor == first[1])
  }

  @Test(arguments: [
    ("btc", ["BTC/USDT", "BTC/KRW"]), ("usdt", ["BTC/USDT", "ETH/USDT", "PEPE/USDT", "USDT/KRW"]),
    ("btc krw", ["BTC/KRW"]), ("비트|pepe", ["PEPE/USDT", "BTC/KRW"]), ("", WatchReplay.pairs.map(\.description)),
    ("nothing", []), ("|", WatchReplay.pairs.map(\.description)),
  ])
  func filters(_ text: String, _ expected: [String]) async throws {
    let board = try await board()
    var state = WatchState()
    state.take(board)
    state.type(filter: text, at: board.now)
    #expect(names(state, board) == expected)
  }

  @Test func freezesAndCountsWhatWaits() async throws {
    let board = try await board()
    var state = WatchState()
    state.take(board)
    _ = state.perform(.freeze, board, page: 10)
    var later = board.state
    let moved = FeedBoard(later.feeds, now: { board.now }, ask: { _, _ in [] })
    for _ in 0..<3 { await moved.take(.life, of: later.feeds[0].key) }
    later = moved.state
    let newer = WatchBoard(
      later, pairs: [WatchReplay.pairs[0]], at: board.now.adding(seconds: 31), WatchReplay.settings(.english))
    #expect(state.shown(newer).figures.count == WatchReplay.pairs.count)
    let lines = WatchScreen(newer, state, ScreenSize(columns: 80, rows: 24)).frame().lines
    #expect(lines.map { $0.runs.map(\.text).joined() }.contains { $0.hasPrefix("FROZEN 14:12:07  31s ago") })
    _ = state.perform(.freeze, newer, page: 10)
    #expect(state.shown(newer).figures.count == 1)
  }

  @Test func goesInAndOut() async throws {
    let board = try await board()
    var state = WatchState()
    state.take(board)
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
    #expect(state.row == 2)
    #expect(press(.move(-9)) == nil)
    #expect(state.row == 0)
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
    #expect(state.visible(board).isEmpty)
    #expect(press(.back) == nil)
    #expect(state.visible(board).count == 5)
    #expect(press(.help) == nil)
    #expect(state.showsHelp)
    #expect(press(.back) == nil)
    #expect(!state.showsHelp)
    #expect(press(.filter) == nil)
    #expect(state.isFiltering)
    #expect(press(.back) == nil)
    #expect(!state.isFiltering)
    #expect(press(.quit) == .quit)
  }

  /// Each key means one thing, and what the bottom line names has room for help and the way out.
  @Test func oneKeyOneMeaning() {
    #expect(Set(WatchKey.all.map(\.name)).count == WatchKey.all.count)
    for key in WatchKey.all where key.name.count == 1 {
      #expect(key.name.first.flatMap { WatchKey.command($0) } == key.command)
    }
    #expect(
      "jkgG 19".map { WatchKey.command($0) } == [.move(1), .move(-1), .first, .last, .freeze, .sort(1), .sort(9)])
    #expect(WatchKey.command("ㅂ") == nil)
    for language in Language.allCases {
      for width in 20...200 {
        let line = WatchKey.line(.pairs, language, width: width)
        #expect(line.width <= width)
        if width >= 30 { #expect(line.runs.map(\.text).contains("?") && line.runs.map(\.text).contains("q")) }
      }
    }
  }
}
