import Quotes
import Testing

@testable import Config
@testable import Inference

/// Columns whose names say nothing, and whose quotient is a price: amounts, or a change in two forms.
@Suite struct AmountProofTests {
  private static let coins = [
    ("BTC", 91_242.9), ("ETH", 3021.31), ("XRP", 2.2042), ("SOL", 141.04), ("ADA", 0.4316), ("DOGE", 0.1523),
    ("LTC", 84.05), ("LINK", 13.06), ("TRX", 0.2751), ("BCH", 512.3),
  ]

  /// How far prices rise or fall, in percent.
  private static let ups: [Double] = [-2, -1, 0, 1, 2]

  /// Returns prices, with two columns that have no meaning by name, each computed from price and open.
  private static func sample(
    rises: [Double], _ columns: (_ price: Double, _ open: Double, _ index: Int) -> (String, String)
  ) -> String {
    let rows = coins.enumerated().map { index, coin in
      let (name, price) = coin
      let open = (price / (1 + rises[index % rises.count] / 100) * 1e6).rounded() / 1e6
      let (one, other) = columns(price, open, index)
      return
        #"{"s":"\#(name)USDT","c":\#(price),"o":\#(open),"h":\#(price * 1.06),"l":\#(price * 0.94),"b":\#(price * 0.9999),"a":\#(price * 1.0001),"x":\#(one),"y":\#(other)}"#
    }
    return "[\(rows.joined(separator: ","))]"
  }

  /// The quotient of a change as money and as a fraction is the open, in every row.
  @Test(arguments: [-4...5, 1...6, -6...(-1)], [2, 4, 9])
  func changesAreNoAmounts(_ rises: ClosedRange<Int>, _ digits: Int) throws {
    let unit = (0..<digits).reduce(1.0) { scale, _ in scale * 10 }
    for isSigned in [true, false] {
      let sample = Self.sample(rises: rises.map { Double($0) + 0.4 }) { price, open, _ in
        let change = isSigned ? price - open : (price - open).magnitude
        return ("\((change * 1e8).rounded() / 1e8)", "\((change / open * unit).rounded() / unit)")
      }
      let sure = try MisleadingColumnTests.sure(sample)
      #expect(sure[.volume] == nil && sure[.turnover] == nil, "\(sure)")
    }
  }

  @Test func amountsAreProved() throws {
    let sample = Self.sample(rises: Self.ups) { price, open, index in
      let coins = 41_000 * Double(1 + index * 37 % 29) / price
      return ("\(coins)", "\(coins * (price + open) / 2)")
    }
    let sure = try MisleadingColumnTests.sure(sample)
    #expect(sure[.volume] == "$.x" && sure[.turnover] == "$.y", "\(sure)")
  }

  /// A quotient that is a price proves no trades if a name says that nothing is traded, or if it is the last price.
  @Test(
    arguments: [
      ("x", "y", 0.001, true), ("x", "y", 0, false), ("circulatingSupply", "marketCap", 0, false),
      ("total_supply", "fdv", 0.001, false), ("baseReserve", "quoteReserve", 0.001, false),
      ("minQty", "minNotional", 0.001, false), ("maxOrderSize", "maxOrderValue", 0.001, false),
      ("depth", "depthValue", 0.001, false), ("bidTotal", "bidTotalValue", 0.001, false),
      ("holdVol", "holdValue", 0.001, false), ("volume", "turnover", 0, true), ("v", "q", 0, true),
      ("volume", "vv", 0, true), ("vol24hBase", "vol24hQuote", 0, true),
      ("units_traded_24H", "deal_amount", 0.001, true), ("quantity", "amount", 0, false),
      ("quantity", "amount", 0.001, true), ("qty", "total", 0, false), ("trade_volume", "trade_amount", 0, false),
      ("trade_volume_24h", "trade_value_24h", 0, true),
    ] as [(String, String, Double, Bool)])
  func onlyTradedAmountsAreProved(
    _ volume: String, _ turnover: String, _ distance: Double, _ areTaken: Bool
  ) throws {
    let sample = Self.sample(rises: Self.ups) { price, _, index in
      let coins = 41_000 * Double(1 + index * 37 % 29) / price
      return ("\(coins)", "\(coins * price * (1 + distance * Double(index % 5 - 2)))")
    }.replacing("\"x\"", with: "\"\(volume)\"").replacing("\"y\"", with: "\"\(turnover)\"")
    let sure = try MisleadingColumnTests.sure(sample)
    #expect(sure[.volume] == (areTaken ? "$.\(volume)" : nil), "\(sure)")
    #expect(sure[.turnover] == (areTaken ? "$.\(turnover)" : nil), "\(sure)")
  }

  /// A turnover is found beside the volume, and the other way round, if its name says nothing or too little; so it is not
  /// if it is in one currency for pairs paid in several, or if several columns would do.
  @Test(
    arguments: [
      ("volume", "value", 1.0, "$.volume", "$.value"), ("v1", "quoteVolume", 1, "$.v1", "$.quoteVolume"),
      ("volume", "qv", 1, "$.volume", "$.qv"),
      ("volume", "daily_quote_token_volume", 1, "$.volume", "$.daily_quote_token_volume"),
      ("volume", "qv", 1.4, "$.volume", nil), ("volume", "openInterestValue", 1, "$.volume", nil),
      ("volume", "value7d", 1, "$.volume", nil), ("volume", "todayValue", 1, "$.volume", nil),
    ] as [(String, String, Double, String, String?)])
  func namelessAmountsAreProvedByTheOther(
    _ volume: String, _ turnover: String, _ factor: Double, _ ofVolume: String, _ ofTurnover: String?
  ) throws {
    let sample = Self.sample(rises: Self.ups) { price, open, index in
      let coins = 41_000 * Double(1 + index * 37 % 29) / price
      return ("\(coins)", "\(coins * (price + open) / 2 * factor)")
    }.replacing("\"x\"", with: "\"\(volume)\"").replacing("\"y\"", with: "\"\(turnover)\"")
    let sure = try MisleadingColumnTests.sure(sample)
    #expect(sure[.volume] == ofVolume && sure[.turnover] == ofTurnover, "\(sure)")
  }

  /// What all that was traded cost may be called a price: its numbers say that it is none of one coin. The name of another
  /// span still counts, as its numbers may fit at the end of the day alone.
  @Test(arguments: [
    ("price", 1.0, true), ("total_price", 1, true), ("cost", 1, true), ("trade_price", 1, true), ("price", 1.4, false),
    ("avg_price", 1, false), ("acc_trade_price", 1, false),
  ])
  func aTurnoverMayBeCalledAPrice(_ name: String, _ factor: Double, _ isTaken: Bool) throws {
    let sample = MisleadingColumnTests.table { row in
      #""last":\#(row.price),"high":\#(row.price * 1.03),"low":\#(row.price * 0.97),"volume":\#(row.coins),"#
        + #""\#(name)":\#(row.dollars * factor)"#
    }
    let turnover: [Role: String] = isTaken ? [.turnover: "$.\(name)"] : [:]
    let others: [Role: String] = [.price: "$.last", .high: "$.high", .low: "$.low", .volume: "$.volume"]
    #expect(try MisleadingColumnTests.sure(sample) == others.merging(turnover) { $1 })
  }

  /// The change as money, exact to the last digit, shows what it is from and to; a column that is it only nearly does not.
  @Test(arguments: [(0.0, "$.q", "$.n"), (0.003, nil, nil)] as [(Double, String?, String?)])
  func changeAsMoneyProvesPriceAndOpen(_ error: Double, _ price: String?, _ open: String?) throws {
    let rows = Self.coins.enumerated().map { index, coin -> String in
      let last = (coin.1 * 10_000).rounded()
      let before = (last * (1 + Double(index % 5 - 2) / 90 + 0.004)).rounded()
      let change = ((last - before) * (1 + error * Double(index % 3 - 1))).rounded()
      let (high, low) = (max(last, before) * 1.02, min(last, before) * 0.98)
      return
        #"{"s":"\#(coin.0)USDT","k":\#(change),"m":\#(high),"n":\#(before),"q":\#(last),"z":\#(low)}"#
    }
    let sure = try MisleadingColumnTests.sure("[\(rows.joined(separator: ","))]")
    #expect(sure[.price] == price && sure[.open] == open && sure[.change] == nil, "\(sure)")
  }

  /// No amount is below zero, whatever its name.
  @Test func amountsAreNeverNegative() throws {
    let sample = Self.sample(rises: Self.ups) { price, _, index in
      ("\(Double(index - 2) * 1000 / price)", "\(Double(index - 2) * 1000)")
    }.replacing("\"x\"", with: "\"volume\"").replacing("\"y\"", with: "\"quoteVolume\"")
    let sure = try MisleadingColumnTests.sure(sample)
    #expect(sure[.volume] == nil && sure[.turnover] == nil, "\(sure)")
  }

  /// What is in a list of each row is of its elements, not of the day; a lone element may be the volume.
  @Test(
    arguments: [
      (#""fills":[{"volume":COINS}]"#, nil), (#""volume":[COINS,"X"]"#, "$.volume[0]"),
    ] as [(String, String?)])
  func amountsInListsOfRows(_ member: String, _ volume: String?) throws {
    let sample = MisleadingColumnTests.table { row in
      #""last":\#(row.price),\#(member.replacing("COINS", with: "\(row.coins)"))"#
    }
    #expect(try ExchangeInference(Array(sample.utf8)).proposal()[.volume]?.path == volume)
  }

  /// A lone volume is never surer for having fewer rows.
  @Test(arguments: ["vol", "vol24h", "volume", "volumeCoin", "baseVolume"], [1, 2, 5])
  func fewRowsProveNoLoneVolume(_ name: String, _ count: Int) throws {
    let sample = MisleadingColumnTests.table { #""last":\#($0.price),"\#(name)":\#($0.coins)"# }
    let rows = sample.dropFirst().split(separator: "}").prefix(count).joined(separator: "}")
    let hints = SampleHints(pair: Pair("BTC/USDT"))
    let proposal = try ExchangeInference(Array("[\(rows)}]".utf8), hints).proposal()
    #expect(proposal[.price]?.isSure == true && proposal[.volume]?.isSure == false)
  }
}
