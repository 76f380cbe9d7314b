import Quotes
import Testing

@testable import Config
@testable import Inference

/// Which column of an order book has the sizes, and how they are written.
@Suite struct BookSizeTests {
  /// Sizes that neither rise nor fall.
  private static func size(_ index: Int) -> Double { Double(index * 37 % 11 + 1) / 8 }

  private static func book(_ count: Int, _ level: (_ price: Double, _ size: Double, _ total: Double) -> String)
    -> String
  {
    func side(_ sign: Double) -> String {
      var total = 0.0
      let levels = (0..<count).map { index in
        total += size(index)
        return level(100 + sign * Double(index + 1) / 4, size(index), total)
      }
      return "[\(levels.joined(separator: ","))]"
    }
    return #"{"bids":\#(side(-1)),"asks":\#(side(1))}"#
  }

  private static func proposal(_ answer: String) throws -> BlockProposal {
    try BlockInference(.orderbook, Array(answer.utf8)).proposal()
  }

  /// The two sides have names of their own, which differ in the word for the side.
  @Test(arguments: [
    ("bids", "asks"), ("buyQuote", "sellQuote"), ("sell_levels", "buy_levels"), ("bidList", "askList"),
  ])
  func sidesHaveNames(_ first: String, _ second: String) throws {
    let isReversed = first.hasPrefix("sell")
    let book = Self.book(8) { price, size, _ in #"{"price":\#(isReversed ? 200 - price : price),"size":\#(size)}"# }
    let proposal = try Self.proposal(book.replacing("bids", with: first).replacing("asks", with: second))
    let (bids, asks) = isReversed ? (second, first) : (first, second)
    #expect(proposal["bids"]?.path == "$.\(bids)[*]")
    #expect(proposal["asks"]?.path == "$.\(asks)[*]")
    #expect(proposal["price"]?.isSure == true)
  }

  /// Running totals rise all the way, on both sides: so do four sizes by chance, but hardly five.
  @Test(arguments: [(4, true), (5, false), (20, false)])
  func runningTotalsAreNoSizes(_ count: Int, _ isSure: Bool) throws {
    let size = try Self.proposal(Self.book(count) { #"{"price":\#($0),"amount":\#($2)}"# })["size"]
    #expect(size?.isSure == isSure, "\(size?.evidence ?? [])")
    let plain = Self.book(count) { price, size, _ in #"{"price":\#(price),"amount":\#(size)}"# }
    #expect(try Self.proposal(plain)["size"]?.isSure == true)
  }

  @Test func sizeIsFoundBesideItsRunningTotal() throws {
    let size = try Self.proposal(Self.book(8) { #"["\#($2)","\#($1)","\#($0)"]"# })["size"]
    #expect(size?.path == "$[1]" && size?.isSure == true)
  }

  /// The levels of some books have times, those of their last orders, in no order.
  @Test func timesOfLevelsAreNoSizes() throws {
    let book = Self.book(8) { price, size, _ in #"["\#(price)","\#(size)","1764521\#(Int(size * 8) % 7 + 100).5"]"# }
    let size = try Self.proposal(book)["size"]
    #expect(size?.path == "$[1]" && size?.isSure == true, "\(size?.evidence ?? [])")
  }

  /// Levels for a third of a day's volume count something else: money, which has cents, or contracts.
  @Test(arguments: [(0.25, .moneyOrSmallUnit), (0.0, .contractsOrMoney)] as [(Double, BlockField.Unit)])
  func largeSizesCountSomethingElse(_ fraction: Double, _ unit: BlockField.Unit) throws {
    let levels = [(99.5, 120.0), (99.25, 480), (99, 75), (98.5, 233)]
    func side(_ sign: Double) -> String {
      levels.map { "[\(100 + sign * (100 - $0.0)),\($0.1 + fraction)]" }.joined(separator: ",")
    }
    let answer = #"{"bids":[\#(side(-1))],"asks":[\#(side(1))]}"#
    let day = DayAmounts(price: Decimal(100), volume: Decimal(50), turnover: Decimal(5000))
    let size = try BlockInference(.orderbook, Array(answer.utf8), day: day).proposal()["size"]
    #expect(size?.isSure == false, "\(size?.evidence ?? [])")
    #expect(size?.unit == unit)
  }

  /// The plural of `b` and `a`.
  @Test func sidesMayBeLetters() throws {
    let proposal = try Self.proposal(#"{"as":[["101","1"],["102","3"]],"bs":[["99","2"],["98","4"]]}"#)
    #expect(proposal["bids"]?.path == "$.bs[*]" && proposal["asks"]?.path == "$.as[*]")
  }

  /// Thousands are separated on one side only, as the other is below one thousand.
  @Test(arguments: [("900.25", "1,250.5"), ("1,200.25", "1,250.5"), ("900.25", "950.5")])
  func separatorsAreStripped(_ bid: String, _ ask: String) throws {
    let answer =
      #"{"bids":[{"rate":"\#(bid)","amount":"1"},{"rate":"890","amount":"3"}],"asks":[{"rate":"\#(ask)","amount":"2"},{"rate":"1,260.5","amount":"4"}]}"#
    let price = try Self.proposal(answer)["price"]?.members.first?.value.text()
    #expect(price == #"{ "path": "$.rate", "strip": "," }"#)
  }

  /// Single orders share their price with others.
  @Test(arguments: [(2, true), (3, false)])
  func ordersOfOneListMayShareAPrice(_ count: Int, _ isFound: Bool) {
    let rows = ["buy", "sell"].flatMap { side in
      (0..<4).flatMap { level in
        (0..<count).map { order in
          let price = 100 + Double(level + 1) * (side == "buy" ? -0.25 : 0.25)
          return
            #"{"oid":"\#(side)\#(level)\#(order)","side":"\#(side)","px":\#(price),"vol":\#(Self.size(level + order))}"#
        }
      }
    }
    let proposal = try? Self.proposal(#"{"orders":[\#(rows.joined(separator: ","))]}"#)
    #expect((proposal?.unproved.isEmpty == true) == isFound)
  }
}
