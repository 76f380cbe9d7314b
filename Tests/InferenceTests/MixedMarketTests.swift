import Quotes
import Testing

@testable import Config
@testable import Inference

/// Tables that hold spot pairs and contracts, told apart by their symbols alone.
@Suite struct MixedMarketTests {
  private static let coins = [
    ("BTC", 91_500.5), ("ETH", 3016.06), ("XRP", 2.2042), ("SOL", 141.04), ("ADA", 0.4316), ("DOGE", 0.1523),
    ("LTC", 84.05), ("LINK", 13.06),
  ]
  private static let forms = [
    ("BTC_USDC", "BTC_USDC_PERP"), ("BTC-USDT", "BTC-USDT-SWAP"), ("BTCUSDT", "BTCUSDT_PERP"),
    ("BTC/USDT", "BTC/USDT:USDT"),
  ]

  /// Half of the coins have spot pairs and the others contracts, or all have both: each market gets its own rows alone, and
  /// the block says so.
  @Test(arguments: forms, [(false, false), (false, true), (true, false), (true, true)])
  func eachMarketKeepsItsSymbols(_ form: (spot: String, contract: String), _ sort: (futures: Bool, both: Bool)) throws {
    let rows = Self.coins.enumerated().flatMap { index, coin in
      [(form.spot, true), (form.contract, false)].filter { sort.both || $0.1 == (index < 4) }.map { symbol, isSpot in
        let (price, name) = (coin.1 * (isSpot ? 1 : 1.001), symbol.replacing("BTC", with: coin.0))
        return #"{"symbol":"\#(name)","last":"\#(price)","high":"\#(price * 1.02)","low":"\#(price * 0.98)"}"#
      }
    }
    var hints = SampleHints()
    hints.isFutures = sort.futures
    let sample = "[\(rows.joined(separator: ","))]"
    let proposal = try ExchangeInference(Array(sample.utf8), hints).proposal()
    let symbol = try #require(proposal.symbol)
    let wanted = sort.both ? Self.coins[...] : sort.futures ? Self.coins[4...] : Self.coins[..<4]
    #expect(symbol.knownPairs.map(\.asset) == wanted.map(\.0))
    #expect(symbol.isSure && (!symbol.skips.isEmpty || symbol.skipsRest))
  }

  /// The time of a funding rate is renewed each minute for all pairs, also for those that nobody trades.
  @Test(arguments: [("estFundingRateTimestamp", false), ("markTime", false), ("updatedAt", true)])
  func timesOfFundingAreNoAges(_ name: String, _ isTaken: Bool) throws {
    let arrival = Instant(nanoseconds: 1_763_442_727 * Instant.second)
    let rows = Self.coins.map { coin in
      #"{"symbol":"\#(coin.0)_USDT","last":"\#(coin.1)","high":"\#(coin.1 * 1.02)","low":"\#(coin.1 * 0.98)","\#(name)":1763442720000}"#
    }
    var hints = SampleHints()
    (hints.isFutures, hints.arrival) = (true, arrival)
    let proposal = try ExchangeInference(Array("[\(rows.joined(separator: ","))]".utf8), hints).proposal()
    #expect(proposal.roles.contains { $0.role == .time } == isTaken)
  }
}
