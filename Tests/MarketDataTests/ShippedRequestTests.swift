import Config
import MarketData
import Quotes
import TestSupport
import Testing

/// The exact requests to each shipped exchange.
@Suite("Requests of the shipped exchanges")
struct ShippedRequestTests {
  /// The currencies to try. The golden file lacks pairs that are not in an exchange's payment currencies.
  static let payments = ["USDT", "USDC", "USD", "EUR", "KRW", "JPY", "IDR", "ZAR"]

  @Test(arguments: ShippedConfig.markets)
  func requestsMatchGolden(of shipped: ShippedMarket) async throws {
    var text = ""
    let replay = try Replay()
    _ = await replay.report(on: shipped)
    text += Self.section("all pairs", replay.log.lines)
    for payment in Self.payments {
      let replay = try Replay()
      _ = await replay.report(on: shipped, pair: Pair(asset: "BTC", payment: payment))
      text += Self.section("BTC/\(payment)", replay.log.lines)
    }
    Golden.expect(text, matches: "\(shipped.name).requests.txt")
  }

  private static func section(_ title: String, _ lines: [String]) -> String {
    lines.isEmpty ? "" : "\(title)\n" + lines.map { "  \($0)\n" }.joined()
  }
}
