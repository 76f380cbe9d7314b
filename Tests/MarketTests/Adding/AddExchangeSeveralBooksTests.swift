import TestSupport
import Testing

@testable import Shell

/// Order books in an answer that has more than the pair's own.
@Suite struct AddExchangeSeveralBooksTests {
  private let adding: AddingWorld

  init() throws { adding = try AddingWorld() }

  private static func book(_ price: Int, _ members: String = "") -> String {
    func side(_ sign: Int) -> String {
      let levels = (1...4).map { #"{"price":"\#(price + sign * $0)","size":"0.\#($0 * 7 % 5 + 1)"}"# }
      return "[\(levels.joined(separator: ","))]"
    }
    return #"{"bids":\#(side(-1)),"asks":\#(side(1))\#(members)}"#
  }

  private func run(_ answer: String, _ words: [String] = []) async throws -> AddingWorld.Outcome {
    _ = try adding.save(AddingWorld.newex, as: "exchanges.json")
    let table = try adding.save(#"[{"s":"BTC-USDT","p":"100","v":"5000"}]"#, as: "tickers.json")
    return try await adding.addBlock(
      "orderbook", at: "book/BTC_USDT", answer, ["--from-sample", "tickers=\(table)"] + words)
  }

  /// A path with any name in it would add up the levels of all.
  @Test(arguments: [true, false]) func booksOfSeveralPairsAreNotAddedUp(_ hasOthers: Bool) async throws {
    let others = hasOthers ? #","ETH":\#(Self.book(98))"# : ""
    let outcome = try await run(#"{"time":"1547301204217","BTC":\#(Self.book(100))\#(others)}"#)
    #expect((outcome.code == .answer) == !hasOthers, "\(outcome.errorOutput)")
    #expect(
      outcome.errorOutput.contains(
        "error: the answer has the order book of several pairs, all of which $.*.bids[*] leads to; give the answer to a "
          + "request for one pair") == hasOthers)
  }

  /// The path of a time has the pair's own name.
  @Test func timeBesideTheBookIsNoOther() async throws {
    let time = #""timestamp":1547301204217"#
    let outcome = try await run(#"{"BTC_USDT":\#(Self.book(100, "," + time)),"info":{\#(time)}}"#)
    #expect(outcome.code == .answer, "\(outcome.errorOutput)")
  }

  /// Only who gives the paths of both sides says which levels are meant.
  @Test(arguments: [
    (["orderbook.size=$.size"], true), (["orderbook.bids=$.BTC.bids[*]"], true), (["orderbook.bids.size=$.size"], true),
    (["orderbook.bids=$.BTC.bids[*]", "orderbook.asks=$.BTC.asks[*]"], false),
  ])
  func givenSidesMayBeBesideOthers(_ keys: [String], _ isRefused: Bool) async throws {
    let outcome = try await run(
      #"{"BTC":\#(Self.book(100)),"ETH":\#(Self.book(98))}"#, keys.flatMap { ["--set", $0] })
    #expect(outcome.errorOutput.contains("of several pairs") == isRefused, "\(outcome.errorOutput)")
  }
}
