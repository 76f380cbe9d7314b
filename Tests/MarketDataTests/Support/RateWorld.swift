import Config
import HTTP
import Hooks
import Mapping
import MarketData
import Quotes
import Synchronization
import TestSupport
import Transport

/// The shipped rate providers with made-up responses, a controllable clock, and a call count.
final class RateWorld: Sendable {
  enum Reply: Sendable {
    case body(String, status: Int = 200)
    case silence
  }

  private struct State {
    var now: Instant
    /// The replies, by a part of the address.
    var replies: [(part: String, reply: Reply)] = []
    var calls: [String] = []
    var shares: Set<Int64> = []
  }

  let configuration: Configuration
  private let state: Mutex<State>
  private let memory: RateMemory?
  private let keys: [String]
  private let configPath: String

  /// - Parameters:
  ///   - now: the time in Seoul.
  ///   - keys: the owners whose secrets the user has provided.
  ///   - configPath: the config's alleged location.
  init(_ now: String, _ memory: RateMemory?, keys: [String] = [], configPath: String = "") throws {
    self.configPath = configPath
    configuration = try ShippedConfig.read()
    self.memory = memory
    self.keys = keys.map { $0.uppercased() }
    state = Mutex(State(now: Self.instant(now)))
  }

  static func instant(_ text: String) -> Instant { .seoul(text) }

  /// The calls since the last access, without their common parts: `dunamu FRX.KRWUSD`.
  var calls: [String] {
    state.withLock { state in
      defer { state.calls = [] }
      return state.calls
    }
  }

  /// The shares of the remaining time given to the calls.
  var shares: Set<Int64> { state.withLock { $0.shares } }

  func turn(to now: String) { state.withLock { $0.now = Self.instant(now) } }

  func answer(_ part: String, _ reply: Reply) {
    state.withLock { state in
      state.replies.removeAll { $0.part == part }
      state.replies.append((part, reply))
    }
  }

  func rate(_ pair: String, only: String? = nil) async -> RateReport {
    let names = pair.split(separator: "/").map(String.init)
    return await client.rate(of: Pair(asset: names[0], payment: names[1]), configuration, .shipped(), only: only)
  }

  /// Returns `rate (percent) by provider`, then the labels; the reason if there is no rate.
  func text(_ pair: String) async -> String {
    let report = await rate(pair)
    guard let quote = report.quote else {
      return "- \(report.reason ?? "")" + (report.lastKnown.map { " | last known \($0.rate.rateText)" } ?? "")
    }
    let head = "\(quote.rate.rateText) (\(quote.changePercent.value?.signedPercentText ?? "-")) by \(quote.provider)"
    return ([head] + quote.labels.map(\.code)).joined(separator: " ")
  }

  private var client: MarketClient {
    MarketClient(
      handler: { [self] request throws(TransportError) in try answer(request) }, rates: memory,
      credentials: Credentials(nil) { [keys] name in
        keys.contains { name.hasPrefix("MARKET_\($0)_") } ? "secret-0123456789" : nil
      }, configPath: configPath, hooks: HookRegistry(shippedHooks), now: { [self] in state.withLock { $0.now } })
  }

  private func answer(_ request: HTTPRequest) throws(TransportError) -> HTTPResponse {
    let url = request.urls[0]
    let (reply, now) = state.withLock { state -> (Reply, Instant) in
      state.calls.append(url)
      state.shares.insert(request.timeBudgetDivisor)
      return (state.replies.last { url.contains($0.part) }?.reply ?? .silence, state.now)
    }
    guard case .body(let body, let status) = reply else { throw .timeout }
    return HTTPResponse(status: status, body: Array(body.utf8), arrival: now, url: url)
  }

  // MARK: Responses

  /// Returns Hana Bank's response, at a time in Seoul.
  static func hana(_ rate: String, _ time: String, change: String = "0", units: Int = 1) -> Reply {
    let parts = time.split(separator: "T")
    return .body(
      #"""
      [{ "date": "\#(parts[0])", "time": "\#(parts[1])", "basePrice": \#(rate), "signedChangePrice": \#(change),
         "currencyUnit": \#(units), "provider": "하나은행" }]
      """#)
  }

  static func world(_ won: String, _ time: String, euro: String = "0.8") -> Reply {
    .body(
      #"{"timestamp": \#(instant(time).nanoseconds / 1_000_000_000), "rates": {"USD": 1, "KRW": \#(won), "EUR": \#(euro)}}"#
    )
  }

  static func daily(_ won: String, _ time: String) -> Reply {
    .body(
      #"""
      {"result": "success", "time_last_update_unix": \#(instant(time).nanoseconds / 1_000_000_000),
       "rates": {"USD": 1, "KRW": \#(won), "EUR": 0.8}}
      """#)
  }
}
