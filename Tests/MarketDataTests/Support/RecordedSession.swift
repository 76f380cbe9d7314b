import Hooks
import Mapping
import MarketData
import Quotes
import TestSupport

extension MarketSession {
  /// - Returns: A session with the shipped config and its recordings.
  static func recorded(in folder: String = "Tests/Cassettes") throws -> MarketSession {
    let locator = ConfigLocator(environment: { _ in nil }, userFolder: nil, executablePath: { nil })
    var options = MarketSession.Options(userAgent: "test")
    options.replay = Checkout.path(folder)
    return try MarketSession(
      LoadedConfig(locator.find(named: Checkout.path("exchanges.json")), locator), options,
      credentials: Credentials(nil) { _ in nil }, hooks: HookRegistry(shippedHooks), now: { Instant(nanoseconds: 0) })
  }
}
