import Quotes

// The top-level objects of a config.

extension ObjectShape {
  package static let config: Self = .init(
    "config", "Config of market", "Exchanges, exchange-rate providers and settings, all as data.",
    [
      KeyShape("$schema", .text(), "Where editors find the schema.", examples: ["\"./exchanges.schema.json\""]),
      KeyShape("version", .choiceOfOne, "The version of the config language.", default: "1"),
      KeyShape(
        "extends", .choice(["builtin"]),
        "`builtin` puts this file on top of the one that ships with the program: it holds only what differs."),
      KeyShape("settings", .object(.settings).orNull, "How the program behaves."),
      KeyShape("watchlist", .list(.object(.watchlistEntry)).orNull, "The pairs to follow, in the order of display."),
      KeyShape(
        "aliases", .map(.text()).orNull, "Other names of an asset, for every exchange.",
        examples: ["{ \"XBT\": \"BTC\" }"]),
      KeyShape(
        "networks", .map(.text()).orNull,
        "Other names of a network, for every exchange; case and punctuation are ignored.",
        examples: ["{ \"ERC20\": \"ETH\" }"]),
      KeyShape("retired", .map(.object(.retired)).orNull, "Exchanges that have closed, by name."),
      KeyShape("exchanges", .map(.object(.exchange)).orNull, "Exchanges by name, in the order of display."),
      KeyShape("fx", .object(.fx), "Exchange rates between currencies."),
    ])

  static let settings: Self = .init(
    "settings", "Settings", "How the program behaves.",
    [
      KeyShape(
        "colors", .choice(Settings.colorChoices),
        "Colours of up and down: kr red/blue, us green/red, cb blue/orange; auto follows the locale.",
        default: "\"auto\""),
      KeyShape(
        "premiumAlert", .list(.positiveNumber, 2...2),
        "Premiums in percent from which a figure is grey, then orange; the smaller first.", default: "[0.05, 0.10]"),
      KeyShape("staleAfter", .duration, "A quote or an order book older than this is flagged.", default: "\"60s\""),
      KeyShape("timeout", .duration, "The time limit of a whole run.", default: "\"5s\""),
      KeyShape(
        "identityPercent", .positiveNumber,
        "How far a price may be from the others' median, in percent, before it is taken for another coin.",
        default: "20"),
      KeyShape(
        "headerRate", .text(),
        "The exchange rate at the top of 'show', 'watch' and 'list'; prices are converted to its currencies.",
        default: "\"USD/KRW\""),
      KeyShape(
        "localHosts", .texts,
        "Hosts of this machine or its network that an exchange may list alongside others; works only in your own file.",
        default: "[]", examples: ["[\"127.0.0.1\"]"]),
      KeyShape(
        "dollarTokens", .list(.text(pattern: "^[^a-z\\s]+$")),
        "Tokens that count as a dollar when prices are converted.",
        default:
          "[\"USDT\", \"USDC\", \"FDUSD\", \"TUSD\", \"DAI\", \"USDE\", \"USD1\", \"PYUSD\", \"USDG\", \"RLUSD\"]"),
    ])

  static let watchlistEntry: Self = .init(
    "watchlistEntry", "Watchlist entry", "A pair to follow.",
    [
      KeyShape("asset", .text(), "The base currency.", examples: ["\"BTC\""], isRequired: true),
      KeyShape("payment", .text(), "The payment currency.", examples: ["\"USDT\""], isRequired: true),
      KeyShape("name", .text(), "A human-readable name.", examples: ["\"Bitcoin\""]),
      KeyShape("enabled", .boolean, "Whether it is shown.", default: "true"),
    ])

  static let retired: Self = .init(
    "retired", "Retired exchange", "An exchange that has closed; requests for it report since when.",
    [
      KeyShape("since", .day, "The day.", examples: ["\"2026-09-23\""], isRequired: true),
      KeyShape("reason", .text(), "Why, in a few words."),
      KeyShape("names", .texts, "Its other names."),
    ])
}

extension ValueShape {
  fileprivate static let choiceOfOne = ValueShape.integer(1...1)
}

// An exchange and its levels.

extension ObjectShape {
  static let exchange: Self = .init(
    "exchange", "Exchange",
    "An exchange. Block keys may be set here, on a market, on its tickers and on a part of them: the nearest wins.",
    reserved: BlockKey.reserved,
    [
      KeyShape("enabled", .boolean, "A disabled exchange is checked, but never queried.", default: "true"),
      KeyShape("names", .texts, "Its other names.", examples: ["[\"업비트\"]"]),
      KeyShape("badge", .text(), "Up to three letters or an emoji, used where the name does not fit."),
      KeyShape("docs", .text(pattern: "^https?://"), "The exchange's API documentation."), pageKey,
      KeyShape(
        "like", .text(),
        "Starts from that exchange, which cannot have `like` itself, without its names, notes and proofs.",
        examples: ["\"Binance\""]),
      refreshKey, takerFeeKey,
    ] + block + blocksOfOnePair + accountBlocks + [
      KeyShape("markets", .object(.markets), "Its spot and futures markets.")
    ])

  static let markets: Self = .init(
    "markets", "Markets", "The markets of an exchange.",
    Market.allCases.map { market in
      KeyShape(
        market.rawValue, .object(.market).orNull,
        market == .spot ? "The spot market." : "Perpetual swaps, without dated contracts.")
    })

  static let market: Self = .init(
    "market", "Market", "One market of an exchange.", reserved: BlockKey.reserved,
    [
      KeyShape("enabled", .boolean, "Whether the market is queried.", default: "true"), pageKey, refreshKey,
      takerFeeKey,
    ] + block + [
      KeyShape("tickers", .object(.tickers).orNull, "All pairs: one table, possibly in several parts."),
      KeyShape("ticker", .object(.ticker).orNull, "One pair. Based on `tickers`."),
      KeyShape("names", .object(.assetNames).orNull, "The names of the assets."),
    ] + blocksOfOnePair)

  /// The blocks about one pair, on the levels that may have them.
  private static let blocksOfOnePair = [
    KeyShape("orderbook", .object(.orderbook).orNull, "The order book of one pair."),
    KeyShape("trades", .object(.trades).orNull, "The newest trades of one pair."),
    KeyShape("candles", .object(.candles).orNull, "The candles of one pair."),
    KeyShape("streams", .object(.streams).orNull, "WebSocket streams of the exchange."),
  ]

  static let tickers: Self = .init(
    "tickers", "Tickers", "The table of all pairs.",
    block + [
      KeyShape(
        "forEach", .list(.object(.part), 1...10_000).orNull,
        "Parts of the table that are requested separately: any block key may differ."),
      KeyShape("batch", .object(.batch).orNull, "Keys of a lookup, requested in batches."),
    ])

  static let ticker: Self = .init(
    "ticker", "Ticker", "How one pair is requested, where that differs from all pairs.",
    [
      KeyShape(
        "onMiss", .choice(["tickers"]),
        "`tickers` looks up pairs that are not listed here in the table of all pairs: for exchanges that rename "
          + "pairs, but expect their older names.")
    ] + block)

  static let part: Self = .init(
    "part", "Part of a table", "What differs in this part.",
    [
      KeyShape(
        "set", .map(.scalar.orNull).orNull,
        "Constants for templates and `\"from\": \"request\"`; they identify the part in messages.",
        examples: ["{ \"category\": \"linear\" }"]), pageKey,
      KeyShape(
        "optional", .boolean, "Whether it may have no pairs now: an answer without rows is not a failure then.",
        default: "false"),
    ] + block + [KeyShape("ticker", .object(.ticker), "How one pair of this part is requested.")] + blocksOfOnePair)

  static let batch: Self = .init(
    "batch", "Batch", "One request for several keys of a lookup, which are filled in as `{keys}`.",
    [
      KeyShape("of", .text(), "The lookup whose keys are requested.", isRequired: true),
      KeyShape("max", .integer(IntegerRange.batch), "Keys per request.", default: "200"),
      KeyShape("join", .text(), "The separator between keys.", default: "\",\""),
    ])

  private static let pageKey = KeyShape(
    "page", .page.orNull,
    "The trading page of a pair on the exchange's site: shown, never requested. Templates: {asset} {payment} "
      + "{symbol}, names of `set`, each |lower or |upper.",
    examples: ["\"https://www.exchange.example/trade/{asset}_{payment}\""])

  private static let refreshKey = KeyShape(
    "refresh", .duration.orNull, "How often a live view sends a request.", default: "\"1s\"")

  private static let takerFeeKey = KeyShape(
    "takerFee", .any([.fee, .decimalText, .map(.any([.fee, .decimalText])), .null]),
    "The fee for a trade that is filled at once, in percent, without discounts: one number, or one per payment "
      + "currency or pair (`BTC/JPY`, `BTC/*`) with `*` for the rest.",
    examples: ["0.1", "{ \"KRW\": 0.05, \"*\": 0.25 }"])

  /// The keys allowed on every level. `null` removes what a level above says.
  package static let block = blockKeys.map { key in
    KeyShape(
      key.name, key.value.orNull, key.summary, default: key.defaultValue, examples: key.examples,
      isBlockKey: true)
  }

  private static let blockKeys = [
    KeyShape(
      "baseUrls", .baseURLs,
      "Hosts, in the order they are tried. https, or http to this machine; a path is kept.",
      examples: ["[\"https://api.exchange.example\"]"]),
    KeyShape("headers", .map(.template), "Headers of every request; may contain templates."),
    KeyShape("limit", .object(.limit), "How many requests the exchange allows."),
    KeyShape("success", .object(.success), "How a good answer differs from a refusal."),
    KeyShape("request", .object(.request), "The request."),
    KeyShape(
      "rows", .any([.path, .object(.zip)]),
      "Where the rows are: `$.data[*]`, `$.*` for an object by symbol, `$` for one.",
      examples: ["\"$.data[*]\"", "\"$\""]),
    KeyShape("where", .list(.object(.rowCondition)), "Rows to keep: all conditions hold."),
    KeyShape(
      "symbol", .any([.choice(["request"]), .object(.symbol)]),
      "How a row names its pair; `request` is the requested pair.",
      examples: ["{ \"path\": \"$.symbol\", \"split\": \"payment\" }"]),
    KeyShape("fields", .object(.fields), "Where a row has its price and the like."),
    KeyShape("lookups", .map(.object(.lookup)), "Keyed tables to read values from, by name."),
    KeyShape("aliases", .map(.text()), "The exchange's names of assets.", examples: ["{ \"XBT\": \"BTC\" }"]),
    KeyShape(
      "multiplier", .map(.positiveNumber),
      "A prefix of an asset, or a suffix if it begins with `*`, that multiplies it: 1000PEPE, SHIB1000.",
      examples: ["{ \"1000\": 1000 }", "{ \"*1000\": 1000 }"]),
    KeyShape(
      "paymentCurrencies", .map(.any([.texts, .object(.paymentGroup)])),
      "Groups of payment currencies, spelled as the exchange does.", examples: ["{ \"stable\": [\"USDT\", \"USDC\"] }"]),
    KeyShape(
      "staleAfter", .duration, "The maximum age of a quote or an order book, if it differs from that in `settings`."),
    KeyShape("hook", .text(), "Swift code that turns the answer into JSON."),
    KeyShape("verified", .day, "The day of the recorded answer that passed the checks; absent: documentation only."),
    KeyShape("note", .text(), "A note for readers."),
  ]
}
