import HTTP
import TestSupport
import Testing
import Transport

@testable import Onboarding
@testable import Shell

/// Options for the keys that no response reveals.
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
    Key(words: ["--set", "docs=https://d.example"], texts: [#""docs": "https://d.example""#]),
    Key(words: ["--set", #"names=["New Ex","新"]"#], texts: [#""names": ["New Ex", "新"]"#]),
    Key(words: ["--set", "badge=NX", "--set", "note=spot only"], texts: [#""badge": "NX""#, #""note": "spot only""#]),
    Key(words: ["--set", "enabled=false"], texts: [#""enabled": false"#]),
    Key(words: ["--set", #"limit={"requests":20,"per":"1s"}"#], texts: [#""limit": { "requests": 20, "per": "1s" }"#]),
    Key(words: ["--set", #"takerFee={"KRW":0.05,"*":0.25}"#], texts: [#""takerFee": { "KRW": 0.05, "*": 0.25 }"#]),
    Key(
      words: ["--set", "refresh=2s", "--set", "staleAfter=5m"], texts: [#""refresh": "2s""#, #""staleAfter": "5m""#]),
    Key(
      words: ["--base-url", "https://a.newex.example", "--base-url", "https://b.newex.example/v1/"],
      texts: [#""baseUrls": ["https://a.newex.example", "https://b.newex.example/v1"]"#]),
    Key(
      words: ["--set", #"where=[{"path":"$.st","equals":"live"}]"#],
      texts: [#""where": [{ "path": "$.st", "equals": "live" }]"#]),
    Key(words: ["--set", #"success.message=["$.msg","$.e"]"#], texts: [#""message": ["$.msg", "$.e"]"#]),
    Key(
      words: ["--set", #"markets.spot.paymentCurrencies={"fiat":["KRW"],"stable":["USDT"]}"#],
      texts: [#""paymentCurrencies": { "fiat": ["KRW"], "stable": ["USDT"] }"#]),
    Key(
      words: ["--set", #"aliases={"XBT":"BTC"}"#, "--set", #"multiplier={"1000":1000}"#],
      texts: [#""aliases": { "XBT": "BTC" }"#, #""multiplier": { "1000": 1000 }"#]),
    Key(
      words: ["--ticker", "/one?s={asset|lower}_{payment}", "--set", "markets.spot.ticker.rows=$.row"],
      texts: [
        #""ticker": { "request": { "path": "/one", "query": { "s": "{asset|lower}_{payment}" } }, "rows": "$.row" }"#
      ]),
    Key(
      words: ["--set", "fields.high={\"path\":\"$.high\",\"basis\":\"utcDay\"}", "--set", "markets.spot.refresh=3s"],
      texts: [#""high": { "path": "$.high", "basis": "utcDay" }"#, #""refresh": "3s""#]),
    Key(words: ["--set", "markets.spot.tickers.request.cost=2"], texts: [#""cost": 2"#]),
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
    Refusal(
      words: ["--set", "docs"], message: "invalid value 'docs' for '--set'; expected KEY=JSON, such as docs=https://…"),
    Refusal(
      words: ["--set", "a..b=1"], message: "invalid value 'a..b=1' for '--set'; expected names with '.' between them"),
    Refusal(
      words: ["--ticker", "/one"],
      message: "--ticker requests one pair; write {asset} and {payment} where it names the pair"),
    Refusal(
      words: ["--base-url", "https://u:hush123@a.example"],
      message: "--base-url takes a host, with a path if needed, and nothing else"),
    Refusal(
      words: ["--set", "fields.changePricePercent24.basis=day"],
      message:
        "invalid value 'fields.changePricePercent24.basis=day' for '--set'; expected rolling24h, utcDay, kstDay, "
        + "utc8Day, venueDay or previousClose"),
    Refusal(words: ["--set", "badge=LONG"], code: .invalidConfig, message: "up to three letters or an emoji"),
    Refusal(words: ["--set", "feilds={}"], code: .invalidConfig, message: "feilds"),
    Refusal(words: ["--set", "refresh=soon"], code: .invalidConfig, message: "a number and a unit"),
  ])
  func invalidOptionsAreRefused(_ refusal: Refusal) async throws {
    let done = try await add(refusal.words)
    #expect(done.code == refusal.code, "\(done.everything)")
    #expect(done.errorOutput.contains(refusal.message), "\(done.errorOutput)")
    #expect(world.folder.names == ["a.json"] && !done.everything.contains("hush123"))
  }

  /// XBT is BTC in the shipped config; an exchange may have its own names.
  @Test(arguments: [
    ["--symbol", "BTC/USD"], ["--symbol", "XBT/USD"], ["--symbol", "BTC/Q", "--set", #"aliases={"Q":"USD"}"#],
  ])
  func pairMayBeNamedByAlias(_ words: [String]) async throws {
    let rows = #"[{"s":"XBT-USD","last":"9","high":"10","low":"8"},{"s":"ETH-USD","last":"5","high":"6","low":"4"}]"#
    let done = try await world.add(from: "https://a.newex.example/t", words, answer: rows)
    #expect(done.code == .answer && done.everything.contains("is among the rows"), "\(done.everything)")
  }

  /// An answer about one pair is requested under the names that it has, whichever of them is given.
  @Test(arguments: ["BTC/USD", "XBT/USD"]) func namesOfOnePairAreRequested(_ pair: String) async throws {
    let row = #"{"base":"Xbt","last":"91500.5","high":"92100","low":"90800","bid":"91500","ask":"91501"}"#
    let done = try await world.add(
      from: "https://a.newex.example/t?base=xbt&quote=usd", ["--symbol", pair], answer: row)
    #expect(done.code == .answer, "\(done.everything)")
    let text = try world.text(of: "exchanges.json")
    #expect(text.contains(#""aliases": { "XBT": "BTC" }"#), "\(text)")
    #expect(text.contains(#"{ "base": "{asset|lower}", "quote": "{payment|lower}" }"#), "\(text)")
  }

  @Test func inventedSampleNeedsMoreThanItsPrice() async throws {
    let rows = """
      [{"s":"BTC-USD","last":"100","bid":"120","ask":"90"},{"s":"ETH-USD","last":"50","bid":"60","ask":"45"},
      {"s":"XRP-USD","last":"7","bid":"8","ask":"6"}]
      """
    let done = try await world.add(from: "https://a.newex.example/t", answer: rows)
    #expect(done.code == .noAnswer && world.folder.names == [], "\(done.everything)")
    #expect(done.errorOutput.contains("the sample looks invented, and only its price is left"))
    let sworn = try await world.add(from: "https://a.newex.example/t", ["--price", "$.last"], answer: rows)
    #expect(sworn.code == .answer, "\(sworn.everything)")
  }

  @Test(arguments: [
    ("-", true), ("tickers=-", true), ("https://h.example/t?cursor=-", false), ("a.json", false), ("--", false),
  ])
  func wordsThatReadStandardInput(_ word: String, _ reads: Bool) {
    #expect(SampleWord.readsInput(word) == reads)
  }

  @Test func singlePairRequestIsProved() async throws {
    let none = try world.save(#"{"code":0,"row":{"st":"live"}}"#, as: "one.json")
    let ticker = ["--ticker", "/one?s={asset}_{payment}", "--from-sample", "ticker=\(none)"]
    let lost = try await add(ticker)
    #expect(
      lost.code == .noAnswer && lost.errorOutput.contains("say where its row is with --set markets.spot.ticker.rows=…"))
    #expect(world.folder.names.sorted() == ["a.json", "one.json"])
    _ = try world.save(
      #"{"code":0,"row":{"pair":"BTC_KRW","last":"100500000","high":"101000000","low":"99000000","st":"live"}}"#,
      as: "one.json")
    let done = try await add(ticker)
    #expect(done.code == .answer, "\(done.everything)")
    #expect(try world.text(of: "exchanges.json").contains(#""rows": "$.row" }"#))
    #expect(
      try world.text(of: "cassettes/Newex/02-spot-BTC-KRW.json").contains("https://a.newex.example/one?s=BTC_KRW"))
  }

  /// The answer about one pair must be that of its row in the table.
  @Test(
    arguments: [
      (
        #""last":"4950000","high":"5050000","low":"4900000","bid":"4949000","ask":"4951000","v":"7","q":"34650000""#,
        "price is 4950000 here and 100500000 in the table of all pairs, high is"
      ),
      (
        #""last":"100500000","high":"101000000","low":"99000000","bid":"100400000","ask":"100600000","v":"4020000000","q":"40""#,
        "BTC/KRW: turnover / volume ="
      ),
      (
        #""last":"99100000","high":"101000000","low":"99000000","bid":"100400000","ask":"100600000","v":"40","q":"4020000000""#,
        "the price 99100000 is outside of bid 100400000 and ask 100600000 here, and between them in the table"
      ),
      (
        #""last":"100500000","high":"101000000","low":"99000000","bid":"100400000","ask":"100600000","v":"40","q":"4020000000""#,
        nil
      ),
    ] as [(String, String?)])
  func singlePairMustAgreeWithTheTable(_ members: String, _ problem: String?) async throws {
    func row(_ pair: String, _ price: Int, _ coins: Int) -> String {
      #"{"pair":"\#(pair)_KRW","last":"\#(price)","high":"\#(price + price / 201)","low":"\#(price - price / 67)","bid":"\#(price - price / 1005)","ask":"\#(price + price / 1005)","volume":"\#(coins)","quoteVolume":"\#(price * coins)"}"#
    }
    let table = try world.save(
      "[\(row("BTC", 100_500_000, 40)),\(row("ETH", 4_950_000, 7)),\(row("XRP", 800_400, 90))]", as: "table.json")
    let one = members.replacing(#""v""#, with: #""volume""#).replacing(#""q""#, with: #""quoteVolume""#)
    let ticker = try world.save(#"{"pair":"BTC_KRW",\#(one)}"#, as: "one.json")
    for words in [["--yes"], ["--yes", "--dry-run"]] {
      let done = try await world.run(
        [
          "add-exchange", "Newex", "--from-sample", table, "--tickers", "https://a.newex.example/t", "--ticker",
          "/one?s={asset}_{payment}", "--from-sample", "ticker=\(ticker)", "--symbol", "BTC/KRW",
        ] + words)
      let isDry = words.contains("--dry-run")
      #expect((done.code == .answer) == (problem == nil), "\(done.everything)")
      #expect(world.folder.names.contains("exchanges.json") == (problem == nil && !isDry))
      if let problem {
        #expect(
          done.errorOutput.contains("the answer about one pair is not that of the table: " + problem)
            && done.errorOutput.contains("; give another --ticker, or none"), "\(done.everything)")
      }
      if problem == nil { break }
    }
  }

  /// Without a saved response it is requested once, and read with its own keys if the table's do not fit.
  @Test func singlePairRequestIsSentOnce() async throws {
    let table =
      #"{"list":[{"s":"BTC-KRW","last":"9","high":"10","low":"8"},{"s":"ETH-KRW","last":"5","high":"6","low":"4"}]}"#
    let done = try await world.run(
      [
        "add-exchange", "Newex", "--from-sample", "https://a.newex.example/all", "--yes", "--ticker",
        "/one/{asset|lower}-{payment}",
      ], answer: table, answers: ["/one/": #"{"row":{"last":"9","high":"10","low":"8"}}"#])
    #expect(done.code == .answer, "\(done.everything)")
    #expect(world.sent.all.map(\.urls) == [["https://a.newex.example/all"], ["https://a.newex.example/one/btc-KRW"]])
    let config = try world.text(of: "exchanges.json").split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(
      config.contains(
        #""ticker": { "request": { "path": "/one/{asset|lower}-{payment}" }, "rows": "$.row", "symbol": "request" }"#),
      "\(config)")
    #expect(!done.errorOutput.contains("on trust"))
  }

  /// Members without a role are shown, and a member named after its row's currency is one column.
  @Test func unusedMembersAreShown() async throws {
    let rows = ["btc", "eth", "xrp"].enumerated().map { index, asset in
      let price = 1000 / (index + 1)
      return """
        "\(asset)_idr":{"last":"\(price)","high":"\(price + 20)","low":"\(price - 20)","vol_\(asset)":"\(index + 3)",\
        "vol_idr":"\(price * (index + 3))","x":"-0.0279"}
        """
    }
    let done = try await world.add(from: "https://a.newex.example/all", answer: "{\(rows.joined(separator: ","))}")
    #expect(done.code == .answer, "\(done.everything)")
    #expect(done.output.contains("not used: $.x -0.0279\n"), "\(done.output)")
    let config = try world.text(of: "exchanges.json")
    #expect(config.contains(#""volume24": "$['vol_{asset|lower}']""#), "\(config)")
    #expect(config.contains(#""turnover24": "$.vol_idr""#), "\(config)")
  }

  @Test func templatedAddressIsFilledWithPair() async throws {
    let address = "https://a.newex.example/t/{asset|lower}-{payment}"
    let answer = #"{"last":"100500000","high":"101000000","low":"99000000"}"#
    let open = try await world.add(from: address, answer: answer)
    #expect(open.code == .usage && open.errorOutput.contains("missing pair to request; add --symbol BTC/KRW"))
    let done = try await world.add(from: address, ["--symbol", "BTC/KRW"], answer: answer)
    #expect(done.code == .answer, "\(done.everything)")
    #expect(world.sent.all.map(\.urls) == [["https://a.newex.example/t/btc-KRW"]])
  }
}
