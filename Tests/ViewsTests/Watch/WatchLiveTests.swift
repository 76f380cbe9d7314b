import Mapping
import MarketData
import Quotes
import Synchronization
import Terminal
import TestSupport
import Testing

@testable import Views

/// `market watch` on a terminal without one: events in, pictures and effects out.
@Suite struct WatchLiveTests {
  private static let replay = Task { try await WatchReplay() }
  private static let bitcoin = Pair(asset: "BTC", payment: "USDT")

  /// A live screen whose news is controlled by a test, and whose deeds are recorded.
  private final class World: Sendable {
    let news: Mutex<WatchUpdate>
    let actions = Mutex<[String]>([])
    let start: Instant

    init(_ board: WatchBoard, rules: [AlertRule] = [], problems: [WatchProblem] = []) {
      start = board.now
      news = Mutex(WatchUpdate(board: board, favorites: Favorites(), rules: rules, problems: problems))
    }

    func screen(_ options: WatchLive.Options = WatchLive.Options()) -> Box {
      Box(
        WatchLive(
          WatchState(), options, newest: { self.news.withLock { $0 } },
          perform: { action in self.actions.withLock { $0.append(Self.text(action)) } }))
    }

    /// The deeds since the last access.
    var done: [String] {
      actions.withLock { actions in
        defer { actions = [] }
        return actions
      }
    }

    private static func text(_ action: WatchAction) -> String {
      switch action {
      case .effect(let effect): "\(effect)".prefix { $0 != "(" }.description
      case .awoke: "awoke"
      case .wake(let milliseconds): "wake \(milliseconds)"
      case .run(let command, let firing):
        "run \(command) \(firing.environment.first { $0.name == "MARKET_PREMIUM" }?.value ?? "")"
      case .reached(let firing): "reached \(AlertText.sentence(firing))"
      case .save(let saved): "save \(saved.subject).\(saved.form.rawValue) \(saved.bytes.count { $0 == 10 })"
      }
    }
  }

  /// A box for a screen that is mutated in place, whatever a macro makes of the call.
  private final class Box {
    private var live: WatchLive

    init(_ live: WatchLive) { self.live = live }

    var state: WatchState { live.state }
    var isLineOpen: Bool { live.isLineOpen }
    func handle(_ event: LiveEvent, at now: Instant) -> LiveOutcome { live.handle(event, at: now) }
    func picture(in size: ScreenSize, at now: Instant) -> LivePicture { live.picture(in: size, at: now) }
  }

  private static func board(_ state: BoardState, _ replay: WatchReplay, later seconds: Int = 0) -> WatchBoard {
    replay.watch(state, pairs: [bitcoin], later: seconds)
  }

  private static func lines(_ screen: Box, at now: Instant, _ size: ScreenSize) -> [String] {
    screen.picture(in: size, at: now).lines.map { $0.runs.map(\.text).joined() }
  }

  private static let size = ScreenSize(columns: 80, rows: 24)

  /// Changed digits are bold and in the colour of the tick, from the first that differs, for half a second.
  @Test func flashes() async throws {
    let replay = try await Self.replay.value
    let world = World(Self.board(replay.board, replay))
    let screen = world.screen()
    let start = world.start
    #expect(screen.handle(.resized(Self.size), at: start).isChanged)
    #expect(screen.handle(.news, at: start).isChanged)
    #expect(world.done == [])
    let other = Self.board(await replay.moved("Indodax", by: 3, of: Self.bitcoin), replay)
    world.news.withLock { $0.board = other }
    _ = screen.handle(.news, at: start.advanced(by: .milliseconds(100)))
    #expect(world.done == ["wake 500"])
    func strong(_ milliseconds: Int) -> [StyledText.Run] {
      screen.picture(in: Self.size, at: start.advanced(by: .milliseconds(milliseconds))).lines.flatMap(\.runs)
        .filter(\.isStrong)
    }
    #expect(strong(100).map(\.text) == ["3.65"])
    #expect(strong(100).map(\.style) == [.up])
    #expect(strong(599).map(\.text) == ["3.65"])
    #expect(strong(600).isEmpty)
    // A second change within the half second starts no second flash.
    let back = Self.board(replay.board, replay)
    world.news.withLock { $0.board = back }
    _ = screen.handle(.news, at: start.advanced(by: .milliseconds(400)))
    #expect(world.done == [])
    // What goes on flashing is the price that is seen, in its own direction.
    #expect(strong(450).map(\.style) == [.down])
    #expect(strong(600).isEmpty)
    // The clock was set back: nothing stays lit.
    #expect(strong(-5).isEmpty)
    var options = WatchLive.Options()
    options.flashes = false
    let calm = world.screen(options)
    _ = calm.handle(.news, at: start)
    world.news.withLock { $0.board = other }
    _ = calm.handle(.news, at: start.advanced(by: .milliseconds(100)))
    #expect(world.done == [])
  }

  /// `--every`: figures change at that interval, the clock every second.
  @Test func everyOptionLimitsUpdates() async throws {
    let replay = try await Self.replay.value
    let world = World(Self.board(replay.board, replay))
    var options = WatchLive.Options()
    options.everyMilliseconds = 10_000
    let screen = world.screen(options)
    let start = world.start
    _ = screen.handle(.news, at: start)
    let other = Self.board(await replay.moved("Indodax", by: 3, of: Self.bitcoin), replay)
    world.news.withLock { $0.board = other }
    func shows(_ text: String, at seconds: Int) -> Bool {
      let now = start.advanced(by: .seconds(seconds))
      _ = screen.handle(.second, at: now)
      return Self.lines(screen, at: now, Self.size).joined(separator: "\n").contains(text)
    }
    #expect(shows("91600.65", at: 9))
    #expect(shows("14:12:16", at: 9))
    #expect(!shows("91600.65", at: 10))
    #expect(shows("91603.65", at: 10))
  }

  /// While figures wait for `--every`, feeds are as they are: an exchange that goes on answering is not stale.
  @Test func everyOptionKeepsFeedsCurrent() async throws {
    let replay = try await Self.replay.value
    let now = replay.now.advanced(by: .seconds(90))
    let key = FeedKey(exchange: "Indodax", market: .spot)
    let board = FeedBoard(replay.board.feeds, now: { now }, ask: { _, _ in [] })
    let rows = (replay.board[key]?.rows.rows ?? []).map { row in
      var row = row
      (row.ticker.arrival, row.ticker.otherPriceArrival, row.ticker.time) = (now, nil, nil)
      return row
    }
    await board.take(.rows(rows), of: key)
    let answering = Self.board(board.state, replay, later: 90)
    for milliseconds in [nil, 180_000] as [Int?] {
      let world = World(Self.board(replay.board, replay))
      var options = WatchLive.Options()
      options.everyMilliseconds = milliseconds
      let screen = world.screen(options)
      for event in [.news, .key("v")] as [LiveEvent] { _ = screen.handle(event, at: world.start) }
      world.news.withLock { $0.board = answering }
      _ = screen.handle(.second, at: now)
      let lines = Self.lines(screen, at: now, ScreenSize(columns: 100, rows: 100))
      let isStale = ["Indodax", "Gemini"].map { name in
        lines.first { $0.contains("\(name) ") }?.contains("stale")
      }
      #expect(isStale == [false, true], "\(milliseconds ?? 0)")
    }
  }

  @Test func alertsFireAndSound() async throws {
    let replay = try await Self.replay.value
    let rules = try [
      "premium > 0.1% then bell,desktop,exec ./tell", "exchanges > 3 then desktop", "ETH/USDT premium > 0",
    ].map { try AlertRule(parsing: $0, AlertNames()) }
    let world = World(Self.board(replay.board, replay), rules: rules)
    let screen = world.screen()
    let outcome = screen.handle(.news, at: world.start)
    // One notification a minute; others in the meantime ring the bell.
    #expect(
      outcome.effects == [
        .bell,
        .notify(
          title: "market BTC/USDT", body: "premium 0.13 % > 0.1%  Indodax 91600.65 over Kraken 91479.10"),
        .bell,
      ])
    #expect(world.done == ["run ./tell 0.13"])
    #expect(screen.handle(.second, at: world.start.advanced(by: .seconds(1))).effects.isEmpty)
    let text = Self.lines(screen, at: world.start, Self.size)
    // The other one is counted, even where there is no room for the exchanges.
    #expect(text.contains { $0.hasPrefix("ALERT 14:12:07 BTC/USDT premium 0.13 % > 0.1%  and 1 more") }, "\(text)")
    // A later one is shown in front of those that have not been cleared.
    let another = try AlertRule(parsing: "exchanges > 4", AlertNames())
    world.news.withLock { $0.rules.append(another) }
    _ = screen.handle(.news, at: world.start.advanced(by: .seconds(1)))
    let later = Self.lines(screen, at: world.start, Self.size)
    #expect(later.contains { $0.contains(" > 4  and 2 more") }, "\(later)")
    _ = screen.handle(.key(Key(.escape)), at: world.start)
    #expect(!Self.lines(screen, at: world.start, Self.size).contains { $0.contains("ALERT") })
  }

  @Test func endsWhenConditionHolds() async throws {
    let replay = try await Self.replay.value
    let world = World(Self.board(replay.board, replay))
    var options = WatchLive.Options()
    options.until = try AlertRule(parsing: "premium > 0.15% for 2s then exec x", AlertNames())
    let screen = world.screen(options)
    #expect(!screen.handle(.news, at: world.start).isEnd)
    let state = await replay.moved("Indodax", by: 100, of: Self.bitcoin)
    world.news.withLock { $0.board = Self.board(state, replay) }
    // There are no events in the meantime, and it still holds.
    for second in 0...1 { #expect(!screen.handle(.second, at: world.start.advanced(by: .seconds(second))).isEnd) }
    #expect(screen.handle(.second, at: world.start.advanced(by: .seconds(2))).isEnd)
    #expect(
      world.done.filter { !$0.hasPrefix("wake") } == [
        "reached premium 0.24 % > 0.15%  Indodax 91700.65 over Kraken 91479.10", "run x 0.24",
      ])
  }

  /// Keys by name and by character, pastes, the input method, sleep.
  @Test func otherInput() async throws {
    let replay = try await Self.replay.value
    let world = World(replay.watch(), problems: [WatchProblem(.favorites, "favorites.json is broken: line 1")])
    let screen = world.screen()
    let now = world.start
    func press(_ key: Key) -> LiveOutcome { screen.handle(.key(key), at: now) }
    _ = screen.handle(.news, at: now)
    _ = screen.handle(.resized(Self.size), at: now)
    #expect(Self.lines(screen, at: now, Self.size).contains("favorites.json is broken: line 1"))
    #expect(press(Key(.down)).isChanged)
    #expect(screen.state.cursor == WatchReplay.pairs[1])
    #expect(press("z") == .unchanged)
    #expect(press(Key(.function(5))) == .unchanged)
    #expect(press(Key(.enter)).isChanged)
    #expect(screen.state.screen == .pair(WatchReplay.pairs[1]))
    #expect(press("f").isChanged)
    #expect(press(Key(.enter)).isChanged)
    #expect(world.done == ["toggleFavorite", "explain"])
    let key = try #require(screen.state.row)
    world.news.withLock { $0.explanation = (key, ["GET https://example/\u{1B}[2J", "price 1 <- $.p = 1"]) }
    world.news.withLock { $0.answer = (1, .text("armed")) }
    _ = screen.handle(.news, at: now)
    #expect(screen.state.message == "armed")
    let explained = Self.lines(screen, at: now, Self.size)
    #expect(explained.contains("  GET https://example/\\u{1B}[2J"))
    #expect(explained.contains("  price 1 <- $.p = 1"))
    #expect(press("y").effects == [.copy("Upbit ETH/USDT 3048.68 -0.38u")])
    _ = press(Key(.escape))
    // The message is shown once, however often the news is checked.
    _ = screen.handle(.second, at: now)
    #expect(screen.state.message == nil)
    _ = press("q")
    _ = press("v")
    #expect(press("r").isChanged)
    #expect(press(Key(.delete)).isChanged)
    #expect(press("x").isChanged)
    #expect(world.done == ["askNow", "togglePause", "save watch.txt 24"])
    // Feeds are only text; pairs have rows.
    _ = press("q")
    for key: Key in ["x", "t", "x", "j", "x", "c", "x", "s", "x", "q"] { _ = press(key) }
    #expect(world.done == ["save watch.txt 24", "save watch.json 4267", "save watch.csv 123"])
    #expect(screen.state.screen == .pairs)
    #expect(screen.handle(.awoke, at: now).isChanged)
    #expect(world.done == ["awoke"])
    #expect(screen.handle(.hangulIsOn, at: now).isChanged)
    #expect(screen.state.message?.hasPrefix("한/영") == true)
    _ = press("/")
    #expect(screen.isLineOpen)
    _ = screen.handle(.paste("비트"), at: now)
    #expect(press("q") == .changed)
    #expect(screen.state.filter == "비트q")
    #expect(screen.picture(in: Self.size, at: now).cursor == ScreenPlace(column: 7, row: 23))
    _ = press(Key(.backspace))
    _ = press(Key(.enter))
    #expect(screen.state.visible.map(\.description) == ["BTC/KRW"])
    #expect(press("q").isEnd)
    world.news.withLock { $0.isOver = true }
    #expect(screen.handle(.news, at: now).isEnd)
  }

  /// An alert that could not be added stays in its line. What is said about it disappears with its reason.
  @Test func refusedChanges() async throws {
    let replay = try await Self.replay.value
    let problem = WatchProblem(
      .alerts, "/home/user/.config/market/alerts.json is invalid, so it is not used: 2:1: the text ends too early")
    let world = World(replay.watch(), problems: [problem])
    let screen = world.screen()
    let now = world.start
    func press(_ keys: Key...) { for key in keys { _ = screen.handle(.key(key), at: now) } }
    /// The last lines, after news of a problem or of an answer.
    func bottom(_ problems: [WatchProblem], _ answer: (Int, RefusedChange)? = nil) -> [String] {
      world.news.withLock { news in
        news.problems = problems
        if let answer { news.answer = (answer.0, .refused(answer.1)) }
      }
      _ = screen.handle(.news, at: now)
      return Array(Self.lines(screen, at: now, Self.size).suffix(4))
    }
    let shown = [
      "/home/user/.config/market/alerts.json is invalid, so it is not used: 2:1: the", "  text ends too early",
    ]
    press("a", "a")
    _ = screen.handle(.paste("fx > 1001"), at: now)
    press(Key(.enter))
    #expect(world.done == ["addAlert"])
    let sentence = "not added: alerts.json is invalid; repair it, then press Enter again"
    let refused = RefusedChange(sentence, cause: .alerts, alert: EnteredAlert("fx > 1001"))
    #expect(bottom([problem], (1, refused)) == shown + ["       " + sentence, "alert> fx > 1001"])
    #expect(bottom([]).last == "alert> fx > 1001   now BTC/USDT fx 1461.50; Enter arms, Tab fields, Esc leaves")
    #expect(screen.state.line?.problem == nil)
    press(Key(.enter))
    #expect(world.done == ["addAlert"])
    #expect(!screen.isLineOpen)
    // Without anything typed, it is a message.
    let removal = "not removed: alerts.json is invalid"
    #expect(bottom([problem], (2, RefusedChange(removal, cause: .alerts))).dropLast() == shown + [removal])
    #expect(bottom([]).dropLast() == ["", "", ""])
    // What is no longer true disappears, but nothing else.
    let said: [(Int, String, WatchProblem.Subject?, String)] = [
      (3, "reloaded", .config, ""), (5, "armed", nil, "armed"),
    ]
    for (number, text, subject, left) in said {
      world.news.withLock { $0.answer = (number, .text(text, about: subject)) }
      _ = screen.handle(.news, at: now)
      #expect(bottom([]).dropFirst(2).first == text)
      world.news.withLock { $0.answer = (number + 1, .withdrawn(.config)) }
      #expect(bottom([]).dropFirst(2).first == left)
    }
    // If another line is open meanwhile, the text is part of the message.
    press("/")
    #expect(bottom([problem], (7, refused)).dropFirst(2).first == "\(sentence): fx > 1001")
    #expect(screen.state.line?.kind == .filter)
  }

  /// `u` opens the page of the selected row; the result is shown as a link until the next key.
  @Test func pages() async throws {
    let replay = try await Self.replay.value
    let world = World(replay.watch())
    let screen = world.screen()
    let now = world.start
    _ = screen.handle(.news, at: now)
    _ = screen.handle(.resized(Self.size), at: now)
    _ = screen.handle(.key("u"), at: now)
    #expect(world.done == [])
    _ = screen.handle(.key(Key(.enter)), at: now)
    _ = screen.handle(.key("j"), at: now)
    let row = try #require(screen.state.row)
    #expect(screen.handle(.key("u"), at: now).isChanged)
    #expect(world.done == ["page"])
    // The terminal receives the difference from this.
    let before = Frame(size: Self.size, lines: screen.picture(in: Self.size, at: now).lines)
    let address = try #require(replay.session.page(of: row.exchange, row.market, row.pair, row: nil))
    let link = try #require(Hyperlink(address))
    world.news.withLock { $0.answer = (1, .page(link)) }
    _ = screen.handle(.news, at: now)
    let frame = Frame(size: Self.size, lines: screen.picture(in: Self.size, at: now).lines)
    let diff = FrameDiff(colors: ScreenColors(scheme: .kr, depth: .indexed, ground: .dark), hasLinks: true)
    let bytes = String(decoding: diff.bytes(from: before, to: frame), as: UTF8.self).replacing("\u{1B}", with: "E")
    Golden.expect(frame.lines.map { $0 + "\n" }.joined() + "====\n" + bytes + "\n", matches: "page-80x24.txt")
    _ = screen.handle(.key("j"), at: now)
    #expect(screen.picture(in: Self.size, at: now).lines.flatMap(\.runs).allSatisfy { $0.link == nil })
  }

  /// The pages of all shipped exchanges, for the rows of the recordings.
  @Test func shippedPages() async throws {
    let replay = try await Self.replay.value
    let board = replay.watch()
    var lines: [String] = []
    for figures in board.figures {
      for row in figures.snapshot.spot + figures.snapshot.futures {
        let key = row.ticker.key
        let page = replay.session.page(of: key.exchange, key.market, key.pair, row: row.ticker)
        lines.append("\(key.exchange) \(key.market.rawValue) \(key.pair) \(row.ticker.symbol) \(page ?? "-")\n")
        #expect(page.flatMap { Hyperlink($0) } != nil)
      }
    }
    Golden.expect(lines.sorted().joined(), matches: "pages.txt")
  }

  /// A click moves the cursor, a second one opens; the wheel scrolls, a title sorts; clicks elsewhere do nothing.
  @Test func mouse() async throws {
    let replay = try await Self.replay.value
    let world = World(replay.watch(), rules: [try AlertRule(parsing: "premium > 50%", AlertNames())])
    let screen = world.screen()
    let now = world.start
    _ = screen.handle(.news, at: now)
    _ = screen.handle(.resized(Self.size), at: now)
    func mouse(_ action: MouseEvent.Action, _ column: Int = 0, _ row: Int = 0, button: Int = 0) -> LiveOutcome {
      screen.handle(
        .mouse(MouseEvent(action: action, button: button, place: ScreenPlace(column: column, row: row))), at: now)
    }
    // Three lines of header, the titles, then two lines per card.
    #expect(mouse(.press, 30, 7).isChanged)
    #expect(screen.state.cursor == WatchReplay.pairs[1])
    #expect(screen.state.screen == .pairs)
    for nothing in [mouse(.press, 3, 0), mouse(.press, 3, 20), mouse(.press, 3, 4, button: 2), mouse(.drag, 3, 4)] {
      #expect(nothing == .unchanged)
    }
    #expect(mouse(.press, 30, 6).isChanged)
    #expect(screen.state.screen == .pair(WatchReplay.pairs[1]))
    // Two lines of header, the titles, then the rows.
    #expect(mouse(.press, 4, 5).isChanged)
    #expect(screen.state.row == screen.state.rows[2])
    #expect(mouse(.wheelDown).isChanged)
    #expect(screen.state.row == screen.state.rows[5])
    #expect(mouse(.wheelUp).isChanged)
    #expect(screen.state.row == screen.state.rows[2])
    _ = screen.handle(.key("v"), at: now)
    #expect(mouse(.press, 4, 4).isChanged)
    #expect(screen.state.feed == screen.state.feeds[1])
    _ = screen.handle(.key("a"), at: now)
    #expect(mouse(.press, 4, 2).isChanged)
    #expect(screen.isLineOpen)
    _ = screen.handle(.key(Key(.escape)), at: now)
    _ = screen.handle(.key("q"), at: now)
    _ = screen.handle(.key(Key(.tab)), at: now)
    let titles = Self.lines(screen, at: now, Self.size)[3]
    let column = try #require(titles.firstRange(of: "kimchi%")).lowerBound
    #expect(mouse(.press, titles.distance(from: titles.startIndex, to: column) + 6, 3).isChanged)
    #expect(screen.state.sort == .kimchi && !screen.state.isReversed)
    #expect(mouse(.press, titles.distance(from: titles.startIndex, to: column), 3).isChanged)
    #expect(screen.state.isReversed)
    // The title says at which price of a dollar, at every width.
    _ = screen.handle(.key("p"), at: now)
    let byToken = Self.lines(screen, at: now, Self.size)[3]
    let start = try #require(byToken.firstRange(of: "USDT kimchi%▴")).lowerBound
    #expect(mouse(.press, byToken.distance(from: byToken.startIndex, to: start), 3).isChanged)
    #expect(!screen.state.isReversed)
    #expect(screen.handle(.mouseSwitched(true), at: now).isChanged)
    #expect(screen.state.message == "the mouse is on; m turns it off, to select text")
    #expect(screen.handle(.colorsSwitched(.plain), at: now).isChanged)
    #expect(screen.state.message == "colours: none")
    // There are six columns to sort by.
    #expect(screen.handle(.key("7"), at: now).isChanged)
    #expect(screen.state.message == "columns to sort by: 1 to 6")
    #expect(screen.state.sort == .kimchi)
  }

  /// Ten thousand pairs, and screens of every size, from one cell on.
  @Test func tenThousandPairs() async throws {
    let replay = try await Self.replay.value
    let pairs = (0..<10_000).map { Pair(asset: "A\($0)", payment: "USDT") } + WatchReplay.pairs
    let world = World(replay.watch(pairs: pairs))
    let screen = world.screen()
    let now = world.start
    _ = screen.handle(.news, at: now)
    for (columns, rows) in [(1, 1), (39, 8), (40, 8), (60, 20), (80, 24), (160, 50), (200, 60)] {
      let size = ScreenSize(columns: columns, rows: rows)
      _ = screen.handle(.resized(size), at: now)
      _ = screen.handle(
        .mouse(MouseEvent(action: .press, button: 0, place: ScreenPlace(column: columns - 1, row: rows / 2))), at: now)
      for key in ["d", "q", "G", "g", "j", "w", "o", "v", "v", "d", "q", "a", "q", "?", "q"] as [Key] {
        #expect(!screen.handle(.key(key), at: now).isEnd)
        let picture = screen.picture(in: size, at: now)
        #expect(picture.lines.count == rows)
        #expect(picture.lines.allSatisfy { $0.width <= columns })
      }
    }
    _ = screen.handle(.key("/"), at: now)
    for key in ["p", "e", "p", "e"] as [Key] { _ = screen.handle(.key(key), at: now) }
    #expect(screen.state.visible.map(\.description) == ["PEPE/USDT"])
  }

  /// Names with control sequences are treated as mere text.
  @Test func hostileNames() async throws {
    let replay = try await Self.replay.value
    let pairs = ["$(touch /tmp/x)", "\u{1B}[2J\u{7}", "A\nB", "\u{202E}CBT"].map { Pair(asset: $0, payment: "KRW") }
    let world = World(
      replay.watch(pairs: pairs), rules: [try AlertRule(parsing: "exchanges < 100 then exec x", AlertNames())])
    let screen = world.screen()
    let outcome = screen.handle(.news, at: world.start)
    #expect(outcome.effects.isEmpty)
    #expect(world.done == Array(repeating: "run x ", count: 4))
    let text = Self.lines(screen, at: world.start, Self.size).joined()
    #expect(!text.unicodeScalars.contains { $0.properties.generalCategory == .control || $0.value == 0x202E })
    #expect(text.contains("$(touch /tmp/x)"))
    var log = WatchLog(everyMilliseconds: 1)
    for line in log.lines(world.news.withLock { $0.board }, isWhole: true) {
      #expect(!line.unicodeScalars.contains { $0.properties.generalCategory == .control })
    }
  }
}
