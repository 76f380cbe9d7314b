import Config
import HTTP
import Mapping
import MarketData
import Quotes
import Testing
import Transport

/// How a market's pairs are distributed over connections.
@Suite struct StreamPlanTests {
  /// Pairs in an order other than the table's, so that the plan has to search.
  private static let pairs = (0..<1000).map { Pair(asset: "A\($0 * 7 % 1000)", payment: "USDT") }

  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let channels: String
    /// The number of pairs on each connection, with its channel.
    let connections: [String]
  }

  /// As few connections as the exchange allows, and the channel of all pairs where two would not suffice.
  @Test(arguments: [
    Case(
      testDescription: "400 per connection",
      channels: #""max": 400, "ticker": { "subscribe": { "args": ["{symbol}"] } }"#,
      connections: ["ticker 400", "ticker 400", "ticker 200"]),
    Case(
      testDescription: "two connections suffice",
      channels:
        #""max": 500, "ticker": { "subscribe": { "args": ["{symbol}"] } }, "tickers": { "subscribe": { "args": ["all"] } }"#,
      connections: ["ticker 500", "ticker 500"]),
    Case(
      testDescription: "three would be needed, and one channel has all pairs",
      channels:
        #""max": 400, "ticker": { "subscribe": { "args": ["{symbol}"] } }, "tickers": { "subscribe": { "args": ["all"] } }"#,
      connections: ["tickers 1000"]),
    Case(
      testDescription: "no pair is given",
      channels: #""max": 10, "tickers": { "subscribe": { "args": ["all"] } }"#, connections: ["tickers 1000"]),
    Case(testDescription: "nothing has to be sent", channels: #""max": 10"#, connections: ["ticker 1000 by REST"]),
  ])
  func takesTheFewestConnections(_ sample: Case) async throws {
    let start = try await Self.start(StreamQuery(Self.pairs, [.ticker], Self.options), sample)
    #expect(Self.connections(start) == sample.connections)
    #expect(start.unlisted.isEmpty)
    // Each pair once.
    #expect(start.subjects.flatMap(\.pairs).map(\.pair.asset).sorted() == Self.pairs.map(\.asset).sorted())
  }

  /// Bids and asks that another channel has are not missing at the exchange.
  @Test(arguments: [true, false]) func offersOfAnotherChannelAreNotAskedFor(_ servesFeeds: Bool) async throws {
    let ticker = #""ticker": { "subscribe": { "args": ["{symbol}"] } }"#
    let offers = #""offers": { "subscribe": { "args": ["{symbol}@o"] }, "fields": { "bid": "$.b", "ask": "$.a" } }"#
    var cases = [(ticker, Missing.notOffered), ("\(ticker), \(offers)", .notRequested)]
    if !servesFeeds { cases.append((offers, .notRequested)) }
    for (channels, missing) in cases {
      let sample = Case(testDescription: "", channels: channels, connections: [])
      let query = StreamQuery(Self.pairs, [.ticker], servesFeeds: servesFeeds, Self.options)
      let subjects = try await Self.start(query, sample).subjects.filter { $0.channel == .ticker }
      let rows = subjects.flatMap(\.pairs).map(\.row)
      #expect(Set(rows.flatMap { [$0.bid, $0.ask] }) == [.missing(missing)])
    }
  }

  /// Where bids and asks are all that a stream has, prices are polled beside them; whoever polls anyway needs neither.
  @Test(
    arguments: [(false, ["ticker 1000 by REST", "offers 600", "offers 400"]), (true, [])] as [(Bool, [String])])
  func offersAloneLeavePricesToBePolled(_ servesFeeds: Bool, connections: [String]) async throws {
    let sample = Case(
      testDescription: "",
      channels: #""max": 600, "offers": { "subscribe": { "args": ["{symbol}@o"] }, "fields": { "bid": "$.b" } }"#,
      connections: connections)
    let query = StreamQuery(Self.pairs, [.ticker], servesFeeds: servesFeeds, Self.options)
    let start = try await Self.start(query, sample)
    #expect(Self.connections(start) == sample.connections)
    #expect(start.unlisted.isEmpty)
  }

  /// A whole table: at most two connections, or none.
  @Test(arguments: [
    Case(
      testDescription: "three would be needed",
      channels: #""max": 400, "ticker": { "subscribe": { "args": ["{symbol}"] } }"#,
      connections: []),
    Case(
      testDescription: "two connections suffice",
      channels: #""max": 600, "ticker": { "subscribe": { "args": ["{symbol}"] } }"#,
      connections: ["ticker 600", "ticker 600"]),
    Case(
      testDescription: "one channel has all pairs",
      channels:
        #""max": 400, "ticker": { "subscribe": { "args": ["{symbol}"] } }, "tickers": { "subscribe": { "args": ["all"] } }"#,
      connections: ["tickers 1200"]),
    Case(testDescription: "nothing has to be sent", channels: #""max": 10"#, connections: []),
  ])
  func takesFewConnectionsForAllPairs(_ sample: Case) async throws {
    let start = try await Self.start(StreamQuery(nil, [.ticker], servesFeeds: true, Self.options), sample)
    #expect(Self.connections(start) == sample.connections)
    #expect(start.unlisted.isEmpty)
  }

  struct Pace: Sendable {
    let pairs: Int
    /// How many requests the exchange allows in an hour, and how many for trades if that is a limit apart.
    let limits: (all: Int, trades: Int?)
    /// The intervals of ticker and trades.
    let milliseconds: [Int]
  }

  /// Where polling everything takes more than the limit allows, all wait longer, instead of most of them in vain.
  @Test(arguments: [
    Pace(pairs: 2, limits: (1000, nil), milliseconds: [18_000, 18_000]),
    Pace(pairs: 5, limits: (1000, nil), milliseconds: [27_000, 27_000]),
    Pace(pairs: 2, limits: (600_000, nil), milliseconds: [1000, 1000]),
    Pace(pairs: 2, limits: (1000, 100), milliseconds: [9000, 90_000]),
    Pace(pairs: 2, limits: (1000, 600_000), milliseconds: [9000, 1000]),
  ])
  func pollsWithinTheLimit(_ pace: Pace) async throws {
    func limit(_ requests: Int) -> String { #""limit": { "requests": \#(requests), "per": "1h" },"# }
    let trades = """
      "trades": {\(pace.limits.trades.map(limit) ?? "") "request": {"path": "/trades/{asset}{payment}"}, "rows": "$[*]",
        "fields": {"price": "$.p", "time": {"path": "$.t", "unit": "ms"}}},
      """
    let channels = #""ticker": { "subscribe": { "args": ["{symbol}"] } }"#
    let sample = Case(testDescription: "", channels: channels, connections: [])
    let query = StreamQuery(Array(Self.pairs.prefix(pace.pairs)), [.ticker, .trades], Self.options)
    let start = try await Self.start(query, sample, exchange: limit(pace.limits.all) + trades)
    #expect(Self.connections(start) == ["ticker \(pace.pairs)", "trades \(pace.pairs) by REST"])
    #expect(start.subjects.map(\.refreshMilliseconds) == pace.milliseconds)
  }

  /// Books, trades and candles of a pair that the table has twice are polled, as a stream would mix those of both names.
  /// The rows say so themselves.
  @Test(
    arguments: [
      (false, ["ticker 4", "trades 2", "trades 1 by REST"]), (true, ["ticker 4", "trades 2"]),
    ] as [(Bool, [String])])
  func pairsListedTwiceAreNotMixed(_ servesFeeds: Bool, _ connections: [String]) async throws {
    let when = #""when": [{ "path": "$.s", "is": "present" }]"#
    let channels = #"""
      "max": 100, "ticker": { "subscribe": { "args": ["{symbol}"] }, \#(when) },
      "trades": { "subscribe": { "args": ["{symbol}@t"] }, \#(when), "fields": { "price": "$.p", "size": "$.q" } }
      """#
    let sample = Case(testDescription: "", channels: channels, connections: connections)
    let query = StreamQuery(nil, [.ticker, .trades], servesFeeds: servesFeeds, Self.options)
    let start = try await Self.start(query, sample, rows: [0, 1, 2, 1])
    #expect(Self.connections(start) == connections)
    let repeated = Pair(asset: "A1", payment: "USDT")
    #expect(start.repeated == [repeated])
    let trades = start.subjects.filter { $0.channel == .trades && $0.spec != nil }.flatMap(\.pairs)
    #expect(trades.map(\.pair.asset) == ["A0", "A2"])
  }

  private static let options = Interpretation(check: MeaningCheck())

  private static func connections(_ start: StreamStart) -> [String] {
    start.subjects.map { subject in
      "\(subject.channel.rawValue) \(subject.pairs.count)" + (subject.spec == nil ? " by REST" : "")
    }
  }

  /// - Parameters:
  ///   - members: further members of the exchange, each with a comma.
  ///   - rows: the numbers of the table's assets.
  private static func start(
    _ query: StreamQuery, _ sample: Case, exchange members: String = "", rows: [Int] = Array(0..<1200)
  ) async throws -> StreamStart {
    let config = """
      {"version": 1, "exchanges": {"Alpha": {\(members)
        "baseUrls": ["https://alpha.test"], "rows": "$[*]", "symbol": {"path": "$.s", "split": "-"},
        "streams": {"urls": ["wss://alpha.test/ws"], "rows": "$", "symbol": "$.s", \(sample.channels)},
        "markets": {"spot": {"tickers": {"request": {"path": "/all"}, "fields": {"price": "$.p"}}}}}}}
      """
    let exchange = try Configuration(text: config).firstExchange()
    let market = try #require(exchange.market(.spot))
    let rows = rows.map { #"{"s":"A\#($0)-USDT","p":"\#($0 + 1)"}"# }.joined(separator: ",")
    let client = MarketClient(
      handler: { _ throws(TransportError) in
        HTTPResponse(status: 200, headers: [], body: Array("[\(rows)]".utf8), arrival: Instant(nanoseconds: 0))
      }, credentials: Credentials(nil) { _ in nil }, hooks: HookRegistry(), now: { Instant(nanoseconds: 0) })
    return await client.streamStart(query, on: market, of: exchange)
  }
}
