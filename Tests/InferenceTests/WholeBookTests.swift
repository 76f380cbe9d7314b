import Config
import Quotes
import Testing

@testable import Inference

/// How the messages with a whole book are told from those that change it, and how levels are read that are named after
/// a currency.
@Suite struct WholeBookTests {
  private static let table = [("BTC", 92_000.0), ("ETH", 3_000.0)].map { coin, price in
    StreamInference.KnownRow(
      symbol: "\(coin)AUD", asset: coin, payment: "AUD", pair: Pair(asset: coin, payment: "AUD"),
      numbers: [.price: price])
  }

  private static func proposal(_ messages: [String]) throws -> StreamBlockProposal {
    try StreamInference(messages.map { Array($0.utf8) }, beside: table, tablePaths: [:])
      .proposal(of: .orderbook, isFutures: false)
  }

  /// Returns the levels of a whole book, or of a change that removes the best bid and sets another one's size.
  ///
  /// - Parameter index: 0 for the whole book.
  private static func levels(_ index: Int, price: Int = 92_000) -> String {
    guard index > 0 else {
      func side(_ sign: Int) -> String {
        let levels = (1...4).map { place -> String in
          let (price, size) = (price + sign * place * 10, place * 3 % 5)
          return #"["\#(price)","\#(size)"]"#
        }
        return "[\(levels.joined(separator: ","))]"
      }
      return #""bids":\#(side(-1)),"asks":\#(side(1))"#
    }
    return #""bids":[["\#(price - index * 10)","0"],["\#(price - 50)","0.\#(index)"]],"asks":[]"#
  }

  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let messages: [String]
    /// The condition for whole books, and where the rows are; nil if there is no proposal.
    let whole: String?
    var rows = "$"
  }

  @Test(arguments: [
    Case(
      testDescription: "a member that changes lack, beside a time and a checksum",
      messages: (0...1).map { index in
        let own = index == 0 ? #""snapshot":true,"# : ""
        return
          #"{"market":"BTCAUD",\#(own)"timestamp":"2026-11-30T04:09:5\#(index).914257Z","checksum":"\#(index)77",\#(levels(index))}"#
      }, whole: #"{ "path": "$.snapshot", "is": "present" }"#),
    Case(
      testDescription: "the same in the messages of two pairs",
      messages: (0...4).flatMap { index in
        [("BTC", 92_000), ("ETH", 3_000)].map { coin, price in
          let own = index == 0 ? #""snapshot":true,"# : ""
          return #"{"market":"\#(coin)AUD",\#(own)"id":\#(1000 + index),\#(levels(index, price: price))}"#
        }
      }, whole: #"{ "path": "$.snapshot", "is": "present" }"#),
    Case(
      testDescription: "a time, a checksum and a text that one message has",
      messages: (0...1).map { index in
        #"{"market":"BTCAUD","timestamp":"2026-11-30T04:09:5\#(index).914257Z","checksum":"\#(index)77","q":"x\#(index)",\#(levels(index))}"#
      }, whole: nil),
    Case(
      testDescription: "a text that one message has, and all changes another one",
      messages: (0...3).map { index in
        #"{"market":"BTCAUD","n":"\#(index == 0 ? "Answer" : "Event")",\#(levels(index))}"#
      }, whole: #"{ "path": "$.n", "equals": "Answer" }"#),
    Case(
      testDescription: "a flag",
      messages: (0...1).map { index in
        #"{"market":"BTCAUD","is_full":\#(index == 0),\#(levels(index))}"#
      }, whole: #"{ "path": "$.is_full", "equals": true }"#),
    Case(
      testDescription: "members beside each other",
      messages: [#"{"result":{"ch":"book"},"id":1}"#]
        + (0...3).map { index in
          #"{"ch":"book","\#(index == 0 ? "snapshot" : "update")":{"BTCAUD":{"t":\#(1_796_011_789_906 + index),\#(levels(index))}}}"#
        }, whole: #"{ "path": "$.snapshot", "is": "present" }"#, rows: "$['snapshot','update'].*"),
  ])
  func wholeBooksAreToldFromChanges(_ example: Case) throws {
    guard let whole = example.whole else {
      #expect(throws: SampleProblem.self) { try Self.proposal(example.messages) }
      return
    }
    let proposal = try Self.proposal(example.messages)
    #expect(proposal.block["whole"]?.text() == "[\(whole)]")
    #expect(proposal.frame.rows == example.rows)
    #expect(proposal.block["size"]?.text() == #""$[1]""#)
  }

  // MARK: Named levels

  /// Returns a whole book whose sizes are named after the asset.
  private static func named(_ coin: String, _ price: Int, _ index: Int) -> String {
    func side(_ sign: Int) -> String {
      let levels = (1...6).map { place -> String in
        let (whole, tenths) = ((place * 3 + index) % 7, (place + index) % 9 + 1)
        let price = price + sign * (place * 10 + index)
        return #"{"\#(coin)_volume":"\#(whole).\#(tenths)","aud_volume":"1","price":"\#(price)"}"#
      }
      return levels.joined(separator: ",")
    }
    return #"{"channel":"book","data":{"pair":"\#(coin)aud","bid":[\#(side(-1))],"ask":[\#(side(1))]}}"#
  }

  /// A member is named after the pair's own currency, whether the sample has one pair or two.
  @Test(arguments: [1, 2]) func sizesMayBeNamedAfterTheAsset(_ pairs: Int) throws {
    let messages = (0..<12).flatMap { index in
      [("btc", 92_000), ("eth", 3_000)].prefix(pairs).map { Self.named($0.0, $0.1, index) }
    }
    let proposal = try Self.proposal(messages)
    #expect(proposal.block["size"]?.text() == #""$['{asset|lower}_volume']""#)
    #expect(proposal.block["price"]?.text() == #""$.price""#)
    #expect(proposal.frame.takenCount == messages.count)
  }
}
