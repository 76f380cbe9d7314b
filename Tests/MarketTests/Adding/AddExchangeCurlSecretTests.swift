import Files
import HTTP
import TestSupport
import Testing
import Transport

@testable import Onboarding
@testable import Shell
@testable import market

/// Curl lines as people paste them, each containing a secret: it is sent, and appears nowhere afterwards.
@Suite struct AddExchangeCurlSecretTests {
  private let world: AddingWorld

  init() throws { world = try AddingWorld() }

  static let address = "https://api.newex.example/v1/all"

  /// Every secret begins with `hush`; `YTpo` and the like are its base64.
  static let lines: [String] = [
    "curl '\(address)' -H 'Authorization: Bearer hush1234'",
    "curl '\(address)' -H 'authorization: hush1234'",
    "curl '\(address)' -H $'Authorization: Token hush\\u0021234'",
    "curl '\(address)' -H 'X-API-KEY: hush1234' --compressed",
    "curl '\(address)' -H 'X-MBX-APIKEY: hush1234'",
    "curl '\(address)' -H 'OK-ACCESS-KEY: hush1234' -H 'OK-ACCESS-SIGN: hushsign' -H 'OK-ACCESS-PASSPHRASE: hush'",
    "curl '\(address)' -H 'X-BAPI-SIGN: hushsign'",
    "curl '\(address)' -H 'apikey: hush'",
    "curl '\(address)' -H 'X-Auth-Token: hush'",
    "curl '\(address)' -H 'x-csrf-token: hush1234'",
    "curl '\(address)' -H 'Cookie: sid=hush; lang=ko'",
    "curl '\(address)' -b 'sid=hush; lang=ko'",
    "curl '\(address)' --cookie 'hush=1'",
    "curl '\(address)?apiKey=hush1234'",
    "curl '\(address)?api_key=hush'",
    "curl '\(address)?api-key=hush&x=1'",
    "curl '\(address)?token=hush1234'",
    "curl '\(address)?token=hush_secret'",
    "curl '\(address)?access_token=hush'",
    "curl '\(address)?signature=hush'",
    "curl '\(address)?sign=hush1&timestamp=1700000000'",
    "curl '\(address)?x_cg_demo_api_key=hush'",
    "curl '\(address)?appid=hush'",
    "curl '\(address)?subscription-key=hush1234'",
    "curl '\(address)?password=hush&user=me'",
    "curl '\(address)?userkey=hushab'",
    "curl '\(address)?passcode=hush1'",
    "curl 'https://api.newex.example/3f9a61hush0c07d2e48/all'",
    "curl '\(address)?x=hush00aa11bb22cc33dd44ee55'",
    "curl -G '\(address)' --data-urlencode 'apiKey=hush+12 34'",
    "curl -G '\(address)' -d apiKey=hush1234 -d x=1",
    "curl '\(address)' --url-query token=hush1234",
    "curl -u hushuser:hush1234 '\(address)'",
    "curl --user 'hushuser:hush1234' --url '\(address)'",
    "curl --oauth2-bearer hush1234 '\(address)'",
    "curl 'https://hushuser:hush1234@api.newex.example/v1/all'",
    "curl 'https://api.newex.example/hush00aa11bb22cc33dd44ee55/all'",
    #"curl '\#(address)' --data-raw '{"apiKey":"hush1234","deep":[{"token":"hush_secret"}]}'"#,
    #"curl '\#(address)' --json '{"password":"hush"}' --http2 -k"#,
    "curl \"\(address)\" -H \"X-API-KEY: hush1234\" -H \"accept: */*\"",
    "curl --location '\(address)' \\\n--header 'Authorization: Basic aHVzaDpodXNo' \\\n--header 'hush-key: hush1234'",
  ]

  private static func isClean(_ text: String) -> Bool {
    // A header may have any name: only its value is a secret.
    let words = text.replacing("hush-key", with: "").replacing("hush_key", with: "").replacing("HUSH_KEY", with: "")
    return !words.lowercased().contains("hush") && !words.contains("aHVza")
  }

  private func files() throws -> [String] {
    var texts = [try world.text(of: "exchanges.json")]
    let folder = "\(world.folder.path)/cassettes/Newex"
    for name in try FileSystem.names(in: folder) {
      texts.append(String(decoding: try FileSystem.read("\(folder)/\(name)"), as: UTF8.self))
    }
    return texts
  }

  @Test(arguments: lines)
  func secretIsSentButNeverStored(_ line: String) async throws {
    let done = try await world.run(
      ["add-exchange", "Newex", "--from-curl", "-", "--yes", "--diff", "--symbol", "BTC/KRW"], input: line,
      answer: AddExchangeSourceTests.answer(line.contains("hush1234") ? "you are hush1234" : ""))
    #expect(done.code == .answer, "\(done.everything)")
    let sent = try #require(world.sent.all.first)
    let request = sent.urls[0] + sent.headers.map(\.value).joined() + String(decoding: sent.body ?? [], as: UTF8.self)
    #expect(request.contains("hush") || request.contains("aHVza"))
    #expect(Self.isClean(done.output))
    #expect(Self.isClean(done.errorOutput))
    for text in try files() { #expect(Self.isClean(text), "\(text)") }
    #expect(try files()[0].contains("{secret:"))
    // The recording answers the config's requests.
    let replay = ["--replay", "\(world.folder.path)/cassettes", "--config", world.config]
    var testing = TestWorld(["test-exchange", "Newex"] + replay)
    testing.context.executablePath = { Checkout.path(".build/debug/market") }
    #expect(await Program.market.run(in: testing.context) == .answer)
    #expect(testing.output.hasPrefix("Newex: good"), "\(testing.output)")
  }

  @Test(arguments: lines)
  func secretIsInNoError(_ line: String) async throws {
    let failures: [TransportError] = [.timeout, .tls("hush"), .tooLarge(limit: 1)]
    for failure in failures.prefix(1) {
      let done = try await world.run(
        ["add-exchange", "Newex", "--from-curl", line, "--yes"], failure: failure)
      #expect(done.code == .noAnswer && Self.isClean(done.everything), "\(done.everything)")
    }
    let refused = try await world.run(
      ["add-exchange", "Newex", "--from-curl", line, "--yes"], answer: #"{"error":"hush1234 is no key"}"#, status: 401)
    #expect(refused.code == .noAnswer)
    // An echoed secret is hidden if complete, not if the text only begins like one.
    if line.contains("hush1234") { #expect(Self.isClean(refused.everything), "\(refused.everything)") }
    // A truncated line, and one with an unknown option.
    for broken in [line + " --zzz=hush1234", line + " -H", line + " 'hush", "x" + line] {
      let done = try await world.run(["add-exchange", "Newex", "--from-curl", broken, "--yes"])
      #expect(done.code == .usage && Self.isClean(done.everything), "\(broken): \(done.everything)")
    }
  }

  /// Several secrets are stored with one command.
  @Test func secretsHaveOneRemedy() async throws {
    let done = try await world.run(
      [
        "add-exchange", "Newex", "--from-curl", "-", "--yes", "--symbol", "BTC/KRW",
      ], input: "curl '\(Self.address)?apiKey=hush1234' -H 'X-Auth-Token: hush_token'",
      answer: AddExchangeSourceTests.answer())
    #expect(done.code == .answer, "\(done.everything)")
    let notes = done.errorOutput.split(separator: "\n").filter { $0.contains("secret") }
    #expect(
      notes == [
        "market: parameter 'apiKey' and header 'X-Auth-Token' are secrets and stay out of the config; once it is "
          + "written, store them with: market keys add Newex -c \(world.config)"
      ])
  }

  /// Names that a coin, pair or column may have as well.
  @Test(arguments: [
    "token=ETH", "quoteToken=USDT", "tokens=BTC,ETH,USDT,SOL,ADA", "key=last", "sortKey=volume", "sign=1", "auth=false",
    "session=spot", "symbol=BTCUSDT", "market=KRW-BTC,KRW-ETH,KRW-XRP", "limit=1000", "token=wrapped-bitcoin",
    "id=bitcoin", "passive=1", "design=flat",
  ])
  func nonSecretsAreKept(_ item: String) throws {
    let request = try ExchangeRequest(CurlLine("curl 'https://a.example/t?\(item)'").request)
    #expect(request.query.map { "\($0.name)=\($0.value)" } == [item] && request.secrets == [])
  }
}
