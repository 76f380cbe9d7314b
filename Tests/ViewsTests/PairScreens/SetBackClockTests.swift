import Mapping
import MarketData
import Quotes
import Testing

@testable import Views

/// What live screens of one pair say after the clock was set back.
@Suite struct SetBackClockTests {
  private static let now = SamplePairBoards.now

  private static func ticker(_ price: Decimal, at arrival: Instant) -> PairEvent {
    let ticker = Ticker(
      exchange: "Binance", market: .spot, symbol: "BTCUSDT", pair: SampleResponses.pair, price: .value(price))
    return PairEvent(source: 0, .ticker(.success(ticker)), arrival: arrival)
  }

  /// The price goes on ageing, and so does one that arrived before the clock was set back and is taken after it.
  @Test(arguments: [-5, -60, -3600])
  func nothingGetsYounger(_ jump: Int) {
    var board = PairBoard([SamplePairBoards.source("Binance", "BN")])
    var now = Self.now
    func age() -> Int64? { board.sources[0].lastPrice(at: now, .standard).map { $0.age / 1_000_000_000 } }
    func turn(by seconds: Int) {
      now = now.advanced(by: .seconds(seconds))
      board.advance(to: now)
    }
    turn(by: 0)
    board.take(Self.ticker(65_000, at: now))
    let timeout = AnswerFailure(.timeout)
    board.take(.failed(timeout, retry: now.advanced(by: .seconds(60))), at: now)
    turn(by: 8)
    turn(by: jump)
    #expect(age() == 8)
    turn(by: 8)
    #expect(age() == 16)
    #expect(
      board.sources[0].feed
        == .failed(timeout, since: now.advanced(by: .seconds(-16)), retry: now.advanced(by: .seconds(44))))
    board.take(Self.ticker(65_001, at: now.advanced(by: .seconds(-jump))))
    turn(by: 3)
    #expect(age() == 3)
  }

  /// A trade stays as old as it was, on the tape and of a ticker, whether it was taken before the clock was set back or
  /// after it, and enters no headline again.
  @Test(arguments: [true, false], [-60, -1800])
  func tradesGetNoYounger(_ isEarly: Bool, _ jump: Int) {
    let traded = Self.now.advanced(by: .seconds(-1200))
    var ticker = Ticker(
      exchange: "Binance", market: .spot, symbol: "BTCUSDT", pair: SampleResponses.pair, price: .value(1),
      arrival: Self.now)
    (ticker.time, ticker.timeBasis) = (traded, .trade)
    let trades = [Trade(time: traded, price: 1, size: .value(1), side: .buy, id: "1")]
    for content: PairEvent.Content in [.ticker(.success(ticker)), .trades(trades, incomplete: 0)] {
      var board = PairBoard([SamplePairBoards.source("Binance", "BN")])
      board.advance(to: Self.now)
      let event = PairEvent(source: 0, content, arrival: Self.now, isStreamed: true)
      if isEarly { board.take(event) }
      var now = Self.now.advanced(by: .seconds(jump))
      board.advance(to: now)
      if !isEarly { board.take(event) }
      now = now.advanced(by: .seconds(5))
      board.advance(to: now)
      let last = board.sources[0].lastPrice(at: now, .standard)
      #expect(last?.age == 1_205_000_000_000)
      #expect(last?.objection == (board.sources[0].ticker == nil ? nil : .oldTrade(nanoseconds: 1_200_000_000_000)))
    }
  }

  /// An answer that is older by the exchange's times replaces the book once that is a minute old.
  @Test func booksGrowOld() {
    var board = PairBoard([SamplePairBoards.source("Binance", "BN")])
    func book(_ price: Decimal, _ second: Int) -> PairEvent.Content {
      .orderbook(
        OrderBook(bids: [.init(price: price, size: 1)], asks: [], time: Self.now.advanced(by: .seconds(second))))
    }
    board.advance(to: Self.now)
    board.take(book(2, 0), at: Self.now)
    for minute in 0...1 {
      let later = Self.now.advanced(by: .seconds(60 * minute - 3600))
      board.advance(to: later)
      board.take(book(1, -1), at: later)
      #expect(board.sources[0].book?.bids.first?.price == (minute == 0 ? 2 : 1))
    }
  }
}
