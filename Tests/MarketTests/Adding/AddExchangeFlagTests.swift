import TestSupport
import Testing

@testable import Shell

/// Options that override the inference, and how the sample compares.
@Suite struct AddExchangeFlagTests {
  private let world: AddingWorld

  init() throws { world = try AddingWorld() }

  private static let sample = """
    {"t": 1700000000, "a": [{"s": "BTC-KRW"}], "x": {"list": [
    ["m.KRWBTC.z", "KRW", 100500000, "0.5%", 12.5, 100490000, 100510000],
    ["m.KRWETH.z", "KRW", 4950000, "-1.0%", 200, 4949000, 4951000]]}}
    """

  private func add(_ words: [String]) async throws -> AddingWorld.Outcome {
    let file = try world.save(Self.sample, as: "a.json")
    return try await world.run(
      ["add-exchange", "Newex", "--from-sample", file, "--base-url", "https://api.newex.example/v1", "--tickers", "t"]
        + ["--yes", "--market", "spot"] + words)
  }

  @Test func everyKeyCanBeGiven() async throws {
    let done = try await add([
      "--rows", "$.x.list[*]", "--price", "$[2]", "--set", "fields.changePricePercent24=$[3]",
      "--set", "fields.changePricePercent24.scale=1", "--set", "fields.changePricePercent24.basis=utcDay",
      "--set", "fields.volume24=$[4]", "--set", "fields.bid=$[5]", "--set", "fields.ask=$[6]",
      "--set", "fields.time=$.t", "--set", "fields.time.unit=s", "--set", "fields.high=null",
      "--set", #"symbol={"path":"$[0]","prefix":"m.KRW","suffix":".z","payment":"KRW"}"#,
    ])
    #expect(done.code == .answer, "\(done.everything)")
    #expect(
      try world.text(of: "exchanges.json").hasSuffix(
        """
            "Newex": {
              "baseUrls": ["https://api.newex.example/v1"],
              "rows": "$.x.list[*]",
              "symbol": { "path": "$[0]", "prefix": "m.KRW", "suffix": ".z", "payment": "KRW" },
              "fields": {
                "price": "$[2]",
                "changePricePercent24": { "path": "$[3]", "strip": "%", "basis": "utcDay" },
                "volume24": "$[4]",
                "bid": "$[5]",
                "ask": "$[6]",
                "time": { "from": "response", "path": "$.t", "unit": "s" } },
              "markets": { "spot": { "tickers": { "request": { "path": "/t" } } } } }
          }
        }

        """))
  }

  struct Refusal: Sendable, CustomTestStringConvertible {
    let words: [String]
    var code = ExitCode.noAnswer
    let message: String

    var testDescription: String { words.joined(separator: " ") }
  }

  @Test(arguments: [
    Refusal(words: ["--rows", "$.y[*]"], message: "the sample has no rows at '$.y[*]'"),
    Refusal(words: ["--rows", "$.x.list[*]", "--price", "$[9]"], message: "the sample has no price at '$[9]'"),
    Refusal(words: ["--rows", "$.x.list[*]", "--price", "$[0]"], message: "the sample has no price at '$[0]'"),
    Refusal(
      words: ["--price", "last"], code: .usage,
      message: "invalid value 'last' for '--price'; expected a JSONPath such as $.last"),
    Refusal(
      words: ["--set", "fields.price=last"], code: .usage,
      message: "invalid value 'fields.price=last' for '--set'; expected a JSONPath such as $.last"),
    Refusal(
      words: ["--set", "fields.changePricePercent24.scale=0"], code: .usage,
      message: "invalid value 'fields.changePricePercent24.scale=0' for '--set'; expected a number above zero"),
  ])
  func optionsContradictingSampleAreRefused(_ refusal: Refusal) async throws {
    let done = try await add(refusal.words)
    #expect(done.code == refusal.code)
    #expect(done.errorOutput.contains("error: \(refusal.message)\n"), "\(done.errorOutput)")
    #expect(world.folder.names == ["a.json"])
  }
}
