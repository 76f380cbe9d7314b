import Config
import HTTP
import Mapping
import Quotes
import Synchronization

@testable import MarketData

/// Three exchanges whose responses and time are controlled by a test.
final class FeedWorld: Sendable {
  private struct State {
    var now = StubExchanges.arrival
    var replies: [String: StubExchanges.Reply] = [:]
    var asked: [String] = []
    var gates: [String: CheckedContinuation<Void, Never>] = [:]
    var closed: Set<String> = []
  }

  private let state = Mutex(State())
  let exchanges: [Exchange]

  init() throws {
    exchanges = try StubExchanges().exchanges
    for exchange in exchanges { answer(exchange.name, ("100", "3000")) }
  }

  var now: Instant { state.withLock { $0.now } }
  /// The exchanges polled since the last access.
  var asked: [String] {
    state.withLock { state in
      defer { state.asked = [] }
      return state.asked.sorted()
    }
  }

  func turn(by milliseconds: Int) { state.withLock { $0.now = $0.now.advanced(by: .milliseconds(milliseconds)) } }

  /// - Parameters:
  ///   - prices: of bitcoin and ether; nil leaves the pair out.
  ///   - time: the exchange's own; nil for none.
  func answer(_ host: String, _ prices: (String?, String?), time: Instant? = nil) {
    let time = time.map { #","t":\#($0.nanoseconds / 1_000_000)"# } ?? ""
    let rows = [("BTC-USDT", prices.0), ("ETH-USDT", prices.1)].compactMap { symbol, price in
      price.map { #"{"s":"\#(symbol)","p":"\#($0)"\#(time)}"# }
    }
    reply(host, .success((200, Array(#"{"ok":true,"list":[\#(rows.joined(separator: ","))]}"#.utf8))))
  }

  func reply(_ host: String, _ reply: StubExchanges.Reply) { state.withLock { $0.replies[host] = reply } }

  /// Makes the exchange hang until it is released.
  func hold(_ host: String) { state.withLock { _ = $0.closed.insert(host) } }

  func letGo(_ host: String) {
    state.withLock { state -> CheckedContinuation<Void, Never>? in
      state.closed.remove(host)
      return state.gates.removeValue(forKey: host)
    }?.resume()
  }

  private func wait(_ host: String) async {
    await withCheckedContinuation { continuation in
      let isOpen = state.withLock { state in
        guard state.closed.contains(host) else { return true }
        state.gates[host] = continuation
        return false
      }
      if isOpen { continuation.resume() }
    }
  }

  static let pairs = [Pair(asset: "BTC", payment: "USDT"), Pair(asset: "ETH", payment: "USDT")]

  func feeds(_ pairs: [Pair], isWhole: Bool = false) -> [FeedState] {
    exchanges.flatMap { exchange in
      exchange.markets.map { market in
        FeedState(
          FeedKey(exchange: exchange.name, market: market.market), badge: exchange.badge,
          capabilities: FeedCapabilities(
            market, of: exchange, pairs: pairs, isWhole: isWhole, fields: Set(TickerField.allCases), globalAliases: [:],
            keepsLookups: false))
      }
    }
  }

  func board(
    _ pairs: [Pair] = FeedWorld.pairs, isWhole: Bool = false, rate: (@Sendable () async -> RateReport)? = nil,
    onChange: @escaping @Sendable () -> Void = {}
  ) -> FeedBoard {
    let exchanges = exchanges
    return FeedBoard(
      feeds(pairs, isWhole: isWhole), now: { self.now },
      ask: { [self] key, _ in
        guard let exchange = exchanges.first(where: { $0.name == key.exchange }), let market = exchange.market(.spot)
        else { return [] }
        await wait(key.exchange)
        let (reply, now) = state.withLock { state in
          state.asked.append(key.exchange)
          return (state.replies[key.exchange] ?? .failure(.timeout), state.now)
        }
        let client = MarketClient(
          handler: { request throws(TransportError) in
            let (status, body) = try reply.get()
            return HTTPResponse(status: status, body: body, arrival: now, url: request.urls[0])
          }, credentials: Credentials(nil) { _ in nil }, hooks: HookRegistry(), now: { now })
        let options = Interpretation(check: MeaningCheck())
        return [
          await client.report(
            on: market, of: exchange,
            TableQuery(options: options))
        ]
      }, askRate: rate, onChange: onChange)
  }
}

extension FeedBoard {
  /// Polls the feeds that are due, and waits for their answers.
  func poll() async {
    step()
    await settle()
  }
}
