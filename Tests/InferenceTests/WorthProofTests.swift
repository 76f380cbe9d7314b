import Config
import Quotes
import Testing

@testable import Inference

/// The price times the size is the worth: what the numbers prove, whatever the columns are called.
@Suite struct WorthProofTests {
  /// The names of the columns, and which of them are price and size.
  struct Names: Sendable, CustomTestStringConvertible {
    let price: String
    let size: String
    let worth: String

    var testDescription: String { "\(price) x \(size) = \(worth)" }
  }

  static let names = [
    Names(price: "price", size: "quantity", worth: "amount"), Names(price: "price", size: "amount", worth: "quantity"),
    Names(price: "price", size: "a", worth: "v"), Names(price: "r", size: "a", worth: "v"),
    Names(price: "x", size: "y", worth: "z"),
  ]

  private static let pair = StreamInference.KnownRow(
    symbol: "btc_mxn", asset: "btc", payment: "mxn", pair: Pair(asset: "BTC", payment: "MXN"),
    numbers: [.price: 1_692_500])

  /// Trades in messages of one each.
  static func trades(_ names: Names, hasWorth: Bool = true, hasTime: Bool = true) -> [[UInt8]] {
    (0..<30).map { index in
      let (price, size) = (1_692_500 + index * 37 % 100, 0.0625 + Double(index * 29 % 50) / 16)
      let worth = hasWorth ? #","\#(names.worth)":"\#(Double(price) * size)""# : ""
      let time = hasTime ? #","time":\#(1_795_793_881_966 + index * 500)"# : ""
      let side = index % 3 == 0 ? "buy" : "sell"
      return Array(
        #"{"type":"trades","book":"btc_mxn","payload":[{"id":\#(900 + index),"\#(names.price)":"\#(price)","\#(names.size)":"\#(size)"\#(worth)\#(time),"side":"\#(side)"}]}"#
          .utf8)
    }
  }

  static func proposal(_ messages: [[UInt8]], _ kind: BlockKind) throws -> StreamBlockProposal {
    try StreamInference(messages, beside: [pair], tablePaths: [:]).proposal(of: kind, isFutures: false)
  }

  @Test(arguments: names) func tradesAreProved(_ names: Names) throws {
    let proposal = try Self.proposal(Self.trades(names), .trades)
    #expect(proposal["price"]?.path == "$.\(names.price)")
    #expect(proposal["size"]?.path == "$.\(names.size)")
    #expect(proposal["size"]?.isSure == true)
  }

  // MARK: Order books

  private static func level(_ names: Names?, _ price: Double, _ size: Double) -> String {
    guard let names else { return #"["\#(price)","\#(size)","\#(price * size)"]"# }
    return #"{"\#(names.worth)":"\#(price * size)","\#(names.price)":"\#(price)","\#(names.size)":"\#(size)"}"#
  }

  static func book(_ names: Names?, _ index: Int = 0) -> String {
    func side(_ sign: Int) -> String {
      let levels = (1...8).map { place -> String in
        let sixteenths = 1 + (place * 29 + index * 7) % 50
        return level(names, 1_692_500.5 + Double(index + sign * place * 12), Double(sixteenths) / 16)
      }
      return "[\(levels.joined(separator: ","))]"
    }
    return #"{"bids":\#(side(-1)),"asks":\#(side(1))}"#
  }

  @Test(arguments: [nil] + names) func levelsAreProved(_ names: Names?) throws {
    let size = try #require(try BlockInference(.orderbook, Array(Self.book(names).utf8)).proposal()["size"])
    #expect(size.path == names.map { "$.\($0.size)" } ?? "$[1]")
    #expect(size.isSure)
    #expect(size.evidence == ["price x size is another column in 16 of 16 rows"])
  }
}
