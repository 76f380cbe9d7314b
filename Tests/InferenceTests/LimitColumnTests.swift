import Quotes
import Testing

@testable import Config
@testable import Inference

/// Limits and constants beside a last price are no range of the day, and no evidence against it.
@Suite struct LimitColumnTests {
  private static let limits = [
    #""max_price":1000000"#, #""price_max":"10000000000""#, #""minPrice":"0.00000001","maxPrice":"10000000""#,
    #""settings":{"price_max":"1000000","price_min":"1"}"#, #""highest_leverage":20"#,
    #""highest_leverage":{"value":20}"#, #""btc_minimum_withdraw":0.02"#,
  ]

  @Test(arguments: limits, [false, true])
  func limitsSayNothingAboutThePrice(_ limits: String, _ hasOffers: Bool) throws {
    let sample = MisleadingColumnTests.table { row in
      #""last":\#(row.price),\#(limits)"# + (hasOffers ? #","bid":\#(row.bid),"ask":\#(row.ask)"# : "")
    }
    let offers: [Role: String] = hasOffers ? [.bid: "$.bid", .ask: "$.ask"] : [:]
    #expect(try MisleadingColumnTests.sure(sample) == offers.merging([.price: "$.last"]) { $1 })
    let proposal = try ExchangeInference(Array(sample.utf8)).proposal()
    #expect(proposal[.high] == nil && proposal[.low] == nil)
  }

  /// A limit of each pair, far from its price in a table of any length.
  @Test(arguments: [1, 16])
  func limitsOfEachPairSayNothing(_ count: Int) throws {
    let sample = MisleadingColumnTests.table { row in
      #""last":\#(row.price),"max_price":\#(row.price * 50),"bid":\#(row.bid),"ask":\#(row.ask)"#
    }
    let rows = sample.dropFirst().split(separator: "}").prefix(count).joined(separator: "}")
    let proposal = try ExchangeInference(Array("[\(rows)}]".utf8), SampleHints(pair: Pair("BTC/USDT"))).proposal()
    #expect(proposal[.price]?.isSure == true && proposal[.high] == nil)
  }

  /// The highest bid and the lowest ask, as Buda calls the best ones, are these if they never cross and no others are there.
  @Test(
    arguments: [
      (0.9999, 1.0001, "", [.bid: "$.max_bid[0]", .ask: "$.min_ask[0]"]), (1.001, 0.999, "", [:]),
      (0.999, 1.001, #","best_bid":BID,"best_ask":ASK"#, [.bid: "$.best_bid", .ask: "$.best_ask"]),
      (1.001, 0.999, #","best_bid":BID,"best_ask":ASK"#, [.bid: "$.best_bid", .ask: "$.best_ask"]),
    ] as [(Double, Double, String, [Role: String])])
  func theHighestBidIsTheBest(_ bid: Double, _ ask: Double, _ others: String, _ offers: [Role: String]) throws {
    let sample = MisleadingColumnTests.table { row in
      #""last":["\#(row.price)","USDT"],"max_bid":["\#(row.price * bid)","USDT"],"min_ask":["\#(row.price * ask)","USDT"]"#
        + others.replacing("BID", with: "\(row.bid)").replacing("ASK", with: "\(row.ask)")
    }
    #expect(try MisleadingColumnTests.sure(sample) == offers.merging([.price: "$.last[0]"]) { $1 })
  }

  /// What is the highest of something else is no range, even if it differs; with prices as its numbers it is one.
  @Test(arguments: [(true, nil), (false, "$.highest_tier")] as [(Bool, String?)])
  func theHighestOfSomething(_ isLeverage: Bool, _ high: String?) throws {
    let sample = MisleadingColumnTests.table { row in
      let number = isLeverage ? [20, 50, 100][row.index % 3] : row.price * 1.02
      return #""last":\#(row.price),"highest_tier":\#(number),"low":\#(row.price * 0.98)"#
    }
    let proposal = try ExchangeInference(Array(sample.utf8)).proposal()
    #expect(proposal[.price]?.isSure == true && proposal[.price]?.doubts == [] && proposal[.high]?.path == high)
  }

  /// A high by its name that is far from the price speaks against it, and the price says so.
  @Test(
    arguments: [(1.02, []), (1000, ["high near price in 0 of 16 rows, where high is '$.high'"])] as [(Double, [String])]
  )
  func theContradictingColumnIsNamed(_ factor: Double, _ doubts: [String]) throws {
    let sample = MisleadingColumnTests.table { #""last":\#($0.price),"high":\#($0.price * factor)"# }
    let price = try #require(try ExchangeInference(Array(sample.utf8)).proposal()[.price])
    #expect(price.path == "$.last" && price.isSure == doubts.isEmpty && price.doubts == doubts)
  }
}
