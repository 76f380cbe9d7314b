import Config
import Inference
import Quotes
import Testing

@testable import Onboarding

/// A request as written in the config.
@Suite struct ExchangeRequestTests {
  private func request(_ line: String) throws -> ExchangeRequest {
    try ExchangeRequest(CurlLine("curl " + line).request)
  }

  @Test func addressesBecomeTemplates() throws {
    var one = try #require(
      try ExchangeRequest.request(
        bases: [], tickers: "https://a.example/v1/krw-btc/x?symbol=BTCKRW&q={}&c=btc", sample: nil))
    one.ask(for: Pair(asset: "BTC", payment: "KRW"))
    #expect(one.base == "https://a.example" && one.path == "/v1/{payment|lower}-{asset|lower}/x" && one.isAboutPair)
    #expect(one.query.map(\.value) == ["{asset}{payment}", "{{}", "{asset|lower}"])
  }

  /// An exchange's own name of the pair is found only if its table's spelling is known; a number could be anything.
  @Test(
    arguments: [
      ("XBTUSD", "/{symbol|lower}/book", ["{symbol}", "7"]), ("7", "/xbtusd/book", ["XBTUSD", "7"]),
      (nil, "/xbtusd/book", ["XBTUSD", "7"]),
    ] as [(String?, String, [String])])
  func ownSymbolBecomesTemplate(_ symbol: String?, _ path: String, _ query: [String]) throws {
    var one = try request("'https://a.example/xbtusd/book?symbol=XBTUSD&id=7'")
    one.ask(for: Pair(asset: "BTC", payment: "USD"), spelled: symbol)
    #expect(one.path == path && one.query.map(\.value) == query && one.isAboutPair == (symbol == "XBTUSD"))
  }

  /// A number is the pair if it is a whole part of the path, and nothing else names the pair.
  @Test(arguments: [
    ("/2/book/1000?limit=1000", "1000", "/2/book/{symbol}"), ("/2/book/2", "2", "/2/book/{symbol}"),
    ("/7/book/BTC-USD", "7", "/7/book/{asset}-{payment}"), ("/v7/book", "7", "/v7/book"), ("//book", "", "//book"),
  ])
  func aNumberInThePathBecomesTemplate(_ address: String, _ symbol: String, _ path: String) throws {
    var one = try request("'https://a.example\(address)'")
    one.ask(for: Pair(asset: "BTC", payment: "USD"), spelled: symbol)
    #expect(one.path == path && one.isAboutPair == path.contains("{"))
    #expect(one.query.allSatisfy { $0.value == "1000" })
  }

  /// A body may name the pair by its currencies, by the exchange's own name or number, or in a template.
  @Test(
    arguments: [
      (#"{"type":"l2Book","coin":"BTC"}"#, "BTC-USD", #"{ "type": "l2Book", "coin": "{asset}" }"#),
      (#"{"type":"l2Book","coin":"{symbol}"}"#, nil, #"{ "type": "l2Book", "coin": "{symbol}" }"#),
      (#"{"req":{"market_id":7,"depth":7}}"#, "7", #"{ "req": { "market_id": "{symbol|number}", "depth": 7 } }"#),
      (#"{"market_id":"7"}"#, "7", #"{ "market_id": "{symbol}" }"#), (#"{"depth":7}"#, "7", nil),
    ] as [(String, String?, String?)])
  func aBodyNamesThePair(_ body: String, _ symbol: String?, _ written: String?) throws {
    let request = try CurlLine("curl https://a.example/info -d '\(body)'").request
    var one = try ExchangeRequest(request, placeholders: BlockKind.orderbook.placeholders)
    one.ask(for: Pair(asset: "BTC", payment: "USD"), spelled: symbol)
    #expect(one.isAboutPair == (written != nil) && one.block.body?.text(lead: 0) == written ?? #"{ "depth": 7 }"#)
  }

  /// The request for a sample has the pair in place of its templates.
  @Test func aBodyIsFilledIn() throws {
    let request = try CurlLine(#"curl https://a.example/x -d '{"pair":"{asset}_{payment|lower}","q":"{}"}'"#).request
    let filled = try request.filled(for: Pair("BTC/KRW"))
    #expect(filled.body.map { String(decoding: $0, as: UTF8.self) } == #"{ "pair": "BTC_krw", "q": "{}" }"#)
    #expect(throws: OnboardingProblem.self) { try request.filled(for: nil) }
    let secret = try CurlLine(#"curl https://a.example/x -d '{"key":"{secret:key}"}'"#).request
    #expect(throws: OnboardingProblem.self) { try secret.filled(for: Pair("BTC/KRW")) }
  }

  /// `--tickers` may contain templates of the pair, but a secret in it is still a secret.
  @Test func secretsInTickersOptionBecomeTemplates() throws {
    let one = try #require(
      try ExchangeRequest.request(
        bases: [], tickers: "https://a.example/t?apiKey=hush1&symbol={asset}&key={payment}", sample: nil))
    #expect(one.query.map(\.value) == ["{secret:apikey}", "{asset}", "{payment}"])
    #expect(one.secrets.map(\.value) == ["hush1"])
  }

  @Test func addressWithoutPairStaysUnchanged() throws {
    var all = try request("https://a.example/v1/tickers?quote=USD")
    all.ask(for: Pair(asset: "BTC", payment: "KRW"))
    #expect(!all.isAboutPair && all.path == "/v1/tickers")
  }

  @Test func optionsTakePrecedenceOverSample() throws {
    let sample = SampleRequest(url: "https://a.example/v1/x?a=1")
    let moved = try #require(
      try ExchangeRequest.request(bases: ["https://b.example/v1/"], tickers: nil, sample: sample))
    #expect(moved.base == "https://b.example/v1" && moved.path == "/x" && moved.query.map(\.name) == ["a"])
    let path = try #require(
      try ExchangeRequest.request(bases: [], tickers: "t/{asset}?b=%2C+2", sample: sample))
    #expect(path.base == "https://a.example" && path.path == "/t/{asset}" && path.query.map(\.value) == [", 2"])
    #expect(try ExchangeRequest.request(bases: ["https://a.example"], tickers: nil, sample: nil) == nil)
    #expect(throws: OnboardingProblem.self) { try ExchangeRequest.request(bases: [], tickers: "/t", sample: nil) }
  }

  @Test(arguments: [
    "ftp://a.example/x", "a.example", "https://", "http://a.example/x", "https:///x", "http://127.0.0.1.evil.example/",
  ])
  func unsupportedAddressesAreRefused(_ url: String) {
    #expect(throws: OnboardingProblem.self) { try ExchangeRequest(SampleRequest(url: url)) }
  }

  /// An address is about a pair only if it names that one, and not one whose currency begins with the same letters.
  @Test(
    arguments: [
      ("BTC-USD", "{asset}-{payment}"), ("btcusd", "{asset|lower}{payment|lower}"), ("USD_BTC", "{payment}_{asset}"),
      ("tBTCUSD", "t{asset}{payment}"), ("BTCUSDM", "{asset}{payment}M"), ("BTC-USD-PERP", "{asset}-{payment}-PERP"),
      ("BTC-USDT", nil), ("btcusdc", nil), ("BTC_USDTPERP", nil),
    ] as [(String, String?)])
  func addressNamesThePair(_ symbol: String, _ template: String?) throws {
    var request = try ExchangeRequest(SampleRequest(url: "https://a.example/t?symbol=\(symbol)"))
    request.ask(for: Pair(asset: "BTC", payment: "USD"))
    #expect(request.isAboutPair == (template != nil))
    #expect(request.query.map(\.value) == [template ?? symbol])
  }

  /// A number names a pair only where it is the table's symbol, in a parameter that may be about one.
  @Test(
    arguments: [
      ("market_id=107", "107", "{symbol}"), ("instrumentId=107", "107", "{symbol}"), ("limit=107", "107", nil),
      ("market_id=108", "107", nil), ("market_id=107", nil, nil),
    ] as [(String, String?, String?)])
  func numbersNamePairs(_ query: String, _ symbol: String?, _ template: String?) throws {
    var request = try ExchangeRequest(SampleRequest(url: "https://a.example/t?\(query)"))
    request.ask(for: Pair(asset: "BTC", payment: "USD"), spelled: symbol)
    #expect(request.isAboutPair == (template != nil))
    #expect(request.query.first?.value == template ?? query.split(separator: "=").last.map(String.init))
  }

  struct Secret: Sendable, CustomTestStringConvertible {
    let line: String
    let query: [String]
    var headers: [String] = []
    let secrets: [String]

    var testDescription: String { line }
  }

  @Test(arguments: [
    Secret(line: "'https://a.example/t?apikey=hush&x=1'", query: ["{secret:apikey}", "1"], secrets: ["apikey=hush"]),
    Secret(
      line: "https://a.example/t -H 'X-API-KEY: hush' -H 'Accept: */*'", query: [],
      headers: ["X-API-KEY: {secret:x_api_key}"], secrets: ["x_api_key=hush"]),
    Secret(
      line: "https://a.example/t -H 'Authorization: Bearer hush' -b 'sid=hush2'", query: [],
      headers: ["Authorization: Bearer {secret:token}", "Cookie: {secret:cookie}"],
      secrets: ["token=hush", "cookie=sid=hush2"]),
    Secret(
      line: "https://u:p@a.example/t", query: [], headers: ["Authorization: Basic {secret:basic_auth}"],
      secrets: ["basic_auth=dTpw"]),
    Secret(
      line: "'https://a.example/t?q=9f86d081884c7d659a2feaa0c55ad015&symbol=BTC-USDT,ETH-USDT&time=1700000000000'",
      query: ["{secret:q}", "BTC-USDT,ETH-USDT", "1700000000000"], secrets: ["q=9f86d081884c7d659a2feaa0c55ad015"]),
    Secret(
      line: "'https://a.example/t?token=hush1a&api_token=hush&Token=hush1c&key=BTC&coin=ethereum'",
      query: ["{secret:token}", "{secret:api_token}", "{secret:token_2}", "BTC", "ethereum"],
      secrets: ["token=hush1a", "api_token=hush", "token_2=hush1c"]),
  ])
  func secretsBecomeTemplates(_ example: Secret) throws {
    let request = try request(example.line)
    #expect(request.query.map(\.value) == example.query)
    #expect(request.headers.map { "\($0.name): \($0.value)" } == example.headers)
    #expect(request.secrets.map { "\($0.name)=\($0.value)" } == example.secrets)
    #expect(!request.base.contains("@"))
  }

  @Test func bodyIsSearched() throws {
    let request = try request(
      #"https://a.example/t -d '{"id": 1, "key": "hush12", "q": "{x}", "a": [true, "b"]}'"#)
    #expect(
      request.body?.text() == #"{ "id": 1, "key": "{secret:key}", "q": "{{x}", "a": [true, "b"] }"#)
    #expect(request.secrets.map(\.place) == ["member 'key' of the body"])
  }

  @Test func signatureIsNamed() throws {
    #expect(try request("'https://a.example/t?timestamp=1&signature=abc'").signatures == ["signature"])
  }
}
