import Mapping
import Quotes
import Terminal
import TestSupport
import Testing

@testable import MarketData
@testable import Views

/// How cells came to be that no answer has.
@Suite struct ComputedCellsTests {
  @Test(arguments: [
    (
      Language.english,
      [
        "computed from the rows on the screen:",
        "in USD               92132.1  <- quotient: price = 134651000; rate USD/KRW = 1461.5",
        "over low %           +0.13  <- percent above: price = 134651000; lowest Coinone = 134472000",
      ]
    ),
    (
      .korean,
      [
        "화면의 행으로 계산:", "USD 환산             92132.1  <- 몫: 현재가 = 134651000; 환율 USD/KRW = 1461.5",
        "최저가 대비 %        +0.13  <- 대비 %: 현재가 = 134651000; 최저가 Coinone = 134472000",
      ]
    ),
  ])
  func spotRow(_ language: Language, _ lines: [String]) async throws {
    let board = try await WatchReplay().watch(language)
    let snapshot = try #require(board[Pair(asset: "BTC", payment: "KRW")]).snapshot
    let row = try #require(snapshot.spot.first { $0.ticker.exchange == "Gopax" })
    #expect(Explanation.computedLines(of: row.ticker.key, in: snapshot, language) == lines)
  }

  /// A time in the future is as far away as its flag says.
  @Test(
    arguments: [
      (7_199_900, "in 2h", "2 h"), (7_200_000, "in 2h", "2 h"), (3_570_000, "in 59m", "59 min 30 s"),
      (6000, "in 6s", "6 s"),
    ] as [(Int64, String, String)])
  func agesOfTheFuture(_ lead: Int64, _ cell: String, _ flag: String) async throws {
    let board = try await WatchReplay().watch()
    var row = try #require(board[Pair(asset: "BTC", payment: "KRW")]).snapshot.spot[0]
    let arrival = try #require(row.ticker.lastArrival)
    let time = arrival.advanced(by: .milliseconds(lead))
    row.ticker.time = time
    #expect(row.ageCell().plainText == cell)
    let found = try #require(MeaningCheck().quoteFinding(time: time, arrival: arrival))
    #expect(found.message.hasPrefix("its timestamp is \(flag) later"))
  }

  /// A cell without a value has its reason.
  @Test(arguments: [
    (
      "91589.91", "91558.8",
      [
        "disparity %          +0.03  <- percent above: price = 91589.91; spot Bybit = 91558.8",
        "difference           31.11  <- difference: price = 91589.91; spot Bybit = 91558.8",
      ]
    ),
    ("91589.91", nil, ["disparity %          no-spot", "difference           no-spot"]),
  ])
  func futuresRow(_ price: String, _ spot: String?, _ lines: [String]) throws {
    let pair = Pair(asset: "BTC", payment: "USDT")
    func report(_ market: Market, _ price: String?) throws -> ExchangeReport {
      var table = TickerTable()
      if let price {
        let ticker = Ticker(
          exchange: "Bybit", market: market, symbol: "BTCUSDT", pair: pair, price: .value(try #require(Decimal(price))))
        table.rows = [TickerRow(ticker)]
      }
      table.answered = 1
      return ExchangeReport(exchange: "Bybit", market: market, GatheredTable(table, of: pair, requests: []))
    }
    let replay = SampleResponses.now
    let snapshot = Snapshot(
      pair: pair, time: replay, reports: [try report(.spot, spot), try report(.futures, price)], rate: nil,
      check: MeaningCheck(), rule: .standard)
    let row = try #require(snapshot.futures.first)
    let computed = Explanation.computedLines(of: row.ticker.key, in: snapshot, .english)
    #expect(Array(computed.dropFirst()) == lines)
  }

  /// A lookup may have the name of a cell.
  @Test(arguments: [
    (FieldTrace.Source(from: "price", path: "$.p", raw: "2"), "참조 price $.p = 2"),
    (FieldTrace.Source(from: "row", path: "$.p", raw: "2"), "행 $.p = 2"),
    (FieldTrace.Source(computed: "price", path: nil, raw: "2"), "현재가 = 2"),
  ])
  func lookupsAndCellsAreToldApart(_ source: FieldTrace.Source, _ text: String) {
    let trace = FieldTrace(name: "x", operation: nil, sources: [source], result: "2")
    #expect(Explanation.line(of: trace, .korean).hasSuffix("2  <- \(text)"))
  }
}
