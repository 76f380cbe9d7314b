import Mapping
import MarketData
import Quotes
import Testing

/// Responses of several exchanges that are shown side by side.
@Suite struct PairIdentityTests {
  private static func answer(_ exchange: String, _ payment: String, _ price: Decimal?) -> PairAnswer<Decimal> {
    let result: Result<Decimal, AnswerFailure> = price.map { .success($0) } ?? .failure(AnswerFailure(.timeout))
    return PairAnswer(exchange: exchange, market: .spot, pair: Pair(asset: "BTC", payment: payment), result)
  }

  /// The responses that get a flag: prices in one currency are compared with each other, never across currencies.
  @Test(
    arguments: [
      ([("A", "USDT", 65_000), ("B", "USDT", 65_100)], []),
      ([("A", "USDT", 65_000), ("B", "USDT", 65_100_000)], ["A", "B"]),
      ([("A", "USDT", 65_000), ("B", "USDT", 65_100_000), ("C", "USDT", 64_900)], ["B"]),
      ([("A", "USDT", 65_000), ("B", "KRW", 95_000_000), ("C", "USDT", nil)], []),
      ([("A", "USDT", 65_000), ("B", "KRW", 95_000_000), ("C", "KRW", 9_500_000)], ["B", "C"]),
    ] as [([(String, String, Int?)], [String])])
  func flags(_ prices: [(String, String, Int?)], _ noted: [String]) {
    let answers = prices.map { Self.answer($0, $1, $2.map { Decimal($0) }) }
    let flags = answers.identityFlags(.standard) { $0 }
    #expect(zip(answers, flags).filter { $1 != nil }.map(\.0.exchange) == noted)
    #expect(flags.compactMap(\.self).allSatisfy { $0.kind == .identity })
    // Responses without a price of their own are not checked.
    #expect(answers.identityFlags(.standard) { _ in nil }.compactMap(\.self).isEmpty)
  }
}
