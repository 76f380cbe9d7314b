import MarketData
import Quotes
import Testing

/// Which further pairs the premium over dollars takes.
@Suite struct PairFiguresTests {
  @Test(arguments: [
    (["BTC/USDT"], ["BTC/KRW", "USDT/KRW"]),
    (["BTC/KRW"], ["BTC/USDT", "USDT/KRW"]),
    (["BTC/KRW", "BTC/USDT"], ["USDT/KRW"]),
    (["USDT/KRW"], []),
    (["USDC/KRW"], []),
    (["BTC/USDC"], ["BTC/KRW", "USDT/KRW"]),
    (["BTC/EUR"], []),
    (["USDT/USD"], ["USDT/KRW"]),
    ([], []),
  ])
  func companions(_ pairs: [String], _ expected: [String]) {
    let companions = PairFigures.companions(
      of: pairs.compactMap { Pair($0) }, local: "KRW", dollarTokens: ["USDT", "USDC"])
    #expect(companions.map(\.description) == expected)
  }
}
