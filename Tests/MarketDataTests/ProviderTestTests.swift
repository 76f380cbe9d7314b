import Config
import HTTP
import Mapping
import MarketData
import Quotes
import Synchronization
import Testing

@testable import Proving

/// Live tests of rate providers.
@Suite struct ProviderTestTests {
  private static let config = """
    { "version": 1, "exchanges": {}, "fx": { "providers": {
      "whole": { "baseUrls": ["https://whole.example"], "pairs": ["*/KRW"],
        "rate": { "request": { "path": "/all" }, "rows": "$[*]",
          "symbol": { "path": "$.code", "match": "(?<asset>[A-Z]{3}).*", "payment": "KRW" },
          "fields": { "rate": "$.krw" } } },
      "single": { "baseUrls": ["https://single.example"], "pairs": ["*/KRW"],
        "rate": { "request": { "path": "/one", "query": { "code": "{asset}" } }, "rows": "$[*]",
          "symbol": { "path": "$.code", "match": "(?<asset>[A-Z]{3}).*", "payment": "KRW" },
          "fields": { "rate": "$.krw" } } } } } }
    """

  /// An answer with all currencies is read for the yen as well, without another call.
  @Test(arguments: [
    ("whole", ["USD/KRW 1470.5", "JPY/KRW 953.6"], ["https://whole.example/all"]),
    ("single", ["USD/KRW 1470.5"], ["https://single.example/one?code=USD"]),
  ])
  func readsTheYenFromTheSameAnswer(name: String, rates: [String], calls: [String]) async throws {
    let configuration = try Configuration(text: Self.config, name: "c.json")
    let provider = try #require(configuration.readProvider(name, hooks: []).provider)
    let log = Mutex<[String]>([])
    let client = try StubExchanges().client { _, url in
      log.withLock { $0.append(url) }
      let body = #"[{"code": "USD", "krw": "1470.5"}, {"code": "JPY(100)", "krw": "953.6"}]"#
      return .success((200, Array(body.utf8)))
    }
    let tested = await ExchangeTester(live: client, Interpretation(check: MeaningCheck())).test(provider)
    #expect(tested.rates.map { "\($0.pair) \($0.reading?.rate.description ?? "none")" } == rates)
    #expect(log.withLock { $0 } == calls)
  }
}
