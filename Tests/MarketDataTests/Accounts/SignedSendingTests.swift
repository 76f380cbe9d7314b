import Config
import Files
import HTTP
import JSON
import Mapping
import MarketData
import Quotes
import Synchronization
import TestSupport
import Testing
import Transport

/// Signed requests over this machine's network, checked by an independent server.
@Suite struct SignedSendingTests {
  private struct Secrets: SecretSource {
    func secrets(of exchange: String) throws(SecretProblem) -> [String: Secret] {
      let secret = exchange == "Kraken" ? Self.base64 : "made-up-secret+0123/abc"
      return ["apiKey": Secret("made-up-key"), "secret": Secret(secret), "passphrase": Secret("made up+pass")]
    }

    func hasSecrets(of exchange: String) -> Bool { true }

    private static let base64 = Base64.encode(Array("some bytes \0".utf8) + [0xFF] + Array(" of a key".utf8))
  }

  /// Nonces that start at the time of the test and increase; records whether two were ever held at once.
  private final class Nonces: NonceSource {
    private let state = Mutex<(last: Int64, held: Int, most: Int)>((1_709_220_600_000_000, 0, 0))

    var mostHeld: Int { state.withLock { $0.most } }
    var held: Int { state.withLock { $0.held } }

    func turn(
      of key: NonceKey, unit: SignedTemplate.ClockUnit, now: Instant, patience: Duration
    ) async throws(SecretProblem) -> any NonceTurn {
      let nonce = state.withLock { state in
        state.last += unit.nanoseconds / 1000
        state.held += 1
        state.most = max(state.most, state.held)
        return state.last
      }
      return Turn(microseconds: nonce) { self.state.withLock { $0.held -= 1 } }
    }

    private struct Turn: NonceTurn {
      let microseconds: Int64
      let end: @Sendable () -> Void

      func release() { end() }
    }
  }

  /// A request for each way to sign: the exchange's own `auth`, with this machine instead of its hosts.
  private static let requests: [(exchange: String, request: String, set: String)] = [
    ("Binance", #""query": { "q": "a,b c/é" }"#, ""), ("Okx", #""query": { "q": "1" }"#, ""),
    ("Kraken", #""method": "POST""#, ""), ("Upbit", "", ""), ("Htx", #""query": { "b": "x:y" }"#, ""),
    ("Coinone", #""method": "POST""#, ""), ("Gemini", #""method": "POST""#, ""),
    ("Bitstamp", #""method": "POST", "form": { "foo": "bar" }"#, ""), ("Gate", #""query": { "c": "d" }"#, ""),
    ("Coincheck", "", ""), ("Bitfinex", #""method": "POST", "body": {}"#, ""), ("Luno", "", ""),
    ("Lbank", #""method": "POST""#, ""), ("Phemex", #""query": { "currency": "USDT" }"#, ""), ("Kucoin", "", ""),
  ]

  private static let shipped: ConfigFile? = (try? FileSystem.read(Checkout.path("exchanges.json"))).flatMap {
    try? ConfigFile(name: "exchanges.json", bytes: $0)
  }

  private static func exchange(
    _ name: String, _ request: String, folder: String, port: Int
  ) throws -> Exchange {
    let auth = try #require(shipped?.root["exchanges"]?[name]?["auth"])
    let kept = auth.members.filter { !["baseUrls", "success", "vectors"].contains($0.name) }
    let steps = kept.map { "\"\($0.name)\": \($0.value.json.text)" }.joined(separator: ", ")
    let text = """
      {"version": 1, "exchanges": {"\(name)": {
        "baseUrls": ["http://127.0.0.1:\(port)"], "auth": {\(steps)},
        "balances": {"spot": {
          "request": {"path": "/\(folder)/\(name)"\(request.isEmpty ? "" : ", " + request)},
          "success": {"where": [{"path": "$.rows", "is": "array"}], "message": ["$.error"]},
          "rows": "$.rows[*]", "asset": "$.a", "fields": {"free": "$.f", "locked": "$.l"}}},
        "markets": {"spot": {"tickers": {"request": {"path": "/tickers"}, "rows": "$[*]",
          "symbol": {"path": "$.s", "split": "-"}, "fields": {"price": "$.p"}}}}}}}
      """
    let configuration = try Configuration(text: text, name: "config")
    let (exchange, findings) = configuration.read(configuration.exchanges[0])
    #expect(findings.filter { $0.severity == .error }.map(\.message) == [])
    return try #require(exchange)
  }

  @Test func independentVerifierAcceptsEverySignature() async throws {
    let server = try BackgroundProgram("python3", [Checkout.path("Tests/MarketDataTests/Accounts/signature-server.py")])
    defer { server.stop() }
    let line = try #require(await server.line(startingWith: "listening"))
    let port = try #require(line.split(separator: " ").last.flatMap { Int($0) })
    var options = HTTPClient.Options(userAgent: "test")
    // With all other tests running, a local response may take a while.
    (options.timeout, options.deadline) = (.seconds(120), nil)
    let network = HTTPClient(options)
    defer { network.shutDown() }
    let nonces = Nonces()
    let journal = RequestJournal()
    let recorded = Mutex<[HTTPRequest]>([])
    let handler: HTTPHandler = { request throws(TransportError) in
      recorded.withLock { $0.append(request) }
      return try await network.handler(request)
    }
    var client = MarketClient(
      handler: journal.following(handler), credentials: Credentials(nil) { _ in nil }, hooks: HookRegistry(),
      now: { Instant(nanoseconds: 1_709_220_600_000_000_000) })
    client.account = AccountDependencies(secrets: Secrets(), nonces: nonces, crypto: CryptoLibrary())
    let asking = client

    for (name, request, _) in Self.requests {
      // Twice, once with a server failure in between: every attempt is signed anew.
      for folder in ["twice", name == "Kraken" ? "fail-first" : "again"] {
        let exchange = try Self.exchange(name, request, folder: folder, port: port)
        let report = await asking.balances(of: exchange)
        #expect(report.failures.map { "\($0.failure.reason.code) \($0.failure.message ?? "")" } == [], "\(name)")
        #expect(report.rows.map { $0.total.value?.description } == ["1.75"], "\(name)")
      }
    }
    #expect(nonces.held == 0)
    #expect(nonces.mostHeld == 1)
    // The layers above sending know only names.
    let shown = recorded.withLock { $0 }.map { "\($0)" }.joined()
    let entries = journal.entries.map(\.url).joined()
    for secret in ["made-up-key", "made-up-secret", "made up"] {
      #expect(!shown.contains(secret))
      #expect(!entries.contains(secret))
    }
    #expect(entries.contains("timestamp=NOW&q=a%2Cb%20c%2F%C3%A9&signature=sign"))

    let moved = try Self.exchange("Okx", "", folder: "redirect", port: port)
    let report = await asking.balances(of: moved)
    #expect(report.failures.map(\.failure.reason) == [.noAnswer(.redirect)])
  }
}
