import Mapping
import Quotes
import TestSupport
import Testing

@testable import MarketData

/// The closes behind sparklines, and when they are requested.
@Suite struct TrendTests {
  private static let asked = SampleCandles.moment("2026-11-18T05:12:07Z")

  /// The last close is that of the running hour, if that is known; a candle after it is left out.
  @Test(
    arguments: [
      // Closes of 1 to 6 from 00:00 to 05:00.
      ("05", 6, 0, Set<Int>(), [3, 4, 5, 6]), ("05", 6, 2880, [], [4, 5, 6, nil]),
      ("05", 6, 14_400, [], [nil, nil, nil, nil]),
      ("05", 6, 0, [4, 6], [3, nil, 5, nil]), ("04", 5, 0, [], [3, 4, 5, nil]), ("06", 7, 0, [], [3, 4, 5, 6]),
      ("05", 2, 0, [], [nil, nil, 1, 2]),
    ] as [(String, Int, Int, Set<Int>, [Int?])])
  func closes(_ hour: String, _ count: Int, _ later: Int, _ missing: Set<Int>, _ expected: [Int?]) {
    let series = SampleCandles.rising(until: "2026-11-18T\(hour):00:00Z", count: count, missing: missing)
    let trend = Trend(series, hours: 8, asked: Self.asked)
    let closes = trend.closes(of: 4, at: Self.asked.advanced(by: .seconds(later)))
    #expect(closes == expected.map { $0.map { Decimal($0) } })
  }

  @Test(arguments: [(0, false), (4199, false), (4200, true), (-1, true)])
  func isOldAfterAnHour(_ later: Int, _ isOld: Bool) {
    let trend = Trend(SampleCandles.rising(until: "2026-11-18T05:00:00Z", count: 3), hours: 24, asked: Self.asked)
    #expect(trend.isOld(at: Self.asked.advanced(by: .seconds(later))) == isOld)
  }

  @Test(arguments: [
    (24, 24, nil), (22, 24, nil), (21, 24, "2026-11-17T09:00:00Z"), (1, 24, "2026-11-18T05:00:00Z"), (21, 12, nil),
    (9, 12, "2026-11-17T21:00:00Z"), (24, 168, nil),
  ])
  func begin(_ count: Int, _ hours: Int, _ begin: String?) {
    let series = SampleCandles.rising(until: "2026-11-18T05:00:00Z", count: count)
    #expect(Trend(series, hours: 24, asked: Self.asked).begin(of: hours) == begin.map(SampleCandles.moment))
  }

  @Test(arguments: [
    ("2026-11-18T05", nil), ("2026-11-17T06", nil), ("2026-11-17T05", "2026-11-17T05:00:00Z"),
    ("2026-11-08T05", "2026-11-08T05:00:00Z"),
  ])
  func end(_ hour: String, _ end: String?) {
    let series = SampleCandles.rising(until: "\(hour):00:00Z", count: 24)
    #expect(Trend(series, hours: 24, asked: Self.asked).end == end.map(SampleCandles.moment))
  }

  /// A failure keeps the closes that there are.
  @Test func keepsCloses() {
    let trend = Trend(SampleCandles.rising(until: "2026-11-18T05:00:00Z", count: 3), hours: 24, asked: Self.asked)
    let failure = TrendReading(.failure(AnswerFailure(.timeout)))
    let known = TrendReading(.success(trend))
    #expect(known.followed(by: failure).trend == trend)
    #expect(known.followed(by: failure).failure?.reason == .timeout)
    #expect(failure.followed(by: known) == known)
  }

  private static func row(_ exchange: String, _ asset: String) -> RowKey {
    Ticker(exchange: exchange, market: .spot, symbol: asset, pair: Pair(asset: asset, payment: "KRW")).key
  }

  /// One row per exchange at a time, after the rest that its limit demands; each row once an hour.
  @Test func asksOneRowAfterTheOther() {
    let (first, second, other) = (Self.row("Upbit", "BTC"), Self.row("Upbit", "ETH"), Self.row("Bithumb", "BTC"))
    let rows = [first, second, other]
    var plan = TrendPlan()
    func due(_ seconds: Int, hours: Int = 24) -> [RowKey] {
      plan.due(rows, hours: hours, at: Self.asked.advanced(by: .seconds(seconds)))
    }
    func finish(_ row: RowKey, rest: Int, _ seconds: Int) {
      plan.finish(row, rest: rest, at: Self.asked.advanced(by: .seconds(seconds)))
    }
    #expect(due(0) == [first, other])
    #expect(due(1) == [])
    finish(first, rest: 2000, 1)
    finish(other, rest: 0, 1)
    #expect(due(2) == [])
    #expect(due(3) == [second])
    finish(second, rest: 0, 3)
    #expect(due(3599) == [])
    #expect(due(3600) == [first, other])
    finish(first, rest: 0, 3600)
    finish(other, rest: 0, 3600)
    #expect(due(3602) == [])
    // A wider screen has room for more hours.
    #expect(due(3602, hours: 168) == [first, other])
  }
}
