import Config
import Mapping
import MarketData
import Quotes
import Terminal
import TestSupport
import Testing

@testable import Views

/// Complete live screens of one pair, drawn from made-up responses.
@Suite struct PairScreenTests {
  /// A screen of any kind.
  struct Picture: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// Returns the frame at a size, after the keys were pressed at that size.
    let frame: @Sendable (_ size: ScreenSize, _ language: Language) -> WatchFrame

    init(
      _ name: String, _ board: PairBoard, _ screen: some LivePairScreen, keys: [Key] = [], later seconds: Int = 0,
      zone: ClockZone = .seoul
    ) {
      testDescription = name
      frame = { size, language in
        var view = PairView(board, screen, SamplePairBoards.settings(language, zone: zone))
        for key in keys { _ = view.press(key, size, at: SamplePairBoards.now) }
        return view.frame(in: size, at: SamplePairBoards.moment(seconds))
      }
    }
  }

  static let pictures = [
    Picture("book", SamplePairBoards.books(1), BookScreen()),
    Picture("books", SamplePairBoards.books(), BookScreen(order: Decimal("0.1"))),
    Picture("books-step", SamplePairBoards.books(), BookScreen(), keys: ["+", "+", "o"]),
    Picture("book-size", SamplePairBoards.books(1), BookScreen(), keys: ["z", "5", ",", "x", Key(.enter)]),
    Picture(
      "book-failed", SamplePairBoards.failed(.timeout, SamplePairBoards.books(1), retry: 5), BookScreen(), later: 42),
    Picture("book-loading", PairBoard([SamplePairBoards.source("Binance", "BN")]), BookScreen()),
    Picture("tape", SamplePairBoards.tapes(1), TapeScreen()),
    Picture("tapes", SamplePairBoards.tapes(), TapeScreen(), keys: ["j", "j", " "], later: 31),
    Picture("days", SamplePairBoards.tapes(1), TapeScreen(), keys: [Key(.tab)]),
    Picture("candles", SamplePairBoards.candles(1, shortfall: .notOffered), CandleScreen()),
    Picture("candles-hair", SamplePairBoards.candles(1), CandleScreen(), keys: ["+", "h", "h", "h", "h"]),
    Picture(
      "candles-back", SamplePairBoards.candles(1), CandleScreen(), keys: ["-", "H", "H", "H", "H", "H", "H", "H"]),
    Picture("candles-percent", SamplePairBoards.candles(1), CandleScreen(), keys: ["%", "h"]),
    Picture("candles-log", SamplePairBoards.candles(1), CandleScreen(scale: .log)),
    Picture("lines-percent", SamplePairBoards.candles(), CandleScreen(), keys: ["%"], zone: .utc),
    Picture(
      "lines-selected", rated(SamplePairBoards.candles()), CandleScreen(), keys: ["h", Key(.tab), Key(.tab)],
      zone: .utc),
    Picture("lines", SamplePairBoards.candles(), CandleScreen(), zone: .utc),
    Picture(
      "premium", rated(SamplePairBoards.candles()), CandleScreen(showsPremium: true), keys: ["h", "h"], zone: .utc),
    Picture(
      "premium-token", TokenRateTests.tokenBoard(TokenRateTests.token), CandleScreen(), keys: ["p", "p", "h"],
      zone: .utc),
    Picture("premium-apart", SamplePairBoards.apart(candles: true), CandleScreen(showsPremium: true), zone: .utc),
    Picture("lines-apart", SamplePairBoards.apart(candles: true), CandleScreen(), zone: .utc),
    Picture("books-apart", SamplePairBoards.apart(candles: false), BookScreen(order: Decimal("0.1"))),
    Picture("candles-won", rated(SamplePairBoards.candles(1)), CandleScreen(), keys: ["w"]),
    Picture("candles-unrated", SamplePairBoards.candles(1), CandleScreen(), keys: ["w"]),
    Picture("lines-won", rated(SamplePairBoards.candles()), CandleScreen(), keys: ["w"], zone: .utc),
    Picture("book-unpriced", SamplePairBoards.unpriced(SamplePairBoards.books(1)), BookScreen(), later: 42),
    Picture("candles-unfilled", SamplePairBoards.unfilled(SamplePairBoards.candles(1, bars: 9)), CandleScreen()),
    Picture("tape-doubtful", SamplePairBoards.doubtful(SamplePairBoards.tapes(1)), TapeScreen()),
    Picture("tape-refused", SamplePairBoards.refused(SamplePairBoards.tapes(1)), TapeScreen()),
    Picture("save", SamplePairBoards.candles(1), CandleScreen(), keys: ["x"]),
    Picture("help", SamplePairBoards.candles(), CandleScreen(), keys: ["?"]),
  ]

  /// Returns the board with a dollar rate in won.
  static func rated(_ board: PairBoard) -> PairBoard {
    var board = board
    let pair = Pair(asset: "USD", payment: "KRW")
    let quote = RateQuote(pair, Decimal("1461.5") ?? 1, since: nil, provider: "Dunamu")
    board.take(.rate(RateReport(pair: pair, moment: SamplePairBoards.now, quote: quote)))
    return board
  }

  @Test(arguments: pictures, [(60, 20), (80, 24), (160, 50)])
  func golden(_ picture: Picture, _ size: (Int, Int)) {
    for language in Language.allCases {
      let frame = picture.frame(ScreenSize(columns: size.0, rows: size.1), language)
      let cursor = frame.cursor.map { "cursor \($0.row) \($0.column)\n" } ?? ""
      Golden.expect(
        frame.text(with: .plain) + cursor,
        matches: "\(picture.testDescription)-\(size.0)x\(size.1)-\(language.rawValue).txt")
    }
  }

  /// Keys that do what no other does come first; keys about several exchanges are shown only for several.
  @Test(
    arguments: [
      (1, 80, .english, "[ ] interval  + - zoom  h l crosshair  w won/$  % scale  x save  ? help q quit"),
      (2, 60, .english, "[ ] interval  + - zoom  h l crosshair  x save  ? help q quit"),
      (2, 80, .english, "[ ] interval  + - zoom  h l crosshair  o lines  p premium  x save  ? help q quit"),
      (
        2, 100, .english,
        "[ ] interval  + - zoom  h l crosshair  o lines  p premium  Tab line  w won/$  % scale  ? help q quit"
      ),
      (
        2, 112, .english,
        "[ ] interval  + - zoom  h l crosshair  H L scroll  o lines  p premium  Tab line  w won/$  % scale  ? help q quit"
      ),
      (
        2, 100, .korean,
        "[ ] 봉 주기  + - 봉 너비  h l 십자선  o 겹치기  p 프리미엄  Tab 선  w 원/$  % 눈금  ? 도움말 q 종료"
      ),
    ] as [(Int, Int, Language, String)])
  func bottomLineOfAChart(_ sources: Int, _ columns: Int, _ language: Language, _ line: String) {
    let view = PairView(SamplePairBoards.candles(sources), CandleScreen(), SamplePairBoards.settings(language))
    #expect(view.texts(columns: columns).last == line)
  }

  // MARK: Visible problems

  private static let dead = [
    Picture("book", SamplePairBoards.failed(.timeout, SamplePairBoards.books(1), retry: 45), BookScreen(), later: 42),
    Picture("books", SamplePairBoards.failed(.timeout, SamplePairBoards.books(), retry: 45), BookScreen(), later: 42),
    Picture("tape", SamplePairBoards.failed(.timeout, SamplePairBoards.tapes(1), retry: 45), TapeScreen(), later: 42),
    Picture("tapes", SamplePairBoards.failed(.timeout, SamplePairBoards.tapes(), retry: 45), TapeScreen(), later: 42),
    Picture(
      "days", SamplePairBoards.failed(.timeout, SamplePairBoards.tapes(1), retry: 45), TapeScreen(), keys: [Key(.tab)],
      later: 42),
    Picture(
      "candles", SamplePairBoards.failed(.timeout, SamplePairBoards.candles(1), retry: 45), CandleScreen(), later: 42),
    Picture(
      "lines", SamplePairBoards.failed(.timeout, SamplePairBoards.candles(), retry: 45), CandleScreen(), later: 42),
    Picture("silent", SamplePairBoards.candles(1), CandleScreen(), later: 42),
    Picture("silent lines", SamplePairBoards.candles(), CandleScreen(), later: 42),
    Picture("silent book", SamplePairBoards.books(1), BookScreen(), later: 42),
  ]

  /// The age of the content is shown below the header at every width; and in the header, if it contains a price.
  @Test(arguments: dead) func deadFeedIsShown(_ picture: Picture) {
    for columns in 40...200 {
      for language in Language.allCases {
        let text = picture.frame(ScreenSize(columns: columns, rows: 24), language).text(with: .plain)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let age = language("40s", "40초")
        #expect(lines.dropFirst().contains { $0.contains(age) }, "\(columns) \(language)")
        #expect(lines[0].contains(" - ") || lines[0].contains(age) || lines[0].hasSuffix("-"), "\(columns) \(lines[0])")
      }
    }
  }

  private static let ended = [
    Picture("tape", SamplePairBoards.tapes(1), TapeScreen(), later: 266_000),
    Picture("candles", SamplePairBoards.candles(1), CandleScreen(), later: 266_000),
    Picture("lines", SamplePairBoards.candles(), CandleScreen(), later: 266_000),
    Picture("premium", SamplePairBoards.candles(), CandleScreen(showsPremium: true), later: 266_000),
  ]

  /// Trades and bars of three days ago do not look like those of now.
  @Test(arguments: ended) func oldTradesAndBarsSaySo(_ picture: Picture) {
    for columns in 50...200 {
      for language in Language.allCases {
        let text = picture.frame(ScreenSize(columns: columns, rows: 24), language).text(with: .plain)
        #expect(text.contains(language("the newest 3d old", "마지막 3일 전")), "\(columns) \(text)")
      }
    }
  }

  /// The first line of a screen whose ticker is silent while everything else goes on.
  @Test(
    arguments: [
      (160, "BTC/USDT  Bitcoin  Binance 65000 (http-500, 40s old)", Language.english),
      (60, "BTC/USDT  Binance 65000 (http-500, 40s old)", .english), (40, "BTC/USDT  Binance 65000 (40s)", .english),
      (60, "BTC/USDT  Binance 65000 (http-500, 40초 전)", .korean),
    ])
  func oldPriceIsShown(_ columns: Int, _ title: String, _ language: Language) {
    let board = SamplePairBoards.unpriced(SamplePairBoards.books(1))
    let view = PairView(board, BookScreen(), SamplePairBoards.settings(language))
    let line = view.texts(columns: columns, at: SamplePairBoards.moment(42))[0]
    #expect(line.hasPrefix(title + " "), "\(line)")
  }

  /// A missing price has its reason.
  @Test(arguments: [
    (Result<Ticker, AnswerFailure>.failure(AnswerFailure(.http(500))), "BTC/USDT  Bitcoin  Binance - (http-500) "),
    (
      .success(
        Ticker(
          exchange: "Binance", market: .spot, symbol: "BTCUSDT", pair: SampleResponses.pair, price: .missing(.jsonNull))
      ),
      "BTC/USDT  Bitcoin  Binance - (json-null) "
    ),
  ])
  func missingPriceHasItsReason(_ ticker: Result<Ticker, AnswerFailure>, _ title: String) {
    var board = SamplePairBoards.books(1)
    board.take(.ticker(ticker))
    let view = PairView(board, BookScreen(), SamplePairBoards.settings(.english))
    let text = view.text()
    #expect(text.hasPrefix(title))
  }

  /// If an hours-old rate does not fit, its age still does, since prices are converted at that rate.
  @Test(arguments: [(1, "USD/KRW 1461.50"), (7, "USD/KRW old 7h")]) func oldRateIsShown(_ hours: Int, _ words: String) {
    let pair = Pair(asset: "USD", payment: "KRW")
    var quote = RateQuote(pair, Decimal("1461.50") ?? 0, since: nil, provider: "Dunamu")
    quote.time = SamplePairBoards.moment(-hours * 3600)
    var board = SamplePairBoards.candles()
    board.take(.rate(RateReport(pair: pair, moment: SamplePairBoards.now, quote: quote)))
    var seen = 0
    for width in 30...160 {
      let scene = SamplePairBoards.scene(board, columns: width, rows: 1)
      let line = PairHeader(scene: scene).line.painted(with: .plain)
      #expect(hours < 6 || width < 47 || line.contains("old 7h"), "\(width): \(line)")
      #expect(hours >= 6 || !line.contains("old 1h"), "\(width): \(line)")
      if line.contains(words) { seen += 1 }
    }
    #expect(hours < 6 || seen > 0)
  }

  /// If candles go on and the ticker does not, the newest candle provides the price.
  @Test func newestCandleProvidesThePrice() {
    var board = SamplePairBoards.unpriced(SamplePairBoards.candles(1))
    let series = SampleCandles.series(.oneHour, from: "2026-11-18T03:00:00Z", count: 3, price: 60_000)
    let later = SamplePairBoards.moment(42)
    board.take(.candles(CandleList(series)), at: later)
    #expect(board.sources[0].lastPrice(at: later, .standard)?.price == series.candles.last?.close)
    #expect(board.sources[0].lastPrice(at: later, .standard)?.isOld == false)
  }

  /// A price that no headline takes is marked, and has no premium; so is one that a trade of hours ago would replace.
  @Test func doubtfulPricesAreMarked() {
    func line(_ flags: [Flag]) -> String {
      var board = SamplePairBoards.books()
      for (place, price) in [Decimal(65_000), 66_000].enumerated() {
        var ticker = SamplePairBoards.ticker(price, of: board.sources[place])
        if place == 0 { ticker.flags = flags }
        board.take(.ticker(.success(ticker)), of: place)
      }
      let scene = SamplePairBoards.scene(board, columns: 160, rows: 1)
      return PairHeader(scene: scene).line.painted(with: .plain)
    }
    #expect(line([]).contains("Binance 65000 -   Indodax 66000 -   premium -1.52 %"))
    #expect(line([Flag(.stale, .unreadTime)]).contains("Binance 65000 (stale)  Indodax 66000 -"))
    #expect(!line([Flag(.range, .repeatedMember)]).contains("premium"))
  }

  /// A mark price is what the list that a screen was opened from takes for a price, too.
  @Test(arguments: [(false, true), (true, false)]) func priceFollowsTheRule(_ allowsAny: Bool, _ isMarked: Bool) {
    var board = PairBoard([SamplePairBoards.source("Upbit", "UP")])
    var ticker = SamplePairBoards.ticker(65_000, of: board.sources[0])
    ticker.priceBasis = .mark
    board.take(.ticker(.success(ticker)))
    var settings = SamplePairBoards.settings(.english)
    settings.rule = HeadlineRule(allowsAnyPriceBasis: allowsAny, maximumTradeAgeMilliseconds: nil)
    let scene = PairScene(
      board: board, settings: settings, room: ScreenSize(columns: 80, rows: 1), now: SamplePairBoards.now)
    #expect(PairHeader(scene: scene).line.painted(with: .plain).contains("(mark)") == isMarked)
  }

  @Test func oldTradeGivesWayToTheTicker() throws {
    var board = PairBoard([SamplePairBoards.source("Upbit", "UP")])
    let trade = Trade(time: SamplePairBoards.moment(-10_800), price: 59_000, size: .value(1), side: .buy, id: "1")
    board.take(.trades([trade]))
    #expect(board.sources[0].lastPrice(at: SamplePairBoards.now, .standard)?.age == 10_800_000_000_000)
    board.take(.ticker(.success(SamplePairBoards.ticker(65_000, of: board.sources[0]))))
    #expect(board.sources[0].lastPrice(at: SamplePairBoards.now, .standard)?.price == 65_000)
  }

  /// Bars that were built from others say how many of those are missing, however often answers repeat it.
  @Test func barsWithMissingPartsSaySo() throws {
    let now = SamplePairBoards.now
    let hours = SampleCandles.series(.oneHour, from: "2026-11-16T00:00:00Z", count: 53, missing: [10])
    let built = hours.built(on: CandleGrid(.fourHours), reachesBack: true, now: now).requested(at: now)
    var board = PairBoard([SamplePairBoards.source("Binance", "BN")], interval: .fourHours)
    for _ in 0..<3 { board.take(.candles(CandleList(built)), at: now) }
    #expect(board.sources[0].candles?.sourceGaps == built.sourceGaps)
    let view = PairView(board, CandleScreen(), SamplePairBoards.settings(.english))
    let text = view.text(columns: 160, at: now)
    #expect(text.contains("the last 12m missing  built without 1 of 1h"), "\(text)")
  }

  /// A book that is far from its own last price, or of another coin than the others, says so.
  @Test func bookOfAnotherUnitIsFlagged() {
    var board = SamplePairBoards.apart(candles: false)
    board.take(.ticker(.success(SamplePairBoards.ticker(91_000, of: board.sources[1]))), of: 1)
    let scene = SamplePairBoards.scene(board, columns: 160)
    let text = BookScreen().texts(in: scene).joined(separator: "\n")
    #expect(text.contains("identity book-far"), "\(text)")
  }

  /// The last book of an exchange that has failed fills no order and enters no file as if it were current.
  @Test func failedBookFillsNoOrder() throws {
    let board = SamplePairBoards.failed(.http(500), SamplePairBoards.books(), retry: 5)
    let scene = SamplePairBoards.scene(board, columns: 160, rows: 40)
    let screen = BookScreen(order: 2)
    let text = screen.texts(in: scene).joined(separator: "\n")
    #expect(text.contains("order of 2 BTC") && !text.contains("buy Binance") && !text.contains("sell Binance"))
    let saved = String(decoding: try #require(screen.saved(as: .json, scene)), as: UTF8.self)
    #expect(saved.contains("http-500") && !saved.contains("9223372036854775807"))
  }

  /// However much there is to say about an order, the lowest screen has a level of the book.
  @Test(arguments: [40, 80])
  func lowScreenOfOrderHasALevel(_ columns: Int) {
    let scene = SamplePairBoards.scene(SamplePairBoards.books(1), columns: columns, rows: 6)
    func lines(_ order: Decimal?) -> [String] {
      BookScreen(order: order).texts(in: scene)
    }
    let (plain, ordered) = (lines(nil), lines(Decimal("0.1")))
    #expect(ordered.count == 6 && Array(ordered.prefix(4)) == Array(plain.prefix(4)), "\(ordered)")
    #expect(ordered[3].split(separator: " ").first.flatMap { Decimal(String($0)) } != nil, "\(ordered)")
    #expect(ordered[4].hasPrefix("order of 0.1"), "\(ordered)")
  }

  /// A book with a time of long ago, however it was received, is marked and enters no round trip.
  @Test func staleBookEntersNoRoundTrip() throws {
    var board = SamplePairBoards.books()
    let book = try #require(board.sources[0].book)
    let flag = Flag(.stale, .old(.orderBook, nanoseconds: 10 * Instant.minute, limitMilliseconds: 60_000))
    let old = OrderBook(inOrder: book.bids, book.asks, time: book.time, sequence: nil, flags: [flag])
    board.take(.orderbook(old))
    let scene = SamplePairBoards.scene(board, columns: 160, rows: 40)
    let text = BookScreen(order: Decimal("0.1")).texts(in: scene).joined(separator: "\n")
    for part in [
      "poll 1s stale", "Binance: left out, stale: its order book is 10 min old, more than 60 s",
      "no two books can be compared",
    ] {
      #expect(text.contains(part), "\(part)")
    }
    #expect(!text.contains("before fees"))
  }

  /// So is one that becomes old while nothing newer arrives: the first is of half a second ago, the second of 20 s.
  @Test(arguments: [(40, [false, false]), (41, [false, true]), (59, [false, true]), (60, [true, true])])
  func silentBookBecomesStale(_ seconds: Int, _ isStale: [Bool]) throws {
    let board = SamplePairBoards.books()
    let now = SamplePairBoards.moment(seconds)
    let scene = SamplePairBoards.scene(board, columns: 160, rows: 40, at: now)
    let screen = BookScreen(order: Decimal("0.1"))
    let lines = screen.texts(in: scene)
    #expect([lines[0].prefix(78), lines[0].dropFirst(78)].map { $0.contains(" stale") } == isStale)
    #expect(lines.contains { $0.contains("before fees") } == !isStale.contains(true))
    let saved = String(decoding: try #require(screen.saved(as: .json, scene)), as: UTF8.self)
    #expect(saved.contains("more than 60 s") == isStale.contains(true))
    var log = PairLog(.orderbook, SamplePairBoards.settings(.english), everyMilliseconds: 0)
    #expect(log.lines(board, at: now).map { $0.hasSuffix(" stale") } == isStale)
  }

  /// What was refused has its time, where there is room.
  @Test(arguments: [
    (80, Language.english, "Upbit spot, refused: stream-bad at 14:12:07, poll 1s, buys 98.1 %, 9+ a minute"),
    (80, .korean, "Upbit 현물, 14:12:07 거부: stream-bad, 조회 1초, 매수 98.1 %, 1분에 9+건"),
    (40, .english, "Upbit, refused: stream-bad, poll 1s"),
  ])
  func refusalHasItsTime(_ columns: Int, _ language: Language, _ status: String) {
    let scene = SamplePairBoards.scene(SamplePairBoards.refused(SamplePairBoards.tapes(1)), columns: columns, language)
    #expect(TapeScreen().texts(in: scene)[0] == status)
  }

  /// No problem displaces another, nor the age of a dead feed: what has no room goes on the next line.
  @Test(arguments: [
    (80, ["Upbit, left out: trade-time, older trades: http-500, failed: timeout, 40s old"]),
    (40, ["Upbit, left out: trade-time", "older trades: http-500, failed 40s"]),
  ])
  func problemsTakeLines(_ columns: Int, _ status: [String]) {
    let board = SamplePairBoards.unfilled(SamplePairBoards.doubtful(SamplePairBoards.tapes(1)))
    let failed = SamplePairBoards.failed(.timeout, board, retry: 45)
    let scene = SamplePairBoards.scene(failed, columns: columns, at: SamplePairBoards.moment(42))
    let lines = TapeScreen().texts(in: scene)
    #expect(Array(lines.prefix(status.count)) == status)
    #expect(lines.count == 24)
  }

  /// A retry that has begun is not still to come.
  @Test(arguments: [
    (4, Language.english, "failed: timeout, again in 1s"), (5, .english, "failed: timeout, retrying"),
    (5, .korean, "실패: timeout, 재시도 중"),
  ])
  func retryHasBegun(_ seconds: Int, _ language: Language, _ state: String) {
    let board = SamplePairBoards.failed(.timeout, SamplePairBoards.books(1), retry: 5)
    let now = SamplePairBoards.moment(seconds)
    #expect(board.sources[0].feedTexts(language, at: now)[0].painted(with: .plain) == state)
  }

  @Test func singleBar() {
    let view = SamplePairBoards.view(SamplePairBoards.candles(1, bars: 1), CandleScreen(), []).view
    #expect(view.texts()[1].hasPrefix("Binance spot 1h  1 bar from 2026-11-18 14:00 KST  poll 1s"))
  }

  /// An old trade that arrives late is neither the price nor part of any sum.
  @Test func lateTradeIsInNoSum() {
    func lines(_ board: PairBoard) -> [String] {
      let scene = SamplePairBoards.scene(board, columns: 100, rows: 30)
      return TapeScreen().texts(in: scene).filter { !$0.isEmpty }
    }
    func sums(_ lines: [String]) -> [Substring] { lines[0].split(separator: ", ").filter { $0.contains("buys") } }
    func bars(_ lines: [String]) -> Int { lines.count { $0.contains("█") || $0.contains("░") } }
    var board = SamplePairBoards.tapes(1)
    let before = lines(board)
    let price = board.sources[0].lastPrice(at: SamplePairBoards.now, .standard)?.price
    let late = Trade(time: SamplePairBoards.moment(-4020), price: 108_698_000, size: .value(1000), side: .buy, id: "0")
    board.take(.trades([late]), isStreamed: true)
    let after = lines(board)
    #expect(board.sources[0].lastPrice(at: SamplePairBoards.now, .standard)?.price == price)
    #expect(after.count == before.count + 1 && after.last?.contains("108698000") == true)
    #expect(sums(after) == sums(before) && !sums(after).isEmpty)
    #expect(bars(after) == bars(before))
  }

  /// A trade with a time to come is neither the price, nor the close of the day, nor part of any sum, and is marked as
  /// long as it is on the tape, also when its time has come.
  @Test(arguments: [61, 1800]) func tradeToComeIsNoPrice(_ seconds: Int) {
    func trade(_ second: Int, _ price: Decimal) -> Trade {
      Trade(time: SamplePairBoards.moment(second), price: price, size: .value(1), side: .buy, id: "\(second)")
    }
    let now = SamplePairBoards.moment(seconds)
    var board = PairBoard([SamplePairBoards.source("Upbit", "UP"), SamplePairBoards.source("Gate", "GT")])
    let days = SampleCandles.series(.oneDay, from: "2026-11-10T00:00:00Z", count: 9, price: 91_000)
    board.take(.days(.success(CandleList(days))))
    let first = trade(-60, 91_450)
    for (place, all) in [[first, trade(600, 85_111)], [first]].enumerated() {
      board.take(.trades(all), of: place)
      board.take(.trades([first, trade(seconds - 2, 91_500)]), of: place, at: now)
    }
    let view = PairView(board, TapeScreen(), SamplePairBoards.settings(.english))
    let lines = view.texts(columns: 160, rows: 12, at: now)
    #expect(lines[0].contains("Upbit 91500  Gate 91500  premium +0.00 %"), "\(lines[0])")
    #expect(lines[1].hasPrefix("Upbit spot, trade-time, poll 1s"), "\(lines[1])")
    #expect(board.sources[0].days(at: now, .standard)?.answer.value?.candles.last?.close == 91_500)
  }

  /// At any size, there are as many lines as rows, and none is wider than the screen.
  @Test(arguments: pictures) func everySize(_ picture: Picture) {
    for columns in Array(1...41) + Array(stride(from: 42, through: 200, by: 7)) {
      for rows in [1, 2, 7, 8, 9, 11, 16, 24, 60] {
        let frame = picture.frame(ScreenSize(columns: columns, rows: rows), columns % 2 == 0 ? .english : .korean)
        #expect(frame.lines.count == rows, "\(columns)x\(rows)")
        let widest = frame.lines.map(\.width).max() ?? 0
        #expect(widest <= columns, "\(columns)x\(rows)")
      }
    }
  }
}
