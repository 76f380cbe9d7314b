import Quotes

// The top-level objects of a config.

extension ObjectShape {
  static let config = ObjectShape(
    "Config of market", "Exchanges, exchange-rate providers and settings: all of it data.",
    [
      KeyShape("$schema", .text(), "Where editors find the schema.", examples: ["\"./exchanges.schema.json\""]),
      KeyShape("version", .choiceOfOne, "The version of the config language.", default: "1"),
      KeyShape(
        "extends", .choice(["builtin"]),
        "`builtin` lays this file over the one that ships with the program: it holds only what differs."),
      KeyShape("settings", .any([.object(.settings), .null]), "How the program behaves."),
      KeyShape(
        "watchlist", .any([.list(.object(.watchlistEntry)), .null]), "The pairs to follow, in the order of display."),
      KeyShape(
        "aliases", .any([.map(.text()), .null]), "Other names of an asset, for every exchange.",
        examples: ["{ \"XBT\": \"BTC\" }"]),
      KeyShape(
        "networks", .any([.map(.text()), .null]),
        "Other names of a network, for every exchange; case and signs do not count.",
        examples: ["{ \"ERC20\": \"ETH\" }"]),
      KeyShape("retired", .any([.map(.object(.retired)), .null]), "Exchanges that have closed, by name."),
      KeyShape("exchanges", .any([.map(.object(.exchange)), .null]), "Exchanges by name, in the order of display."),
      KeyShape("fx", .object(.fx), "Exchange rates between currencies."),
    ])

  static let settings = ObjectShape(
    "Settings", "How the program behaves.",
    [
      KeyShape(
        "colors", .choice(["auto", "kr", "us", "cb", "none"]),
        "Colours of up and down: kr red/blue, us green/red, cb blue/orange; auto goes by the locale.",
        default: "\"auto\""),
      KeyShape(
        "premiumAlert", .list(.positiveNumber, 2...2),
        "Premiums in percent from which a figure is grey, then orange; the smaller first.", default: "[0.05, 0.10]"),
      KeyShape("staleAfter", .duration, "A quote or an order book older than this is flagged.", default: "\"60s\""),
      KeyShape("timeout", .duration, "How long a whole run may take.", default: "\"5s\""),
      KeyShape(
        "identityPercent", .positiveNumber,
        "How far a price may stand from the others' median, in percent, before it is taken for another coin.",
        default: "20"),
      KeyShape("headerRate", .text(), "The exchange rate at the top of what 'show' prints.", default: "\"USD/KRW\""),
      KeyShape(
        "localHosts", .texts,
        "Hosts of this machine or its network that an exchange may name beside others; counts in your own file alone.",
        default: "[]", examples: ["[\"127.0.0.1\"]"]),
      KeyShape(
        "dollarTokens", .texts, "Tokens that count as a dollar where prices are converted.",
        default:
          "[\"USDT\", \"USDC\", \"FDUSD\", \"TUSD\", \"DAI\", \"USDE\", \"USD1\", \"PYUSD\", \"USDG\", \"RLUSD\"]"),
    ])

  static let watchlistEntry = ObjectShape(
    "Watchlist entry", "A pair to follow.",
    [
      KeyShape("asset", .text(), "The base currency.", examples: ["\"BTC\""], isRequired: true),
      KeyShape("payment", .text(), "The payment currency.", examples: ["\"USDT\""], isRequired: true),
      KeyShape("name", .text(), "A name for people.", examples: ["\"Bitcoin\""]),
      KeyShape("enabled", .boolean, "Whether it is shown.", default: "true"),
    ])

  static let retired = ObjectShape(
    "Retired exchange", "An exchange that has closed: asking for it says since when.",
    [
      KeyShape("since", .day, "The day.", examples: ["\"2026-09-23\""], isRequired: true),
      KeyShape("reason", .text(), "Why, in a few words."),
      KeyShape("names", .texts, "Further names by which people know it."),
    ])
}

extension ValueShape {
  fileprivate static let choiceOfOne = ValueShape.integer(1...1)
}

// An exchange and its levels.

extension ObjectShape {
  static let exchange = ObjectShape(
    "Exchange",
    "An exchange. Block keys may stand here, on a market, on its tickers and on a part of them: the nearest wins.",
    reserved: BlockKey.reserved,
    [
      KeyShape("enabled", .boolean, "A disabled exchange is checked, but never asked.", default: "true"),
      KeyShape("names", .texts, "Further names by which people know it.", examples: ["[\"업비트\"]"]),
      KeyShape("badge", .text(), "Up to three letters or an emoji, where there is no room for the name."),
      KeyShape("docs", .text(pattern: "^https?://"), "Where the exchange documents its interface."), pageKey,
      KeyShape(
        "like", .text(), "Starts from that exchange, which has no `like` itself, without its names, notes and proofs.",
        examples: ["\"Binance\""]),
      refreshKey, takerFeeKey,
    ] + block + blocksOfOnePair + accountBlocks + [
      KeyShape("markets", .object(.markets), "Its spot and futures markets.")
    ])

  static let markets = ObjectShape(
    "Markets", "The markets of an exchange.",
    Market.allCases.map { market in
      KeyShape(
        market.rawValue, .any([.object(.market), .null]),
        market == .spot ? "The spot market." : "Perpetual swaps; dated contracts are no part of it.")
    })

  static let market = ObjectShape(
    "Market", "One market of an exchange.", reserved: BlockKey.reserved,
    [
      KeyShape("enabled", .boolean, "Whether the market is asked.", default: "true"), pageKey, refreshKey,
      takerFeeKey,
    ] + block + [
      KeyShape("tickers", .any([.object(.tickers), .null]), "All pairs: one table, perhaps in several parts."),
      KeyShape("ticker", .any([.object(.ticker), .null]), "One pair. It stands on what `tickers` says."),
      KeyShape("names", .any([.object(.assetNames), .null]), "What people call the assets."),
    ] + blocksOfOnePair)

  /// The blocks about one pair, on the levels that may have them.
  private static let blocksOfOnePair = [
    KeyShape("orderbook", .any([.object(.orderbook), .null]), "The order book of one pair."),
    KeyShape("trades", .any([.object(.trades), .null]), "The newest trades of one pair."),
    KeyShape("candles", .any([.object(.candles), .null]), "The candles of one pair."),
    KeyShape("streams", .any([.object(.streams), .null]), "What the exchange sends by itself, over a WebSocket."),
  ]

  static let tickers = ObjectShape(
    "Tickers", "The table of all pairs.",
    block + [
      KeyShape(
        "forEach", .any([.list(.object(.part), 1...1000), .null]),
        "Parts of the table that are asked apart: any block key may differ."),
      KeyShape("batch", .any([.object(.batch), .null]), "Keys of a lookup that are asked for in portions."),
    ])

  static let ticker = ObjectShape(
    "Ticker", "How one pair is asked for, where that differs from all pairs.",
    [
      KeyShape(
        "onMiss", .choice(["tickers"]),
        "`tickers` looks for a pair that is not listed here in the table of all: where pairs are renamed, and asked for by "
          + "their older names.")
    ] + block)

  static let part = ObjectShape(
    "Part of a table", "What differs in this part.",
    [
      KeyShape(
        "set", .any([.map(.any([.scalar, .null])), .null]),
        "Constants for templates and `\"from\": \"request\"`; they name the part in messages.",
        examples: ["{ \"category\": \"linear\" }"]), pageKey,
    ] + block + [KeyShape("ticker", .object(.ticker), "How one pair of this part is asked for.")] + blocksOfOnePair)

  static let batch = ObjectShape(
    "Batch", "One request for so many keys of a lookup, which stand in `{keys}`.",
    [
      KeyShape("of", .text(), "The lookup whose keys are asked for.", isRequired: true),
      KeyShape("max", .integer(1...10_000), "Keys in one request.", default: "200"),
      KeyShape("join", .text(), "What stands between two keys.", default: "\",\""),
    ])

  private static let pageKey = KeyShape(
    "page", .any([.page, .null]),
    "Where people trade a pair on the exchange's own site: shown, and never asked. Templates: {asset} {payment} {symbol}, "
      + "names of `set`, each |lower or |upper.",
    examples: ["\"https://www.exchange.example/trade/{asset}_{payment}\""])

  private static let refreshKey = KeyShape(
    "refresh", .any([.duration, .null]), "How often a live view asks.", default: "\"1s\"")

  private static let takerFeeKey = KeyShape(
    "takerFee", .any([.fee, .decimalText, .map(.any([.fee, .decimalText])), .null]),
    "What is taken of a trade that is filled at once, in percent, without discounts: one number, or one for each "
      + "payment currency with `*` for the rest.", examples: ["0.1", "{ \"KRW\": 0.05, \"*\": 0.25 }"])

  /// The keys allowed on every level. `null` removes what a level above says.
  package static let block = blockKeys.map { key in
    KeyShape(
      key.name, .any([key.value, .null]), key.summary, default: key.defaultValue, examples: key.examples,
      isBlockKey: true)
  }

  private static let blockKeys = [
    KeyShape(
      "baseUrls", .baseURLs,
      "Hosts, in the order in which they are tried. https, or http to this machine; a path is kept.",
      examples: ["[\"https://api.exchange.example\"]"]),
    KeyShape("headers", .map(.template), "Headers of every request; templates may stand in them."),
    KeyShape("limit", .object(.limit), "How many requests the exchange allows."),
    KeyShape("success", .object(.success), "How an answer is told from a refusal."),
    KeyShape("request", .object(.request), "What is asked."),
    KeyShape(
      "rows", .any([.path, .object(.zip)]),
      "Where the rows are: `$.data[*]`, `$.*` for an object by symbol, `$` for one.",
      examples: ["\"$.data[*]\"", "\"$\""]),
    KeyShape("where", .list(.object(.condition)), "Rows that are kept: all conditions hold."),
    KeyShape(
      "symbol", .any([.choice(["request"]), .object(.symbol)]),
      "How a row names its pair; `request` is the pair that was asked for.",
      examples: ["{ \"path\": \"$.symbol\", \"split\": \"payment\" }"]),
    KeyShape("fields", .object(.fields), "Where a row has its price and the like."),
    KeyShape("lookups", .map(.object(.lookup)), "Tables by key that values are read from, by name."),
    KeyShape("aliases", .map(.text()), "The exchange's names of assets.", examples: ["{ \"XBT\": \"BTC\" }"]),
    KeyShape(
      "multiplier", .map(.positiveNumber),
      "What stands before an asset, or behind it where a `*` comes first, and multiplies it: 1000PEPE, SHIB1000.",
      examples: ["{ \"1000\": 1000 }", "{ \"*1000\": 1000 }"]),
    KeyShape(
      "paymentCurrencies", .map(.any([.texts, .object(.paymentGroup)])),
      "Groups of payment currencies, spelled as the exchange does.", examples: ["{ \"stable\": [\"USDT\", \"USDC\"] }"]),
    KeyShape("staleAfter", .duration, "How old a quote or an order book may be, if not as old as `settings` say."),
    KeyShape("hook", .text(), "Swift code that turns the answer into JSON."),
    KeyShape("verified", .day, "The day of the recorded answer that passed the checks; absent: documentation only."),
    KeyShape("note", .text(), "What a reader should know."),
  ]
}
