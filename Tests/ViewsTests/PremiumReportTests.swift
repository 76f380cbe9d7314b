import Mapping
import MarketData
import Quotes
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
    /// The end of the line: two percentages, whether their signs disagree, and the reasons.
    let csv: String
    let json: String
  }

  static let cases = [
    Case(
      testDescription: "both", official: 1400, token: 1500, csv: "1,-5.73333333333,true,,,",
      json: #"{"official":"1","token":"-5.73333333333","signsDisagree":true,"reasons":{}}"#),
    Case(
      testDescription: "a flagged token", official: 1400, token: 1500, flags: [Flag(.range, "it is above the high")],
      csv: "1,,,,,tokenPercent range; signsDisagree range",
      json:
        #"{"official":"1","token":null,"signsDisagree":null,"reasons":{"token":"range","signsDisagree":"range"}}"#),
    Case(
      testDescription: "a token without a price", official: 1400, token: 0,
      csv: "1,,,,,tokenPercent zero; signsDisagree zero",
      json: #"{"official":"1","token":null,"signsDisagree":null,"reasons":{"token":"zero","signsDisagree":"zero"}}"#),
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

  private static func row(_ exchange: String, _ pair: Pair, _ price: Decimal, _ flags: [Flag] = []) -> Ticker {
    Ticker(exchange: exchange, market: .spot, symbol: "\(pair)", pair: pair, price: .value(price), flags: flags)
  }

  @Test(arguments: cases) func missingFiguresHaveReasons(_ example: Case) {
    let token = example.token.map {
      Self.row("Upbit", Pair(asset: "USDT", payment: "KRW"), $0, example.flags)
    }
    let table = LocalPremiumTable(
      local: [PricedRow(Self.row("Upbit", Pair(asset: "BTC", payment: "KRW"), 141_400_000))],
      dollar: [PricedRow(Self.row("Binance", Pair(asset: "BTC", payment: "USDT"), 100_000))],
      official: example.official, token: token?.headlinePrice().map { ["Upbit": ["USDT": $0]] } ?? [:],
      identity: IdentityCheck())
    let snapshot = PremiumSnapshot(
      query: PremiumQuery(asset: "BTC", local: "KRW", dollars: ["USDT"]), time: SampleResponses.now, table: table,
      reverse: table, fees: [:], tokens: token.map { [TickerRow(ticker: $0, rank: 0, traces: [])] } ?? [],
      rate: RateReport(pair: Pair(asset: "USD", payment: "KRW"), moment: SampleResponses.now, quote: nil), reports: [])
    let report = PremiumReport(snapshot, .all)
    #expect(
      String(decoding: report.csv(), as: UTF8.self) == """
        asset,local,localExchange,localPrice,dollarExchange,dollarPayment,dollarPrice,officialPercent,tokenPercent,\
        signsDisagree,rate,rateLabels,reasons,size,fees\r
        BTC,KRW,Upbit,141400000,Binance,USDT,100000,\(example.csv),,false\r

        """)
    let text = String(decoding: report.json(), as: UTF8.self).filter { !$0.isWhitespace }
    #expect(
      text.contains(#""premiums":[{"local":"Upbit","dollar":"Binance","payment":"USDT","# + example.json.dropFirst()))
  }
}
