import Files
import Quotes
import TestSupport
import Testing

@testable import Mapping
@testable import MarketData

/// When alerts fire.
@Suite struct AlertWatchTests {
  private static let pair = Pair(asset: "XRP", payment: "KRW")
  private static let start = Instant(nanoseconds: 1_794_978_000_000_000_000)

  /// A moment in a scenario: by how many percent the dearer of two exchanges is above the other; nil if it fails.
  struct Step: Sendable {
    let second: Int
    let premium: Int?
    var isStale = false
  }

  struct Story: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var rule = "premium > 3"
    let steps: [Step]
    /// The seconds in which it fires.
    let fires: [Int]
    var maximumGap: Int? = 5000
  }

  private static func figures(_ step: Step, of asset: String = "XRP") -> [PairFigures] {
    let pair = Pair(asset: asset, payment: "KRW")
    var rows = [ticker("A", .spot, pair, 100)]
    if let premium = step.premium {
      rows.append(ticker("B", .spot, pair, Decimal(100 + premium)))
      rows[1].flags = step.isStale ? [Flag(.stale, .unreadTime)] : []
    }
    return figures(rows, of: pair)
  }

  /// - Parameter fails: whether its last answer was an error.
  private static func feed(
    _ exchange: String, _ market: Market = .spot, pairs: [Pair] = [], fails: Bool = false
  ) -> FeedState {
    var feed = FeedState(
      FeedKey(exchange: exchange, market: market), badge: nil,
      capabilities: FeedCapabilities(termMilliseconds: 1000, pairs: pairs, wholeCost: 1))
    if fails {
      feed.failure = FeedState.Failure(AnswerFailure(.http(503)), since: start, tries: 1, isPartial: false)
    }
    return feed
  }

  private static func reading(_ figures: [PairFigures], _ state: BoardState) throws -> AlertReading {
    AlertReading(try #require(figures.first), AlertReading.Shared(state, at: start))
  }

  private static func every(_ seconds: ClosedRange<Int>, _ premium: Int?, isStale: Bool = false) -> [Step] {
    seconds.map { Step(second: $0, premium: premium, isStale: isStale) }
  }

  private static let stories: [Story] = [
    Story(testDescription: "fires once while the condition holds", steps: every(0...9, 5), fires: [0]),
    Story(testDescription: "never fires if the condition does not hold", steps: every(0...9, 2), fires: []),
    Story(
      testDescription: "must hold for its whole duration", rule: "premium > 3 for 3s",
      steps: every(0...1, 5) + every(2...2, 2) + every(3...9, 5), fires: [6]),
    Story(
      testDescription: "a short fall does not rearm it",
      steps: every(0...2, 5) + every(3...9, 2) + every(10...12, 5),
      fires: [0]),
    Story(
      testDescription: "a fall of ten seconds rearms it", steps: every(0...2, 5) + every(3...13, 2) + every(14...16, 5),
      fires: [0, 14]),
    Story(
      testDescription: "an alert with a long duration takes as long to rearm", rule: "premium > 3 for 20s",
      steps: every(0...25, 5) + every(26...40, 2) + every(41...70, 5), fires: [20]),
    Story(
      testDescription: "an exchange that disappears does not rearm it",
      steps: every(0...2, 5) + every(3...20, nil) + every(21...23, 5),
      fires: [0]),
    Story(testDescription: "a stale price triggers nothing", steps: every(0...9, 5, isStale: true), fires: []),
    Story(
      testDescription: "a stale price interrupts the duration", rule: "premium > 3 for 3s",
      steps: every(0...2, 5) + every(3...3, 5, isStale: true) + every(4...8, 5), fires: [7]),
    Story(
      testDescription: "unobserved time does not count", rule: "premium > 3 for 10s",
      steps: [Step(second: 0, premium: 5), Step(second: 100, premium: 5)] + every(101...111, 5), fires: [110]),
    Story(
      testDescription: "recordings have no observations in between", rule: "premium > 3 for 10s",
      steps: [Step(second: 0, premium: 5), Step(second: 100, premium: 5)], fires: [100], maximumGap: nil),
    Story(
      testDescription: "a clock set back restarts the duration", rule: "premium > 3 for 3s",
      steps: [Step(second: 100, premium: 5), Step(second: 0, premium: 5)] + every(1...4, 5), fires: [3]),
    Story(
      testDescription: "another pair's alert", rule: "BTC/KRW premium > 3", steps: every(0...3, 5), fires: []),
  ]

  @Test(arguments: stories) func fires(_ story: Story) throws {
    var watch = AlertWatch(
      [try AlertRule(parsing: story.rule, AlertNames())], maximumGapMilliseconds: story.maximumGap)
    let seconds = story.steps.flatMap { step in
      watch.take(Self.figures(step), BoardState(feeds: []), at: Self.start.advanced(by: .seconds(step.second)))
        .map { _ in step.second }
    }
    #expect(seconds == story.fires)
  }

  /// Whatever held before a gap of more than five seconds in the figures starts to hold behind it.
  @Test(arguments: [(5, [5]), (6, [])]) func gapsEndWhatHeld(_ second: Int, _ fires: [Int]) throws {
    var watch = AlertWatch([try AlertRule(parsing: "premium > 3 for 3s", AlertNames())])
    let seconds = [0, second].flatMap { second in
      let moment = Self.start.advanced(by: .seconds(second))
      return watch.take(Self.figures(Step(second: second, premium: 5)), BoardState(feeds: []), at: moment)
        .map { _ in second }
    }
    #expect(seconds == fires)
  }

  /// The last price of an exchange known to fail triggers nothing, while others still do.
  @Test(
    arguments: [
      ("premium > 3", nil, [0], nil), ("premium > 3", "A", [], "http-503"), ("premium > 3", "B", [], "http-503"),
      ("premium > 3", "C", [0], nil),
      ("price@A > 90", "B", [0], nil), ("price@B > 90", "B", [], "http-503"),
      ("feeds.failed > 0 and price@A > 90", "B", [0], nil),
      // Its price counts for as long as it is in the headlines.
      ("exchanges > 1", "B", [0], nil),
    ] as [(String, String?, [Int], String?)])
  func failingExchangesTriggerNothing(_ text: String, _ failing: String?, _ fires: [Int], _ reason: String?) throws {
    let feeds = ["A", "B", "C"].map { Self.feed($0, fails: $0 == failing) }
    let rule = try AlertRule(parsing: text, AlertNames(exchanges: ["A", "B", "C"]))
    var watch = AlertWatch([rule])
    let (figures, state) = (Self.figures(Step(second: 0, premium: 5)), BoardState(feeds: feeds))
    #expect(watch.take(figures, state, at: Self.start).map { _ in 0 } == fires)
    #expect(try Self.reading(figures, state).reason(rule.condition.values[0]) == reason)
  }

  /// A rate too old to describe the present, or far from the last without another provider to confirm it, triggers
  /// nothing and says why; one published once a day is not old.
  @Test(
    arguments: [
      ("fx < 1500", [], 1, [0], nil), ("fx < 1500", [], 7, [], "rate-old"), ("fx < 1500", [.daily], 7, [0], nil),
      ("fx < 1500", [.unconfirmed(since: 1600)], 1, [], "rate-unconfirmed"),
      ("kimchi > 1", [.unconfirmed(since: 1600)], 1, [], "rate-unconfirmed"),
      ("fx < 1500", [.old], 1, [], "rate-old"), ("fx.change < 0", [.old], 1, [], "rate-old"),
      ("kimchi > 1", [], 1, [0], nil), ("kimchi > 1", [], 7, [], "rate-old"), ("kimchi.usdt > 1", [], 7, [0], nil),
      ("premium > 3 or fx < 1500", [.old], 1, [0], nil),
    ] as [(String, [RateLabel], Int, [Int], String?)])
  func oldRatesTriggerNothing(_ text: String, _ labels: [RateLabel], _ hours: Int, _ fires: [Int], _ reason: String?)
    throws
  {
    var quote = RateQuote(Pair(asset: "USD", payment: "KRW"), 1400, since: 1410, provider: "bank")
    quote.time = Self.start.advanced(by: .seconds(-hours * 3600))
    quote.labels = labels
    let rate = RateReport(pair: quote.pair, moment: Self.start, quote: quote)
    let rows = ["A", "B"].enumerated().flatMap { place, exchange in
      let factor = place == 0 ? Decimal(1) : Decimal(105) * Self.hundredth
      return [("XRP", "KRW", 3000), ("XRP", "USDT", 2), ("USDT", "KRW", 1450)].map { asset, payment, price in
        Self.ticker(exchange, .spot, Pair(asset: asset, payment: payment), Decimal(price) * factor)
      }
    }
    let figures = Self.figures(rows, rate: rate)
    let rule = try AlertRule(parsing: text, AlertNames())
    var watch = AlertWatch([rule])
    let state = BoardState(feeds: [], rate: rate)
    #expect(watch.take(figures, state, at: Self.start).map { _ in 0 } == fires)
    #expect(try Self.reading(figures, state).reason(rule.condition.values[0]) == reason)
  }

  /// An alert is about its pair or, if each pair has the same, about the rate's, or about none.
  @Test(
    arguments: [
      ("premium > 3", "XRP/KRW"), ("premium > 3 and fx > 1000", "XRP/KRW"), ("fx > 1000", "USD/KRW"),
      ("feeds.failed < 1", nil), ("feeds.failed < 1 and fx > 1000", "USD/KRW"),
    ] as [(String, String?)])
  func subjects(_ text: String, _ subject: String?) throws {
    var quote = RateQuote(Pair(asset: "USD", payment: "KRW"), 1400, since: 1410, provider: "bank")
    quote.time = Self.start
    let state = BoardState(feeds: [], rate: RateReport(pair: quote.pair, moment: Self.start, quote: quote))
    var watch = AlertWatch([try AlertRule(parsing: text, AlertNames())])
    let firings = watch.take(Self.figures(Step(second: 0, premium: 5)), state, at: Self.start)
    #expect(firings.map { $0.subject?.description } == [subject])
  }

  /// A figure of several prices is unknown if one of them is the last of a market that is known to fail.
  @Test(
    arguments: [
      ("kimchi > 1", nil, nil), ("kimchi > 1", "Local spot", "http-503"), ("kimchi > 1", "Dollar spot", "http-503"),
      ("kimchi > 1", "Token spot", nil), ("kimchi.usdt > 1", "Token spot", "http-503"),
      ("kimchi.usdt > 1", "Local futures", nil), ("disparity.first > 1", nil, nil),
      ("disparity.first > 1", "Local futures", "http-503"), ("disparity.first > 1", "Local spot", "http-503"),
      ("disparity.last < 1", "Other futures", "http-503"), ("disparity.last < 1", "Local futures", nil),
    ] as [(String, String?, String?)])
  func figuresOfFailingMarketsTriggerNothing(_ text: String, _ failing: String?, _ reason: String?) throws {
    let (local, dollar) = (Self.pair, Pair(asset: "XRP", payment: "USDT"))
    let rows = [
      Self.ticker("Local", .spot, local, 3000), Self.ticker("Local", .futures, local, 3100),
      Self.ticker("Other", .spot, local, 2999), Self.ticker("Other", .futures, local, 3000),
      Self.ticker("Dollar", .spot, dollar, 2), Self.ticker("Token", .spot, Pair(asset: "USDT", payment: "KRW"), 1450),
    ]
    let quote = RateQuote(Pair(asset: "USD", payment: "KRW"), 1400, since: 1410, provider: "bank")
    let rate = RateReport(pair: quote.pair, moment: Self.start, quote: quote)
    let figures = Self.figures(rows, rate: rate)
    let feeds = rows.map { row in
      Self.feed(row.exchange, row.market, fails: "\(row.exchange) \(row.market.rawValue)" == failing)
    }
    let state = BoardState(feeds: feeds, rate: rate)
    let rule = try AlertRule(parsing: text, AlertNames())
    var watch = AlertWatch([rule])
    #expect(watch.take(figures, state, at: Self.start).count == (reason == nil ? 1 : 0))
    #expect(try Self.reading(figures, state).reason(rule.condition.values[0]) == reason)
  }

  /// After the machine has slept, the price of an exchange not heard since is not compared with a newer one; nor is the
  /// last price of one that the user has paused.
  @Test func pricesFromBeforeASleepTriggerNothing() throws {
    let rule = try AlertRule(parsing: "premium > 3", AlertNames())
    var watch = AlertWatch([rule])
    func state(answered: [Int], isPaused: Bool = false) -> BoardState {
      BoardState(
        feeds: zip(["A", "B"], answered).map { name, second in
          var feed = Self.feed(name, pairs: [Self.pair])
          feed.answered = Self.start.advanced(by: .seconds(second))
          if isPaused, name == "B" { feed.inactiveReason = .paused }
          return feed
        })
    }
    func fires(_ second: Int, premium: Int, answered: [Int], isPaused: Bool = false) -> Bool {
      let now = Self.start.advanced(by: .seconds(second))
      let figures = Self.figures(Step(second: second, premium: premium))
      return !watch.take(figures, state(answered: answered, isPaused: isPaused), at: now).isEmpty
    }
    #expect(!fires(0, premium: 1, answered: [0, 0]))
    #expect(!fires(40, premium: 5, answered: [40, 0]))
    #expect(!fires(41, premium: 5, answered: [41, 41], isPaused: true))
    #expect(fires(42, premium: 5, answered: [42, 42]))
  }

  /// A figure of all exchanges is unknown to an alert until each has answered, but not to a filter.
  @Test(
    arguments: [
      ("premium > 3", [], false), ("price > 90", [], false), ("exchanges > 1", [], false), ("price@A > 90", [0], true),
      ("feeds.failed < 1", [0], true),
    ] as [(String, [Int], Bool)])
  func partOfTheExchangesTriggersNothing(_ text: String, _ fires: [Int], _ isKnown: Bool) throws {
    let rule = try AlertRule(parsing: text, AlertNames(exchanges: ["A", "B", "C"]))
    var watch = AlertWatch([rule])
    let figures = Self.figures(Step(second: 0, premium: 5))
    let state = BoardState(feeds: [Self.feed("C", pairs: [Self.pair])])
    #expect(watch.take(figures, state, at: Self.start).map { _ in 0 } == fires)
    let (value, reading) = (rule.condition.values[0], try Self.reading(figures, state))
    #expect((reading(value) != nil) == isKnown)
    #expect(reading.reason(value) == (isKnown ? nil : "loading"))
    let filter = AlertReading.Shared(state, at: Self.start, isForFilter: true)
    #expect(AlertReading(try #require(figures.first), filter)(value) != nil)
  }

  /// The list of alerts says why a figure is unknown.
  @Test(
    arguments: [
      ("premium > 1", "one-exchange"), ("kimchi > 1", "no-price"), ("kimchi.usdt > 1", "no-price"),
      ("fx > 1", "no-rate"),
      ("fx.change > 1", "no-rate"), ("disparity.first > 1", nil), ("disparity.last > 1", "one-exchange"),
      ("price > 1", nil), ("change > 1", "not-offered"), ("turnover > 1", "not-offered"),
      ("price@None > 1", "not-followed"), ("ETH/KRW premium > 1", "stale"),
      ("ETH/KRW disparity.first > 1", "no-futures"), ("XRP/USDT premium > 1", "no-price"),
      ("XRP/USDT disparity.first > 1", "spot-not-asked"),
    ] as [(String, String?)])
  func unknownFiguresHaveReasons(_ text: String, _ reason: String?) throws {
    let (ether, dollar) = (Pair(asset: "ETH", payment: "KRW"), Pair(asset: "XRP", payment: "USDT"))
    var rows = [
      Self.ticker("Local", .spot, Self.pair, 3000), Self.ticker("Local", .futures, Self.pair, 3100),
      Self.ticker("Local", .spot, ether, 1), Self.ticker("Other", .futures, dollar, 2),
    ]
    rows[2].price = .missing(.stale)
    let rule = try AlertRule(parsing: text, AlertNames(exchanges: ["None"]))
    let rate = RateReport(pair: Pair(asset: "USD", payment: "KRW"), moment: Self.start, quote: nil)
    let figures = Self.figures(rows, of: rule.pair ?? Self.pair, rate: rate)
    let state = BoardState(feeds: [], rate: rate)
    #expect(try Self.reading(figures, state).reason(rule.condition.values[0]) == reason)
  }

  /// Why an exchange has no price of the pair: by what its feed is doing, in words.
  @Test(
    arguments: [
      ("", "loading", false), ("failed", "http-503", false), ("paused", "paused", false),
      ("unlisted", "not-listed", true), ("unlisted failed", "not-listed", true), ("elsewhere", "not-listed", true),
      ("halted", "halted", false), ("halted failed", "halted", false),
      ("disabled", "disabled", true), ("futures", "not-listed", true), ("none", "not-followed", true),
    ])
  func exchangesWithoutPriceHaveReasons(_ words: String, _ reason: String, _ lasts: Bool) throws {
    let words = Set(words.split(separator: " "))
    let pairs = words.contains("elsewhere") ? [Pair(asset: "XRP", payment: "USDT")] : [Self.pair]
    var feed = Self.feed(
      "C", words.contains("futures") ? .futures : .spot, pairs: pairs, fails: words.contains("failed"))
    if words.contains("unlisted") { feed.unlisted = [Self.pair] }
    if words.contains("halted") { feed.halted = [Self.pair] }
    feed.inactiveReason = words.contains("paused") ? .paused : words.contains("disabled") ? .disabled : nil
    let state = BoardState(feeds: words.contains("none") ? [] : [feed])
    let reading = try Self.reading(Self.figures(Step(second: 0, premium: 5)), state)
    for field: AlertField in [.price, .change, .turnover] {
      let value = AlertValue(field, of: "C")
      #expect(reading.reason(value) == reason)
      #expect(reading.lastingAbsence(of: value) == (lasts ? reason : nil))
    }
    #expect(reading.lastingAbsence(of: AlertValue(.price, of: "A")) == nil)
    #expect(reading.lastingAbsence(of: AlertValue(.price)) == nil)
  }

  private static func ticker(_ exchange: String, _ market: Market, _ pair: Pair, _ price: Decimal) -> Ticker {
    Ticker(exchange: exchange, market: market, symbol: "\(pair)", pair: pair, price: .value(price))
  }

  private static func figures(_ rows: [Ticker], of pair: Pair = pair, rate: RateReport? = nil) -> [PairFigures] {
    PairFigures.all(
      of: [pair], rate: rate, rule: .standard, dollarTokens: ["USDT"], identityPercent: 20
    ) { pair in
      let reports = rows.filter { $0.pair == pair }.map { row in
        var table = TickerTable()
        table.rows = [TickerRow(ticker: row, rank: ProductRank(), traces: [])]
        table.answered = 1
        return ExchangeReport(exchange: row.exchange, market: row.market, GatheredTable(table, of: pair, requests: []))
      }
      return Snapshot(pair: pair, time: start, reports: reports, rate: rate, check: MeaningCheck(), rule: .standard)
    }
  }

  /// A figure that does not belong to a pair is the same for all pairs.
  @Test(arguments: [("feeds.failed < 1", 1), ("XRP/KRW feeds.failed < 1", 1), ("feeds.failed < 1 and premium > 3", 2)])
  func figuresWithoutPair(_ text: String, _ count: Int) throws {
    var watch = AlertWatch([try AlertRule(parsing: text, AlertNames())])
    let figures = Self.figures(Step(second: 0, premium: 5)) + Self.figures(Step(second: 0, premium: 5), of: "ETH")
    #expect(watch.take(figures, BoardState(feeds: []), at: Self.start).count == count)
    #expect(watch.take(figures, BoardState(feeds: []), at: Self.start.advanced(by: .seconds(1))).isEmpty)
  }

  private static let hundredth = Decimal(1).scaledByPowerOfTen(-2)

  @Test func silence() throws {
    let rule = try AlertRule(parsing: "premium > 3", AlertNames())
    var watch = AlertWatch([rule])
    watch.mute(from: Self.start, seconds: 3600)
    #expect(watch.isSilent(at: Self.start.advanced(by: .seconds(3599))))
    #expect(!watch.isSilent(at: Self.start.advanced(by: .seconds(3600))))
    // Setting the clock back does not turn an hour of silence into a day.
    #expect(!watch.isSilent(at: Self.start.advanced(by: .seconds(-1))))
    let firings = watch.take(Self.figures(Step(second: 0, premium: 5)), BoardState(feeds: []), at: Self.start)
    #expect(firings.map(\.isSilent) == [true])
    let standing = try #require(watch.standing(of: rule, Self.pair))
    #expect(standing.count == 1 && standing.holds == true && !standing.isArmed)
    // An alert that is still followed keeps its state.
    watch.follow([rule, try AlertRule(parsing: "premium > 4", AlertNames())])
    #expect(watch.take(Self.figures(Step(second: 1, premium: 5)), BoardState(feeds: []), at: Self.start).count == 1)
    #expect(watch.standing(of: rule, Self.pair)?.count == 1)
  }

  /// An edited alert takes the place of what it was; a new one comes last, and none is there twice.
  @Test(
    arguments: [
      ("fx > 4", nil, ["fx > 1", "fx > 2", "fx > 3", "fx > 4"]), ("fx > 4", "fx > 2", ["fx > 1", "fx > 4", "fx > 3"]),
      ("fx > 2", "fx > 2", ["fx > 1", "fx > 2", "fx > 3"]), ("fx > 3", "fx > 1", ["fx > 2", "fx > 3"]),
      ("fx > 3", nil, ["fx > 1", "fx > 2", "fx > 3"]),
      // It is no longer there, or comes from the command line.
      ("fx > 4", "fx > 9", ["fx > 1", "fx > 2", "fx > 3", "fx > 4"]),
    ] as [(String, String?, [String])])
  func editing(_ text: String, _ replaced: String?, _ texts: [String]) throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let file = AlertsFile(in: folder.path, AlertNames())
    for number in 1...3 { try file.add(try AlertRule(parsing: "fx > \(number)", AlertNames())) }
    try file.add(try AlertRule(parsing: text, AlertNames()), replacing: replaced)
    #expect(try file.read().map(\.text) == texts)
  }

  /// Permanent alerts are in a file; a broken file changes nothing, and is never overwritten.
  @Test func file() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let names = AlertNames(exchanges: ["Upbit"])
    let file = AlertsFile(in: "\(folder.path)/market", names)
    var followed = Followed(file)
    #expect(followed.contents.isEmpty && followed.problem == nil)
    let rule = try AlertRule(parsing: "price@upbit > 3 then exec echo \"$MARKET_PAIR\"", names)
    try file.add(rule)
    try file.add(rule)
    #expect(followed.refresh() == true)
    #expect(followed.contents == [rule])
    #expect(followed.refresh() == false)
    let broken = Array("[\"premium > 3\", \"premum > 3\"]".utf8)
    try FileSystem.writeAtomically(broken, to: file.path)
    #expect(followed.refresh() == true)
    #expect(followed.contents == [rule])
    let problem = UserFileProblem.unreadable(
      "element 2, column 1: unknown field 'premum'; did you mean 'premium'?")
    #expect(followed.problem == problem)
    #expect(throws: problem) { try file.add(rule) }
    #expect(try FileSystem.read(file.path) == broken)
    for (text, reason) in [
      ("{}", "it is not an array of strings"), ("[3]", "element 1 is not a string"),
      (
        "[" + Array(repeating: "\"premium > 3\"", count: 201).joined(separator: ",") + "]",
        "it has more than 200 alerts"
      ),
    ] {
      try FileSystem.writeAtomically(Array(text.utf8), to: file.path)
      #expect(throws: UserFileProblem.unreadable(reason)) { try file.read() }
    }
    try FileSystem.writeAtomically(Array("[\"premium > 3\"]".utf8), to: file.path)
    try file.remove("premium > 3")
    #expect(try file.read().isEmpty)
    // One too many would make all others unreadable.
    let all = try (0..<AlertsFile.maximumCount).map { try AlertRule(parsing: "fx > \($0)", names) }
    try FileSystem.writeAtomically(file.bytes(of: all), to: file.path)
    #expect(throws: UserFileProblem.unacceptable("it has more than 200 alerts")) { try file.add(rule) }
    #expect(try file.read() == all)
  }
}
