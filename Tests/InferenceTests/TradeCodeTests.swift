import Config
import Testing

@testable import Inference

/// Members of trades with two codes, which have no meaning by themselves.
@Suite struct TradeCodeTests {
  private static let buys = [
    true, false, false, true, false, true, true, false, true, false, true, false, false, true, false, true,
  ]

  /// Rises to buys and falls to sales; between two of the same side it goes either way.
  private static let prices = buys.enumerated().map { 64998.7 + ($1 ? 2.3 : 0) + Double($0 % 3) / 10 }

  /// Returns the side found in trades whose member says whether something is so, in two codes.
  private static func side(
    _ name: String, _ yes: String, _ no: String, _ isSo: [Bool], _ prices: [Double] = prices
  ) throws -> String {
    let rows = zip(isSo, prices).enumerated().map { index, row in
      let (id, time, size) = (5000 + index, 1_795_420_000_560 + index * 977, index * 37 % 53 + 1)
      return
        #"{"id":\#(id),"ts":\#(time),"price":"\#(row.1)","size":"0.00\#(size)","\#(name)":\#(row.0 ? yes : no)}"#
    }
    let proposal = try BlockInference(.trades, Array("[\(rows.joined(separator: ","))]".utf8)).proposal()
    guard let side = proposal["side"] else { return "none" }
    let words = ["buy", "sell"].compactMap { side.members[0].value[$0]?.text(lead: 0) }.joined(separator: " ")
    return "\(side.isSure ? "sure" : "unsure") \(words): \(side.evidence.joined(separator: "; "))"
  }

  /// The moves from one side to the other are seven in ten trades, eight in eleven, nine in twelve.
  @Test(arguments: [
    (10, "none"), (11, "none"),
    (12, "sure 1 0: the price rises from a sale to a buy, and falls back, in 9 of 9"),
    (16, "sure 1 0: the price rises from a sale to a buy, and falls back, in 12 of 12"),
  ])
  func fewMovesProveNoCodes(_ count: Int, _ expected: String) throws {
    #expect(try Self.side("m", "1", "0", Array(Self.buys.prefix(count))) == expected)
    let swapped = expected.replacing("sure 1 0", with: "sure 0 1")
    #expect(try Self.side("m", "0", "1", Array(Self.buys.prefix(count))) == swapped)
  }

  /// Nine of ten may be chance: any two codes are tried.
  @Test func oneMoveAgainstTenProvesNothing() throws {
    var prices = Self.prices
    prices[13] = prices[12] - 0.1
    #expect(try Self.side("m", "1", "0", Array(Self.buys.prefix(14)), prices) == "none")
  }

  /// Whether the price rose to a trade.
  private static let rises = [true] + zip(prices, prices.dropFirst()).map(<)

  @Test(arguments: [
    (
      "direction", "1", "-1",
      "unsure 1 -1: follows the price in 15 of 15 moves, so it may be the direction of the last one"
    ),
    (
      "x", "true", "false",
      "unsure true false: follows the price in 15 of 15 moves, so it may be the direction of the last one"
    ),
    ("tick", #""up""#, #""down""#, "none"), ("tickDirection", #""P""#, #""M""#, "none"),
    ("d", #""Plus""#, #""Minus""#, "none"), ("isUp", "true", "false", "none"), ("tick", "1", "0", "none"),
  ])
  func directionsOfThePriceAreNoSides(_ name: String, _ yes: String, _ no: String, _ expected: String) throws {
    #expect(try Self.side(name, yes, no, Self.rises) == expected)
  }
}
