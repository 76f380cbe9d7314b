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
      (#","clientOrderId":"c1","status":"New""#, "'clientOrderId', 'status'"), (#","fee":"0.01""#, "'fee'"),
      (#","leavesQty":"0","cumExecQty":"1""#, "'leavesQty', 'cumExecQty'"), (#","tif":"GTC""#, "'tif'"),
      (#","original":1,"trailing":false,"hidden":false"#, "'original', 'trailing', 'hidden'"),
      (#","status":"settled""#, nil), (#","maker":{"fee":"0.01","status":"open"}"#, nil),
    ] as [(String, String?)])
  func tradesOfAnAccountAreNotPublic(_ members: String, _ names: String?) {
    #expect(
      Self.reason(.trades, Self.trades(members))
        == names.map { "the sample has no trades: in $[*] are an account's own orders or trades: \($0)" }
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
}
