import Testing
import Transport

@testable import Config
@testable import Lint

/// What a config that extends the shipped one says.
extension SilentMistakeTests {
  private static let shipped = #"""
    { "version": 1, "aliases": { "XBT": "BTC" }, "networks": { "ERC20": "ETH", "ERC-20-ETH": "ETH" },
      "retired": { "Gone": { "since": "2026-01-01" } }, "exchanges": {
      "Example": { "baseUrls": ["https://example.test"], "rows": "$[*]", "symbol": { "path": "$.s", "split": "-" },
        "aliases": { "XBT": "BTC" }, "fields": { "price": "$.p" },
        "markets": { "spot": { "tickers": { "request": { "path": "/t", "cost": 5 } },
          "ticker": { "request": { "path": "/{asset}{payment}", "cost": 7 } } } } } } }
    """#

  /// What contradicts the shipped config is reported in the text that was added, once.
  @Test(arguments: [
    (#""aliases": { "BTC": "XBT" }"#, ["2:14 MKT057 circular aliases: BTC -> XBT -> BTC"]),
    (
      #""networks": { "ETH": "FOO" }"#,
      [
        "2:15 warning MKT068 'ERC20' stands for 'ETH', which is itself an alias of 'FOO'; aliases are followed one step; "
          + #"write "ERC20": "FOO", or remove the other"#
      ]
    ),
    (#""networks": { "erc-20": "TRX" }"#, []),
    (
      #""exchanges": { "example": { "refresh": "5s" } }"#,
      ["2:16 MKT004 'example' also names the exchange 'Example'; to change Example, write 'Example'"]
    ),
    (
      #""exchanges": { "Example": { "limit": { "requests": 6, "per": "1s" } } }"#,
      [
        "2:52 warning MKT013 a cost of 7 is more than the limit of 6 allows at once; lower the cost, or raise the "
          + "'requests' of the limit: the request waits until so much is allowed"
      ]
    ),
    (#""settings": { "dollarTokens": [] }"#, []),
    (
      #""retired": { "example": { "since": "2026-01-01" } }"#,
      [
        "2:14 warning MKT004 'example' has closed, but also names the exchange 'Example'; disable Example, or remove this"
      ]
    ),
    (#""exchanges": { "Gone": { "like": "Example", "baseUrls": ["https://gone.test"] } }"#, []),
  ]) func overShipped(_ members: String, _ findings: [String]) {
    #expect(lines("{ \"version\": 1, \"extends\": \"builtin\",\n\(members) }", over: Self.shipped) == findings)
  }

  /// A name in another case is repaired, like a misspelled key.
  @Test func respeltExchangeIsRepaired() throws {
    let text = #"{ "version": 1, "extends": "builtin", "exchanges": { "EXAMPLE": { "refresh": "5s" } } }"#
    let (repaired, fixed) = try #require(review(text, over: Self.shipped).repaired())
    #expect(String(decoding: repaired.source.bytes, as: UTF8.self) == text.replacing("EXAMPLE", with: "Example"))
    #expect(fixed.map(\.code) == [.ambiguousName])
    #expect(repaired.findings == [])
  }

  /// A known answer contains the hosts of the file it is in.
  @Test(arguments: [
    (#""Example": { "baseUrls": ["https://mirror.test/api"] }"#, []),
    (
      #""Example": { "auth": { "headers": { "K": "{secret:apiKey}" }, "vectors": [{ "secrets": { "apiKey": "k" }, "#
        + #""request": { "path": "/x" }, "sent": { "url": "https://wrong.test/x", "headers": { "K": "k" } } }] } }"#,
      [
        "2:153 MKT095 the known answer fails at 'url'; expected https://wrong.test/x, computed https://example.test/x"
      ]
    ),
  ])
  func knownAnswers(_ exchange: String, _ findings: [String]) {
    let shipped = Self.shipped.replacing(
      #""baseUrls": ["https://example.test"],"#,
      with: #"""
        "baseUrls": ["https://example.test"], "auth": { "headers": { "K": "{secret:apiKey}" }, "vectors": [
          { "secrets": { "apiKey": "k" }, "request": { "path": "/x" },
            "sent": { "url": "https://example.test/x", "headers": { "K": "k" } } }] },
        """#)
    let text = "{ \"version\": 1, \"extends\": \"builtin\", \"exchanges\": {\n\(exchange) } }"
    #expect(lines(text, over: shipped, crypto: CryptoLibrary()) == findings)
  }

  /// A whole exchange of its own, whose name is too similar, is not laid over the shipped one.
  @Test func exchangeOfItsOwnIsNotRenamed() throws {
    let text = #"""
      { "version": 1, "extends": "builtin",
        "exchanges": { "EXAMPLE": { "like": "Example", "baseUrls": ["https://test.example.test"] } } }
      """#
    #expect(review(text, over: Self.shipped).findings.map(\.code) == [.ambiguousName])
    #expect(review(text, over: Self.shipped).repaired() == nil)
  }

  /// Without the config that a text extends, only what is wrong in any case is reported.
  @Test func missingBuiltin() {
    let text = #"""
      { "version": 1, "extends": "builtin", "setings": {}, "watchlist": [{ "asset": "A", "payment": "B" }],
        "exchanges": { "A": { "limit": { "requests": 0, "per": "1s" }, "like": "Binance" }, "B": { "fields": { "bid": "$.b" } } } }
      """#
    let found = ConfigReview(
      .init(name: "c.json", bytes: Array(text.utf8)), builtin: .init(name: "/share/exchanges.json", bytes: []),
      hooks: [])
    #expect(found.configuration == nil)
    #expect(
      found.findings.map(\.line) == [
        "1:28 MKT001 found no exchanges.json that ships with the program (/share/exchanges.json); install the program "
          + "again",
        "1:39 MKT021 unknown key 'setings'; did you mean 'settings'?",
        "2:48 MKT013 expected a whole number from 1 to 1000000",
      ])
  }
}
