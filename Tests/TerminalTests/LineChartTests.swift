import Quotes
import Terminal
import TestSupport
import Testing

@Suite struct LineChartTests {
  private static func text(_ chart: LineChart) -> String {
    chart.lines.map { $0.painted(with: .plain) + "\n" }.joined()
  }

  private static func line(_ name: String, seed: UInt64, count: Int, missing: Set<Int> = []) -> LineChart.Line {
    let series = SampleCandles.series(
      .oneMinute, from: "2026-11-18T02:23:00Z", count: count, price: 91000 + Decimal(Int(seed) * 300), missing: missing,
      seed: seed)
    return LineChart.Line(name: name, PriceLine(closesOf: series))
  }

  @Test(arguments: [(80, 12, 60), (160, 30, 170), (80, 12, 400)])
  func pictures(_ columns: Int, _ rows: Int, _ count: Int) {
    let lines = [
      Self.line("BN", seed: 1, count: count), Self.line("UP", seed: 2, count: count, missing: [10, 11, 12, 40]),
      Self.line("업비트", seed: 3, count: count),
    ]
    let chart = LineChart(.init(lines, rows: rows), columns: columns, zone: .seoul)
    Golden.expect(
      "\(chart.count) of \(chart.total)\n" + Self.text(chart), matches: "lines-\(columns)x\(rows)-\(count).txt")
  }

  @Test func premium() {
    let premium = PremiumLine(
      of: Self.line("UP", seed: 2, count: 120).points, over: Self.line("BN", seed: 1, count: 120).points, of: "Binance",
      identity: .standard
    ).line
    let chart = LineChart(
      .init(percents: [LineChart.Line(name: "UP>BN", premium)], rows: 7), columns: 80, zone: .seoul)
    Golden.expect(Self.text(chart), matches: "premium-80x7.txt")
  }

  /// Lines that end at the same height are labelled one below the other.
  @Test func endings() {
    let grid = CandleGrid(.oneMinute)
    let lines = (0..<3).map { name in
      LineChart.Line(
        name: "L\(name)", PriceLine([.init(start: grid.moment(1, after: Instant(nanoseconds: 0)), value: 5)], on: grid))
    }
    #expect(
      Self.text(LineChart(.init(lines, rows: 4), columns: 20, zone: .utc)) == """
                        L0 5
                      ⠠ L1 5
                        L2 5
                        UTC

        """)
  }

  private static func line(_ prices: [Int], everyMinutes step: Int = 1) -> LineChart.Line {
    let (grid, start) = (CandleGrid(.oneMinute), SampleCandles.moment("2026-11-18T14:00:00Z"))
    let points = prices.enumerated().map { index, price in
      PriceLine.Point(start: grid.moment(step * index, after: start), value: Decimal(price))
    }
    return LineChart.Line(name: "L", PriceLine(points, on: grid))
  }

  @Test(arguments: [(ChartScale.price, [0, 10, 20], 0), (.percent, [0, 100], 1), (.log, [10, 20], 1)])
  func scales(_ scale: ChartScale, _ values: [Int], _ undrawn: Int) {
    let chart = LineChart(.init([Self.line([0, 10, 20])], scale, rows: 6), columns: 40, zone: .utc)
    #expect(chart.shown.map { $0.points.points.map(\.value) } == [values.map { Decimal($0) }])
    #expect(chart.undrawn == undrawn)
  }

  /// Equal ratios have equal heights, and the figures are prices.
  @Test func logarithm() {
    let chart = LineChart(.init([Self.line([1, 10, 100], everyMinutes: 2)], .log, rows: 5), columns: 20, zone: .utc)
    #expect(
      chart.lines.map { $0.painted(with: .plain) } == [
        "             ⠈ L 100", "", "      ⠈", "⡀              1", "14:00          UTC",
      ])
  }

  /// The selected line is thick, also at the lower edge.
  @Test func strongest() {
    let chart = LineChart(
      .init([Self.line([1, 10, 100], everyMinutes: 2)], .log, strongest: 0, rows: 5), columns: 20, zone: .utc)
    #expect(
      chart.lines.map { $0.painted(with: .plain) } == [
        "             ⠘ L 100", "", "      ⠘", "⡄              1", "14:00          UTC",
      ])
  }

  @Test func noSizeTraps() {
    let lines = (1...6).map { Self.line("Exchange \($0)", seed: UInt64($0), count: 50, missing: [3]) }
    for columns in Array(0...40) + [200] {
      for rows in 0...12 {
        for shown in [lines, Array(lines.prefix(1)), []] {
          for scale in ChartScale.allCases {
            let chart = LineChart(
              .init(shown, scale, strongest: columns % 3, rows: rows), columns: columns, zone: .utc)
            #expect(chart.lines.count == rows)
            #expect(chart.lines.allSatisfy { $0.width <= columns })
          }
        }
      }
    }
  }
}
