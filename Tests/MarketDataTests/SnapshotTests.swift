import Config
import MarketData
import Quotes
import Testing

@testable import Mapping

/// Figures derived from the rows of many exchanges.
@Suite struct SnapshotTests {
  private func prices(_ alpha: String, _ beta: String, _ gamma: String) async throws -> Snapshot {
    try await StubExchanges().snapshot { host, _ in
      StubExchanges.good(host == "alpha" ? alpha : host == "beta" ? beta : gamma)
    }
  }

  /// A rate that was kept from an earlier run does not date the recordings of one in which no exchange answered.
  @Test func momentOfAReplayWithoutAnswers() throws {
    let session = try MarketSession.recorded(in: "Tests/Cassettes/Upbit")
    let pair = Pair(asset: "USD", payment: "KRW")
    var quote = RateQuote(pair, 1461, since: nil, provider: "Dunamu")
    quote.arrival = session.clock().advanced(by: .seconds(-800))
    let rate = RateReport(pair: pair, moment: session.clock(), quote: quote)
    #expect(session.moment(of: [], rate) == session.clock())
  }

  @Test func namesBothEndsOfThePremium() async throws {
    let snapshot = try await prices("100", "100.5", "99.5")
    let premium = try snapshot.premium.get()
    #expect(premium.percentText == "1.01")
    #expect(snapshot.spot[premium.high].ticker.exchange == "beta")
    #expect(snapshot.spot[premium.low].ticker.exchange == "gamma")
    #expect(snapshot.spot.map { snapshot.percentOverLowest($0)?.fixedText(places: 2) } == ["0.50", "1.01", "0.00"])
  }

  @Test func differentCoinIsExcluded() async throws {
    let snapshot = try await prices("100", "100000", "101")
    #expect(snapshot.spot.map { $0.ticker.flags.map(\.code) } == [[], ["identity"], []])
    #expect(try snapshot.premium.get().percentText == "1.00")
    #expect(snapshot.percentOverLowest(snapshot.spot[1]) == nil)
  }

  /// Futures in another unit than their exchange's spot price have no disparity, even if no other exchange has any.
  @Test(arguments: [("5000", "identity", nil), ("5.05", nil, "+1.00")] as [(String, String?, String?)])
  func futuresInAnotherUnitHaveNoDisparity(_ price: String, _ flag: String?, _ disparity: String?) throws {
    let pair = Pair(asset: "FOO", payment: "USDT")
    let figure = try #require(Decimal(price))
    let reports = [(Market.spot, Decimal(5)), (.futures, figure)].map { market, price in
      let ticker = Ticker(
        exchange: "Alpha", market: market, symbol: "FOOUSDT", pair: pair, price: .value(price))
      var table = TickerTable()
      table.rows = [TickerRow(ticker: ticker, rank: ProductRank(), traces: [])]
      table.answered = 1
      return ExchangeReport(exchange: "Alpha", market: market, GatheredTable(table, of: pair, requests: []))
    }
    let snapshot = Snapshot(
      pair: pair, time: Instant(nanoseconds: 0), reports: reports, rate: nil, check: MeaningCheck(), rule: .standard)
    #expect(snapshot.futures.map { $0.ticker.flags.first?.code } == [flag])
    #expect(snapshot.spot.map { $0.ticker.flags.count } == [0])
    #expect(snapshot.ranking.first?.percent.signedPercentText == disparity)
  }

  /// If most exchanges are of the future by the same time, or all their quotes equally old, it is this machine's clock
  /// that is wrong.
  @Test(
    arguments: [
      ([40, 38, 41, -70], 41, 3), ([40, 39], nil, nil), ([40, 39, 41, 0, 1, 2], nil, nil), ([40, 39, 60], nil, nil),
      ([4, 3, 2, 1], nil, nil), ([8, 0, 0, -1], nil, nil), ([8, 7, 6, 0], 8, 3), ([3600, 3599, 3598, 3555], 3600, 3),
      ([-90, -91, -95], -90, 3),
      ([-90, -91, -95, 0], nil, nil), ([-20, -21, -22], nil, nil), ([9_000_000_000, -9_000_000_000, 1], nil, nil),
    ] as [([Int64], Int64?, Int?)])
  func clockThatIsWrongIsNamed(_ leads: [Int64], _ seconds: Int64?, _ exchanges: Int?) {
    let pair = Pair(asset: "FOO", payment: "USDT")
    let arrival = Instant(nanoseconds: 1_763_442_900_000_000_000)
    let reports = leads.enumerated().map { index, lead in
      let ticker = Ticker(
        exchange: "Exchange \(index)", market: .spot, symbol: "FOOUSDT", pair: pair, price: .value(5),
        time: arrival.advanced(by: .seconds(lead)), arrival: arrival)
      var table = TickerTable()
      table.rows = [TickerRow(ticker: ticker, rank: ProductRank(), traces: [])]
      return ExchangeReport(exchange: ticker.exchange, market: .spot, GatheredTable(table, of: pair, requests: []))
    }
    let lag = Snapshot(pair: pair, time: arrival, reports: reports, rate: nil, check: MeaningCheck(), rule: .standard)
      .clockLag
    #expect(lag?.seconds == seconds)
    #expect(lag?.exchanges == exchanges)
  }

  @Test func onlyPriceIsOverNoOther() async throws {
    let snapshot = try await prices("100", "0", "0.00")
    #expect(snapshot.percentOverLowest(snapshot.spot[0]) == nil)
  }

  @Test func zeroAndLessAreNotPrices() async throws {
    let snapshot = try await prices("100", "0", "-1")
    #expect(snapshot.spot.map { $0.ticker.price.missing?.code } == [nil, "zero", "negative"])
    guard case .failure(let absence) = snapshot.premium else {
      Issue.record("a premium of one exchange")
      return
    }
    #expect("\(absence)" == "only alpha has a usable price; beta: zero, gamma: negative")
  }

  @Test func stalePriceIsExcluded() async throws {
    let stale = #"{"ok":true,"list":[{"s":"BTC-USDT","p":"90","t":1763442600000}]}"#
    let snapshot = try await StubExchanges().snapshot { host, _ in
      host == "gamma" ? .success((200, Array(stale.utf8))) : StubExchanges.good("100")
    }
    #expect(snapshot.spot.map { $0.ticker.flags.map(\.code) } == [[], [], ["stale"]])
    #expect(try snapshot.premium.get().percentText == "0.00")
  }
}
