import Config
import Inference
import Quotes
import Testing

/// Rows that are members of members: `{"BTC": {"USD": {…}}}`.
@Suite struct NestedRowsTests {
  struct Sample: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let text: String
    let rows: String
    let symbol: String
    let pairs: [String]
    var pair: Pair?
  }

  private static func row(_ price: String) -> String {
    #"{"last":"\#(price)","high":"\#(price)9","low":"\#(price.dropLast())0","bid":"\#(price)","ask":"\#(price)"}"#
  }

  private static let (bitcoin, ether, won) = (row("65000.5"), row("3200.5"), row("95000000.5"))

  private static let samples = [
    Sample(
      testDescription: "the asset outside",
      text: #"{"RAW":{"BTC":{"USD":\#(bitcoin),"KRW":\#(won)},"ETH":{"USD":\#(ether)}}}"#, rows: "$.RAW.*.*",
      symbol: #"{ "asset": { "from": "key", "up": 1 }, "payment": { "from": "key" } }"#,
      pairs: ["BTC/USD", "BTC/KRW", "ETH/USD"]),
    Sample(
      testDescription: "the payment currency outside, in lower case",
      text: #"{"ok":true,"data":{"krw":{"btc":\#(won),"eth":\#(ether)},"usdt":{"btc":\#(bitcoin)}}}"#,
      rows: "$.data.*.*", symbol: #"{ "asset": { "from": "key" }, "payment": { "from": "key", "up": 1 } }"#,
      pairs: ["BTC/KRW", "ETH/KRW", "BTC/USDT"]),
    Sample(
      testDescription: "one row of a known pair", text: #"{"BTC":{"EUR":\#(bitcoin)}}"#, rows: "$.*.*",
      symbol: #"{ "asset": { "from": "key", "up": 1 }, "payment": { "from": "key" } }"#, pairs: ["BTC/EUR"],
      pair: Pair(asset: "BTC", payment: "EUR")),
    Sample(
      testDescription: "two payment currencies, whose order the known pair decides",
      text: #"{"USDT":{"USDC":\#(row("1.0001")),"DAI":\#(row("1.0002"))},"USD":{"USDC":\#(row("1.0003"))}}"#,
      rows: "$.*.*", symbol: #"{ "asset": { "from": "key" }, "payment": { "from": "key", "up": 1 } }"#,
      pairs: ["USDC/USDT", "DAI/USDT", "USDC/USD"], pair: Pair(asset: "USDC", payment: "USDT")),
    Sample(
      testDescription: "whole pairs in groups",
      text: #"{"USDT":{"BTC_USDT":\#(bitcoin),"ETH_USDT":\#(ether)},"KRW":{"BTC_KRW":\#(won)}}"#, rows: "$.*.*",
      symbol: #"{ "from": "key", "split": "_" }"#, pairs: ["BTC/USDT", "ETH/USDT", "BTC/KRW"]),
  ]

  @Test(arguments: samples) func names(of sample: Sample) throws {
    let proposal = try ExchangeInference(Array(sample.text.utf8), SampleHints(pair: sample.pair)).proposal()
    #expect(proposal.rows == sample.rows)
    let symbol = try #require(proposal.symbol)
    #expect(symbol.isSure)
    #expect(symbol.pairs.map { $0?.description ?? "-" } == sample.pairs)
    #expect(proposal.rowCount == sample.pairs.count)
    let request = ExchangeBlock.Request(baseURLs: ["https://api.example"], path: "/all")
    let block = ExchangeBlock(proposal, symbol: symbol, roles: [], market: .spot, request: request)
    #expect(block.value.text().contains(#""symbol": \#(sample.symbol)"#))
  }

  /// Rows that the user gives are named the same way.
  @Test func givenRows() throws {
    let sample = Self.samples[0]
    var hints = SampleHints()
    hints.rows = "$.RAW.*.*"
    let proposal = try ExchangeInference(Array(sample.text.utf8), hints).proposal()
    #expect(proposal.symbol?.pairs.map { $0?.description ?? "-" } == sample.pairs)
  }

  // MARK: Several lists

  private static func rows(_ symbols: String..., in member: String = "s") -> String {
    symbols.enumerated().map { number, symbol in
      let price = 100 + Double(number) * 10.5
      return #"{"\#(member)":"\#(symbol)","last":"\#(price)","high":"\#(price + 9)","low":"\#(price - 9)"}"#
    }.joined(separator: ",")
  }

  /// Lists of rows that name their pairs are read together. No place in a list is written into a path, as the next
  /// answer may have another order.
  @Test(arguments: [
    (#"{"d":{"USDT":[\#(rows("BTC-USDT", "ETH-USDT"))],"BTC":[\#(rows("ETH-BTC"))]}}"#, "$.d.*[*]"),
    (
      #"{"d":[{"q":"USDT","t":[\#(rows("BTC-USDT", "ETH-USDT"))]},{"q":"EUR","t":[\#(rows("BTC-EUR"))]}]}"#,
      "$.d[*].t[*]"
    ),
  ])
  func listsAreReadTogether(_ text: String, _ path: String) throws {
    let proposal = try ExchangeInference(Array(text.utf8)).proposal()
    #expect(proposal.rows == path)
    #expect(proposal.rowCount == 3 && proposal.symbol?.isSure == true && proposal.unread == nil)
  }

  /// Where the rows name the asset alone, a known pair does not tell the payment currency of other lists.
  @Test func assetsInSeveralListsNeedTheirOwnPaymentCurrency() throws {
    let (first, second) = (Self.rows("BTC", "ETH", "LTC", in: "coin"), Self.rows("XRP", "SOL", in: "coin"))
    let hints = SampleHints(pair: Pair(asset: "BTC", payment: "USDT"))
    let listed = #"[{"q":"USDT","t":[\#(first)]},{"q":"EUR","t":[\#(second)]}]"#
    #expect(try ExchangeInference(Array(listed.utf8), hints).proposal().symbol?.isSure != true)
    // The name of the list does tell it, and that of the other is another's.
    let named = try ExchangeInference(Array(#"{"USDT":[\#(first)],"EUR":[\#(second)]}"#.utf8), hints).proposal()
    #expect(named.rows == "$.USDT[*]" && named.symbol?.pairs.first??.description == "BTC/USDT")
    #expect(named.unread?.rows == "$.*[*]" && named.unread?.count == 2)
  }
}
