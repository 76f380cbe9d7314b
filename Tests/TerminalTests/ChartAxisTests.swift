import Quotes
import Terminal
import TestSupport
import Testing

@Suite struct ChartAxisTests {
  @Test(
    arguments: [
      (["91003.5", "91542.31"], 5, ["91200", "91400"]), (["0.00000871", "0.00000912"], 4, ["0.0000088", "0.0000090"]),
      (["-0.53", "0.83"], 4, ["-0.5", "0.0", "0.5"]), (["100", "100"], 2, ["99", "100", "101"]),
      (["0", "0"], 2, ["-1", "0", "1"]), (["134000000", "134512000"], 3, ["134000000", "134200000", "134400000"]),
      (["1", "2"], 0, []),
    ] as [([String], Int, [String])])
  func ticks(_ values: [String], _ count: Int, _ ticks: [String]) throws {
    let axis = try #require(ValueAxis(values.compactMap { Decimal($0) }))
    #expect(axis.ticks(atMost: count).map { ValueForm.price.text($0) } == ticks)
  }

  /// 1, 2 and 5 of each decade if they are several and fit, else fewer decades; within one, multiples as on any axis.
  @Test(
    arguments: [
      (["1", "100"], 10, ["1", "2", "5", "10", "20", "50", "100"]), (["1", "100"], 4, ["1", "10", "100"]),
      (["0.00003", "0.012"], 6, ["0.0001", "0.001", "0.01"]), (["1", "1000000"], 3, ["1", "1000", "1000000"]),
      (["91003.5", "91542.31"], 5, ["91200", "91400"]), (["-3", "0", "1", "100"], 3, ["1", "10", "100"]),
      (["15", "800"], 4, ["200", "400", "600", "800"]), (["15", "800"], 1, ["100"]),
      (["150", "2500"], 3, ["1000", "2000"]),
      (["1", "2"], 0, []),
    ] as [([String], Int, [String])])
  func logarithmicTicks(_ values: [String], _ count: Int, _ ticks: [String]) throws {
    let axis = try #require(ValueAxis(values.compactMap { Decimal($0) }, isLogarithmic: true))
    #expect(axis.ticks(atMost: count).map { ValueForm.price.text($0) } == ticks)
  }

  @Test func logarithmicPlaces() throws {
    let axis = try #require(ValueAxis([Decimal(1), 100], isLogarithmic: true))
    #expect([1, 10, 100, 0, -5, 1000].map { axis.depth($0) } == [1, 0.5, 0, 1, 1, 0])
    #expect(ValueAxis([Decimal(0), -1], isLogarithmic: true) == nil)
  }

  @Test func places() throws {
    let axis = try #require(ValueAxis([Decimal(100), 110]))
    #expect([100, 105, 110, 90, 120].map { axis.depth($0) } == [1, 0.5, 0, 1, 0])
    #expect([100, 109, 110].map { axis.part(of: $0, among: 10) } == [9, 1, 0])
    #expect(ValueAxis([Decimal]()) == nil)
  }

  @Test(arguments: [("0.5", "+0.50"), ("-0.53", "-0.53"), ("0.005", "+0.005"), ("0", "+0.00")])
  func percents(_ value: String, _ text: String) throws {
    #expect(ValueForm.percent.text(try #require(Decimal(value))) == text)
  }

  @Test(
    arguments: [
      (
        .tenMinutes, "2026-11-17T23:40:00Z", 34, .seoul, 5,
        ["2 09:00", "8 10:00", "14 11:00", "20 12:00", "26 13:00", "32 14:00"]
      ),
      (.oneHour, "2026-11-17T20:00:00Z", 12, .utc, 3, ["1 21:00", "4 11-18", "7 03:00", "10 06:00"]),
      (.oneDay, "2026-11-16T15:00:00Z", 4, .seoul, 1, ["0 11-17", "1 11-18", "2 11-19", "3 11-20"]),
      (.oneWeek, "2026-10-05T00:00:00Z", 12, .utc, 3, ["0 2026-10", "4 2026-11", "9 2026-12"]),
      (.fourHours, "2026-11-17T15:00:00Z", 4, .seoul, 1, ["0 11-18", "1 04:00", "2 08:00", "3 12:00"]),
    ] as [(CandleInterval, String, Int, ClockZone, Double, [String])])
  func times(
    _ interval: CandleInterval, _ start: String, _ count: Int, _ zone: ClockZone, _ room: Double, _ labels: [String]
  ) {
    // Days begin at midnight in Korea if the start says so.
    let grid = CandleGrid(interval, zoneSeconds: start.contains("15:00") ? zone.offsetSeconds : 0)
    let axis = TimeAxis(grid, from: SampleCandles.moment(start), count: count, zone: zone)
    #expect(axis.labels(room: room).map { "\($0.index) \($0.text)" } == labels)
  }
}
