import Mapping
import Quotes
import Terminal
import Testing

@testable import MarketData
@testable import Views

/// The user's accounts on a live screen.
@Suite struct WatchBalancesTests {
  private static let replay = Task { try await WatchReplay() }

  private static func balance(_ asset: String, _ free: Decimal, _ locked: Decimal) -> Balance {
    Balance(account: "spot", asset: asset, free: .value(free), locked: .value(locked), total: .value(free + locked))
  }

  /// Returns two exchanges, one of which refuses, while a third is pending.
  private static func balances(_ replay: WatchReplay, at now: Instant) async throws -> WatchBalances {
    var upbit = BalanceReport(exchange: "Upbit")
    upbit.rows = [balance("BTC", 1, try #require(Decimal("0.5"))), balance("KRW", 250_000, 0), balance("NOPE", 7, 0)]
    upbit.answered = 1
    var okx = BalanceReport(exchange: "Okx")
    okx.failures = [.init(account: "trading", part: "", failure: AnswerFailure(.http(429), "too many requests"))]
    var balances = WatchBalances(in: "KRW")
    balances.reports = [upbit, okx]
    let query = TableQuery(
      market: .spot, pair: Pair(asset: "BTC", payment: "KRW"), fields: [.price],
      options: replay.session.interpretation())
    let reports = await replay.session.reports(ofAll: [.spot], query).reports.filter { $0.exchange == "Upbit" }
    balances.valuation = Valuation(
      in: "KRW", reports, asked: ["Upbit"], rateOfDollar: nil, dollarTokens: [], identity: .standard, at: now)
    balances.answered = now.advanced(by: .milliseconds(-4000))
    balances.waiting = ["Binance"]
    return balances
  }

  private func lines(_ state: WatchState, _ board: WatchBoard, columns: Int = 100, rows: Int = 12) -> [String] {
    board.texts(state, columns: columns, rows: rows)
  }

  @Test func showsBalances() async throws {
    let replay = try await Self.replay.value
    let board = replay.watch(.english)
    var state = WatchState().taking(board)
    #expect(state.perform(.balances, board, page: 5) == .askBalances)
    #expect(lines(state, board).dropFirst().first == "  asking ..")
    state.balances = try await Self.balances(replay, at: board.now)
    let shown = lines(state, board)
    #expect(shown[0].hasPrefix("Balances  202018000 KRW  4s ago  "))
    #expect(
      Array(shown[1...7]) == [
        "not in it: 1 without a price (NOPE), 1 account without an answer (Okx trading)",
        "  exchange  account  asset   total    free  locked      price     in KRW  by",
        "▸ Upbit     spot     BTC       1.5       1     0.5  134512000  201768000  own KRW pair",
        "  Upbit     spot     KRW    250000  250000       0          1     250000  itself",
        "  Upbit     spot     NOPE        7       7       0          -   no-price",
        "", "",
      ])
    // What the sum lacks is on any screen in full.
    #expect(
      Array(lines(state, board, columns: 60)[1...2]) == [
        "not in it: 1 without a price (NOPE), 1 account without an", "  answer (Okx trading)",
      ])
    #expect(
      shown.contains("  Okx trading: http-429: too many requests; wait a few minutes and try again"))
    #expect(shown.contains("  waiting for Binance"))
    // An exchange that refused the key is left alone for a while.
    state.balances?.retries = ["Okx": board.now.advanced(by: .seconds(300))]
    #expect(lines(state, board).contains("  asked again: Okx in 5m; r asks now"))
  }

  /// Anyone can send a coin with a long name, which hides columns and is then cut; numbers never are.
  @Test(arguments: [
    (
      80,
      [
        "  exchange  account  asset                                    total     in KRW",
        "▸ Upbit     spot     BTC                                        1.5  201768000",
        "  Upbit     spot     KRW                                     250000     250000",
        "  Upbit     spot     NOPE                                         7   no-price",
        "  Upbit     spot     VISIT-SOME-SITE-TO-CLAIM-REWARD.COM  12345.678   no-price",
      ]
    ),
    (
      60,
      [
        "  exchange  asset                           total     in KRW",
        "▸ Upbit     BTC                               1.5  201768000",
        "  Upbit     KRW                            250000     250000",
        "  Upbit     NOPE                                7   no-price",
        "  Upbit     VISIT-SOME-SITE-TO-CLAIM-…  12345.678   no-price",
      ]
    ),
    (
      40,
      [
        "  exchange  asset       total     in KRW",
        "▸ Upbit     BTC           1.5  201768000",
        "  Upbit     KRW        250000     250000",
        "  Upbit     NOPE            7   no-price",
        "  Upbit     VISIT…  12345.678   no-price",
      ]
    ),
  ])
  func longNames(_ columns: Int, _ table: [String]) async throws {
    let replay = try await Self.replay.value
    let board = replay.watch(.english)
    var state = WatchState().taking(board)
    _ = state.perform(.balances, board, page: 5)
    var balances = try await Self.balances(replay, at: board.now)
    balances.reports[0].rows.append(
      Self.balance("VISIT-SOME-SITE-TO-CLAIM-REWARD.COM", try #require(Decimal("12345.678")), 0))
    state.balances = balances
    let shown = lines(state, board, columns: columns, rows: 24)
    let start = try #require(shown.firstIndex { $0.hasPrefix("  exchange") })
    #expect(Array(shown[start...].prefix(5)) == table)
  }

  private static let refusals = [
    "  Okx trading: http-401: invalid_access_key; check the key with: market keys",
    "    test Okx; add another with: market keys add Okx",
    "  Gate spot: http-401: invalid_access_key; check the key with: market keys test",
    "    Gate; add another with: market keys add Gate",
    "  Bybit unified: http-401: invalid_access_key; check the key with: market keys",
    "    test Bybit; add another with: market keys add Bybit",
    "  Kraken spot: http-401: invalid_access_key; check the key with: market keys",
    "    test Kraken; add another with: market keys add Kraken", "  waiting for Binance",
  ]

  /// Notes use the rows that the table leaves free. The rates are always there, and what does not fit is marked.
  ///
  /// - Parameter room: the number of lines left for notes.
  @Test(arguments: [(24, 18), (12, 6), (8, 2)])
  func notesAreWholeOrMarked(rows: Int, room: Int) async throws {
    let replay = try await Self.replay.value
    let board = replay.watch(.english)
    var state = WatchState().taking(board)
    _ = state.perform(.balances, board, page: 5)
    var upbit = BalanceReport(exchange: "Upbit")
    upbit.rows = [Self.balance("USD", 1, 0)]
    upbit.answered = 1
    var balances = WatchBalances(in: "KRW")
    balances.reports =
      [upbit]
      + [("Okx", "trading"), ("Gate", "spot"), ("Bybit", "unified"), ("Kraken", "spot")].map { name, account in
        var report = BalanceReport(exchange: name)
        let failure = AnswerFailure(.http(401), "invalid_access_key")
        report.failures = [.init(account: account, part: "", failure: failure)]
        return report
      }
    balances.valuation = Valuation(
      in: "KRW", [], asked: [], rateOfDollar: replay.board.rate, dollarTokens: [], identity: .standard, at: board.now)
    balances.answered = board.now
    balances.waiting = ["Binance"]
    state.balances = balances
    let report = BalancesReport(balances.reports, assets: [], in: "KRW", balances.valuation, at: board.now)
    let rates = StyledText(try #require(report.rates(.english))).wrapped(to: 78).map { "  " + $0.painted(with: .plain) }
    let left = max(1, room - rates.count)
    let others: [String] =
      left < Self.refusals.count
      ? Self.refusals.prefix(left - 1) + [Self.refusals[left - 1] + " …"] : Self.refusals
    let shown = lines(state, board, columns: 80, rows: rows)
    let start = try #require(shown.firstIndex(of: rates[0]))
    #expect(Array(shown[start...].dropLast()) == rates + others)
  }

  @Test func keys() async throws {
    let replay = try await Self.replay.value
    let board = replay.watch(.english)
    var state = WatchState().taking(board)
    #expect(WatchKey.command(Character("B")) == .balances)
    _ = state.perform(.balances, board, page: 5)
    state.balances = try await Self.balances(replay, at: board.now)
    #expect(state.perform(.move(2), board, page: 5) == nil && state.balanceRow == 2)
    #expect(state.perform(.last, board, page: 5) == nil && state.balanceRow == 2)
    #expect(state.perform(.first, board, page: 5) == nil && state.balanceRow == 0)
    #expect(state.perform(.askNow, board, page: 5) == .askBalancesAgain)
    // Holdings are not copied to the clipboard by a key that copies rows.
    #expect(state.perform(.copyRow, board, page: 5) == nil)
    #expect(state.perform(.favorite, board, page: 5) == nil)
    // The file that a picture is saved to is the user's alone, unlike those of other screens.
    #expect(state.perform(.save, board, page: 5) == .save(.text))
    #expect(state.saved(as: .text, board, picture: "").isPrivate)
    #expect(!WatchState().saved(as: .text, board, picture: "").isPrivate)
    #expect(state.perform(.open, board, page: 5) == nil && state.screen == .balances)
    #expect(state.perform(.back, board, page: 5) == nil && state.screen == .pairs)
    _ = state.perform(.balances, board, page: 5)
    #expect(state.perform(.balances, board, page: 5) == nil && state.screen == .pairs)
    _ = state.perform(.balances, board, page: 5)
    #expect(state.perform(.quit, board, page: 5) == nil && state.screen == .pairs)
  }

  @Test(arguments: Language.allCases) func withoutRows(_ language: Language) async throws {
    let board = try await Self.replay.value.watch(language)
    var state = WatchState()
    _ = state.perform(.balances, board, page: 5)
    var empty = WatchBalances(in: "KRW")
    var report = BalanceReport(exchange: "Upbit")
    report.answered = 1
    empty.reports = [report]
    state.balances = empty
    #expect(lines(state, board)[1] == "  " + language("the accounts are empty", "계좌가 비어 있음"))
    empty.problem = "no API keys stored"
    state.balances = empty
    #expect(lines(state, board)[1] == "  no API keys stored")
  }
}
