import Config

// Explanations of the meaning of a config, beyond its form.

extension DiagnosticExplanation {
  static let meanings = [
    DiagnosticExplanation(
      .changeWithoutBasis, "a change without a basis",
      """
      A change over 24 hours and one since midnight are different numbers with the same name. The basis says which it \
      is: rolling24h, utcDay, kstDay, utc8Day, venueDay for a day of the exchange's own, or previousClose if the day \
      is unknown.
      """,
      in: .market, wrong: #""fields": { "changePricePercent24": "$.change" }"#,
      right: #""fields": { "changePricePercent24": { "path": "$.change", "basis": "rolling24h" } }"#),
    DiagnosticExplanation(
      .timeWithoutUnit, "a time without a unit",
      """
      A time given as a number may count seconds, milliseconds, microseconds or nanoseconds, and one given as a string \
      may be written in many ways. Guessing would make stale prices look fresh.
      """,
      in: .market, wrong: #""fields": { "time": "$.ts" }"#,
      right: #""fields": { "time": { "path": "$.ts", "unit": "ms" } }"#),
    DiagnosticExplanation(
      .missingPaymentCurrencies, "no payment currencies to look for in a symbol",
      "\"split\": \"payment\" removes the longest payment currency from the end of a symbol. It needs a list of them.",
      in: .market, wrong: #""symbol": { "path": "$.symbol", "split": "payment" }"#,
      right: #""symbol": { "path": "$.symbol", "split": "payment" }, "paymentCurrencies": { "stable": ["USDT"] }"#),
    DiagnosticExplanation(
      .writtenSecret, "a secret in the file",
      """
      Configs are shared, pasted and kept in repositories. A secret, even one that only signs, belongs in \
      credentials.json, where {secret:name} reads it; it is then sent only to the exchange's own hosts. Replace a secret \
      that was written in a file.
      """,
      in: .wholeMarket,
      wrong: #""tickers": { "request": { "path": "/tickers", "query": { "app_id": "3f9a61c07d2e48b5a1c9" } } }"#,
      right: #""tickers": { "request": { "path": "/tickers", "query": { "app_id": "{secret:app_id}" } } }"#),
    DiagnosticExplanation(
      .unreachableCurrency, "an unreachable payment currency",
      """
      Every rule of the symbol gives another payment currency, or drops the row: no pair with this one will ever \
      appear.
      """,
      in: .market,
      wrong:
        #""symbol": { "path": "$.symbol", "suffix": "PERP", "payment": "USDC" }, "paymentCurrencies": { "stable": ["USDT", "USDC"] }"#,
      right:
        #""symbol": { "path": "$.symbol", "suffix": "PERP", "payment": "USDC" }, "paymentCurrencies": { "stable": ["USDC"] }"#
    ),
    DiagnosticExplanation(
      .unreachableRule, "a rule that no symbol reaches",
      "The first rule that matches wins. An earlier one matches every symbol that this one would.",
      in: .market,
      wrong:
        #""symbol": { "path": "$.symbol", "rules": [{ "payment": "USDT" }, { "suffix": "PERP", "payment": "USDC" }] }"#,
      right:
        #""symbol": { "path": "$.symbol", "rules": [{ "suffix": "PERP", "payment": "USDC" }, { "payment": "USDT" }] }"#),
    DiagnosticExplanation(
      .circularAlias, "circular aliases",
      "An alias names the actual asset. These lead back to where they started, so the asset is undefined.",
      in: .top, wrong: #""aliases": { "XBT": "BTC", "BTC": "XBT" }"#, right: #""aliases": { "XBT": "BTC" }"#),
    DiagnosticExplanation(
      .scaledTwice, "a factor applied twice",
      """
      A change from an open is already computed in percent; and if a part has its own factor, the whole needs none. \
      The number would be off by that factor.
      """,
      in: .market,
      wrong: #""fields": { "changePricePercent24": { "fromOpen": "$.open", "scale": 100, "basis": "rolling24h" } }"#,
      right: #""fields": { "changePricePercent24": { "fromOpen": "$.open", "basis": "rolling24h" } }"#),
    DiagnosticExplanation(
      .constantField, "a constant field",
      """
      The number comes from the config, not the response: every pair would show it forever. Most likely a path to it \
      was intended. At the end of "first", every pair without a number would show it: an empty cell says why it is empty.
      """,
      in: .market, wrong: #""fields": { "price": 7 }"#, right: #""fields": { "price": "$[7]" }"#),
    DiagnosticExplanation(
      .unnamedPair, "a request that does not name its pair",
      """
      The answer is taken for the pair that was requested, but the request names no pair: every pair would get the \
      same numbers. Without {payment}, the exchange must trade against a single currency. An order book, trades or \
      candles without it are used only if the exchange lists a single pair, or if the answer names the pair.
      """,
      in: .market, wrong: #""ticker": { "request": { "path": "/ticker" }, "rows": "$", "symbol": "request" }"#,
      right: #""ticker": { "request": { "path": "/ticker/{asset}-{payment}" }, "rows": "$", "symbol": "request" }"#),
  ]

  static let looseEnds = [
    DiagnosticExplanation(
      .sameRequest, "the same request twice",
      """
      Two exchanges that send the same request to the same host have the same prices. Usually a block was copied \
      without changing its host. The markets of one exchange, and the parts of its table, may share a request, but then \
      "where" or "symbol" tells their rows apart: otherwise prices of spot pairs would also stand for futures, and \
      pairs would appear twice.
      """,
      in: .exchanges, wrong: exchange("Example", host: "api") + ",\n" + exchange("Copy", host: "api"),
      right: exchange("Example", host: "api") + ",\n" + exchange("Another", host: "other")),
    DiagnosticExplanation(
      .unusedConstant, "an unused constant",
      """
      "set" gives constants to the templates of a part. The first of them, or the one called product, also names the \
      group of futures; any other that no template uses is a mistake.
      """,
      in: .wholeMarket,
      wrong:
        #""tickers": { "request": { "path": "/tickers" }, "forEach": [{ "set": { "product": "linear", "kind": "x" } }] }"#,
      right:
        #""tickers": { "request": { "path": "/{kind}" }, "forEach": [{ "set": { "product": "linear", "kind": "x" } }] }"#
    ),
    DiagnosticExplanation(
      .unusedLookup, "an unused lookup or batch",
      """
      A lookup is requested when a value reads from it. This one never is. A "batch" fills in {keys}; without {keys} \
      in the request it has no effect.
      """,
      in: .market,
      wrong: #""lookups": { "book": { "request": { "path": "/book" }, "rows": "$[*]", "key": "$.symbol" } }"#,
      right: #""lookups": { "book": { "request": { "path": "/book" }, "rows": "$[*]", "key": "$.symbol" } },"# + "\n"
        + #""fields": { "bid": { "from": "book", "path": "$.bid" } }"#),
    DiagnosticExplanation(
      .unusedAlias, "an alias without effect",
      """
      The alias names itself, or a nearer level gives the same name another meaning everywhere. Names of networks are \
      the same if only case and punctuation differ.
      """,
      in: .top, wrong: #""aliases": { "BTC": "BTC" }"#, right: #""aliases": { "XBT": "BTC" }"#),
    DiagnosticExplanation(
      .noEnabledMarket, "an enabled exchange without an enabled market",
      """
      An exchange is enabled unless it says "enabled": false, and so is each of its markets. Here the exchange is \
      enabled but none of its markets are: it is listed and counted but never asked, for no visible reason. Enable the \
      market, or disable the exchange as a whole, which keeps its text for exchanges that start from it by "like".
      """,
      in: .exchanges, wrong: exchange("Example", host: "api.exchange", spot: disabledMarket),
      right: exchange("Example", host: "api.exchange", more: "\n  \"enabled\": false,", spot: disabledMarket)),
    DiagnosticExplanation(
      .duplicateEntry, "a duplicate pair or payment currency",
      """
      The pair is already followed, on the line given in the message; under another name of the same asset it is the \
      same pair. Likewise, a payment currency is listed once.
      """,
      in: .top, wrong: watchlist(#""asset": "btc", "payment": "USDT""#),
      right: watchlist(#""asset": "ETH", "payment": "USDT""#)),
    DiagnosticExplanation(
      .unservedEntry, "a pair that no exchange lists",
      """
      No enabled exchange lists the payment currency. Its row would stay empty forever, and so would a rate that is \
      implied by the price.
      """,
      in: .top, wrong: watchlist(#""asset": "ETH", "payment": "USTD""#),
      right: watchlist(#""asset": "ETH", "payment": "USDT""#)),
    DiagnosticExplanation(
      .renamedAsset, "an alias of something else",
      """
      An alias is another name of one asset. The aliases at the top of a file apply to every exchange and are followed \
      one step: if BTC were an alias, every price of it would become one of the other asset, and a name that stands \
      for BTC would stay at BTC. If an exchange means another asset by a name, write the alias under that exchange.
      """,
      in: .top, wrong: #""aliases": { "XBT": "BTC", "BTC": "ETH" }"#, right: #""aliases": { "XBT": "BTC" }"#),
    DiagnosticExplanation(
      .hiddenKey, "a key that a nearer level hides",
      """
      The nearest level wins: exchange, market, tickers. The shipped config, or the exchange that this one starts from, \
      has the key on the market or its tickers, so the one written here does nothing there. Write it on that level.
      """,
      in: .exchanges, wrong: feeExchange + ",\n" + #""Copy": { "like": "Example", "takerFee": 0.2 }"#,
      right: feeExchange + ",\n" + #""Copy": { "like": "Example", "markets": { "spot": { "takerFee": 0.2 } } }"#),
  ]

  private static let feeExchange = """
    "Example": {
      "enabled": false, "baseUrls": ["https://api.exchange.example"], "request": { "path": "/tickers" }, "rows": "$[*]",
      "symbol": { "path": "$.symbol", "split": "-" }, "fields": { "price": "$.last" },
      "markets": { "spot": { "takerFee": 0.1, "tickers": {} } } }
    """

  private static let disabledMarket = #""enabled": false, "tickers": {}"#

  private static func watchlist(_ entry: String) -> String {
    """
    "watchlist": [
      { "asset": "BTC", "payment": "USDT" },
      { \(entry) }],
    "exchanges": {
      "Example": {
        "baseUrls": ["https://api.exchange.example"], "request": { "path": "/tickers" }, "rows": "$[*]",
        "symbol": { "path": "$.symbol", "split": "-" }, "fields": { "price": "$.last" },
        "paymentCurrencies": { "stable": ["USDT"] },
        "markets": { "spot": { "tickers": {} } } } }
    """
  }
}

// The explanations of exchange rates (MKT07x).

extension DiagnosticExplanation {
  static let routes = [
    DiagnosticExplanation(
      .invalidPair, "an invalid pair",
      "A pair is asset/payment: USD/KRW is the price of one dollar in won. Either side may be * for any currency.",
      in: .rates, wrong: rates(#""USDKRW": { "rules": [{ "use": "Example" }] }"#),
      right: rates(#""USD/KRW": { "rules": [{ "use": "Example" }] }"#)),
    DiagnosticExplanation(
      .invalidTimeOfDay, "an invalid time of day",
      """
      Hours and minutes have two digits each, from 00:00 to 24:00; seconds may follow. They are in the route's "zone".
      """,
      in: .rates, wrong: route(#"{ "from": "9am", "use": "Example" }, { "use": "Example" }"#),
      right: route(#"{ "from": "09:00", "use": "Example" }, { "use": "Example" }"#)),
    DiagnosticExplanation(
      .reversedHours, "hours that end before they begin",
      "Hours lie within one day. Write hours across midnight as two rules: one until 24:00, one from 00:00.",
      in: .rates, wrong: route(#"{ "from": "22:00", "to": "06:00", "use": "Example" }, { "use": "Example" }"#),
      right: route(
        #"{ "from": "22:00", "to": "24:00", "use": "Example" }, { "to": "06:00", "use": "Example" }, { "use": "Example" }"#
      )
    ),
    DiagnosticExplanation(
      .overlappingHours, "two rules with overlapping hours",
      """
      Rules are tried in order, so in the shared hours the later one is only used if the earlier one fails. Two rules \
      with exactly the same hours are a list of fallbacks, which is fine.
      """,
      in: .rates,
      wrong: route(
        #"{ "to": "10:00", "use": "Example" },"# + "\n"
          + #"    { "from": "09:00", "use": "Example" }, { "use": "Example" }"#),
      right: route(
        #"{ "to": "09:00", "use": "Example" },"# + "\n"
          + #"    { "from": "09:00", "use": "Example" }, { "use": "Example" }"#)),
    DiagnosticExplanation(
      .uncoveredHours, "hours that no rule covers",
      """
      Every rule of the route has hours, and part of the day is in none of them: no provider is asked then, and the \
      pair has no rate.
      """,
      in: .rates, wrong: route(#"{ "from": "09:00", "to": "24:00", "use": "Example" }"#),
      right: route(#"{ "from": "09:00", "to": "24:00", "use": "Example" }, { "use": "Example" }"#)),
    DiagnosticExplanation(
      .circularRoute, "a pair that is derived from itself",
      """
      "via" derives a rate from two others if no provider has it. If one of those two needs the first, the route is \
      circular.
      """,
      in: .rates,
      wrong: rates(
        #"""
        "EUR/KRW": { "rules": [{ "use": "Example" }], "via": "USD" },
          "USD/KRW": { "rules": [{ "use": "Example" }], "via": "EUR" }
        """#, known: "*/*"),
      right: rates(
        #"""
        "EUR/KRW": { "rules": [{ "use": "Example" }], "via": "USD" },
          "USD/KRW": { "rules": [{ "use": "Example" }] }
        """#, known: "*/*")),
    DiagnosticExplanation(
      .unusedProvider, "a provider that can never have the pair",
      """
      A provider lists in "pairs" what it knows, and is never asked for anything else. This rule has no effect, as has \
      one behind another that asks the same provider at any time. A provider that takes an exchange's price for a rate \
      must take one of the same currencies, where a token of "dollarTokens" may stand for USD.
      """,
      in: .rates, wrong: rates(#""EUR/KRW": { "rules": [{ "use": "Example" }] }"#),
      right: rates(#""USD/KRW": { "rules": [{ "use": "Example" }] }"#)),
  ]

  private static func route(_ rules: String) -> String {
    rates(#""USD/KRW": { "zone": "+09:00", "rules": [\#(rules)] }"#)
  }

  /// Returns routes beside the only provider, which knows some pairs.
  static func rates(_ routes: String, known: String = "USD/*") -> String {
    """
    "routes": { \(routes) },
    "providers": { "Example": { "pairs": ["\(known)"], "baseUrls": ["https://rates.example"],
      "rate": { "request": { "path": "/latest" }, "rows": "$", "symbol": "request", "fields": { "rate": "$.rate" } } } }
    """
  }
}
