import Formats
import JSON
import Mapping
import Quotes
import Terminal
import Testing

@testable import MarketData
@testable import Views

/// A live view without a screen: lines, and JSON objects.
@Suite struct WatchLogTests {
  private static let replay = Task { try await WatchReplay() }
  private static let pairs = WatchReplay.pairs.filter { $0.payment == "KRW" }

  private func board(_ state: BoardState, _ replay: WatchReplay, later seconds: Int = 0) -> WatchBoard {
    replay.watch(state, pairs: Self.pairs, later: seconds)
  }

  @Test func changedFigurePrintsALine() async throws {
    let replay = try await Self.replay.value
    var log = WatchLog(everyMilliseconds: 10_000)
    #expect(log.lines(board(replay.board, replay), isWhole: false) == [])
    #expect(
      log.lines(board(replay.board, replay), isWhole: true) == [
        "14:12:07 USD/KRW 1461.50 (-0.23%) 하나은행",
        "14:12:07 BTC/KRW premium 0.13 % Gopax 134651000 (3m old) over Coinone 134472000",
        "14:12:07 USDT/KRW premium 0.15 % Gopax 1472.0 over Coinone 1469.8",
      ])
    #expect(log.lines(board(replay.board, replay), isWhole: true) == [])

    // A pair is silent for ten seconds after its line; then the state at that time is printed.
    let other = await replay.moved("Gopax", by: 1000)
    #expect(log.lines(board(other, replay, later: 9), isWhole: true) == [])
    #expect(
      log.lines(board(other, replay, later: 10), isWhole: true) == [
        "14:12:17 BTC/KRW premium 0.13 % Gopax 134652000 (10s old) over Coinone 134472000 (10s old)",
        // Gopax is far from the others now, so it may be another coin.
        "14:12:17 USDT/KRW premium 0.01 % Upbit 1470.0 (10s old) over Coinone 1469.8 (10s old)",
      ])
  }

  /// A rate that nothing confirms is marked: in the line, in that of an alert made of it, and for its command.
  @Test(
    arguments: [
      ([], "", "", nil), ([RateLabel.unchecked], ", unchecked 19s", "  (rate unchecked)", "unchecked"),
      ([.unconfirmed(since: 1600), .unchecked], ", unconfirmed 19s", "", "unconfirmed"),
    ] as [([RateLabel], String, String, String?)])
  func uncheckedRateIsMarked(_ labels: [RateLabel], _ line: String, _ remark: String, _ codes: String?) async throws {
    let replay = try await Self.replay.value
    var quote = try #require(replay.board.rate?.quote)
    quote.labels = labels
    let state = BoardState(
      feeds: replay.board.feeds, rate: RateReport(pair: quote.pair, moment: replay.now, quote: quote))
    let board = board(state, replay)
    var log = WatchLog(everyMilliseconds: 10_000)
    #expect(log.lines(board, isWhole: true).first == "14:12:07 USD/KRW 1461.50 (-0.23%) 하나은행\(line)")
    var watch = AlertWatch([try AlertRule(parsing: "BTC/KRW kimchi > 0", AlertNames())])
    let firings = watch.take(board.figures, board.state, at: board.now)
    #expect(
      firings.map { WatchLog.line($0) { _ in .seoul } }
        == (labels.contains { $0.code.hasPrefix("unconfirmed") }
          ? [] : ["14:12:07 ALERT BTC/KRW kimchi +0.54 % > 0\(remark)"]))
    var screen = WatchState()
    screen.alarms = firings
    let alarm = board.texts(screen.taking(board), columns: 120).first { $0.hasPrefix("ALERT") }
    #expect((alarm == nil) == firings.isEmpty)
    #expect(alarm?.hasPrefix("ALERT 14:12:07 BTC/KRW kimchi +0.54 % > 0\(remark)   ") != false)
    #expect(
      firings.map { $0.environment.first { $0.name == "MARKET_FX_LABELS" }?.value } == (firings.isEmpty ? [] : [codes]))
  }

  /// A command gets the figures of the exchange that its alert names, of the leading one if it names none or several.
  @Test(
    arguments: [
      ("price@Bithumb > 1", "Bithumb", "Bithumb"), ("change@Bithumb > -99", "Bithumb", "Bithumb"),
      ("price@Bithumb > 1 and change > -99", "Bithumb", nil), ("price@Bithumb > 1 and price@Upbit > 1", nil, nil),
      ("price > 1", nil, nil), ("premium > 0", nil, nil),
    ] as [(String, String?, String?)])
  func commandsGetFiguresOfNamedExchange(_ text: String, _ price: String?, _ change: String?) async throws {
    let replay = try await Self.replay.value
    let board = board(replay.board, replay)
    let rule = try AlertRule(parsing: "BTC/KRW \(text)", AlertNames(exchanges: ["Bithumb", "Upbit"]))
    var watch = AlertWatch([rule])
    let firing = try #require(watch.take(board.figures, board.state, at: board.now).first)
    let lead = try #require(firing.figures.leadRow?.ticker)
    func ticker(_ exchange: String?) -> Ticker? {
      guard let exchange else { return lead }
      return firing.figures.snapshot.spot.first { $0.ticker.exchange == exchange }?.ticker
    }
    let known = Dictionary(firing.environment.map { ($0.name, $0.value) }) { first, _ in first }
    #expect(known["MARKET_EXCHANGE"] == price ?? lead.exchange)
    #expect(lead.exchange != "Bithumb")
    #expect(known["MARKET_PRICE"] == ticker(price)?.price.value?.shortest)
    #expect(known["MARKET_CHANGE"] == ticker(change)?.changePricePercent24.value?.fixedText(places: 2))
  }

  /// The price of a named exchange is known before all others have answered; the leading exchange is not.
  @Test func commandsGetPricesAtTheStart() async throws {
    let replay = try await Self.replay.value
    let slow = FeedState(
      FeedKey(exchange: "Slow", market: .spot), badge: nil,
      capabilities: FeedCapabilities(termMilliseconds: 1000, pairs: Self.pairs, wholeCost: 1))
    let board = board(BoardState(feeds: replay.board.feeds + [slow]), replay)
    var watch = AlertWatch([
      try AlertRule(parsing: "BTC/KRW price@Upbit > 1", AlertNames(exchanges: ["Upbit"])),
      try AlertRule(parsing: "BTC/KRW feeds.failed >= 0", AlertNames()),
    ])
    let firings = watch.take(board.figures, board.state, at: board.now)
    #expect(
      firings.map { $0.environment.contains { $0.name == "MARKET_PRICE" && !$0.value.isEmpty } } == [true, false])
    #expect(firings.map { $0.environment.first { $0.name == "MARKET_EXCHANGE" }?.value } == ["Upbit", nil])
  }

  /// Commands and programs get every digit of what an exchange sends; a rate may be a quotient.
  @Test func alertFiguresAreExact() throws {
    let number = try #require(Decimal("1234567890.123456789"))
    #expect(
      AlertField.allCases.filter { $0.text(number) != number.shortest }
        == AlertField.allCases.filter {
          $0.isPercent || $0 == .rate
        })
    #expect(AlertField.rate.text(number) == "1234567890.12")
  }

  @Test func failurePrintsALine() async throws {
    let replay = try await Self.replay.value
    var log = WatchLog(everyMilliseconds: 10_000)
    _ = log.lines(board(replay.board, replay), isWhole: true)
    let key = FeedKey(exchange: "Upbit", market: .spot)
    let feeds = FeedBoard(replay.board.feeds, now: { replay.now }, ask: { _, _ in [] })
    await feeds.take(.broken(reason: .stream("closed 1006\u{1B}[2J"), retry: nil), of: key)
    #expect(
      log.lines(board(feeds.state, replay), isWhole: true)
        == ["14:12:07 feed Upbit spot stream broken: closed 1006\\u{1B}[2J"])
    await feeds.take(.live([]), of: key)
    #expect(log.lines(board(feeds.state, replay), isWhole: true) == ["14:12:07 feed Upbit spot stream"])
    await feeds.togglePause(key)
    #expect(
      log.lines(board(feeds.state, replay), isWhole: true).filter { $0.contains("feed") }
        == ["14:12:07 feed Upbit spot paused"])
  }

  /// An exchange that lists a pair without streaming it is named with the reason, whether or not it streams others.
  @Test func polledExchangesAreNamedWithReason() async throws {
    let replay = try await Self.replay.value
    let feeds = FeedBoard(replay.board.feeds, now: { replay.now }, ask: { _, _ in [] })
    func said() throws -> [String] {
      let board = board(feeds.state, replay)
      return board.polledExchanges(try #require(board[Self.pairs[0]])).map { "\($0.exchange) \($0.reason)" }
    }
    #expect(try said() == [])
    let retry = replay.now.advanced(by: .seconds(2))
    await feeds.take(
      .broken(reason: .stream("stream-closed 1006"), retry: retry), of: FeedKey(exchange: "Upbit", market: .spot))
    // This one does not list it.
    await feeds.take(
      .broken(reason: .stream("stream-silent"), retry: nil), of: FeedKey(exchange: "Binance", market: .spot))
    #expect(try said() == ["Upbit stream-closed 1006"])
    await feeds.take(.live([Self.pairs[0]]), of: FeedKey(exchange: "Upbit", market: .spot))
    #expect(try said() == [])
  }

  @Test func objects() async throws {
    let replay = try await Self.replay.value
    var events = WatchEvents(everyMilliseconds: 1000)
    var lines = events.start(Self.pairs, exchanges: ["Upbit"], at: replay.now)
    lines += events.lines(board(replay.board, replay))
    let first = lines.count
    // Nothing has changed.
    lines += events.lines(board(replay.board, replay))
    #expect(lines.count == first)
    lines += events.lines(board(await replay.moved("Gopax", by: 1000), replay, later: 1))
    lines += events.end("replay-ended", at: replay.now)

    let objects = try Self.objects(lines)
    #expect(objects.compactMap { $0["seq"]?.numberText } == (1...objects.count).map(String.init))
    let types = objects.compactMap { $0["type"]?.string }
    #expect(types.first == "start")
    #expect(types.last == "end")
    #expect(Set(types) == ["start", "rate", "row", "pair", "feed", "end"])
    let last = try #require(types.lastIndex(of: "feed"))
    let again = objects[(last + 1)...]
    #expect(again.compactMap { $0["row"]?["exchange"]?.string } == ["Gopax", "Gopax"])
    let pair = try #require(objects.last { $0["pair"]?.string == "BTC/KRW" && $0["type"]?.string == "pair" })
    #expect(pair["premium"]?["highPrice"]?.string == "134652000")
    #expect(pair["lead"]?["exchange"]?.string == "Upbit")
  }

  private static func objects(_ bytes: [UInt8]) throws -> [JSONNode] {
    try bytes.split(separator: UInt8(ascii: "\n")).map { try JSONDocument(parsing: Array($0)).root }
  }

  /// The age of a row is that at the time of its line, however long ago it arrived.
  @Test func agesAreThoseOfTheLine() async throws {
    let replay = try await Self.replay.value
    func ages(later seconds: Int) throws -> [Decimal] {
      var events = WatchEvents(everyMilliseconds: 1000)
      return try Self.objects(events.lines(board(replay.board, replay, later: seconds))).compactMap {
        $0["row"]?["ageSeconds"]?.string.flatMap { Decimal($0) }
      }
    }
    let first = try ages(later: 0)
    #expect(first.count > 5)
    let times = board(replay.board, replay).figures.flatMap(\.snapshot.spot).compactMap(\.ticker.time)
    #expect(
      first == times.compactMap { Decimal(Decimal.seconds(nanoseconds: max(0, replay.now.nanoseconds(since: $0)))) })
    #expect(try ages(later: 7) == first.map { $0 + 7 })
  }

  /// A pair that an exchange no longer lists or trades has a last row with reasons in place of figures.
  @Test(arguments: [(false, "not-listed"), (true, "halted")])
  func goneRowHasALastLine(_ isHalted: Bool, _ code: String) async throws {
    let replay = try await Self.replay.value
    var events = WatchEvents(everyMilliseconds: 1000)
    _ = events.lines(board(replay.board, replay))
    var without = replay.board
    for place in without.feeds.indices where without.feeds[place].key.exchange == "Gopax" {
      without.feeds[place].rows.remove(Self.pairs[0])
      if isHalted { without.feeds[place].halted = [Self.pairs[0]] }
    }
    func rows(_ state: BoardState) throws -> [String] {
      try Self.objects(events.lines(board(state, replay, later: 1))).compactMap { object in
        guard object["type"]?.string == "row", let row = object["row"] else { return nil }
        let texts = ["exchange", "symbol", "price", "excludedBecause"].map { row[$0]?.string ?? "null" }
        return (texts + [row["reasons"]?["price"]?.string ?? "-"]).joined(separator: " ")
      }
    }
    let gone = try rows(without)
    #expect(gone == ["Gopax BTCKRW null \(code) \(code)"])
    #expect(try rows(without) == [])
    // It is listed or traded again.
    let back = try rows(replay.board)
    #expect(back == ["Gopax BTCKRW 134651000 null -"])
  }

  /// Changes of a row missed by a slow reader are counted; it sees only the newest.
  @Test func missedTicks() async throws {
    let replay = try await Self.replay.value
    let key = FeedKey(exchange: "Gopax", market: .spot)
    let feeds = FeedBoard(replay.board.feeds, now: { replay.now }, ask: { _, _ in [] })
    func move(by change: Decimal) async {
      let rows = (feeds.state[key]?.rows.rows ?? []).filter { $0.ticker.pair == Self.pairs[0] }.map { row in
        var row = row
        if let price = row.ticker.price.value { row.ticker.price = .value(price + change) }
        row.ticker.time = nil
        return row
      }
      await feeds.take(.rows(rows), of: key)
    }
    var events = WatchEvents(everyMilliseconds: 1000)
    _ = events.lines(board(replay.board, replay))
    func told() throws -> [String] {
      try Self.objects(events.lines(board(feeds.state, replay, later: 1))).compactMap { object in
        switch object["type"]?.string {
        case "row": object["row"]?["price"]?.string
        case "missed":
          ["missed", "exchange", "market", "pair", "count"].compactMap { object[$0]?.string }.joined(separator: " ")
        default: nil
        }
      }
    }
    await move(by: 1000)
    #expect(try told() == ["134652000"])
    for _ in 0..<3 { await move(by: 1000) }
    #expect(try told() == ["Gopax spot BTC/KRW 2", "134655000"])
    // There and back: nothing new to report, and two ticks that were not reported.
    await move(by: 1000)
    await move(by: -1000)
    #expect(try told() == ["Gopax spot BTC/KRW 2"])
    #expect(try told() == [])
  }

  /// A picture without room for all pairs continues with the next one, and each pair appears once.
  @Test func picturesContinueAcrossLimits() async throws {
    let replay = try await Self.replay.value
    var events = WatchEvents(everyMilliseconds: 1000)
    func told(_ limit: Int) throws -> [String] {
      try Self.objects(events.lines(board(replay.board, replay), upTo: limit)).compactMap { object in
        object["type"]?.string == "pair" ? object["pair"]?.string : nil
      }
    }
    #expect(try told(1) == [])
    #expect(events.hasRest)
    #expect(try told(1) == ["BTC/KRW"])
    #expect(events.hasRest)
    #expect(try told(1) == ["USDT/KRW"])
    #expect(try told(1) == [])
    #expect(!events.hasRest)
  }

  /// A premium at a doubtful rate says so, however short the line.
  @Test(arguments: [
    ([RateLabel.daily], 0, " (rate daily)"), ([.old, .unchecked], 0, " (rate old, unchecked)"), ([], 7, " (rate old)"),
  ])
  func barMarksTheRate(_ labels: [RateLabel], hours: Int, remark: String) async throws {
    let replay = try await Self.replay.value
    var quote = try #require(replay.board.rate?.quote)
    quote.labels = labels
    let rate = RateReport(pair: quote.pair, moment: replay.now, quote: quote)
    let figures = PairFigures.all(
      of: [Self.pairs[0]], rate: rate, rule: .standard, dollarTokens: ["USDT"], identityPercent: 20
    ) { pair in
      let own = replay.board.snapshot(
        of: pair, at: replay.now, check: MeaningCheck(), rule: .standard, dollarTokens: ["USDT"])
      return Snapshot(
        pair: pair, time: replay.now.advanced(by: .seconds(hours * 3600)), reports: own.reports, rate: rate,
        check: MeaningCheck(), rule: .standard)
    }
    let report = BarReport(
      try #require(figures.first), alert: .standard, rule: .standard, badges: [:], scheme: .kr)
    let texts = Dictionary(uniqueKeysWithValues: BarFormat.allCases.map { ($0, report.text($0)) })
    #expect(texts.filter { !$0.value.contains("kimchi +0.54\(remark)") }.keys.map(\.rawValue) == [])
    #expect(texts[.tmux]?.hasSuffix(" kimchi +0.54\(remark)\n") == true)
  }

  /// Without a usable price, the bar says why in its class and below its line.
  @Test(
    arguments: [
      ("NOPE/KRW", 0, ["not-listed"], "NOPE/KRW - (not-listed)\nnone of the exchanges asked lists it"),
      (
        "USDT/KRW", 600, ["stale"],
        "USDT/KRW - (stale)\nUpbit 1470 stale\nBithumb 1470 stale\nCoinone 1469.8 stale\nKorbit 1470 stale\n"
          + "Gopax 1472 stale"
      ),
    ] as [(String, Int, [String], String)])
  func barSaysWhyThereIsNoPrice(_ name: String, _ seconds: Int, _ classes: [String], _ tooltip: String) async throws {
    let replay = try await Self.replay.value
    let figures = replay.board.figures(
      of: [try #require(Pair(name))], at: replay.now.advanced(by: .seconds(seconds)), check: MeaningCheck(),
      rule: .standard, dollarTokens: ["USDT"])
    let report = BarReport(
      try #require(figures.first), alert: .standard, rule: .standard, badges: [:], scheme: .kr)
    let object = try JSONDocument(parsing: Array(report.text(.waybar).utf8)).root
    #expect(object["class"]?.elements.compactMap(\.string) == classes)
    #expect(object["tooltip"]?.string == tooltip)
    let reason = "(\(classes[0]))"
    #expect(report.text(.line) == "\(name) - \(reason)\n")
    #expect(report.text(.xbar) == "\(name.split(separator: "/")[0]) - \(reason)\n---\n\(tooltip)\n")
  }

  @Test func barFormats() async throws {
    let replay = try await Self.replay.value
    let figures = replay.board.figures(
      of: [Self.pairs[0]], at: replay.now, check: MeaningCheck(), rule: .standard, dollarTokens: ["USDT"])
    let report = BarReport(
      try #require(figures.first), alert: .standard, rule: .standard,
      badges: ["Upbit": "<b>|#[fg=red]", "Gopax": "GP", "Coinone": "&"], scheme: .kr)
    #expect(report.text(.line) == "BTC/KRW 134512000 <b>|#[fg=red] +0.46u  premium 0.13 GP>&  kimchi +0.54\n")
    #expect(report.text(.tmux) == "#[fg=red]BTC 134512000 +0.46u#[default] kimchi +0.54\n")
    #expect(
      report.text(.i3blocks) == """
        BTC 134512000 +0.46u kimchi +0.54
        BTC 134512000 +0.46u
        #FF5555

        """)
    #expect(
      report.text(.xbar).split(separator: "\n").prefix(3).map(String.init) == [
        "BTC 134512000 +0.46u kimchi +0.54 | color=red", "---",
        "BTC/KRW 134512000 Upbit +0.46u  premium 0.13 Gopax>Coinone  kimchi +0.54",
      ])
    let object = try JSONDocument(parsing: Array(report.text(.waybar).utf8)).root
    #expect(object["text"]?.string == "BTC 134512000 +0.46u")
    #expect(object["class"]?.elements.compactMap(\.string) == ["up", "premium"])
    #expect(
      object["tooltip"]?.string?.split(separator: "\n").first
        == "BTC/KRW 134512000 Upbit +0.46u  premium 0.13 Gopax&gt;Coinone  kimchi +0.54")
  }

  private static func barText(_ format: BarFormat) -> String {
    switch format {
    case .line: return "BTC/KRW PRICE UP +0.46u  premium 0.13 GP>CO  kimchi +0.54\n"
    case .waybar:
      let rows = #"Upbit PRICE +0.46u\nBithumb 134566000 +0.93k\nCoinone 134472000 +1.43\nKorbit 134527000 +1.43\n"#
      return
        #"{"text":"BTC PRICE +0.46u","tooltip":"BTC/KRW PRICE Upbit +0.46u  premium 0.13 Gopax&gt;Coinone  kimchi +0.54\n"#
        + rows + #"Gopax 134651000 +1.43","class":["up","premium"]}"# + "\n"
    case .tmux: return "#[fg=red]BTC PRICE +0.46u#[default] kimchi +0.54\n"
    case .xbar:
      return """
        ~~~
        BTC PRICE +0.46u kimchi +0.54 | color=red
        ---
        BTC/KRW PRICE Upbit +0.46u  premium 0.13 Gopax>Coinone  kimchi +0.54
        Upbit PRICE +0.46u
        Bithumb 134566000 +0.93k
        Coinone 134472000 +1.43
        Korbit 134527000 +1.43
        Gopax 134651000 +1.43

        """
    case .i3blocks:
      let texts = #""full_text":"BTC PRICE +0.46u kimchi +0.54","short_text":"BTC PRICE +0.46u""#
      return "{" + texts + ##","color":"#FF5555"}"## + "\n"
    }
  }

  /// A bar that reads a running command gets the whole text of a pair when it changes, at most once in ten seconds, in the
  /// form of an update.
  @Test(arguments: BarFormat.allCases)
  func barIsUpdated(_ format: BarFormat) async throws {
    let text = Self.barText(format)
    let replay = try await Self.replay.value
    var bars = WatchBars(format, everyMilliseconds: 10_000, scheme: .kr)
    func update(_ state: BoardState, later seconds: Int = 0, isWhole: Bool = true) -> String {
      let now = replay.now.advanced(by: .seconds(seconds))
      return bars.text(
        WatchBoard(state, pairs: [Self.pairs[0]], at: now, WatchReplay.settings(.english)), isWhole: isWhole)
    }
    #expect(update(replay.board, isWhole: false) == "")
    #expect(update(replay.board) == text.replacing("PRICE", with: "134512000"))
    #expect(update(replay.board, later: 10) == "")
    let feeds = await replay.moved("Upbit", by: 1000).feeds
    let other = BoardState(feeds: feeds, rate: replay.board.rate)
    #expect(update(other, later: 9) == "")
    #expect(update(other, later: 10) == text.replacing("PRICE", with: "134513000"))
  }

  /// That no exchange lists a pair is known only once all have answered.
  @Test func barIsLoading() async throws {
    let replay = try await Self.replay.value
    func line(_ feeds: [FeedState]) -> String {
      let board = replay.watch(BoardState(feeds: feeds, rate: nil), pairs: [Self.pairs[0]])
      var bars = WatchBars(.xbar, everyMilliseconds: 10_000, scheme: .kr)
      return bars.text(board, isWhole: true)
    }
    let fresh = replay.board.feeds.map { FeedState($0.key, badge: $0.badge, capabilities: $0.capabilities) }
    #expect(line(fresh) == "~~~\nBTC - (loading)\n---\nBTC/KRW - (loading)\n")
    let none = "~~~\nBTC - (not-listed)\n---\nBTC/KRW - (not-listed)\nnone of the exchanges asked lists it\n"
    #expect(line([]) == none)
  }
}
