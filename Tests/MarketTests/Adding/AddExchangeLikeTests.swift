import Testing

@testable import market

/// `market add-exchange --like`: a family, and what differs.
@Suite struct AddExchangeLikeTests {
  private let world: AddingWorld

  init() throws { world = try AddingWorld() }

  /// In the shape of the family, with `more` members a row.
  private static func sample(_ more: (String) -> String) -> String {
    let rows = [("BTCUSDT", "100", "101", "99", "10", "1000"), ("ETHUSDT", "10", "11", "9", "7", "70")].map {
      """
      {"symbol":"\($0.0)","lastPrice":"\($0.1)","highPrice":"\($0.2)","lowPrice":"\($0.3)","volume":"\($0.4)",\
      "quoteVolume":"\($0.5)","openPrice":"\($0.1)","priceChangePercent":"0.00"\(more($0.0))}
      """
    }
    return "[" + rows.joined(separator: ",") + "]"
  }

  private func add(_ answer: String, _ words: [String] = []) async throws -> AddingWorld.Outcome {
    try await world.run(
      ["add-exchange", "Newex", "--like", "Binance", "--yes", "--from-sample"]
        + ["https://api.newex.example/api/v3/ticker/24hr"] + words, answer: answer)
  }

  @Test func onlyTheHostDiffers() async throws {
    let done = try await add(
      Self.sample { _ in #","bidPrice":"9.99","askPrice":"100.1","closeTime":1700000000000"# }
        .replacing("\"9.99\"", with: "\"9.5\""))
    #expect(done.code == .answer, "\(done.everything)")
    #expect(
      try world.text(of: "exchanges.json").contains(
        """
            "Newex": { "like": "Binance", "baseUrls": ["https://api.newex.example"], "markets": { "futures": null } }
        """))
    #expect(
      done.output.contains("like Binance; what differs:\n  baseUrls  https://api.newex.example\n  nothing else\n"))
  }

  @Test func onlyDifferingKeysAreWritten() async throws {
    let done = try await add(Self.sample { _ in #","bestBid":"9.5","bestAsk":"100.1""# })
    #expect(done.code == .answer, "\(done.everything)")
    let config = try world.text(of: "exchanges.json")
    #expect(config.contains(#""fields": { "bid": "$.bestBid", "ask": "$.bestAsk", "time": null }"#))
    #expect(!config.contains("lastPrice"))
    #expect(done.output.contains("fields.bid  \"$.bestBid\"  instead of \"$.bidPrice\""))
  }

  @Test func anotherPathHasNoSinglePair() async throws {
    let done = try await add(
      Self.sample { _ in "" }, ["--tickers", "/v9/all?x=1", "--base-url", "https://api.newex.example"])
    #expect(done.code == .answer, "\(done.everything)")
    let config = try world.text(of: "exchanges.json")
    #expect(config.contains(#""request": { "path": "/v9/all", "query": { "x": "1" } }"#))
    #expect(config.contains(#""ticker": null"#))
  }

  @Test func withoutASampleNothingIsProved() async throws {
    let done = try await world.run([
      "add-exchange", "Newex", "--like", "binance", "--base-url", "https://api.newex.example", "--bid", "$.b", "--yes",
    ])
    #expect(done.code == .answer, "\(done.everything)")
    #expect(done.errorOutput.contains("no answer of Newex proves this"))
    #expect(try world.text(of: "exchanges.json").contains(#""tickers": { "fields": { "bid": "$.b" } }"#))
  }

  @Test(arguments: [
    (["--like", "Binanse"], "there is no exchange 'Binanse' to start from; did you mean 'Binance'?"),
    (["--like", "Upbit", "-m", "futures"], "'Upbit' has no futures market"),
  ])
  func noSuchFamily(_ words: [String], _ message: String) async throws {
    let done = try await world.run(["add-exchange", "Newex", "--base-url", "https://api.newex.example"] + words)
    #expect(done.code == .noAnswer && done.errorOutput == "market: error: \(message)\n")
    #expect(world.folder.names == [])
  }
}
