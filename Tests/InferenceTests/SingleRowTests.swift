import Quotes
import Testing

@testable import Config
@testable import Inference

/// Answers about one pair: what confirms a lone price, and what says that it is none of a market.
@Suite struct SingleRowTests {
  /// What an answer about BTC/USD is read as: a price, which may be unsure (`?`), or why it is refused.
  private static func reading(_ sample: String) -> String {
    let hints = SampleHints(pair: Pair(asset: "BTC", payment: "USD"))
    do throws(SampleProblem) {
      let proposal = try ExchangeInference(Array(sample.utf8), hints).proposal()
      return proposal[.price].map { $0.path + ($0.isSure ? "" : "?") } ?? "no price"
    } catch {
      switch error {
      case .otherKind(let kind, let reason): return "\(kind.rawValue): \(reason)"
      case .noTicker(let reason): return reason
      default: return error.description
      }
    }
  }

  /// A cursor named `last`, or anything else than a price, is none.
  @Test(arguments: [
    (
      #"{"error":[],"result":{"XXBTZUSD":[[1502402520,"3449.9","3450.1"],[1502402580,"3450.1","3450.0"]],"last":1502402580}}"#,
      "$.last may be a time, 1502402580, and nothing beside it shows that it is a price"
    ),
    (#"{"result":{"id":1},"allowance":{"cost":794213,"left":39993342}}"#, "no field of $ looks like a price"),
    (#"{"closeTotalPos":"0.1","openMaxPos":"0.1"}"#, "no field of $ looks like a price"),
    (#"{"current_page":"12.5","last_block":"88123.5"}"#, "no field of $ looks like a price"),
    // In a currency whose bitcoin costs as much as a time.
    (#"{"last":1650000000,"high":1660000000,"low":1640000000}"#, "$.last"),
    (#"{"last":1650000000,"volume":"12.5","turnover":"20500000000"}"#, "$.last"),
    (#"{"last":1050000000,"at":1795420000}"#, "$.last"),
    (
      #"{"last":1650000000,"volume":"12.5","turnover":"900"}"#,
      "$.last may be a time, 1650000000, and nothing beside it shows that it is a price"
    ),
    (#"{"last":1650000000}"#, "$.last may be a time, 1650000000, and nothing beside it shows that it is a price"),
    (#"{"last":"64000.5"}"#, "$.last"), (#"{"lastPr":"64000.5"}"#, "$.lastPr"),
  ])
  func namesThatAreNoPrices(_ sample: String, _ reading: String) {
    #expect(Self.reading(sample) == reading)
  }

  /// Each name on a path counts: what the last is of, a letter of the last trade, an amount of money.
  @Test(arguments: [
    (#"{"last_block":{"value":"88123.5"},"price":{"value":"64000.5"}}"#, "$.price.value"),
    (#"{"last_block":{"value":"88123.5"}}"#, "$.value?"), (#"{"last":{"value":"64000.5"}}"#, "$.last.value"),
    (#"{"last_trade":{"p":"64000.5","s":"0.01"}}"#, "$.last_trade.p"),
    (#"{"last":{"amount":"64000.5","currency":"USD"},"high":{"amount":"65000","currency":"USD"}}"#, "$.last.amount"),
    (#"{"last":{"amount":"64000.5","unit":"block"}}"#, "no field of $.last looks like a price"),
  ])
  func namesOnThePath(_ sample: String, _ reading: String) {
    #expect(Self.reading(sample) == reading)
  }

  /// An amount that is named after the currency of the pair is of money: with a volume beside it nothing is left open.
  @Test(arguments: [("volumeUsd", true), ("usd_amount", true), ("volumeEur", false)])
  func amountNamedAfterTheCurrency(_ name: String, _ isSure: Bool) throws {
    let sample = #"{"last":"64000.5","high":"65000","low":"63000","volume":"1234.5","\#(name)":"79008000.25"}"#
    let hints = SampleHints(pair: Pair(asset: "BTC", payment: "USD"))
    let proposal = try ExchangeInference(Array(sample.utf8), hints).proposal()
    let (volume, turnover) = (proposal[.volume], proposal[.turnover])
    #expect(volume?.path == "$.volume" && turnover?.path == "$.\(name)")
    #expect(volume?.isSure == isSure && turnover?.isSure == isSure, "\(turnover?.evidence ?? [])")
  }

  private static let lists =
    #""a":["52609.6","1","1.0"],"b":["52609.5","1","1.0"],"c":["52609.6","0.0008"],"v":["1920.8","7954.1"],"#
    + #""p":["52389.9","54022.9"],"t":[23329,80463],"l":["51513.9","51500.9"],"h":["53219.9","57200.0"],"o":"52280.4""#

  /// Letters have the usual meaning if a range shows it: that of the same element where they are lists.
  @Test(arguments: [
    ("{\(lists)}", "$.c[0]?"), (#"{"error":[],"result":{"XXBTZUSD":{\#(lists)}}}"#, "$.c[0]?"),
    // Yesterday's close may be outside.
    (#"{"x":"0.9","c":"2.4","b":"2.3","a":"2.4","o":"1.1","h":"2.5","l":"1.0"}"#, "$.c?"),
    (
      #"{"a":["52609.6","1"],"b":["52609.5","1"],"c":["52609.6","0.0008"]}"#,
      "the names in $ are single letters, and the numbers do not show what they mean"
    ),
    (
      #"{"data":{"c":"52609.6","h":"9","l":"8"}}"#,
      "the names in $.data are single letters, and the numbers do not show what they mean"
    ),
  ])
  func letters(_ sample: String, _ reading: String) {
    #expect(Self.reading(sample) == reading)
  }

  /// A number and a size, the state or the filled part of an order, a span, or a list beside the row.
  @Test(arguments: [
    (#"{"id":1273070,"datetime":"2013-01-07 08:44:04","type":0,"price":"1.25","amount":"1"}"#, "$.price?"),
    (#"{"id":338428,"price":"380505.0","volume":"0.035","funds":"13317.675","side":null}"#, "$.price?"),
    (#"{"price":"380505.0","size":"0.035","status":"filled"}"#, "$.price?"),
    (#"{"price":"380505.0","filled_qty":"0.035"}"#, "$.price?"),
    (#"{"mins":5,"price":"9.35751834"}"#, "$.price?"),
    (#"{"price":"9.35751834","rows":[{"p":1},{"p":2}]}"#, "$.price?"),
    // Another price confirms it.
    (#"{"id":1273070,"price":"1.25","amount":"1","bid":"1.24","ask":"1.26"}"#, "$.price"),
    (#"{"id":1273070,"price":"1.25","volume":"1000","low":"1.20","high":"1.30"}"#, "$.price"),
    (#"{"price":"1.25","open":"1.22","trades":[{"p":1},{"p":2}]}"#, "$.price"),
    // Nothing says that it is of something else.
    (#"{"id":"BTC-USD","price":"1.25","volume":"1000"}"#, "$.price"), (#"{"price":"1.25"}"#, "$.price"),
  ])
  func aLonePrice(_ sample: String, _ reading: String) {
    #expect(Self.reading(sample) == reading)
  }

  /// The rules of a market beside its figures make no list of pairs, and a price between offers is worth a question.
  @Test func rulesBesideOffers() {
    let market = #""market":{"code":"BTC-USD","first":{"minOffer":"0.0000015"},"amountPrecision":8,"pricePrecision":6}"#
    #expect(
      Self.reading("{\(market),\"highestBid\":\"63500.5\",\"lowestAsk\":\"63501.5\",\"rate\":\"63501.0\"}")
        == "$.rate?")
    #expect(
      Self.reading("{\(market),\"symbol\":\"BTC-USD\"}")
        == "a list of pairs without prices: it has trading rules such as 'amountprecision'")
  }

  /// Two members of orders or positions are enough; one may be in any answer.
  @Test(arguments: [
    (
      #"[{"orderId":"o1","status":"New","price":"3930.4","qty":"0.01"},{"orderId":"o2","status":"Filled","price":"3990.0","qty":"0.02"}]"#,
      "'$.orderId', '$.status'"
    ),
    (#"{"order":{"ordId":"7","px":"3930.4","sz":"0.01","accFillSz":"0"}}"#, "'$.ordId', '$.accFillSz'"),
    (#"{"fills":[{"px":"66653.0","sz":"0.001","oid":55030848197,"fee":"0.009"}]}"#, "'$.oid', '$.fee'"),
    (
      #"[{"symbol":"BTCUSD","lastPrice":"50000","avgEntryPrice":"51000","unrealisedPnl":"30"}]"#,
      "'$.avgEntryPrice', '$.unrealisedPnl'"
    ),
    (
      #"[{"id":"BIP-CDE","price":{"value":"50000"},"entry_price":{"value":"51000"},"unrealized_pnl":{"value":"3"}}]"#,
      "'$.entry_price.value', '$.unrealized_pnl.value'"
    ),
  ])
  func rowsOfAnAccount(_ sample: String, _ names: String) {
    #expect(Self.reading(sample) == "orders, fills or positions of an account: \(names)")
  }

  /// The levels of a book have prices, but none is the last.
  @Test(arguments: [
    #"{"bids":[{"price":"2000.00","size":"0.02"}],"asks":[{"price":"2325.00","size":"99"},{"price":"2341.25","size":"340"}]}"#,
    #"{"book":{"bids":[{"price":"2000.00"}],"asks":[{"price":"2325.00"},{"price":"2341.25"}],"depth":3}}"#,
  ])
  func aShortBook(_ sample: String) {
    #expect(Self.reading(sample).hasPrefix("an order book: "))
  }

  /// Candles whose columns are lists have the same names as a ticker.
  @Test func candlesInLists() {
    let sample =
      #"{"ticks":[1573645080000,1573645140000],"open":[8791.5,8790.0],"high":[8792,8791],"low":[8785,8789],"close":[8789.5,8790.5]}"#
    #expect(Self.reading(sample) == "candles: '$.ticks' is a list of times")
  }

  /// The chart beside a last price makes a ticker no candles.
  @Test func aTickerWithAChart() {
    let sample =
      #"{"last":8790.5,"high":8801,"low":8650.5,"chart":{"t":[1573645080000,1573645140000],"p":[8791.5,8790.5]}}"#
    #expect(Self.reading(sample) == "$.last")
  }

  /// The last order that was traded has the last price if others confirm it; alone it may be a number of orders.
  @Test(arguments: [
    (#"{"bid":63500.0,"ask":63500.2,"high":64980,"low":50000,"last_order":63500.2}"#, "$.last_order"),
    (#"{"last_order":63500.2}"#, "$.last_order?"),
  ])
  func aLastOrder(_ sample: String, _ reading: String) {
    #expect(Self.reading(sample) == reading)
  }

  /// A fall without its sign is nearly the rise back to the open, which does not make the open the price.
  @Test(arguments: [
    (7_050_000, "0.0082993389", "$.trade_price"), (6_050_000, "0.1489661", "$.trade_price"),
    // Price and open are swapped: it is the exact change from the one to the other.
    (7_050_000, "0.0083687943", "$.trade_price?"),
    // A sign says which of them it is measured from.
    (7_126_772, "-0.0025", "$.trade_price?"),
  ])
  func anUnsignedChange(_ price: Int, _ change: String, _ reading: String) {
    let sample = #"[{"opening_price":7109000,"trade_price":\#(price),"change_rate":\#(change)}]"#
    #expect(Self.reading(sample) == reading)
  }

  // MARK: Symbols

  /// The names of prices of one coin in many currencies are not those of coins.
  @Test(arguments: [
    (["AED", "EUR", "KRW", "BTC", "USD"], "526.5", nil), (["BTC", "ETH", "EUR", "GBP", "USD"], "1", "BTC/USD"),
    (["BTC", "ETH", "EUR", "KRW", "JPY", "SOL", "XRP", "USD"], "526.5", nil),
    (["BTC", "ETH", "SOL", "XRP", "EUR"], "1.1", "BTC/USD"),
    (["BTC", "ETH", "EUR", "GBP", "USD"], "0.9998", "BTC/USD"),
  ])
  func namesOfMoney(_ names: [String], _ last: String, _ first: String?) throws {
    let rows = names.enumerated().map { index, name in
      let price = index == names.count - 1 ? last : "\(index * 731 + 900).5"
      return #""\#(name)":{"last":\#(price),"bid":\#(price),"ask":\#(price)}"#
    }
    let sample = "{\(rows.joined(separator: ","))}"
    let hints = SampleHints(pair: Pair(asset: "BTC", payment: "USD"))
    let symbol = try ExchangeInference(Array(sample.utf8), hints).proposal().symbol
    let pair = symbol?.pairs.first { $0?.asset == "BTC" } ?? nil
    #expect((symbol?.isSure == true ? pair?.description : nil) == first)
  }

  /// A flag is no code, whatever its text.
  @Test func flagsAreNoAssets() throws {
    let rows = [("BIP-CDE", "68930"), ("ETP-CDE", "2065")].map { id, price in
      #"{"id":"\#(id)","price":"\#(price)","quote_currency_id":"USD","non_crypto":false}"#
    }
    let proposal = try ExchangeInference(Array("[\(rows.joined(separator: ","))]".utf8)).proposal()
    #expect(proposal.symbol?.pairs.contains { $0?.asset == "FALSE" } != true)
  }

  // MARK: Empty lists

  /// An empty list of errors says that there are none; the one that should have rows is named.
  @Test(arguments: [
    (#"{"error":[],"result":{"foo":{"x":"1"}}}"#, "no field of $ looks like a price"),
    (#"{"data":[],"count":0}"#, "the sample has no rows: $.data is an empty list"),
  ])
  func emptyLists(_ sample: String, _ reading: String) {
    #expect(Self.reading(sample) == reading)
  }
}
