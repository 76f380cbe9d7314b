import Quotes

// Order books, trades and candles, which are requested for one pair.

extension ObjectShape {
  static let orderbook: Self = .init(
    "orderbook", "Order book",
    "The order book of one pair: its request, and where its price levels are. Missing keys are taken from the "
      + "enclosing levels.",
    asked("levels of a side") + [
      KeyShape(
        "bids", .any([.path, .object(.zip), .object(.bookSide)]), "Where the bids are.",
        examples: ["\"$.bids[*]\""]),
      KeyShape(
        "asks", .any([.path, .object(.zip), .object(.bookSide)]), "Where the asks are.",
        examples: ["\"$.asks[*]\""]),
      KeyShape("price", .numeric.orNull, "The price of a level.", examples: ["\"$[0]\""]),
      KeyShape("size", .numeric.orNull, "The amount of the asset at that price.", examples: ["\"$[1]\""]),
      KeyShape(
        "time", .object(.timeValue).orNull, "The time of the book; `$` is the answer.",
        examples: ["{ \"path\": \"$.ts\", \"unit\": \"ms\" }"]),
      KeyShape(
        "staleAfter", .duration.orNull, "The maximum age of a book, if it differs from that of a quote.",
        examples: ["\"5m\""]),
      KeyShape(
        "sequence", .value.orNull, "A number that rises with each change; `$` is the answer.",
        examples: ["\"$.lastUpdateId\""]),
    ])

  static let bookSide: Self = .init(
    "bookSide", "Side of an order book", "One side whose levels have their own names or conditions.",
    [
      KeyShape("rows", .any([.path, .object(.zip)]), "Where the levels are.", isRequired: true),
      KeyShape(
        "where", .list(.object(.condition)), "Levels of this side: all conditions hold.",
        examples: ["[{ \"path\": \"$.side\", \"equals\": \"buy\" }]"]),
      KeyShape("price", .numeric, "The price of a level."),
      KeyShape("size", .numeric, "The amount of the asset at that price."),
    ])

  static let trades: Self = .init(
    "trades", "Trades", "The newest trades of one pair. Missing keys are taken from the enclosing levels.",
    asked("trades") + listed("trades", .tradeFields))

  static let tradeFields: Self = .init(
    "tradeFields", "Fields of a trade", "Where a trade has its values.",
    [
      KeyShape("price", .numeric.orNull, "The price of one unit of the asset.", examples: ["\"$.price\""]),
      KeyShape("size", .numeric.orNull, "The traded amount of the asset.", examples: ["\"$.qty\""]),
      KeyShape(
        "side", .object(.sideValue).orNull, "Whether the taker bought or sold.",
        examples: ["{ \"path\": \"$.isBuyerMaker\", \"buy\": false, \"sell\": true }"]),
      KeyShape(
        "time", .object(.timeValue).orNull, "Its time.",
        examples: ["{ \"path\": \"$.time\", \"unit\": \"ms\" }"]),
      KeyShape("id", .value.orNull, "The exchange's own id of the trade.", examples: ["\"$.id\""]),
    ])

  static let candles: Self = .init(
    "candles", "Candles",
    "The candles of one pair. Missing keys are taken from the enclosing levels. The templates in the request "
      + "decide how older candles are requested.",
    asked("candles") + [
      KeyShape(
        "intervals", .map(.any([.text(), .number, .object(.interval), .null]), names: intervalNames).orNull,
        "The intervals that the exchange offers, each with the exchange's word for it.",
        examples: ["{ \"1m\": \"1m\", \"1h\": \"60\", \"1d\": \"D\" }"]),
      zoneKey,
    ] + listed("candles", .candleFields))

  /// An interval that differs from the others.
  static let interval: Self = .init(
    "interval", "Interval", "An interval for which keys of the block differ.",
    [KeyShape("word", .any([.text(), .number]), "The exchange's word for it.", isRequired: true)]
      + asked("candles").filter { ["request", "count", "baseUrls"].contains($0.name) } + [zoneKey]
      + listed("candles", .candleFields).filter { ["rows", "fields"].contains($0.name) })

  static let candleFields: Self = .init(
    "candleFields", "Fields of a candle", "Where a candle has its values.",
    [
      KeyShape(
        "time", .object(.candleTimeValue).orNull,
        "Its start, or depending on `basis` its end or any moment within it.",
        examples: ["{ \"path\": \"$[0]\", \"unit\": \"ms\" }"])
    ]
      + [
        ("open", "The first price."), ("high", "The highest price."), ("low", "The lowest price."),
        ("close", "The last price."), ("volume", "Volume in the asset."),
        ("turnover", "Volume in the payment currency."),
      ].map { KeyShape($0.0, .numeric.orNull, $0.1, examples: ["\"$.\($0.0)\""]) })

  private static let intervalNames = "^(" + CandleInterval.allCases.map(\.rawValue).joined(separator: "|") + ")$"

  private static let zoneKey = KeyShape(
    "zone", .zone.orNull, "At whose midnight days begin.", default: "\"Z\"", examples: ["\"+09:00\""])

  static let assetNames: Self = .init(
    "assetNames", "Names of assets",
    "Names of the assets of a market, in Korean and English. Missing keys, including the symbol rule, are taken "
      + "from the enclosing levels.",
    asked("names").filter { !["count", "lookups"].contains($0.name) }
      + block.filter { ["rows", "where", "symbol"].contains($0.name) } + [
        KeyShape("fields", .object(.assetNameFields).orNull, "Where a row has the names of its asset.")
      ])

  static let assetNameFields: Self = .init(
    "assetNameFields", "Fields of a name", "Where a row has the names of its asset.",
    [
      KeyShape("korean", .value.orNull, "In Korean.", examples: ["\"$.korean_name\""]),
      KeyShape("english", .value.orNull, "In English.", examples: ["\"$.english_name\""]),
    ])

  /// The request keys of a block about one pair.
  private static func asked(_ what: String) -> [KeyShape] {
    let own = [
      KeyShape(
        "count", .any([.integer(IntegerRange.counts), .list(.integer(IntegerRange.counts), 2...10_000), .null]),
        "The maximum number of \(what) per request; an array lists the numbers that the exchange allows.",
        examples: ["1000", "[20, 100]"])
    ]
    let shared = ["request", "baseUrls", "headers", "limit", "success", "lookups", "hook", "verified", "note"]
    return block.filter { $0.name == "request" } + own + block.filter { shared.dropFirst().contains($0.name) }
  }

  /// The keys for the rows of such a block, and their fields.
  private static func listed(_ what: String, _ fields: ObjectShape) -> [KeyShape] {
    block.filter { ["rows", "where"].contains($0.name) } + [
      KeyShape("fields", .object(fields).orNull, "Where each of the \(what) has its values.")
    ]
  }
}
