import Mapping
import MarketData
import Quotes
import Testing

/// What the requests for an account take of its exchange's rate limit.
@Suite struct AccountCostTests {
  private static func config(_ block: String, limit: String = #"{ "requests": 10, "per": "10s" }"#) -> String {
    """
    { "version": 1, "exchanges": { "alpha": {
      "baseUrls": ["https://alpha.test"], "limit": \(limit), "rows": "$[*]",
      "balances": { "spot": { "signed": false, \(block), "rows": "$[*]", "asset": "$.a", "fields": { "free": "$.f" } } },
      "markets": { "spot": { "tickers": {
        "request": { "path": "/all" }, "symbol": { "path": "$.s", "split": "-" }, "fields": { "price": "$.p" } } } }
    } } }
    """
  }

  private static let batches = """
    "lookups": { "accounts": { "request": { "path": "/accounts", "cost": 3 }, "rows": "$[*]", "key": "$.id" } },
    "batch": { "of": "accounts", "max": 1 }, "request": { "path": "/b/{keys}", "cost": 2 }
    """

  /// Lookups and batches count, whether they are answered or refused.
  @Test(
    arguments: [
      (#""request": { "path": "/b" }"#, 200, 1000), (#""request": { "path": "/b", "cost": 4 }"#, 200, 4000),
      (batches, 200, 13_000), (batches, 401, 3000),
    ] as [(String, Int, Double)])
  func requestsSent(_ block: String, _ status: Int, _ milliseconds: Double) async throws {
    let exchanges = try StubExchanges(config: Self.config(block))
    let report = await exchanges.client { _, url in
      let list = (1...5).map { #"{"id": \#($0)}"# }.joined(separator: ",")
      return .success((status, Array((url.hasSuffix("/accounts") ? "[\(list)]" : "[]").utf8)))
    }.balances(of: exchanges.exchanges[0])
    #expect(report.millisecondsOfLimit == milliseconds)
  }
}
