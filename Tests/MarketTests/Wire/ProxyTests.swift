import Files
import HTTP
import TestSupport
import Testing
import Transport

/// The built program behind a proxy named by the environment, as for curl. The test server plays both the proxy and the
/// exchange, and both log what they receive.
@Suite(.waitsForPrograms) struct ProxyTests {
  /// In all texts, `{proxy}` and `{exchange}` stand for the host and port of the two.
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var environment: [String: String]
    /// The exchange's base address.
    var base = "http://{exchange}"
    /// The proxy's response.
    var answer: [LoopbackServer.Step] = [.bytes(Answer.ok(LocalExchanges.good))]
    /// The requests to the proxy, and those to the exchange itself: method and target.
    var proxied: [String] = []
    var direct: [String] = []
    /// The exchange's failure; nil if there is a price.
    var failure: String?

    init(
      _ name: String, _ environment: [String: String], base: String = "http://{exchange}",
      answer: [LoopbackServer.Step] = [.bytes(Answer.ok(LocalExchanges.good))], proxied: [String] = [],
      direct: [String] = [], failure: String? = nil
    ) {
      testDescription = name
      self.environment = environment
      self.base = base
      self.answer = answer
      self.proxied = proxied
      self.direct = direct
      self.failure = failure
    }
  }

  private static let away = "https://api.example.test"
  /// Too long for a label, which has at most 63 characters, so the resolver refuses it without a query.
  private static let unknownHost = String(repeating: "x", count: 64)

  static let cases = [
    Case("none", [:], direct: ["GET /all"]),
    Case("http_proxy", ["http_proxy": "http://{proxy}"], proxied: ["GET http://{exchange}/all"]),
    Case("without a scheme", ["http_proxy": "{proxy}"], proxied: ["GET http://{exchange}/all"]),
    Case("all_proxy", ["all_proxy": "http://{proxy}"], proxied: ["GET http://{exchange}/all"]),
    Case("that of https is not for http", ["https_proxy": "http://{proxy}"], direct: ["GET /all"]),
    // A web server gives its scripts a client's "Proxy" header under this name.
    Case("HTTP_PROXY in capitals is none", ["HTTP_PROXY": "http://{proxy}"], direct: ["GET /all"]),
    Case(
      "no_proxy names the host", ["http_proxy": "http://{proxy}", "no_proxy": "localhost,127.0.0.1"],
      direct: ["GET /all"]),
    Case("no_proxy for all", ["http_proxy": "http://{proxy}", "no_proxy": "*"], direct: ["GET /all"]),
    Case(
      "no_proxy names another", ["http_proxy": "http://{proxy}", "no_proxy": "example.com"],
      proxied: ["GET http://{exchange}/all"]),
    Case("with a password", ["http_proxy": "http://name:hush@{proxy}"], proxied: ["GET http://{exchange}/all"]),
    Case(
      "wants a password", ["http_proxy": "http://{proxy}"],
      answer: [.bytes(Answer.ok("who?", status: "407 Proxy Authentication Required"))],
      proxied: ["GET http://{exchange}/all"], failure: "http-407 (the proxy requires a login)"),
    Case(
      "https by CONNECT, refused", ["https_proxy": "http://name:hush@{proxy}"], base: away,
      answer: [.bytes(Answer.ok("", status: "403 Forbidden"))], proxied: ["CONNECT api.example.test:443"],
      failure: "no-answer transport (the proxy {proxy} refused to connect to api.example.test:443: HTTP 403)"),
    Case(
      "HTTPS_PROXY in capitals, wants another password", ["HTTPS_PROXY": "http://name:hush@{proxy}"], base: away,
      answer: [.bytes(Answer.ok("", status: "407 Proxy Authentication Required"))],
      proxied: ["CONNECT api.example.test:443"],
      failure: "no-answer transport (the proxy {proxy} refused to connect to api.example.test:443: HTTP 407: it does "
        + "not accept the username and password in its address)"),
    Case(
      "https by CONNECT, wants a password", ["https_proxy": "http://{proxy}"], base: away,
      answer: [.bytes(Answer.ok("", status: "407 Proxy Authentication Required"))],
      proxied: ["CONNECT api.example.test:443"],
      failure: "no-answer transport (the proxy {proxy} refused to connect to api.example.test:443: HTTP 407: it "
        + "requires a username and password, as in https_proxy=http://name:password@host)"),
    Case(
      "nobody listens", ["https_proxy": "http://name:hush@127.0.0.1:1"], base: away,
      failure: "no-answer unreachable (cannot connect to the proxy 127.0.0.1:1 on the way to api.example.test:443)"),
    Case(
      "has no address", ["https_proxy": "http://name:hush@\(unknownHost):3128"], base: away,
      failure: "no-answer unreachable (cannot connect to the proxy \(unknownHost): cannot resolve its name)"),
    Case(
      "is no address", ["https_proxy": "http://name:hush@127.0.0.1:99999"], base: away,
      failure: "no-answer unreachable (cannot connect to the proxy: cannot resolve its name)"),
    Case(
      "of an unknown kind", ["https_proxy": "pigeon://name:hush@{proxy}"], base: away,
      failure: "no-answer unreachable (cannot connect to the proxy on the way to api.example.test:443: it is of an "
        + "unknown kind)"),
  ]

  /// A key for this machine is sent unencrypted, and therefore bypasses every proxy (X12).
  @Test func keyForLocalHostBypassesProxy() throws {
    let proxy = try LoopbackServer { _ in [.bytes(Answer.ok(LocalExchanges.good))] }
    defer { proxy.stop() }
    let exchange = try LoopbackServer { _ in [.bytes(Answer.ok(LocalExchanges.good))] }
    defer { exchange.stop() }
    let folder = try TemporaryFolder()
    let config = LocalExchanges(exchanges: [("Here", "http://127.0.0.1:\(exchange.port)", "/all")]).config
    let keyed = config.replacing("\"baseUrls\"", with: "\"headers\": {\"X-Key\": \"{secret:key}\"}, \"baseUrls\"")
    #expect(keyed != config)
    try FileSystem.writeAtomically(Array(keyed.utf8), to: "\(folder.path)/config.json")
    for words in [["keys", "allow", "Here", "--yes"], ["tickers", "Here", "-m", "spot", "--timeout", "120"]] {
      _ = try Subprocess(
        market: words + ["-c", "\(folder.path)/config.json"],
        environment: [
          "HOME": folder.path, "MARKET_HERE_KEY": "hush-hush", "http_proxy": "http://127.0.0.1:\(proxy.port)",
        ])
    }
    #expect(proxy.received.isEmpty)
    #expect(exchange.received.first?.headers.first(named: "X-Key") == "hush-hush")
  }

  @Test(arguments: cases) func requestsGoThroughProxy(_ sample: Case) throws {
    let proxy = try LoopbackServer { _ in sample.answer }
    defer { proxy.stop() }
    let exchange = try LoopbackServer { _ in [.bytes(Answer.ok(LocalExchanges.good))] }
    defer { exchange.stop() }
    func filled(_ text: String) -> String {
      text.replacing("{proxy}", with: "127.0.0.1:\(proxy.port)").replacing(
        "{exchange}", with: "127.0.0.1:\(exchange.port)")
    }
    let folder = try TemporaryFolder()
    let config = LocalExchanges(exchanges: [("Here", filled(sample.base), "/all")]).config
    try FileSystem.writeAtomically(Array(config.utf8), to: "\(folder.path)/config.json")
    let run = try Subprocess(
      market: [
        "tickers", "Here", "-m", "spot", "-c", "\(folder.path)/config.json", "-f", "csv", "--timeout", "120",
        "--record",
        "\(folder.path)/kept",
      ], environment: sample.environment.mapValues(filled).merging(["HOME": folder.path]) { $1 })

    #expect(Set(proxy.received.map { "\($0.method) \($0.target)" }) == Set(sample.proxied.map(filled)))
    #expect(exchange.received.map { "\($0.method) \($0.target)" } == sample.direct)
    #expect(run.output.contains(",100.5,") == (sample.failure == nil))
    #expect(run.errorOutput.contains(sample.failure.map { "Here spot: \(filled($0))\n" } ?? ""), "\(run.errorOutput)")
    // The password goes to the proxy and nowhere else.
    let isCredentialed = sample.environment.values.contains { $0.contains("name:hush@") }
    let credentials = proxy.received.map { $0.headers.first(named: "Proxy-Authorization") }
    #expect(Set(credentials).subtracting([isCredentialed ? "Basic bmFtZTpodXNo" : nil]).isEmpty, "\(credentials)")
    #expect(!(exchange.received.description + run.output + run.errorOutput).contains("hush"))
    for name in try folder.files() { #expect(try !folder.read(name).contains("hush"), "\(name)") }
  }
}
