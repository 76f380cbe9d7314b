import Quotes
import Terminal
import TestSupport
import Testing

@Suite struct CandleChartTests {
  private static func text(_ chart: CandleChart) -> String {
    chart.lines.map { $0.painted(with: .plain) + "\n" }.joined()
  }

  private static func candle(_ minute: Int, _ open: Decimal, _ high: Decimal, _ low: Decimal, _ close: Decimal)
    -> Candle
  {
    Candle(
      start: moment(minute: minute), open: open, high: high, low: low, close: close,
      volume: .missing(.notOffered), turnover: .missing(.notOffered))
  }

  private static func moment(minute: Int) -> Instant {
    SampleCandles.moment("2026-11-18T14:0\(minute)Z")
  }

  private static let shapes = CandleSeries(
    [
      candle(0, 0, 8, 0, 8), candle(1, 3, 7, 1, 5), candle(2, 8, 8, 4, 4), candle(4, 1, 4, 0, 1), candle(5, 2, 2, 2, 2),
    ], on: CandleGrid(.oneMinute))

  /// Bodies, wicks and halves of both; the candle of minute 3 is missing, and no line crosses the gap.
  @Test func shapes() {
    let chart = CandleChart(Self.shapes, at: Self.moment(minute: 9), columns: 23, rows: 4, zone: .utc)
    #expect(chart.columnsPerCandle == 3)
    #expect(
      Self.text(chart) == """
          ┃  │  ┃
          ┃⠤⠤┃⠒⠉┃     ╷
          ┃  │        ╽⠤⠒╹ ◂2
          14:00             UTC

        """)
  }

  /// In ASCII, bodies that rose, fell or did neither differ without colours, and from wicks; printed as on a screen.
  @Test func asciiShowsDirections() {
    let chart = CandleChart(Self.shapes, at: Self.moment(minute: 9), columns: 23, rows: 4, zone: .utc)
    let palette = Palette(scheme: .us, isColored: false, glyphs: GlyphSet(.ascii))
    let frame = Frame(size: ScreenSize(columns: 23, rows: 4), lines: chart.lines, glyphs: palette.glyphs)
    #expect(frame.lines == ["  O  |  #", "  O..O''#     |", "  O  |        =.'= <2", "  14:00             UTC"])
    #expect(chart.lines.map { $0.painted(with: palette) } == frame.lines)
  }

  /// Percent has the heights of prices, a logarithm those of ratios; a price of zero has a place on neither.
  @Test(
    arguments: [
      (
        .percent, [100, 150, 200], 0,
        [
          "              ╹ ◂+100.00", "", "             ╻", "",
          "            ╻    +0.00", "                 UTC",
        ]
      ),
      (
        .percent, [0, 100, 200], 1,
        [
          "              ╹ ◂+100.00", "", "", "",
          "             ╻   +0.00", "                 UTC",
        ]
      ),
      (
        .log, [1, 0, 10, 100], 1,
        [
          "                  ╹ ◂100", "", "                 ╻", "",
          "               ╻     1", "                     UTC",
        ]
      ),
      (
        .log, [1, 10, 100, 0], 1,
        [
          "                  ╹", "", "                 ╻", "",
          "                ╻    1", "                     UTC",
        ]
      ),
    ] as [(ChartScale, [Int], Int, [String])])
  func scales(_ scale: ChartScale, _ prices: [Int], _ undrawn: Int, _ picture: [String]) {
    let candles = prices.enumerated().map { minute, price in
      Self.candle(minute, Decimal(price), Decimal(price), Decimal(price), Decimal(price))
    }
    let chart = CandleChart(
      CandleSeries(candles, on: CandleGrid(.oneMinute)), at: Self.moment(minute: 9), columns: 24, rows: 6, zone: .utc,
      zoom: 1, scale: scale)
    #expect(chart.undrawn == undrawn)
    #expect(chart.lines.map { $0.painted(with: .plain) } == picture)
  }

  @Test(
    arguments: [
      (80, 19, 34), (80, 19, 60), (160, 42, 120), (60, 8, 25), (80, 12, 200), (40, 8, 10),
    ])
  func pictures(_ columns: Int, _ rows: Int, _ count: Int) {
    let series = SampleCandles.series(
      .tenMinutes, from: "2026-11-17T23:40:00Z", count: count, unit: 1, missing: count == 60 ? [20, 21, 40] : [])
    let end = series.grid.moment(count, after: SampleCandles.moment("2026-11-17T23:40:00Z"))
    // The newest candle is still running.
    let now = Instant(nanoseconds: end.nanoseconds - 1_000_000_000)
    let chart = CandleChart(series, at: now, columns: columns, rows: rows, zone: .seoul)
    let head = "\(chart.shown.candles.count) of \(chart.total), \(chart.columnsPerCandle) columns each\n"
    Golden.expect(head + Self.text(chart), matches: "candles-\(columns)x\(rows)-\(count).txt")
  }

  /// The same picture in colour: rising, falling, and dim for the running candle and for the figures.
  @Test func colours() {
    let series = SampleCandles.series(.oneHour, from: "2026-11-18T00:00:00Z", count: 5)
    let chart = CandleChart(
      series, at: SampleCandles.moment("2026-11-18T04:30:00Z"), columns: 40, rows: 8, zone: .utc)
    let text = chart.lines.map { $0.painted(with: Palette(scheme: .kr, isColored: true)) + "\n" }.joined()
    Golden.expect(text, matches: "candles-colours.txt")
  }

  /// No size traps, and nothing is drawn beyond the edge.
  @Test func noSizeTraps() {
    let series = SampleCandles.series(.oneHour, from: "2026-11-18T00:00:00Z", count: 90, missing: [4, 5, 80])
    let now = SampleCandles.moment("2026-11-21T17:30:00Z")
    for columns in Array(0...40) + [77, 120, 200] {
      for rows in 0...24 {
        for shown in [series, series.newest(1), series.newest(0)] {
          for scale in ChartScale.allCases {
            let lines = CandleChart(shown, at: now, columns: columns, rows: rows, zone: .utc, scale: scale).lines
            #expect(lines.count == rows)
            #expect(lines.allSatisfy { $0.width <= columns })
          }
        }
      }
    }
  }

  /// A check reports mixed-up columns; the picture contains all four prices of a candle.
  @Test(arguments: [[4, 3, 2, 1], [2, 1, 4, 3], [1, 2, 3, 4], [3, 3, 3, 1]])
  func pricesInAnyOrder(_ prices: [Int]) {
    let sound = SampleCandles.series(.oneHour, from: "2026-11-18T00:00:00Z", count: 6)
    let odd = sound.candles.map { candle in
      Candle(
        start: candle.start, open: Decimal(prices[0]), high: Decimal(prices[1]), low: Decimal(prices[2]),
        close: Decimal(prices[3]), volume: candle.volume, turnover: candle.turnover)
    }
    let series = CandleSeries(Array(odd.prefix(3)) + sound.candles.suffix(3), on: sound.grid)
    let chart = CandleChart(series, at: SampleCandles.moment("2026-11-19T00:00:00Z"), columns: 60, rows: 16, zone: .utc)
    #expect(chart.lines.count == 16)
  }

  /// Digits are the exchange's own, whatever the size of the price.
  /// The figure of the largest volume is whole even if those of the prices are shorter.
  @Test(arguments: [("10.5", "10.5"), ("12345.6", "12.3K"), ("1234567.6", "1.23M")])
  func volumeIsWhole(_ volume: String, _ figure: String) throws {
    let candles = try (0..<8).map { minute in
      Candle(
        start: Self.moment(minute: minute), open: 3, high: 4, low: 2, close: 3,
        volume: .value(try #require(Decimal(volume))), turnover: .missing(.notOffered))
    }
    let series = CandleSeries(candles, on: CandleGrid(.oneMinute))
    let chart = CandleChart(series, at: Self.moment(minute: 9), columns: 30, rows: 12, zone: .utc)
    let lines = chart.lines.map { $0.painted(with: .plain) }
    #expect(lines.contains { $0.hasSuffix(figure) }, "\(lines.joined(separator: "\n"))")
  }

  @Test(arguments: [("0.00000871", "0.00000001"), ("134512000", "1000"), ("91542.31", "0.01")])
  func lastPrice(_ price: String, _ unit: String) throws {
    let series = SampleCandles.series(
      .oneHour, from: "2026-11-18T00:00:00Z", count: 20, price: try #require(Decimal(price)),
      unit: try #require(Decimal(unit)))
    let chart = CandleChart(series, at: SampleCandles.moment("2026-11-21T17:30:00Z"), columns: 80, rows: 20, zone: .utc)
    let last = try #require(series.candles.last).close.shortest
    #expect(chart.lines.count { $0.painted(with: .plain).hasSuffix("◂" + last) } == 1)
  }
}
