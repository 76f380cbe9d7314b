import Config

// Explanations of the meaning of a config, beyond its form.

extension DiagnosticExplanation {
  static let meanings = [
    DiagnosticExplanation(
      .changeWithoutBasis, "a change without a basis",
      """
      A change of 24 hours and one since midnight are different numbers under one name. The basis says which it is: \
      rolling24h, utcDay, kstDay, utc8Day, venueDay for a day of its own, or previousClose where the day is not known.
      """,
      in: .market, wrong: #""fields": { "changePricePercent24": "$.change" }"#,
      right: #""fields": { "changePricePercent24": { "path": "$.change", "basis": "rolling24h" } }"#),
    DiagnosticExplanation(
      .timeWithoutUnit, "a time without a unit",
      """
      A number of a time may count seconds, milliseconds, microseconds or nanoseconds, and a text may be written in \
      many ways. Guessing would make stale prices look fresh.
      """,
      in: .market, wrong: #""fields": { "time": "$.ts" }"#,
      right: #""fields": { "time": { "path": "$.ts", "unit": "ms" } }"#),
    DiagnosticExplanation(
      .missingPaymentCurrencies, "nothing to look for at the end of a symbol",
      "\"split\": \"payment\" takes the longest payment currency off the end of a symbol. It needs the list of them.",
      in: .market, wrong: #""symbol": { "path": "$.symbol", "split": "payment" }"#,
      right: #""symbol": { "path": "$.symbol", "split": "payment" }, "paymentCurrencies": { "stable": ["USDT"] }"#),
    DiagnosticExplanation(
      .writtenSecret, "a secret in the file",
      """
      Configs are shared, pasted and kept in repositories. A secret belongs into credentials.json, from where \
      {secret:name} takes it, and then it is sent to the exchange's own hosts only. A secret that stood in a file \
      should be replaced.
      """,
      in: .wholeMarket,
      wrong: #""tickers": { "request": { "path": "/tickers", "query": { "app_id": "3f9a61c07d2e48b5a1c9" } } }"#,
      right: #""tickers": { "request": { "path": "/tickers", "query": { "app_id": "{secret:app_id}" } } }"#),
    DiagnosticExplanation(
      .unreachableCurrency, "a payment currency out of reach",
      "Every rule of the symbol names another payment currency, or drops the row: no pair with this one will ever be seen.",
      in: .market,
      wrong:
        #""symbol": { "path": "$.symbol", "suffix": "PERP", "payment": "USDC" }, "paymentCurrencies": { "stable": ["USDT", "USDC"] }"#,
      right:
        #""symbol": { "path": "$.symbol", "suffix": "PERP", "payment": "USDC" }, "paymentCurrencies": { "stable": ["USDC"] }"#
    ),
    DiagnosticExplanation(
      .unreachableRule, "a rule that no symbol reaches",
      "The first rule that fits wins. An earlier one fits every symbol that this one would take.",
      in: .market,
      wrong:
        #""symbol": { "path": "$.symbol", "rules": [{ "payment": "USDT" }, { "suffix": "PERP", "payment": "USDC" }] }"#,
      right:
        #""symbol": { "path": "$.symbol", "rules": [{ "suffix": "PERP", "payment": "USDC" }, { "payment": "USDT" }] }"#),
    DiagnosticExplanation(
      .circularAlias, "aliases in a circle",
      "An alias names the asset that is meant. These lead back to where they began, so that nobody can say which is meant.",
      in: .top, wrong: #""aliases": { "XBT": "BTC", "BTC": "XBT" }"#, right: #""aliases": { "XBT": "BTC" }"#),
    DiagnosticExplanation(
      .scaledTwice, "a factor that is applied twice",
      """
      A change from an open is computed in percent already; and a part that has its own factor needs none around it. \
      The number would be off by that factor.
      """,
      in: .market,
      wrong: #""fields": { "changePricePercent24": { "fromOpen": "$.open", "scale": 100, "basis": "rolling24h" } }"#,
      right: #""fields": { "changePricePercent24": { "fromOpen": "$.open", "basis": "rolling24h" } }"#),
    DiagnosticExplanation(
      .constantField, "a field that is a constant",
      """
      The number stands in the config, not in the answer: every pair would show it, today and for ever. Most likely \
      the path was meant that leads to it.
      """,
      in: .market, wrong: #""fields": { "price": 7 }"#, right: #""fields": { "price": "$[7]" }"#),
    DiagnosticExplanation(
      .unnamedPair, "a request that does not name its pair",
      """
      The answer is taken for the pair that was asked for, and the request says no pair: every pair would have the \
      numbers of the same one. Without {payment} the exchange must sell for one currency alone.
      """,
      in: .market, wrong: #""ticker": { "request": { "path": "/ticker" }, "rows": "$", "symbol": "request" }"#,
      right: #""ticker": { "request": { "path": "/ticker/{asset}-{payment}" }, "rows": "$", "symbol": "request" }"#),
  ]

  static let looseEnds = [
    DiagnosticExplanation(
      .sameRequest, "two exchanges with the same request",
      """
      Both ask the same host the same thing, so their prices are one price. Usually a block was copied and its host \
      not changed.
      """,
      in: .exchanges, wrong: exchange("Example", host: "api") + ",\n" + exchange("Copy", host: "api"),
      right: exchange("Example", host: "api") + ",\n" + exchange("Another", host: "other")),
    DiagnosticExplanation(
      .unusedConstant, "a constant that nothing uses",
      """
      "set" gives constants to the templates of a part. The first of them, or the one called product, names the group \
      of futures too; any other that no template uses is a slip.
      """,
      in: .wholeMarket,
      wrong:
        #""tickers": { "request": { "path": "/tickers" }, "forEach": [{ "set": { "product": "linear", "kind": "x" } }] }"#,
      right:
        #""tickers": { "request": { "path": "/{kind}" }, "forEach": [{ "set": { "product": "linear", "kind": "x" } }] }"#
    ),
    DiagnosticExplanation(
      .unusedLookup, "a lookup that nothing uses",
      "A lookup is asked for when a value reads from it. This one never is.",
      in: .market,
      wrong: #""lookups": { "book": { "request": { "path": "/book" }, "rows": "$[*]", "key": "$.symbol" } }"#,
      right: #""lookups": { "book": { "request": { "path": "/book" }, "rows": "$[*]", "key": "$.symbol" } },"# + "\n"
        + #""fields": { "bid": { "from": "book", "path": "$.bid" } }"#),
    DiagnosticExplanation(
      .unusedAlias, "an alias that does nothing",
      "The alias names itself, or a nearer level gives the same name another meaning everywhere.",
      in: .top, wrong: #""aliases": { "BTC": "BTC" }"#, right: #""aliases": { "XBT": "BTC" }"#),
    DiagnosticExplanation(
      .noEnabledMarket, "an enabled exchange without an enabled market",
      """
      An exchange is enabled unless it says "enabled": false, and so is each of its markets. Here the exchange is and \
      none of its markets: it is listed, counted and never asked, and nobody sees why. Enable the market, or disable \
      the exchange as a whole, which keeps its text for those that start from it by "like".
      """,
      in: .exchanges, wrong: quiet(""), right: quiet("\n  \"enabled\": false,")),
    DiagnosticExplanation(
      .duplicateEntry, "a pair twice in the watchlist",
      "The pair is followed already, on the line that the message names.",
      in: .top, wrong: watchlist(#""asset": "btc", "payment": "USDT""#),
      right: watchlist(#""asset": "ETH", "payment": "USDT""#)),
    DiagnosticExplanation(
      .unservedEntry, "a pair that no exchange can have",
      "No enabled exchange lists the payment currency. Its row would stay empty for ever.",
      in: .top, wrong: watchlist(#""asset": "ETH", "payment": "USTD""#),
      right: watchlist(#""asset": "ETH", "payment": "USDT""#)),
  ]

  /// Returns an exchange whose only market is disabled.
  private static func quiet(_ more: String) -> String {
    """
    "Example": {\(more)
      "baseUrls": ["https://api.exchange.example"], "request": { "path": "/tickers" }, "rows": "$[*]",
      "symbol": { "path": "$.symbol", "split": "-" }, "fields": { "price": "$.last" },
      "markets": { "spot": { "enabled": false, "tickers": {} } } }
    """
  }

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
      "A pair is asset/payment: USD/KRW is the price of one dollar in won. Either of the two may be *, for any currency.",
      in: .rates, wrong: #""routes": { "USDKRW": { "rules": [{ "use": "Example" }] } },"# + "\n" + provider,
      right: #""routes": { "USD/KRW": { "rules": [{ "use": "Example" }] } },"# + "\n" + provider),
    DiagnosticExplanation(
      .invalidTimeOfDay, "an invalid time of day",
      """
      Hours and minutes have two digits each, from 00:00 to 24:00; seconds may follow. They are those of the route's \
      "zone".
      """,
      in: .rates, wrong: route(#"{ "from": "9am", "use": "Example" }, { "use": "Example" }"#),
      right: route(#"{ "from": "09:00", "use": "Example" }, { "use": "Example" }"#)),
    DiagnosticExplanation(
      .reversedHours, "hours that end before they begin",
      "Hours lie within one day. Those over midnight are two rules: one until 24:00, one from 00:00.",
      in: .rates, wrong: route(#"{ "from": "22:00", "to": "06:00", "use": "Example" }, { "use": "Example" }"#),
      right: route(
        #"{ "from": "22:00", "to": "24:00", "use": "Example" }, { "to": "06:00", "use": "Example" }, { "use": "Example" }"#
      )
    ),
    DiagnosticExplanation(
      .overlappingHours, "hours of two rules that overlap",
      """
      Rules are tried in order, so for the hours that two have in common the later one only helps out when the earlier \
      one fails. Two rules of the very same hours are a list of fallbacks, and fine.
      """,
      in: .rates,
      wrong: route(
        #"{ "to": "10:00", "use": "Example" },"# + "\n"
          + #"    { "from": "09:00", "use": "Example" }, { "use": "Example" }"#),
      right: route(
        #"{ "to": "09:00", "use": "Example" },"# + "\n"
          + #"    { "from": "09:00", "use": "Example" }, { "use": "Example" }"#)),
    DiagnosticExplanation(
      .uncoveredHours, "hours that no rule has",
      """
      Every rule of the route has hours, and some of the day is in none of them: then nobody is asked, and the pair \
      has no rate.
      """,
      in: .rates, wrong: route(#"{ "from": "09:00", "to": "24:00", "use": "Example" }"#),
      right: route(#"{ "from": "09:00", "to": "24:00", "use": "Example" }, { "use": "Example" }"#)),
    DiagnosticExplanation(
      .circularRoute, "a pair that is put together of itself",
      """
      "via" puts a rate together from two others where no provider has it. If one of those two needs the first again, \
      there is no end.
      """,
      in: .rates,
      wrong: #""routes": { "EUR/KRW": { "rules": [{ "use": "Example" }], "via": "USD" },"# + "\n"
        + #"  "USD/KRW": { "rules": [{ "use": "Example" }], "via": "EUR" } },"# + "\n" + wideProvider,
      right: #""routes": { "EUR/KRW": { "rules": [{ "use": "Example" }], "via": "USD" },"# + "\n"
        + #"  "USD/KRW": { "rules": [{ "use": "Example" }] } },"# + "\n" + wideProvider),
    DiagnosticExplanation(
      .unusedProvider, "a provider that can never have the pair",
      "A provider says by \"pairs\" what it knows, and is never asked for anything else. This rule only takes up room.",
      in: .rates, wrong: #""routes": { "EUR/KRW": { "rules": [{ "use": "Example" }] } },"# + "\n" + provider,
      right: #""routes": { "USD/KRW": { "rules": [{ "use": "Example" }] } },"# + "\n" + provider),
  ]

  private static func route(_ rules: String) -> String {
    #""routes": { "USD/KRW": { "zone": "+09:00", "rules": [\#(rules)] } },"# + "\n" + provider
  }

  private static let wideProvider = """
    "providers": { "Example": { "pairs": ["*/*"], "baseUrls": ["https://rates.example"],
      "rate": { "request": { "path": "/latest" }, "rows": "$", "symbol": "request", "fields": { "rate": "$.rate" } } } }
    """
}
