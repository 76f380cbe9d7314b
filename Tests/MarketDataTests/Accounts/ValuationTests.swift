import MarketData
import Quotes
import Testing

@testable import Mapping

/// The value of a balance and the price used: that of its own exchange wherever it has one.
@Suite struct ValuationTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var currency = "KRW"
    let asset: String
    /// Rows of spot tables: exchange, pair, price. The balance is at `A`.
    var rows: [(String, String, Decimal)] = []
    /// The dollar rate in won; nil if there is none.
    var dollar: Decimal? = 1500
    /// Rates of other currencies.
    var rates: [(String, Decimal?)] = []
    /// Exchanges that did not answer in time; if they have rows, these are from a later answer.
    var silent: [String] = []
    /// Whether the prices of `A` were requested.
    var isAsked = true
    /// Exchanges of which a part did not answer in time.
    var partial: [String] = []
    /// Exchanges whose prices are the middle of bid and ask.
    var middle: [String] = []
    /// Rows and the minutes since their last trade.
    var old: [(String, String, Int)] = []
    /// Rows and their flag.
    var flagged: [(String, String, Flag.Kind)] = []
    /// The unit price and how it was found, or the reason; and the rates used.
    let result: String
  }

  private static let moment = Instant(nanoseconds: 1_794_978_727_000_000_000)

  private static let contradiction: [(String, String, Decimal)] = [
    ("A", "BTC/USDT", 100_000), ("B", "BTC/KRW", 150_000_000), ("B", "USDT/KRW", 1510),
  ]

  static let cases = [
    Case(testDescription: "the currency itself", asset: "KRW", result: "1 itself"),
    Case(testDescription: "a national currency", asset: "USD", result: "1500 rate | USD/KRW"),
    Case(
      testDescription: "a national currency is valued at its rate, whatever it trades at", asset: "EUR",
      rows: [("A", "EUR/USD", 2), ("B", "EUR/KRW", 9)], rates: [("EUR", 1700)], result: "1700 rate | EUR/KRW"),
    Case(
      testDescription: "won in dollars", currency: "USD", asset: "KRW", rates: [("KRW", 1500)],
      result: "0.00067 rate | USD/KRW"),
    Case(
      testDescription: "a currency without a rate", asset: "EUR", rates: [("EUR", nil)], result: "no-rate | EUR/KRW"),
    Case(
      testDescription: "a currency without a rate that other exchanges trade", asset: "EUR",
      rows: [("B", "EUR/KRW", 1690)],
      rates: [("EUR", nil)], result: "1690 median of 1"),
    Case(
      testDescription: "the exchange's own pair", asset: "BTC", rows: [("A", "BTC/KRW", 7), ("A", "BTC/USDT", 1)],
      result: "7 own pair"),
    Case(
      testDescription: "the exchange's own pair in a token", asset: "BTC",
      rows: [("A", "BTC/USDT", 2), ("B", "BTC/KRW", 7)],
      result: "3000 USDT pair, rate | USD/KRW"),
    Case(
      testDescription: "the exchange's own pair in a token, valued in dollars", currency: "USD", asset: "BTC",
      rows: [("A", "BTC/USDT", 2)], result: "2 USDT pair"),
    Case(
      testDescription: "a dollar that its exchange trades in liras", asset: "USDT",
      rows: [("A", "USDT/TRY", 41), ("B", "USDT/KRW", 1470)], rates: [("TRY", nil)], result: "1470 median of 1"),
    Case(
      testDescription: "a dollar that is only traded in liras", asset: "USDT", rows: [("A", "USDT/TRY", 41)],
      rates: [("TRY", 36)], result: "1500 rate | USD/KRW"),
    // Another exchange may use the same name for another coin.
    Case(
      testDescription: "the exchange's own pair in won, valued in dollars", currency: "USD", asset: "FOO",
      rows: [("A", "FOO/KRW", 3000), ("B", "FOO/USDT", 5)], rates: [("KRW", 1500)],
      result: "2 KRW pair, rate | USD/KRW"),
    Case(
      testDescription: "an own pair without a rate", asset: "FOO", rows: [("A", "FOO/USDT", 5), ("B", "FOO/KRW", 10)],
      dollar: nil, result: "no-rate | USD/KRW"),
    Case(
      testDescription: "own pairs without rates: the first is named", asset: "FOO",
      rows: [("A", "FOO/TRY", 5), ("A", "FOO/EUR", 5)], rates: [("EUR", nil), ("TRY", nil)],
      result: "no-rate | EUR/KRW"),
    Case(
      testDescription: "two rows of the own pair: the first counts", asset: "FOO",
      rows: [("A", "FOO/KRW", 7), ("A", "FOO/KRW", 9)], result: "7 own pair"),
    Case(
      testDescription: "other exchanges that agree", asset: "FOO",
      rows: [("B", "FOO/KRW", 7400), ("C", "FOO/USDT", 5), ("D", "FOO/KRW", 7600)],
      result: "7500 median of 3 | USD/KRW"),
    Case(
      testDescription: "two other exchanges that cannot mean the same coin", asset: "FOO",
      rows: [("B", "FOO/KRW", 10), ("C", "FOO/USDT", 5)], result: "identity"),
    Case(
      testDescription: "one of three other exchanges does not count", asset: "FOO",
      rows: [("B", "FOO/KRW", 10), ("C", "FOO/USDT", 5), ("D", "FOO/KRW", 7400)],
      result: "7450 median of 2 | USD/KRW"),
    Case(
      testDescription: "an own price that two others contradict", asset: "FOO",
      rows: [("A", "FOO/KRW", 740_000), ("B", "FOO/KRW", 7400), ("C", "FOO/USDT", 5)], result: "identity"),
    Case(
      testDescription: "an own price that one other contradicts, which may as well be wrong", asset: "FOO",
      rows: [("A", "FOO/KRW", 740_000), ("B", "FOO/KRW", 7400)], result: "740000 own pair"),
    Case(
      testDescription: "an own price beside others that contradict each other", asset: "FOO",
      rows: [("A", "FOO/KRW", 740_000), ("B", "FOO/KRW", 7400), ("C", "FOO/KRW", 10)], result: "740000 own pair"),
    // The own exchange's last price is valid, however old; elsewhere it says little.
    Case(
      testDescription: "own pair not traded for long", asset: "FOO",
      rows: [("A", "FOO/KRW", 7), ("B", "FOO/KRW", 8)], old: [("A", "FOO/KRW", 20)], result: "7 own pair, old"),
    Case(
      testDescription: "a traded own pair takes precedence over an untraded one", asset: "FOO",
      rows: [("A", "FOO/KRW", 7), ("A", "FOO/USDT", 1)], old: [("A", "FOO/KRW", 20)],
      result: "1500 USDT pair, rate | USD/KRW"),
    Case(
      testDescription: "other exchanges where it is not traded", asset: "FOO", rows: [("B", "FOO/KRW", 8)],
      old: [("B", "FOO/KRW", 20)], result: "no-price"),
    Case(
      testDescription: "a stale own pair", asset: "FOO", rows: [("A", "FOO/KRW", 7)],
      flagged: [("A", "FOO/KRW", .stale)], result: "stale"),
    Case(
      testDescription: "an inconsistent own pair", asset: "FOO", rows: [("A", "FOO/KRW", 7)],
      flagged: [("A", "FOO/KRW", .range)], result: "contradictory"),
    Case(testDescription: "no exchange has a price", asset: "FOO", rows: [("A", "BAR/KRW", 10)], result: "no-price"),
    Case(
      testDescription: "no exchange has a price, and the own one fails", asset: "FOO", rows: [("B", "BAR/KRW", 10)],
      silent: ["A"], result: "timeout"),
    // The own price exists, so those of others may be of another coin, however many agree.
    Case(
      testDescription: "the own exchange fails, and others respond", asset: "FOO",
      rows: [("B", "FOO/KRW", 10), ("C", "FOO/KRW", 10)], silent: ["A"], result: "timeout"),
    // What it lists is not known, so it may have a price of its own.
    Case(
      testDescription: "the own exchange was not asked, and others respond", asset: "FOO",
      rows: [("B", "FOO/KRW", 10), ("C", "FOO/KRW", 10)], isAsked: false, result: "not-asked"),
    Case(
      testDescription: "a token is the same everywhere, whoever was asked", asset: "USDT",
      rows: [("B", "USDT/KRW", 1510)], isAsked: false, result: "1510 median of 1"),
    Case(
      testDescription: "an own pair whose rate was not requested, and others respond", asset: "FOO",
      rows: [("A", "FOO/TRY", 5), ("B", "FOO/KRW", 10)], result: "not-asked"),
    Case(
      testDescription: "a part of the own exchange fails, and others respond", asset: "FOO",
      rows: [("A", "BAR/KRW", 10), ("B", "FOO/KRW", 10)], partial: ["A"], result: "timeout"),
    Case(
      testDescription: "a part of the own exchange fails, but not the one with its price", asset: "FOO",
      rows: [("A", "FOO/KRW", 9), ("B", "FOO/KRW", 10)], partial: ["A"], result: "9 own pair"),
    Case(
      testDescription: "a part of the own exchange fails at first", asset: "FOO",
      rows: [("A", "BAR/KRW", 10), ("B", "FOO/KRW", 10)], silent: ["A"], result: "10 median of 1"),
    Case(
      testDescription: "a token is the same everywhere", asset: "USDT", rows: [("B", "USDT/KRW", 1510)],
      silent: ["A"], result: "1510 median of 1"),
    Case(
      testDescription: "a national currency is the same everywhere", asset: "EUR", rows: [("B", "EUR/KRW", 1690)],
      rates: [("EUR", nil)], silent: ["A"], result: "1690 median of 1"),
    Case(
      testDescription: "a stale own pair, and others respond", asset: "FOO",
      rows: [("A", "FOO/KRW", 7), ("B", "FOO/KRW", 8), ("C", "FOO/KRW", 8)], flagged: [("A", "FOO/KRW", .stale)],
      result: "stale"),
    Case(
      testDescription: "an inconsistent own pair, and others respond", asset: "FOO",
      rows: [("A", "FOO/KRW", 7), ("B", "FOO/KRW", 8)], flagged: [("A", "FOO/KRW", .range)], result: "contradictory"),
    Case(
      testDescription: "a stale own pair, and others without a rate", asset: "FOO",
      rows: [("A", "FOO/KRW", 7), ("B", "FOO/USDT", 5)], dollar: nil, flagged: [("A", "FOO/KRW", .stale)],
      result: "stale"),
    Case(
      testDescription: "a stale own pair beside another one", asset: "FOO",
      rows: [("A", "FOO/KRW", 7), ("A", "FOO/USDT", 5)], flagged: [("A", "FOO/KRW", .stale)],
      result: "7500 USDT pair, rate | USD/KRW"),
    Case(
      testDescription: "a stale own pair in a coin says nothing about prices in money", asset: "FOO",
      rows: [("A", "FOO/BTC", 7), ("B", "FOO/KRW", 8)], flagged: [("A", "FOO/BTC", .stale)],
      result: "8 median of 1"),
    // A price that is no last trade values nothing, but tells one coin from another.
    Case(
      testDescription: "an own price between bid and ask", asset: "FOO", rows: [("A", "FOO/USDT", 5)],
      middle: ["A"], result: "no-price"),
    Case(
      testDescription: "an own price between bid and ask near another exchange's", asset: "FOO",
      rows: [("A", "FOO/USDT", 5), ("B", "FOO/KRW", 7400)], middle: ["A"], result: "7400 median of 1"),
    Case(
      testDescription: "an own price between bid and ask far from another exchange's", asset: "FOO",
      rows: [("A", "FOO/USDT", 5), ("B", "FOO/KRW", 740_000)], middle: ["A"], result: "identity"),
    Case(
      testDescription: "an own price between bid and ask without a rate", asset: "FOO",
      rows: [("A", "FOO/USDT", 5), ("B", "FOO/KRW", 7400)], dollar: nil, middle: ["A"],
      result: "no-rate | USD/KRW"),
    Case(
      testDescription: "no other exchange responds", asset: "FOO", rows: [("A", "BAR/KRW", 10)], silent: ["B", "C"],
      result: "timeout"),
    Case(
      testDescription: "one of two other exchanges responds, without a price", asset: "FOO",
      rows: [("A", "BAR/KRW", 10), ("C", "BAR/KRW", 10)], silent: ["B"], result: "no-price"),
    Case(
      testDescription: "a token that other exchanges trade", asset: "USDT", rows: [("B", "USDT/KRW", 1510)],
      result: "1510 median of 1"),
    // It counts as a dollar elsewhere, so it does here too.
    Case(
      testDescription: "a token traded in won, valued in dollars", currency: "USD", asset: "USDT",
      rows: [("A", "USDT/KRW", 1510), ("B", "USDT/KRW", 1510)], rates: [("KRW", 1500)], result: "1 rate"),
    Case(
      testDescription: "a token traded in dollars, valued in dollars", currency: "USD", asset: "USDT",
      rows: [("A", "USDT/USD", 1)], result: "1 own pair"),
    // The rate contradicts what exchanges charge for a dollar, and what their prices of another coin imply.
    Case(
      testDescription: "a rate that prices contradict", asset: "BTC", rows: contradiction, dollar: 15,
      result: "no-rate | USD/KRW"),
    Case(
      testDescription: "dollars at a rate that prices contradict", asset: "USD", rows: contradiction, dollar: 15,
      result: "no-rate | USD/KRW"),
    Case(
      testDescription: "a token beside a rate that prices contradict", asset: "USDT", rows: contradiction, dollar: 15,
      result: "1510 median of 1"),
    Case(
      testDescription: "two prices of a dollar do not tell which is wrong", asset: "BTC",
      rows: contradiction.filter { $0.1 != "BTC/KRW" }, dollar: 15, result: "1500000 USDT pair, rate | USD/KRW"),
    Case(
      testDescription: "a rate into dollars that prices contradict", currency: "USD", asset: "FOO",
      rows: [("A", "FOO/KRW", 3000), ("B", "USDT/KRW", 1510), ("C", "USDT/KRW", 1500)], rates: [("KRW", 15)],
      result: "no-rate | USD/KRW"),
    Case(testDescription: "a token that is not traded", asset: "USDT", result: "1500 rate | USD/KRW"),
  ]

  private static func report(
    _ exchange: String, _ rows: [(String, String, Decimal)], _ example: Case? = nil
  ) -> ExchangeReport {
    var table = TickerTable()
    table.rows = rows.compactMap { row in
      Pair(row.1).map {
        var ticker = Ticker(exchange: exchange, market: .spot, symbol: row.1, pair: $0, price: .value(row.2))
        if let old = example?.old.first(where: { $0.0 == exchange && $0.1 == row.1 }) {
          ticker.timeBasis = .trade
          ticker.time = moment.advanced(by: .milliseconds(-60_000 * old.2))
          ticker.arrival = moment
        }
        if example?.middle.contains(exchange) ?? false { ticker.priceBasis = .mid }
        for flag in example?.flagged ?? [] where flag.0 == exchange && flag.1 == row.1 {
          ticker.flags.append(Flag(flag.2, .unconfirmed(Lapse(seconds: 60, reason: .limit(seconds: 30)))))
        }
        return TickerRow(ticker: ticker, rank: ProductRank(), traces: [])
      }
    }
    table.answered = 1
    if example?.partial.contains(exchange) ?? false {
      table.failures = [.init(part: "type=new", failure: AnswerFailure(.timeout))]
    }
    return ExchangeReport(exchange: exchange, market: .spot, GatheredTable(table, of: nil, requests: []))
  }

  private static func silence(_ exchange: String) -> ExchangeReport {
    var table = TickerTable()
    table.failures = [.init(part: "", failure: AnswerFailure(.timeout))]
    return ExchangeReport(exchange: exchange, market: .spot, GatheredTable(table, of: nil, requests: []))
  }

  private static func rate(_ pair: Pair, _ rate: Decimal?) -> RateReport {
    RateReport(pair: pair, moment: moment, quote: rate.map { RateQuote(pair, $0, since: nil, provider: "Bank") })
  }

  @Test(arguments: cases) func valuesBalances(_ example: Case) throws {
    let exchanges = Set(example.rows.map(\.0)).sorted()
    let reports =
      exchanges.map { name in Self.report(name, example.rows.filter { $0.0 == name }, example) }
      + example.silent.map(Self.silence)
    let dollar = Conversion.pair(from: "USD", to: example.currency).map { Self.rate($0, example.dollar) }
    var valuation = Valuation(
      in: example.currency, reports, asked: example.isAsked ? ["A"] : [], rateOfDollar: dollar, dollarTokens: ["USDT"],
      identity: .standard,
      at: Self.moment)
    valuation.take(
      try example.rates.map { money, figure in
        let pair = try #require(Conversion.pair(from: money, to: example.currency))
        return Conversion(
          from: money, to: example.currency, by: Self.rate(pair, figure), dollarTokens: ["USDT"], at: Self.moment)
      })
    let balance = Balance(
      account: "spot", asset: example.asset, free: .value(1), locked: .value(0), total: .value(1))
    let valued = valuation.valued(balance, of: "A")
    let source =
      switch valued.source {
      case .itself?: "itself"
      case .ownPair(let isOld)?: "own pair" + (isOld ? ", old" : "")
      case .ownOther(let payment, let isByRate, let isOld)?:
        "\(payment) pair" + (isByRate ? ", rate" : "") + (isOld ? ", old" : "")
      case .median(let count)?: "median of \(count)"
      case .rate?: "rate"
      case nil: ""
      }
    // To the digits that tell one price from another.
    let price = valued.price.map { $0.rounded(toPlaces: 5).shortest }
    #expect((valued.value.value == nil) == (valued.price == nil))
    var words = price.map { "\($0) \(source)" } ?? valued.value.missing?.code ?? "-"
    let rates = Set(valued.conversions.compactMap { $0.rate?.pair.description }).sorted()
    if !rates.isEmpty { words += " | " + rates.joined(separator: ", ") }
    #expect(words == example.result)
  }

  /// A rate that is composed of one that prices contradict is none either, and says why.
  @Test func contradictedRates() {
    let exchanges = Set(Self.contradiction.map(\.0)).sorted()
    let reports = exchanges.map { name in Self.report(name, Self.contradiction.filter { $0.0 == name }) }
    let dollar = Self.rate(Pair(asset: "USD", payment: "KRW"), 15)
    var euro = Self.rate(Pair(asset: "EUR", payment: "KRW"), 18)
    euro.legs = [Self.rate(Pair(asset: "EUR", payment: "USD"), Decimal(mantissa: 12, exponent: -1)), dollar]
    var valuation = Valuation(
      in: "KRW", reports, asked: ["A"], rateOfDollar: dollar, dollarTokens: ["USDT"], identity: .standard,
      at: Self.moment)
    valuation.take([Conversion(from: "EUR", to: "KRW", by: euro, dollarTokens: ["USDT"], at: Self.moment)])
    let why = "price 15 is about 0.01 times the median 1500 of the others: a multiplier or another coin"
    let reasons = ["USD", "EUR"].map { asset -> String? in
      guard case .missing(.noRate, let lacking) = valuation.price(of: asset, at: "A") else { return nil }
      return lacking.first?.reason
    }
    #expect(reasons == [why, "USD/KRW: \(why)"])
  }

  @Test(
    arguments: [
      ("EUR", "KRW", [], ["EUR"]), ("USD", "KRW", [], []), ("KRW", "KRW", [], []), ("KRW", "USD", [], ["KRW"]),
      ("FOO", "USD", [("A", "FOO/KRW", 3000)], ["KRW"]),
      ("FOO", "USD", [("A", "FOO/KRW", 3000), ("A", "FOO/USDT", 2)], []), ("FOO", "USD", [("B", "FOO/KRW", 3000)], []),
      ("FOO", "USD", [("A", "FOO/BTC", 3000)], []),
      ("USDT", "USD", [("A", "USDT/KRW", 1500)], []), ("USDT", "KRW", [("A", "USDT/TRY", 41)], []),
    ] as [(String, String, [(String, String, Decimal)], Set<String>)])
  func namesNeededRates(asset: String, currency: String, rows: [(String, String, Decimal)], money: Set<String>) {
    let reports = rows.map { Self.report($0.0, [$0]) }
    let valuation = Valuation(
      in: currency, reports, asked: ["A"], rateOfDollar: nil, dollarTokens: ["USDT"], identity: .standard,
      at: Self.moment)
    #expect(valuation.money(for: asset, at: "A") == money)
  }

  /// Where the own exchange failed or was not asked, the others need not be asked: what they answer is not used.
  @Test(arguments: [(silence("A"), true), (report("A", []), false)] as [(ExchangeReport, Bool)])
  func failedExchangeHangsOnNoOther(_ own: ExchangeReport, isFinal: Bool) {
    let dollar = Self.rate(Pair(asset: "USD", payment: "KRW"), 1500)
    let valuation = Valuation(
      in: "KRW", [own], asked: ["A"], rateOfDollar: dollar, dollarTokens: ["USDT"], identity: .standard, at: Self.moment
    )
    #expect(valuation.price(of: "FOO", at: "A").hangsOnOthers == !isFinal)
    #expect(valuation.price(of: "USDT", at: "A").hangsOnOthers)
    #expect(!valuation.price(of: "FOO", at: "B").hangsOnOthers)
  }

  /// A value has fifteen digits, and all of those before its point.
  @Test(arguments: [
    ("1.5", "123456789.123456", "185185183.685184"), ("3", "0.333333333333333333", "1"),
    ("1000000.5", "2000000000.1", "2000001000100000"),
  ])
  func valuesHaveFifteenDigits(total: String, price: String, value: String) throws {
    let valuation = Valuation(
      in: "KRW", [Self.report("A", [("A", "FOO/KRW", try #require(Decimal(price)))])], asked: ["A"], rateOfDollar: nil,
      dollarTokens: ["USDT"], identity: .standard, at: Self.moment)
    let balance = Balance(
      account: "spot", asset: "FOO", free: .missing(.notOffered), locked: .missing(.notOffered),
      total: .value(try #require(Decimal(total))))
    #expect(valuation.valued(balance, of: "A").value.value?.shortest == value)
  }
}
