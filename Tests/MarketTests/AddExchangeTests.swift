import Files
import Quotes
import TestSupport
import Testing

@testable import Shell
@testable import market

/// `market add-exchange` and `market remove-exchange`, from a saved response to a table and back.
@Suite struct AddExchangeTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A made-up response: three pairs, a ratio, an envelope.
  private static let sample = """
    {"code":"0","msg":"","rows":[
    {"pair":"BTC_KRW","last":"100500000","high24h":"101000000","low24h":"99000000","bestBid":"100490000",\
    "bestAsk":"100510000","open24h":"100000000","changeRate24h":"0.0050","vol24h":"12.5","value24h":"1250000000",\
    "ts":1700000000123},
    {"pair":"ETH_KRW","last":"4950000","high24h":"5100000","low24h":"4900000","bestBid":"4949000",\
    "bestAsk":"4951000","open24h":"5000000","changeRate24h":"-0.0100","vol24h":"200","value24h":"1000000000",\
    "ts":1700000000124},
    {"pair":"ETH_BTC","last":"0.0495","high24h":"0.0510","low24h":"0.0480","bestBid":"0.0494","bestAsk":"0.0496",\
    "open24h":"0.0500","changeRate24h":"-0.0100","vol24h":"40","value24h":"2","ts":1700000000125}]}
    """

  private func world(_ words: [String]) throws -> TestWorld {
    try FileSystem.writeAtomically(Array(Self.sample.utf8), to: "\(folder.path)/sample.json")
    var world = TestWorld(words + ["--config", config])
    world.context.executablePath = { Checkout.path(".build/debug/market") }
    return world
  }

  private var config: String { "\(folder.path)/exchanges.json" }
  private var add: [String] {
    [
      "add-exchange", "Newex", "--from-sample", "\(folder.path)/sample.json", "--tickers",
      "https://api.newex.example/v1/all?x=1",
    ]
  }

  private func text(of path: String) throws -> String { String(decoding: try FileSystem.read(path), as: UTF8.self) }

  @Test func oneCommandTurnsSampleIntoTable() async throws {
    let adding = try world(add + ["--yes"])
    #expect(await Program.market.run(in: adding.context) == .answer)
    #expect(
      adding.errorOutput == """
        market: wrote \(config)
        market: recorded the sample in \(folder.path)/cassettes/Newex
        market: see a price: market show BTC KRW -e Newex -c \(config)
        market: from the recording, without the network: add --replay \(folder.path)/cassettes/Newex

        """)
    #expect(
      try text(of: config) == """
        {
          "version": 1,
          "extends": "builtin",
          "exchanges": {
            \(Self.block.replacing("\n", with: "\n    "))
          }
        }

        """)

    let reading = try world(["tickers", "Newex", "--response", "\(folder.path)/sample.json", "-f", "csv"])
    #expect(await Program.market.run(in: reading.context) == .answer)
    #expect(reading.output.split(separator: "\r\n").count == 4 || reading.output.split(separator: "\n").count == 4)

    let removing = try world(["remove-exchange", "Newex"])
    #expect(await Program.market.run(in: removing.context) == .answer)
    #expect(try text(of: config) == "{\n  \"version\": 1,\n  \"extends\": \"builtin\",\n  \"exchanges\": {\n  }\n}\n")
  }

  @Test func proposalIsShownWithReasons() async throws {
    let dry = try world(add + ["--dry-run"])
    #expect(await Program.market.run(in: dry.context) == .answer)
    #expect(dry.output == Self.proposal)
    #expect(!FileSystem.exists(config))
  }

  @Test func otherExchangesStayByteForByte() async throws {
    let old = "{ \"version\":1,\t\"exchanges\" : {\n   \"Mine\":{ \"markets\":{}, \"enabled\":  false }\n} }"
    try FileSystem.writeAtomically(Array(old.utf8), to: config)
    let adding = try world(add + ["--yes"])
    #expect(await Program.market.run(in: adding.context) == .answer)
    let new = try text(of: config)
    let head =
      "{ \"version\":1,\t\"exchanges\" : {\n   \"Mine\":{ \"markets\":{}, \"enabled\":  false },\n   \"Newex\": {"
    #expect(new.hasPrefix(head) && new.hasSuffix("\n} }"))
    let removing = try world(["remove-exchange", "Newex"])
    #expect(await Program.market.run(in: removing.context) == .answer)
    #expect(try text(of: config) == old)
  }

  /// A file that does not exist yet has no exchange, either.
  @Test func nothingToRemove() async throws {
    let removing = try world(["remove-exchange", "Foo"])
    #expect(await Program.market.run(in: removing.context) == .usage)
    #expect(
      removing.errorOutput
        == "error: unknown exchange 'Foo'; no such file: '\(config)'\nhelp: market remove-exchange --help\n")
  }

  /// What only changed a shipped exchange leaves that exchange behind, and says so.
  @Test func removedChangesOfShippedExchange() async throws {
    let old = "{ \"version\": 1, \"extends\": \"builtin\", \"exchanges\": { \"Kraken\": { \"enabled\": false } } }"
    try FileSystem.writeAtomically(Array(old.utf8), to: config)
    let removing = try world(["remove-exchange", "kraken"])
    #expect(await Program.market.run(in: removing.context) == .answer)
    #expect(
      removing.errorOutput == """
        market: removed Kraken from \(config)
        market: Kraken has its shipped settings again

        """)
    #expect(try !text(of: config).contains("Kraken"))
  }

  private static let remedy = "give the answer that lists all pairs with their last prices"

  struct Refusal: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var config = "{}"
    var words: [String] = ["--yes"]
    var sample: String?
    let code: ExitCode
    let message: String
  }

  @Test(arguments: [
    Refusal(
      testDescription: "declined", words: [], code: .noAnswer,
      message: "market: nothing was written; add --yes to write CONFIG\n"),
    Refusal(
      testDescription: "name taken", config: "{\"exchanges\":{\"Newex\":{}}}", code: .noAnswer,
      message: "error: CONFIG already has an exchange 'Newex'; remove it first with remove-exchange\n"),
    Refusal(
      testDescription: "name taken in another case", config: "{\"exchanges\":{\"NEWEX\":{}}}", code: .noAnswer,
      message: "error: the exchange 'NEWEX' is also called 'Newex'; choose another name\n"),
    Refusal(
      testDescription: "broken config", config: "{\"exchanges\":[]}", code: .invalidConfig,
      message: "error: 'exchanges' of CONFIG is not an object\n"),
    Refusal(
      testDescription: "HTML", sample: "<html>", code: .noAnswer,
      message: "error: the sample is an HTML page, not an answer of an API; \(remedy)\n"),
    Refusal(
      testDescription: "empty", sample: " ", code: .noAnswer,
      message: "error: the sample is empty; \(remedy)\n"),
    Refusal(
      testDescription: "an error response", sample: "{\"code\":5,\"msg\":\"too many requests\"}", code: .noAnswer,
      message: "error: the sample is an error answer: too many requests\n"),
    Refusal(
      testDescription: "not a ticker", sample: "[{\"id\":1,\"name\":\"x\"},{\"id\":2,\"name\":\"y\"}]", code: .noAnswer,
      message:
        "error: the sample has no tickers: no field of $[*] looks like a price; \(remedy), or say how it is read with "
        + "--price PATH or --set fields.price=…\n"),
    Refusal(
      testDescription: "an empty list", sample: "{\"code\":\"0\",\"data\":[]}", code: .noAnswer,
      message: "error: the sample has no rows: $.data is an empty list\n"),
    Refusal(
      testDescription: "trades",
      sample: "["
        + (1...6).map { "{\"symbol\":\"BTC-USDT\",\"price\":\"6500\($0)\",\"qty\":\"1\"}" }.joined(separator: ",")
        + "]", code: .noAnswer,
      message: "error: the sample looks like trades, not tickers: 6 rows name one pair; \(remedy)\n"),
    Refusal(
      testDescription: "a chart",
      sample: "[" + (1...4).map { "[170000000\($0),1,2,0.5,1.5,100]" }.joined(separator: ",") + "]", code: .noAnswer,
      message: "error: the sample looks like candles, not tickers: its rows are at regular times; \(remedy)\n"),
    Refusal(
      testDescription: "one row", sample: #"{"BTC_KRW":{"last":"100","high":"110","low":"90"}}"#, code: .noAnswer,
      message:
        "error: the sample has only one row, at $.*, and nothing to compare it with; \(remedy), or say which pair "
        + "it is about: --symbol ASSET/PAYMENT\n"),
    Refusal(
      testDescription: "nested too deeply",
      sample: String(repeating: "[", count: 600) + String(repeating: "]", count: 600), code: .noAnswer,
      message: "error: the sample is nested too deeply to be a table of tickers\n"),
  ])
  func refusalChangesNothing(_ refusal: Refusal) async throws {
    try FileSystem.writeAtomically(Array(refusal.config.utf8), to: config)
    let world = try world(add + refusal.words)
    if let sample = refusal.sample {
      try FileSystem.writeAtomically(Array(sample.utf8), to: "\(folder.path)/sample.json")
    }
    #expect(await Program.market.run(in: world.context) == refusal.code)
    #expect(world.errorOutput == refusal.message.replacing("CONFIG", with: config))
    #expect(try text(of: config) == refusal.config)
  }

  @Test func readyBlockIsTakenUnchanged() async throws {
    let block = """
      { "Newex": { "baseUrls": ["https://a.example"], "rows": "$[*]",   "symbol": { "path": "$.s", "split": "-" },
        "fields": { "price": "$.p" }, "markets": { "spot": { "tickers": { "request": { "path": "/t" } } } } } }
      """
    try FileSystem.writeAtomically(Array(block.utf8), to: "\(folder.path)/block.json")
    let adding = try world(["add-exchange", "\(folder.path)/block.json", "--yes"])
    #expect(await Program.market.run(in: adding.context) == .answer)
    #expect(
      try text(of: config).contains(
        "\"Newex\": { \"baseUrls\": [\"https://a.example\"], \"rows\": \"$[*]\",   \"symbol\""))
  }

  @Test func unsureFieldPromptsTheUser() async throws {
    let sample =
      "[{\"s\":\"BTC-USD\",\"last\":\"100\",\"volume\":\"5\"},{\"s\":\"ETH-USD\",\"last\":\"10\",\"volume\":\"7\"}]"
    var world = try world(add)
    try FileSystem.writeAtomically(Array(sample.utf8), to: "\(folder.path)/sample.json")
    world.context.terminal.inputIsTerminal = true
    world.context.terminal.errorIsTerminal = true
    world.context.readLine = { "y" }
    #expect(await Program.market.run(in: world.context) == .answer)
    #expect(
      world.errorOutput == """

        volume24 is uncertain:
          1  $.volume  for example 5  68%  its name
        a number, a path such as $.x, or nothing to leave it out: write \(config)? [y/N] market: wrote \(config)
        market: recorded the sample in \(folder.path)/cassettes/Newex
        market: see a price: market show BTC USD -e Newex -c \(config)
        market: from the recording, without the network: add --replay \(folder.path)/cassettes/Newex

        """)
    #expect(try text(of: config).contains("\"fields\": { \"price\": \"$.last\", \"volume24\": \"$.volume\" }"))
  }
}
