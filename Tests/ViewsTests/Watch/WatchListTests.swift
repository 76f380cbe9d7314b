import Mapping
import MarketData
import Quotes
import Synchronization
import Terminal
import TestSupport
import Testing

@testable import Views

/// `market list --watch`: all pairs of a market on a live screen, drawn from the shipped recordings.
@Suite struct WatchListTests {
  private static let upbit = Task { try await Listed("Upbit") }
  private static let everybody = Task { try await Listed(nil) }

  /// The tables of one exchange, or of all, after they have responded.
  struct Listed {
    let replay: WatchReplay
    let names: AssetNames
    let exchange: String?

    init(_ exchange: String?) async throws {
      replay = try await WatchReplay([], tables: WholeTables(.spot, of: exchange.map { [$0] }))
      names = await replay.session.assetNames()
      self.exchange = exchange
    }

    /// - Parameters:
    ///   - failure: why every exchange fails since it has answered; nil if none does.
    ///   - trends: nil for those of the pairs with the largest turnover.
    func board(
      _ language: Language = .english, later seconds: Int = 0, failing failure: AnswerFailure? = nil,
      trends: [RowKey: TrendReading]? = nil
    ) -> WatchBoard {
      let feeds = replay.board.feeds.map { feed in
        var feed = feed
        feed.failure = failure.map { FeedState.Failure($0, since: replay.now, tries: 3, isPartial: false) }
        return feed
      }
      let state = failure == nil ? replay.board : BoardState(feeds: feeds, rate: replay.board.rate)
      func board(_ trends: [RowKey: TrendReading]?) -> WatchBoard {
        var settings = WatchReplay.settings(language)
        settings.names = [:]
        settings.assetNames = names
        settings.list = ListedMarket(.spot, of: exchange, digits: .short)
        settings.trends = trends
        return WatchBoard(state, pairs: [], at: replay.now.advanced(by: .seconds(seconds)), settings)
      }
      let known = trends ?? board(nil).listing.map { PairListTests.trends($0, at: replay.now) }
      return board(known)
    }
  }

  private static func listed(_ exchange: String?) async throws -> Listed {
    exchange == nil ? try await everybody.value : try await upbit.value
  }

  private static let favorites = Favorites([
    Pair(asset: "BTC", payment: "KRW"), Pair(asset: "XRP", payment: "KRW"),
  ])

  private static func state(_ sort: ListSort = .turnover) -> WatchState {
    WatchState(listSortedBy: sort, isReversed: false, filter: "", favorites: favorites)
  }

  /// Returns the state after some keys.
  private static func pressed(_ keys: String, on board: WatchBoard, sort: ListSort = .turnover) -> WatchState {
    var state = state(sort)
    state.take(board)
    for character in keys {
      if state.line != nil {
        _ = state.type(Key(character == "\r" ? .enter : .character(character)), board, page: 10)
      } else if let command = WatchKey.command(character) {
        _ = state.perform(command, board, page: 10)
      }
    }
    state.take(board)
    return state
  }

  private static func names(_ state: WatchState, _ count: Int = 3) -> String {
    state.visible.prefix(count).map(\.description).joined(separator: " ")
  }

  // MARK: Rendering

  @Test(arguments: ["Upbit", nil], [(60, 20), (80, 24), (160, 50)])
  func golden(_ exchange: String?, _ size: (Int, Int)) async throws {
    let listed = try await Self.listed(exchange)
    for language in Language.allCases {
      let board = listed.board(language)
      let sections = [("list", ""), ("narrowed", "]jjw4"), ("filter", "/ㅂㅌ"), ("nothing", "/bitcoim\r"), ("help", "?")]
      let text = sections.map { name, keys in
        let state = Self.pressed(keys, on: board)
        let frame = WatchScreen(board, state, ScreenSize(columns: size.0, rows: size.1)).frame()
        #expect(frame.lines.count == size.1)
        #expect(frame.lines.allSatisfy { $0.width <= size.0 })
        return "==== \(name)\n" + frame.texts.map { $0 + "\n" }.joined()
      }.joined()
      let name = "list-\(exchange == nil ? "all" : "upbit")-\(size.0)x\(size.1)-\(language.rawValue)"
      Golden.expect(text, matches: "\(name).txt")
    }
  }

  /// Data not confirmed for long is dim, with its age beside it; the header shows the state of the feeds.
  @Test(arguments: ["Upbit", nil]) func oldRowsAreDim(_ exchange: String?) async throws {
    let board = try await Self.listed(exchange).board(later: 125)
    let (pair, price) = exchange == nil ? ("BTC/USDT", "91542.31") : ("BTC/KRW", "134512000")
    let state = Self.pressed("/\(pair)\r", on: board)
    let frame = WatchScreen(board, state, ScreenSize(columns: 160, rows: 50)).frame()
    let row = try #require(frame.lines.first { $0.runs.map(\.text).joined().contains("▸") })
    #expect(row.runs.map(\.text).joined().trimmed.hasSuffix(" 2m"))
    #expect(row.runs.first { $0.text.contains(price) }?.style == .dim)
    #expect(frame.lines.contains { $0.runs.contains { $0.text.hasSuffix(" stale") && $0.style == .warning } })
  }

  /// A row that its exchange no longer renews has one reason on every screen: why the exchange fails.
  @Test(arguments: ["Upbit", nil], Language.allCases)
  func failingExchangeIsTheReason(_ exchange: String?, _ language: Language) async throws {
    let board = try await Self.listed(exchange).board(language, later: 125, failing: AnswerFailure(.http(503)))
    for keys in ["/BTC/KRW\r", "/BTC/KRW\rd"] {
      let state = Self.pressed(keys, on: board)
      let text = WatchScreen(board, state, ScreenSize(columns: 160, rows: 50)).frame().text(with: .plain)
      #expect(text.contains("http-503") && !text.contains("stale"), "\(text)")
    }
  }

  // MARK: Sparklines

  private static let bitcoin = Ticker(
    exchange: "Upbit", market: .spot, symbol: "KRW-BTC", pair: Pair(asset: "BTC", payment: "KRW")
  ).key

  private static func closes(
    _ series: CandleSeries, asked moment: Instant, shortfall: AnswerFailure? = nil
  ) -> TrendReading {
    TrendReading(.success(Trend(series, hours: Trend.week, asked: moment, shortfall: shortfall)))
  }

  /// From 160 columns on, a row has the closes of a day and of a week; what is old is dim, and holes stay holes.
  @Test(
    arguments: [
      (160, 0, Set<Int>(), "▁▁▂▃▃▄▅▆▆▇██  ▁▁▂▃▄▅▆▇██"), (160, 3180, [], "▁▁▂▃▄▄▅▆▇▇██"),
      (160, 11_300, [], "▁▁▂▃▄▅▆▆▇██"),
      (160, 0, [151, 152], "▁▁▂ ▃▄▅▆▆▇██  ▁▁▂▃▄▅▆▇██"), (159, 0, [], nil),
    ] as [(Int, Int, Set<Int>, String?)]) func columns(
      _ columns: Int, _ later: Int, _ missing: Set<Int>, _ bars: String?
    ) async throws
  {
    let listed = try await Self.listed("Upbit")
    let series = SampleCandles.rising(until: "2026-11-18T05:00:00Z", count: Trend.week, missing: missing)
    let board = listed.board(later: later, trends: [Self.bitcoin: Self.closes(series, asked: listed.replay.now)])
    let frame = WatchScreen(board, Self.pressed("", on: board), ScreenSize(columns: columns, rows: 50)).frame()
    let line = try #require(frame.lines.first { $0.plainText.contains("▸") })
    #expect(frame.lines.contains { $0.plainText.contains("  7 days") } == (bars != nil))
    guard let bars else { return #expect(!line.plainText.contains("▁")) }
    #expect(line.plainText.contains(bars), "\(line.plainText)")
    #expect(line.runs.first { $0.text.contains("▃") }?.style == (later > 4200 ? .dim : .up))
  }

  /// The rows whose closes are on the screen are requested: those above the list, if there is room for them, then the
  /// visible ones; on another screen, none.
  @Test(arguments: [
    (160, 50, "", "BTC/KRW ETH/KRW USDT/KRW PEPE/KRW SHIB/KRW ETH/BTC XRP/BTC BTC/USDT ETH/USDT"),
    (120, 50, "", "BTC/KRW ETH/KRW USDT/KRW PEPE/KRW SHIB/KRW"), (120, 7, "", ""),
    (160, 50, "/ㅂㅌ\r", "BTC/KRW BTC/USDT"), (120, 50, "/ㅂㅌ\r", ""), (160, 50, "?", ""), (160, 50, "v", ""),
    (160, 50, "d", "BTC/KRW"), (80, 50, "d", ""),
  ]) func requestsVisibleCloses(_ columns: Int, _ lines: Int, _ keys: String, _ pairs: String) async throws {
    let board = try await Self.listed("Upbit").board(trends: [:])
    let size = ScreenSize(columns: columns, rows: lines)
    let screen = WatchScreen(board, Self.pressed(keys, on: board), size)
    let rows = screen.trendRows()
    // A picture has those above the list and a few rows.
    if keys.isEmpty, lines > 7 { #expect(screen.trendRows(ofRows: 1).count == 5) }
    #expect(rows.map { "\($0.pair)" }.joined(separator: " ") == pairs)
    #expect(rows.allSatisfy { $0.exchange == "Upbit" && $0.market == .spot })
    let news = WatchUpdate(board: board, favorites: Self.favorites, rules: [], problems: [])
    let asked = Mutex<[WatchEffect]>([])
    var live = WatchLive(
      Self.pressed(keys, on: board), newest: { news },
      perform: { action in if case .effect(let effect) = action { asked.withLock { $0.append(effect) } } })
    _ = live.handle(.resized(size), at: board.now)
    _ = live.handle(.second, at: board.now)
    let hours = columns < 160 ? 24 : 168
    #expect(asked.withLock { $0 } == [.askTrends(rows, hours: hours)])
  }

  /// A line says what closes are missing, in the list and on the screen of a pair, which has those of a day.
  @Test(arguments: Language.allCases) func saysWhyClosesAreMissing(_ language: Language) async throws {
    let listed = try await Self.listed("Upbit")
    let young = SampleCandles.rising(until: "2026-11-18T05:00:00Z", count: 30)
    let whole = SampleCandles.rising(until: "2026-11-18T05:00:00Z", count: Trend.week)
    let halted = SampleCandles.rising(until: "2026-11-08T05:00:00Z", count: Trend.week)
    let refused = TrendReading(.failure(AnswerFailure(.http(429))))
    let old = Self.closes(whole, asked: listed.replay.now.advanced(by: .seconds(-7200)))
    let day = TrendReading(.success(Trend(whole, hours: Trend.day, asked: listed.replay.now)))
    let cases: [(reading: TrendReading, english: String?, korean: String?, isOfPair: Bool)] = [
      (refused, "no closes of BTC/KRW from Upbit: http-429", "BTC/KRW Upbit 종가 없음: http-429", true),
      (
        Self.closes(young, asked: listed.replay.now), "closes of BTC/KRW from Upbit begin at 2026-11-17 09:00 KST",
        "BTC/KRW Upbit 종가: 2026-11-17 09:00 KST부터", false
      ),
      (
        Self.closes(young, asked: listed.replay.now, shortfall: AnswerFailure(.http(429))),
        "closes of BTC/KRW from Upbit begin at 2026-11-17 09:00 KST (http-429)",
        "BTC/KRW Upbit 종가: 2026-11-17 09:00 KST부터 (http-429)", false
      ),
      (
        Self.closes(halted, asked: listed.replay.now), "closes of BTC/KRW from Upbit end at 2026-11-08 14:00 KST",
        "BTC/KRW Upbit 종가: 2026-11-08 14:00 KST까지", true
      ),
      (old, "closes of BTC/KRW from Upbit date from 12:12:07", "BTC/KRW Upbit 종가: 12:12:07 기준", true),
      (
        old.followed(by: refused), "closes of BTC/KRW from Upbit date from 12:12:07 (http-429)",
        "BTC/KRW Upbit 종가: 12:12:07 기준 (http-429)", true
      ),
      (Self.closes(whole, asked: listed.replay.now), nil, nil, false), (day, nil, nil, false),
      (
        day.followed(by: refused), "closes of BTC/KRW from Upbit are of 24 hours only (http-429)",
        "BTC/KRW Upbit 종가: 24시간뿐 (http-429)", false
      ),
    ]
    for (reading, english, korean, isOfPair) in cases {
      let board = listed.board(language, trends: [Self.bitcoin: reading])
      for keys in ["", "d"] {
        let lines = board.texts(Self.pressed(keys, on: board), columns: 160, rows: 50).filter {
          $0.contains("closes of BTC/KRW") || $0.contains("BTC/KRW Upbit 종가")
        }
        let remark = language == .english ? english : korean
        #expect(lines == (keys == "" || isOfPair ? [remark].compactMap(\.self) : []))
      }
    }
  }

  /// In the title of a pair, closes that are not of the exchange of its price have the badge of theirs, and a `-` stands for
  /// those that were refused.
  @Test(arguments: [(Missing.notOffered, true), (.timeout, false)])
  func titleNamesTheExchangeOfCloses(_ failure: Missing, _ isOfOther: Bool) async throws {
    let listed = try await Self.listed(nil)
    let entry = try #require(listed.board().listing?.entries.first { $0.pair == Self.bitcoin.pair })
    let other = try #require(entry.rows.first { $0.ticker.exchange == "Bithumb" }).ticker.key
    let series = SampleCandles.rising(until: "2026-11-18T05:00:00Z", count: Trend.week)
    let board = listed.board(trends: [
      Self.bitcoin: TrendReading(.failure(AnswerFailure(failure))),
      other: Self.closes(series, asked: listed.replay.now),
    ])
    let title = board.texts(Self.pressed("/BTC/KRW\rd", on: board), columns: 160, rows: 50)[0]
    #expect(title.contains("  24h \(isOfOther ? "\(board.badge("Bithumb")) ▁" : "-")"), "\(title)")
  }

  @Test func fitsEverySize() async throws {
    let board = try await Self.listed("Upbit").board()
    for keys in ["", "/비", "]", "v"] {
      let state = Self.pressed(keys, on: board)
      for columns in [40, 41, 59, 60, 66, 79, 80, 119, 120, 139, 140, 200] {
        for rows in [8, 9, 14, 19, 20, 24, 60] {
          let frame = WatchScreen(board, state, ScreenSize(columns: columns, rows: rows)).frame()
          #expect(frame.lines.count == rows)
          #expect(frame.lines.allSatisfy { $0.width <= columns })
        }
      }
    }
  }

  /// However narrow the screen and whatever it is sorted by, no number of a row is cut.
  @Test(arguments: ["Upbit", nil], 40...60) func numbersAreWhole(_ exchange: String?, _ columns: Int) async throws {
    let board = try await Self.listed(exchange).board()
    for keys in ["", "1", "2", "3", "4", "5"] {
      let lines = board.texts(Self.pressed(keys, on: board), columns: columns)
      // Between the titles and the line that counts the others.
      let rows = lines.drop { !$0.hasPrefix("  pair") }.dropFirst().prefix { !$0.hasPrefix("⋮") && !$0.isEmpty }
      #expect(rows.count > 3)
      #expect(rows.filter { $0.hasSuffix("…") } == [])
    }
  }

  // MARK: Keys

  /// Space leads to the letters at the end of the help, which a list of one exchange does not have.
  @Test(arguments: [("Upbit", false), (nil, true)] as [(String?, Bool)])
  func helpEndsWithTheLetters(_ exchange: String?, _ hasLetters: Bool) async throws {
    let board = try await Self.listed(exchange).board()
    let texts = (0..<9).map { spaces in
      let state = Self.pressed("?" + String(repeating: " ", count: spaces), on: board)
      return WatchScreen(board, state, ScreenSize(columns: 80, rows: 14)).frame().text(with: .plain)
    }
    #expect(texts.contains { $0.contains("  exchanges:  BN Binance  BY Bybit") } == hasLetters)
    #expect(texts.contains { $0.contains("UP Upbit") } == hasLetters)
  }

  @Test(arguments: [
    // The list begins with the highest turnover, and can be reversed.
    ("", "BTC/KRW ETH/KRW USDT/KRW"), ("5", "SHIB/KRW PEPE/KRW USDT/KRW"), ("55", "BTC/KRW ETH/KRW USDT/KRW"),
    ("SS", "BTC/KRW ETH/KRW USDT/KRW"), ("1", "BTC/KRW BTC/USDT ETH/BTC"), ("3S", "PEPE/KRW SHIB/KRW USDT/KRW"),
    ("9", "BTC/KRW ETH/KRW USDT/KRW"), ("s", "BTC/KRW BTC/USDT ETH/BTC"), ("j5", "SHIB/KRW PEPE/KRW USDT/KRW"),
    // One payment currency, starting with that of the most pairs; then all of them again.
    ("]", "BTC/KRW ETH/KRW USDT/KRW"), ("]]", "ETH/BTC XRP/BTC"), ("[", "BTC/USDT ETH/USDT"),
    ("]]]]", "BTC/KRW ETH/KRW USDT/KRW"), ("[[[[", "BTC/KRW ETH/KRW USDT/KRW"),
    ("F", "BTC/KRW"), ("F[", ""), ("FF", "BTC/KRW ETH/KRW USDT/KRW"),
    ("/ㅂㅌ\r", "BTC/KRW BTC/USDT"), ("/qlxm\r]", "BTC/KRW"), ("/리플|페페\r", "PEPE/KRW XRP/BTC"),
    // A comparing filter uses what is known of each pair.
    ("/price > 100M\r", "BTC/KRW"), ("/premum > 1\r", "BTC/KRW ETH/KRW USDT/KRW"), ("/nope\r", ""),
  ])
  func keys(_ keys: String, _ expected: String) async throws {
    let board = try await Self.listed("Upbit").board()
    #expect(Self.names(Self.pressed(keys, on: board)) == expected)
  }

  /// Keys for watchlists do nothing on a list, and those for lists nothing on a watchlist.
  @Test func keysOfOtherScreensDoNothing() throws {
    for key in "aAB" {
      let command = try #require(WatchKey.command(key))
      #expect(!WatchKey.applies(command, inList: true))
      #expect(WatchKey.applies(command, inList: false))
    }
    #expect(!WatchKey.applies(.switchPayment(1), inList: false))
  }

  /// Choosing a column twice restores the list; once reverses what can be compared, with equal ones by symbol.
  @Test(arguments: ["Upbit", nil]) func everyColumnReverses(_ exchange: String?) async throws {
    let board = try await Self.listed(exchange).board()
    let listing = try #require(board.listing)
    for (place, sort) in board.sortColumns.enumerated() {
      let other: ListSort = sort == .pair ? .price : .pair
      let once = Self.pressed("\(place + 1)", on: board, sort: other)
      let twice = Self.pressed("\(place + 1)\(place + 1)", on: board, sort: other)
      let thrice = Self.pressed("\(place + 1)\(place + 1)\(place + 1)", on: board, sort: other)
      #expect(once.list?.sort == sort && !once.isReversed && twice.isReversed)
      #expect(once.visible == sort.ordered(listing.entries, reversed: false, listing.rule, .english).map(\.pair))
      #expect(twice.visible == sort.ordered(listing.entries, reversed: true, listing.rule, .english).map(\.pair))
      #expect(thrice.visible == once.visible)
    }
  }

  /// Clicking a title sorts by its column, in both languages and with the sort mark after one of them.
  @Test(arguments: Language.allCases, ["Upbit", nil]) func titles(_ language: Language, _ exchange: String?)
    async throws
  {
    let board = try await Self.listed(exchange).board(language)
    for sort in board.sortColumns {
      let state = Self.pressed("", on: board, sort: sort)
      // Where there is room for all of them.
      let lines = WatchScreen(board, state, ScreenSize(columns: 240, rows: 50)).frame().lines
      let titles = try #require(
        lines.map { $0.runs.map(\.text).joined() }.first { $0.contains(" ▾") || $0.contains(" ▴") })
      func column(at cell: Int) -> ListSort? {
        board.sortColumns.first { titles.hasTitle($0.title(language), at: cell) }
      }
      for wanted in board.sortColumns {
        let word = wanted.title(language)
        let place = try #require(
          titles.ranges(of: word).map { TerminalText.width(of: String(titles[..<$0.lowerBound])) }.first {
            column(at: $0) == wanted
          })
        // The sort mark belongs to its title.
        let end = place + TerminalText.width(of: word) + (wanted == sort ? 2 : 0)
        #expect(column(at: end) == nil)
      }
      #expect(column(at: 0) == nil)
      #expect(column(at: 500) == nil)
    }
  }

  /// The screen requests the opened pair, and none once it is left; the cursor and the order stay.
  @Test func opensAPair() async throws {
    let board = try await Self.listed("Upbit").board()
    let actions = Mutex<[String]>([])
    let news = WatchUpdate(board: board, favorites: Self.favorites, rules: [], problems: [])
    var live = WatchLive(
      Self.state(), newest: { news },
      perform: { action in
        if case .effect(let effect) = action { actions.withLock { $0.append("\(effect)") } }
      })
    func press(_ code: Key.Code) -> LiveOutcome { live.handle(.key(Key(code)), at: board.now) }
    func line() -> String {
      live.picture(in: ScreenSize(columns: 80, rows: 24), at: board.now).lines[0].runs.map(\.text).joined()
    }
    _ = press(.character("j"))
    _ = press(.enter)
    #expect(live.state.screen == .pair(Pair(asset: "ETH", payment: "KRW")))
    #expect(line().hasPrefix("ETH/KRW"))
    _ = press(.escape)
    #expect(line().hasPrefix("Upbit spot  "))
    #expect(live.state.cursor == Pair(asset: "ETH", payment: "KRW"))
    _ = press(.character("a"))
    #expect(live.state.screen == .pairs)
    _ = press(.character("y"))
    #expect(live.state.message?.hasPrefix("copied: ETH/KRW 4477000 ") == true)
    let looks = actions.withLock { $0 }
    #expect(looks.count == 2)
    #expect(looks.first?.contains("ETH") == true && looks.last == "look(nil)")
  }

  /// A table of ten thousand pairs: all of them are listed, and only visible rows are drawn.
  @Test func tenThousandPairs() async throws {
    let count = 10_000
    let any = try #require(try await Self.listed("Upbit").replay.board.feeds.compactMap(\.rows.rows.first).first)
    let now = Instant(nanoseconds: 1_763_442_727_000_000_000)
    var means = FeedCapabilities(termMilliseconds: 1000, pairs: [], wholeCost: 1)
    means.isWhole = true
    let key = FeedKey(exchange: "Alpha", market: .spot)
    let feeds = FeedBoard([FeedState(key, badge: nil, capabilities: means)], now: { now }, ask: { _, _ in [] })
    let table = (0..<count).map { number in
      var ticker = Ticker(
        exchange: "Alpha", market: .spot, symbol: "A\(number)", pair: Pair(asset: "A\(number)", payment: "USDT"))
      ticker.price = .value(Decimal(number + 1))
      ticker.turnover24 = .value(Decimal(number))
      ticker.arrival = now
      return any.renewed(ticker)
    }
    await feeds.take(.rows(table), of: key)
    // A stream reports one change at a time.
    for row in table.prefix(100) { await feeds.take(.rows([row]), of: key) }
    var settings = WatchReplay.settings(.english)
    settings.list = ListedMarket(.spot, of: "Alpha", digits: .short)
    let board = WatchBoard(feeds.state, pairs: [], at: now, settings)
    #expect(board.pairs.count == count)
    var state = Self.state()
    state.take(board)
    #expect(Self.names(state) == "A9999/USDT A9998/USDT A9997/USDT")
    _ = state.perform(.filter, board, page: 10)
    _ = state.type(Key(.character("a")), board, page: 10)
    for key in "999" { _ = state.type(Key(.character(key)), board, page: 10) }
    #expect(state.visible.count == 11)
    _ = state.type(Key(.escape), board, page: 10)
    let comparing = Self.pressed("/price > 5000", on: board)
    #expect(comparing.visible.count == count / 2)
    state = Self.pressed("", on: board)
    #expect(board.texts(state, columns: 160, rows: 50).contains { $0.hasPrefix("⋮ 99") })
  }
}
