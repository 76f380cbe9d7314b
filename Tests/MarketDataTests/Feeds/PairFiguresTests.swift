import Quotes
import Testing

@testable import Mapping
@testable import MarketData

/// The premium of local money over dollars: the other pairs that it needs, and when there is none.
@Suite struct PairFiguresTests {
  @Test(arguments: [
    (["BTC/USDT"], ["BTC/KRW", "USDT/KRW"]),
    (["BTC/KRW"], ["BTC/USDT", "USDT/KRW"]),
    (["BTC/KRW", "BTC/USDT"], ["USDT/KRW"]),
    (["USDT/KRW"], []),
    (["USDC/KRW"], []),
    (["BTC/USDC"], ["BTC/KRW", "USDT/KRW"]),
    (["BTC/EUR"], []),
    (["USDT/USD"], ["USDT/KRW"]),
    ([], []),
  ])
  func companions(_ pairs: [String], _ expected: [String]) {
    let companions = PairFigures.companions(
      of: pairs.compactMap { Pair($0) }, local: "KRW", dollarTokens: ["USDT", "USDC"])
    #expect(companions.map(\.description) == expected)
  }

  /// One name in won and in dollars may mean two coins: these have no premium, and no alert hears of one.
  @Test(
    arguments: [
      ("BTC/KRW", 1500, "official +2.00 token +0.66"), ("BTC/KRW", nil, "token +0.66"), ("FOO/KRW", 1500, "identity"),
      ("FOO/KRW", nil, "identity"), ("FOO/USDT", 1500, "identity"), ("BAR/KRW", 1500, ""),
    ] as [(String, Decimal?, String)])
  func localPremium(_ name: String, _ official: Decimal?, _ expected: String) throws {
    let prices: [String: Decimal] = [
      "BTC/KRW": 153_000_000, "BTC/USDT": 100_000, "FOO/KRW": 10, "FOO/USDT": 5, "BAR/KRW": 7, "USDT/KRW": 1520,
    ]
    let dollar = Pair(asset: "USD", payment: "KRW")
    let moment = Instant(nanoseconds: 0)
    let rate = RateReport(
      pair: dollar, moment: moment,
      quote: official.map { RateQuote(dollar, $0, since: nil, provider: "Bank") })
    let pair = try #require(Pair(name))
    let figures = PairFigures.all(
      of: [pair], rate: rate, rule: HeadlineRule(), dollarTokens: ["USDT"], identityPercent: 20
    ) { pair in
      var table = TickerTable()
      table.rows =
        prices["\(pair)"].map { price in
          let ticker = Ticker(exchange: "A", market: .spot, symbol: "\(pair)", pair: pair, price: .value(price))
          return [TickerRow(ticker: ticker, rank: 0, traces: [])]
        } ?? []
      table.answered = 1
      let report = ExchangeReport(exchange: "A", market: .spot, GatheredTable(table, of: pair, requests: []))
      return Snapshot(pair: pair, time: moment, reports: [report], rate: rate, check: MeaningCheck())
    }
    let own = try #require(figures.first)
    let words = DollarBasis.allCases.compactMap { basis in
      own.localPremium[basis].map { "\(basis.rawValue) \($0.signedPercentText)" }
    }
    #expect((own.localObjection.map { [$0.code] } ?? words).joined(separator: " ") == expected)
    if own.localObjection != nil { #expect(own.localPremium.isEmpty) }
  }
}
