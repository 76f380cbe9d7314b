import Files
import HTTP
import TestSupport
import Testing
import Transport

@testable import Shell
@testable import market

/// Samples from an address and from a curl line: what is sent, what is written, and what must appear nowhere.
@Suite struct AddExchangeSourceTests {
  private let world: AddingWorld

  init() throws { world = try AddingWorld() }

  /// Returns a made-up response; some exchanges echo the second member.
  static func answer(_ echo: String = "") -> String {
    """
    {"echo":"\(echo)","rows":[
    {"pair":"BTC_KRW","last":"100500000","high":"101000000","low":"99000000","ts":1700000000123},
    {"pair":"ETH_KRW","last":"4950000","high":"5100000","low":"4900000","ts":1700000000124},
    {"pair":"ETH_BTC","last":"0.0495","high":"0.0510","low":"0.0480","ts":1700000000125}]}
    """
  }

  /// A dry run may lack the address, and says so.
  @Test(arguments: [("--base-url", "https://api.newex.example"), ("", "https://api.example.com")])
  func madeUpAddressIsNamed(_ option: String, _ base: String) async throws {
    let file = try world.save(Self.answer(), as: "sample.json")
    let words =
      ["add-exchange", "Newex", "--from-sample", file, "--dry-run"] + (option.isEmpty ? [] : [option, base])
    let done = try await world.run(words)
    let note = "market: \(base)/tickers is a placeholder; add --tickers URL\n"
    #expect(done.code == .answer && done.errorOutput.contains(note), "\(done.everything)")
    let json = try await world.run(words + ["-f", "json"])
    #expect(json.output.contains("\"placeholder\": \"\(base)/tickers\""), "\(json.everything)")
  }

  @Test func addressIsRequestedOnce() async throws {
    let done = try await world.add(from: "https://api.newex.example/v1/all?x=1", answer: Self.answer())
    #expect(done.code == .answer)
    #expect(world.sent.all.map(\.urls) == [["https://api.newex.example/v1/all?x=1"]])
    let config = try world.text(of: "exchanges.json")
    #expect(config.contains(#""baseUrls": ["https://api.newex.example"]"#))
    #expect(config.contains(#""request": { "path": "/v1/all", "query": { "x": "1" } }"#))
    #expect(
      try world.text(of: "cassettes/Newex/01-spot-tickers.json") == """
        {
          "method": "GET",
          "url": "https://api.newex.example/v1/all?x=1",
          "status": 200,
          "headers": {
            "content-type": "application/json"
          },
          "arrival": "2023-11-14T22:13:21Z",
          "body": "01-spot-tickers.body"
        }

        """)
    #expect(try world.text(of: "cassettes/Newex/01-spot-tickers.body") == Self.answer())
  }

  /// The recording answers the config's requests, and does not interfere with the next one.
  @Test func recordingAnswersConfigRequests() async throws {
    let added = try await world.add(from: "https://api.newex.example/v1/all", answer: Self.answer())
    #expect(added.code == .answer)
    let replay = ["--replay", "\(world.folder.path)/cassettes", "--config", world.config]
    var testing = TestWorld(["test-exchange", "Newex"] + replay)
    testing.context.executablePath = { Checkout.path(".build/debug/market") }
    #expect(await Program.market.run(in: testing.context) == .answer)
    #expect(testing.output.hasPrefix("Newex: good  1 recording of 2023-11-14\n"), "\(testing.output)")
    #expect(
      try FileSystem.names(in: "\(world.folder.path)/cassettes/Newex").sorted() == [
        "01-spot-tickers.body", "01-spot-tickers.json", "add-exchange.txt", "rows.tsv",
      ])
    // In any letter case; and nothing remains.
    var removing = TestWorld(["remove-exchange", "newex", "--config", world.config])
    removing.context.executablePath = { Checkout.path(".build/debug/market") }
    #expect(await Program.market.run(in: removing.context) == .answer)
    #expect(!FileSystem.isThere("\(world.folder.path)/cassettes"))
  }

  struct Secret: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let words: [String]
    var input = ""
    let template: String
  }

  @Test(arguments: [
    Secret(
      testDescription: "in the query", words: ["--from-sample", "https://api.newex.example/t?api_key=hush123"],
      template: #""query": { "api_key": "{secret:api_key}" }"#),
    Secret(
      testDescription: "in a header",
      words: ["--from-curl", "curl https://api.newex.example/t -H 'X-API-KEY: hush123'"],
      template: #""headers": { "X-API-KEY": "{secret:x_api_key}" }"#),
    Secret(
      testDescription: "on standard input", words: ["--from-curl", "-"],
      input: "curl 'https://api.newex.example/t' \\\n  -H 'Authorization: Bearer hush123'\n",
      template: #""headers": { "Authorization": "Bearer {secret:token}" }"#),
  ])
  func secretIsSentButNeverStored(_ secret: Secret) async throws {
    let done = try await world.run(
      ["add-exchange", "Newex", "--yes"] + secret.words, input: secret.input, answer: Self.answer("hush123"))
    #expect(done.code == .answer)
    #expect("\(world.sent.all[0])".contains("hush123") && world.sent.all[0].secrets == ["hush123"])
    #expect(!done.everything.contains("hush123") && done.errorOutput.contains("market keys add Newex"))
    let config = try world.text(of: "exchanges.json")
    #expect(config.contains(secret.template) && !config.contains("hush123"))
    for name in try FileSystem.names(in: "\(world.folder.path)/cassettes/Newex") {
      let text = try world.text(of: "cassettes/Newex/\(name)")
      #expect(!text.contains("hush123"))
      #expect(!name.hasSuffix(".body") || text.contains("REDACTED"))
    }
  }

  @Test func curlCommandWithSavedResponseRequestsNothing() async throws {
    let file = try world.save(Self.answer(), as: "a.json")
    let line = #"curl -X POST https://api.newex.example/t -d '{"all": true}'"#
    let done = try await world.run(
      ["add-exchange", "Newex", "--from-curl", line, "--from-sample", file, "--yes"])
    #expect(done.code == .answer && world.sent.all == [])
    #expect(
      try world.text(of: "exchanges.json").contains(
        #""request": { "method": "POST", "path": "/t", "body": { "all": true } }"#))
    // A saved response is as old as its latest quote.
    let cassette = try world.text(of: "cassettes/Newex/01-spot-tickers.json")
    #expect(cassette.contains(#""arrival": "2023-11-14T22:13:20.125Z""#))
    #expect(cassette.contains(#""requestBody": "{\"all\":true}""#))
  }

  @Test func singlePairAddressBecomesATemplate() async throws {
    let one = #"{"last":"100500000","high":"101000000","low":"99000000","bid":"100490000","ask":"100510000"}"#
    let address = "https://api.newex.example/t/btc?to=KRW"
    let done = try await world.add(from: address, ["--symbol", "BTC/KRW"], answer: one)
    #expect(done.code == .answer)
    let config = try world.text(of: "exchanges.json")
    #expect(config.contains(#""symbol": "request""#))
    #expect(
      config.contains(#""ticker": { "request": { "path": "/t/{asset|lower}", "query": { "to": "{payment}" } } }"#))
    #expect(
      try FileSystem.names(in: "\(world.folder.path)/cassettes/Newex").sorted() == [
        "01-spot-BTC-KRW.body", "01-spot-BTC-KRW.json", "add-exchange.txt", "rows.tsv",
      ], "\(done.errorOutput)")
  }

  /// The pair in the address becomes a template, however the only row is wrapped; a currency that many are paid in does not
  /// make a table an answer about one.
  @Test(arguments: [
    ("t/btc_krw", #"{"btc_krw":ROW}"#, #""ticker": { "request": { "path": "/t/{asset|lower}_{payment|lower}" } }"#),
    (
      "t?m=KRW-BTC", #"[{"m":"KRW-BTC",ROW]"#,
      #""ticker": { "request": { "path": "/t", "query": { "m": "{payment}-{asset}" } } }"#
    ),
    (
      "t?m=BTC", #"{"data":[{"m":"BTC_KRW",ROW]}"#,
      #""ticker": { "request": { "path": "/t", "query": { "m": "{asset}" } } }"#
    ),
    ("all", #"{"BTC_KRW":ROW}"#, #""tickers": { "request": { "path": "/all" } }"#),
    (
      "all?in=KRW", #"[{"m":"BTC_KRW",ROW]"#,
      #""tickers": { "request": { "path": "/all", "query": { "in": "KRW" } } }"#
    ),
  ])
  func theOnlyRowMayBeWrapped(_ place: String, _ answer: String, _ tables: String) async throws {
    let row = #"{"last":"100500000","high":"101000000","low":"99000000","bid":"100490000","ask":"100510000"}"#
    let wrapped = answer.replacing(",ROW", with: "," + row.dropFirst()).replacing("ROW", with: row)
    let address = "https://api.newex.example/\(place)"
    let done = try await world.add(from: address, ["--symbol", "BTC/KRW"], answer: wrapped)
    #expect(done.code == .answer, "\(done.everything)")
    let config = try world.text(of: "exchanges.json")
    #expect(config.contains(tables), "\(config)")
    #expect(!done.errorOutput.contains("test-exchange reports"), "\(done.everything)")
  }

  /// Lowercase letters before a separator are not a prefix.
  @Test func singleRowMayNameItsPairInLowercase() async throws {
    let one = """
      {"ok": true, "list": [{"pair": "btc_usdt", "last": "91500.5", "chg": "0.0123", "vol": "1204.5", "amt": "109000000"}]}
      """
    let done = try await world.add(from: "https://api.newex.example/t", ["--symbol", "BTC/USDT"], answer: one)
    #expect(done.code == .answer, "\(done.everything)")
    #expect(try world.text(of: "exchanges.json").contains(#""symbol": { "path": "$.pair", "split": "_" }"#))
  }

  /// A response without a pair, at an address without one, must not answer for every pair.
  @Test func addressWithoutPairDoesNotAnswerForEveryPair() async throws {
    let one = #"{"last":"100500000","high":"101000000","low":"99000000","bid":"100490000","ask":"100510000"}"#
    let done = try await world.add(from: "https://api.newex.example/t", ["--symbol", "BTC/KRW"], answer: one)
    #expect(done.code == .answer)
    let config = try world.text(of: "exchanges.json")
    #expect(config.contains(#""symbol": { "asset": "BTC", "payment": "KRW" }"#) && config.contains(#""tickers": {"#))
  }

  /// The price of ether would pass for that of bitcoin.
  @Test(arguments: [
    ("t/eth_krw", "ETH/KRW"), ("t?pair=KRW-ETH", "ETH/KRW"), ("t/ethkrw", "ETH/KRW"), ("t/btcusdt", "BTC/USDT"),
    ("t?pair=BTC_USD", "BTC/USD"), ("t?base=BTC&quote=USDT", "USDT"),
  ])
  func addressOfAnotherPairIsRefused(_ place: String, _ other: String) async throws {
    let one = #"{"last":"4850000","high":"4900000","low":"4800000","bid":"4849000","ask":"4851000"}"#
    let address = "https://api.newex.example/\(place)"
    let done = try await world.add(from: address, ["--symbol", "BTC/KRW"], answer: one)
    #expect(
      done.errorOutput.hasPrefix(
        "error: the address names \(other), not BTC/KRW; give the address that the answer came from"),
      "\(done.everything)")
    #expect(world.folder.names == [])
  }

  @Test(arguments: ["krw-market/t/btc", "t?coin=BTC&quote=KRW&market=krw_spot"])
  func addressMayNameTheMarketBesideThePair(_ place: String) async throws {
    let one = #"{"last":"100500000","high":"101000000","low":"99000000","bid":"100490000","ask":"100510000"}"#
    let address = "https://api.newex.example/\(place)"
    let done = try await world.add(from: address, ["--symbol", "BTC/KRW"], answer: one)
    #expect(done.code == .answer, "\(done.everything)")
  }

  struct Refusal: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var words = ["--from-sample", "https://api.newex.example/t?key=hush123"]
    var answer = ""
    var status = 200
    var failure: TransportError?
    var code = ExitCode.noAnswer
    let message: String
  }

  @Test(arguments: [
    Refusal(
      testDescription: "a status", answer: #"{"msg": "no hush123"}"#, status: 403,
      message: #"https://api.newex.example/t answered with status 403: {"msg": "no REDACTED"}"#),
    Refusal(
      testDescription: "TLS", failure: .tls("certificate has expired"),
      message: "https://api.newex.example/t: no secure connection: certificate has expired"),
    Refusal(
      testDescription: "too large", failure: .tooLarge(limit: 9),
      message: "https://api.newex.example/t: the answer is longer than 9 bytes"),
    Refusal(
      testDescription: "HTML", answer: "<html>",
      message:
        "the sample is an HTML page, not an answer of an API; give the answer that lists all pairs with their last prices"
    ),
    Refusal(
      testDescription: "nothing",
      message: "the sample is empty; give the answer that lists all pairs with their last prices"),
    Refusal(
      testDescription: "an address elsewhere", status: 301,
      message: "https://api.newex.example/t answered with status 301: it has moved"),
    Refusal(
      testDescription: "no scheme", words: ["--from-sample", "api.newex.example/t?key=hush123"], code: .usage,
      message: "no such file; an address begins with https://api.newex.example"),
    Refusal(
      testDescription: "a Postman variable", words: ["--from-curl", "curl '{{base}}/t?key=hush123'"], code: .usage,
      message: "the address holds a variable in {{ }}; write its value"),
    Refusal(
      testDescription: "a secret without a name",
      words: ["--from-sample", "https://api.newex.example/t?hush1230123456789abcdef0123456789abcdef"], code: .usage,
      message: "what looks like a secret has no name in the address; write it as NAME=SECRET"),
    Refusal(
      testDescription: "an error response", answer: #"{"error": "bad key hush123"}"#,
      message: "the sample is an error answer: bad key REDACTED"),
    Refusal(
      testDescription: "plain http", words: ["--from-sample", "http://api.newex.example/t"], code: .usage,
      message: "plain http:// is for this machine only; write https://api.newex.example"),
    Refusal(
      testDescription: "an unsupported curl option",
      words: ["--from-curl", "curl -F a=b https://api.newex.example/t?key=hush123"],
      code: .usage,
      message: "curl option '-F' is not supported; the config has no equivalent"),
    Refusal(
      testDescription: "one input for two samples", words: ["--from-curl", "-", "--from-sample", "-"], code: .usage,
      message: "standard input can be used only once; give the others as files"),
    Refusal(
      testDescription: "nothing to learn from", words: [], code: .usage,
      message: "missing answer of the exchange; add --from-sample FILE, URL or -, --from-curl LINE, or --like EXCHANGE"),
  ])
  func refusalChangesNothing(_ refusal: Refusal) async throws {
    let done = try await world.run(
      ["add-exchange", "Newex", "--yes"] + refusal.words, answer: refusal.answer, status: refusal.status,
      failure: refusal.failure)
    #expect(done.code == refusal.code)
    #expect(done.errorOutput.hasPrefix("error: \(refusal.message)\n"))
    #expect(world.folder.names == [] && !done.everything.contains("hush123"))
  }
}
