import Testing

@testable import Quotes

/// Closing prices over time, and the premium between two of them.
@Suite struct PriceLineTests {
  private static let grid = CandleGrid(.oneMinute)

  private static func start(_ minute: Int) -> Instant { Instant(nanoseconds: Int64(minute) * 60_000_000_000) }

  private static func series(_ closes: [Int: Decimal]) -> CandleSeries {
    let candles = closes.sorted { $0.key < $1.key }.map { minute, close in
      Candle(
        start: start(minute), open: close, high: close, low: close, close: close, volume: .value(1),
        turnover: .missing(.notOffered))
    }
    return CandleSeries(candles, on: grid)
  }

  @Test func convertsEachAtItsTime() {
    let line = PriceLine(closesOf: Self.series([0: 100, 1: 200, 2: 300])) { moment in
      switch moment {
      case Self.start(0): TimedRate(1400)
      case Self.start(1): TimedRate(1500, isContemporaneous: false)
      default: nil
      }
    }
    #expect(line.points.map(\.value) == [140_000, 300_000])
    #expect(line.points.map(\.start) == [Self.start(0), Self.start(1)])
    #expect(line.estimatedCount == 1)
  }

  /// A rate that was divided has no end of digits, which are none of the price as it is written.
  @Test func convertedPricesAreRounded() throws {
    let rate = try #require(Decimal(1).divided(by: 1433))
    let line = PriceLine(closesOf: Self.series([0: 143_300, 1: 100_000])) { _ in TimedRate(rate) }
    #expect(line.points.map { line.written($0.value).shortest } == ["100", "69.7836706211"])
    let sent = PriceLine(closesOf: Self.series([0: try #require(Decimal("1.23456789012345"))]))
    #expect(sent.points.map { sent.written($0.value).shortest } == ["1.23456789012345"])
  }

  /// Premiums that are equal stay equal, however the rates were divided: the oldest is the low and the high.
  @Test func equalPremiumsAreEqual() throws {
    let rates = try [1433, 1399, 1427, 1501].map { try #require(Decimal(1).divided(by: $0)) }
    let line = PriceLine(closesOf: Self.series([0: 143_300, 1: 139_900, 2: 142_700, 3: 150_100])) {
      TimedRate(rates[Int($0.nanoseconds / 60_000_000_000)])
    }
    let base = PriceLine(closesOf: Self.series([0: 99, 1: 99, 2: 99, 3: 99]))
    let premium = PremiumLine(of: line, over: base, of: "Beta", identity: .standard)
    let figures = try #require(premium.line.figures)
    #expect(figures.low.start == Self.start(0) && figures.high.start == Self.start(0))
    #expect(figures.percentile == 0)
    #expect(figures.last.value.quotientText == "1.0101010101")
  }

  @Test func premium() throws {
    let line = PriceLine(closesOf: Self.series([0: 101, 1: 99, 3: 102, 4: 100]))
    let base = PriceLine(closesOf: Self.series([0: 100, 1: 100, 2: 100, 3: 100, 4: 100]))
    let whole = PremiumLine(of: line, over: base, of: "Beta", identity: .standard)
    #expect(whole.leftOut == nil)
    let premium = whole.line
    #expect(premium.points.map(\.value) == [1, -1, 2, 0])
    #expect(premium.points.map(\.start) == [0, 1, 3, 4].map(Self.start))
    let figures = try #require(premium.figures)
    #expect(figures.low.start == Self.start(1))
    #expect(figures.high.start == Self.start(3))
    #expect(figures.mean == Decimal("0.5"))
    // One of four is below the last.
    #expect(figures.percentile == 25)
    #expect(PriceLine([], on: Self.grid).figures == nil)
  }

  /// Prices that cannot be of one coin have no premium: the interval is omitted, and the newest one gives the reason.
  @Test(
    arguments: [
      (20, [1, 2, 20], [Int](), nil),
      (10, [1, 2], [2], "price 120 and Beta's 100 are further apart than 10 %: another coin or a multiplier"),
    ] as [(Decimal, [Decimal], [Int], String?)])
  func premiumOfOneCoinOnly(limit: Decimal, percents: [Decimal], apart: [Int], message: String?) {
    let line = PriceLine(closesOf: Self.series([0: 101, 1: 102, 2: 120]))
    let base = PriceLine(closesOf: Self.series([0: 100, 1: 100, 2: 100, 3: 1]))
    let premium = PremiumLine(of: line, over: base, of: "Beta", identity: IdentityCheck(limitPercent: limit))
    #expect(premium.line.points.map(\.value) == percents)
    #expect(premium.leftOut?.count ?? 0 == apart.count)
    #expect(premium.leftOut?.cause.message == message)
    #expect(premium.leftOut?.cause.code == message.map { _ in "identity" })
  }

  /// Prices that may be wrong as a whole have no premium, on either side; a wrong turnover does not matter.
  @Test(
    arguments: [
      (.candleChain, [], "candle-chain"), (.candlesNear(.oneHour, seconds: 60), [], "candle-step"),
      (.candleTurnover(5, volume: 1, low: 1, high: 2, start: Self.start(0)), [1, 2], nil),
    ] as [(DataFinding.Fact, [Decimal], String?)])
  func premiumOfDoubtfulCandles(_ fact: DataFinding.Fact, percents: [Decimal], code: String?) {
    let (high, base) = (Self.series([0: 101, 1: 102]), Self.series([0: 100, 1: 100]))
    let finding = DataFinding(fact, advice: .intervalName)
    for isHigh in [true, false] {
      let premium = PremiumLine(
        of: PriceLine(closesOf: high, findings: isHigh ? [finding] : []),
        over: PriceLine(closesOf: base, findings: isHigh ? [] : [finding]), of: "Beta", identity: .standard)
      #expect(premium.line.points.map(\.value) == percents)
      #expect(premium.leftOut?.cause.code == code)
      #expect(premium.leftOut?.count == code.map { _ in 2 })
      #expect(
        premium.leftOut?.cause.message == code.map { _ in "\(fact): check the name configured for this interval" })
    }
  }

  /// One odd candle among many does not discredit the others.
  @Test(arguments: [(1, 13, false), (7, 14, false), (8, 14, true), (1, 1, true)])
  func oneOddCandleAmongMany(failed: Int, checked: Int, discredits: Bool) {
    let finding = DataFinding(
      .candleNegative(-1, start: Self.start(0)), failed: failed, checked: checked)
    #expect(finding.discreditsPrices == discredits)
  }

  @Test func premiumOfAMultiplier() {
    let line = PriceLine(closesOf: Self.series([0: 65_000, 1: 65_010]))
    let base = PriceLine(closesOf: Self.series([0: 65, 1: 65]))
    let premium = PremiumLine(of: line, over: base, of: "Beta", identity: .standard)
    #expect(premium.line.points.isEmpty && premium.leftOut?.count == 2)
    #expect(premium.leftOut?.cause.message == "price 65010 is about 1000 times Beta's 65: a multiplier or another coin")
  }

  @Test func days() {
    let lines = DailyLine.lines(of: Self.series([0: 100, 1: 110, 2: 99]), at: Self.start(2))
    #expect(lines.map(\.change) == [.missing(.noDayBefore), .value(10), .value(-11)])
    #expect(lines.map(\.changePercent) == [.missing(.noDayBefore), .value(10), .value(-10)])
    #expect(lines.map(\.isComplete) == [true, true, false])
  }

  /// A change over two days is not a daily change.
  @Test func changeOverTwoDaysIsNotDaily() {
    let lines = DailyLine.lines(of: Self.series([0: 100, 2: 110, 3: 121]), at: Self.start(4))
    #expect(lines.map(\.changePercent) == [.missing(.noDayBefore), .missing(.noDayBefore), .value(10)])
  }

  /// The share of points below the last is rounded down: a point below a higher one is not above all.
  @Test(
    arguments: [
      ([3, 1, 2], 33), ([1, 2, 3], 66), ([1, 3, 3], 33), ([1, 2, 3, 4, 5, 6, 7, 9, 8], 77),
      (Array(repeating: 1, count: 398) + [3, 2], 99),
    ] as [([Decimal], Int)])
  func percentileIsRoundedDown(_ values: [Decimal], _ percentile: Int) {
    let points = values.enumerated().map { PriceLine.Point(start: Self.start($0), value: $1) }
    #expect(PriceLine(points, on: Self.grid).figures?.percentile == percentile)
  }

  /// Eleven digits of a converted price are readable, and all of one that was sent up to twelve.
  @Test(
    arguments: [
      (true, "1234.5678901", "1234.5678901"), (true, "1234.56789012", "1234.57"),
      (false, "1234.56789012", "1234.56789012"),
      (false, "1234.567890123", "1234.57"),
    ])
  func shownPrices(_ isConverted: Bool, _ price: String, _ shown: String) throws {
    let line = PriceLine([], on: Self.grid, isConverted: isConverted)
    #expect(line.shown(try #require(Decimal(price))) == shown)
  }
}
