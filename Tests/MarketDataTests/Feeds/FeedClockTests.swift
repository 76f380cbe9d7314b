import Quotes
import Synchronization
import Testing

@testable import Mapping
@testable import MarketData

/// How old the rows of a board become, also while its clock is set back.
@Suite struct FeedClockTests {
  private static let bitcoin = Pair(asset: "BTC", payment: "USDT")
  private static let alpha = FeedKey(exchange: "alpha", market: .spot)

  /// A clock that is set back makes no price younger, nor does what arrived before that and is taken after it.
  @Test(arguments: [(-30_000, 35), (-3_600_000, 35), (30_000, 65), (-4000, 35)] as [(Int, Int64)])
  func setBackClockMakesNothingYounger(_ jump: Int, _ age: Int64) async throws {
    let world = try FeedWorld()
    let board = world.board()
    await board.poll()
    await board.take(.live([Self.bitcoin]), of: Self.alpha)
    func ages() throws -> [Int64] {
      let (state, now) = board.picture()
      let feed = try #require(state[Self.alpha])
      return feed.rows.rows.compactMap { feed.age(of: $0, at: now) }.map { $0 / 1_000_000_000 }
    }
    world.turn(by: 5000)
    #expect(try ages() == [5, 5])
    world.turn(by: jump)
    // By the time since the clock was last read, the age is short.
    #expect(try ages().allSatisfy { $0 == max(5, 5 + Int64(jump) / 1000) })
    world.turn(by: 30_000)
    #expect(try ages() == [age, age])
    #expect(board.state[Self.alpha]?.isSilent(at: world.now) == true)
    var late = try #require(board.state[Self.alpha]?.rows.rows.first)
    late.ticker.arrival = world.now.advanced(by: .seconds(3600))
    await board.take(.rows([late]), of: Self.alpha)
    world.turn(by: 20_000)
    #expect(try ages() == [20, age + 20])
  }

  /// A clock that is set back is a change: readers of an earlier picture would see all of it younger.
  @Test func setBackClockIsAChange() async throws {
    let world = try FeedWorld()
    let changes = Mutex(0)
    let board = world.board(onChange: { changes.withLock { $0 += 1 } })
    var seen: [Int] = []
    for jump in [0, 1000, -1000, 0, -1] {
      world.turn(by: jump)
      board.advance()
      seen.append(changes.withLock { $0 })
    }
    #expect(seen == [0, 0, 1, 1, 2])
  }

  /// A table that was requested before a message arrived is older, whenever the clock was set back.
  @Test(arguments: [0, 2], [-2000, -60_000])
  func setBackClockMakesNoTableNewer(_ turn: Int, _ jump: Int) async throws {
    let world = try FeedWorld()
    let board = world.board([Self.bitcoin])
    await board.poll()
    var row = try #require(board.state[Self.alpha]?.rows.rows.first)
    world.turn(by: 60_000)
    world.hold("alpha")
    await board.step()
    world.turn(by: 1000)
    (row.ticker.price, row.ticker.arrival) = (.value(105), world.now)
    await board.take(.rows([row]), of: Self.alpha)
    world.turn(by: jump)
    board.advance()
    world.turn(by: turn * 1000)
    world.letGo("alpha")
    await board.settle()
    #expect(board.state[Self.alpha]?.rows.rows.map(\.ticker.price) == [.value(105)])
  }

  /// A trade that was 20 minutes old when it arrived remains so, whether its row was taken before the clock was set back or
  /// after it, and enters no headline again. Its time stays as sent, as does that of a quote.
  @Test(arguments: [TimeBasis.trade, .quote], [true, false])
  func setBackClockMakesNoTradeYounger(_ basis: TimeBasis, _ isEarly: Bool) async throws {
    let world = try FeedWorld()
    let board = world.board([Self.bitcoin])
    await board.poll()
    var row = try #require(board.state[Self.alpha]?.rows.rows.first)
    let time = world.now.advanced(by: .seconds(-1200))
    (row.ticker.time, row.ticker.timeBasis, row.ticker.arrival) = (time, basis, world.now)
    if isEarly { await board.take(.rows([row]), of: Self.alpha) }
    world.turn(by: -1_800_000)
    board.advance()
    if !isEarly { await board.take(.rows([row]), of: Self.alpha) }
    world.turn(by: 5000)
    let (state, now) = board.picture()
    let feed = try #require(state[Self.alpha])
    let seen = try #require(feed.rows.rows.first)
    let isTrade = basis == .trade
    #expect(feed.age(of: seen, at: now) == (isTrade ? 1_205_000_000_000 : 5_000_000_000))
    #expect(seen.ticker.headlineObjection(.standard) == (isTrade ? .oldTrade(nanoseconds: 1_200_000_000_000) : nil))
    #expect(seen.ticker.time == time)
    #expect(seen.ticker.timeByClock == (isTrade ? time.advanced(by: .seconds(-1800)) : time))
  }

  /// A price is valid for a minute or two polling intervals; if the feed fails, for ten seconds after one of them.
  @Test(
    arguments: [
      (nil, false, 60), (20_000, false, 60), (120_000, false, 240), (120_000, true, 130), (nil, true, 10),
    ] as [(Int?, Bool, Int64)])
  func oldestPrice(_ period: Int?, _ isFailing: Bool, _ seconds: Int64) {
    let arrival = Instant(nanoseconds: 1_794_978_727_000_000_000)
    let pair = Pair(asset: "BTC", payment: "USDT")
    var feed = FeedState(
      FeedKey(exchange: "Alpha", market: .spot), badge: nil,
      capabilities: FeedCapabilities(termMilliseconds: 1000, pairs: [pair], wholeCost: nil))
    feed.period = period
    if isFailing { feed.failure = .init(AnswerFailure(.timeout), since: arrival, tries: 1, isPartial: false) }
    let ticker = Ticker(
      exchange: "Alpha", market: .spot, symbol: "BTCUSDT", pair: pair, price: .value(1), arrival: arrival)
    let row = TickerRow(ticker: ticker, rank: ProductRank(), traces: [])
    let isStale = [seconds, seconds + 1].map { feed.isStale(row, at: arrival.advanced(by: .seconds($0))) }
    #expect(isStale == [false, true])
  }
}
