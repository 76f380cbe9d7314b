import Config
import JSON
import Testing

/// The merged text of a config and its overlay means the same as the two together.
@Suite struct MergedConfigTests {
  private static let shipped = """
    {"version": 1, "settings": {"timeout": "5s", "colors": "kr"}, "aliases": {"XBT": "BTC"}, "networks": {"ERC20": "ETH"},
     "watchlist": [],
     "exchanges": {
       "A": {"baseUrls": ["https://a.test"], "rows": "$[*]", "symbol": {"path": "$.s", "split": "-"},
             "fields": {"price": "$.p", "bid": "$.b"},
             "orderbook": {"bids": "$.b[*]", "asks": "$.a[*]"},
             "streams": {"urls": ["wss://a.test"], "set": {"n": 1}, "ticker": {"subscribe": "x", "fields": {"bid": "$.b"}}},
             "markets": {"spot": {"tickers": {"request": {"path": "/t"}}}}},
       "B": {"like": "A", "baseUrls": ["https://b.test"]}},
     "fx": {"providers": {"P": {"budget": {"calls": 1, "per": "day"}, "rate": {"rows": "$"}}}, "routes": {"*/*": []}}}
    """

  @Test(arguments: [
    ("{}", [], "the same"),
    (#"{"settings": {"timeout": "1s"}}"#, ["settings"], #"{ "timeout": "1s", "colors": "kr" }"#),
    (#"{"aliases": {"XBT": null, "XDG": "DOGE"}}"#, ["aliases"], #"{ "XDG": "DOGE" }"#),
    (#"{"exchanges": {"B": null}}"#, ["exchanges", "B"], "nothing"),
    (
      #"{"exchanges": {"A": {"fields": {"bid": null, "ask": "$.a"}, "rows": "$.x[*]"}}}"#,
      ["exchanges", "A", "fields"],
      #"{ "price": "$.p", "bid": null, "ask": "$.a" }"#
    ),
    (#"{"exchanges": {"A": {"symbol": {"path": "$.n"}}}}"#, ["exchanges", "A", "symbol"], #"{ "path": "$.n" }"#),
    (
      #"{"exchanges": {"A": {"markets": {"spot": {"tickers": {"staleAfter": "1m"}}}}}}"#,
      ["exchanges", "A", "markets", "spot", "tickers"], #"{ "request": { "path": "/t" }, "staleAfter": "1m" }"#
    ),
    (
      #"{"exchanges": {"A": {"orderbook": {"asks": "$.x[*]", "count": 5}}}}"#, ["exchanges", "A", "orderbook"],
      #"{ "bids": "$.b[*]", "asks": "$.x[*]", "count": 5 }"#
    ),
    (#"{"networks": {"MYNET": "ETH"}}"#, ["networks"], #"{ "ERC20": "ETH", "MYNET": "ETH" }"#),
    (
      #"{"exchanges": {"A": {"streams": {"ticker": {"max": 10, "fields": {"ask": "$.a"}}}}}}"#,
      ["exchanges", "A", "streams", "ticker"],
      #"{ "subscribe": "x", "fields": { "bid": "$.b", "ask": "$.a" }, "max": 10 }"#
    ),
    (
      #"{"exchanges": {"A": {"streams": {"set": {"m": 2}}}}}"#, ["exchanges", "A", "streams", "set"],
      #"{ "n": 1, "m": 2 }"#
    ),
    (#"{"exchanges": {"A": {"streams": {"ticker": null}}}}"#, ["exchanges", "A", "streams", "ticker"], "null"),
    // In place of all of them `null` removes nothing.
    (#"{"exchanges": null}"#, ["exchanges", "B"], #"{ "like": "A", "baseUrls": ["https://b.test"] }"#),
    (#"{"fx": {"routes": null, "providers": null}}"#, ["fx", "routes"], #"{ "*/*": [] }"#),
    (#"{"exchanges": {"A": {"orderbook": null}}}"#, ["exchanges", "A", "orderbook"], "null"),
    (#"{"exchanges": {"Mine": {"like": "A"}}}"#, ["exchanges", "Mine"], #"{ "like": "A" }"#),
    (
      #"{"fx": {"providers": {"P": {"rate": {"success": {}}}}}}"#, ["fx", "providers", "P"],
      #"{ "budget": { "calls": 1, "per": "day" }, "rate": { "rows": "$", "success": {} } }"#
    ),
    // Names that mean the same.
    (#"{"networks": {"erc-20": null}}"#, ["networks"], "{}"),
    (#"{"networks": {"erc 20": "Ethereum"}}"#, ["networks"], #"{ "ERC20": "Ethereum" }"#),
    (#"{"fx": {"routes": {"*/*": null, "USD/KRW": []}}}"#, ["fx", "routes"], #"{ "USD/KRW": [] }"#),
  ])
  func filesAreMerged(_ text: String, _ path: [String], _ expected: String) throws {
    let own = #"{"extends": "builtin", "# + String(text.dropFirst())
    let configuration = try TestExchange.configuration(
      text == "{}" ? #"{"extends": "builtin"}"# : own, over: Self.shipped)
    let value = MergedConfig(configuration) { _ in nil }.value
    if path.isEmpty {
      let alone = try TestExchange.configuration(Self.shipped)
      #expect(value.text() == MergedConfig(alone) { _ in nil }.value.text())
    } else {
      #expect((value[path]?.text() ?? "nothing") == expected)
    }
    // The output is a config with the same meaning.
    let again = try TestExchange.configuration(value.text())
    #expect(again.exchangeNames == configuration.exchangeNames)
    for source in configuration.exchanges {
      let other = try #require(again.exchange(named: source.name))
      #expect(
        configuration.read(source).exchange?.spot.map(\.fieldTexts)
          == again.read(other).exchange?.spot.map(\.fieldTexts))
    }
  }

  @Test func maskedValuesAreNotShown() throws {
    let configuration = try TestExchange.configuration(#"{"exchanges": {"A": {"note": "hush", "badge": "A"}}}"#)
    let value = MergedConfig(configuration) { $0.json.string == "hush" ? "***" : nil }.value
    #expect(value.text() == #"{ "exchanges": { "A": { "note": "***", "badge": "A" } } }"#)
  }
}
