import Asking
import Mapping
import Quotes
import TestSupport
import Testing

@testable import MarketData

/// Which rows are asked for the closes of a list that is made at once.
@Suite struct ClosesOfRowsTests {
  /// A row whose exchange turns out to have no candles gives way to the next one, until one may have some.
  @Test func asksTheNextExchange() async throws {
    let locator = ConfigLocator(environment: { _ in nil }, userFolder: nil, executablePath: { nil })
    let config = try LoadedConfig(locator.find(named: Checkout.path("exchanges.json")), locator)
    var options = MarketSession.Options(userAgent: "test")
    options.replay = Checkout.path("Tests/Cassettes")
    let session = try MarketSession(
      config, options, credentials: Credentials(nil) { _ in nil }, hooks: HookRegistry(),
      now: { Instant(nanoseconds: 0) })
    defer { session.close() }
    let rows = ["Bitflyer", "Coincheck", "Gmo", "Bitbank"].map { exchange in
      Ticker(exchange: exchange, market: .spot, symbol: "BTC", pair: Pair(asset: "BTC", payment: "JPY")).key
    }
    let trends = await session.trends(hours: 24, by: session.client) { known in
      Array(rows.filter { known[$0]?.failure?.reason != .notOffered }.prefix(1))
    }
    #expect(Set(trends.keys) == Set(rows.prefix(3)))
    #expect(rows.map { trends[$0]?.failure?.reason == .notOffered } == [true, true, false, false])
  }
}
