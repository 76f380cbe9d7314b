import Quotes
import TestSupport
import Testing

/// Candle grids, gaps, and candles built from shorter ones.
@Suite struct CandleSeriesTests {
  private static func moment(_ text: String) -> Instant { .utc(text) }

  @Test(
    arguments: [
      (.oneMinute, 0, "2024-02-29T15:27:30Z", "2024-02-29T15:27:00Z"),
      (.fourHours, 0, "2024-02-29T15:27:30Z", "2024-02-29T12:00:00Z"),
      (.fourHours, 32_400, "2024-02-29T15:27:30Z", "2024-02-29T15:00:00Z"),
      (.oneDay, 32_400, "2024-02-29T15:27:30Z", "2024-02-29T15:00:00Z"),
      (.oneDay, -18_000, "2024-02-29T03:00:00Z", "2024-02-28T05:00:00Z"),
      (.oneWeek, 0, "2024-02-29T15:27:30Z", "2024-02-26T00:00:00Z"),
      (.oneWeek, 32_400, "2024-02-25T15:00:00Z", "2024-02-25T15:00:00Z"),
      (.oneHour, 0, "1969-12-31T23:59:59Z", "1969-12-31T23:00:00Z"),
    ] as [(CandleInterval, Int, String, String)])
  func momentLiesInExactlyOneCandle(_ interval: CandleInterval, _ zone: Int, _ moment: String, _ start: String) {
    let grid = CandleGrid(interval, zoneSeconds: zone)
    #expect(grid.start(containing: Self.moment(moment)).iso8601 == start)
    #expect(grid.isStart(Self.moment(start)))
  }

  @Test func momentsAtTheEndsOfTime() {
    for interval in CandleInterval.allCases {
      for zone in [0, 32_400, -18_000] {
        let grid = CandleGrid(interval, zoneSeconds: zone)
        #expect(grid.start(containing: Instant(nanoseconds: .min)) == Instant(nanoseconds: .min))
        #expect(grid.start(containing: Instant(nanoseconds: .max)).nanoseconds > 0)
      }
    }
  }

  @Test(
    arguments: [
      (.fiveMinutes, 0, .tenMinutes, 0, true), (.oneMinute, 0, .tenMinutes, 0, true),
      (.threeMinutes, 0, .tenMinutes, 0, false), (.oneHour, 0, .oneDay, 32_400, true),
      (.oneDay, 0, .oneDay, 32_400, false), (.fourHours, 0, .oneDay, 32_400, false),
      (.oneDay, 32_400, .oneWeek, 32_400, true), (.oneDay, 0, .oneWeek, 32_400, false),
      (.oneHour, 0, .oneHour, 0, false), (.oneHour, 0, .oneDay, 19_800, false),
      (.thirtyMinutes, 0, .oneDay, 19_800, true),
    ] as [(CandleInterval, Int, CandleInterval, Int, Bool)])
  func buildableIntervals(
    _ fine: CandleInterval, _ fineZone: Int, _ coarse: CandleInterval, _ coarseZone: Int, _ can: Bool
  ) {
    let grid = CandleGrid(fine, zoneSeconds: fineZone)
    #expect(grid.divides(CandleGrid(coarse, zoneSeconds: coarseZone)) == can)
  }

  private static func candle(_ start: String, _ prices: [Decimal], volume: Cell = .value(1)) -> Candle {
    Candle(
      start: moment("2024-02-29T\(start):00Z"), open: prices[0], high: prices[1], low: prices[2], close: prices[3],
      volume: volume, turnover: .missing(.notOffered))
  }

  private static func lines(_ series: CandleSeries) -> [String] {
    series.candles.map { candle in
      let prices = [candle.open, candle.high, candle.low, candle.close].map(\.shortest).joined(separator: " ")
      let amounts = [candle.volume, candle.turnover].map { $0.value?.shortest ?? $0.missing?.code ?? "" }
      return "\(candle.start.iso8601.dropFirst(11).prefix(5)) \(prices) \(amounts.joined(separator: " "))"
    }
  }

  private let fives = CandleSeries(
    [
      candle("15:30", [101, 103, 100, 103]), candle("15:25", [100, 102, 99, 101], volume: .value(3)),
      candle("15:40", [103, 104, 101, 102]), candle("15:30", [101, 105, 100, 103]),
    ], on: CandleGrid(.fiveMinutes))

  /// Of two with the same start, the later in the response counts.
  @Test func candlesAreOrderedAndUnique() {
    #expect(
      Self.lines(fives) == [
        "15:25 100 102 99 101 3 not-offered", "15:30 101 105 100 103 1 not-offered",
        "15:40 103 104 101 102 1 not-offered",
      ])
    #expect(fives.gaps == [.init(start: Self.moment("2024-02-29T15:35:00Z"), count: 1)])
    #expect(Self.lines(fives.newest(1)) == ["15:40 103 104 101 102 1 not-offered"])
    #expect(
      Self.lines(fives.within(Self.moment("2024-02-29T15:30:00Z"), Self.moment("2024-02-29T15:40:00Z"))).count == 1)
  }

  /// That intervals have no candle is known from the first wanted one on, if there are candles from before it.
  @Test(
    arguments: [
      ("15:30", ["15:35 1"]), ("15:35", ["15:35 1"]), ("15:36", []), ("15:40", []), ("15:10", ["15:35 1"]),
      ("15:45", []),
    ])
  func gapsFromTheFirstWantedIntervalOn(_ start: String, _ gaps: [String]) {
    let wanted = fives.within(Self.moment("2024-02-29T\(start):00Z"), Self.moment("2024-02-29T15:50:00Z"))
    #expect(wanted.gaps.map { "\($0.start.iso8601.dropFirst(11).prefix(5)) \($0.count)" } == gaps)
    #expect(wanted.with(wanted.candles).gaps == wanted.gaps)
  }

  @Test(
    arguments: [
      (
        true,
        [
          "15:20 100 102 99 101 3 not-offered", "15:30 101 105 100 103 1 not-offered",
          "15:40 103 104 101 102 1 not-offered",
        ]
      ),
      // Anything before 15:25 is unknown, and half a candle is not one.
      (false, ["15:30 101 105 100 103 1 not-offered", "15:40 103 104 101 102 1 not-offered"]),
    ] as [(Bool, [String])])
  func candlesAreBuilt(_ reachesBack: Bool, _ lines: [String]) {
    let built = fives.built(on: CandleGrid(.tenMinutes), reachesBack: reachesBack)
    #expect(Self.lines(built) == lines)
    #expect(built.source == .fiveMinutes)
  }

  /// Only the oldest candle may be half of one. Later ones lack parts only where there is a gap, which is reported.
  @Test func onlyOldestCandleIsDropped() {
    let series = CandleSeries(
      ["15:05", "15:15", "15:25", "15:30", "15:35"].map { Self.candle($0, [10, 12, 9, 11]) },
      on: CandleGrid(.fiveMinutes))
    let built = series.built(on: CandleGrid(.tenMinutes), reachesBack: false, now: Self.moment("2024-02-29T15:40:00Z"))
    #expect(
      Self.lines(built) == [
        "15:10 10 12 9 11 1 not-offered", "15:20 10 12 9 11 1 not-offered", "15:30 10 12 9 11 2 not-offered",
      ])
    #expect(
      built.sourceGaps.map { "\($0.start.iso8601.dropFirst(11).prefix(5)) \($0.count)" } == ["15:10 1", "15:20 1"])
    #expect(built.oldest == Self.moment("2024-02-29T15:15:00Z"))
  }

  /// Two answers contradict each other if a candle that ended long ago opens at two prices.
  @Test(
    arguments: [
      ("15:00", 11, 10, 12, true), ("15:00", 10, 10, 12, false), ("15:05", 11, 10, 12, false),
      ("15:10", 11, 10, 12, false),
    ] as [(String, Decimal, Decimal, Decimal, Bool)])
  func answersContradict(_ start: String, _ open: Decimal, _ other: Decimal, _ close: Decimal, _ doContradict: Bool) {
    let older = [Self.candle("14:55", [10, 12, 9, 11]), Self.candle(start, [open, 12, 9, 11])]
    let newer = [
      Self.candle("15:00", [other, 13, 9, close]), Self.candle("15:05", [other, 13, 9, close]),
      Self.candle("15:15", [other, 13, 9, close]),
    ]
    // The second candle has just ended.
    let found = CandleSeries.Contradiction(
      between: older, and: newer, of: .fiveMinutes, arrival: Self.moment("2024-02-29T15:10:20Z"))
    #expect((found != nil) == doContradict)
    if doContradict { #expect(found?.first == older[1] && found?.second == newer[0]) }
  }

  /// One row of another pair is a slip; if most candles have two, the prices may be those of either pair.
  @Test(arguments: [(1, false), (20, true)]) func rowsOfAnotherPairAreCounted(_ count: Int, _ areDoubtful: Bool) throws
  {
    let clean = SampleCandles.series(.oneHour, from: "2026-11-17T00:00:00Z", count: 30)
    let candles = clean.candles
    let others = candles.suffix(count).map { old in
      Candle(
        start: old.start, open: old.open, high: old.high, low: old.low, close: old.low, volume: old.volume,
        turnover: old.turnover)
    }
    let contradiction = try #require(CandleSeries.Contradiction(among: candles + others))
    let series = CandleSeries(candles + others, on: clean.grid)
    let findings = CandleCheck(series, contradiction: contradiction).findings(
      ticker: nil, identityPercent: 20, arrival: nil)
    let found = try #require(findings.first { $0.kind == .candleTwice })
    #expect(found.failed == count && found.checked == candles.count)
    #expect(found.starts == Set(candles.suffix(count).map(\.start)))
    #expect(found.discreditsPrices == areDoubtful && found.indicatesMappingError)
    // The newest is named, which is shown if any is.
    #expect(contradiction.second == others.last)
  }

  /// Parts of the newest candle that are over but absent count as missing, as do those before the first in the oldest.
  @Test(
    arguments: [
      ("15:44:00", [], "15:25:00"), ("15:50:00", ["15:45 1"], "15:25:00"), ("15:59:00", ["15:45 1"], "15:25:00"),
    ] as [(String, [String], String)])
  func missingPartsAtTheEdges(_ now: String, _ tail: [String], _ oldest: String) {
    let built = fives.built(on: CandleGrid(.tenMinutes), reachesBack: true, now: Self.moment("2024-02-29T\(now)Z"))
    let gaps = built.sourceGaps.map { "\($0.start.iso8601.dropFirst(11).prefix(5)) \($0.count)" }
    #expect(gaps == ["15:20 1", "15:35 1"] + tail)
    #expect(built.oldest == Self.moment("2024-02-29T\(oldest)Z"))
    #expect(built.newest(2).oldest == Self.moment("2024-02-29T15:30:00Z"))
  }

  /// First open, last close, highest high, lowest low; a sum with a missing part is missing.
  @Test func sumsNeedAllParts() {
    let series = CandleSeries(
      [
        Self.candle("15:00", [10, 12, 9, 11], volume: .value(2)),
        Self.candle("15:30", [11, 15, 8, 9], volume: .value(3)),
        Self.candle("16:00", [9, 9, 9, 9], volume: .missing(.jsonNull)), Self.candle("16:30", [9, 10, 9, 10]),
      ], on: CandleGrid(.thirtyMinutes))
    #expect(
      Self.lines(series.built(on: CandleGrid(.oneHour), reachesBack: false)) == [
        "15:00 10 15 8 9 5 not-offered", "16:00 9 10 9 10 json-null not-offered",
      ])
  }

  /// What is impossible in a part neither enters a sum nor is forgotten: a volume below zero, a close above its high,
  /// two candles with one start.
  @Test func faultsOfPartsAreKept() {
    let series = CandleSeries(
      [
        Self.candle("15:00", [10, 12, 9, 11], volume: .value(-5)),
        Self.candle("15:30", [11, 15, 8, 9], volume: .value(3)),
        Self.candle("16:00", [9, 9, 9, 9]), Self.candle("16:30", [9, 10, 9, 10]),
        Self.candle("17:00", [10, 10, 9, 11]), Self.candle("17:30", [11, 12, 11, 11], volume: .missing(.jsonNull)),
      ], on: CandleGrid(.thirtyMinutes))
    let hour = CandleGrid(.oneHour)
    let built = series.built(on: hour, reachesBack: false)
    #expect(
      Self.lines(built) == [
        "15:00 10 15 8 9 negative not-offered", "16:00 9 10 9 10 2 not-offered",
        "17:00 10 12 9 11 json-null not-offered",
      ])
    func faults(_ series: CandleSeries) -> [String] {
      series.candles.map { series.sourceFaults[$0.start]?.rawValue ?? "" }
    }
    #expect(faults(built) == ["candle-shape", "", "candle-shape"])
    #expect(faults(built.newest(1)) == ["candle-shape"])
    #expect(faults(series.built(on: hour, reachesBack: false, findings: [])) == ["", "", ""])
    let twice = CandleSeries.Contradiction(among: [
      Self.candle("16:30", [9, 9, 9, 9]), Self.candle("16:30", [9, 10, 9, 10]), Self.candle("16:00", [9, 9, 9, 9]),
    ])
    let findings = CandleCheck(series, contradiction: twice).findings(ticker: nil, identityPercent: 20, arrival: nil)
    #expect(
      faults(series.built(on: hour, reachesBack: false, findings: findings)) == [
        "candle-shape", "candle-twice", "candle-shape",
      ])
  }

  /// Missing hours within a four-hour candle are reported for the candles that exist.
  @Test func missingPartsAreReported() {
    let hours = ["00:00", "01:00", "03:00", "04:00", "08:00", "13:00", "15:00"]
    let series = CandleSeries(hours.map { Self.candle($0, [10, 12, 9, 11]) }, on: CandleGrid(.oneHour))
    let built = series.built(on: CandleGrid(.fourHours), reachesBack: false)
    func gaps(_ series: CandleSeries) -> [String] {
      series.sourceGaps.map { "\($0.start.iso8601.dropFirst(11).prefix(5)) \($0.count)" }
    }
    #expect(Self.lines(built).count == 4)
    #expect(gaps(built) == ["02:00 1", "05:00 3", "09:00 4", "14:00 1"])
    #expect(gaps(built.newest(2)) == ["09:00 4", "14:00 1"])
    // Of a gap that reaches into a candle, the part inside.
    #expect(gaps(built.newest(1)) == ["12:00 1", "14:00 1"])
    #expect(gaps(built.with(Array(built.candles[2...2]))) == ["09:00 3"])
    #expect(gaps(built.with([])).isEmpty)
    #expect(series.sourceGaps.isEmpty)
  }

  @Test func runningCandleIsIncomplete() {
    let candle = fives.candles[2]
    #expect(!fives.isComplete(candle, at: Self.moment("2024-02-29T15:44:59Z")))
    #expect(fives.isComplete(candle, at: Self.moment("2024-02-29T15:45:00Z")))
    // It was running when it was requested, whatever the time is by now.
    let early = fives.requested(at: Self.moment("2024-02-29T15:44:59Z"))
    #expect(!early.isComplete(candle, at: Self.moment("2024-02-29T15:50:00Z")))
    #expect(!early.newest(1).isComplete(candle, at: Self.moment("2024-02-29T15:50:00Z")))
    #expect(early.isComplete(fives.candles[1], at: Self.moment("2024-02-29T15:50:00Z")))
    // It was over by the exchange's clock, whatever the time is by another one.
    let late = fives.requested(at: early.requested, whole: Self.moment("2024-02-29T15:45:00Z"))
    #expect(late.newest(1).isComplete(candle, at: Self.moment("2024-02-29T15:44:59Z")))
  }

  /// A candle built without the running one ends before now, and its close is none of now.
  @Test(
    arguments: [
      ("14:59:59", nil, 2), ("15:04:59", nil, 2), ("15:05:00", 300, 1), ("15:59:59", 3599, 1),
    ] as [(String, Int64?, Int)])
  func runningPartIsMissing(_ requested: String, _ seconds: Int64?, _ points: Int) {
    let requested = Self.moment("2024-02-29T\(requested)Z")
    let hours = CandleSeries(
      ["08:00", "12:00", "13:00", "14:00"].map { Self.candle($0, [10, 12, 9, 11]) }, on: CandleGrid(.oneHour))
    let built = hours.requested(at: requested)
      .built(on: CandleGrid(.fourHours), reachesBack: true, now: requested)
    #expect(built.nanosecondsBehind.map { $0 / 1_000_000_000 } == seconds)
    #expect(PriceLine(closesOf: built).points.count == points)
    #expect(built.currentCandles.count == points)
  }
}
