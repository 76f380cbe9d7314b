import Mapping
import MarketData
import Quotes
import Terminal
import TestSupport
import Testing

@testable import Views

/// Complete screens, drawn from the shipped recordings.
@Suite struct WatchScreenTests {
  private static let replay = Task { try await WatchReplay() }

  struct Picture: Sendable, CustomTestStringConvertible {
    let name: String
    var state: WatchState
    var later = 0

    var testDescription: String { name }
  }

  private static let bitcoin = Pair(asset: "BTC", payment: "USDT")
  private static let favorites = Favorites([bitcoin, Pair(asset: "BTC", payment: "KRW")])

  private static let pictures: [Picture] = [
    Picture(name: "cards", state: WatchState(favorites: favorites)),
    Picture(name: "table", state: WatchState(favorites: favorites, sort: .premium, isTable: true)),
    Picture(name: "pair", state: WatchState(favorites: favorites, screen: .pair(bitcoin))),
    Picture(name: "feeds", state: WatchState(favorites: favorites, screen: .feeds)),
    Picture(name: "old", state: WatchState(favorites: favorites), later: 125),
  ]

  @Test(arguments: pictures, [(60, 20), (80, 24), (160, 50)])
  func golden(_ picture: Picture, _ size: (Int, Int)) async throws {
    let replay = try await Self.replay.value
    for language in Language.allCases {
      let board = replay.watch(language, later: picture.later)
      let state = picture.state.taking(board)
      let frame = WatchScreen(board, state, ScreenSize(columns: size.0, rows: size.1)).frame()
      let name = "\(picture.name)-\(size.0)x\(size.1)-\(language.rawValue)"
      Golden.expect(frame.texts.map { $0 + "\n" }.joined(), matches: "\(name).txt")
    }
  }

  /// However narrow the screen, an old price has its age: without it, it would look like a new one.
  @Test(arguments: [
    (WatchState(favorites: favorites), 44), (WatchState(favorites: favorites, isTable: true), 48),
    (WatchState(screen: .pair(bitcoin)), 42),
  ])
  func oldPricesHaveTheirAge(_ state: WatchState, _ narrowest: Int) async throws {
    let board = try await Self.replay.value.watch(pairs: [Self.bitcoin], later: 15)
    for columns in narrowest...110 {
      var state = state
      state.take(board)
      let lines = board.texts(state, columns: columns, rows: 16)
      let titles = try #require(lines.firstIndex { $0.contains(#/price|high/#) }, "\(columns)")
      let prices = lines[titles...].dropFirst().prefix { !$0.contains("left out") }.filter { $0.contains(#/ 91\d{3}/#) }
      #expect(!prices.isEmpty && prices.allSatisfy { $0.contains(#/\b\d+[sm]\b/#) }, "\(columns): \(prices)")
    }
  }

  /// The right pane says how many rows of its pair do not fit; shown and left out, they are all of them.
  @Test(arguments: [24, 40, 60]) func rightPaneCountsWhatDoesNotFit(_ rows: Int) async throws {
    let board = try await Self.replay.value.watch()
    func lines(_ rows: Int) -> [String] {
      let state = WatchState(favorites: Self.favorites).taking(board)
      return board.texts(state, columns: 160, rows: rows).map { String($0.dropFirst(97)) }
        .filter { !$0.isEmpty && !$0.contains("help") }
    }
    let (part, all) = (lines(rows), lines(100))
    let counts = part.filter { $0.contains("⋮") }.compactMap { Int($0.split(separator: " ")[1]) }
    let shown = part.filter { !$0.contains("⋮") }
    #expect(shown.count + counts.reduce(0, +) == all.count)
    #expect(counts.isEmpty == (rows == 60))
    #expect(shown == all.filter(Set(shown).contains))
    // The lowest price and the last disparity are always in view.
    #expect(shown.contains { $0.contains("  Kraken ") } && shown.last?.hasSuffix("last") == true)
  }

  /// On a wide screen, the right pane has the columns that the table leaves room for.
  @Test(arguments: [(160, false, false), (200, true, true)])
  func rightPaneGrows(_ columns: Int, _ hasTurnover: Bool, _ hasWon: Bool) async throws {
    let board = try await Self.replay.value.watch()
    let state = WatchState().taking(board)
    let lines = board.texts(state, columns: columns, rows: 50)
    let titles = try #require(lines.first { $0.contains("over low") })
    #expect(titles.contains("turnover") == hasTurnover)
    #expect(titles.contains("in KRW") == hasWon)
    #expect(lines.contains { $0.contains("name") } == (columns > 160))
  }

  /// The screen of a pair shows the ends of each of its parts until the cursor moves, then what is around the cursor.
  @Test func pairShowsEndsOfItsParts() async throws {
    let board = try await Self.replay.value.watch()
    var state = WatchState(screen: .pair(Self.bitcoin)).taking(board)
    func names() -> [String] {
      board.texts(state).dropFirst(2).map { line in
        line.split(separator: " ").first { $0 != "▸" }.map(String.init) ?? ""
      }
    }
    #expect(
      names() == [
        "exchange", "Indodax", "Bitfinex", "Upbit", "Gemini", "Woo", "Bybit", "Lbank", "Kucoin", "⋮", "Kraken", "left",
        "Hyperliquid", "futures", "Deribit", "Poloniex", "Whitebit", "Phemex", "Bitget", "⋮", "Woo", "Enter",
      ])
    _ = state.perform(.move(1), board, page: 10)
    #expect(names().prefix(3) == ["exchange", "Indodax", "Bitfinex"] && names().suffix(2) == ["⋮", "Enter"])
    let (all, count) = (PairRows(try #require(board[Self.bitcoin])).keys.count, names().count)
    #expect(count == 22 && all > count)
  }

  /// Colours as letters below each line: `+` up, `-` down, `o` premium, `.` dim, `!` alert, `?` warning, `=` heading.
  @Test(arguments: ["cards", "pair", "feeds", "old"])
  func colours(_ name: String) async throws {
    let replay = try await Self.replay.value
    let picture = try #require(Self.pictures.first { $0.name == name })
    let board = replay.watch(later: picture.later)
    let state = picture.state.taking(board)
    let frame = WatchScreen(board, state, ScreenSize(columns: 80, rows: 24)).frame()
    let text = frame.lines.map { line in
      let marks = line.runs.map { String(repeating: $0.style.mark, count: $0.width) }.joined()
      return line.painted(with: .plain).trimmed + "\n" + marks.trimmed + "\n"
    }.joined()
    Golden.expect(text, matches: "\(name)-80x24-en.styles.txt")
  }

  /// A price that is no last trade is labelled on the screen of a pair, whether it counts or not.
  @Test(
    arguments: [
      ("BTC/USD", false, "Hyperliquid usdcMargin - - +1.36 mid"),
      ("BTC/USD", false, "Dydx usdcMargin - - +1.36 oracle"),
      ("BTC/USD", true, "Hyperliquid usdcMargin - - +1.36 mid no spot"),
      ("BTC/USD", true, "Dydx usdcMargin - - +1.36 oracle no spot"), ("BTC/USDT", true, "Hyperliquid mid +0.06%"),
    ])
  func otherPricesAreLabelled(_ name: String, _ allowsAnyPrice: Bool, _ row: String) async throws {
    let pair = try #require(Pair(name))
    let replay = pair == Self.bitcoin ? try await Self.replay.value : try await WatchReplay([pair])
    var settings = WatchReplay.settings(.english)
    settings.rule.allowsAnyPriceBasis = allowsAnyPrice
    let board = WatchBoard(replay.board, pairs: [pair], at: replay.now, settings)
    let state = WatchState(screen: .pair(pair)).taking(board)
    let lines = board.texts(state, columns: 160, rows: 100).map { $0.split(separator: " ").filter { $0 != "▸" } }
    let expected = row.split(separator: " ")
    let own = try #require(lines.first { $0.first == expected.first })
    // All but the price itself, and what follows the label.
    let words = own.filter { Decimal(String($0)) == nil || $0.hasPrefix("+") }
    #expect(Array(words.prefix(expected.count)) == expected)
  }

  private static func section(_ name: String, _ screen: WatchScreen) -> String {
    "==== \(name)\n" + screen.frame().texts.map { $0 + "\n" }.joined()
  }

  /// Screens with special content, as golden files: alerts, a fired one, an open alert line, an explained row, the
  /// second page of the help, a frozen picture, and many problems.
  @Test(arguments: [(60, 20), (80, 24), (160, 50)])
  func specialScreens(_ size: (Int, Int)) async throws {
    let replay = try await Self.replay.value
    let screen = ScreenSize(columns: size.0, rows: size.1)
    for language in Language.allCases {
      let board = replay.watch(language)
      var text = ""
      func draw(_ name: String, _ state: WatchState, _ board: WatchBoard) {
        text += Self.section(name, WatchScreen(board, state, screen))
      }
      var state = WatchState(favorites: Self.favorites)
      let rules = try ["premium > 0.13% for 0s then bell", "BTC/KRW kimchi < 0%", "DOGE/KRW price@Upbit > 1000"].map {
        try AlertRule(parsing: $0, AlertNames(exchanges: board.exchanges))
      }
      state.alerts = AlertWatch(rules)
      state.alarms = state.alerts.take(board.figures, board.state, at: board.now)
      state.take(board)
      draw("fired", state, board)
      _ = state.perform(.alerts, board, page: 5)
      draw("alerts", state, board)
      _ = state.perform(.alerts, board, page: 5)
      for character in "premium > 3% and exchanges >= 3 for 10s" {
        _ = state.type(Key(.character(character)), board, page: 5)
      }
      draw("typing", state, board)
      _ = state.type(Key(.character("x")), board, page: 5)
      _ = state.type(Key(.enter), board, page: 5)
      draw("wrong", state, board)
      _ = state.type(Key(.escape), board, page: 5)
      _ = state.perform(.back, board, page: 5)
      _ = state.perform(.back, board, page: 5)
      _ = state.perform(.open, board, page: 5)
      _ = state.perform(.open, board, page: 5)
      draw("asking", state, board)
      if case .row(let key) = state.screen {
        let trace =
          "price                91600.65  <- row $.last = 91600.65, unit x; scale 1, and more that does not fit"
        state.explanation = (key, ["GET https://indodax.com/api/ticker/btcusdt (HTTP 200)", trace])
      }
      draw("explained", state, board)
      _ = state.perform(.help, board, page: 5)
      _ = state.perform(.freeze, board, page: 18)
      draw("help", state, board)
      _ = state.perform(.quit, board, page: 5)
      _ = state.perform(.freeze, board, page: 5)
      let sentence = "favorites.json is invalid, so it is not used: element 1 is not a pair such as \"BTC/USDT\""
      state.problems = [WatchProblem(.favorites, sentence)]
      state.message = "armed: premium > 3%"
      draw("frozen", state, replay.watch(language, later: 31))
      Golden.expect(text, matches: "more-\(size.0)x\(size.1)-\(language.rawValue).txt")
    }
  }

  /// The list of alerts shows figures that are known, and why others are not.
  @Test func reasonsOfAlerts() async throws {
    let replay = try await Self.replay.value
    let board = replay.watch(pairs: [Pair(asset: "USDT", payment: "KRW"), Self.bitcoin])
    let rules = try ["disparity.first > 99", "USDT/KRW disparity.first > 99"].map {
      try AlertRule(parsing: $0, AlertNames(exchanges: board.exchanges))
    }
    var alerts = AlertWatch(rules)
    _ = alerts.take(board.figures, board.state, at: board.now)
    let list = AlertList(board: board, alerts: alerts, problems: [:], cursor: nil, width: 100)
    #expect(
      list.lines().lines.map { $0.painted(with: .plain) } == [
        "  disparity.first > 99", "    not now: BTC/USDT disparity.first +0.06 % > 99, 1 unknown",
        "  USDT/KRW disparity.first > 99", "    not known: USDT/KRW disparity.first - (no-futures) > 99",
      ])
  }

  /// What is needed is said in full, whether or not there is room for the rest.
  @Test(arguments: [(12, "40x8 needed"), (24, "40x8 needed"), (39, "40x8 needed, this is 39x5")])
  func smallTerminal(_ columns: Int, _ text: String) async throws {
    let board = try await Self.replay.value.watch()
    #expect(board.texts(WatchState(), columns: columns, rows: 5).first == text)
  }

  /// A stream that brings only some pairs of a feed gives the reason for the others, on every screen at every width.
  @Test func pairsMissingFromStream() async throws {
    let replay = try await Self.replay.value
    let key = FeedKey(exchange: "Okx", market: .spot)
    let feeds = FeedBoard(replay.board.feeds, now: { replay.now }, ask: { _, _ in [] })
    let others = try #require(replay.board[key]?.capabilities.pairs.filter { $0 != Self.bitcoin })
    await feeds.take(.live(Set(others), refused: [Self.bitcoin: .stream("stream-refused 30004")]), of: key)
    let board = replay.watch(feeds.state)
    var text = ""
    for columns in [40, 60, 80, 160] {
      for screen in [WatchState.Screen.pairs, .pair(Self.bitcoin), .feeds] {
        let state = WatchState(favorites: Self.favorites, screen: screen).taking(board)
        let lines = board.texts(state, columns: columns, rows: 90)
        text += lines.filter { $0.contains("30004") || $0.contains("in part") }.map { "\(columns) \($0)\n" }.joined()
      }
    }
    Golden.expect(text, matches: "in-part.txt")
    let (line, isTrouble) = WatchLog.text(
      try #require(feeds.state[key]), .inPart([Self.bitcoin: .stream("stream-refused 30004")]), at: board.now)
    #expect(line == "stream in part: stream-refused 30004: BTC/USDT")
    #expect(isTrouble)
  }

  /// A price that was sent but cannot be one has its reason once.
  @Test(arguments: [
    (Missing.negative, "Okx negative no usable price", "Okx negative 사용할 수 있는 가격 없음"),
    (.pathMiss, "Okx path-miss no usable price", "Okx path-miss 사용할 수 있는 가격 없음"),
  ])
  func unusablePrice(_ reason: Missing, _ english: String, _ korean: String) async throws {
    let replay = try await Self.replay.value
    let feeds = FeedBoard(replay.board.feeds, now: { replay.now }, ask: { _, _ in [] })
    let key = FeedKey(exchange: "Okx", market: .spot)
    let row = try #require(replay.board[key]?.rows.rows.first { $0.ticker.pair == Self.bitcoin })
    var ticker = row.ticker
    ticker.price = .missing(reason)
    await feeds.take(.rows([row.renewed(ticker)]), of: key)
    for (language, line) in [(Language.english, english), (.korean, korean)] {
      let board = replay.watch(feeds.state, language, pairs: [Self.bitcoin])
      let state = WatchState(screen: .pair(Self.bitcoin)).taking(board)
      let lines = board.texts(state, columns: 100, rows: 60)
      #expect(lines.contains { $0.split(separator: " ").joined(separator: " ") == line })
    }
  }

  /// The line about what is left out ends with a whole exchange and its reason, or with how many there are more.
  @Test(arguments: Language.allCases) func wholeReasons(_ language: Language) async throws {
    let board = try await Self.replay.value.watch(language, later: 125)
    let state = WatchState().taking(board)
    for columns in 40..<140 {
      let cut = board.texts(state, columns: columns).first {
        $0.hasSuffix("…") && ($0.contains("left out of") || $0.contains("제외: "))
      }
      #expect(cut == nil, "\(columns)")
    }
  }

  /// Prices in won and dollars side by side, as golden files; a pair without a rate says so.
  @Test(arguments: [(60, 20), (80, 24), (160, 50)])
  func otherCurrency(_ size: (Int, Int)) async throws {
    let replay = try await Self.replay.value
    let screen = ScreenSize(columns: size.0, rows: size.1)
    for language in Language.allCases {
      let board = replay.watch(language)
      var text = ""
      func draw(_ name: String, _ state: WatchState, _ board: WatchBoard) {
        text += Self.section(name, WatchScreen(board, state, screen))
      }
      var state = WatchState(favorites: Self.favorites).taking(board)
      _ = state.perform(.switchCurrency, board, page: 5)
      draw("won", state, board)
      _ = state.perform(.switchCurrency, board, page: 5)
      _ = state.perform(.togglePinned, board, page: 5)
      _ = state.perform(.switchLayout, board, page: 5)
      draw("dollars", state, board)
      _ = state.perform(.open, board, page: 5)
      _ = state.perform(.switchCurrency, board, page: 5)
      _ = state.perform(.switchCurrency, board, page: 5)
      draw("pair in won", state, board)
      var bare = board.state
      bare = BoardState(feeds: bare.feeds)
      draw("no rate", state, WatchBoard(bare, pairs: [Self.bitcoin], at: board.now, WatchReplay.settings(language)))
      Golden.expect(text, matches: "money-\(size.0)x\(size.1)-\(language.rawValue).txt")
    }
  }

  /// At any size, there are as many lines as rows, none is wider than the screen, and no number is cut.
  @Test func everySize() async throws {
    let replay = try await Self.replay.value
    for language in Language.allCases {
      let board = replay.watch(language)
      for picture in Self.pictures where picture.later == 0 {
        var state = picture.state.taking(board)
        if language == .korean { _ = state.perform(.switchCurrency, board, page: 5) }
        for columns in stride(from: 1, through: 200, by: language == .english ? 1 : 7) {
          // Each height with every third width at least.
          for (index, rows) in [1, 2, 7, 8, 11, 16, 24, 60].enumerated()
          where Effort.isComplete || (columns + index) % 3 == 0 {
            let size = ScreenSize(columns: columns, rows: rows)
            let frame = WatchScreen(board, state, size).frame()
            #expect(frame.lines.count == rows, "\(picture.name) \(columns)x\(rows)")
            let isTooWide = frame.lines.contains { $0.width > columns }
            #expect(!isTooWide, "\(picture.name) \(columns)x\(rows)")
            guard columns >= 40, rows >= 8, picture.name != "feeds" else { continue }
            let cut = frame.lines.map { $0.painted(with: .plain) }.first { $0.hasCutNumber }
            #expect(cut == nil, "\(picture.name) \(columns)x\(rows)")
          }
        }
      }
    }
  }

  /// Of a long filter, the head shows the end.
  @Test(arguments: [60, 80, 160]) func longFilter(_ columns: Int) async throws {
    let board = try await Self.replay.value.watch()
    var state = WatchState().taking(board)
    state.filter = "premium > 0.1 and kimchi < 1 and premium > 0.00001 and price > 100 and exchanges >= 3"
    state.take(board)
    let head = board.texts(state, columns: columns).first { $0.hasPrefix("Watchlist") }
    let expected = [
      60: "Watchlist 5  filter: … > 100 and exchanges >= 3 (4 of 5)",
      80: "Watchlist 5  order: list  filter: … and price > 100 and exchanges >= 3 (4 of 5)",
      160: "Watchlist 5  order: list  filter: \(state.filter) (4 of 5)                         45 poll",
    ]
    #expect(head == expected[columns])
  }

  /// A filter that is not understood, which matches everything, is not said to match.
  @Test(arguments: [
    ("premum > 3", Language.english, "filter not used: unknown field 'premum'; did you mean 'premium'?"),
    ("krw kimchi > ", .korean, "검색 적용 안 됨: 항목 또는 숫자 없음"),
    ("btc kimchi > 0.5", .english, "filter: btc kimchi > 0.5 (2 of 5)"),
  ])
  func unusedFilter(_ text: String, _ language: Language, _ title: String) async throws {
    let board = try await Self.replay.value.watch(language)
    var state = WatchState()
    state.filter = text
    state.take(board)
    let lines = board.texts(state, columns: 120)
    #expect(lines.contains { $0.contains("  \(title) ") }, "\(lines.prefix(4))")
  }

  /// Help, an open filter without matches, and no pair at all.
  @Test func unusualScreens() async throws {
    let replay = try await Self.replay.value
    let board = replay.watch()
    var state = WatchState().taking(board)
    _ = state.perform(.filter, board, page: 1)
    for character in "비트" { _ = state.type(Key(.character(character)), board, page: 1) }
    let filtering = WatchScreen(board, state, ScreenSize(columns: 80, rows: 10)).frame()
    #expect(filtering.cursor?.row == 9)
    #expect(filtering.cursor?.column == 6)
    _ = state.type(Key(.enter), board, page: 1)
    _ = state.perform(.help, board, page: 1)
    let help = WatchScreen(board, state, ScreenSize(columns: 80, rows: 30)).frame()
    let empty = WatchScreen(replay.watch(pairs: []), WatchState(), ScreenSize(columns: 80, rows: 8)).frame()
    let small = WatchScreen(board, state, ScreenSize(columns: 38, rows: 7)).frame()
    let text = [filtering, help, empty, small].map { $0.texts.map { $0 + "\n" }.joined() }
    Golden.expect(text.joined(separator: "----\n"), matches: "odder.txt")
  }
}

extension Style {
  fileprivate var mark: String {
    switch self {
    case .up: "+"
    case .down: "-"
    case .highlight: "o"
    case .dim: "."
    case .alert: "!"
    case .warning: "?"
    case .heading: "="
    default: " "
    }
  }
}

extension String {
  /// Whether an ellipsis directly follows a digit of a figure.
  fileprivate var hasCutNumber: Bool {
    guard let place = firstIndex(of: "…"), place > startIndex else { return false }
    return self[index(before: place)].isNumber
  }
}
