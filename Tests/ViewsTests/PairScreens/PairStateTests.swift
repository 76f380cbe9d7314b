import Config
import Mapping
import MarketData
import Quotes
import Terminal
import TestSupport
import Testing

@testable import Views

/// The effect of keys and events on the live screens of one pair.
@Suite struct PairStateTests {
  // MARK: Order books

  /// The last price stands beside the spread, with its age once it is old, and with what keeps it out of headlines; without
  /// a ticker there is none, nor if its price is not a last one.
  @Test(arguments: [(0, "last 65000"), (42, "last 65000 (40s)")]) func bookHasLastPrice(_ seconds: Int, _ last: String)
  {
    func ticker(_ basis: PriceBasis, volume: Decimal? = nil) -> PairBoard {
      var board = SamplePairBoards.books(1)
      var ticker = SamplePairBoards.ticker(65_000, of: board.sources[0])
      ticker.priceBasis = basis
      if let volume { ticker.volume24 = .value(volume) }
      board.take(.ticker(.success(ticker)))
      let later = SamplePairBoards.moment(seconds)
      if let book = board.sources[0].book { board.take(.orderbook(book), at: later) }
      return board
    }
    func spread(_ board: PairBoard) -> String? {
      SamplePairBoards.view(board, BookScreen(), []).view.texts(columns: 120, at: SamplePairBoards.moment(seconds))
        .first { $0.contains("spread ") }
    }
    let board = SamplePairBoards.books(1)
    #expect(spread(SamplePairBoards.unpriced(board))?.hasSuffix("  \(last)") == true)
    #expect(spread(board)?.contains("last ") == false)
    #expect(spread(ticker(.mid))?.contains("last ") == false)
    let age = seconds == 0 ? "" : ", 40s"
    #expect(spread(ticker(.last, volume: 0))?.hasSuffix("  last 65000 (old-trade\(age))") == true)
  }

  @Test(arguments: [
    ([Key]("+"), "0.2"), ([Key]("++"), "0.5"), ([Key]("+++"), "1"), ([Key]("++-"), "0.2"), ([Key]("+-"), nil),
    ([Key]("-"), nil),
  ])
  func step(_ keys: [Key], _ step: String?) {
    #expect(SamplePairBoards.view(SamplePairBoards.books(), BookScreen(), keys).view.screen.step?.shortest == step)
  }

  /// A step never becomes as large as the price.
  @Test func stepsStayBelowPrice() {
    let view = SamplePairBoards.view(SamplePairBoards.books(1), BookScreen(), Array(repeating: "+", count: 60)).view
    #expect(view.screen.step?.shortest == "50000")
  }

  @Test(arguments: [
    ([Key]("z0.5") + [Key(.enter)], "0.5", false), ([Key]("z1,000") + [Key(.enter)], "1000", false),
    ([Key]("z0") + [Key(.enter)], nil, true), ([Key]("z-1") + [Key(.enter)], nil, true),
    ([Key]("z5x") + [Key(.enter)], nil, true), ([Key]("z5") + [Key(.escape)], nil, false),
    ([Key]("z5") + [Key(.enter), "z", Key(.backspace), Key(.enter)], nil, false),
    ([Key]("z5") + [Key(.enter), Key(.escape)], nil, false),
    ([Key]("zq") + [Key(.backspace), "7", Key(.enter)], "7", false),
  ])
  func order(_ keys: [Key], _ order: String?, _ isOpen: Bool) {
    let (view, effects) = SamplePairBoards.view(SamplePairBoards.books(), BookScreen(), keys)
    #expect(view.screen.order?.shortest == order)
    #expect(view.isLineOpen == isOpen)
    #expect(effects == [])
  }

  @Test func pastesIntoTheLine() {
    var view = SamplePairBoards.view(SamplePairBoards.books(), BookScreen(), ["z"]).view
    view.paste("0.25\n")
    _ = view.press(Key(.enter))
    #expect(view.screen.order?.shortest == "0.25")
  }

  /// Both, then each individually; without room for both, the first one is shown first.
  @Test(arguments: [(160, [0, 1, 0, 0]), (80, [1, 0, 1, 0])])
  func oKeyCyclesThroughBooks(_ columns: Int, _ expected: [Int]) {
    var view = SamplePairBoards.view(SamplePairBoards.books(), BookScreen(), []).view
    var sources: [Int] = []
    for _ in 0..<4 {
      _ = view.press("o", ScreenSize(columns: columns, rows: 24), at: SamplePairBoards.now)
      sources.append(view.screen.choice.source)
    }
    #expect(sources == expected)
  }

  /// Books in two currencies have no round trip; where there is no room to say so, what the order costs is still shown.
  @Test(arguments: [(18, [0, 1, 2, 3, 4, 5]), (16, [0, 1, 2, 3, 4]), (12, [0, 1, 2, 3])])
  func orderInTwoCurrencies(_ rows: Int, _ places: [Int]) {
    let whole = [
      "order of 1 BTC", "  buy Binance ", "  sell Binance ", "  buy Upbit ", "  sell Upbit ", "  no two exchanges ",
    ]
    var board = PairBoard([
      SamplePairBoards.source("Binance", "BN"),
      SamplePairBoards.source("Upbit", "UP", Pair(asset: "BTC", payment: "KRW")),
    ])
    for (place, price) in [Decimal(91_000), 133_000_000].enumerated() {
      let book = OrderBook(bids: [.init(price: price, size: 9)], asks: [.init(price: price + 1, size: 9)])
      board.take(.orderbook(book), of: place)
    }
    let scene = SamplePairBoards.scene(board, columns: 100, rows: rows)
    let lines = BookScreen(order: 1).texts(in: scene)
    let shown = Array(lines.drop { !$0.hasPrefix("order of") })
    #expect(shown.count == places.count && zip(shown, places).allSatisfy { $0.hasPrefix(whole[$1]) }, "\(shown)")
  }

  /// The wheel scrolls a tape, and moves a chart into its past.
  @Test func wheelScrolls() {
    var tape = SamplePairBoards.view(SamplePairBoards.tapes(1), TapeScreen(), []).view
    _ = tape.scroll(up: false, SamplePairBoards.size, at: SamplePairBoards.now)
    #expect(tape.screen.offset == 3)
    _ = tape.scroll(up: true, SamplePairBoards.size, at: SamplePairBoards.now)
    #expect(tape.screen.offset == 0)
    var chart = SamplePairBoards.view(SamplePairBoards.candles(1), CandleScreen(), []).view
    _ = chart.scroll(up: true, SamplePairBoards.size, at: SamplePairBoards.now)
    #expect(chart.screen.hair.map { $0 < SamplePairBoards.now } == true)
    tape.say(LiveText.notice(of: .mouseSwitched(true), .english) ?? "")
    #expect(tape.text().contains("the mouse is on"))
  }

  // MARK: Pages

  /// `u` opens the page of the displayed source, and repeated that of the next; any other key resets this.
  @Test(arguments: [
    ([Key]("u"), [0]), ([Key]("uuu"), [0, 1, 0]), ([Key]("u u"), [0, 0]), ([Key]("ouu"), [1, 0]),
    ([Key]("zu"), []), ([Key]("?u"), []),
  ])
  func pages(_ keys: [Key], _ expected: [Int]) throws {
    var view = SamplePairBoards.view(SamplePairBoards.books(), BookScreen(), []).view
    let page = try #require(Hyperlink("https://exchange.test/trade/BTC_USDT"))
    var asked: [Int] = []
    for key in keys {
      for case .page(let place) in view.press(key) {
        asked.append(place)
        view.takePage(page, ofSource: place)
      }
    }
    #expect(asked == expected)
  }

  /// The address is above the keys until the next keystroke, truncated like any text, but the link is complete.
  @Test(arguments: [40, 60, 120]) func showsThePage(_ columns: Int) throws {
    let size = ScreenSize(columns: columns, rows: 24)
    let link = try #require(Hyperlink("https://exchange.test/trade/BTC_USDT?" + String(repeating: "x", count: 40)))
    var view = SamplePairBoards.view(SamplePairBoards.books(), BookScreen(), []).view
    view.takePage(link, ofSource: 0)
    let line = view.frame(in: size, at: SamplePairBoards.now).lines[22]
    #expect(line == StyledText(link, .heading).shortened(to: columns))
    #expect(line.runs.map(\.link) == [link])
    _ = view.press("+", size, at: SamplePairBoards.now)
    #expect(view.frame(in: size, at: SamplePairBoards.now).lines.flatMap(\.runs).allSatisfy { $0.link == nil })
    view.takePage(nil, ofSource: 0)
    #expect(
      view.frame(in: size, at: SamplePairBoards.now).lines[22]
        == StyledText("the config has no page for Binance", .warning))
  }

  // MARK: Leaving and freezing

  @Test(arguments: [
    ([Key]("q"), true), ([Key(.escape)], true), ([Key]("?") + ["x"], false), ([Key]("?q"), true), ([Key]("z"), false),
  ])
  func quits(_ keys: [Key], _ ends: Bool) {
    #expect(SamplePairBoards.view(SamplePairBoards.tapes(), TapeScreen(), keys).effects.contains(.quit) == ends)
  }

  /// A frozen picture stays, and shows how much is waiting; afterwards all of it appears.
  @Test func freezes() throws {
    var view = SamplePairBoards.view(SamplePairBoards.books(1), BookScreen(), [" "]).view
    let before = view.frame(in: SamplePairBoards.size, at: SamplePairBoards.now).lines.dropLast(2)
    let other = try #require(SampleResponses.indodax.value)
    let book = OrderBook(bids: other.bids, asks: other.asks)
    _ = view.take([PairEvent(source: 0, .orderbook(book), arrival: SamplePairBoards.now)], SamplePairBoards.size)
    let frozen = view.frame(in: SamplePairBoards.size, at: SamplePairBoards.moment(3)).lines
    #expect(Array(frozen[1...].dropLast(2)) == Array(before.dropFirst()))
    #expect(frozen[22] == StyledText("FROZEN 14:12:07  3s ago, 1 change waits   Space resumes", .warning))
    _ = view.press(" ")
    #expect(view.text().contains("91612"))
  }

  /// Time alone changes nothing of a frozen picture but the clock and the line that says how long it has been frozen.
  @Test func frozenPictureDoesNotAge() {
    func texts(_ board: PairBoard, _ screen: some LivePairScreen) -> [[String]] {
      let view = SamplePairBoards.view(board, screen, [" "]).view
      return [0, 45, 7200].map { seconds in
        view.texts(columns: 120, rows: 30, at: SamplePairBoards.moment(seconds))
      }
    }
    let pictures = [
      texts(SamplePairBoards.books(), BookScreen(order: Decimal("0.1"))),
      texts(SamplePairBoards.tapes(), TapeScreen()), texts(SamplePairBoards.tapes(1), TapeScreen(showsDays: true)),
      texts(SamplePairBoards.candles(), CandleScreen(showsPremium: true)),
    ]
    for picture in pictures {
      for later in picture.dropFirst() {
        #expect(later[1...].filter { !$0.hasPrefix("FROZEN") } == picture[0][1...].filter { !$0.hasPrefix("FROZEN") })
        #expect(later[0].dropLast(8) == picture[0][0].dropLast(8) && later[0] != picture[0][0])
      }
      #expect(picture[1].contains { $0.hasPrefix("FROZEN 14:12:07  45s ago") })
    }
  }

  @Test func hangulInputShowsAHint() {
    var view = SamplePairBoards.view(SamplePairBoards.tapes(), TapeScreen(), []).view
    view.say(LiveText.notice(of: .hangulIsOn, .english) ?? "")
    #expect(view.text().contains("한/영"))
    _ = view.press("j")
    #expect(!view.text().contains("한/영"))
  }

  // MARK: Tapes

  @Test(arguments: [
    ([Key]("j"), 1), ([Key]("jjk"), 1), ([Key]("k"), 0), ([Key]("jjg"), 0), ([Key(.pageDown)], 8),
    ([Key]("jj") + [Key(.escape)], 0),
  ])
  func moves(_ keys: [Key], _ offset: Int) {
    #expect(SamplePairBoards.view(SamplePairBoards.tapes(1), TapeScreen(), keys).view.screen.offset == offset)
  }

  /// The trades being read stay in place while new ones arrive; at the top, new ones push them down.
  @Test func newTradesDoNotMoveTheView() {
    let trade = Trade(time: SamplePairBoards.moment(1), price: 134_513_000, size: .value(1), side: .buy, id: "10")
    for (keys, offset) in [([Key]("jj"), 3), ([], 0)] {
      var view = SamplePairBoards.view(SamplePairBoards.tapes(1), TapeScreen(), keys).view
      // A response contains the newest again.
      let all = (SampleResponses.upbit.value ?? []) + [trade]
      _ = view.take([PairEvent(source: 0, .trades(all), arrival: SamplePairBoards.now)], SamplePairBoards.size)
      #expect(view.screen.offset == offset)
      #expect(view.board.sources[0].trades.count == 10)
    }
  }

  /// Trades that the filter hides do not move it, and another filter begins at the newest.
  @Test(arguments: [("+jj", "0.001", 2), ("+jj", "0.01", 3), ("jj+", "1", 0), ("+jj-", "1", 0)])
  func hiddenTradesDoNotMoveTheView(_ keys: String, _ size: String, _ offset: Int) throws {
    let trade = Trade(
      time: SamplePairBoards.moment(1), price: 134_513_000,
      size: .value(try #require(Decimal(size))), side: .buy, id: "10")
    var view = SamplePairBoards.view(SamplePairBoards.tapes(1), TapeScreen(), [Key](keys)).view
    let all = (SampleResponses.upbit.value ?? []) + [trade]
    _ = view.take([PairEvent(source: 0, .trades(all), arrival: SamplePairBoards.now)], SamplePairBoards.size)
    #expect(view.screen.offset == offset)
  }

  /// A tape that the filter empties says so.
  @Test func emptyTapeSaysWhy() {
    let screen = TapeScreen(least: 1000)
    let view = SamplePairBoards.view(SamplePairBoards.tapes(), screen, ["o"]).view
    #expect(view.text().contains("\n  no trade of 1000 BTC or more\n"))
  }

  @Test(arguments: [
    ([Key]("+"), "0.01"), ([Key]("++"), "0.02"), ([Key]("+++"), "0.05"), ([Key]("+-"), nil), ([Key]("-"), nil),
  ])
  func smallestTradeSize(_ keys: [Key], _ size: String?) {
    #expect(SamplePairBoards.view(SamplePairBoards.tapes(1), TapeScreen(), keys).view.screen.least?.shortest == size)
  }

  // MARK: Lines

  @Test func plainLines() {
    var log = PairLog(.orderbook, SamplePairBoards.settings(.english), everyMilliseconds: 10_000)
    var board = SamplePairBoards.books()
    #expect(
      log.lines(board, at: SamplePairBoards.now) == [
        "14:12:07 Binance BTC/USDT ask 91542.4 bid 91542.3 spread 0.1 (0.0001 %) bids 81.3 : 18.7",
        "14:12:07 Indodax BTC/USDT ask 91612 bid 91587 spread 25 (0.027 %) bids 62.3 : 37.7",
      ])
    #expect(log.lines(board, at: SamplePairBoards.moment(20)) == [])
    board = SamplePairBoards.failed(.timeout, board, retry: 1)
    #expect(log.lines(board, at: SamplePairBoards.moment(30)) == ["14:12:37 Binance failed: timeout"])
    board.take(.orderbook(OrderBook(bids: [], asks: [])))
    #expect(
      log.lines(board, at: SamplePairBoards.moment(31)) == [
        "14:12:38 Binance poll", "14:12:38 Binance BTC/USDT ask - bid -",
      ])
  }

  /// An object is due when one of its figures has changed: also a size, which no line has, but not a time alone.
  @Test func changedBooksAreDue() {
    var (lines, objects) = (
      PairLog(.orderbook, SamplePairBoards.settings(.english), everyMilliseconds: 0),
      PairLog(.orderbook, SamplePairBoards.settings(.english), everyMilliseconds: 0)
    )
    var board = PairBoard([SamplePairBoards.source("Binance", "BN")])
    let (first, now) = (SamplePairBoards.moment(-2), SamplePairBoards.now)
    let books: [(best: Decimal, next: Decimal, time: Instant, isLine: Bool, isObject: Bool)] = [
      (2, 5, first, true, true), (2, 5, now, false, false), (4, 5, now, false, true), (4, 9, now, false, false),
    ]
    for (best, next, time, isLine, isObject) in books {
      let bids = [OrderBook.Level(price: 100, size: best), OrderBook.Level(price: 99, size: next)]
      board.take(.orderbook(OrderBook(bids: bids, asks: [], time: time)), at: now)
      #expect(lines.lines(board, at: now).count == (isLine ? 1 : 0))
      let written = String(decoding: objects.objects(board, at: now), as: UTF8.self)
      #expect(written.contains(#""bidSize":"\#(best)""#) == isObject)
      #expect(written.isEmpty == !isObject)
    }
  }

  /// A book says when it was, or why it does not, and what is wrong with that.
  @Test func booksAsObjects() throws {
    var log = PairLog(.orderbook, SamplePairBoards.settings(.english), everyMilliseconds: 0)
    var board = PairBoard([SamplePairBoards.source("Binance", "BN")])
    func line(_ price: Decimal, _ time: Instant?, _ flags: [Flag] = [], isPlain: Bool = false) -> String {
      let book = OrderBook(bids: [OrderBook.Level(price: price, size: 1)], asks: [], time: time, flags: flags)
      board.take(.orderbook(book))
      if isPlain { return log.lines(board, at: SamplePairBoards.now).joined() }
      return String(decoding: log.objects(board, at: SamplePairBoards.now), as: UTF8.self)
    }
    let old = SamplePairBoards.moment(-600)
    let end = #""sequence":null,"flags":"#
    #expect(line(1, nil).contains(#""bookTime":null,\#(end)[],"reasons":{"bookTime":"not-offered"}}"#))
    #expect(line(2, nil, [Flag(.time, .unreadTime)]).contains(#""bookTime":null,\#(end)["time"],"reasons":{}}"#))
    let stale = [Flag(.stale, .unreadTime)]
    #expect(line(3, old, stale).contains(#""bookTime":"\#(old.iso8601)",\#(end)["stale"],"reasons":{}}"#))
    #expect(line(4, old, stale, isPlain: true).hasSuffix("ask - bid 4 bids 100.0 : 0.0 stale"))
  }

  /// Each trade once, however often responses contain it.
  @Test func tradesAsObjects() throws {
    var log = PairLog(.trades, SamplePairBoards.settings(.english), everyMilliseconds: 0)
    var board = SamplePairBoards.tapes(1)
    let first = String(decoding: log.objects(board, at: SamplePairBoards.now), as: UTF8.self).split(separator: "\n")
    #expect(first.count == 9)
    #expect(
      first[8]
        == #"{"type":"trade","seq":9,"time":"2026-11-18T05:12:07.092Z","exchange":"Upbit","market":"spot","pair":"BTC/KRW","price":"134512000","size":null,"side":"buy","id":"9","reasons":{"size":"lookup-miss"}}"#
    )
    board.take(.trades(SampleResponses.upbit.value ?? []))
    #expect(log.objects(board, at: SamplePairBoards.now) == [])
    // A response that does not reach back to them.
    let later = SamplePairBoards.moment(5)
    let new = Trade(time: later, price: 1, size: .value(2), side: .sell, id: "90")
    board.take(.trades([new]), at: later)
    var plain = PairLog(.trades, SamplePairBoards.settings(.english), everyMilliseconds: 0)
    #expect(
      plain.lines(board, at: later).suffix(2) == [
        "14:12:12 Upbit BTC/KRW missed an unknown number of trades", "14:12:12 Upbit BTC/KRW sell 1 2",
      ])
    #expect(
      String(decoding: log.objects(board, at: later), as: UTF8.self).split(separator: "\n") == [
        #"{"type":"missed","seq":10,"time":"2026-11-18T05:12:12Z","exchange":"Upbit","market":"spot","pair":"BTC/KRW","count":null}"#,
        #"{"type":"trade","seq":11,"time":"2026-11-18T05:12:12Z","exchange":"Upbit","market":"spot","pair":"BTC/KRW","price":"1","size":"2","side":"sell","id":"90","reasons":{}}"#,
      ])
  }

  /// Impossible stream data and missing history are reported once.
  @Test func doubtsAreReportedOnce() {
    let board = SamplePairBoards.unfilled(SamplePairBoards.doubtful(SamplePairBoards.tapes(1)))
    var log = PairLog(.trades, SamplePairBoards.settings(.english), everyMilliseconds: 0)
    let finding =
      "trade-time: a trade at 2026-11-19T05:12:07Z arrived at 2026-11-18T05:12:07Z: check unit and zone"
    #expect(
      log.lines(board, at: SamplePairBoards.now).prefix(3) == [
        "14:12:07 Upbit stream, without what came before: http-500", "14:12:07 Upbit left out: \(finding)",
        "14:11:56 Upbit BTC/KRW buy 134511000 0.0291",
      ])
    #expect(log.lines(board, at: SamplePairBoards.now) == [])
    var objects = PairLog(.trades, SamplePairBoards.settings(.english), everyMilliseconds: 0)
    let lines = String(decoding: objects.objects(board, at: SamplePairBoards.now), as: UTF8.self).split(separator: "\n")
    #expect(
      lines[1]
        == #"{"type":"finding","seq":2,"time":"2026-11-18T05:12:07Z","exchange":"Upbit","market":"spot","pair":"BTC/KRW","code":"trade-time","message":"a trade at 2026-11-19T05:12:07Z arrived at 2026-11-18T05:12:07Z: check unit and zone","leftOut":true}"#
    )
  }

  /// So are unreadable messages.
  @Test func unreadableMessagesAreReportedOnce() {
    let board = SamplePairBoards.refused(SamplePairBoards.tapes(1))
    var log = PairLog(.trades, SamplePairBoards.settings(.english), everyMilliseconds: 0)
    #expect(
      log.lines(board, at: SamplePairBoards.now).first
        == "14:12:07 Upbit refused: stream-bad: bytes that are neither text nor compressed text")
    #expect(log.lines(board, at: SamplePairBoards.now) == [])
    var objects = PairLog(.trades, SamplePairBoards.settings(.english), everyMilliseconds: 0)
    #expect(
      String(decoding: objects.objects(board, at: SamplePairBoards.now), as: UTF8.self).split(separator: "\n").first
        == #"{"type":"refused","seq":1,"time":"2026-11-18T05:12:07Z","exchange":"Upbit","market":"spot","pair":"BTC/KRW","reason":"stream-bad","message":"bytes that are neither text nor compressed text"}"#
    )
  }

  @Test func rowsThatAreNoTradesAreSaid() {
    var board = SamplePairBoards.tapes(1)
    board.take(.trades([], incomplete: 2))
    #expect(board.sources[0].problem?.message == "2 rows lack a price or a time")
  }
}

extension [Key] {
  init(_ text: String) { self = text.map { Key(.character($0)) } }
}
