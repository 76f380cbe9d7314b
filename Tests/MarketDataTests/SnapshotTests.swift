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
      table.rows = [TickerRow(ticker: ticker, rank: 0, traces: [])]
      table.answered = 1
      return ExchangeReport(exchange: "Alpha", market: market, GatheredTable(table, of: pair, requests: []))
    }
    let snapshot = Snapshot(
      pair: pair, time: Instant(nanoseconds: 0), reports: reports, rate: nil, check: MeaningCheck())
    #expect(snapshot.futures.map { $0.ticker.flags.first?.code } == [flag])
    #expect(snapshot.spot.map { $0.ticker.flags.count } == [0])
    #expect(snapshot.ranking.first?.percent.signedPercentText == disparity)
  }

  @Test func zeroPriceIsNotAPrice() async throws {
    let snapshot = try await prices("100", "0", "0.00")
    #expect(snapshot.spot.map { $0.ticker.price.missing?.code } == [nil, "zero", "zero"])
    guard case .failure(let absence) = snapshot.premium else {
      Issue.record("a premium of one exchange")
      return
    }
    #expect("\(absence)" == "only alpha has a usable price; beta: zero, gamma: zero")
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
