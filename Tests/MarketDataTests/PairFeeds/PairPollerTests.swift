import Config
import Mapping
import Quotes
import TestSupport
import Testing

@testable import MarketData

/// Candles that a chart asks for when it is moved back.
@Suite struct OlderCandlesTests {
  /// The source after the last one is the token; one after that is asked for nothing.
  @Test func tokenComesAfterTheSources() async throws {
    let session = try MarketSession.recorded()
    defer { session.close() }
    func source(_ name: String, _ pair: Pair) throws -> PairPoller.Source {
      let exchange = try #require(
        session.configuration.exchange(named: name).flatMap { session.configuration.read($0).exchange })
      return PairPoller.Source(
        exchange, try #require(exchange.market(.spot)), PairQuery(pair, session.interpretation()))
    }
    let poller = PairPoller(
      session, [try source("Binance", Pair(asset: "BTC", payment: "USDT"))],
      [.candles(.oneMinute, count: 200, zoneSeconds: nil)],
      token: try source("Upbit", Pair(asset: "USDT", payment: "KRW")))
    func older(of place: Int) async -> PairEvent {
      await poller.older(of: place, .oneMinute, before: session.clock(), count: 10)
    }
    for place in 0...1 {
      let event = await older(of: place)
      #expect(event.source == place)
      guard case .candles = event.content else {
        Issue.record("no candles: \(event.content)")
        continue
      }
    }
    guard case .failed(let failure, retry: nil) = await older(of: 2).content else {
      Issue.record("a source that is not there is asked")
      return
    }
    #expect(failure.reason == .notRequested)
  }
}
