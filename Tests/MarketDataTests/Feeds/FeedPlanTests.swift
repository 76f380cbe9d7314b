import Config
import HTTP
import Quotes
import Testing

@testable import MarketData

/// Which feed is polled when and for what, on a clock controlled by the tests.
@Suite struct FeedPlanTests {
  private static let bitcoin = Pair(asset: "BTC", payment: "USDT")
  private static let ether = Pair(asset: "ETH", payment: "USDT")
  private static let key = FeedKey(exchange: "Alpha", market: .spot)
  private static let other = FeedKey(exchange: "Beta", market: .spot)
  private static let start = Instant(nanoseconds: 1_763_442_727_000_000_000)

  private static func at(_ milliseconds: Int) -> Instant { start.advanced(by: .milliseconds(milliseconds)) }

  private static func means(
    term: Int = 1000, pairs: [Pair] = [bitcoin, ether], whole: Int? = 1, single: Int? = 1, limit: (Int, Int)? = nil,
    exchange: String = "Alpha"
  ) -> FeedCapabilities {
    FeedCapabilities(
      termMilliseconds: term, pairs: pairs, wholeCost: whole,
      pairCosts: single.map { cost in Dictionary(pairs.map { ($0, cost) }) { first, _ in first } } ?? [:],
      limit: limit.map { SharedLimit(exchange: exchange, RateLimit(requests: $0.0, perMilliseconds: $0.1)) })
  }

  /// Returns the requests made if each is answered at once: milliseconds from the start, and the request.
  private static func asked(
    _ plan: inout FeedPlan, from start: Int = 0, until end: Int, every step: Int = 100,
    _ outcome: (Int) -> FeedOutcome = { _ in .init() }
  ) -> [String] {
    var asked: [String] = []
    for time in stride(from: start, through: end, by: step) {
      for (key, query) in plan.due(at: at(time)) {
        asked.append("\(time) \(key.exchange) \(Self.word(query))")
        plan.finish(key, outcome(time), at: at(time))
      }
    }
    return asked
  }

  private static func word(_ query: FeedQuery) -> String {
    switch query {
    case .whole: "whole"
    case .pairs(let pairs, _): pairs.map(\.asset).joined(separator: "+")
    }
  }

  struct Choice: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let means: FeedCapabilities
    /// Every request of the first three seconds.
    let asked: [String]
  }

  @Test(arguments: [
    Choice(
      testDescription: "few pairs, no limit", means: means(),
      asked: ["0 Alpha BTC+ETH", "1000 Alpha BTC+ETH", "2000 Alpha BTC+ETH", "3000 Alpha BTC+ETH"]),
    Choice(
      testDescription: "no request for one pair", means: means(single: nil),
      asked: ["0 Alpha whole", "1000 Alpha whole", "2000 Alpha whole", "3000 Alpha whole"]),
    Choice(
      testDescription: "no table of all pairs", means: means(term: 2000, whole: nil),
      asked: ["0 Alpha BTC+ETH", "2000 Alpha BTC+ETH"]),
    Choice(
      testDescription: "the whole table if single pairs would exhaust the limit",
      means: means(limit: (5, 5000)), asked: ["0 Alpha whole", "1300 Alpha whole", "2600 Alpha whole"]),
    Choice(
      testDescription: "an expensive table and cheap pairs",
      means: means(whole: 80, single: 2, limit: (6000, 60_000)),
      asked: ["0 Alpha BTC+ETH", "1000 Alpha BTC+ETH", "2000 Alpha BTC+ETH", "3000 Alpha BTC+ETH"]),
    Choice(
      testDescription: "a long interval", means: means(term: 30_000), asked: ["0 Alpha BTC+ETH"]),
    Choice(testDescription: "no pair that it may list", means: means(pairs: []), asked: []),
    Choice(
      testDescription: "more pairs than are requested one by one",
      means: means(term: 2000, pairs: (0..<9).map { Pair(asset: "A\($0)", payment: "USDT") }),
      asked: ["0 Alpha whole", "2000 Alpha whole"]),
  ])
  func choosesRequests(_ choice: Choice) {
    var plan = FeedPlan([(Self.key, choice.means)])
    #expect(Self.asked(&plan, until: 3000) == choice.asked)
  }

  /// A table with all pairs followed is polled as a whole, whatever streams bring: only it shows new pairs.
  @Test func wholeTableIsPolledDespiteStreams() {
    var means = Self.means(pairs: [])
    means.isWhole = true
    var plan = FeedPlan([(Self.key, means)])
    #expect(Self.asked(&plan, until: 1000) == ["0 Alpha whole", "1000 Alpha whole"])
    plan.stream([Self.bitcoin, Self.ether], of: Self.key)
    #expect(plan.period(of: Self.key, at: Self.at(1500)) == 1000)
    // A viewed pair that it contains needs no request of its own.
    means.pairs = [Self.bitcoin]
    plan.follow(means, of: Self.key)
    #expect(plan.due(at: Self.at(1500)).isEmpty)
    #expect(plan.due(at: Self.at(2000)).map(\.query) == [.whole])
  }

  struct Limits: Sendable {
    /// Requests in a second that the exchange, its table, its single pairs and its trades allow.
    let all: Int?
    var table: Int?
    var single: Int?
    var trades: Int?
    /// The limit that the plan keeps.
    let kept: Int?
  }

  /// What a plan never requests has no part in its limit; of what it may request, the strictest one counts.
  @Test(arguments: [
    Limits(all: 20, kept: 20), Limits(all: 20, table: 5, kept: 5), Limits(all: 20, single: 4, kept: 4),
    Limits(all: 20, table: 40, single: 30, kept: 30), Limits(all: 20, trades: 1, kept: 20),
    Limits(all: nil, trades: 1, kept: nil),
  ])
  func onlyWhatIsPolledCounts(_ limits: Limits) throws {
    func limit(_ requests: Int?) -> String { requests.map { #""limit": {"requests": \#($0), "per": "1s"},"# } ?? "" }
    let config = """
      {"version": 1, "exchanges": {"Alpha": {
        \(limit(limits.all)) "baseUrls": ["https://alpha.test"], "rows": "$[*]",
        "symbol": {"path": "$.s", "split": "-"}, "fields": {"price": "$.p"},
        "trades": {\(limit(limits.trades)) "request": {"path": "/trades/{asset}{payment}"}, "rows": "$[*]",
          "fields": {"price": "$.p", "time": {"path": "$.t", "unit": "ms"}}},
        "markets": {"spot": {
          "tickers": {\(limit(limits.table)) "request": {"path": "/all"}},
          "ticker": {\(limit(limits.single)) "request": {"path": "/{asset}{payment}"}}}}}}}
      """
    let exchange = try #require(try StubExchanges(config: config).exchanges.first)
    let market = try #require(exchange.market(.spot))
    let capabilities = FeedCapabilities(
      market, of: exchange, pairs: [Self.bitcoin], fields: [.price], globalAliases: [:], keepsLookups: false)
    #expect(capabilities.wholeCost == 1 && capabilities.pairCosts == [Self.bitcoin: 1])
    #expect(
      capabilities.limit
        == limits.kept.map { SharedLimit(exchange: "Alpha", RateLimit(requests: $0, perMilliseconds: 1000)) })
  }

  @Test func marketsShareTheLimit() {
    let limit = (10, 1000)
    let futures = FeedKey(exchange: "Alpha", market: .futures)
    var plan = FeedPlan([
      (Self.key, Self.means(single: nil, limit: limit)), (futures, Self.means(whole: 7, single: nil, limit: limit)),
    ])
    // 1 + 7 of 10 per second is all that four fifths allow.
    #expect(
      Self.asked(&plan, until: 2000)
        == [
          "0 Alpha whole", "0 Alpha whole", "1000 Alpha whole", "1000 Alpha whole", "2000 Alpha whole",
          "2000 Alpha whole",
        ])
    let shared = SharedLimit(exchange: "Alpha", RateLimit(requests: 10, perMilliseconds: 1000))
    #expect(plan.spent(of: shared, at: Self.at(2000)) == 8)
    #expect(plan.spent(of: shared, at: Self.at(2999)) == 8)
    #expect(plan.spent(of: shared, at: Self.at(3000)) == 0)
  }

  /// Whatever the markets, intervals and costs, no period of a limit exceeds the limit.
  @Test func limitIsNeverExceeded() {
    for requests in [2, 5, 10, 20] {
      for costs in [(1, 1), (1, 3), (2, 2), (1, 10)] {
        let limit = (requests, 1000)
        let futures = FeedKey(exchange: "Alpha", market: .futures)
        var plan = FeedPlan([
          (Self.key, Self.means(term: 100, whole: costs.0, single: 1, limit: limit)),
          (futures, Self.means(term: 300, whole: costs.1, single: nil, limit: limit)),
        ])
        var spent: [(time: Int, cost: Int)] = []
        for time in stride(from: 0, through: 20_000, by: 50) {
          for (key, query) in plan.due(at: Self.at(time)) {
            let cost = query == .whole ? (key == Self.key ? costs.0 : costs.1) : 2
            spent.append((time, cost))
            plan.finish(key, FeedOutcome(), at: Self.at(time))
          }
        }
        // The first second's requests are the burst that every limit allows.
        let total = spent.reduce(0) { $0 + $1.cost }
        #expect(total <= requests * 20 + costs.0 + costs.1, "\(requests) \(costs)")
        #expect(spent.count > 2)
      }
    }
  }

  @Test func backsOffAndRecovers() {
    var plan = FeedPlan([(Self.key, Self.means(single: nil)), (Self.other, Self.means(single: nil, exchange: "Beta"))])
    var asked: [Int] = []
    for time in stride(from: 0, through: 160_000, by: 500) {
      for (key, _) in plan.due(at: Self.at(time)) {
        if key == Self.key { asked.append(time / 500) }
        plan.finish(key, FeedOutcome(isFailure: key == Self.key && time < 150_000), at: Self.at(time))
      }
    }
    // In half seconds: after 1, 5, 15, 60 and 60 seconds; after a response, polling returns to its usual interval.
    #expect(asked == [0, 2, 12, 42, 162, 282, 402].filter { $0 <= 320 })
    #expect(plan.failures(of: Self.key) == 5 + 1)
    #expect(plan.failures(of: Self.other) == 0)
    #expect(plan.retry(of: Self.key) == Self.at(201_000))
    plan.pollSoon()
    #expect(plan.due(at: Self.at(160_001)).map(\.key) == [Self.key, Self.other])
    plan.finish(Self.key, FeedOutcome(), at: Self.at(160_100))
    #expect(plan.retry(of: Self.key) == nil)
    #expect(plan.due(at: Self.at(161_001)).map(\.key) == [Self.key])
  }

  @Test func slowFeedIsNotRequestedTwiceAndBlocksNoOther() {
    var plan = FeedPlan([(Self.key, Self.means()), (Self.other, Self.means(exchange: "Beta"))])
    #expect(plan.due(at: Self.start).map(\.key) == [Self.key, Self.other])
    plan.finish(Self.other, FeedOutcome(), at: Self.at(50))
    #expect(plan.due(at: Self.at(5000)).map(\.key) == [Self.other])
    #expect(plan.nextDue(after: Self.at(5000)) == nil)
    plan.finish(Self.key, FeedOutcome(), at: Self.at(5100))
    #expect(plan.nextDue(after: Self.at(5100)) == Self.at(5100))
  }

  @Test func unlistedPairIsRequestedAgainAfterTenMinutes() {
    var plan = FeedPlan([(Self.key, Self.means())])
    var first = true
    let asked = Self.asked(&plan, until: 2000, every: 1000) { _ in
      defer { first = false }
      return first ? FeedOutcome(unlisted: [Self.ether]) : FeedOutcome()
    }
    #expect(asked == ["0 Alpha BTC+ETH", "1000 Alpha BTC", "2000 Alpha BTC"])
    #expect(plan.due(at: Self.at(600_000)).map { Self.word($0.query) } == ["BTC+ETH"])
  }

  @Test func feedWithoutAnyPairWaits() {
    var plan = FeedPlan([(Self.key, Self.means(single: nil))])
    #expect(plan.due(at: Self.start).count == 1)
    plan.finish(Self.key, FeedOutcome(unlisted: [Self.bitcoin, Self.ether]), at: Self.start)
    #expect(plan.due(at: Self.at(60_000)).isEmpty)
    #expect(plan.nextDue(after: Self.at(60_000)) == Self.at(600_000))
    #expect(plan.period(of: Self.key, at: Self.at(60_000)) == nil)
    #expect(plan.due(at: Self.at(600_000)).count == 1)
  }

  @Test func renamedPairIsFoundInWholeTable() {
    var plan = FeedPlan([(Self.key, Self.means())])
    let asked = Self.asked(&plan, until: 1000, every: 1000) { _ in FeedOutcome(needsWhole: true) }
    #expect(asked == ["0 Alpha BTC+ETH", "1000 Alpha whole"])
  }

  @Test func batchedTableCostsItsObservedRequests() {
    var plan = FeedPlan([(Self.key, Self.means(single: nil, limit: (10, 1000)))])
    let asked = Self.asked(&plan, until: 3000, every: 500) { _ in FeedOutcome(requests: 12) }
    #expect(asked == ["0 Alpha whole", "1500 Alpha whole", "3000 Alpha whole"])
  }

  @Test func streamedPairsAreNotPolled() {
    var plan = FeedPlan([(Self.key, Self.means())])
    plan.stream([Self.bitcoin], of: Self.key)
    #expect(plan.due(at: Self.start).map { Self.word($0.query) } == ["ETH"])
    plan.finish(Self.key, FeedOutcome(), at: Self.start)
    plan.stream([Self.bitcoin, Self.ether], of: Self.key)
    #expect(plan.due(at: Self.at(1000)).isEmpty)
    #expect(plan.nextDue(after: Self.at(1000)) == nil)
    // A broken stream is replaced by polling at once, not at the end of the interval.
    plan.stream([], of: Self.key)
    #expect(plan.due(at: Self.at(1001)).map { Self.word($0.query) } == ["BTC+ETH"])
  }

  /// An exchange that says how long it wants to be left alone is asked no earlier; after that, as usual.
  @Test func respectsThePauseOfAnExchange() {
    var plan = FeedPlan([(Self.key, Self.means(single: nil))])
    let asked = Self.asked(&plan, until: 110_000, every: 500) { time in
      FeedOutcome(isFailure: time < 100_000, pause: time == 0 ? .seconds(31) : .zero)
    }
    #expect(asked.map { $0.prefix { $0 != " " } } == ["0", "31000", "36000", "51000"])
    #expect(plan.retry(of: Self.key) == Self.at(111_000))
  }

  /// Nor if the user wants an answer now: a request in between would only count as another failure.
  @Test func askingNowRespectsThePauseOfAnExchange() {
    var plan = FeedPlan([(Self.key, Self.means(single: nil))])
    #expect(plan.due(at: Self.at(0)).count == 1)
    plan.finish(Self.key, FeedOutcome(isFailure: true, pause: .seconds(31)), at: Self.at(0))
    plan.pollSoon()
    #expect(plan.due(at: Self.at(5_000)).isEmpty)
    #expect(plan.retry(of: Self.key) == Self.at(31_000))
    #expect(plan.due(at: Self.at(31_000)).count == 1)
  }

  /// Pairs that a live stream is silent about are polled at once, and then once a minute; from the first response with
  /// a change on, as often as the feed, until the stream reports them.
  @Test func quietPairIsPolledOnceAMinute() {
    var plan = FeedPlan([(Self.key, Self.means())])
    plan.stream([Self.bitcoin, Self.ether], of: Self.key)
    #expect(Self.asked(&plan, until: 1000).isEmpty)
    plan.stream([Self.bitcoin], quiet: [Self.ether], of: Self.key)
    // A failing one is polled again like any feed.
    let asked = Self.asked(&plan, from: 1000, until: 190_000, every: 500) { FeedOutcome(isFailure: $0 == 61_000) }
    #expect(asked == ["1000 Alpha ETH", "61000 Alpha ETH", "62000 Alpha ETH", "122000 Alpha ETH", "182000 Alpha ETH"])
    #expect(plan.nextDue(after: Self.at(190_000)) == Self.at(242_000))
    plan.doubt([Self.bitcoin, Self.ether], of: Self.key)
    #expect(plan.quiet(of: Self.key).isEmpty)
    #expect(Self.asked(&plan, from: 191_000, until: 192_000, every: 500) == ["191000 Alpha ETH", "192000 Alpha ETH"])
    plan.stream([Self.bitcoin, Self.ether], of: Self.key)
    #expect(Self.asked(&plan, from: 193_000, until: 194_000).isEmpty)
    plan.stream([Self.bitcoin], quiet: [Self.ether], of: Self.key)
    // The last response about it is less than a minute old.
    #expect(Self.asked(&plan, from: 195_000, until: 313_000, every: 500) == ["252000 Alpha ETH", "312000 Alpha ETH"])
  }

  /// A halted pair that a live stream is silent about may trade again any minute.
  @Test func haltedPairIsPolledAsOftenAsOthers() {
    var plan = FeedPlan([(Self.key, Self.means())])
    plan.stream([Self.bitcoin], quiet: [Self.ether], of: Self.key)
    let asked = Self.asked(&plan, until: 10_000, every: 500) { FeedOutcome(halted: $0 < 2000 ? [Self.ether] : []) }
    #expect(asked == ["0 Alpha ETH", "1000 Alpha ETH", "2000 Alpha ETH"])
  }

  /// One that was halted before the run began may be so for years: the table of all pairs is asked for its sake once a
  /// minute.
  @Test func dormantPairIsPolledOnceAMinute() {
    var plan = FeedPlan([(Self.key, Self.means(single: nil))])
    plan.stream([Self.bitcoin], of: Self.key)
    let asked = Self.asked(&plan, until: 62_000, every: 500) {
      FeedOutcome(halted: [Self.ether], dormant: $0 < 60_000 ? [Self.ether] : [])
    }
    #expect(asked == ["0 Alpha whole", "60000 Alpha whole", "61000 Alpha whole", "62000 Alpha whole"])
  }

  /// Where a halted pair may have another name in the table of all pairs, that is searched for it once a minute, which
  /// counts towards the limit.
  @Test func haltedPairIsSearchedOnceAMinute() {
    var means = Self.means(pairs: [Self.ether], whole: 600, single: 40, limit: (50, 1000))
    means.searchesWhole = true
    var plan = FeedPlan([(Self.key, means)])
    let limit = SharedLimit(exchange: "Alpha", RateLimit(requests: 50, perMilliseconds: 1000))
    #expect(plan.period(of: Self.key, at: Self.start) == 1000)
    var searches: [String] = []
    for time in stride(from: 0, through: 125_000, by: 250) {
      for (key, query) in plan.due(at: Self.at(time)) {
        if query == .pairs([Self.ether]) { searches.append("\(time) \(plan.spent(of: limit, at: Self.at(time)))") }
        plan.finish(key, FeedOutcome(halted: [Self.ether]), at: Self.at(time))
      }
    }
    // Of the first answer, nobody knew.
    #expect(searches == ["0 40", "60000 640", "120000 640"])
    #expect(plan.period(of: Self.key, at: Self.at(125_000)) == 1250)
    plan.follow(Self.means(pairs: [Self.bitcoin], whole: 600, single: 40, limit: (50, 1000)), of: Self.key)
    #expect(plan.period(of: Self.key, at: Self.at(125_000)) == 1000)
  }

  /// A wanted pair is included in the next request, once, whoever makes it.
  @Test func wantedPairIsInNextRequest() {
    var plan = FeedPlan([(Self.key, Self.means())])
    plan.stream([Self.bitcoin, Self.ether], of: Self.key)
    plan.want([Self.ether, Pair(asset: "XRP", payment: "USDT")], of: Self.key)
    #expect(plan.nextDue(after: Self.start) == Self.start)
    #expect(Self.asked(&plan, until: 10_000, every: 500) == ["0 Alpha ETH"])
    // The response counts as one about a pair that turns out to be quiet.
    plan.stream([Self.bitcoin], quiet: [Self.ether], of: Self.key)
    #expect(Self.asked(&plan, from: 10_500, until: 100_000, every: 500) == ["60000 Alpha ETH"])
    // So does a failure.
    plan.want([Self.bitcoin], of: Self.key)
    let failed = Self.asked(&plan, from: 100_500, until: 110_000, every: 500) { _ in FeedOutcome(isFailure: true) }
    #expect(failed == ["100500 Alpha BTC"])
  }

  @Test func pausedFeedRests() {
    var plan = FeedPlan([(Self.key, Self.means())])
    plan.pause(Self.key, true)
    #expect(plan.due(at: Self.start).isEmpty)
    #expect(plan.nextDue(after: Self.start) == nil)
    plan.pause(Self.key, false)
    #expect(plan.due(at: Self.start).count == 1)
  }

  @Test func manualRefreshKeepsWithinLimit() {
    var plan = FeedPlan([(Self.key, Self.means(term: 30_000, single: nil, limit: (1, 2000)))])
    #expect(Self.asked(&plan, until: 1000).count == 1)
    plan.pollSoon(Self.key)
    #expect(plan.due(at: Self.at(2400)).isEmpty)
    #expect(plan.due(at: Self.at(2500)).count == 1)
  }

  @Test func everythingIsDueAfterSleep() {
    var plan = FeedPlan([(Self.key, Self.means(term: 60_000)), (Self.other, Self.means(exchange: "Beta"))])
    _ = Self.asked(&plan, until: 100)
    #expect(plan.due(at: Self.at(8 * 3_600_000)).count == 2)
  }

  @Test func clockSetBackStopsNothing() {
    var plan = FeedPlan([(Self.key, Self.means(term: 1000))])
    _ = Self.asked(&plan, until: 100)
    #expect(plan.due(at: Self.at(-3_600_000)).count == 1)
  }
}
