import Quotes
import Testing

@testable import Config
@testable import Inference

/// What the amounts of candles count: the ticker of the pair decides, or a second amount beside them.
@Suite struct CandleVolumeTests {
  /// Returns thirty hours at a price of about 90000.
  private static func candles(_ members: (_ coins: Double, _ price: Double) -> String) -> String {
    let moves = [120.0, -80, 40, -150, 210, -60, 90, -130, 70, 30]
    var open = 90_000.0
    let rows = (0..<30).map { index -> String in
      let close = open + moves[index % moves.count]
      defer { open = close }
      let coins = Double(10 + index * 7 % 15) + 0.25
      return
        #"{"t":\#(1_795_204_800_000 + index * 3_600_000),"o":\#(open),"h":\#(max(open, close) + 15),"l":\#(min(open, close) - 15),"c":\#(close),\#(members(coins, (open + close) / 2))}"#
    }
    return "[\(rows.joined(separator: ","))]"
  }

  private static func amounts(_ answer: String, _ day: DayAmounts?, isFutures: Bool = false) throws -> [String] {
    let proposal = try BlockInference(.candles, Array(answer.utf8), isFutures: isFutures, day: day).proposal()
    return ["volume", "turnover"].compactMap { name in
      proposal[name].map { "\($0.isSure ? "sure" : "unsure") \(name) \($0.path)" }
    }
  }

  /// A day has about 410 coins, or 37 million.
  @Test(
    arguments: [
      (1.0, "380", nil, false, ["sure volume $.v"]), (90_000, "380", nil, false, ["sure turnover $.v"]),
      (1, nil, "30000000", false, ["sure volume $.v"]), (90_000, nil, "30000000", false, ["sure turnover $.v"]),
      (1, "1200", nil, false, ["sure volume $.v"]), (1, "9000", nil, false, ["unsure volume $.v"]),
      (1000, "380", nil, false, ["unsure volume $.v"]), (1, nil, nil, false, ["unsure volume $.v"]),
      // A contract may be of any size.
      (1, "380", nil, true, ["sure volume $.v"]), (3, "380", nil, true, ["unsure volume $.v"]),
    ] as [(Double, String?, String?, Bool, [String])])
  func theTickerDecides(
    _ factor: Double, _ volume: String?, _ turnover: String?, _ isFutures: Bool, _ expected: [String]
  ) throws {
    let answer = Self.candles { coins, _ in #""v":\#(coins * factor)"# }
    let day = DayAmounts(
      price: Decimal("90000"), volume: volume.flatMap(Decimal.init), turnover: turnover.flatMap(Decimal.init))
    #expect(try Self.amounts(answer, day, isFutures: isFutures) == expected)
  }

  /// Candles of any pair have the same members, whatever the pair is paid in.
  @Test(arguments: [
    ("volumeUsd", ["USD"], true), ("volumeUsd", ["EUR", "USD"], false), ("volumeUsd", [], false),
    ("dollarVolume", ["KRW", "USD"], false), ("turnover", ["EUR", "USD"], true),
  ])
  func amountsNamedAfterACurrencyAreOfItsPairs(_ name: String, _ payments: [String], _ isSure: Bool) throws {
    let answer = Self.candles { coins, price in #""v":\#(coins),"\#(name)":\#(coins * price)"# }
    let proposal = try BlockInference(.candles, Array(answer.utf8), payments: Set(payments)).proposal()
    #expect(proposal["turnover"]?.path == "$.\(name)" && proposal["turnover"]?.isSure == isSure)
    #expect(proposal["volume"]?.isSure == true)
  }

  /// At a price of about one, coins and money are the same number.
  @Test func nothingIsDecidedWherePriceIsNear1() {
    let day = DayAmounts(price: Decimal("1.2"), volume: Decimal("400"), turnover: nil)
    #expect(day.field(ofDaily: 410, isFutures: false) == nil)
  }

  /// Two columns with the same numbers are one.
  @Test func equalTurnoversAreTaken() throws {
    let answer = Self.candles { coins, price in
      #""v":\#(coins),"q":\#(coins * price),"quoteVolume":\#(coins * price)"#
    }
    #expect(try Self.amounts(answer, nil) == ["sure volume $.v", "sure turnover $.q"])
  }
}
