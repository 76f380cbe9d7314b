import HTTP
import Testing
import Transport

@testable import market

/// Options for the keys that no answer can tell.
@Suite struct AddExchangeKeyTests {
  private let world: AddingWorld

  init() throws { world = try AddingWorld() }

  private static let sample = """
    {"code":0,"rows":[{"pair":"BTC_KRW","last":"100500000","high":"101000000","low":"99000000","st":"live"},
    {"pair":"ETH_KRW","last":"4950000","high":"--","low":"4900000","st":"dead"},
    {"pair":"XRP_KRW","last":"800","high":"810","low":"790","st":"live"}]}
    """

  private func add(_ words: [String]) async throws -> AddingWorld.Outcome {
    let file = try world.save(Self.sample, as: "a.json")
    return try await world.run(
      ["add-exchange", "Newex", "--from-sample", file, "--tickers", "https://a.newex.example/t", "--yes"] + words)
  }

  struct Key: Sendable, CustomTestStringConvertible {
    let words: [String]
    let texts: [String]
    var testDescription: String { words.joined(separator: " ") }
  }

  @Test(arguments: [
    Key(words: ["--docs", "https://d.example"], texts: [#""docs": "https://d.example""#]),
    Key(words: ["--names", "New Ex,NX", "--names", "新"], texts: [#""names": ["New Ex", "NX", "新"]"#]),
    Key(words: ["--badge", "NX", "--note", "spot only"], texts: [#""badge": "NX""#, #""note": "spot only""#]),
    Key(words: ["--disabled"], texts: [#""enabled": false"#]),
    Key(words: ["--verified", "2026-07-01"], texts: [#""verified": "2026-07-01""#]),
    Key(words: ["--limit", "20/1s"], texts: [#""limit": { "requests": 20, "per": "1s" }"#]),
    Key(words: ["--limit", "600/m", "--cost", "2"], texts: [#""requests": 600, "per": "1m""#, #""cost": 2"#]),
    Key(words: ["--limit", "+20/1s", "--cost", "007"], texts: [#""requests": 20, "per": "1s""#, #""cost": 7"#]),
    Key(words: ["--taker-fee", "0.1"], texts: [#""takerFee": 0.1"#]),
    Key(words: ["--taker-fee", "KRW=0.05,*=0.25"], texts: [#""takerFee": { "KRW": 0.05, "*": 0.25 }"#]),
    Key(words: ["--refresh", "2s", "--stale-after", "5m"], texts: [#""refresh": "2s""#, #""staleAfter": "5m""#]),
    Key(
      words: ["--base-url", "https://a.newex.example", "--base-url", "https://b.newex.example/v1/"],
      texts: [#""baseUrls": ["https://a.newex.example", "https://b.newex.example/v1"]"#]),
    Key(
      words: ["--header", "Accept: text/json", "--header", "X-API-KEY: {secret:mine}"],
      texts: [#""headers": { "Accept": "text/json", "X-API-KEY": "{secret:mine}" }"#]),
    Key(words: ["--query", "a=1", "--query", "b=x y&z"], texts: [#""query": { "a": "1", "b": "x y&z" }"#]),
    Key(
      words: ["--query", "page%5Bsize%5D=1", "--query", "a&b=1"],
      texts: [#""query": { "page%5Bsize%5D": "1", "a&b": "1" }"#]),
    Key(words: ["--query", "page[size]=1"], texts: [#""query": { "page[size]": "1" }"#]),
    Key(
      words: ["--body", #"{"a": [1, "{now.ms}"]}"#],
      texts: [#""method": "POST""#, #""body": { "a": [1, "{now.ms}"] }"#]),
    Key(words: ["--method", "POST"], texts: [#""request": { "method": "POST", "path": "/t" }"#]),
    Key(words: ["--where", "$.st=live"], texts: [#""where": [{ "path": "$.st", "equals": "live" }]"#]),
    Key(
      words: [
        "--success", "$.code=0,200", "--error-code", "$.code", "--error-message", "$.msg", "--error-message", "$.e",
        "--unlisted", "$.code=404",
      ],
      texts: [
        #""where": [{ "path": "$.code", "in": ["0", "200"] }]"#, #""message": ["$.msg", "$.e"]"#,
        #""unlisted": [{ "path": "$.code", "equals": "404" }]"#,
      ]),
    Key(
      words: ["--missing=--", "--missing", "-"],
      texts: [#""price": { "path": "$.last", "missing": ["", "nan", "NaN", "N/A", "--", "-"] }"#]),
    Key(
      words: ["--payment", "fiat=KRW", "--payment", "stable=USDT,USDC"],
      texts: [#""paymentCurrencies": { "fiat": ["KRW"], "stable": ["USDT", "USDC"] }"#]),
    Key(
      words: ["--alias", "XBT=BTC,BCHABC=BCH", "--multiplier", "1000=1000"],
      texts: [#""aliases": { "XBT": "BTC", "BCHABC": "BCH" }"#, #""multiplier": { "1000": 1000 }"#]),
    Key(
      words: ["--ticker", "/one?s={asset|lower}_{payment}", "--ticker-rows", "$.row"],
      texts: [
        #""ticker": { "request": { "path": "/one", "query": { "s": "{asset|lower}_{payment}" } }, "rows": "$.row" }"#
      ]),
    Key(
      words: ["--set", "fields.high={\"path\":\"$.high\",\"basis\":\"utcDay\"}", "--set", "markets.spot.refresh=3s"],
      texts: [#""high": { "path": "$.high", "basis": "utcDay" }"#, #""refresh": "3s""#]),
    Key(words: ["--set", "fields.low=null"], texts: [#""low": null"#]),
  ])
  func everyKeyHasAnOption(_ key: Key) async throws {
    let done = try await add(key.words)
    #expect(done.code == .answer, "\(done.everything)")
    let config = try world.text(of: "exchanges.json").split(whereSeparator: \.isWhitespace).joined(separator: " ")
    for text in key.texts { #expect(config.contains(text), "\(config)") }
  }

  struct Refusal: Sendable, CustomTestStringConvertible {
    let words: [String]
    var code = ExitCode.usage
    let message: String
    var testDescription: String { words.joined(separator: " ") }
  }

  @Test(arguments: [
    Refusal(words: ["--header", "hush123"], message: "--header is written as 'NAME: VALUE'"),
    Refusal(words: ["--query", "=1"], message: "--query is written as NAME=VALUE"),
    Refusal(words: ["--body", "a=hush123"], message: "--body is no JSON"),
    Refusal(words: ["--body", "{}", "--method", "GET"], message: "--method GET sends no --body"),
    Refusal(
      words: ["--limit", "many"],
      message: "invalid value 'many' for '--limit'; expected requests and a time, such as 20/1s"),
    Refusal(
      words: ["--where", "live"],
      message: "invalid value 'live' for '--where'; expected a condition such as '$.state=live', '$.price>0', "
        + "'$.error is absent'"),
    Refusal(words: ["--set", "docs"], message: "invalid value 'docs' for '--set'; expected KEY=JSON, such as docs=…"),
    Refusal(
      words: ["--ticker", "/one"],
      message: "--ticker asks for one pair: write {asset} and {payment} where it names the pair"),
    Refusal(words: ["--ticker-rows", "$.x"], message: "--ticker-rows says where the answer to --ticker has its row"),
    Refusal(
      words: ["--base-url", "https://u:hush123@a.example"],
      message: "--base-url is a host, with a path perhaps, and nothing else"),
    Refusal(
      words: ["--badge", "LONG"], code: .invalidConfig, message: "up to three letters or an emoji"),
    Refusal(words: ["--set", "feilds={}"], code: .invalidConfig, message: "unknown key 'feilds'"),
    Refusal(words: ["--refresh", "soon"], code: .invalidConfig, message: "a number and a unit"),
  ])
  func whatCannotBeIsRefused(_ refusal: Refusal) async throws {
    let done = try await add(refusal.words)
    #expect(done.code == refusal.code, "\(done.everything)")
    #expect(done.errorOutput.contains(refusal.message), "\(done.errorOutput)")
    #expect(world.folder.names == ["a.json"] && !done.everything.contains("hush123"))
  }

  /// What a request needs is sent when the answer is asked for, too.
  @Test func theFlagsOfARequestAreSent() async throws {
    let done = try await world.run(
      [
        "add-exchange", "Newex", "--from-sample", "https://a.newex.example/t?x=0#f", "--header", "X-API-KEY: hush123",
        "--query", "x=1", "--query", "y=2", "--body", "{}", "--yes",
      ], answer: Self.sample)
    #expect(done.code == .answer && !done.everything.contains("hush123"))
    let sent = try #require(world.sent.all.first)
    #expect(sent.method == "POST" && sent.urls == ["https://a.newex.example/t?x=1&y=2"])
    #expect(sent.headers.first { $0.name == "X-API-KEY" }?.value == "hush123")
  }

  /// XBT is BTC in the shipped config; an exchange may have names of its own.
  @Test(arguments: [["--symbol", "BTC/USD"], ["--symbol", "XBT/USD"], ["--symbol", "BTC/Q", "--alias", "Q=USD"]])
  func thePairMayBeNamedByAnAlias(_ words: [String]) async throws {
    let rows = #"[{"s":"XBT-USD","last":"9","high":"10","low":"8"},{"s":"ETH-USD","last":"5","high":"6","low":"4"}]"#
    let done = try await world.run(
      ["add-exchange", "Newex", "--from-sample", "https://a.newex.example/t", "--yes"] + words, answer: rows)
    #expect(done.code == .answer && done.everything.contains("is among the rows"), "\(done.everything)")
  }

  @Test func anInventedSampleIsNotWrittenForItsPriceAlone() async throws {
    let rows = """
      [{"s":"BTC-USD","last":"100","bid":"120","ask":"90"},{"s":"ETH-USD","last":"50","bid":"60","ask":"45"},
      {"s":"XRP-USD","last":"7","bid":"8","ask":"6"}]
      """
    let words = ["add-exchange", "Newex", "--from-sample", "https://a.newex.example/t", "--yes"]
    let done = try await world.run(words, answer: rows)
    #expect(done.code == .noAnswer && world.folder.names == [], "\(done.everything)")
    #expect(done.errorOutput.contains("the sample looks invented, and nothing but its price is left"))
    let sworn = try await world.run(words + ["--price", "$.last"], answer: rows)
    #expect(sworn.code == .answer, "\(sworn.everything)")
  }

  @Test(arguments: [
    ("-", true), ("tickers=-", true), ("https://h.example/t?cursor=-", false), ("a.json", false), ("--", false),
  ])
  func aWordReadsStandardInput(_ word: String, _ reads: Bool) {
    #expect(SampleWord.readsInput(word) == reads)
  }

  /// Said twice it is the same, whatever the name holds.
  @Test(arguments: ["page%5Bsize%5D", "page[size]", "a&b", "x=y", "a b", "{asset}", "한"])
  func aParameterStandsOnce(_ name: String) throws {
    var request = SampleRequest(url: "https://a.example/t?z=1#f")
    for value in ["1", "2", "2"] { request.setParameter(name, to: value) }
    let items = try request.address().query.split(separator: "&")
    #expect(items.count == 2 && items.last?.hasSuffix("=2") == true)
    #expect(URLText.decoded(String(items[1].prefix { $0 != "=" })) == name)
  }

  @Test func theRequestForOnePairIsProved() async throws {
    let one = try world.save(
      #"{"code":0,"row":{"pair":"BTC_KRW","last":"100500000","high":"101000000","low":"99000000","st":"live"}}"#,
      as: "one.json")
    let ticker = ["--ticker", "/one?s={asset}_{payment}", "--from-sample", "ticker=\(one)"]
    let lost = try await add(ticker)
    #expect(lost.code == .noAnswer && lost.errorOutput.contains("say where its row is with --ticker-rows"))
    #expect(world.folder.names.sorted() == ["a.json", "one.json"])
    let done = try await add(ticker + ["--ticker-rows", "$.row"])
    #expect(done.code == .answer, "\(done.everything)")
    #expect(
      try world.text(of: "cassettes/Newex/02-spot-BTC-KRW.json").contains("https://a.newex.example/one?s=BTC_KRW"))
  }

  @Test func anAddressWithTemplatesIsFilledWithThePair() async throws {
    let words = [
      "add-exchange", "Newex", "--from-sample", "https://a.newex.example/t/{asset|lower}-{payment}", "--yes",
    ]
    let answer = #"{"last":"100500000","high":"101000000","low":"99000000"}"#
    let open = try await world.run(words, answer: answer)
    #expect(open.code == .usage && open.errorOutput.contains("say which pair to ask for: --symbol BTC/KRW"))
    let done = try await world.run(words + ["--symbol", "BTC/KRW"], answer: answer)
    #expect(done.code == .answer, "\(done.everything)")
    #expect(world.sent.all.map(\.urls) == [["https://a.newex.example/t/btc-KRW"]])
  }
}
