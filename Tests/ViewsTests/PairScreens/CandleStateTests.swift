import Config
import Mapping
import MarketData
import Quotes
import Terminal
import TestSupport
import Testing

@testable import Views

/// The effect of keys and events on a live chart.
@Suite struct CandleStateTests {
  @Test(arguments: [("", 2), ("+", 3), ("+++++", 6), ("-", 1), ("---", 1), ("+-", 2)])
  func zooms(_ keys: String, _ zoom: Int) {
    #expect(SamplePairBoards.view(SamplePairBoards.candles(1), CandleScreen(), [Key](keys)).view.screen.zoom == zoom)
  }

  /// A bar of one column is not narrower, but bars of another interval are longer.
  @Test(arguments: [
    ("--", "bars cannot be narrower; ] shows longer ones"), ("++++", "bars cannot be wider; [ shows shorter ones"),
  ])
  func zoomLeadsToIntervals(_ keys: String, _ notice: String) {
    let board = SamplePairBoards.candles(1)
    #expect(Self.texts(board, keys)[22] == notice)
    #expect(Self.texts(board, String(keys.dropLast()))[22] != notice)
  }

  @Test(arguments: [
    ("h", "2026-11-18T05:00:00Z"), ("hh", "2026-11-18T04:00:00Z"), ("hhl", "2026-11-18T05:00:00Z"),
    ("hl", "2026-11-18T05:00:00Z"),
  ])
  func crosshairMoves(_ keys: String, _ bar: String) {
    let screen = SamplePairBoards.view(SamplePairBoards.candles(1), CandleScreen(), [Key](keys)).view.screen
    #expect(screen.hair == SampleCandles.moment(bar))
    #expect(screen.end == nil)
  }

  /// Where a bar is missing, the crosshair reads no other one.
  @Test(arguments: [
    (8, "2026-11-18 07:00 KST  open "), (9, "2026-11-18 06:00 KST  -  no bar"), (10, "2026-11-18 05:00 KST  open "),
  ])
  func crosshairReadsItsOwnBar(_ bars: Int, _ reading: String) {
    let keys = [Key](String(repeating: "h", count: bars))
    let view = SamplePairBoards.view(SamplePairBoards.candles(1), CandleScreen(), keys).view
    let line = view.texts()[2]
    #expect(reading.hasSuffix("bar") ? line == reading : line.hasPrefix(reading))
  }

  /// On a narrow screen, the close is read before what has no room.
  @Test func narrowReadingHasClose() {
    let view = SamplePairBoards.view(SamplePairBoards.candles(1), CandleScreen(), [Key]("")).view
    #expect(view.texts(columns: 40, rows: 10)[2].hasPrefix("2026-11-18 14:00 KST  close 9"))
  }

  /// Among lines, a crosshair that is off the screen reads nothing; back on it, it reads its bar.
  @Test(arguments: [("hh", "HH", false), ("hhhhhhhhhhhhhhhhhhhh", "+++", false), ("hh", "HHLL", true)])
  func crosshairOffTheScreenReadsNothing(_ hair: String, _ keys: String, _ isRead: Bool) {
    func lines(_ keys: String) -> [StyledText] {
      SamplePairBoards.view(SamplePairBoards.candles(), CandleScreen(), [Key](keys)).view
        .frame(in: SamplePairBoards.size, at: SamplePairBoards.now).lines
    }
    #expect((lines(hair + keys) == lines(keys)) == !isRead)
    let texts = lines(hair + keys).map { $0.painted(with: .plain) }
    #expect(texts.contains { $0.hasPrefix("2026-11-18 13:00 KST  BN 9") } == isRead)
  }

  /// The crosshair moves the picture when it crosses the left edge, but not beyond what is known.
  @Test func crosshairScrolls() throws {
    let board = SamplePairBoards.candles(1, bars: 60, shortfall: .notOffered)
    let view = SamplePairBoards.view(board, CandleScreen(), [Key](String(repeating: "h", count: 90))).view
    let first = try #require(board.sources[0].candles?.candles.first?.start)
    #expect(view.screen.hair == first)
    #expect(view.screen.end == CandleGrid(.oneHour).moment(34, after: first))
  }

  @Test(arguments: [("H", -17), ("HH", -34), ("HHL", -17), ("HL", nil), ("L", nil), ("Hg", nil)])
  func scrolls(_ keys: String, _ bars: Int?) {
    let screen = SamplePairBoards.view(SamplePairBoards.candles(1, shortfall: .notOffered), CandleScreen(), [Key](keys))
      .view.screen
    let last = SampleCandles.moment("2026-11-18T05:00:00Z")
    #expect(screen.end == bars.map { CandleGrid(.oneHour).moment($0, after: last) })
  }

  /// Older bars are requested a screen ahead, each page once; if there are none, nothing is requested.
  @Test func olderPagesAreRequestedOnce() throws {
    var view = SamplePairBoards.view(SamplePairBoards.candles(1, bars: 60), CandleScreen(), []).view
    let first = try #require(view.board.sources[0].candles?.candles.first?.start)
    let page = PairEffect.older(source: 0, before: first, count: 50)
    #expect(view.press("H") == [page])
    #expect(view.press("H") == [])
    let start = CandleGrid(.oneHour).moment(-50, after: first).iso8601
    let older = SampleCandles.series(.oneHour, from: start, count: 50)
    let event = PairEvent(source: 0, .candles(CandleList(older)), arrival: SamplePairBoards.now)
    #expect(view.take([event], SamplePairBoards.size) == [])
    #expect(view.board.sources[0].candles?.candles.count == 109)
    let next = try #require(view.board.sources[0].candles?.candles.first?.start)
    #expect(view.press("H") + view.press("H") + view.press("H") == [.older(source: 0, before: next, count: 50)])
    // A failed page is requested again when the user moves back again.
    let end = CandleSeries([], on: CandleGrid(.oneHour))
    _ = view.take(
      [
        PairEvent(
          source: 0, .candles(CandleList(end, shortfall: .page(AnswerFailure(.timeout)))), arrival: SamplePairBoards.now
        )
      ], SamplePairBoards.size)
    #expect(view.press("L") == [])
    #expect(view.press("H") == [.older(source: 0, before: next, count: 50)])
    _ = view.take(
      [PairEvent(source: 0, .candles(CandleList(end, shortfall: .notOffered)), arrival: SamplePairBoards.now)],
      SamplePairBoards.size)
    #expect(view.press("H") == [])
  }

  @Test(arguments: [("]", CandleInterval.fourHours), ("[", .thirtyMinutes), ("[[", .tenMinutes)])
  func intervals(_ keys: String, _ interval: CandleInterval) {
    let (view, effects) = SamplePairBoards.view(SamplePairBoards.candles(1), CandleScreen(), [Key](keys + "h"))
    #expect(effects.last == .show(interval))
    #expect(view.board.interval == interval)
    // Those of another interval do not count for this one.
    #expect(view.board.sources[0].candles == nil)
    #expect(view.screen.hair == nil)
  }

  /// Scrolled back, the chart stays at its time, as far as pages reach and not too far.
  @Test func intervalKeepsTime() throws {
    let now = SamplePairBoards.now
    var view = SamplePairBoards.view(SamplePairBoards.candles(1, bars: 60), CandleScreen(), [Key]("HH")).view
    let hour = try #require(view.screen.end)
    let seen = CandleGrid(.oneHour).end(of: hour)
    #expect(view.press("[", SamplePairBoards.size, at: now).last == .show(.thirtyMinutes))
    func take(_ interval: CandleInterval, endingBefore end: Instant, count: Int) -> [PairEffect] {
      let series = SampleCandles.series(
        interval, from: CandleGrid(interval).moment(-count, after: end).iso8601, count: count)
      return view.take([PairEvent(source: 0, .candles(CandleList(series)), arrival: now)], SamplePairBoards.size)
    }
    let next = SampleCandles.moment("2026-11-18T05:30:00Z")
    let first = CandleGrid(.thirtyMinutes).moment(-50, after: next)
    #expect(take(.thirtyMinutes, endingBefore: next, count: 50) == [.older(source: 0, before: first, count: 200)])
    #expect(view.screen.end != nil)
    _ = take(.thirtyMinutes, endingBefore: first, count: 200)
    let half = CandleGrid(.thirtyMinutes).moment(-1, after: seen)
    #expect(view.screen.end == half)
    // A longer bar contains the end of the shorter one.
    #expect(view.press("]", SamplePairBoards.size, at: now).last == .show(.oneHour))
    _ = take(.oneHour, endingBefore: SampleCandles.moment("2026-11-18T06:00:00Z"), count: 200)
    #expect(view.screen.end == hour)
    #expect(view.press("[", SamplePairBoards.size, at: now).last == .show(.thirtyMinutes))
    // The keys that move forget it.
    #expect(view.press("g", SamplePairBoards.size, at: now) == [])
    _ = take(.thirtyMinutes, endingBefore: next, count: 50)
    #expect(view.screen.end == nil)
    // 34 hours are 2,040 minutes.
    _ = view.press("]", SamplePairBoards.size, at: now)
    _ = take(.oneHour, endingBefore: SampleCandles.moment("2026-11-18T06:00:00Z"), count: 200)
    _ = view.press("H", SamplePairBoards.size, at: now)
    _ = view.press("H", SamplePairBoards.size, at: now)
    for _ in 0..<4 { _ = view.press("[", SamplePairBoards.size, at: now) }
    #expect(view.board.interval == .oneMinute)
    #expect(take(.oneMinute, endingBefore: next, count: 200) == [])
    #expect(view.screen.end == nil)
  }

  /// Another interval would need other bars than a frozen picture has.
  @Test func frozenChartKeepsItsInterval() {
    let board = SamplePairBoards.candles(1, shortfall: .notOffered)
    var (view, effects) = SamplePairBoards.view(board, CandleScreen(), [Key]("H ["))
    #expect(effects == [])
    #expect(view.board.interval == .oneHour)
    let notice = "not while the display is frozen; Space resumes"
    #expect(view.texts()[22] == notice)
    let end = view.screen.end
    _ = view.press("]")
    #expect(view.texts()[22] == notice)
    #expect(view.screen.end == end && end != nil)
    _ = view.press(" ")
    effects = view.press("]")
    #expect(effects.last == .show(.fourHours))
  }

  /// Returns the screen after some keys.
  static func texts(_ board: PairBoard, _ keys: String, _ screen: CandleScreen = CandleScreen()) -> [String] {
    SamplePairBoards.view(board, screen, [Key](keys)).view.texts()
  }

  /// `%` leads from prices to percent, logarithms and back; the title names the scale, and the crosshair reads prices.
  @Test(arguments: [1, 2]) func scales(_ sources: Int) {
    let board = SamplePairBoards.candles(sources)
    let scales = ["", "%", "%%"].map { Self.texts(board, "hh" + $0) }
    #expect(Self.texts(board, "hh%%%") == scales[0])
    for (place, texts) in scales.enumerated() {
      #expect(texts.contains { $0.contains("in percent from the left edge") } == (place == 1))
      #expect(texts.contains { $0.contains("logarithmic") } == (place == 2))
      let reading = { (texts: [String]) in texts.first { $0.hasPrefix("2026-11-18 13:00 KST") } }
      #expect(reading(texts) != nil && reading(texts) == reading(scales[0]))
    }
    #expect(scales[0][4..<20] != scales[1][4..<20])
  }

  /// A bar whose prices have no place on the scale is counted.
  @Test func barsWithoutPlaceAreCounted() {
    let series = Self.flat(100, from: "2026-11-18T00:00:00Z", 6)
    let zero = Self.flat(0, from: "2026-11-18T02:00:00Z", 1)
    var board = PairBoard([SamplePairBoards.source("Binance", "BN")])
    for series in [series, zero] {
      board.take(.candles(CandleList(series)))
    }
    let counts = ["", "%", "%%"].map { keys in
      Self.texts(board, keys).count { $0.contains("1 bar not drawn: price not above zero") }
    }
    #expect(counts == [0, 1, 1])
  }

  /// Opened from another screen, a chart begins with the candles of the first exchange. A premium has no other scale.
  @Test func scaleNeedsPrices() {
    let board = SamplePairBoards.candles()
    func texts(_ keys: String, _ screen: CandleScreen) -> [String] { Self.texts(board, keys, screen) }
    let candles = texts("", CandleScreen(showsLines: false))
    #expect(candles == texts("o", CandleScreen()))
    #expect(texts("o", CandleScreen(showsLines: false)) == texts("", CandleScreen()))
    #expect(texts("p%", CandleScreen(showsLines: false))[22] == "the scale applies to prices; o shows them")
  }

  /// An interval that the keys do not lead to is left for the next one on either side.
  @Test(arguments: [("]", CandleInterval.thirtyMinutes), ("[", .tenMinutes)])
  func intervalsBetween(_ key: String, _ interval: CandleInterval) {
    var board = SamplePairBoards.candles(1)
    board.show(.fifteenMinutes)
    let (_, effects) = SamplePairBoards.view(board, CandleScreen(), [Key](key))
    #expect(effects.last == .show(interval))
  }

  /// Returns lines of Binance in dollars and of Upbit in won, which ends a bar earlier, at a rate that nothing confirms.
  ///
  /// - Parameter isOdd: whether Upbit's first bar is not of the same coin.
  private static func doubtful(isOdd: Bool = false) -> PairBoard {
    let start = "2026-11-17T20:00:00Z"
    let first = flat(isOdd ? 133_000_000_000 : 133_000_000, from: start, 1)
    let won = first.with(first.candles + flat(133_000_000, from: start, 9).candles.dropFirst())
    let rate = Pair(asset: "USD", payment: "KRW")
    var quote = RateQuote(rate, Decimal("1461.5") ?? 1, since: nil, provider: "Dunamu")
    quote.labels = [.unconfirmed(since: 1400)]
    quote.date = "2026-11-18"
    var board = PairBoard([
      SamplePairBoards.source("Binance", "BN"),
      SamplePairBoards.source("Upbit", "UP", Pair(asset: "BTC", payment: "KRW")),
    ])
    let report = RateReport(pair: rate, moment: SamplePairBoards.now, quote: quote)
    for (place, content) in [
      (0, PairEvent.Content.candles(CandleList(flat(91_500, from: start, 10)))), (1, .candles(CandleList(won))),
      (0, .rate(report)),
    ] {
      board.take(content, of: place)
    }
    return board
  }

  private static func lines(
    _ board: PairBoard, _ screen: CandleScreen, columns: Int, _ language: Language = .english
  ) -> [String] {
    screen.texts(in: SamplePairBoards.scene(board, columns: columns, language, zone: .utc))
  }

  /// A premium and a close of an older bar have its time, and a premium the doubt about its rate and what was left out, at
  /// every width, on two lines if one has no room. None of them displaces the figure.
  @Test(arguments: [
    (
      110, false,
      ["premium of Binance over Upbit  +0.55 %  at the latest official rate, unconfirmed  at 2026-11-18 04:00 UTC"]
    ),
    (80, false, ["premium BN>UP  +0.55 %  rate unconfirmed  at 2026-11-18 04:00 UTC  high +0.55"]),
    (60, false, ["premium BN>UP  +0.55 %  unconfirmed  at 2026-11-18 04:00 UTC"]),
    (40, false, ["premium BN>UP  +0.55 %  unconfirmed", "at 04:00"]),
    (80, true, ["premium BN>UP  +0.55 %  unconfirmed  at 04:00  1 left out: identity  high +0.55"]),
    (60, true, ["premium BN>UP  +0.55 %  unconfirmed  at 04:00  identity"]),
    (40, true, ["premium BN>UP  +0.55 %  unconfirmed", "at 04:00  identity"]),
  ])
  func olderPremiumHasItsTime(_ columns: Int, _ isOdd: Bool, _ figures: [String]) {
    let lines = Self.lines(Self.doubtful(isOdd: isOdd), CandleScreen(showsPremium: true), columns: columns)
    let place = lines.firstIndex { $0.contains("+0.55 %") } ?? lines.endIndex
    #expect(Array(lines[place...].prefix(figures.count)) == figures)
    let title = "1h  10 bars  BN Binance 91500  UP Upbit 133000000 at 04:00 = 91002.4  at the latest rate, unconfirmed"
    let words = lines.prefix(4).joined(separator: " ").split(separator: " ")
    #expect(words.starts(with: title.split(separator: " ")), "\(lines.prefix(4))")
  }

  /// At one column a bar, Tab draws the midline in place of the bars, and again the bars.
  @Test func tabShowsTheMidline() {
    func lines(_ keys: [Key]) -> [String] {
      SamplePairBoards.view(SamplePairBoards.candles(1), CandleScreen(), keys).view.texts()
    }
    let (narrow, tab) = ([Key]("-"), Key(.tab))
    let chart = lines(narrow + [tab])[3..<20]
    #expect(!chart.contains { $0.contains(#/[┃│╽╿╻╹╷╵]/#) })
    #expect(chart.contains { $0.contains(#/[\u{2801}-\u{28FF}]/#) })
    #expect(lines(narrow + [tab, tab]) == lines(narrow))
    #expect(lines([tab])[22] == "the midline is between the bars; - narrows them to one column")
  }

  /// Of several lines, Tab selects one after the other, then none; the crosshair reads its whole bar.
  @Test func tabSelectsALine() {
    let board = Self.pair(Self.flat(100, from: "2026-11-13T06:00:00Z", 120))
    func lines(_ tabs: Int) -> [String] {
      let keys = [Key]("hh") + Array(repeating: Key(.tab), count: tabs)
      return SamplePairBoards.view(board, CandleScreen(), keys).view.texts()
    }
    let titles = ["BN Binance 102  GT Gate 100", "▸BN Binance 102  GT Gate 100", "BN Binance 102  ▸GT Gate 100"]
    #expect((0...2).map { lines($0)[1] } == titles.map { "1h  35 bars  \($0)" })
    #expect(lines(0)[2] == "2026-11-18 13:00 KST  BN 102  GT 100")
    #expect(lines(1)[2] == "BN  2026-11-18 13:00 KST  open 102  high 102  low 102  close 102  +0.00%")
    #expect(lines(2)[2] == "GT  2026-11-18 13:00 KST  open 100  high 100  low 100  close 100  +0.00%")
    #expect(lines(1)[3] == "middle 102  volume 1 BTC")
    #expect(lines(3) == lines(0))
  }

  /// The premium is read after the bar of the selected line. With the premium alone, and among lines without bars here, there
  /// is nothing to select.
  @Test func selectsOnlyDrawnLines() {
    func lines(_ second: CandleSeries, _ keys: [Key]) -> [String] {
      SamplePairBoards.view(Self.pair(second), CandleScreen(), keys).view.texts()
    }
    let (long, tab) = (Self.flat(100, from: "2026-11-13T06:00:00Z", 120), Key(.tab))
    #expect(lines(long, [Key]("hhp") + [tab])[3] == "middle 102  volume 1 BTC  premium +2.00 %")
    let alone = lines(long, [Key]("hhpo"))
    #expect(alone[1] == "1h  35 bars  BN Binance 102  GT Gate 100")
    #expect(alone[2] == "2026-11-18 13:00 KST  BN 102  GT 100  premium +2.00 %")
    #expect(lines(long, [Key]("hhp") + [tab] + [Key]("o")) == alone)
    #expect(lines(long, [Key]("hhpo") + [tab])[22] == "Tab selects a line; o shows them")
    let early = Self.flat(100, from: "2026-11-13T06:00:00Z", 20)
    #expect(lines(early, [Key]("hh") + [tab]) != lines(early, [Key]("hh")))
    #expect(lines(early, [Key]("hh") + [tab, tab]) == lines(early, [Key]("hh")))
  }

  /// In percent, a line that begins later than the chart says from when its changes are.
  @Test(arguments: [("", false), ("%", true), ("%%", false)]) func laterLineHasItsBase(_ keys: String, _ isSaid: Bool) {
    let board = Self.pair(Self.flat(100, from: "2026-11-18T00:00:00Z", 6))
    let title = Self.texts(board, keys)[1]
    #expect(title.hasPrefix("1h  35 bars  BN Binance 102  GT Gate 100" + (isSaid ? " from 09:00" : "")))
    #expect(title.contains(" from 0") == isSaid)
  }

  /// Scrolled back, a premium and closes have their time, and no figure at the right passes for the last one.
  @Test func scrolledFiguresHaveTheirTime() {
    let board = Self.pair(Self.flat(100, from: "2026-11-13T06:00:00Z", 120))
    let newest = Self.lines(board, "")
    #expect(newest[1] == "1h  35 bars  BN Binance 102  GT Gate 100")
    #expect(newest.contains("premium of Binance over Gate  +2.00 %  high +2.00  low +2.00  mean +2.00"))
    #expect(newest.contains { $0.hasSuffix(" BN 102") } && newest.contains { $0.hasSuffix(" BN>GT +2.00") })
    let scrolled = Self.lines(board, "H")
    #expect(scrolled[1] == "1h  35 bars  BN Binance 102 at 11-17 21:00  GT Gate 100 at 11-17 21:00")
    #expect(scrolled.contains("premium of Binance over Gate  +2.00 %  at 2026-11-17 21:00 KST  high +2.00"))
    #expect(scrolled.contains { $0.hasSuffix(" BN") } && scrolled.contains { $0.hasSuffix(" BN>GT") })
    let candles = ["", "H"].map { keys in
      Self.texts(SamplePairBoards.candles(1), keys).count { $0.contains("◂") }
    }
    #expect(candles == [1, 0])
  }

  /// An exchange without bars in what is shown says that, and what is known of older ones.
  @Test(
    arguments: [
      ("2026-11-17T20:00:00Z", nil, "older bars: loading"), ("2026-11-17T20:00:00Z", .notOffered, "no more"),
      ("2026-11-17T20:00:00Z", .notRecorded, "older bars: not recorded"),
      ("2026-11-17T20:00:00Z", .page(AnswerFailure(.timeout)), "older bars: timeout"),
      ("2026-11-13T06:00:00Z", nil, "the newest 4d old"),
    ] as [(String, CandleList.Shortfall?, String)])
  func lineWithoutBarsSaysSo(_ start: String, _ shortfall: CandleList.Shortfall?, _ reason: String) {
    let lines = Self.lines(Self.pair(Self.flat(100, from: start, 10), shortfall), "H")
    #expect(lines[1] == "1h  35 bars  BN Binance 102 at 11-17 21:00")
    #expect(lines[2] == "Gate BTC/USDT  -  no bars here  \(reason)")
    #expect(!lines.contains { $0.hasPrefix("premium") })
  }

  /// Returns hourly bars of one price.
  static func flat(_ price: Decimal, from start: String, _ count: Int) -> CandleSeries {
    let start = SampleCandles.moment(start)
    return CandleSeries(
      (0..<count).map { hour in
        Candle(
          start: start.advanced(by: .seconds(hour * 3600)), open: price, high: price, low: price, close: price,
          volume: .value(1), turnover: .missing(.notOffered))
      }, on: CandleGrid(.oneHour))
  }

  /// Returns Binance at 102 for 120 hours, and bars of Gate.
  static func pair(_ second: CandleSeries, _ shortfall: CandleList.Shortfall? = nil) -> PairBoard {
    var board = PairBoard([SamplePairBoards.source("Binance", "BN"), SamplePairBoards.source("Gate", "GT")])
    let lists = [
      CandleList(flat(102, from: "2026-11-13T06:00:00Z", 120)), CandleList(second, shortfall: shortfall),
    ]
    for (place, list) in lists.enumerated() {
      board.take(.candles(list), of: place)
    }
    return board
  }

  /// Returns the screen after some keys, without blanks at the ends of lines.
  private static func lines(_ board: PairBoard, _ keys: String) -> [String] {
    texts(board, keys, CandleScreen(showsPremium: true)).map(\.trimmed)
  }

  /// What makes the rate doubtful is said once above a chart with prices in won, at every width.
  @Test(arguments: [
    (
      140,
      [
        "in KRW: USD/KRW 1461.50, Dunamu, far from the last, 1400.00, unconfirmed; USDT counted as one USD; 2026-11-18"
          + "  at the latest rate"
      ]
    ),
    (
      105,
      [
        "in KRW: USD/KRW 1461.50, Dunamu; USDT counted as one USD; 2026-11-18  at the latest rate, unconfirmed"
      ]
    ),
    (40, ["in KRW: USD/KRW 1461.50, Dunamu", "at the latest rate, unconfirmed"]),
  ])
  func doubtIsSaidOnce(_ columns: Int, _ about: [String]) {
    var screen = CandleScreen()
    let board = Self.doubtful()
    var effects: [PairEffect] = []
    _ = screen.press("w", board, SamplePairBoards.size, effects: &effects)
    let lines = Self.lines(board, screen, columns: columns)
    #expect(lines.filter { $0.contains("in KRW") || $0.contains("latest rate") } == about)
    for columns in 40...200 {
      for language in Language.allCases {
        let text = Self.lines(board, screen, columns: columns, language).joined(separator: "\n")
        #expect(text.ranges(of: language("unconfirmed", "미확인")).count == 1, "\(columns) \(text)")
      }
    }
  }
}
