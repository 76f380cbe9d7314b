import Inference
import Quotes
import Testing

@testable import Config

/// Samples that are not a table of tickers, and the message that says so.
@Suite struct SampleProblemTests {
  struct Refusal: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let sample: String
    let sentence: String
  }

  private static let remedy = "give the answer that lists all pairs with their last prices"
  private static let ticker = #"{"symbol":"BTC_KRW","last":"100","high":"110","low":"90","bid":"99","ask":"101"}"#

  private static func problem(_ sample: String, _ pair: Pair? = nil) -> SampleProblem? {
    do {
      _ = try ExchangeInference(Array(sample.utf8), SampleHints(pair: pair)).proposal()
      return nil
    } catch { return error }
  }

  // MARK: One row

  /// A single row is refused however it is wrapped, and accepted if the user names its pair.
  @Test(arguments: [
    (ticker, "$"), ("[\(ticker)]", "$[*]"), (#"{"data":[\#(ticker)]}"#, "$.data[*]"),
    (#"{"data":\#(ticker)}"#, "$.data"), (#"{"BTC_KRW":\#(ticker)}"#, "$.*"),
    (#"{"code":0,"result":{"BTC_KRW":\#(ticker)}}"#, "$.result.*"),
    (#"{"code":0,"result":{"list":[\#(ticker)]}}"#, "$.result.list[*]"),
    (#"{"data":{"time":1700000000,"ticker":\#(ticker)}}"#, "$.data.ticker"),
  ])
  func singleRowIsRefusedInEveryShape(_ sample: String, _ path: String) throws {
    #expect(Self.problem(sample) == .oneRow(path: path))
    let pair = Pair(asset: "BTC", payment: "KRW")
    let proposal = try ExchangeInference(Array(sample.utf8), SampleHints(pair: pair)).proposal()
    #expect(proposal[.price]?.isSure == true && proposal.symbol?.isSure == true)
    #expect(proposal.rowCount == 1 && proposal.symbol?.pairs == [pair])
  }

  @Test func singleRowOfAnotherPairIsUnsure() throws {
    let pair = Pair(asset: "ETH", payment: "USDT")
    let proposal = try ExchangeInference(Array(Self.ticker.utf8), SampleHints(pair: pair)).proposal()
    #expect(proposal.symbol?.isSure == false)
  }

  /// The payment currency of the pair in a member of its own is no symbol; another one contradicts the pair.
  @Test(arguments: [("EUR", true), ("eur", true), ("USD", false)])
  func aRowMayNameItsPaymentCurrency(_ currency: String, _ isSure: Bool) throws {
    let pair = Pair(asset: "BTC", payment: "EUR")
    let sample = #"{"price":"90000.5","high":"91000","low":"89000","currency":"\#(currency)"}"#
    let proposal = try ExchangeInference(Array(sample.utf8), SampleHints(pair: pair)).proposal()
    #expect(proposal.symbol?.isSure == isSure)
    if isSure { #expect(proposal.symbol?.source == .request) }
  }

  @Test func unnamedRowCountsAsSingleRow() {
    #expect(Self.problem(#"["BTCUSD",100,3,101,7,1.5,0.015,100,9000,110,90]"#) == .oneRow(path: "$"))
  }

  // MARK: Other kinds

  @Test(arguments: [
    Refusal(
      testDescription: "mark prices with the open interest",
      sample:
        #"[{"symbol":"BTC","mark":"90000.5","open_interest":"18.5"},{"symbol":"ETH","mark":"3000.5","open_interest":"70.5"}]"#,
      sentence:
        "the sample looks like mark or index prices rather than traded prices, not tickers: 'mark'; \(remedy)"),
    Refusal(
      testDescription: "open interest",
      sample: #"[{"symbol":"BTC","open_interest":"18.5"},{"symbol":"ETH","open_interest":"70.5"}]"#,
      sentence: "the sample looks like open interest, not tickers: 'openinterest'; \(remedy)"),
    Refusal(
      testDescription: "an HTML page", sample: "\n<!DOCTYPE html>",
      sentence: "the sample is an HTML page, not an answer of an API; \(remedy)"),
    Refusal(testDescription: "an empty sample", sample: "\u{FEFF} \n", sentence: "the sample is empty; \(remedy)"),
    Refusal(
      testDescription: "WebSocket messages", sample: "{\"a\":1}\n{\"a\":2}\n",
      sentence: "the sample is several JSON values, one after another; give one whole answer"),
    Refusal(
      testDescription: "an error", sample: #"{"success":false,"error":{"code":7,"message":"no such market"}}"#,
      sentence: "the sample is an error answer: no such market"),
    Refusal(
      testDescription: "nested in objects",
      sample: String(repeating: #"{"a":"#, count: 40) + "1"
        + String(repeating: "}", count: 40),
      sentence: "the sample is nested too deeply to be a table of tickers"),
    Refusal(
      testDescription: "two candles without member names",
      sample: "[[1700000000000,10,12,9,11,500],[1700000060000,11,13,10,12,70]]",
      sentence:
        "the sample looks like candles, not tickers: a time and 4 prices near each other, but no pair in each row; "
        + remedy),
    Refusal(
      testDescription: "a candle with its interval",
      sample:
        #"{"data":{"symbol":"BTCUSDT","interval":"1m","open":"1","high":"2","low":"1","close":"2","volume":"5"}}"#,
      sentence: "the sample looks like candles, not tickers: 'interval' says so; \(remedy)"),
    Refusal(
      testDescription: "two trades",
      sample: #"[{"id":1,"price":"10","qty":"2","side":"BUY","time":1700000000},"#
        + #"{"id":2,"price":"11","qty":"1","side":"SELL","time":1700000001}]"#,
      sentence:
        "the sample looks like trades, not tickers: '$.side' is the side of a trade or an order; \(remedy)"),
    Refusal(
      testDescription: "trades of two pairs",
      sample: #"[{"symbol":"BTC-USDT","tradeId":1,"price":"10","size":"2"},"#
        + #"{"symbol":"ETH-USDT","tradeId":2,"price":"11","size":"1"}]"#,
      sentence: "the sample looks like trades, not tickers: '$.tradeId' is the number of a trade; \(remedy)"),
    Refusal(
      testDescription: "an order book",
      sample: #"{"time":1700000000,"bids":[["10","1"],["9","2"]],"asks":[["11","1"]]}"#,
      sentence: "the sample looks like an order book, not tickers: it has lists of bids and asks; \(remedy)"),
    Refusal(
      testDescription: "orders by price", sample: #"{"asks":[{"price":"11","size":"1"},{"price":"12","size":"2"}]}"#,
      sentence: "the sample looks like an order book, not tickers: its rows are in 'asks'; \(remedy)"),
    Refusal(
      testDescription: "pairs",
      sample: #"{"symbols":[{"symbol":"BTCUSDT","baseAsset":"BTC","quoteAsset":"USDT","tickSize":"0.01","minQty":"1"},"#
        + #"{"symbol":"ETHUSDT","baseAsset":"ETH","quoteAsset":"USDT","tickSize":"0.01","minQty":"1"}]}"#,
      sentence:
        "the sample looks like a list of pairs without prices, not tickers: it has trading rules such as "
        + "'baseasset'; \(remedy)"),
    Refusal(
      testDescription: "currencies",
      sample: #"[{"coin":"BTC","withdrawFee":"0.1"},{"coin":"ETH","withdrawFee":"0.2"}]"#,
      sentence: "the sample looks like a list of currencies, not tickers: 'withdrawfee'; \(remedy)"),
    Refusal(
      testDescription: "funding", sample: #"[{"symbol":"BTCUSDT","fundingRate":"0.0001","fundingTime":1700000000000}]"#,
      sentence: "the sample looks like funding rates, not tickers: 'fundingrate'; \(remedy)"),
    Refusal(
      testDescription: "balances", sample: #"{"balances":[{"asset":"BTC","free":"1","locked":"0"}]}"#,
      sentence:
        "the sample looks like the balances of an account, not tickers: 'balances', 'free', 'locked'; \(remedy)"),
    Refusal(
      testDescription: "server time", sample: #"{"serverTime":1700000000000}"#,
      sentence: "the sample looks like the time of the server, not tickers: a time and nothing else; \(remedy)"),
    Refusal(
      testDescription: "announcements",
      sample: #"{"articles":[{"title":"BTC is listed","url":"https://a.example/1"},{"title":"x","url":"y"}]}"#,
      sentence:
        "the sample looks like announcements, not tickers: 'articles', 'title', 'url'; \(remedy)"),
    Refusal(
      testDescription: "best bids and asks",
      sample: #"[{"symbol":"BTCUSDT","bidPrice":"10","bidQty":"1","askPrice":"11"}]"#,
      sentence:
        "the sample looks like best offers without a last price, not tickers: bid and ask, but no traded price; "
        + "\(remedy)"),
    Refusal(
      testDescription: "a last price under another name",
      sample: #"[{"pair":"BTC-INR","buy":"101","sell":"100","market":"100.5","dayHigh":"110","dayLow":"90"},"#
        + #"{"pair":"ETH-INR","buy":"11","sell":"10","market":"10.5","dayHigh":"12","dayLow":"9"}]"#,
      sentence: "no field of $[*] is known to be the last price, beside bid and ask; give its path with --price PATH"),
  ])
  func refusalSaysWhatSampleLooksLike(_ refusal: Refusal) {
    #expect(Self.problem(refusal.sample).map { "\($0)" } == refusal.sentence)
  }

  /// What to give instead depends on what is wanted.
  @Test(arguments: [
    (BlockKind.candles, "<html>", "an HTML page, not an answer of an API; give the answer with the candles of a pair"),
    (.trades, " ", "empty; give the answer with the trades of a pair"),
    (.orderbook, "<html>", "an HTML page, not an answer of an API; give the answer with the order book of a pair"),
  ])
  func blocksHaveTheirOwnRemedy(_ kind: BlockKind, _ sample: String, _ sentence: String) {
    #expect {
      try BlockInference(kind, Array(sample.utf8)).proposal()
    } throws: {
      "\($0)" == "the sample is \(sentence)"
    }
  }

  @Test(
    arguments: [
      ([0x1F, 0x8B, 8, 0, 0, 0], "compressed by gzip; unpack it first"),
      ([0xFF, 0xFE, 0x5B, 0], "UTF-16; give it as UTF-8"),
      ([0x5B, 0, 0x5D, 0], "UTF-16; give it as UTF-8"),
    ] as [([UInt8], String)])
  func encodedBytesAreRefused(_ bytes: [UInt8], _ what: String) {
    #expect(throws: SampleProblem.encoded(what)) { try BlockInference(.trades, bytes).proposal() }
  }

  /// Computed prices are never last prices, whatever is beside them.
  @Test(arguments: [
    "mPx", "markPrice", "indexPrice", "oracle_px", "midPrice", "avgPrice", "fairPrice", "estPrice", "theoPx",
  ])
  func computedPriceIsNeverSure(_ name: String) throws {
    func rows(_ more: String) -> [UInt8] {
      let rows = ["BTC", "ETH", "XRP"].enumerated().map { index, asset in
        let price = 100 * (index + 1)
        return #"{"s":"\#(asset)_USDT","\#(name)":\#(price),"high":\#(price + 9),"low":\#(price - 9)\#(more)}"#
          .replacing("LAST", with: "\(price + 1)")
      }
      return Array("[\(rows.joined(separator: ","))]".utf8)
    }
    #expect((try? ExchangeInference(rows("")).proposal())?[.price]?.isSure != true)
    let both = try ExchangeInference(rows(#","last":LAST"#)).proposal()
    #expect(both[.price]?.path == "$.last" && both[.price]?.isSure == true)
  }

  // MARK: Documentation

  struct Invented: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let sample: String
    let sentences: [String]
  }

  private static func table(_ rows: [String]) -> String { "[\(rows.joined(separator: ","))]" }

  @Test(arguments: [
    Invented(
      testDescription: "a low above the high",
      sample: table([
        #"{"symbol":"BTC_USDT","last":"100","high":"90","low":"120"}"#,
        #"{"symbol":"ETH_USDT","last":"10","high":"9","low":"12"}"#,
      ]),
      sentences: [
        "low 120 is above high 90 (in 2 of 2 rows)", "low 120 is above price 100 (in 2 of 2 rows)",
        "price 100 is above high 90 (in 2 of 2 rows)",
      ]),
    Invented(
      testDescription: "a bid above the ask",
      sample: table([
        #"{"symbol":"BTC_USDT","last":"100","bid":"120","ask":"90"}"#,
        #"{"symbol":"ETH_USDT","last":"10","bid":"12","ask":"9"}"#,
      ]), sentences: ["bid 120 is above ask 90 (in 2 of 2 rows)"]),
    Invented(
      testDescription: "a turnover from another market",
      sample: table([
        #"{"symbol":"BTC_USDT","last":"100","high":"110","low":"90","baseVolume":"5","quoteVolume":"123456"}"#,
        #"{"symbol":"ETH_USDT","last":"10","high":"11","low":"9","baseVolume":"7","quoteVolume":"123456"}"#,
      ]),
      sentences: ["turnover 123456 / volume 5 is not a price of the day, unless it counts contracts (in 2 of 2 rows)"]),
    Invented(
      testDescription: "a change from another day",
      sample: table([
        #"{"symbol":"BTC_USDT","last":"100","open":"50","priceChangePercent":"15"}"#,
        #"{"symbol":"ETH_USDT","last":"10","open":"20","priceChangePercent":"25"}"#,
      ]),
      sentences: ["change 15 is not the change from open 50 to price 100 (in 2 of 2 rows)"]),
    Invented(
      testDescription: "the same numbers for every pair",
      sample: table([
        #"{"symbol":"BTC_USDT","last":"1234.5","high":"1300","low":"1200","bid":"1234","ask":"1235"}"#,
        #"{"symbol":"ETH_USDT","last":"1234.5","high":"1300","low":"1200","bid":"1234","ask":"1235"}"#,
      ]), sentences: ["all 2 rows have the same price 1234.5"]),
    Invented(
      testDescription: "numbers from a real market",
      sample: table([
        #"{"symbol":"BTC_USDT","last":"100","open":"98.5","high":"110","low":"90","priceChangePercent":"1.52"}"#,
        #"{"symbol":"ETH_USDT","last":"10","open":"10.5","high":"11","low":"9","priceChangePercent":"-4.76"}"#,
      ]), sentences: []),
  ])
  func inventedNumbersAreReported(_ example: Invented) throws {
    let proposal = try ExchangeInference(Array(example.sample.utf8)).proposal()
    #expect(proposal.contradictions == example.sentences)
    #expect(proposal.looksInvented == !example.sentences.isEmpty)
  }
}
