import JSON
import Quotes
import Testing

@testable import Config
@testable import Inference

/// What is no public trade, no book of one pair, no candle, and what only looks unlike one.
@Suite struct BlockRefusalTests {
  private static func reason(_ kind: BlockKind, _ answer: String) -> String {
    do {
      let proposal = try BlockInference(kind, Array(answer.utf8)).proposal()
      return proposal.sure.map { "\($0.name) \($0.path)" }.joined(separator: ", ")
    } catch { return "\(error)" }
  }

  private static func rows(_ count: Int, _ row: (Int) -> String) -> String {
    "[" + (0..<count).map(row).joined(separator: ",") + "]"
  }

  // MARK: Trades

  private static func trades(_ members: String) -> String {
    rows(4) { index in
      let time = 1_761_355_905_606 + index * 1000
      return #"{"id":\#(900 + index),"side":"\#(index % 2 == 0 ? "buy" : "sell")","price":"39\#(30 + index % 3).41","#
        + #""qty":"0.\#(index + 11)","time":\#(time)\#(members)}"#
    }
  }

  /// Orders and trades of an account are like public trades but for what only an account has, or trades seldom.
  @Test(
    arguments: [
      (#","clientOrderId":"c1","status":"New""#, "'clientOrderId', 'status'"), (#","fee":"0.01""#, nil),
      (#","fee":"0.01","feeCurrency":"BTC""#, "'fee', 'feeCurrency'"), (#","commission":"0.01""#, nil),
      (#","leavesQty":"0","cumExecQty":"1""#, "'leavesQty', 'cumExecQty'"), (#","tif":"GTC""#, "'tif'"),
      (#","original":1,"trailing":false,"hidden":false"#, "'original', 'trailing', 'hidden'"),
      (#","status":"settled""#, nil), (#","maker":{"fee":"0.01","status":"open"}"#, nil),
    ] as [(String, String?)])
  func tradesOfAnAccountAreNotPublic(_ members: String, _ names: String?) {
    #expect(
      Self.reason(.trades, Self.trades(members))
        == names.map { "the sample has no trades: $[*] has an account's own orders or trades: \($0)" }
        ?? "price $.price, size $.qty, time $.time, id $.id, side $.side")
  }

  @Test func aRateBesideAPriceIsNoSize() {
    let rows = Self.rows(5) { index in
      #"{"rate":"0.00000\#(index + 2)","price":"\#(89_990 + index * 7).5","at":"2025-12-08T\#(11 + index):00:0\#(index).219Z"}"#
    }
    #expect(
      Self.reason(.trades, rows)
        == "the sample has no trades: no column of $[*] is the side of a trade or its id, and too little else is certain"
    )
  }

  /// Levels of a book may have times.
  @Test func aSideOfABookIsNoTrades() {
    func side(_ sign: Int) -> String {
      Self.rows(4) { #"["\#(530 + sign * ($0 + 1)).25","0.\#($0 * 7 % 5 + 1)",\#(1_391_825_343 - $0 * $0 * 5)]"# }
    }
    #expect(
      Self.reason(.trades, #"{"result":{"XXBTZEUR":{"asks":\#(side(1)),"bids":\#(side(-1))}}}"#)
        == "the sample has no trades: $.result.*.asks[*] is one side of an order book: $.result.XXBTZEUR.bids[*] and "
        + "$.result.XXBTZEUR.asks[*]")
  }

  /// Elements have no names: what rises by one is the id, unless it counts the rows.
  @Test(arguments: [(86_741_000, true), (1, false)])
  func numberedTradesHaveIDs(_ first: Int, _ isID: Bool) throws {
    let rows = Self.rows(6) { index in
      let side = index % 3 == 0 ? "b" : "s"
      return
        #"["5541.\#(index * 3 % 7)","0.\#(index + 11)",\#(1_534_614_057 + index * 2).32,"\#(side)",\#(first + index)]"#
    }
    #expect(Self.reason(.trades, rows).contains("id $[4]") == isID)
  }

  /// A time may rise by one from trade to trade, too.
  @Test func timesAreNoIDs() {
    let trades = [(100.5, 0.1), (100.6, 0.25), (100.4, 0.31)]
    let rows = Self.rows(3) { #"[\#(trades[$0].0),"\#(trades[$0].1)",\#(1_700_000_000 + $0)]"# }
    #expect(
      Self.reason(.trades, rows)
        == "the sample has no trades: the times at $[2] are evenly spaced, as of a chart; no trade has a side or an id")
  }

  // MARK: Order books

  @Test(arguments: [
    // Few trade this pair, but both sides are in order.
    (
      #"{"bids":[[92.1,4],[92,145],[91.4,57]],"asks":[[179.4,68],[179.3,5],[178.5,132]]}"#,
      "bids $.bids[*], asks $.asks[*], price $[0], size $[1]"
    ),
    (
      #"{"bids":[["92.1","4"],["92","145"]],"asks":[["179.4","68"]]}"#,
      "the sample has no order book: the best offers are far apart, 92.1 and 179.4, and too few levels in $.bids[*] and "
        + "$.asks[*] show that they are one book"
    ),
    // A side may be the only list of an object, and levels without a size are padding.
    (
      #"{"bid":{"start":"92.1","levels":[["92.1","4"],["92","145"],["91.4","57"]]},"#
        + #""ask":{"start":"93","levels":[["93","68"],["93.5","5"],["94","132"]]}}"#,
      "bids $.bid.levels[*], asks $.ask.levels[*], price $[0], size $[1]"
    ),
    (
      #"{"bids":[["92.1","4"],["92","145"],["91.4","57"],["99","0"]],"asks":[["93","68"],["93.5","5"],["94","2"],["1","0"]]}"#,
      "bids $.bids[*], asks $.asks[*], price $[0], size $[1]"
    ),
    // Sizes rise on both sides of a crossed book.
    (
      #"{"bids":[[101,1],[100,2],[99,3]],"asks":[[100.5,10],[101.5,20],[102.5,30]]}"#,
      "the sample has no order book: no column is below on one side and above on the other in $.bids[*] and $.asks[*]"
    ),
    (
      #"{"bids":[[1,101],[2,100],[3,99]],"asks":[[10,100.5],[20,101.5],[30,102.5]]}"#,
      "the sample has no order book: the best offers are far apart, 3.0 and 10.0, and too few levels in $.bids[*] and "
        + "$.asks[*] show that they are one book"
    ),
    (
      #"{"data":{"bids":[["92.1","4"],["92","145"]],"asks":[]}}"#,
      "the sample has no whole order book: $.data.asks is empty; give the answer of a pair with bids and asks"
    ),
    (
      #"{"bids":[{"rate":"5.1","amount":"250","period":30}],"asks":[{"rate":"5.4","amount":"100","period":30}]}"#,
      "the sample has no order book: $.bids[*] and $.asks[*] are offers of loans: 'period'"
    ),
  ])
  func booksHaveTrueReasons(_ answer: String, _ expected: String) {
    #expect(Self.reason(.orderbook, answer) == expected)
  }

  /// Offers on both sides of the table's price may be far apart, others are no offers.
  @Test(arguments: [
    (150.5, "$[0]"),
    (
      310.5,
      "the sample has no order book: the best offers are far apart, 92.1 and 179.4, and the price of the table, 310.5, "
        + "is not between them"
    ),
  ])
  func farOffersAreAroundTheKnownPrice(_ price: Double, _ expected: String) {
    let answer = #"{"bids":[[92.1,4],[92,145],[91.4,57]],"asks":[[179.4,68],[179.5,5],[180.5,132]]}"#
    let found: String
    do {
      let root = try JSONDocument(parsing: Array(answer.utf8)).root
      found = try BookInference(root, BlockFacts(), near: price).proposal()["price"]?.path ?? ""
    } catch { found = "\(error)" }
    #expect(found == expected)
  }

  /// The time beside the sides is the book's, those of levels are not; of two equally near, neither is sure.
  @Test(arguments: [
    (#""ts":1709891679500"#, #","time":1709891679777"#, "", "$.result.ts", true),
    (#""ts":1709891679500,"time":1709891679777"#, "", "", "$.result.ts", false),
    (#""symbol":"X""#, #","time":1709891679777"#, #","time":1709891670000"#, "$.time", true),
  ])
  func timeIsBesideTheSides(
    _ inside: String, _ outside: String, _ level: String, _ path: String, _ isSure: Bool
  ) throws {
    func side(_ sign: Int) -> String {
      Self.rows(4) { #"{"price":\#(500 + sign * ($0 + 1)),"size":"0.\#($0 + 1)"\#(level)}"# }
    }
    let answer = #"{"result":{"b":\#(side(-1)),"a":\#(side(1)),\#(inside)}\#(outside)}"#
    let time = try BlockInference(.orderbook, Array(answer.utf8)).proposal()["time"]
    #expect(time?.path == path && time?.isSure == isSure, "\(time?.evidence ?? [])")
  }

  /// A type or the number of an order is no guess for the size.
  @Test(
    arguments: [
      (#""type":1,"baseAmount":0.5,"counterAmount":2.5"#, "$.baseAmount"),
      (#""order_index":281476,"initial_amount":"0.5","remaining_amount":"0.4""#, nil),
    ] as [(String, String?)])
  func guessesAreAmounts(_ members: String, _ path: String?) throws {
    let answer = #"{"asks":[{"price":6847.1,\#(members)}],"bids":[{"price":6694.2,\#(members)}]}"#
    let size = try BlockInference(.orderbook, Array(answer.utf8)).proposal()["size"]
    #expect(size?.path == path && size?.isSure != true)
  }

  // MARK: Candles

  private static func candles(_ moments: [Int]) -> String {
    rows(moments.count) { index in
      let open = 1000 + index % 7
      return #"{"timestamp":\#(moments[index]),"open":\#(open),"close":\#(1000 + (index + 1) % 7),"max":\#(open + 9),"#
        + #""min":\#(open - 9),"volume":"2.5\#(index)"}"#
    }
  }

  /// A pair that is seldom traded lacks most candles, which many rows show to be on a grid.
  @Test(arguments: [24, 8]) func sparseCandlesAreOnAGrid(_ count: Int) {
    var moments = [1_699_999_200]
    for index in 1..<count { moments.append(moments[index - 1] + [5400, 1800, 3600][index % 3]) }
    let result = Self.reason(.candles, Self.candles(moments))
    #expect(
      result
        == (count == 24
          ? "time $.timestamp, open $.open, high $.max, low $.min, close $.close"
          : "the sample has no candles: the times at $.timestamp are 1800 s apart in only 3 of 7 steps, so that their "
            + "interval may be shorter; give more candles, or those of a pair that is traded more"))
  }

  @Test func candlesBeginAtMultiples() {
    #expect(
      Self.reason(.candles, Self.candles((0..<5).map { 1_700_000_007 + $0 * 900 }))
        == "the sample has no candles: the times at $.timestamp are 900 s apart, but begin at no multiple of that")
  }

  @Test func stepsBelowASecondAreSaid() {
    #expect(
      Self.reason(.candles, Self.candles((0..<5).map { 1_700_000_000_000 + $0 * 500 }))
        == "the sample has no candles: the times at $.timestamp are 0.5 s apart, which is not an interval of the config"
    )
  }

  /// Beside a count of trades, the ticker decides that the element with a fraction is the volume.
  @Test(arguments: [Decimal("1500"), nil] as [Decimal?]) func elementsOfCandlesMayBeTheVolume(_ day: Decimal?) throws {
    let rows = Self.rows(8) { index in
      let open = 1000 + index % 7
      let prices = "\(open),\(open + 9),\(open - 9),\(1000 + (index + 1) % 7)"
      return "[\(1_700_000_100 + index * 60),\(prices),\"1.0\(index + 1)\",\(index + 3)]"
    }
    let amounts = DayAmounts(price: Decimal("1003"), volume: day, turnover: nil)
    let volume = try BlockInference(.candles, Array(rows.utf8), day: amounts).proposal()["volume"]
    #expect(volume?.path == day.map { _ in "$[5]" } && volume?.isSure == day.map { _ in true })
  }
}
