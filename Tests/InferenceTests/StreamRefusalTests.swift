import Config
import Testing

@testable import Inference

/// What messages of trades and books are refused for, and what suffices for a book.
@Suite struct StreamRefusalTests {
  /// The reason is that of the rows that come closest, and says what is missing.
  @Test func reasonsAreTrue() {
    let letters = WorthProofTests.Names(price: "r", size: "a", worth: "v")
    #expect(
      throws: SampleProblem.noBlock(
        .trades,
        "nothing proves which is the price: $.r: varies as little as a price in 30 rows; its name does not say so, and "
          + "no column is it times another one")
    ) {
      try WorthProofTests.proposal(WorthProofTests.trades(letters, hasWorth: false), .trades)
    }
    #expect(throws: SampleProblem.noBlock(.trades, "no column of the messages is a time in order")) {
      try WorthProofTests.proposal(WorthProofTests.trades(letters, hasTime: false), .trades)
    }
  }

  /// Whole books with as many levels each time, whatever form the levels have.
  @Test(arguments: [nil] + WorthProofTests.names) func booksOfMessagesAreWhole(_ names: WorthProofTests.Names?) throws {
    func messages(_ count: Int) -> [[UInt8]] {
      (0..<count).map { index in
        Array(
          #"{"type":"orders","book":"btc_mxn","payload":\#(WorthProofTests.book(names, index)),"seq":\#(index)}"#.utf8)
      }
    }
    let proposal = try WorthProofTests.proposal(messages(12), .orderbook)
    #expect(proposal.frame.rows == "$.payload")
    #expect(proposal["size"]?.path == names.map { "$.\($0.size)" } ?? "$[1]")
    let reason = "nothing shows whether a message is a whole book or changes the last one"
    #expect(throws: SampleProblem.noBlock(.orderbook, reason)) { try WorthProofTests.proposal(messages(3), .orderbook) }
  }

  /// The first changes of a book may be on one side only, which is no sign of another price.
  @Test func changesOfOneSideAreNearThePrice() {
    func levels(_ sign: Int, _ index: Int) -> String {
      let levels = (0..<5).map { level in
        #"["\#(1_692_500 + sign * (level * 10 + 5))","0.\#((index + level * 3) % 7 + 1)"]"#
      }
      return levels.joined(separator: ",")
    }
    let messages = (0..<12).map { index in
      let bids = index % 2 == 0 ? "" : levels(-1, index)
      return Array(
        #"{"type":"depth","book":"btc_mxn","payload":{"bids":[\#(bids)],"asks":[\#(levels(1, index))]}}"#.utf8)
    }
    let reason = "the messages change a book, but nothing identifies the whole book that they begin with"
    #expect(throws: SampleProblem.noBlock(.orderbook, reason)) { try WorthProofTests.proposal(messages, .orderbook) }
  }

  /// A trade may be a list of its time, price, size and side.
  @Test(arguments: [false, true]) func shortListsMayBeTrades(_ isNested: Bool) throws {
    let messages = (0..<30).map { index in
      let (price, size) = (1_692_500 + index * 37 % 100, "0.\(index * 29 % 50 + 1)")
      let trade = #"[\#(1_795_793_881_966 + index * 500),"\#(price)","\#(size)","\#(index % 3 == 0 ? "buy" : "sell")"]"#
      return Array(#"{"type":"trades","book":"btc_mxn","payload":\#(isNested ? "[\(trade)]" : trade)}"#.utf8)
    }
    let proposal = try WorthProofTests.proposal(messages, .trades)
    #expect(proposal.frame.rows == (isNested ? "$.payload[*]" : "$.payload"))
    #expect(proposal["price"]?.path == "$[1]" && proposal["time"]?.path == "$[0]")
  }

  /// `bm` is "buyer is maker", and `seqnum` the id where there is no other.
  @Test(arguments: [false, true]) func shortNamesMayBeSideAndID(_ hasID: Bool) throws {
    let messages = (0..<12).map { index in
      let isSale = index % 3 == 0
      let (price, time) = (1_692_500 + (isSale ? 0 : 10) + index % 2, 1_796_010_188_066 + index * 500)
      let id = hasID ? #""id":\#(70 + index),"# : ""
      let trade =
        #"{\#(id)"seqnum":\#(180_143_985_289_903_540 + index),"p":"\#(price)","q":"0.\#(index * 29 % 50 + 1)","ts":\#(time),"bm":\#(isSale)}"#
      return Array(#"{"m":"trades","symbol":"btc_mxn","data":[\#(trade)]}"#.utf8)
    }
    let proposal = try WorthProofTests.proposal(messages, .trades)
    #expect(proposal.frame.rows == "$.data[*]")
    #expect(proposal["id"]?.path == (hasID ? "$.id" : "$.seqnum"))
    let side = proposal.block[["fields", "side"]]?.text()
    #expect(side == #"{ "path": "$.bm", "buy": false, "sell": true }"#)
  }
}
