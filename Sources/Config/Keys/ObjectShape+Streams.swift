import Quotes

// The streams of an exchange.

extension ObjectShape {
  static let streams: Self = .init(
    "streams", "Streams",
    "WebSocket streams of the exchange. The levels of exchange, market and part are merged, including their "
      + "channels. Keys of a channel may be set here for all channels.",
    [KeyShape("enabled", .boolean, "Whether they are used.", default: "true")]
      + StreamChannel.allCases.map { channel in
        KeyShape(channel.rawValue, .object(channel.shape).orNull, channel.summary)
      } + connection + subscription + rowsOfStream + [fieldsOfRows, setKey] + bookKeys
      + [intervalsKey, zoneOfStream, verifiedKey, noteKey])

  static let tickerChannel: Self = channel(
    "tickerChannel", "Rows of prices", "Prices as they change.",
    [
      fieldsOfRows, sequenceKey,
      KeyShape(
        "where", .any([.list(.object(.rowCondition)), .null]),
        "What a row says while its pair is traded; any other takes the pair back to REST.",
        examples: ["[{ \"path\": \"$.suspended\", \"notIn\": [true] }]"]),
    ])

  static let tradesChannel: Self = channel(
    "tradesChannel", "Trades", "Trades as they are made.",
    [
      KeyShape(
        "consecutive", .boolean.orNull, "Whether the ids of a pair's trades rise by one: a jump is a gap.",
        default: "false"), fields(.tradeFields),
    ])

  static let candleChannel: Self = channel(
    "candleChannel", "Candles", "The running candle.", [fields(.candleFields), intervalsKey, zoneOfStream])

  static let bookChannel: Self = channel("bookChannel", "Order book", "The order book of one pair.", bookKeys)

  static let bookChanges: Self = .init(
    "bookChanges", "Changes of an order book", "How a change is written, where it differs from the whole book.",
    sides + [orderKey])

  static let streamLimit: Self = .init(
    "streamLimit", "Limit of a stream", "How many messages may be sent in what time.",
    [
      KeyShape(
        "requests", .integer(IntegerRange.counts), "This many messages", examples: ["5"], isRequired: true),
      KeyShape("per", .duration, "in this time.", examples: ["\"1s\""], isRequired: true),
      KeyShape(
        "shared", .boolean, "Whether all connections to the host share it, instead of each having its own.",
        default: "false"),
    ])

  static let streamHello: Self = .init(
    "streamHello", "Hello", "The first message, and what must arrive before anything is subscribed.",
    needsOneOf: ["send", "when"],
    [
      KeyShape("send", message, "The message to send first."),
      KeyShape("when", .list(.object(.condition)), "The message to wait for: all conditions hold."),
    ])

  static let streamPing: Self = .init(
    "streamPing", "Ping", "Messages sent while connected.",
    [
      KeyShape("every", .duration, "How often.", default: "\"20s\""),
      KeyShape("send", message, "The message (default: a protocol ping).", examples: ["\"ping\""]),
    ])

  static let streamPong: Self = .init(
    "streamPong", "Pong", "The answer to a ping sent as a message.",
    [
      KeyShape(
        "when", .list(.object(.condition)), "The ping: all conditions hold, and each value in `set` is present."),
      KeyShape("set", .map(.value), "Values of the ping to use in the answer.", examples: ["{ \"n\": \"$.ping\" }"]),
      KeyShape("send", message, "The answer.", examples: ["{ \"pong\": \"{n}\" }"], isRequired: true),
    ])

  static let messageLookup: Self = .init(
    "messageLookup", "Lookup of a stream",
    "A lookup of the table with these members changed; or, with `when`, one built from messages.",
    [KeyShape("when", .list(.object(.condition)), "The messages it is built from: all conditions hold.")]
      + lookup.keys.map { key in
        KeyShape(key.name, key.value, key.summary, default: key.defaultValue, examples: key.examples)
      })

  // MARK: Groups of keys

  /// JSON with templates, or a string that is sent as it is.
  private static let message = ValueShape.anything

  private static func channel(_ name: String, _ title: String, _ summary: String, _ own: [KeyShape]) -> ObjectShape {
    ObjectShape(
      name, title, summary,
      [KeyShape("enabled", .boolean, "Whether it is used.", default: "true")] + connection + subscription
        + rowsOfStream + [setKey] + own + [verifiedKey, noteKey])
  }

  private static let connection = [
    KeyShape(
      "urls", .streamURLs.orNull,
      "Addresses, tried in turn after failures. One with {symbol}, {asset} or {payment} is about one pair: `max` is 1.",
      examples: ["[\"wss://stream.example.com/ws\"]"]),
    KeyShape("request", .object(.request).orNull, "The REST request before each connection."),
    KeyShape("headers", .map(.template).orNull, "Headers of the opening handshake."),
    KeyShape(
      "protocol", .text(pattern: "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$").orNull,
      "The WebSocket subprotocol to ask for; the answer must name it.", examples: ["\"v1.json\""]),
    KeyShape("hello", .object(.streamHello).orNull, "The exchange of messages before any subscription."),
    KeyShape("max", .integer(IntegerRange.pairs), "Pairs per connection.", default: "100"),
    KeyShape(
      "batch", .object(.streamBatch).orNull, "Pairs per message (default: as many as fit in 4,000 bytes).",
      examples: ["{ \"max\": 10 }"]),
    KeyShape("limit", .object(.streamLimit).orNull, "Messages to send on one connection, or to one host: 5 in 1s."),
    KeyShape("ping", .object(.streamPing).orNull, "Messages sent while connected."),
    KeyShape("pong", .object(.streamPong).orNull, "The answer to a ping sent as a message."),
    KeyShape("deadAfter", .duration, "How long a connection may be silent before it is dropped.", default: "\"60s\""),
    KeyShape("success", .object(.success).orNull, "For messages that no channel accepts: if it fails, an error."),
  ]

  private static let unwrapping = ValueShape.any([.path, .object(.streamUnwrap)])

  private static let subscription = [
    KeyShape(
      "subscribe", message,
      "The message to send, or several: `each`. Templates: {symbol} {asset} {payment} {interval} {id} {now.ms} "
        + "{now.s}, names of `set`; {symbol|number} is a number. The innermost element of an array that names the pair is repeated for each pair.",
      examples: ["{ \"op\": \"subscribe\", \"args\": [\"tickers.{symbol}\"] }"]),
    KeyShape(
      "unwrap", .any([unwrapping, .list(unwrapping, 1...10_000), .null]),
      "Texts in a message that hold JSON, which takes their place before the message is read.",
      examples: ["\"$.data\"", "{ \"capture\": \"42(?<value>.*)\" }"]),
    KeyShape("when", .list(.object(.condition)).orNull, "Messages of the channel: all conditions hold."),
    KeyShape(
      "whole", .list(.object(.condition)).orNull,
      "Complete messages; any other changes what was there before.",
      examples: ["[{ \"path\": \"$.type\", \"equals\": \"snapshot\" }]"]),
  ]

  private static let rowsOfStream =
    block.filter { ["rows", "aliases", "multiplier"].contains($0.name) }
    + block.filter { $0.name == "symbol" }.map { rule in
      KeyShape(
        "symbol", .any([.value, rule.value]),
        "The pair as `{symbol}` spells it, ignoring case; or, with any key of a symbol rule, such a rule.",
        examples: ["\"$.s\""])
    } + [
      KeyShape(
        "lookups", .map(.object(.messageLookup).orNull).orNull,
        "Changes to the table's lookups, and lookups built from messages.")
    ]

  private static let fieldsOfRows = fields(.fields)

  private static func fields(_ shape: ObjectShape) -> KeyShape {
    KeyShape("fields", .object(shape).orNull, "Where a row of a message has its values; null: it has none.")
  }

  private static let setKey = KeyShape(
    "set", .map(.any([.value, .scalar, .null])).orNull,
    "Names for templates: constants, or values of the answer to `request`.",
    examples: ["{ \"token\": \"$.data.token\" }"])

  private static let sides = orderbook.keys.filter { ["bids", "asks", "price", "size"].contains($0.name) }

  private static let bookKeys =
    sides + [
      KeyShape(
        "changes", .object(.bookChanges).orNull,
        "How a change is written, where that differs from a whole book."),
      KeyShape(
        "time", .object(.timeValue).orNull, "The time of the book, in the row of each message.",
        examples: ["{ \"path\": \"$.ts\", \"unit\": \"ms\" }"]),
      sequenceKey,
      KeyShape(
        "previous", .numeric.orNull, "The `sequence` of the message before.",
        examples: ["{ \"difference\": [\"$.seq\", 1] }"]),
      KeyShape("count", .integer(IntegerRange.counts).orNull, "How many levels to keep per side."), orderKey,
      KeyShape(
        "mayCross", .boolean.orNull,
        "Whether bids may reach asks for some seconds: such a book is not shown until they no longer do."),
    ]

  private static let sequenceKey = KeyShape(
    "sequence", .value.orNull,
    "A number that rises: of a book, where a fall is a gap, or of a row of prices, where it orders those of one time.",
    examples: ["\"$.seq\""])

  private static let orderKey = KeyShape(
    "key", .value.orNull, "What identifies an order, if orders are sent instead of levels.", examples: ["\"$.id\""])

  private static let intervalsKey = KeyShape(
    "intervals", .map(.any([.text(), .number, .null])).orNull,
    "The intervals of the stream, where they are not those of the block `candles`.")

  private static let zoneOfStream = KeyShape("zone", .zone.orNull, "At whose midnight days begin.")
  private static let verifiedKey = KeyShape("verified", .day, "When it was last known to work.")
  private static let noteKey = KeyShape("note", .text(), "A note for readers.")

  static let streamBatch: Self = .init(
    "streamBatch", "Pairs in a message", "How many pairs go into one message.",
    [KeyShape("max", .integer(IntegerRange.pairs), "Maximum number.", isRequired: true)])

  static let streamUnwrap: Self = .init(
    "streamUnwrap", "Texts that hold JSON", "Where they are, and what of them is JSON.",
    needsOneOf: ["path", "capture"],
    [
      KeyShape("path", .path, "Any number of texts; a message that is not JSON is a text itself.", default: "\"$\""),
      KeyShape("capture", .capture, "A regular expression; its group `value` is the JSON."),
    ])
}

extension StreamChannel {
  fileprivate var summary: String {
    switch self {
    case .ticker: "Rows of named pairs."
    case .tickers: "Rows of all pairs by one subscription."
    case .offers: "Bid and ask of named pairs, if the rows have none or only rarely."
    case .trades: "Trades of named pairs."
    case .orderbook: "The order book of one pair."
    case .candles: "The running candle of one pair."
    }
  }
}
