// The objects at the top of a config.

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
      KeyShape("staleAfter", .duration, "A quote older than this is flagged.", default: "\"60s\""),
      KeyShape("timeout", .duration, "How long a whole run may take.", default: "\"5s\""),
      KeyShape(
        "identityPercent", .positiveNumber,
        "How far a price may stand from the others' median, in percent, before it is taken for another coin.",
        default: "20"),
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
