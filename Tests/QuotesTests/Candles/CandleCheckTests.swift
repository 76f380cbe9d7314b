import Quotes
import TestSupport
import Testing

/// Inconsistencies in candles, books and trades are reported by the code of the check.
@Suite struct CandleCheckTests {
  private static let clean = SampleCandles.series(.oneHour, from: "2026-11-17T00:00:00Z", count: 30)
  private static let arrival = SampleCandles.moment("2026-11-18T05:12:07Z")

  struct Mistake: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let codes: [String]
    let change: @Sendable (Candle) -> Candle

    init(_ name: String, _ codes: [String], _ change: @escaping @Sendable (Candle) -> Candle) {
      (testDescription, self.codes, self.change) = (name, codes, change)
    }
  }

  private static func candle(
    _ old: Candle, start: Instant? = nil, open: Decimal? = nil, high: Decimal? = nil, low: Decimal? = nil,
    close: Decimal? = nil, volume: Cell? = nil, turnover: Cell? = nil
  ) -> Candle {
    Candle(
      start: start ?? old.start, open: open ?? old.open, high: high ?? old.high, low: low ?? old.low,
      close: close ?? old.close, volume: volume ?? old.volume, turnover: turnover ?? old.turnover)
  }

  static let mistakes = [
    Mistake("nothing is wrong", []) { $0 },
    Mistake("high and low swapped", ["candle-shape"]) { candle($0, high: $0.low, low: $0.high) },
    Mistake("close and high swapped", ["candle-shape"]) { candle($0, high: $0.close, close: $0.high) },
    Mistake("a volume below zero", ["candle-shape"]) { old in
      candle(old, volume: old.volume.value.map { .value(Decimal(0) - $0) })
    },
    Mistake("a turnover below zero", ["candle-shape"]) { old in
      candle(old, turnover: old.turnover.value.map { .value(Decimal(0) - $0) })
    },
    Mistake("open and close swapped", ["candle-chain"]) { candle($0, open: $0.close, close: $0.open) },
    Mistake("volume and turnover swapped", ["candle-turnover"]) {
      candle($0, volume: $0.turnover, turnover: $0.volume)
    },
    Mistake("volume in contracts", ["candle-turnover"]) { old in
      candle(old, volume: old.volume.value.map { .value($0 * 1000) })
    },
    Mistake("the end taken for the start", ["candle-time"]) {
      candle($0, start: Instant(nanoseconds: $0.start.nanoseconds + 3_600_000_000_000))
    },
    Mistake("half an hour off the grid", ["candle-grid"]) {
      candle($0, start: Instant(nanoseconds: $0.start.nanoseconds - 1_800_000_000_000))
    },
  ]

  @Test(arguments: mistakes) func mappingErrorsAreFound(_ mistake: Mistake) {
    let series = CandleSeries(Self.clean.candles.map(mistake.change), on: Self.clean.grid)
    let found = CandleCheck(series).findings(ticker: nil, identityPercent: 20, arrival: Self.arrival)
    #expect(found.map(\.kind.rawValue) == mistake.codes)
    #expect(!found.contains { !$0.indicatesMappingError })
  }

  /// Of two candles with the same start the later counts, and differences are reported.
  @Test func candlesWithSameStart() throws {
    let candles = Self.clean.candles
    let other = Self.candle(candles[3], close: candles[3].high)
    let amount = Self.candle(candles[3], volume: .missing(.pathMiss))
    #expect(CandleSeries.Contradiction(among: candles) == nil)
    #expect(CandleSeries.Contradiction(among: candles.reversed()) == nil)
    #expect(CandleSeries.Contradiction(among: candles + [candles[3]]) == nil)
    let cases = [
      (other, "differ: close \(candles[3].close.shortest) and \(candles[3].high.shortest)"),
      (amount, "differ in what was traded"),
    ]
    for (second, difference) in cases {
      let all = candles + [second]
      let contradiction = try #require(CandleSeries.Contradiction(among: all))
      let series = CandleSeries(all, on: Self.clean.grid)
      #expect(series.candles[3] == second)
      let found = CandleCheck(series, contradiction: contradiction).findings(
        ticker: nil, identityPercent: 20, arrival: Self.arrival)
      #expect(found.map(\.kind.rawValue) == ["candle-twice"])
      #expect(found.first?.fact.description == "two candles start at 2026-11-17T03:00:00Z and \(difference)")
    }
  }

  /// One candle in another unit than its neighbours, and all from one on.
  @Test(arguments: [(9...9, 2), (9...29, 1)]) func unitChangeIsFound(_ odd: ClosedRange<Int>, _ count: Int) throws {
    let candles = Self.clean.candles.enumerated().map { index, old in
      guard odd.contains(index) else { return old }
      return Self.candle(
        old, open: old.open * 1000, high: old.high * 1000, low: old.low * 1000, close: old.close * 1000,
        turnover: old.turnover.value.map { .value($0 * 1000) })
    }
    let found = CandleCheck(CandleSeries(candles, on: Self.clean.grid)).findings(
      ticker: nil, identityPercent: 20, arrival: Self.arrival)
    #expect(found.map(\.kind.rawValue) == ["candle-jump"])
    let jump = try #require(found.first)
    #expect(jump.failed == count && jump.message.contains(", about 1000 times the "))
  }

  @Test func tradeInAnotherUnitIsFound() {
    let trades = Self.trades(false).enumerated().map { index, trade in
      guard index == 7 else { return trade }
      return Trade(time: trade.time, price: 1, size: trade.size, side: nil, id: trade.id)
    }
    let found = TradeCheck.findings(trades, ticker: nil, arrival: Self.arrival)
    #expect(
      found.map(\.message) == ["a trade at 1 is about 0.01 times the 101 before it (2 of 59): another unit?"]
        && found.map(\.failed) == [2])
  }

  /// Another interval's name, and seconds for milliseconds.
  @Test(arguments: [(CandleInterval.thirtyMinutes, ["candle-step"]), (.twoHours, ["candle-grid", "candle-step"])])
  func otherIntervalIsFound(_ interval: CandleInterval, _ codes: [String]) {
    let series = CandleSeries(Self.clean.candles, on: CandleGrid(interval))
    let found = CandleCheck(series).findings(ticker: nil, identityPercent: 20, arrival: nil)
    #expect(found.map(\.kind.rawValue) == codes)
  }

  /// Those of a longer interval are all apart by multiples of it; those of a quiet market by any number of intervals.
  @Test(
    arguments: [
      ([1, 2, 4], false), ([7, 7], false), ([7, 7, 7], true), ([2, 4, 2], false), ([2, 5, 9, 3, 2, 6, 4, 8], false),
      ([2, 4, 2, 6, 2, 2], false), ([2, 4, 2, 6, 2, 2, 4], true), ([3, 6, 3, 3, 9, 3, 3], true),
      ([2, 2, 2, 2, 2, 2, 2, 1], false),
    ] as [([Int], Bool)])
  func longerIntervalIsFound(_ steps: [Int], _ isFound: Bool) {
    var start = Self.clean.candles[0].start
    let candles = zip([0] + steps, Self.clean.candles).map { step, candle in
      start = Self.clean.grid.moment(step, after: start)
      return Self.candle(candle, start: start)
    }
    let found = CandleCheck(CandleSeries(candles, on: Self.clean.grid)).findings(
      ticker: nil, identityPercent: 20, arrival: nil)
    #expect(found.contains { $0.kind == .candleStep } == isFound)
  }

  /// Where prices alternate between bid and ask, candles close near the previous open as often as they open near its
  /// close.
  @Test(arguments: 1...40) func bounceIsNoSwap(_ seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let candles = Self.clean.candles.prefix(8 + Int(seed) / 2).map { old in
      let (open, close) = (Bool.random(using: &generator), Bool.random(using: &generator))
      return Self.candle(
        old, open: open ? 1501 : 1500, high: 1501, low: 1500, close: close ? 1501 : 1500,
        turnover: .missing(.notOffered))
    }
    let found = CandleCheck(CandleSeries(candles, on: Self.clean.grid)).findings(
      ticker: nil, identityPercent: 20, arrival: nil)
    #expect(found == [])
  }

  /// A high or low that is a power of ten away from the rest of its candle.
  @Test(arguments: [(false, "the high 9"), (true, "the low ")]) func spikeIsFound(_ isLow: Bool, _ begin: String) {
    let candles = Self.clean.candles.enumerated().map { index, old in
      guard index == 9 else { return old }
      return isLow
        ? Self.candle(old, low: old.low.scaledByPowerOfTen(-1)) : Self.candle(old, high: old.high.scaledByPowerOfTen(3))
    }
    let found = CandleCheck(CandleSeries(candles, on: Self.clean.grid)).findings(
      ticker: nil, identityPercent: 20, arrival: nil)
    #expect(found.map(\.kind) == [.candleSpike])
    #expect(found.allSatisfy { $0.message.hasPrefix(begin) && $0.message.contains("(1 of 30): another unit?") })
  }

  /// Impossible single candles and trades, by the codes of the checks.
  @Test func impossibleCandlesAndTrades() {
    let hour: Int64 = 3_600_000_000_000
    let old = Self.clean.candles[0]
    let candles: [(Candle, CandleGrid?, DataFinding.Kind?)] = [
      (old, Self.clean.grid, nil), (Self.candle(old, high: old.low, low: old.high), nil, .candleShape),
      (Self.candle(old, volume: .value(-1)), nil, .candleShape),
      (Self.candle(old, start: Instant(nanoseconds: old.start.nanoseconds + 1)), Self.clean.grid, .candleGrid),
      (Self.candle(old, start: Instant(nanoseconds: old.start.nanoseconds + 1)), nil, nil),
      (Self.candle(old, start: Instant(nanoseconds: Self.arrival.nanoseconds + hour)), nil, .candleTime),
      (Self.candle(old, start: Instant(nanoseconds: hour)), Self.clean.grid, .candleTime),
    ]
    for (candle, grid, kind) in candles {
      #expect(CandleCheck.impossibility(of: candle, on: grid, arrival: Self.arrival)?.kind == kind)
    }
    func trade(_ nanoseconds: Int64, _ size: Cell, _ id: String) -> Trade {
      Trade(time: Instant(nanoseconds: Self.arrival.nanoseconds + nanoseconds), price: 1, size: size, side: nil, id: id)
    }
    let (possible, findings) = TradeCheck.separatingImpossible(
      [
        trade(0, .value(1), "fits"), trade(hour, .value(1), "ahead"), trade(0, .missing(.zero), "of nothing"),
        trade(0, .missing(.negative), "of less"),
        trade(0, .missing(.pathMiss), "of an unknown size"), trade(4_000_000_000, .value(1), "a clock that is fast"),
      ], arrival: Self.arrival, after: nil)
    #expect(possible.map(\.id) == ["fits", "of an unknown size", "a clock that is fast"])
    #expect(findings.map(\.kind) == [.tradeTime, .tradeShape])
    #expect(findings.map(\.failed) == [1, 2])
  }

  /// A single price that is a power of ten away is another unit; one that stays there may be the market's.
  @Test(
    arguments: [
      ([65000, 6_500_000, 65001], nil, [65000, 65001]), ([6_500_000, 65001], 65000, [65001]),
      ([650, 65002, 6500, 65001], 65000, [65002, 65001]), ([6_500_000], 65000, [6_500_000]),
      ([65000, 6_500_000, 6_500_100], nil, [65000, 6_500_000, 6_500_100]),
      ([6_500_000, 6_500_100], 65000, [6_500_000, 6_500_100]),
      ([120, 100, 80, 40, 20, 11, 10], nil, [120, 100, 80, 40, 20, 11, 10]),
      ([30000, 120_000, 65000], 65000, [30000, 120_000, 65000]),
    ] as [([Int], Int?, [Int])])
  func strayPricesAreLeftOut(_ prices: [Int], _ before: Int?, _ kept: [Int]) {
    let trades = prices.map {
      Trade(time: Self.arrival, price: Decimal($0), size: .value(1), side: nil, id: nil)
    }
    let (possible, findings) = TradeCheck.separatingImpossible(
      trades, arrival: Self.arrival, after: before.map { Decimal($0) })
    #expect(possible.map(\.price) == kept.map { Decimal($0) })
    #expect(findings.map(\.kind) == (kept.count == prices.count ? [] : [.tradeJump]))
    #expect(findings.first?.failed ?? 0 == prices.count - kept.count)
  }

  private static func trades(_ swapped: Bool) -> [Trade] {
    (0..<60).map { index in
      let buys = index % 2 == 0
      return Trade(
        time: Instant(nanoseconds: arrival.nanoseconds - Int64(60 - index) * 500_000_000),
        price: buys ? 101 : 100, size: .value(1), side: buys != swapped ? .buy : .sell, id: "\(index)")
    }
  }

  /// Takers buy at the ask: if the buy is the cheaper of two neighbours, the side is the maker's.
  @Test(arguments: [(false, [String]()), (true, ["trade-side"])]) func makerSideIsFound(
    _ swapped: Bool, _ codes: [String]
  ) {
    let found = TradeCheck.findings(Self.trades(swapped), ticker: nil, arrival: Self.arrival)
    #expect(found.map(\.kind.rawValue) == codes)
  }

  /// A candle that had not begun is left out, but reported.
  @Test(arguments: [(-1, []), (1, ["candle-time"])] as [(Int64, [String])]) func futureCandleIsFound(
    _ hours: Int64, _ codes: [String]
  ) {
    let start = Instant(nanoseconds: Self.arrival.nanoseconds + hours * 3_600_000_000_000)
    let found = CandleCheck(Self.clean, future: start).findings(ticker: nil, identityPercent: 20, arrival: Self.arrival)
    #expect(found.map(\.kind.rawValue) == codes)
  }

  /// Seconds read as milliseconds.
  @Test func tradesOf1970AreFound() {
    let trade = Self.trades(false)[0]
    let early = Trade(
      time: Instant(nanoseconds: trade.time.nanoseconds / 1000), price: trade.price, size: trade.size, side: .buy,
      id: "1")
    let found = TradeCheck.findings([early], ticker: nil, arrival: Self.arrival)
    #expect(found.map(\.kind) == [.tradeTime])
  }

  @Test func futureTradesAreFound() {
    let found = TradeCheck.findings(
      Self.trades(false), ticker: nil, arrival: Instant(nanoseconds: Self.arrival.nanoseconds - 60_000_000_000))
    #expect(found.map(\.kind) == [.tradeTime])
  }

  @Test(arguments: [("100", 0), ("119", 0), ("130", 1), ("0.5", 1)]) func bookMustBeNearThePrice(
    _ price: String, _ count: Int
  ) {
    let book = OrderBook(bids: [.init(price: 99, size: 1)], asks: [.init(price: 101, size: 1)])
    #expect(BookCheck.findings(book, ticker: Self.ticker(price), identityPercent: 20).count == count)
  }

  private static func ticker(_ price: String, volume: Decimal? = nil, turnover: Decimal? = nil) -> Ticker {
    var ticker = Ticker(exchange: "Alpha", market: .spot, symbol: "AB", pair: Pair(asset: "A", payment: "B"))
    ticker.price = .value(Decimal(price) ?? 0)
    if let volume { ticker.volume24 = .value(volume) }
    if let turnover { ticker.turnover24 = .value(turnover) }
    return ticker
  }

  struct Amounts: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// Of each hour; nil for none.
    let volume: Decimal?
    let turnover: Decimal?
    var count = 26
    let messages: [String]

    init(_ name: String, volume: Decimal?, turnover: Decimal?, count: Int = 26, _ messages: String...) {
      (testDescription, self.volume, self.turnover) = (name, volume, turnover)
      (self.count, self.messages) = (count, messages)
    }
  }

  /// The day has a volume of 240 and a turnover of 24,000.
  @Test(arguments: [
    Amounts("right", volume: 10, turnover: 1000), Amounts("half as much", volume: 5, turnover: 500),
    Amounts("none", volume: nil, turnover: nil),
    Amounts(
      "a thousand times", volume: 10_000, turnover: 1_000_000,
      "the last 23 hours add up to a volume of 240000, but that of the day is 240: the other currency, contracts, or "
        + "another unit?"),
    Amounts(
      "two hours with more than the day", volume: 300, turnover: nil, count: 2,
      "the last hour adds up to a volume of 600, but that of the day is 240: the other currency, contracts, or another "
        + "unit?"),
    Amounts("two hours", volume: 1, turnover: nil, count: 2),
    Amounts(
      "less than half as much", volume: 4, turnover: nil,
      "the last 24 hours add up to a volume of 100, but that of the day is 240: the other currency, contracts, or "
        + "another unit?"),
    Amounts(
      "coins as the turnover", volume: nil, turnover: 10,
      "the last 24 hours add up to a turnover of 250, but that of the day is 24000: the other currency, contracts, or "
        + "another unit?"),
    Amounts(
      "money as the volume", volume: 1000, turnover: nil,
      "the last 23 hours add up to a volume of 24000, but that of the day is 240: the other currency, contracts, or "
        + "another unit?"),
  ])
  func candlesMustAddUpToTheDay(_ example: Amounts) {
    let candles = (0..<example.count).map { index in
      Candle(
        start: Instant(nanoseconds: Self.arrival.nanoseconds / 3_600_000_000_000 * 3_600_000_000_000)
          .advanced(by: .seconds(-3600 * index)), open: 100, high: 100, low: 100, close: 100,
        volume: example.volume.map { .value($0) } ?? .missing(.notOffered),
        turnover: example.turnover.map { .value($0) } ?? .missing(.notOffered))
    }
    let ticker = Self.ticker("100", volume: 240, turnover: 24_000)
    let found = CandleCheck(CandleSeries(candles, on: CandleGrid(.oneHour))).findings(
      besides: ticker, identityPercent: 20, arrival: Self.arrival)
    #expect(found.map(\.message) == example.messages)
  }

  /// Of a coin that was traded at 100 all day and is now at 500, or at 20: with one amount each, that is no contradiction.
  @Test(arguments: ["500", "20"]) func aDayOfOtherPricesIsNoContradiction(_ price: String) {
    let hour = Self.arrival.nanoseconds / 3_600_000_000_000 * 3_600_000_000_000
    for isVolume in [true, false] {
      let candles = (0..<26).map { index in
        Candle(
          start: Instant(nanoseconds: hour).advanced(by: .seconds(-3600 * index)), open: 100, high: 100, low: 100,
          close: 100, volume: isVolume ? .value(10) : .missing(.notOffered),
          turnover: isVolume ? .missing(.notOffered) : .value(1000))
      }
      let ticker = isVolume ? Self.ticker(price, turnover: 24_000) : Self.ticker(price, volume: 240)
      let trades = candles.map {
        Trade(time: $0.start, price: 100, size: .value(10), side: nil, id: nil)
      }
      let found =
        CandleCheck(CandleSeries(candles, on: CandleGrid(.oneHour))).findings(
          besides: ticker, identityPercent: 1000, arrival: Self.arrival)
        + TradeCheck.findings(trades, ticker: ticker, arrival: Self.arrival)
      #expect(found.map(\.message) == [])
    }
  }

  /// Sizes in money or lots; a wall on one side is ignored, and nothing is known about an untraded coin.
  @Test(
    arguments: [
      (Decimal(1), Decimal(30), Decimal?.none, []), (500, 30, nil, []), (700, 30, nil, [.bookSize]),
      (700, nil, 3000, [.bookSize]), (700, nil, nil, []), (700, 0, nil, []),
    ] as [(Decimal, Decimal?, Decimal?, [DataFinding.Kind])])
  func bookSizesMustMatchDailyVolume(
    _ size: Decimal, _ volume: Decimal?, _ turnover: Decimal?, _ kinds: [DataFinding.Kind]
  ) {
    let levels = (1...8).map { Decimal($0) }
    let book = OrderBook(
      bids: levels.map { .init(price: 100 - $0, size: size) },
      asks: levels.map { .init(price: 100 + $0, size: $0 < 3 ? 1_000_000 : 1) })
    let bids = OrderBook(bids: book.bids, asks: book.bids.map { .init(price: 200 - $0.price, size: $0.size) })
    let ticker = Self.ticker("100", volume: volume, turnover: turnover)
    #expect(BookCheck.findings(bids, ticker: ticker, identityPercent: 20).map(\.kind) == kinds)
    #expect(BookCheck.findings(book, ticker: ticker, identityPercent: 20).map(\.kind) == (size < 700 ? [] : kinds))
  }

  /// What the candles lack is not worked out if the ticker has what they have.
  @Test func onlyTheSameAmountsAreCompared() {
    let candles = (0..<26).map { index in
      Candle(
        start: Instant(nanoseconds: Self.arrival.nanoseconds / 3_600_000_000_000 * 3_600_000_000_000)
          .advanced(by: .seconds(-3600 * index)), open: 300, high: 300, low: 300, close: 300, volume: .value(10),
        turnover: .missing(.notOffered))
    }
    let found = CandleCheck(CandleSeries(candles, on: CandleGrid(.oneHour))).findings(
      besides: Self.ticker("300", volume: 240, turnover: 24_000), identityPercent: 20, arrival: Self.arrival)
    #expect(found == [])
  }

  /// Steps from one close to the next open, and from one open to the next close.
  @Test(
    arguments: [
      ([(4, 10, 0)], false), ([(5, 10, 0)], true), ([(11, 5, 1)], false), ([(12, 5, 1)], true),
      ([(11, 10, 0), (4, 0, 1)], false), ([(12, 10, 0), (4, 0, 1)], true),
    ] as [([(Int, Decimal, Decimal)], Bool)])
  func swapsNeedEnoughSteps(_ steps: [(count: Int, toOpen: Decimal, toClose: Decimal)], _ isFound: Bool) {
    var (open, close) = (Decimal(100_000), Decimal(100_005))
    var candles: [Candle] = []
    func add() {
      candles.append(
        Candle(
          start: Self.clean.grid.moment(candles.count, after: Self.clean.candles[0].start), open: open,
          high: max(open, close), low: min(open, close), close: close, volume: .missing(.notOffered),
          turnover: .missing(.notOffered)))
    }
    add()
    for step in steps.flatMap({ Array(repeating: $0, count: $0.count) }) {
      (open, close) = (close + step.toOpen, open + step.toClose)
      add()
    }
    let found = CandleCheck(CandleSeries(candles, on: Self.clean.grid)).findings(
      ticker: nil, identityPercent: 20, arrival: nil)
    #expect(found.map(\.kind) == (isFound ? [.candleChain] : []))
  }

  /// From 100 to 110, within 1 %.
  @Test(arguments: [("990", true), ("989.9", false), ("1111", true), ("1111.1", false)])
  func turnoverMustFitTheRange(_ turnover: String, _ fits: Bool) {
    let candle = Candle(
      start: Self.clean.candles[0].start, open: 100, high: 110, low: 100, close: 105, volume: .value(10),
      turnover: .value(Decimal(turnover) ?? 0))
    #expect(CandleCheck.fault(of: candle, on: Self.clean.grid) == (fits ? nil : .candleTurnover))
  }

  /// A candle may change for half a minute after its end.
  @Test(arguments: [(30_000_000_000, nil), (30_000_000_001, .candleStep)] as [(Int64, DataFinding.Kind?)])
  func lateChangesAreOfALongerInterval(_ late: Int64, _ kind: DataFinding.Kind?) {
    let last = Self.clean.candles[0]
    let end = Self.clean.grid.end(of: last.start)
    let arrival = Instant(nanoseconds: end.nanoseconds + late)
    let changed = Self.candle(last, volume: .missing(.pathMiss))
    for (candle, expected) in [(last, nil), (changed, kind)] {
      let found = CandleCheck.impossibility(of: candle, after: last, on: Self.clean.grid, arrival: arrival)
      #expect(found?.kind == expected)
    }
    #expect(CandleCheck.isOld(last, .oneHour, arrival: arrival) == (kind != nil))
  }

  /// The day's range of 100 to 200, within 0.5 %, says nothing about older trades.
  @Test(
    arguments: [
      ("99.5", 1, nil), ("201", 1, nil), ("99.49", 1, "a trade at 99.49 is outside the day's 100 to 200"),
      ("201.01", 1, "a trade at 201.01 is outside the day's 100 to 200"), ("99", 86_400, nil),
      ("99", 86_399, "a trade at 99 is outside the day's 100 to 200"),
    ] as [(String, Int64, String?)])
  func tradesMustLieInTheDaysRange(_ price: String, _ age: Int64, _ fact: String?) {
    var ticker = Self.ticker("150")
    (ticker.low, ticker.high, ticker.lowBasis, ticker.highBasis) = (.value(100), .value(200), .rolling24h, .rolling24h)
    let trade = Trade(
      time: Self.arrival.advanced(by: .seconds(-age)), price: Decimal(price) ?? 0, size: .value(1), side: nil, id: nil)
    let found = TradeCheck.findings([trade], ticker: ticker, arrival: Self.arrival)
    #expect(found.map(\.fact.description) == [fact].compactMap(\.self))
    ticker.lowBasis = .utcDay
    #expect(TradeCheck.findings([trade], ticker: ticker, arrival: Self.arrival) == [])
  }

  /// Twenty pairs of trades less than a minute apart prove that sides are the maker's, if the buy is dearer in a
  /// third of them or fewer.
  @Test(
    arguments: [
      (20, 0, 59, "of 20 adjacent trades with different side and price, the buy has the higher price in only 0"),
      (19, 0, 59, nil), (20, 0, 60, nil), (31, 11, 1, nil),
      (30, 10, 1, "of 30 adjacent trades with different side and price, the buy has the higher price in only 10"),
    ] as [(Int, Int, Int64, String?)])
  func sidesNeedEnoughPairs(_ pairs: Int, _ dearer: Int, _ seconds: Int64, _ fact: String?) {
    var price = Decimal(1000)
    let trades = (0...pairs).map { index in
      let isBuy = index % 2 == 0
      if index > 0 { price = price + ((index <= dearer) == isBuy ? 1 : -1) }
      return Trade(
        time: Self.arrival.advanced(by: .seconds(seconds * Int64(index - pairs))), price: price, size: .value(1),
        side: isBuy ? .buy : .sell, id: nil)
    }
    #expect(
      TradeCheck.findings(trades, ticker: nil, arrival: Self.arrival).map(\.fact.description)
        == [fact].compactMap(\.self))
  }

  /// Ten at a price of 10: the day's amount may be exceeded by a tenth, in the asset or in money.
  @Test(
    arguments: [
      ("110", 100, nil, nil),
      ("110.01", 100, nil, "these trades add up to 110.01, more than the day's volume of 100"),
      ("110", 1, 1000, nil),
      ("110.01", 1_000_000, 1000, "these trades add up to 1100.1, more than the day's turnover of 1000"),
    ] as [(String, Decimal, Decimal?, String?)])
  func tradesMustFitInTheDay(_ size: String, _ volume: Decimal, _ turnover: Decimal?, _ fact: String?) {
    let trades = [
      Trade(time: Self.arrival.advanced(by: .seconds(-86_400)), price: 10, size: .value(7), side: nil, id: nil),
      Trade(time: Self.arrival, price: 10, size: .value(Decimal(size) ?? 0), side: nil, id: nil),
    ]
    let ticker = Self.ticker("10", volume: volume, turnover: turnover)
    #expect(
      TradeCheck.findings(trades, ticker: ticker, arrival: Self.arrival).map(\.fact.description)
        == [fact].compactMap(\.self))
  }

  /// Six levels are enough to compare their sizes.
  @Test(arguments: [(3, [.bookSize]), (2, [])] as [(Int, [DataFinding.Kind])])
  func bookSizesNeedSixLevels(_ asks: Int, _ kinds: [DataFinding.Kind]) {
    let book = OrderBook(
      bids: (1...3).map { .init(price: 100 - Decimal($0), size: 1000) },
      asks: (1...asks).map { .init(price: 100 + Decimal($0), size: 1000) })
    let ticker = Self.ticker("100", volume: 10)
    #expect(BookCheck.findings(book, ticker: ticker, identityPercent: 20).map(\.kind) == kinds)
  }
}
