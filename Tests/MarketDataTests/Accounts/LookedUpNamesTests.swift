import Mapping
import MarketData
import Quotes
import Testing

/// Assets whose names a lookup gives, some of which would look like names without it.
@Suite struct LookedUpNamesTests {
  private static let config = """
    { "version": 1, "exchanges": { "alpha": {
      "baseUrls": ["https://alpha.test"],
      "walletStatus": {
        "lookups": { "assets": { "request": { "path": "/assets" }, "rows": "$[*]", "key": "$.id" } },
        "request": { "path": "/wallets" }, "rows": "$[*]",
        "asset": { "first": [{ "from": "assets", "path": "$.name" }, "$.id"] }, "network": "$.net",
        "deposit": [{ "path": "$.in", "equals": true }], "withdraw": [{ "path": "$.out", "equals": true }] },
      "markets": { "spot": { "tickers": {
        "request": { "path": "/all" }, "rows": "$[*]", "symbol": { "path": "$.s", "split": "-" },
        "fields": { "price": "$.p" } } } } } } }
    """

  /// Without the lookup the part fails, instead of naming its rows otherwise.
  @Test(
    arguments: [
      (#"[{"id": "XXBT", "name": "BTC"}, {"id": "USDT", "name": "USDT"}]"#, ["BTC", "USDT"], []),
      (#"[{"id": "XXBT", "name": "BTC"}]"#, ["BTC", "USDT"], []), ("503", [], ["lookup-failed assets"]),
      ("[]", [], ["lookup-failed assets"]), ("{", [], ["lookup-failed assets"]),
    ] as [(String, [String], [String])])
  func rowsAreNotNamedOtherwise(_ lookup: String, _ assets: [String], _ failures: [String]) async throws {
    let exchanges = try StubExchanges(config: Self.config)
    let report = await exchanges.client { _, url in
      if url.hasSuffix("/wallets") {
        return .success(
          (
            200,
            Array(
              #"[{"id": "XXBT", "net": "a", "in": true, "out": true}, {"id": "USDT", "net": "b", "in": true, "out": true}]"#
                .utf8)
          ))
      }
      return .success(lookup == "503" ? (503, []) : (200, Array(lookup.utf8)))
    }.wallets(of: exchanges.exchanges[0])
    #expect(report.rows.map(\.asset) == assets)
    #expect(report.failures.map(\.reason.code) == failures)
  }
}
