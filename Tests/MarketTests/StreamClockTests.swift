import Cassettes
import Config
import Mapping
import MarketData
import Quotes
import Synchronization
import TestSupport
import Testing

/// Streams by a clock that is not that of sleeps.
@Suite(.timeLimit(.minutes(1))) struct StreamClockTests {
  /// After each sleep less time has passed than was slept: the silence is seen all the same.
  @Test func aClockThatLags() async throws {
    let price = LoopbackServer.Step.bytes(WebSocketFrame.text(SimulatedExchanges.message(1)).bytes)
    let exchanges = try SimulatedExchanges(1, messages: [price], settings: #""deadAfter": "100ms", "#)
    defer { exchanges.stop() }
    let locator = ConfigLocator(environment: { _ in nil }, userFolder: nil, executablePath: { nil })
    let config = try LoadedConfig(locator.find(named: exchanges.config), locator)
    let begin = ContinuousClock.now
    let session = try MarketSession(
      config, MarketSession.Options(userAgent: "test"), credentials: Credentials(nil) { _ in nil },
      hooks: HookRegistry(),
      now: { Instant(nanoseconds: 1_709_220_600_000_000_000).advanced(by: (ContinuousClock.now - begin) / 2) })
    defer { session.close() }
    let source = try #require(config.configuration.exchanges.first)
    let exchange = try #require(config.configuration.read(source).exchange)
    let market = try #require(exchange.markets.first)
    let question = StreamQuestion([Pair(asset: "BTC", payment: "USDT")], [.ticker], session.interpretation())
    let start = await session.newRound().streamStart(question, on: market, of: exchange)
    let run = StreamRun(session, start.subjects, recorder: StreamRecorder(keepingBeside: nil))
    let reasons = Mutex<[String]>([])
    await run.follow { events in
      let new = events.compactMap { event in
        if case .fallback(let failure, _) = event.content { failure.reason.code } else { nil }
      }
      return reasons.withLock { reasons in
        reasons += new
        return reasons.isEmpty
      }
    }
    #expect(reasons.withLock { $0 } == ["stream-silent"])
  }
}
