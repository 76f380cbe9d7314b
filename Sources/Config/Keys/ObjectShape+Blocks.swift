import Quotes

// Order books, trades and candles, which are requested for one pair.

extension ObjectShape {
  static let orderbook = ObjectShape(
    "Order book",
    "What is bid and asked for one pair: how it is asked for, and where its levels are. What it does not say it takes "
      + "from the levels around it.",
    asked("levels of a side") + [
      KeyShape(
        "bids", .any([.path, .object(.zip), .object(.bookSide)]), "Where the levels of the buyers are.",
        examples: ["\"$.bids[*]\""]),
      KeyShape(
        "asks", .any([.path, .object(.zip), .object(.bookSide)]), "Where the levels of the sellers are.",
        examples: ["\"$.asks[*]\""]),
      KeyShape("price", .any([.numeric(.value), .null]), "The price of a level.", examples: ["\"$[0]\""]),
      KeyShape("size", .any([.numeric(.value), .null]), "How much of the asset stands there.", examples: ["\"$[1]\""]),
      KeyShape(
        "time", .any([.object(.timeValue), .null]), "When the book was so; `$` is the answer.",
        examples: ["{ \"path\": \"$.ts\", \"unit\": \"ms\" }"]),
      KeyShape(
        "staleAfter", .any([.duration, .null]), "How old a book may be, if not as old as a quote.",
        examples: ["\"5m\""]),
      KeyShape(
        "sequence", .any([.value(.value), .null]), "A number that rises with each change; `$` is the answer.",
        examples: ["\"$.lastUpdateId\""]),
    ])

  static let bookSide = ObjectShape(
    "Side of an order book", "One side whose levels have names or conditions of their own.",
    [
      KeyShape("rows", .any([.path, .object(.zip)]), "Where the levels are.", isRequired: true),
      KeyShape(
        "where", .list(.object(.condition)), "Levels of this side: all conditions hold.",
        examples: ["[{ \"path\": \"$.side\", \"equals\": \"buy\" }]"]),
      KeyShape("price", .numeric(.value), "The price of a level."),
      KeyShape("size", .numeric(.value), "How much of the asset stands there."),
    ])

  static let trades = ObjectShape(
    "Trades", "The newest trades of one pair. What it does not say it takes from the levels around it.",
    asked("trades") + listed("trades", .tradeFields))

  static let tradeFields = ObjectShape(
    "Fields of a trade", "Where a trade has what.",
    [
      KeyShape(
        "price", .any([.numeric(.value), .null]), "What was paid for one unit of the asset.", examples: ["\"$.price\""]),
      KeyShape("size", .any([.numeric(.value), .null]), "How much of the asset was traded.", examples: ["\"$.qty\""]),
      KeyShape(
        "side", .any([.object(.sideValue), .null]), "Whether the taker bought or sold.",
        examples: ["{ \"path\": \"$.isBuyerMaker\", \"buy\": false, \"sell\": true }"]),
      KeyShape(
        "time", .any([.object(.timeValue), .null]), "When it was made.",
        examples: ["{ \"path\": \"$.time\", \"unit\": \"ms\" }"]),
      KeyShape("id", .any([.value(.value), .null]), "The exchange's own number of the trade.", examples: ["\"$.id\""]),
    ])

  static let candles = ObjectShape(
    "Candles",
    "The candles of one pair. What it does not say it takes from the levels around it. Which templates the request has "
      + "decides how older candles are asked for.",
    asked("candles") + [
      KeyShape(
        "intervals", .any([.map(.any([.text(), .number, .object(.interval), .null]), names: intervalNames), .null]),
        "The intervals that the exchange offers, each with its own word for it.",
        examples: ["{ \"1m\": \"1m\", \"1h\": \"60\", \"1d\": \"D\" }"]),
      zoneKey,
    ] + listed("candles", .candleFields))

  /// An interval that differs from the others.
  static let interval = ObjectShape(
    "Interval", "An interval for which keys of the block differ.",
    [KeyShape("word", .any([.text(), .number]), "The exchange's word for it.", isRequired: true)]
      + asked("candles").filter { ["request", "count", "baseUrls"].contains($0.name) } + [zoneKey]
      + listed("candles", .candleFields).filter { ["rows", "fields"].contains($0.name) })

  static let candleFields = ObjectShape(
    "Fields of a candle", "Where a candle has what.",
    [
      KeyShape(
        "time", .any([.object(.candleTimeValue), .null]), "Its start, or by `basis` its end or any moment of it.",
        examples: ["{ \"path\": \"$[0]\", \"unit\": \"ms\" }"])
    ]
      + [
        ("open", "The first price."), ("high", "The highest price."), ("low", "The lowest price."),
        ("close", "The last price."), ("volume", "Traded in the asset."),
        ("turnover", "Traded in the payment currency."),
      ].map { KeyShape($0.0, .any([.numeric(.value), .null]), $0.1, examples: ["\"$.\($0.0)\""]) })

  private static let intervalNames = "^(" + CandleInterval.allCases.map(\.rawValue).joined(separator: "|") + ")$"

  private static let zoneKey = KeyShape(
    "zone", .any([.zone, .null]), "At whose midnight days begin.", default: "\"Z\"", examples: ["\"+09:00\""])

  static let assetNames = ObjectShape(
    "Names of assets",
    "What people call the assets of a market, in Korean and in English. What it does not say it takes from the levels "
      + "around it, the symbol rule as well.",
    asked("names").filter { !["count", "lookups"].contains($0.name) }
      + block.filter { ["rows", "where", "symbol"].contains($0.name) } + [
        KeyShape("fields", .any([.object(.assetNameFields), .null]), "Where a row has the names of its asset.")
      ])

  static let assetNameFields = ObjectShape(
    "Fields of a name", "Where a row has the names of its asset.",
    [
      KeyShape("korean", .any([.value(.value), .null]), "In Korean.", examples: ["\"$.korean_name\""]),
      KeyShape("english", .any([.value(.value), .null]), "In English.", examples: ["\"$.english_name\""]),
    ])

  /// The request keys of a block about one pair.
  private static func asked(_ what: String) -> [KeyShape] {
    let own = [
      KeyShape(
        "count", .any([.integer(1...1_000_000), .list(.integer(1...1_000_000), 2...100), .null]),
        "How many \(what) one request brings at most; a list: the numbers that the exchange allows.",
        examples: ["1000", "[20, 100]"])
    ]
    let shared = ["request", "baseUrls", "headers", "limit", "success", "lookups", "hook", "verified", "note"]
    return block.filter { $0.name == "request" } + own + block.filter { shared.dropFirst().contains($0.name) }
  }

  /// The keys for the rows of such a block, and their fields.
  private static func listed(_ what: String, _ fields: ShapeID) -> [KeyShape] {
    block.filter { ["rows", "where"].contains($0.name) } + [
      KeyShape("fields", .any([.object(fields), .null]), "Where one of the \(what) has what.")
    ]
  }
}
