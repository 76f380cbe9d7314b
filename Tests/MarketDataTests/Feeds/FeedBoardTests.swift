import Config
import HTTP
import Quotes
import Synchronization
import Testing

@testable import Mapping
@testable import MarketData

/// What the board keeps of made-up responses, on a clock controlled by the test.
@Suite struct FeedBoardTests {
  private static let bitcoin = Pair(asset: "BTC", payment: "USDT")
  private static let ether = Pair(asset: "ETH", payment: "USDT")
  private static let alpha = FeedKey(exchange: "alpha", market: .spot)
  private static let beta = FeedKey(exchange: "beta", market: .spot)

  private let world: FeedWorld
  private let board: FeedBoard

  init() throws {
    world = try FeedWorld()
    board = world.board()
  }

  private static func prices(_ feed: FeedState?) -> [String] {
    feed?.rows.rows.map { "\($0.ticker.pair.asset) \($0.ticker.price.value?.description ?? "-")" } ?? []
  }

  private static func premium(_ board: BoardState, at now: Instant) -> String {
    let snapshot = board.snapshot(
      of: bitcoin, at: now, check: MeaningCheck(), rule: .standard, dollarTokens: ["USDT"])
    return (try? snapshot.premium.get())?.percentText ?? "-"
  }

  @Test func rowsArriveAndDelistedPairIsRemoved() async throws {
    #expect(!board.state.isSettled)
    #expect(board.state.feeds.map { $0.phase(at: world.now) } == [.loading, .loading, .loading])
    await board.poll()
    #expect(board.state.isSettled)
    #expect(world.asked == ["alpha", "beta", "gamma"])
    #expect(Self.prices(board.state[Self.alpha]) == ["BTC 100", "ETH 3000"])
    #expect(board.state[Self.alpha]?.phase(at: world.now) == .polled(milliseconds: 1000))
    world.answer("alpha", ("101", nil))
    world.turn(by: 1000)
    await board.poll()
    #expect(Self.prices(board.state[Self.alpha]) == ["BTC 101"])
    #expect(Self.premium(board.state, at: world.now) == "1.00")
  }

  /// A feed that answers, but lists none of the pairs, is off for that reason until it does.
  @Test func feedWithoutAnyPairSaysSo() async throws {
    world.reply("alpha", .success((200, Array(#"{"ok":true,"list":[{"s":"XRP-USDT","p":"1"}]}"#.utf8))))
    await board.poll()
    #expect(board.state[Self.alpha]?.phase(at: world.now) == .off(.noPair))
    #expect(board.state[Self.beta]?.phase(at: world.now) == .polled(milliseconds: 1000))
    world.answer("alpha", ("101", nil))
    world.turn(by: 600_000)
    await board.poll()
    #expect(board.state[Self.alpha]?.phase(at: world.now) == .polled(milliseconds: 1000))
  }

  /// With a whole table, every pair is present as long as the exchange lists it; streams update what they know.
  @Test func wholeTableKeepsEveryListedPair() async throws {
    world.answer("alpha", ("100", nil))
    let board = world.board([], isWhole: true)
    await board.poll()
    #expect(Self.prices(board.state[Self.alpha]) == ["BTC 100"])
    world.answer("alpha", ("101", "3000"))
    world.turn(by: 1000)
    await board.poll()
    #expect(Self.prices(board.state[Self.alpha]) == ["BTC 101", "ETH 3000"])
    var row = try #require(board.state[Self.alpha]?.rows[Self.ether].first)
    row.ticker.price = .value(3001)
    row.ticker.arrival = world.now
    await board.take(.live([Self.ether]), of: Self.alpha)
    await board.take(.rows([row, row]), of: Self.alpha)
    #expect(Self.prices(board.state[Self.alpha]) == ["BTC 101", "ETH 3001"])
    #expect(board.state[Self.alpha]?.phase(at: world.now) == .live)
    #expect(board.state[Self.alpha]?.rows.ticks[row.ticker.key] == 2)
    func listing(_ exchange: String?) -> PairListing {
      board.state.listing(
        of: exchange, .spot, names: AssetNames(), at: world.now, check: MeaningCheck(), rule: .standard)
    }
    #expect(listing(nil).entries.map { "\($0.pair) \($0.usable)" } == ["BTC/USDT 3", "ETH/USDT 3"])
    // Pairs that no feed was asked for by name are never reported as unlisted.
    #expect(board.state[Self.alpha]?.report(of: Pair(asset: "XRP", payment: "USDT"), at: world.now) == nil)
    // The table includes the pairs that its stream is quiet about as often as ever.
    await board.take(.live([Self.ether], quiet: [Self.bitcoin]), of: Self.alpha)
    #expect(board.state[Self.alpha]?.phase(of: Self.bitcoin, at: world.now) == .live)
    #expect(board.state[Self.alpha]?.quiet.isEmpty == true)
    #expect(board.state[Self.alpha]?.polledPairs.isEmpty == true)
    world.answer("alpha", (nil, "3002"))
    await board.take(.live([]), of: Self.alpha)
    world.turn(by: 1000)
    await board.poll()
    #expect(Self.prices(board.state[Self.alpha]) == ["ETH 3002"])
    // A price that is too old to use is still listed, but enters no headline.
    world.turn(by: 100_000)
    #expect(listing(nil).entries.map { "\($0.pair) \($0.usable)" } == ["BTC/USDT 0", "ETH/USDT 0"])
  }

  /// A failure to connect dates from the first one since the last answer, which may be an error.
  @Test func failuresToConnectAreDated() async throws {
    await board.poll()
    var seen: [[Instant?]] = []
    var moments: [Instant] = []
    for reply in [
      .success((503, [])), .failure(.timeout), .failure(.timeout), .success((503, [])), .failure(.timeout),
    ] as [StubExchanges.Reply] {
      world.reply("alpha", reply)
      world.turn(by: 60_000)
      await board.poll()
      let feed = try #require(board.state[Self.alpha])
      seen.append([feed.failure?.since, feed.failure?.offlineSince, feed.contacted])
      moments.append(world.now)
    }
    let first = moments[0]
    #expect(
      seen == [
        [first, nil, first], [first, moments[1], first], [first, moments[1], first], [first, nil, moments[3]],
        [first, moments[4], moments[3]],
      ])
  }

  @Test func failingFeedKeepsRowsUntilTooOld() async throws {
    await board.poll()
    world.reply("alpha", .success((451, Array("not here".utf8))))
    world.turn(by: 1000)
    await board.poll()
    let failed = try #require(board.state[Self.alpha])
    #expect(failed.phase(at: world.now) == .failed(reason: .http(451), retry: world.now.advanced(by: .seconds(1))))
    #expect(Self.prices(failed) == ["BTC 100", "ETH 3000"])
    #expect(failed.age(of: failed.rows.rows[0], at: world.now) == 1_000_000_000)
    // A price is as old as the trade that it was paid in, if that is known; a quote, as its arrival.
    for (basis, seconds) in [(TimeBasis.trade, 180), (.quote, 1)] as [(TimeBasis, Int64)] {
      var row = failed.rows.rows[0]
      row.ticker.time = world.now.advanced(by: .seconds(-180))
      row.ticker.timeBasis = basis
      #expect(failed.age(of: row, at: world.now) == seconds * 1_000_000_000)
    }
    #expect(failed.failure?.tries == 1)
    let since = failed.failure?.since
    world.turn(by: 1000)
    await board.poll()
    #expect(board.state[Self.alpha]?.failure?.tries == 2)
    #expect(board.state[Self.alpha]?.failure?.since == since)

    // The others respond some seconds later, and it does not: its price no longer enters any headline.
    world.answer("beta", ("100", "3000"))
    world.answer("gamma", ("110", "3000"))
    world.turn(by: 12_000)
    await board.poll()
    let snapshot = board.state.snapshot(
      of: Self.bitcoin, at: world.now, check: MeaningCheck(), rule: .standard, dollarTokens: ["USDT"])
    #expect(
      snapshot.spot.map { $0.ticker.flags.map(\.message) }
        == [["last updated 14 s ago; failing since then"], [], []])
    #expect(snapshot.spot.map { $0.ticker.headlineObjection(.standard)?.code } == ["http-451", nil, nil])
    #expect(try snapshot.premium.get().percentText == "10.00")

    world.answer("alpha", ("100", "3000"))
    world.turn(by: 60_000)
    await board.poll()
    #expect(board.state[Self.alpha]?.phase(at: world.now) == .polled(milliseconds: 1000))
    #expect(board.state[Self.alpha]?.failure == nil)
  }

  /// A pair is not missed at an exchange that does not list it, whether the exchange responds or not.
  @Test func exchangeNotListingPairIsNotMissed() async throws {
    world.answer("alpha", ("100", nil))
    await board.poll()
    world.reply("alpha", .success((503, [])))
    world.turn(by: 1000)
    await board.poll()
    let failing = try #require(board.state[Self.alpha])
    #expect(failing.phase(at: world.now) == .failed(reason: .http(503), retry: world.now.advanced(by: .seconds(1))))
    #expect(failing.report(of: Pair(asset: "ETH", payment: "USDT"), at: world.now)?.status == .notListed)
    world.turn(by: 12_000)
    #expect(failing.report(of: Self.bitcoin, at: world.now)?.table.rows.map(\.ticker.flags.count) == [1])
  }

  @Test func slowExchangeDelaysNoOther() async throws {
    let (changes, change) = AsyncStream.makeStream(of: Void.self)
    let board = world.board(onChange: { change.yield() })
    world.hold("alpha")
    for _ in 0..<3 {
      await board.step()
      for await _ in changes {
        let answered = board.state.feeds.filter { $0.answered == world.now }.map(\.key.exchange)
        if Set(answered) == ["beta", "gamma"] { break }
      }
      world.turn(by: 1000)
    }
    #expect(world.asked == ["beta", "beta", "beta", "gamma", "gamma", "gamma"])
    #expect(board.state[Self.alpha]?.phase(at: world.now) == .loading)
    #expect(Self.premium(board.state, at: world.now) == "0.00")
    world.letGo("alpha")
    await board.settle()
    #expect(world.asked == ["alpha"])
    #expect(board.state.isSettled)
  }

  @Test func pollingResumesWhenStreamBreaks() async throws {
    await board.poll()
    _ = world.asked
    await board.take(.connecting, of: Self.alpha)
    await board.take(.live([Self.bitcoin, Self.ether]), of: Self.alpha)
    #expect(board.state[Self.alpha]?.phase(at: world.now) == .live)

    // It is no longer polled, and its rows come from the stream.
    world.turn(by: 5000)
    await board.poll()
    #expect(world.asked == ["beta", "gamma"])
    var row = try #require(board.state[Self.alpha]?.rows.rows.first)
    row.ticker.price = .value(105)
    row.ticker.arrival = world.now
    await board.take(.rows([row]), of: Self.alpha)
    #expect(Self.prices(board.state[Self.alpha]) == ["BTC 105", "ETH 3000"])
    // A delayed older row changes nothing, nor does a row of a pair that is not followed.
    var late = row
    late.ticker.price = .value(1)
    late.ticker.arrival = world.now.advanced(by: .milliseconds(-1))
    var foreign = row
    foreign.ticker.pair = Pair(asset: "XRP", payment: "USDT")
    await board.take(.rows([late, foreign]), of: Self.alpha)
    #expect(Self.prices(board.state[Self.alpha]) == ["BTC 105", "ETH 3000"])

    // An unchanged price is not stale while the stream is alive.
    world.turn(by: 61_000)
    await board.take(.life, of: Self.alpha)
    #expect(board.state[Self.alpha]?.phase(at: world.now) == .live)
    #expect(board.state[Self.alpha]?.report(of: Self.bitcoin, at: world.now)?.table.rows.first?.ticker.flags == [])

    await board.take(.broken(reason: .stream("closed 1006"), retry: nil), of: Self.alpha)
    _ = world.asked
    await board.poll()
    #expect(world.asked.contains("alpha"))
    #expect(board.state[Self.alpha]?.phase(at: world.now) == .substituted(reason: .stream("closed 1006"), retry: nil))
    #expect(Self.prices(board.state[Self.alpha]) == ["BTC 100", "ETH 3000"])
  }

  /// A stream without any sign of life is not trusted until its prices are too old: answers confirm them before.
  @Test func silentStreamIsPolledBeforeItsPricesAreOld() async throws {
    await board.poll()
    await board.take(.live([Self.bitcoin, Self.ether]), of: Self.alpha)
    var asked: [Bool] = []
    let steps = [(44_000, false), (1000, true), (44_000, false), (1000, false), (44_000, false), (1000, false)]
    for (milliseconds, isAlive) in steps {
      _ = world.asked
      world.turn(by: milliseconds)
      if isAlive { await board.take(.life, of: Self.alpha) }
      await board.poll()
      asked.append(world.asked.contains("alpha"))
    }
    #expect(asked == [false, false, false, true, false, true])
    let feed = try #require(board.state[Self.alpha])
    #expect(feed.phase(at: world.now) == .live && feed.isSilent(at: world.now))
    #expect(feed.rows.rows.allSatisfy { feed.age(of: $0, at: world.now) == 0 })
  }

  private static func row(_ pair: Pair, _ price: Decimal, second: Int64) -> TickerRow {
    let arrival = Instant(nanoseconds: second * 1_000_000_000)
    let ticker = Ticker(
      exchange: "alpha", market: .spot, symbol: pair.asset, pair: pair, price: .value(price), arrival: arrival)
    return TickerRow(ticker: ticker, rank: ProductRank(), traces: [])
  }

  /// The answer to a request for the pair alone removes it in the same way.
  @Test(arguments: [(9, []), (11, ["BTC 100"])] as [(Int64, [String])])
  func delistedPairOfStreamIsRemovedByItsOwnAnswer(_ second: Int64, _ prices: [String]) {
    var rows = FeedRows()
    rows.take([Self.row(Self.bitcoin, 100, second: second)], pairs: nil)
    var table = TickerTable()
    table.answered = 1
    let report = ExchangeReport(
      exchange: "alpha", market: .spot, GatheredTable(table, of: Self.bitcoin, requests: []))
    FeedReading(
      FeedCapabilities(termMilliseconds: 1000, pairs: [Self.bitcoin], wholeCost: nil), .pairs([Self.bitcoin]), [report]
    ).put(
      into: &rows, streamed: [Self.bitcoin], asked: Instant(nanoseconds: 10_000_000_000),
      at: Instant(nanoseconds: 60_000_000_000))
    #expect(rows.rows.map { "\($0.ticker.pair.asset) \($0.ticker.price.value?.shortest ?? "-")" } == prices)
  }

  /// A halted pair is polled as any other, as that may end soon, and its report says why there is no row.
  @Test func haltedPairIsPolledOn() throws {
    var table = TickerTable()
    (table.answered, table.dropped) = (1, [.condition: 1])
    let report = ExchangeReport(
      exchange: "alpha", market: .spot, GatheredTable(table, of: Self.bitcoin), isSinglePairOnly: true)
    let capabilities = FeedCapabilities(termMilliseconds: 1000, pairs: [Self.bitcoin], wholeCost: nil)
    let (outcome, failure) = FeedReading(capabilities, .pairs([Self.bitcoin]), [report]).outcome
    #expect(outcome == FeedOutcome(halted: [Self.bitcoin], requests: 0))
    #expect(failure == nil)
    let now = StubExchanges.arrival
    var feed = FeedState(Self.alpha, badge: nil, capabilities: capabilities)
    (feed.answered, feed.halted) = (now, outcome.halted)
    #expect(feed.phase(at: now) == .polled(milliseconds: 1000))
    let own = try #require(feed.report(of: Self.bitcoin, at: now))
    #expect(own.status == .halted && own.reason == "halted" && !own.hasFailed)
  }

  /// A pair whose row conditions drop from a whole table is halted; if it was not traded in this run, it may be for long.
  @Test(arguments: [([bitcoin], []), ([], [bitcoin])] as [(Set<Pair>, Set<Pair>)])
  func suspendedPairIsHalted(_ traded: Set<Pair>, _ dormant: Set<Pair>) {
    var table = TickerTable()
    (table.answered, table.dropped, table.droppedPairs) = (1, [.condition: 1], [Self.bitcoin])
    let report = ExchangeReport(exchange: "alpha", market: .spot, GatheredTable(table, of: nil))
    let capabilities = FeedCapabilities(termMilliseconds: 1000, pairs: [Self.bitcoin, Self.ether], wholeCost: 1)
    let outcome = FeedReading(capabilities, .whole, [report], traded: traded).outcome.0
    #expect(
      outcome == FeedOutcome(unlisted: [Self.ether], halted: [Self.bitcoin], dormant: dormant, requests: 0))
  }

  /// For a pair that was halted before the run began, the table of all pairs is asked once a minute.
  @Test func pairHaltedBeforeIsPolledRarely() async throws {
    var table = TickerTable()
    (table.answered, table.dropped, table.droppedPairs) = (1, [.condition: 1], [Self.bitcoin])
    let report = ExchangeReport(exchange: "alpha", market: .spot, GatheredTable(table, of: nil))
    let asked = Mutex(0)
    let world = world
    let capabilities = FeedCapabilities(termMilliseconds: 1000, pairs: [Self.bitcoin], wholeCost: 1)
    let board = FeedBoard(
      [FeedState(Self.alpha, badge: nil, capabilities: capabilities)], now: { world.now },
      ask: { _, _ in
        asked.withLock { $0 += 1 }
        return [report]
      })
    for _ in 0...121 {
      await board.poll()
      world.turn(by: 1000)
    }
    #expect(asked.withLock { $0 } == 3)
    let feed = try #require(board.state[Self.alpha])
    #expect(feed.halted == [Self.bitcoin] && feed.unlisted.isEmpty)
    #expect(feed.report(of: Self.bitcoin, at: world.now)?.status == .halted)
  }

  /// A whole table removes a pair it lacks, unless the pair's stream has mentioned it since the request.
  @Test(arguments: [
    (9, false, ["BTC 100"]), (11, false, ["BTC 100", "ETH 3000"]), (9, true, ["BTC 100", "ETH 3000"]),
  ])
  func delistedPairOfStreamIsRemoved(_ second: Int64, isPartial: Bool, _ prices: [String]) {
    var rows = FeedRows()
    rows.take([Self.row(Self.bitcoin, 100, second: 9), Self.row(Self.ether, 3000, second: second)], pairs: nil)
    rows.replace(
      with: [Self.row(Self.bitcoin, 101, second: 12)], pairs: nil, isPartial: isPartial,
      streamed: [Self.bitcoin, Self.ether], asked: Instant(nanoseconds: 10_000_000_000))
    #expect(
      rows.rows.map { "\($0.ticker.pair.asset) \($0.ticker.price.value?.shortest ?? "-")" } == prices)
  }

  /// A stream whose times differ from the table's is accepted as is. While it lives, no table overrides what it reported:
  /// an exchange may answer from a cache.
  @Test(arguments: [-3600, -30, 0, 30, 3600])
  func streamTimesMayDifferFromTable(_ seconds: Int64) async throws {
    let board = world.board([], isWhole: true)
    world.answer("alpha", ("100", "3000"), time: world.now)
    await board.poll()
    let key = try #require(board.state[Self.alpha]?.rows[Self.bitcoin].first?.ticker.key)
    await board.take(.live([Self.bitcoin]), of: Self.alpha)
    func stream(_ price: Decimal, after milliseconds: Int64) async throws {
      var row = try #require(board.state[Self.alpha]?.rows[key])
      row.ticker.price = .value(price)
      row.ticker.arrival = world.now.advanced(by: .milliseconds(milliseconds))
      row.ticker.time = world.now.advanced(by: .seconds(seconds))
      await board.take(.rows([row]), of: Self.alpha)
    }
    try await stream(101, after: 10)
    #expect(Self.prices(board.state[Self.alpha]) == ["BTC 101", "ETH 3000"])
    // Requested after that message came, but perhaps older.
    world.turn(by: 1000)
    world.answer("alpha", ("102", "3001"), time: world.now)
    await board.poll()
    #expect(Self.prices(board.state[Self.alpha]) == ["BTC 101", "ETH 3001"])
    // A message arrives while the response is in flight.
    world.turn(by: 1000)
    world.answer("alpha", ("103", "3002"), time: world.now)
    world.hold("alpha")
    await board.step()
    try await stream(104, after: 10)
    world.letGo("alpha")
    await board.settle()
    #expect(Self.prices(board.state[Self.alpha]) == ["BTC 104", "ETH 3002"])
  }

  @Test func pausedFeedRestsAndResumes() async throws {
    await board.togglePause(Self.alpha)
    await board.poll()
    #expect(world.asked == ["beta", "gamma"])
    #expect(board.state[Self.alpha]?.phase(at: world.now) == .off(.paused))
    #expect(board.state.isSettled)
    await board.togglePause(Self.alpha)
    await board.poll()
    #expect(world.asked == ["alpha"])
  }

  /// A stream goes on while its feed is paused: what it sent is not shown, but whether it lives is known on resumption, and
  /// a poll brings the pairs up to date.
  @Test(arguments: [true, false]) func streamOfPausedFeed(_ lives: Bool) async throws {
    await board.poll()
    let pairs: Set = [Self.bitcoin, Self.ether]
    await board.take(.live(pairs), of: Self.alpha)
    var row = try #require(board.state[Self.alpha]?.rows[Self.bitcoin].first)
    let prices = Self.prices(board.state[Self.alpha])
    await board.togglePause(Self.alpha)
    row.ticker.price = .value(105)
    await board.take(.rows([row]), of: Self.alpha)
    if !lives { await board.take(.broken(reason: .stream("closed 1006"), retry: nil), of: Self.alpha) }
    #expect(Self.prices(board.state[Self.alpha]) == prices)
    #expect(board.state[Self.alpha]?.phase(at: world.now) == .off(.paused))
    _ = world.asked
    world.answer("alpha", ("106", "3006"))
    world.turn(by: 1000)
    await board.togglePause(Self.alpha)
    await board.poll()
    #expect(world.asked.contains("alpha"))
    #expect(Self.prices(board.state[Self.alpha]) == ["BTC 106", "ETH 3006"])
    if case .live = board.state[Self.alpha]?.stream { #expect(lives) } else { #expect(!lives) }
  }

  /// Other pairs that are followed while a feed is paused are asked for when it resumes.
  @Test func pausedFeedFollowsOtherPairs() async throws {
    let board = world.board([Self.bitcoin])
    await board.togglePause(Self.alpha)
    await board.follow(world.feeds([Self.bitcoin, Self.ether]))
    #expect(board.state[Self.alpha]?.phase(at: world.now) == .off(.paused))
    await board.poll()
    #expect(world.asked == ["beta", "gamma"])
    world.answer("alpha", ("106", "3006"))
    await board.togglePause(Self.alpha)
    await board.poll()
    #expect(Self.prices(board.state[Self.alpha]) == ["BTC 106", "ETH 3006"])
  }

  @Test func rateIsPolledAtItsOwnInterval() async throws {
    let calls = Mutex(0)
    let pair = Pair(asset: "USD", payment: "KRW")
    let board = world.board(rate: {
      calls.withLock { $0 += 1 }
      return RateReport(pair: pair, moment: world.now, quote: RateQuote(pair, 1500, since: nil, provider: "bank"))
    })
    for _ in 0..<12 {
      await board.poll()
      world.turn(by: 1000)
    }
    #expect(calls.withLock { $0 } == 2)
    #expect(board.state.rate?.quote?.rate == 1500)
    await board.pollSoon()
    await board.poll()
    #expect(calls.withLock { $0 } == 3)
  }

  /// Each message of a stream shows that its exchange can be reached.
  @Test func streamIsContact() async throws {
    var seen: [Instant?] = []
    var expected: [Instant?] = []
    for report: StreamReport in [
      .connecting, .live([Self.bitcoin]), .life, .rows([]), .broken(reason: .stream("x"), retry: nil),
    ] {
      world.turn(by: 1000)
      await board.take(report, of: Self.alpha)
      seen.append(board.state[Self.alpha]?.contacted)
      switch report {
      case .connecting: expected.append(nil)
      case .live, .life, .rows: expected.append(world.now)
      case .broken: expected.append(expected.last ?? nil)
      }
    }
    #expect(seen == expected)
  }

  /// A message without news, and an answer that repeats prices, are no updates.
  @Test func countsUpdatesOfRows() async throws {
    var updates = [board.state.updates]
    for _ in 0..<2 {
      await board.poll()
      updates.append(board.state.updates)
      world.turn(by: 60_000)
    }
    await board.take(.life, of: Self.beta)
    updates.append(board.state.updates)
    #expect(updates == [0, 6, 6, 6])
  }

  /// The loop itself: it polls, ends when cancelled, and leaves nothing in flight.
  @Test func runsUntilCancelled() async throws {
    let (changes, change) = AsyncStream.makeStream(of: Void.self)
    let board = world.board(onChange: { change.yield() })
    let running = Task { await board.run() }
    for await _ in changes where board.state.isSettled { break }
    running.cancel()
    await running.value
    await board.settle()
    #expect(Self.prices(board.state[Self.alpha]) == ["BTC 100", "ETH 3000"])
  }
}
