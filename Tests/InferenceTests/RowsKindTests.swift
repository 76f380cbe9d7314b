import Quotes
import Testing

@testable import Config
@testable import Inference

/// Tables of tickers that have a member in common with trades or candles, and trades and candles themselves.
@Suite struct RowsKindTests {
  /// Returns why a sample is none of tickers; nil if its last price is found.
  private static func refusal(_ rows: [String]) -> SampleProblem? {
    do {
      let proposal = try ExchangeInference(Array("[\(rows.joined(separator: ","))]".utf8)).proposal()
      return proposal[.price]?.isSure == true ? nil : .noTicker("")
    } catch { return error }
  }

  // MARK: Trades

  /// The side of the last trade, in a table of many pairs; of few, or of one, the rows may be trades.
  @Test(
    arguments: [
      (#""lastSide":"SIDE""#, "$.lastSide", 16, true, true),
      (#""latestTrade":{"tks":"SIDE"}"#, "$.latestTrade.tks", 16, true, true),
      (#""side":"SIDE""#, "$.side", 16, false, false), (#""side":"SIDE""#, "$.side", 2, true, false),
    ] as [(String, String, Int, Bool, Bool)])
  func aSideMayBeThatOfTheLastTrade(
    _ member: String, _ path: String, _ count: Int, _ hasOwnPairs: Bool, _ isTable: Bool
  ) {
    let rows = MisleadingColumnTests.coins.prefix(count).enumerated().map { index, coin in
      let side = member.replacing("SIDE", with: index % 3 == 0 ? "buy" : "sell")
      return
        #"{"symbol":"\#(hasOwnPairs ? coin.0 : "BTC")_USDT","price":\#(coin.1),"volume24h":\#(7000 / coin.1),\#(side)}"#
    }
    let refusal = SampleProblem.otherKind(.trades, "'\(path)' is the side of a trade or an order")
    #expect(Self.refusal(rows) == (isTable ? nil : refusal))
  }

  // MARK: Candles

  /// A range with a time is that of a candle only where rows have no symbol, and times of their own.
  @Test(arguments: [
    ("market", 0, true), ("market", 60, true), ("number", 0, true), ("number", 60, false),
  ])
  func aRangeWithATimeMayBeOfTheDay(_ symbol: String, _ step: Int, _ isTable: Bool) {
    let rows = MisleadingColumnTests.coins.enumerated().map { index, coin in
      let (name, price) = coin
      let id = symbol == "market" ? #""market":"\#(name)""# : #""market_id":\#(index + 7)"#
      return
        #"{\#(id),"price":\#(price),"price24hAgo":\#(price * (0.98 + Double(index % 5) / 100)),"high24h":\#(price * 1.04),"low24h":\#(price * 0.96),"nextFundingTime":\#(1_796_040_000 + index * step)}"#
    }
    let refusal = SampleProblem.otherKind(
      .candles, "a range of prices since '$.nextFundingTime', but no pair in each row")
    #expect(Self.refusal(rows) == (isTable ? nil : refusal))
  }

  /// Rows of one span are candles; times so far apart that their distance is out of range are no span.
  @Test(arguments: [(1_795_420_000_000, false), (1_795_410_000_000, true), (-9_000_000_000_000, true)])
  func spansOfRowsMayDiffer(_ oddTime: Int, _ isTable: Bool) {
    let rows = MisleadingColumnTests.coins.prefix(5).enumerated().map { index, coin in
      let (name, price) = coin
      return
        #"{"symbol":"\#(name)_USDT","open":\#(price * 0.99),"high":\#(price * 1.04),"low":\#(price * 0.96),"close":\#(price),"openTime":\#(index == 2 ? oddTime : 1_795_420_000_000),"closeTime":1795420059999}"#
    }
    let refusal = SampleProblem.otherKind(.candles, "'$.closeTime' is 1 minute after '$.openTime'")
    #expect(Self.refusal(rows) == (isTable ? nil : refusal))
  }

  /// The span of one row tells a candle from a ticker; nothing may tell it.
  @Test(
    arguments: [
      (#""openTime":1795420000000,"closeTime":1795420059999"#, "'$.closeTime' is 1 minute after '$.openTime'", false),
      (#""start_ts":1795420000,"end_ts":1795427200"#, "'$.end_ts' is 2 hours after '$.start_ts'", false),
      (#""t":1795420000000,"T":1795420899999"#, "'$.T' is 15 minutes after '$.t'", false),
      (#""duration":60"#, "'duration' says so", false), (#""interval":"1m""#, "'interval' says so", false),
      (#""interval":"24h""#, nil, false), (#""openTime":1795420000000,"closeTime":1795506399999"#, nil, false),
      (#""high24h":90100"#, nil, false), (#""bid":90040,"ask":90060"#, nil, false), (#""time":1795420000"#, nil, true),
    ] as [(String, String?, Bool)])
  func oneRowMayBeACandle(_ members: String, _ reason: String?, _ isOpen: Bool) throws {
    let row = #"{"symbol":"BTC_USDT","open":90000,"high":90100,"low":89900,"close":90050,"volume":12.5,\#(members)}"#
    let inference = ExchangeInference(Array(row.utf8), SampleHints(pair: Pair("BTC/USDT")))
    if let reason {
      #expect(throws: SampleProblem.otherKind(.candles, reason)) { try inference.proposal() }
    } else {
      #expect(try inference.proposal().mayBeOneCandle == isOpen)
    }
  }

  // MARK: Offers

  /// Rows that are each below a name of their own are found there, as the path to them is if it is given.
  @Test(arguments: [nil, "$[*].*"]) func rowsInObjectsOfTheirOwn(_ path: String?) throws {
    let rows = MisleadingColumnTests.coins.map { name, price in
      #"{"\#(name)-USDT":{"price":"\#(price)","bid":"\#(price * 0.9999)","ask":"\#(price * 1.0001)"}}"#
    }
    var hints = SampleHints()
    hints.rows = path
    let proposal = try ExchangeInference(Array("[\(rows.joined(separator: ","))]".utf8), hints).proposal()
    #expect(proposal.rows == "$[*].*" && proposal.symbol?.source == .key && proposal.symbol?.isSure == true)
    #expect(proposal.symbol?.pairs.first == Pair(asset: "BTC", payment: "USDT"))
    #expect(proposal[.price]?.path == "$.price" && proposal[.price]?.isSure == true)
  }
}
