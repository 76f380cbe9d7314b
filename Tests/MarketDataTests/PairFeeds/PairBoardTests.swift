import Config
import Mapping
import Quotes
import TestSupport
import Testing

@testable import MarketData

/// The effect of events on the board of a live view of one pair.
@Suite struct PairBoardTests {
  private static let now = SampleCandles.moment("2026-11-18T05:12:07Z")

  private static var board: PairBoard {
    PairBoard([
      PairBoard.Source(exchange: "Upbit", badge: "UP", market: .spot, pair: Pair(asset: "BTC", payment: "KRW"))
    ])
  }

  private static func heard(_ events: [(PairEvent.Content, isStreamed: Bool)]) -> PairBoard.Source {
    var board = board
    for (second, event) in events.enumerated() {
      board.take(
        PairEvent(source: 0, event.0, arrival: now.advanced(by: .seconds(second)), isStreamed: event.isStreamed))
    }
    return board.sources[0]
  }

  private static let book = OrderBook(bids: [.init(price: 1, size: 1)], asks: [])
  /// Returns an hourly candle that ended the given number of seconds ago.
  private static func candle(ended seconds: Int) -> Candle {
    Candle(
      start: now.advanced(by: .seconds(-3600 - seconds)), open: 1, high: 1, low: 1, close: 1, volume: .value(1),
      turnover: .missing(.notOffered))
  }

  /// What was still running when it was requested stays incomplete, whatever it is joined with; what a stream has is known
  /// by its own messages.
  @Test func answersKeepTheirMoment() {
    let answers = [7200, 600].map { seconds in
      CandleSeries([Self.candle(ended: seconds - 600)], on: CandleGrid(.oneHour))
        .requested(at: Self.now.advanced(by: .seconds(-seconds)))
    }
    let polled = answers.map { (PairEvent.Content.candles(CandleList($0)), isStreamed: false) }
    #expect(Self.heard(polled).candles?.requested == answers[1].requested)
    let streamed = Self.heard(polled + [(.candle(Self.candle(ended: -600), .oneHour), isStreamed: true)])
    #expect(streamed.candles?.candles.count == 3)
    #expect(streamed.candles?.requested == nil)
  }

  /// An answer leaves the running candle to the stream that provides it, which is newer.
  @Test(arguments: [(2, false, 1), (2, true, 2), (1, false, 1)])
  func answersLeaveTheRunningCandleToAStream(_ count: Int, _ replacesAll: Bool, _ left: Int) {
    let candles = (0..<count).reversed().map { Self.candle(ended: 3600 * $0 - 600) }
    let list = CandleList(CandleSeries(candles, on: CandleGrid(.oneHour)), shortfall: .notOffered)
    var event = PairEvent(source: 0, .candles(list), arrival: Self.now)
    event.replacesAll = replacesAll
    guard case .candles(let taken) = event.without(runningCandle: candles[count - 1].start).content else { return }
    #expect(taken.series.candles == Array(candles.prefix(left)) && taken.shortfall == .notOffered)
    guard case .candles(let whole) = event.without(runningCandle: Self.now).content else { return }
    #expect(whole == list)
  }

  private static let timeout = AnswerFailure(.timeout)

  struct Feed: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let events: [(PairEvent.Content, isStreamed: Bool)]
    let feed: PairBoard.Feed
  }

  @Test(arguments: [
    Feed(testDescription: "nothing", events: [], feed: .loading),
    Feed(testDescription: "a response", events: [(.orderbook(book), false)], feed: .polled),
    Feed(testDescription: "a message", events: [(.orderbook(book), true)], feed: .streamed),
    Feed(
      testDescription: "failing since the first failure",
      events: [(.failed(timeout, retry: nil), false), (.failed(timeout, retry: now), false)],
      feed: .failed(timeout, since: now, retry: now)),
    Feed(
      testDescription: "responds again", events: [(.failed(timeout, retry: nil), false), (.orderbook(book), false)],
      feed: .polled),
    Feed(
      testDescription: "polling fills in",
      events: [(.orderbook(book), true), (.fallback(timeout, retry: nil), true), (.orderbook(book), false)],
      feed: .substituted(timeout, retry: nil)),
    Feed(
      testDescription: "a request while streaming", events: [(.orderbook(book), true), (.orderbook(book), false)],
      feed: .streamed),
    Feed(
      testDescription: "nothing fills in if requests fail too",
      events: [(.failed(timeout, retry: nil), false), (.fallback(.stream(.silent(.lifeless)), retry: nil), true)],
      feed: .failed(timeout, since: now, retry: nil)),
    Feed(
      testDescription: "requests succeed again while the stream is still broken",
      events: [
        (.failed(timeout, retry: nil), false), (.fallback(.stream(.silent(.lifeless)), retry: nil), true),
        (.orderbook(book), false),
      ], feed: .substituted(.stream(.silent(.lifeless)), retry: nil)),
    Feed(testDescription: "a candle", events: [(.candle(candle(ended: 0), .oneHour), true)], feed: .streamed),
    Feed(
      testDescription: "a candle that has just ended", events: [(.candle(candle(ended: 30), .oneHour), true)],
      feed: .streamed),
    Feed(
      testDescription: "a past candle is no sign of life", events: [(.candle(candle(ended: 86_400), .oneHour), true)],
      feed: .loading),
    Feed(
      testDescription: "a past candle is no sign of life, whatever responses say",
      events: [
        (.candles(CandleList(CandleSeries([], on: CandleGrid(.oneHour)))), false),
        (.candle(candle(ended: 86_400), .oneHour), true),
      ],
      feed: .polled),
    Feed(
      testDescription: "a day's change is no sign of life", events: [(.ticker(.failure(timeout)), false)],
      feed: .loading),
  ])
  func feeds(_ sample: Feed) { #expect(Self.heard(sample.events).feed == sample.feed) }

  /// A failure keeps what was there; a gap does not.
  @Test func failureKeepsBookAndGapClearsIt() {
    #expect(Self.heard([(.orderbook(Self.book), false), (.failed(Self.timeout, retry: nil), false)]).book == Self.book)
    #expect(Self.heard([(.orderbook(Self.book), true), (.gap, true)]).book == nil)
  }

  /// An answer from a copy that is behind says nothing, until the latest book is a minute old.
  @Test func outdatedBooksAreLeftOut() {
    func book(_ price: Decimal, _ second: Int) -> PairEvent.Content {
      .orderbook(
        OrderBook(bids: [.init(price: price, size: 1)], asks: [], time: Self.now.advanced(by: .seconds(second))))
    }
    #expect(Self.heard([(book(1, 5), true), (book(2, 3), false)]).book?.price == 1)
    #expect(Self.heard([(book(1, 5), true), (book(2, 3), false), (book(3, 6), false)]).book?.price == 3)
    #expect(Self.heard([(book(1, 5), true), (.gap, true), (book(2, 3), false)]).book == nil)
    let wait = Array(repeating: (book(2, 3), isStreamed: false), count: 60)
    #expect(Self.heard([(book(1, 5), true)] + wait).book?.price == 2)
  }

  @Test func tradesAreNotRepeated() {
    func trade(_ second: Int, _ id: String?) -> Trade {
      Trade(time: Self.now.advanced(by: .seconds(second)), price: 1, size: .value(1), side: .buy, id: id)
    }
    let source = Self.heard([
      (.trades([trade(0, "1"), trade(1, "2")]), false), (.trades([trade(1, "2"), trade(2, "3")]), false),
      // Without numbers, more equal trades than reported so far mean a new one: a message contains each trade once.
      (.trades([trade(3, nil)]), false), (.trades([trade(3, nil)]), false), (.trades([trade(3, nil)]), true),
      (.trades([trade(3, nil)]), true),
    ])
    #expect(source.trades.map(\.id) == ["1", "2", "3", nil, nil])
    #expect(source.tradeCount == 5)
  }

  /// A ticker whose volume and turnover contradict each other puts the contract size in doubt with which books and trades
  /// are made, until it no longer does.
  @Test(arguments: [false, true]) func doubtfulSizesAreMarked(_ looksUpSizes: Bool) {
    let pair = Pair(asset: "BTC", payment: "USDT")
    var board = PairBoard([
      PairBoard.Source(exchange: "Mexc", badge: "MX", market: .futures, pair: pair, looksUpSizes: looksUpSizes)
    ])
    for (number, flags) in [[Flag(.turnover, .notTraded)], []].enumerated() {
      var ticker = Ticker(exchange: "Mexc", market: .futures, symbol: "BTC_USDT", pair: pair)
      ticker.flags = flags
      let trade = Trade(time: Self.now, price: 1, size: .value(1), side: .buy, id: "\(number)")
      for content in [.ticker(.success(ticker)), .orderbook(Self.book), .trades([trade])] as [PairEvent.Content] {
        board.take(PairEvent(source: 0, content, arrival: Self.now, isStreamed: true))
      }
      let isDoubtful = looksUpSizes && !flags.isEmpty
      #expect(board.sources[0].book(at: Self.now)?.flags == (isDoubtful ? [.doubtfulSizes] : []))
      #expect(board.sources[0].problem == (isDoubtful ? .shown(.doubtfulSizes) : nil))
    }
  }

  /// The size of a trade may become known later, or no longer be: it is no other trade for that.
  @Test(arguments: [false, true]) func missingSizesAreFilledIn(_ isStreamed: Bool) {
    let places: [(second: Int, id: String?)] = [(0, "1"), (1, nil), (1, nil), (2, "2")]
    func trades(_ sizes: [Cell]) -> PairEvent.Content {
      .trades(
        zip(places, sizes).map { place, size in
          Trade(time: Self.now.advanced(by: .seconds(place.second)), price: 1, size: size, side: .buy, id: place.id)
        })
    }
    let source = Self.heard([
      (trades([Cell](repeating: .missing(.lookupMiss), count: 3)), isStreamed),
      (trades([.value(5), .value(6), .value(7), .value(8)]), false),
      (trades([Cell](repeating: .missing(.lookupFailed("contracts")), count: 4)), false),
    ])
    #expect(source.trades.map(\.size) == [.value(5), .value(6), .value(7), .value(8)])
    #expect(source.tradeCount == 4)
  }

  /// Late trades take their places by their own time; those from before the tape begins belong to no sum.
  @Test func lateTradesTakeTheirPlaces() {
    func trade(_ second: Int, _ id: String? = nil) -> Trade {
      Trade(
        time: Self.now.advanced(by: .seconds(second - 2100)), price: 1, size: .value(1), side: .buy,
        id: id ?? "\(second)")
    }
    let source = Self.heard([
      (.trades([trade(10)]), true), (.trades([trade(0), trade(5), trade(10)]), false), (.trades([trade(12)]), true),
      (.trades([trade(11)]), true), (.trades([trade(-4000)]), true),
    ])
    #expect(source.trades.compactMap(\.id) == ["10", "0", "5", "12", "11", "-4000"])
    #expect(source.tape.compactMap(\.id) == ["-4000", "0", "5", "10", "11", "12"])
    #expect(source.counted(source.tape).compactMap(\.id) == ["0", "5", "10", "11", "12"])
    // Once the first one is gone, what else was traded with it is not known either.
    let full = Self.heard([(.trades((0...2000).map { trade($0) }), true), (.trades([trade(0, "late")]), true)])
    #expect(full.tape.first?.id == "late" && full.counted(full.tape).first?.id == "2")
  }

  /// An impossible trade of an answer is shown, but is no price and in no sum, and the finding about it holds as long as it
  /// is on the tape, though its time comes and answers no longer have it.
  @Test(arguments: [
    (600, Cell.value(1), "trade-time"), (1, .missing(.zero), "trade-shape"),
  ])
  func impossibleTradesAreNoPrice(_ second: Int, _ size: Cell, _ code: String) {
    func trade(_ second: Int, _ size: Cell = .value(1)) -> Trade {
      Trade(time: Self.now.advanced(by: .seconds(second)), price: 1, size: size, side: .buy, id: "\(second)")
    }
    let answers = [[trade(0), trade(second, size)], [trade(0), trade(2)]]
    var board = Self.board
    for (index, answer) in answers.enumerated() {
      board.take(PairEvent(source: 0, .trades(answer), arrival: Self.now.advanced(by: .seconds(index * 900))))
    }
    var source = board.sources[0]
    #expect(source.trades.map(\.id) == ["0", "\(second)", "2"])
    #expect(source.lastTrade?.id == "2")
    #expect(source.counted(source.tape).map(\.id) == ["0", "2"])
    #expect(source.problem?.code == code)
    let many = (3...2002).map { trade($0) }
    board.take(PairEvent(source: 0, .trades(many), arrival: Self.now.advanced(by: .seconds(3000))))
    source = board.sources[0]
    #expect(source.counted(source.tape).count == 2000 && source.problem == nil)
  }

  /// The newest trades of an exchange whose clock is a little ahead count once their time has come.
  @Test func earlyTradesCountLater() {
    func trade(_ second: Int) -> Trade {
      Trade(time: Self.now.advanced(by: .seconds(second)), price: 1, size: .value(1), side: .buy, id: "\(second)")
    }
    var board = Self.board
    var heard: [[String?]] = []
    for (second, answer) in [(0, [0, 30]), (20, [0, 30, 45]), (40, [30, 45, 70])] {
      board.take(PairEvent(source: 0, .trades(answer.map(trade)), arrival: Self.now.advanced(by: .seconds(second))))
      let source = board.sources[0]
      heard.append(source.counted(source.tape).map(\.id) + [source.problem?.code])
    }
    #expect(heard == [["0", "trade-time"], ["0", "trade-time"], ["0", "30", "45", "trade-time"]])
  }

  /// Responses that do not reach back to the trades reported, and times before a stream's return with unknown trades.
  @Test func missedTradesAreReported() {
    func trades(_ range: ClosedRange<Int>) -> PairEvent.Content {
      .trades(
        range.map { second in
          Trade(
            time: Self.now.advanced(by: .seconds(second - 20)), price: 1, size: .value(1), side: .buy, id: "\(second)")
        })
    }
    let source = Self.heard([
      (trades(1...3), false), (trades(5...6), false), (trades(7...7), true), (trades(6...7), false),
      (.fallback(Self.timeout, retry: nil), true), (trades(12...12), true), (trades(10...12), false),
    ])
    #expect(source.trades.map(\.id) == ["1", "2", "3", "5", "6", "7", "12", "10", "11"])
    let gaps = source.gaps.map { "\($0.count) \($0.noticed.nanoseconds(since: Self.now) / 1_000_000_000)" }
    #expect(gaps == ["3 1", "7 6"])
    // A stream that goes on says itself where trades may be missing.
    let holes = Self.heard([
      (trades(1...2), false), (trades(3...3), true), (trades(2...3), false),
      (.missed, true), (trades(7...9), true), (trades(8...9), false),
      (.refused(Self.timeout), true), (trades(12...12), true), (trades(9...12), false),
    ])
    #expect(holes.trades.map(\.id) == ["1", "2", "3", "7", "8", "9", "12", "10", "11"])
    #expect(holes.gaps.map(\.count) == [6])
  }

  /// Pages are joined chronologically, whichever comes first; of two candles with the same start, the later counts.
  @Test func candlesAreJoined() throws {
    let all = SampleCandles.series(.oneHour, from: "2026-11-18T00:00:00Z", count: 6)
    func part(_ range: Range<Int>) -> CandleSeries { CandleSeries(Array(all.candles[range]), on: all.grid) }
    let source = Self.heard([
      (.candles(CandleList(part(3..<6))), false), (.candles(CandleList(part(0..<3), shortfall: .notOffered)), false),
      (.candles(CandleList(part(4..<6))), false),
    ])
    #expect(source.candles == all)
    #expect(source.shortfall == .notOffered)

    let last = try #require(all.candles.last)
    let grown = Candle(
      start: last.start, open: last.open, high: last.high + 1, low: last.low, close: last.close + 1,
      volume: last.volume, turnover: last.turnover)
    let streamed = Self.heard([
      (.candles(CandleList(all)), false), (.candle(grown, .oneHour), true), (.candle(last, .oneMinute), true),
    ])
    #expect(streamed.candles?.candles.last == grown)
    // A late message about a candle that is over has less traded in it.
    func other(_ candle: Candle, volume: Decimal) -> Candle {
      Candle(
        start: candle.start, open: candle.open, high: candle.high, low: candle.low, close: candle.close,
        volume: .value(volume), turnover: .missing(.notRequested))
    }
    for (volume, isTaken) in [(Decimal(1), false), (1_000_000, true)] {
      let late = other(all.candles[4], volume: volume)
      let taken = Self.heard([(.candles(CandleList(all)), false), (.candle(late, .oneHour), true)])
      #expect((taken.candles?.candles[4] == late) == isTaken)
    }
    #expect(streamed.candles?.candles.count == 6)
  }

  // MARK: Streams beside responses

  private static let minute = SampleCandles.moment("2026-11-18T05:12:00Z")
  private static let minutes = SampleCandles.series(.oneMinute, from: "2026-11-18T05:03:00Z", count: 10)

  private static func candle(_ start: Instant, high: Decimal = 4, low: Decimal = 1) -> Candle {
    Candle(start: start, open: 2, high: high, low: low, close: 3, volume: .value(1), turnover: .missing(.notOffered))
  }

  private static func minuteBoard(_ events: [(PairEvent.Content, isStreamed: Bool)]) -> PairBoard.Source {
    var board = board
    board.show(.oneMinute)
    for event in events { board.take(PairEvent(source: 0, event.0, arrival: now, isStreamed: event.isStreamed)) }
    return board.sources[0]
  }

  /// What a stream omitted is reported, and changes nothing else.
  @Test func omittedMessagesAreReported() {
    let finding = TradeCheck.separatingImpossible(
      [Trade(time: Self.now.advanced(by: .seconds(3600)), price: 1, size: .value(1), side: .buy, id: "1")],
      arrival: Self.now, after: nil
    ).findings[0]
    let source = Self.minuteBoard([(.candles(CandleList(Self.minutes)), false), (.leftOut(finding), true)])
    #expect(source.candles == Self.minutes)
    #expect(source.problem == .leftOut(finding, at: Self.now))
    #expect(source.feed == .polled)
  }

  /// A candle from before everything known says nothing about the time in between.
  @Test func oldCandleFromStream() {
    let old = Self.candle(Self.minute.advanced(by: .seconds(-86_400)))
    let source = Self.minuteBoard([(.candles(CandleList(Self.minutes)), false), (.candle(old, .oneMinute), true)])
    #expect(source.candles == Self.minutes)
  }

  /// Five-minute candles in answers about minutes say so, also in the few of later answers, until true ones arrive.
  @Test(arguments: [true, false]) func answersOfAnotherStepSaySo(_ isStreamed: Bool) {
    let fives = SampleCandles.series(.fiveMinutes, from: "2026-11-18T04:25:00Z", count: 10).candles
    func answer(_ candles: [Candle]) -> (PairEvent.Content, isStreamed: Bool) {
      (.candles(CandleList(CandleSeries(candles, on: CandleGrid(.oneMinute)))), false)
    }
    let minute = (PairEvent.Content.candle(Self.candle(Self.minute), .oneMinute), isStreamed: true)
    let events = [answer(fives)] + (isStreamed ? [minute] : []) + [answer(Array(fives.suffix(3)))]
    #expect(Self.minuteBoard(events).problem?.code == "candle-step")
    #expect(Self.minuteBoard(events + [answer(Self.minutes.candles)]).problem == nil)
  }

  /// A volume that a stream lacks is not called unknown to the exchange if its answers have it.
  @Test(arguments: [(true, Missing.notRequested), (false, .notOffered)])
  func volumeThatOnlyAnswersHave(_ isAnswered: Bool, _ reason: Missing) {
    func without(_ candle: Candle) -> Candle {
      Candle(
        start: candle.start, open: candle.open, high: candle.high, low: candle.low, close: candle.close,
        volume: .missing(.notOffered), turnover: .missing(.notOffered))
    }
    let answered = CandleSeries(
      isAnswered ? Self.minutes.candles : Self.minutes.candles.map(without), on: Self.minutes.grid)
    let running = without(Self.candle(Self.minute))
    let answer = (PairEvent.Content.candles(CandleList(answered)), isStreamed: false)
    let message = (PairEvent.Content.candle(running, .oneMinute), isStreamed: true)
    let last = Self.minuteBoard([answer, message]).candles?.candles.last
    #expect(last?.close == 3 && last?.volume == .missing(reason) && last?.turnover == .missing(reason))
    // The next answer brings it.
    #expect(Self.minuteBoard([answer, message, answer]).candles == answered)
  }

  /// Without a response the stream's candles are drawn, with the reason for missing earlier ones until it comes.
  @Test func streamWithoutResponse() {
    let first = Self.candle(Self.minute)
    let failed =
      [
        (.unfilled(Self.timeout, retry: Self.now), false), (.candle(first, .oneMinute), true),
      ] as [(PairEvent.Content, isStreamed: Bool)]
    var source = Self.minuteBoard(failed)
    #expect(source.candles?.candles == [first])
    #expect(source.unfilled?.failure == Self.timeout)
    #expect(!source.hasHistory)
    source = Self.minuteBoard(failed + [(.candles(CandleList(Self.minutes)), false)])
    #expect(source.candles == Self.minutes)
    #expect(source.unfilled == nil)
    #expect(source.hasHistory)
  }

  /// Days at the start of a stream begin at the exchange's own midnight, and are joined to those of the response.
  @Test func streamDaysBeginAtExchangeMidnight() {
    var board = Self.board
    board.show(.oneDay)
    let days = SampleCandles.series(.oneDay, from: "2026-11-13T15:00:00Z", count: 5, zoneSeconds: 32_400)
    let today = Self.candle(SampleCandles.moment("2026-11-17T15:00:00Z"))
    board.take(PairEvent(source: 0, .candle(today, .oneDay), arrival: Self.now, isStreamed: true))
    #expect(board.sources[0].candles?.candles == [today])
    board.take(PairEvent(source: 0, .candles(CandleList(days)), arrival: Self.now))
    #expect(board.sources[0].candles == days)
  }

  /// Too much is missing to request: known candles are discarded, and older pages are loaded as they are viewed.
  @Test func candlesRestartAfterLargeGap() {
    var board = Self.board
    let all = SampleCandles.series(.oneHour, from: "2026-11-17T22:00:00Z", count: 8)
    let (old, new) = (
      CandleSeries(Array(all.candles.prefix(3)), on: all.grid), CandleSeries(Array(all.candles.suffix(3)), on: all.grid)
    )
    board.take(PairEvent(source: 0, .candles(CandleList(old, shortfall: .notOffered)), arrival: Self.now))
    var event = PairEvent(source: 0, .candles(CandleList(new)), arrival: Self.now)
    event.replacesAll = true
    board.take(event)
    #expect(board.sources[0].candles == new)
    #expect(board.sources[0].shortfall == nil)
  }

  /// A response's trade with a future time is shown, as in other commands, and reported.
  @Test func tradesFromTheFutureAreShown() {
    let trades = [0, 3600].enumerated().map { number, second in
      Trade(
        time: Self.now.advanced(by: .seconds(second)), price: 1, size: .value(1), side: .buy, id: "\(number + 1)")
    }
    let source = Self.heard([(.trades(trades), false)])
    #expect(source.trades.map(\.id) == ["1", "2"])
    #expect(
      source.problem.map { if case .shown(let finding) = $0 { finding.kind == .tradeTime } else { false } } == true)
  }

  /// What an answer had wrong ends with the next one; what was dropped is not said to end, and has the last time of it.
  @Test func problemsEndOrHaveTheirTime() {
    func trades(_ second: Int) -> PairEvent.Content {
      .trades([
        Trade(time: Self.now.advanced(by: .seconds(second)), price: 1, size: .value(1), side: .buy, id: "\(second)")
      ])
    }
    #expect(Self.heard([(trades(3600), false), (trades(1), false)]).problem?.code == "trade-time")
    #expect(Self.heard([(trades(6), false), (trades(1), false)]).problem == nil)
    let refusals = Array(repeating: (PairEvent.Content.refused(Self.timeout), isStreamed: true), count: 3)
    let source = Self.heard(refusals + [(trades(3), true), (trades(4), false)])
    #expect(source.problem == .refused(Self.timeout, at: Self.now.advanced(by: .seconds(2))))
  }

  /// Candles of an interval that is no longer shown are late.
  @Test func candlesOfAnotherIntervalAreIgnored() {
    var board = Self.board
    let hours = SampleCandles.series(.oneHour, from: "2026-11-18T00:00:00Z", count: 6)
    board.show(.oneMinute)
    board.take(PairEvent(source: 0, .candles(CandleList(hours)), arrival: Self.now))
    #expect(board.sources[0].candles == nil)
    board.show(.oneHour)
    board.take(PairEvent(source: 0, .candles(CandleList(hours)), arrival: Self.now))
    #expect(board.sources[0].candles == hours)
  }

  /// An event with an unknown source index changes nothing.
  @Test func unknownSourceIsIgnored() {
    var board = Self.board
    board.take(PairEvent(source: 7, .orderbook(Self.book), arrival: Self.now))
    #expect(board.revision == 0)
  }
}
