import JSON
import Mapping
import MarketData
import Quotes
import Terminal
import Testing

@testable import Views

/// Figures that are missing in files say why.
@Suite struct PremiumReportTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var official: Decimal?
    /// The local exchange's price of a dollar token; nil if it does not list any.
    var token: Decimal?
    var flags: [Flag] = []
    /// How long ago the token was traded.
    var tokenAge = Duration.zero
    var rule = HeadlineRule.standard
    /// The end of the line: two percentages, whether their signs disagree, and the reasons.
    let csv: String
    let json: String
  }

  static let cases = [
    Case(
      testDescription: "both", official: 1400, token: 1500, csv: "1,-5.73333333333,true,,,",
      json: #"{"official":"1","token":"-5.73333333333","signsDisagree":true,"reasons":{}}"#),
    Case(
      testDescription: "a flagged token", official: 1400, token: 1500, flags: [Flag(.range, .repeatedMember)],
      csv: "1,,,,,tokenPercent range; signsDisagree range",
      json:
        #"{"official":"1","token":null,"signsDisagree":null,"reasons":{"token":"range","signsDisagree":"range"}}"#),
    Case(
      testDescription: "a token without a price", official: 1400, token: 0,
      csv: "1,,,,,tokenPercent zero; signsDisagree zero",
      json: #"{"official":"1","token":null,"signsDisagree":null,"reasons":{"token":"zero","signsDisagree":"zero"}}"#),
    Case(
      testDescription: "an old token", official: 1400, token: 1500, tokenAge: .seconds(600),
      csv: "1,,,,,tokenPercent old-trade; signsDisagree old-trade",
      json:
        #"{"official":"1","token":null,"signsDisagree":null,"reasons":{"token":"old-trade","signsDisagree":"old-trade"}}"#
    ),
    Case(
      testDescription: "an old token with --max-age", official: 1400, token: 1500, tokenAge: .seconds(600),
      rule: .anyPrice, csv: "1,-5.73333333333,true,,,",
      json: #"{"official":"1","token":"-5.73333333333","signsDisagree":true,"reasons":{}}"#),
    Case(
      testDescription: "no token", official: 1400, csv: "1,,,,,tokenPercent not-listed; signsDisagree not-listed",
      json:
        #"{"official":"1","token":null,"signsDisagree":null,"reasons":{"token":"not-listed","signsDisagree":"not-listed"}}"#
    ),
    Case(
      testDescription: "no rate", token: 1500, csv: ",-5.73333333333,,,,officialPercent no-rate; signsDisagree no-rate",
      json:
        #"{"official":null,"token":"-5.73333333333","signsDisagree":null,"reasons":{"official":"no-rate","signsDisagree":"no-rate"}}"#
    ),
    Case(
      testDescription: "neither",
      csv: ",,,,,officialPercent no-rate; tokenPercent not-listed; signsDisagree no-rate",
      json:
        #"{"official":null,"token":null,"signsDisagree":null,"reasons":{"official":"no-rate","token":"not-listed","signsDisagree":"no-rate"}}"#
    ),
  ]

  private static func row(
    _ exchange: String, _ pair: Pair, _ price: Decimal, _ flags: [Flag] = [], age: Duration = .zero
  ) -> Ticker {
    Ticker(
      exchange: exchange, market: .spot, symbol: "\(pair)", pair: pair, price: .value(price),
      time: SampleResponses.now.advanced(by: .zero - age), arrival: SampleResponses.now, timeBasis: .trade,
      flags: flags)
  }

  /// Returns the premium of Bitcoin in won over a dollar token, without an official rate.
  private static func snapshot(
    _ table: LocalPremiumTable, in dollar: String = "USDT", rule: HeadlineRule = .standard, token: Ticker? = nil,
    reports: [ExchangeReport] = []
  ) -> PremiumSnapshot {
    PremiumSnapshot(
      query: PremiumQuery(asset: "BTC", local: "KRW", dollars: [dollar], rule: rule), time: SampleResponses.now,
      table: table, reverse: table, fees: [:], tokens: token.map { [TickerRow($0)] } ?? [],
      rate: RateReport(pair: Pair(asset: "USD", payment: "KRW"), moment: SampleResponses.now, quote: nil),
      reports: reports)
  }

  @Test(arguments: cases) func missingFiguresHaveReasons(_ example: Case) {
    let token = example.token.map {
      Self.row("Upbit", Pair(asset: "USDT", payment: "KRW"), $0, example.flags, age: example.tokenAge)
    }
    let table = LocalPremiumTable(
      local: [PricedRow(Self.row("Upbit", Pair(asset: "BTC", payment: "KRW"), 141_400_000), rule: .standard)],
      dollar: [PricedRow(Self.row("Binance", Pair(asset: "BTC", payment: "USDT"), 100_000), rule: .standard)],
      official: example.official, token: token?.headlinePrice(example.rule).map { ["Upbit": ["USDT": $0]] } ?? [:],
      identity: .standard)
    let report = PremiumReport(Self.snapshot(table, rule: example.rule, token: token), .all)
    #expect(
      String(decoding: report.csv(), as: UTF8.self) == """
        asset,local,localExchange,localPrice,dollarExchange,dollarPayment,dollarPrice,officialPercent,tokenPercent,\
        signsDisagree,rate,rateLabels,reasons,size,fees,localAgeSeconds,dollarAgeSeconds\r
        BTC,KRW,Upbit,141400000,Binance,USDT,100000,\(example.csv),,false,0.000,0.000\r

        """)
    let text = String(decoding: report.json(), as: UTF8.self).filter { !$0.isWhitespace }
    #expect(
      text.contains(#""premiums":[{"local":"Upbit","dollar":"Binance","payment":"USDT","# + example.json.dropFirst()))
    let official = example.official == nil ? "no-rate" : "one-pair"
    let tokens = token.map { $0.headlineObjection(example.rule)?.code ?? "one-pair" } ?? "not-listed"
    let worst = #"{"official":null,"token":null,"reasons":{"official":"\#(official)","token":"\#(tokens)"}}"#
    #expect(text.contains(#""worst":\#(worst)"#), "\(text)")
    // The list of tokens says of one what the figures made of it say.
    #expect(text.contains("old-trade") == example.json.contains("old-trade"))
  }

  /// Upbit has a token and Coinone none; an average price has many digits, and some dollar rows are left out.
  private static func report(leftOut: Int) -> PremiumReport {
    let (won, dollars) = (Pair(asset: "BTC", payment: "KRW"), Pair(asset: "BTC", payment: "USDT"))
    let average = Decimal("141400000.123456789") ?? 0
    let table = LocalPremiumTable(
      local: [
        PricedRow(row("Upbit", won, 141_400_000), price: .success(average)),
        PricedRow(row("Coinone", won, 143_000_000), rule: .standard),
      ],
      dollar: [PricedRow(row("Binance", dollars, 100_000), rule: .standard)]
        + (0..<leftOut).map {
          PricedRow(row("Odd\($0)", dollars, 100_000, [Flag(.range, .repeatedMember)]), rule: .standard)
        },
      official: 1400, token: ["Upbit": ["USDT": 1500]], identity: .standard)
    return PremiumReport(snapshot(table), .best(1))
  }

  /// The official rate decides the order, and pairs without a figure are not counted.
  @Test(arguments: [
    (
      2,
      [
        "Odd0 BTC/USDT: left out, range: a member of the row is repeated",
        "Odd1 BTC/USDT: left out, range: a member of the row is repeated",
      ]
    ),
    (3, ["3 rows left out: 3 range; --all lists them"]),
  ])
  func bestPremiums(_ leftOut: Int, _ remarks: [String]) {
    let report = Self.report(leftOut: leftOut)
    let lines = report.text(on: SampleResponses.page(120)).split(separator: "\n").map {
      $0.split(separator: " ").joined(separator: " ")
    }
    #expect(
      lines.filter { $0.hasPrefix("Coinone ") || $0.hasPrefix("Upbit ") || $0.contains("reverse") } == [
        "Coinone 143000000 Binance USDT 100000 +2.14 -", "Upbit 141400000.1 Binance USDT 100000 +1.00 -5.73",
        "at the token's price: reverse premium in 1 of 1 pair, most -5.73 % Upbit under Binance USDT",
      ])
    #expect(lines.filter { $0.contains("left out") } == remarks)
    let prices = String(decoding: report.csv(), as: UTF8.self).split(separator: "\r\n").dropFirst().map {
      $0.split(separator: ",")[3]
    }
    #expect(prices == ["141400000.123457", "143000000"])
  }

  /// An exchange that has the pair and does not trade it now is named with the code, once, and what that means.
  @Test func haltedPairIsNamed() throws {
    let table = LocalPremiumTable(
      local: [PricedRow(Self.row("Upbit", Pair(asset: "BTC", payment: "KRW"), 141_400_000), rule: .standard)],
      dollar: [PricedRow(Self.row("Binance", Pair(asset: "BTC", payment: "USDT"), 100_000), rule: .standard)],
      official: 1400, token: [:], identity: .standard)
    let halted = ExchangeReport(
      "Okx", [], of: Pair(asset: "BTC", payment: "USDT"), failures: [AnswerFailure(.halted)])
    let report = PremiumReport(Self.snapshot(table, reports: [halted]), .best(1))
    let english = "Okx BTC/USDT: left out, halted: the exchange does not trade it now"
    for (language, line) in [(Language.english, english), (.korean, "Okx BTC/USDT: 제외, halted: 거래 중지")] {
      let text = report.text(on: Page(palette: .plain, width: nil, language: language))
      #expect(text.split(separator: "\n").filter { $0.contains("Okx") } == [line[...]])
    }
    #expect(report.notes() == [english])
    let excluded = try JSONDocument(parsing: report.json()).root["excluded"]?.elements
    let words = excluded?.map { own in
      ["exchange", "pair", "reason", "message"].map { own[$0]?.string ?? "-" }.joined(separator: " ")
    }
    #expect(words == ["Okx BTC/USDT halted the exchange does not trade it now"])
  }

  /// Without a price of a dollar token, its pair is named, and whether it is not listed at all.
  @Test(arguments: [
    (["Upbit"], "best at the token's price -  Upbit does not list USDC/KRW"),
    (["Upbit", "Coinone"], "best at the token's price -  none of 2 exchanges lists USDC/KRW"),
    ([], "best at the token's price -  none of the exchanges that list BTC/KRW has a usable price of USDC/KRW"),
  ])
  func missingTokenIsNamed(_ unlisted: [String], _ line: String) {
    let token = Pair(asset: "USDC", payment: "KRW")
    let local = unlisted.isEmpty ? ["Upbit"] : unlisted
    let table = LocalPremiumTable(
      local: local.map { PricedRow(Self.row($0, Pair(asset: "BTC", payment: "KRW"), 141_400_000), rule: .standard) },
      dollar: [PricedRow(Self.row("Binance", Pair(asset: "BTC", payment: "USDC"), 100_000), rule: .standard)],
      official: 1400, token: [:], identity: .standard)
    var answered = TickerTable()
    answered.answered = 1
    let reports = (unlisted + ["Gopax"]).map {
      ExchangeReport(exchange: $0, market: .spot, GatheredTable(answered, of: token, requests: []))
    }
    let snapshot = Self.snapshot(table, in: "USDC", reports: reports)
    let lines = PremiumReport(snapshot, .best(1)).text(on: SampleResponses.page(nil)).split(separator: "\n")
    #expect(lines.filter { $0.contains("USDC/KRW") }.map(String.init) == [line])
  }
}
