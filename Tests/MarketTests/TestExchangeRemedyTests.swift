import TestSupport
import Testing

/// Mistakes on whose cause all rows agree: `test-exchange` names the remedy.
@Suite(.waitsForPrograms) struct TestExchangeRemedyTests {
  private static let prices: [(String, Double)] = [
    ("BTC", 65000.0), ("ETH", 3200), ("XRP", 2.2), ("SOL", 140), ("ADA", 0.45), ("LTC", 94),
  ]

  /// Six pairs whose figures are right, and their turnovers in thousands as `q`.
  private static func answer(separator: String = "-", payments: [String] = ["USDT"]) -> String {
    let rows = prices.enumerated().map { index, pair in
      let (coin, price) = pair
      let symbol = coin + separator + payments[index % payments.count]
      return
        #"{"s":"\#(symbol)","last":\#(price),"open":\#(price * 0.99),"high":\#(price * 1.02),"low":\#(price * 0.97),"chg":"1.0101","v":1000,"q":\#(price),"bid":\#(price * 0.999),"ask":\#(price * 1.001),"t":"179497872730\#(index)"}"#
    }
    return "[\(rows.joined(separator: ","))]"
  }

  struct Mistake: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var old = #""volume24": "$.v""#
    let new: String
    var answer = TestExchangeRemedyTests.answer()
    var more = ""
    let problem: String
    let help: String
    /// What is not reported as it follows from the mistake.
    var silent = "nothing at all"
  }

  static let mistakes = [
    Mistake(
      testDescription: "high and low", old: #""high": "$.high", "low": "$.low""#,
      new: #""high": "$.low", "low": "$.high", "turnover24": {"path": "$.q", "scale": 1000}"#,
      problem: "problem: range: 6 of 6 rows fail",
      help: "the low is above the high in 6 of 6 rows: swap the places that the two are read from",
      silent: "problem: turnover:"),
    Mistake(
      testDescription: "bid and ask", new: #""bid": "$.ask", "ask": "$.bid", "volume24": "$.v""#,
      problem: "problem: bid-ask: 6 of 6 rows fail",
      help: "the bid is above the ask in 6 of 6 rows: swap the places that the two are read from"),
    Mistake(
      testDescription: "a turnover in thousands", new: #""volume24": "$.v", "turnover24": "$.q""#,
      problem: "problem: turnover: 6 of 6 rows fail",
      help: #"write "scale": 1000 for turnover24, or one for volume24"#),
    Mistake(
      testDescription: "the unit of the time", new: #""volume24": "$.v", "time": {"path": "$.t", "unit": "s"}"#,
      problem: "problem: time: not-a-number in all 6 rows", help: #"1794978727300 looks like "unit": "ms""#),
    Mistake(
      testDescription: "the separator", old: #""split": "-""#, new: #""split": "_""#,
      problem: "problem: 6 symbols are not split", help: #"write "split": "-" in "symbol""#),
    Mistake(
      testDescription: "the path of the symbol", old: #""path": "$.s""#, new: #""path": "$.sym""#,
      problem: "symbol: $.sym leads nowhere in any of 6 rows", help: #"use "$.s" (BTC-USDT)"#),
    Mistake(
      testDescription: "the path of the rows", old: #""rows": "$[*]""#, new: #""rows": "$""#,
      problem: #"rows: $ is one array of 6; write "$[*]""#, help: "", silent: "help: "),
    Mistake(
      testDescription: "the payment currencies", old: #""split": "-""#, new: #""split": "payment""#,
      answer: answer(separator: "", payments: ["USDT", "USDT", "USDC"]),
      more: #""paymentCurrencies": {"fiat": ["EUR"]}, "#, problem: "problem: 6 symbols are not split",
      help: #"write "split": "payment" in "symbol", with USDT and USDC in "paymentCurrencies""#),
  ]

  @Test(arguments: mistakes) func theRemedyIsNamed(_ mistake: Mistake) throws {
    let folder = try TrialFolder()
    try folder.writeConfig(more: mistake.more)
    try folder.record("01-spot-tickers", "https://alpha.example/all", mistake.answer)
    try folder.replaceInConfig(mistake.old, with: mistake.new)
    let run = try folder.run()
    #expect(run.code == 1)
    #expect(run.output.contains(mistake.problem), "\(run.output)")
    if !mistake.help.isEmpty { #expect(run.output.contains("help: \(mistake.help)\n"), "\(run.output)") }
    #expect(!run.output.contains(mistake.silent), "\(run.output)")
  }
}
