import Config
import HTTP
import Mapping
import MarketData
import Quotes
import Synchronization
import Testing
import Transport

/// A key that an exchange does not accept is not tried with every account.
@Suite struct RefusedKeyTests {
  private struct Secrets: SecretSource {
    func secrets(of exchange: String) -> [String: Secret] {
      [
        "apiKey": Secret("made-up-key"), "futuresApiKey": Secret("made-up-key-of-futures"),
        "passphrase": Secret("made-up-passphrase"),
      ]
    }

    func hasSecrets(of exchange: String) -> Bool { true }
  }

  private struct NoNonces: NonceSource {
    func turn(
      of key: NonceKey, unit: SignedTemplate.ClockUnit, now: Instant, patience: Duration
    ) async throws(SecretProblem) -> any NonceTurn {
      throw .nonceStore("none")
    }
  }

  private static func account(_ name: String, _ more: String = "") -> String {
    """
    "\(name)": { \(more)"request": { "path": "/\(name)" }, "rows": "$[*]", "asset": "$.a", "fields": { "free": "$.f" } }
    """
  }

  private static let config = """
    { "version": 1, "exchanges": { "alpha": {
      "baseUrls": ["https://alpha.test"], "rows": "$.rows[*]",
      "auth": { "headers": { "X-KEY": "{secret:apiKey}" } },
      "balances": { \(account("spot")), \(account("funding")),
        \(account("margin", #""auth": { "headers": { "X-PASS": "{secret:passphrase}", "X-KEY": "{secret:apiKey}" } }, "#)),
        \(account("futures", #""auth": { "headers": { "X-KEY": "{secret:futuresApiKey}" } }, "#)) },
      "markets": { "spot": { "tickers": {
        "request": { "path": "/all" }, "symbol": { "path": "$.s", "split": "-" }, "fields": { "price": "$.p" } } } }
    } } }
    """

  private static let bitcoin = #"[{"a": "BTC", "f": "1"}]"#

  /// The first account answers for all with the same key; an account that is only down answers for itself.
  @Test(
    arguments: [
      (401, ["futures", "spot"], ["spot http-401", "funding http-401", "margin http-401", "futures http-401"]),
      (403, ["futures", "spot"], ["spot http-403", "funding http-403", "margin http-403", "futures http-403"]),
      (
        503, ["funding", "futures", "margin", "spot"],
        ["spot http-503", "funding http-503", "margin http-503", "futures http-503"]
      ),
      (200, ["funding", "futures", "margin", "spot"], []),
    ] as [(Int, [String], [String])])
  func refusedKeyIsTriedOnce(_ status: Int, _ asked: [String], _ failures: [String]) async throws {
    let exchanges = try StubExchanges(config: Self.config)
    let urls = Urls()
    var client = exchanges.client { _, url in
      urls.add(url)
      return .success((status, Array(Self.bitcoin.utf8)))
    }
    client.account = AccountDependencies(secrets: Secrets(), nonces: NoNonces(), crypto: CryptoLibrary())
    let report = await client.balances(of: exchanges.exchanges[0])
    #expect(urls.accounts.sorted() == asked)
    #expect(report.failures.map { "\($0.account) \($0.failure.reason.code)" } == failures)
    #expect(report.rows.count == (status == 200 ? 4 : 0))
  }

  /// The note of `auth` is said of what may be about the key.
  @Test(
    arguments: [
      (401, "", "http-401: not authorised; keys of alpha.eu need that host"),
      (429, "", "http-429: too many requests"), (503, "", "http-503: the exchange's server failed"),
      (
        200, #"{"error": "no such key"}"#,
        "venue-error: the response does not meet the success conditions; $.error: expected nothing, found 'no such key'; "
          + "the answer says 'no such key'; keys of alpha.eu need that host"
      ),
    ] as [(Int, String, String)])
  func noteIsShownBesideARefusal(_ status: Int, _ answer: String, _ words: String) async throws {
    let exchanges = try StubExchanges(
      config: """
        { "version": 1, "exchanges": { "alpha": {
          "baseUrls": ["https://alpha.test"], "rows": "$.rows[*]",
          "auth": { "headers": { "X-KEY": "{secret:apiKey}" }, "note": "keys of alpha.eu need that host",
            "success": { "where": [{ "path": "$.error", "is": "absent" }] } },
          "balances": { \(Self.account("spot")) },
          "markets": { "spot": { "tickers": {
            "request": { "path": "/all" }, "symbol": { "path": "$.s", "split": "-" }, "fields": { "price": "$.p" } } } }
        } } }
        """)
    var client = exchanges.client { _, _ in .success((status, Array(answer.utf8))) }
    client.account = AccountDependencies(secrets: Secrets(), nonces: NoNonces(), crypto: CryptoLibrary())
    let report = await client.balances(of: exchanges.exchanges[0])
    #expect(report.failures.map(\.failure.words) == [words])
  }

  /// What they say is for people whose key was refused; what readers of the config should know is a `$comment`.
  @Test func shippedNotes() {
    let notes = ShippedConfig.exchanges.flatMap { exchange in
      (exchange.account?.parts ?? []).compactMap { $0.auth?.note }.unique.map { "\(exchange.name): \($0)" }
    }
    #expect(
      notes == [
        "Bybit: keys of regional sites, such as bybit.eu, need their host (https://api.bybit.eu) as \"baseUrls\" of \"auth\"",
        "Okx: keys of eea.okx.com and us.okx.com need that host as \"baseUrls\" of \"auth\"",
        "Lbank: only HMAC keys work; a secret of more than 32 characters is an RSA key",
        "Korbit: only HMAC-SHA256 keys work",
        "Indodax: keys of the first private API (/tapi) do not work; create one of the second",
      ])
  }

  /// With `refused`, the note is shown beside those codes alone: not while an exchange is down for maintenance.
  @Test(
    arguments: [
      (200, "10003", "venue-error 10003: words; keys of alpha.eu need that host"),
      (200, "10016", "venue-error 10016: words"),
      (401, "10016", "http-401: 10016: words; keys of alpha.eu need that host"),
    ] as [(Int, String, String)])
  func noteIsShownBesideItsCodes(_ status: Int, _ code: String, _ words: String) async throws {
    let exchanges = try StubExchanges(
      config: """
        { "version": 1, "exchanges": { "alpha": {
          "baseUrls": ["https://alpha.test"], "rows": "$.rows[*]",
          "auth": { "headers": { "X-KEY": "{secret:apiKey}" }, "note": "keys of alpha.eu need that host", "refused": ["10003"],
            "success": { "where": [{ "path": "$.code", "equals": "0" }], "code": "$.code", "message": ["$.msg"] } },
          "balances": { \(Self.account("spot")) },
          "markets": { "spot": { "tickers": {
            "request": { "path": "/all" }, "symbol": { "path": "$.s", "split": "-" }, "fields": { "price": "$.p" } } } }
        } } }
        """)
    let answer = Array(#"{"code": "\#(code)", "msg": "words"}"#.utf8)
    var client = exchanges.client { _, _ in .success((status, answer)) }
    client.account = AccountDependencies(secrets: Secrets(), nonces: NoNonces(), crypto: CryptoLibrary())
    let report = await client.balances(of: exchanges.exchanges[0])
    #expect(report.failures.map(\.failure.words) == [words])
  }

  /// A request that is refused for what it says is so for the address in it.
  @Test(arguments: [
    (422, "http-422: the stored 'passphrase' may be wrong"), (400, "http-400: the stored 'passphrase' may be wrong"),
    (404, "http-404: page not found"), (503, "http-503: the exchange's server failed"),
  ])
  func refusedAddressIsNamed(_ status: Int, _ words: String) async throws {
    let exchanges = try StubExchanges(
      config: """
        { "version": 1, "exchanges": { "alpha": {
          "baseUrls": ["https://alpha.test"], "rows": "$.rows[*]",
          "balances": { "spot": { "request": { "path": "/spot/{secret:passphrase}" }, "rows": "$[*]", "asset": "$.a",
            "fields": { "free": "$.f" } } },
          "markets": { "spot": { "tickers": {
            "request": { "path": "/all" }, "symbol": { "path": "$.s", "split": "-" }, "fields": { "price": "$.p" } } } }
        } } }
        """)
    var client = exchanges.client { _, _ in .success((status, Array("no".utf8))) }
    client.account = AccountDependencies(secrets: Secrets(), nonces: NoNonces(), crypto: CryptoLibrary())
    let report = await client.balances(of: exchanges.exchanges[0])
    #expect(report.failures.map(\.failure.words) == [words])
  }

  private static let wallets = """
    { "version": 1, "exchanges": { "alpha": {
      "baseUrls": ["https://alpha.test"], "rows": "$.rows[*]",
      "balances": {
        "futures": { "signed": false, "request": { "path": "/futures" }, "asset": "$.a", "fields": { "free": "$.f" },
          "forEach": [{ "set": { "wallet": "cash" }, "rows": "$.cash[*]" }, { "set": { "wallet": "flex" }, "rows": "$.flex[*]" }] } },
      "markets": { "spot": { "tickers": {
        "request": { "path": "/all" }, "symbol": { "path": "$.s", "split": "-" }, "fields": { "price": "$.p" } } } }
    } } }
    """

  /// Parts of an account that fail together are one failure, those that fail alone are named.
  @Test(
    arguments: [
      (503, "", ["futures  http-503"]), (200, #"{"cash": [], "flex": []}"#, []),
      (200, #"{"cash": []}"#, ["futures wallet=flex path-miss"]),
      (200, "{}", ["futures  path-miss"]),
    ] as [(Int, String, [String])])
  func partsThatFailTogether(_ status: Int, _ answer: String, _ failures: [String]) async throws {
    let exchanges = try StubExchanges(config: Self.wallets)
    let client = exchanges.client { _, _ in .success((status, Array(answer.utf8))) }
    let report = await client.balances(of: exchanges.exchanges[0])
    #expect(report.failures.map { "\($0.account) \($0.part) \($0.failure.reason.code)" } == failures)
  }

  /// A host that wants no requests for a while says until when.
  @Test func banHasAnEnd() async throws {
    let exchanges = try StubExchanges(config: Self.config)
    var client = exchanges.client { _, _ in .success((418, [])) }
    client.account = AccountDependencies(secrets: Secrets(), nonces: NoNonces(), crypto: CryptoLibrary())
    let plain = client.handler
    client.handler = { request throws(TransportError) in
      var response = try await plain(request)
      response.pause = .seconds(240)
      return response
    }
    let report = await client.balances(of: exchanges.exchanges[0])
    #expect(
      report.failures.first?.failure.words == "http-418: banned for too many requests, until 05:17 UTC")
  }

  /// The addresses of requests.
  private final class Urls: Sendable {
    private let all = Mutex<[String]>([])

    var accounts: [String] { all.withLock { $0 }.compactMap { $0.split(separator: "/").last.map(String.init) } }

    func add(_ url: String) { all.withLock { $0.append(url) } }
  }
}
