import Testing

@testable import Shell

/// Keys of streams that are given with `--set`, beside recorded messages or alone.
@Suite struct AddExchangeStreamKeyTests {
  private let adding: AddingWorld

  init() throws { adding = try AddingWorld() }

  private static let config = AddExchangeStreamTests.config(
    fields: #""price": "$.last", "open": "$.open", "high": "$.high""#)

  private static let table = """
    [{"market": "BTC-USDT", "last": "65000.5", "open": "64012.25", "high": "66007.75"},
     {"market": "ETH-USDT", "last": "3201.25", "open": "3110.75", "high": "3305.5"}]
    """

  private static let messages = """
    {"topic": "ticker", "s": "BTC-USDT", "data": {"last": "65001.5", "h": "66007.75", "o": "60000"}}
    {"topic": "ticker", "s": "ETH-USDT", "data": {"last": "3202.5", "h": "3305.5", "o": "2900"}}

    """

  /// Given keys are below the proposed channel, or below `streams`.
  @Test(arguments: [
    (["fields.open=$.o"], #""fields": { "high": "$.h", "open": "$.o" }"#),
    (["ticker.fields.open=$.o"], #""fields": { "high": "$.h", "open": "$.o" }"#),
    (["fields.high=null"], #""fields": { "high": null, "open": null }"#),
    (["max=10", "streams.deadAfter=30s"], #""max": 10 }, "deadAfter": "30s" }"#),
    (["symbol.split=-"], #""symbol": { "from": "response", "path": "$.s", "split": "-" }"#),
  ])
  func keysOfTheChannelAreTaken(_ keys: [String], _ text: String) async throws {
    let outcome = try await adding.addStream(
      Self.messages, beside: Self.config, Self.table, keys.flatMap { ["--set", $0] })
    #expect(outcome.code == .answer, "\(outcome.everything)")
    let flat = outcome.flat
    #expect(flat.contains(text), "\(flat)")
  }

  @Test(arguments: [
    ("nonsense=1", "unknown key 'nonsense'"), ("fields.opne=$.o", "unknown key 'opne'"),
    ("streams.nonsense=1", "unknown key 'nonsense'"),
    ("fields.open=$.nowhere", "the sample has no open at '$.nowhere'"),
  ])
  func wrongKeysAreRefused(_ key: String, _ reason: String) async throws {
    let outcome = try await adding.addStream(Self.messages, beside: Self.config, Self.table, ["--set", key])
    #expect(outcome.code != .answer, "\(outcome.everything)")
    #expect(outcome.errorOutput.contains(reason), "\(outcome.everything)")
  }

  /// What nothing proves may be given.
  @Test func givenFieldsNeedNoProof() async throws {
    let deals = """
      {"topic": "deal", "s": "BTC-USDT", "data": {"p": "65000.5", "v": "0.25", "t": 1794978727300, "x": "e1", "w": 1}}
      {"topic": "deal", "s": "BTC-USDT", "data": {"p": "65000.6", "v": "0.5", "t": 1794978728300, "x": "e2", "w": 2}}

      """
    let side = #"fields.side={"path":"$.w","buy":1,"sell":2}"#
    let refused = try await adding.addStream(deals, of: "trades=", beside: Self.config, Self.table)
    #expect(refused.code == .noAnswer)
    let outcome = try await adding.addStream(
      deals, of: "trades=", beside: Self.config, Self.table, ["--set", side])
    #expect(outcome.code == .answer, "\(outcome.everything)")
    let flat = outcome.flat
    #expect(flat.contains(#""side": { "path": "$.w", "buy": 1, "sell": 2 }"#), "\(flat)")
  }

  // MARK: Without messages

  private static let streams = #"""
    streams={"urls":["wss://ws.newex.example"],"ticker":{"subscribe":{"args":["{symbol}"]},"rows":"$.data","symbol":{"from":"response","path":"$.s"},"fields":{"high":"$.h","open":null}}}
    """#

  @Test func finishedStreamsNeedNoAnswer() async throws {
    _ = try adding.save(Self.config, as: "exchanges.json")
    let outcome = try await adding.run(
      ["add-exchange", "Newex", "--yes", "--set", Self.streams, "--set", "streams.ticker.max=10"])
    #expect(outcome.code == .answer, "\(outcome.everything)")
    let flat = try adding.written()
    #expect(flat.contains(#""streams": { "urls": ["wss://ws.newex.example"], "ticker": { "subscribe""#), "\(flat)")
    #expect(flat.contains(#""max": 10"#), "\(flat)")
    #expect(adding.sent.all.isEmpty)
    // A key joins what is there.
    let second = try await adding.run(["add-exchange", "newex", "--yes", "--set", "streams.deadAfter=30s"])
    #expect(second.code == .answer, "\(second.everything)")
    let text = try adding.text(of: "exchanges.json")
    #expect(text.contains(#""deadAfter": "30s""#) && text.contains(#""max": 10"#), "\(text)")
  }

  @Test(arguments: [
    (["Newex", "--set", "streams.nonsense=1"], "unknown key 'nonsense'"),
    (["Nowhere", "--set", "streams.deadAfter=30s"], "Nowhere"),
    (["Newex", "--set", "streams.deadAfter=30s", "--set", "takerFee=0.1"], "missing answer of the exchange"),
  ])
  func otherKeysAloneAreRefused(_ words: [String], _ reason: String) async throws {
    _ = try adding.save(Self.config, as: "exchanges.json")
    let outcome = try await adding.run(["add-exchange", "--yes"] + words)
    #expect(outcome.code != .answer, "\(outcome.everything)")
    #expect(outcome.errorOutput.contains(reason), "\(outcome.everything)")
    #expect(try adding.text(of: "exchanges.json") == Self.config)
  }
}
