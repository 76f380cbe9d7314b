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
}
