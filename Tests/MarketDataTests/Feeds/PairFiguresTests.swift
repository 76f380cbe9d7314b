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
      ("BTC/KRW", 1500, 1520, "official +2.00 token +0.66"), ("BTC/KRW", nil, 1520, "official noRate token +0.66"),
      ("FOO/KRW", 1500, 1520, "official identity token identity"),
      ("FOO/KRW", nil, 1520, "official noRate token identity"),
      ("FOO/USDT", 1500, 1520, "official identity token identity"),
      ("BAR/KRW", 1500, 1520, "official noPrice(BAR/USDT) token noPrice(BAR/USDT)"),
      ("BTC/EUR", 1500, 1520, "official otherCurrency token otherCurrency"),
      ("BAZ/USDT", 1500, 1520, "official noPrice(BAZ/USDT) token noPrice(BAZ/USDT)"),
      // A rate, or a token's price, that the coin's own prices contradict.
      ("BTC/KRW", 150_000, 1520, "official identity token +0.66"),
      ("BTC/KRW", 1500, 15_200, "official +2.00 token identity"),
      ("USDT/KRW", 1500, 15_200, "official identity token ofItself"),
    ] as [(String, Decimal?, Decimal, String)])
  func localPremium(_ name: String, _ official: Decimal?, _ token: Decimal, _ expected: String) throws {
    #expect(try Self.premiums(of: name, official, token) == expected)
  }

  /// The rate of another currency in the header is no price of a dollar.
  @Test func rateOfAnotherCurrencyIsNoDollar() throws {
    #expect(try Self.premiums(of: "BTC/KRW", 1500, 1520, rateOf: "EUR") == "official noRate token +0.66")
  }

  private static func premiums(
    of name: String, _ official: Decimal?, _ token: Decimal, rateOf currency: String = "USD"
  ) throws -> String {
    let prices: [String: Decimal] = [
      "BTC/KRW": 153_000_000, "BTC/USDT": 100_000, "FOO/KRW": 10, "FOO/USDT": 5, "BAR/KRW": 7, "USDT/KRW": token,
    ]
    let dollar = Pair(asset: currency, payment: "KRW")
    let moment = Instant(nanoseconds: 0)
    let rate = RateReport(
      pair: dollar, moment: moment,
      quote: official.map { RateQuote(dollar, $0, since: nil, provider: "Bank") })
    let pair = try #require(Pair(name))
    let figures = PairFigures.all(
      of: [pair], rate: rate, rule: .standard, dollarTokens: ["USDT"], identityPercent: 20
    ) { pair in
      var table = TickerTable()
      table.rows =
        prices["\(pair)"].map { price in
          let ticker = Ticker(exchange: "A", market: .spot, symbol: "\(pair)", pair: pair, price: .value(price))
          return [TickerRow(ticker: ticker, rank: ProductRank(), traces: [])]
        } ?? []
      table.answered = 1
      let report = ExchangeReport(exchange: "A", market: .spot, GatheredTable(table, of: pair, requests: []))
      return Snapshot(pair: pair, time: moment, reports: [report], rate: rate, check: MeaningCheck(), rule: .standard)
    }
    let own = try #require(figures.first)
    let words = DollarBasis.allCases.compactMap { basis in
      switch own.localPremium[basis] {
      case .success(let percent): "\(basis.rawValue) \(percent.signedPercentText)"
      case .failure(let objection): "\(basis.rawValue) \(objection.code)"
      case nil: own.localAbsence[basis].map { "\(basis.rawValue) \($0)" }
      }
    }
    return words.joined(separator: " ")
  }
}
