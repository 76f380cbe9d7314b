import Config

// The text as a whole, and the shapes of values.

extension DiagnosticStory {
  static let texts = [
    DiagnosticStory(
      .notJSON, "the config is no JSON",
      """
      A config is one JSON text (RFC 8259): names and texts in double quotes, a comma between two members and none \
      after the last, every bracket closed, no comments; the file is UTF-8 without a byte order mark. Where a bracket \
      is missing or too many, the indentation tells where it was meant to be, or a key that cannot stand there. --fix \
      takes commas before a bracket away, and the mark.
      """,
      in: .file, wrong: #"{ "version": 1 "settings": { "colors": "us" } }"#,
      right: #"{ "version": 1, "settings": { "colors": "us" } }"#),
    DiagnosticStory(
      .duplicateKey, "a key stands twice in one object",
      """
      Of two members with one name the last would win in silence, and the first would be read by people who never see \
      the second. --fix takes the second away where both say the same.
      """,
      in: .market, wrong: #""rows": "$.data[*]", "rows": "$.list[*]""#, right: #""rows": "$.list[*]""#),
    DiagnosticStory(
      .unsupportedVersion, "the config is newer than the program",
      """
      The number names the version of the config language. A program reads no version above its own, because it would \
      not see what is new in it.
      """,
      in: .file, wrong: #"{ "version": 2 }"#, right: #"{ "version": 1 }"#),
    DiagnosticStory(
      .ambiguousName, "one name for two exchanges",
      """
      An exchange can be asked for by its name or one of its names, without regard to case. A name that two of them \
      have would mean the one that happens to stand first.
      """,
      in: .exchanges, wrong: exchange("Example", host: "one") + ",\n" + exchange("EXAMPLE", host: "two"),
      right: exchange("Example", host: "one") + ",\n" + exchange("Another", host: "two")),
  ]

  static let shapes = [
    DiagnosticStory(
      .wrongType, "a value of the wrong kind",
      """
      Every key takes one kind of value: a text, a number, true or false, a list, an object. JSON tells them apart by \
      their quotes and brackets.
      """,
      in: .market, wrong: #""baseUrls": "https://api.exchange.example""#,
      right: #""baseUrls": ["https://api.exchange.example"]"#),
    DiagnosticStory(
      .missingKey, "something necessary is missing",
      """
      The object means nothing without that key. For a table it may stand on any level: on the exchange, the market, \
      the tickers, or a part of them, or come from the exchange named by "like".
      """,
      in: .market, wrong: #""limit": { "requests": 10 }"#, right: #""limit": { "requests": 10, "per": "1s" }"#),
    DiagnosticStory(
      .unknownValue, "a word that is none of those that may stand there",
      "Some keys take one word of a short list. The list is in the message.",
      in: .market, wrong: #""where": [{ "path": "$.state", "is": "presnt" }]"#,
      right: #""where": [{ "path": "$.state", "is": "present" }]"#),
    DiagnosticStory(
      .invalidNumber, "a number out of its bounds",
      "The number is read exactly, and has bounds: a factor is above zero, a count is whole.",
      in: .market, wrong: #""limit": { "requests": 0, "per": "1s" }"#,
      right: #""limit": { "requests": 10, "per": "1s" }"#),
    DiagnosticStory(
      .invalidDuration, "no duration",
      "A duration is a whole number and a unit, without a blank: 500ms, 5s, 1m, 1h, 1d.",
      in: .market, wrong: #""limit": { "requests": 10, "per": "1 second" }"#,
      right: #""limit": { "requests": 10, "per": "1s" }"#),
    DiagnosticStory(
      .invalidBaseURL, "no base URL",
      """
      A base URL has a scheme, a host and perhaps a path; parameters belong into "query". The scheme is https: what \
      comes by http may have been changed on the way. http is for this machine alone.
      """,
      in: .market, wrong: #""baseUrls": ["http://api.exchange.example"]"#,
      right: #""baseUrls": ["https://api.exchange.example"]"#),
    DiagnosticStory(
      .invalidOffset, "no offset from UTC",
      """
      A zone is written as its offset from UTC, since an offset is what the digits of an answer are in. Names of zones \
      and summer time are not known.
      """,
      in: .market, wrong: #""fields": { "time": { "path": "$.ts", "unit": "ms", "zone": "KST" } }"#,
      right: #""fields": { "time": { "path": "$.ts", "unit": "ms", "zone": "+09:00" } }"#),
    DiagnosticStory(
      .invalidText, "a text of another form",
      "The text has a form of its own, such as a day, an address, or a badge of three letters.",
      in: .market, wrong: #""verified": "20 November""#, right: #""verified": "2026-11-20""#),
  ]

  static let keys = [
    DiagnosticStory(
      .unknownKey, "an unknown key",
      """
      A key that the program does not know would be without effect, and nobody would notice: most of them are slips of \
      the hand. A note for people can stand under "note" or "$comment".
      """,
      in: .market, wrong: #""feilds": { "price": "$.last" }"#, right: #""fields": { "price": "$.last" }"#),
    DiagnosticStory(
      .reservedKey, "a key of a later version",
      "The name is reserved. This program reads past it, so the block can be written for a newer one already.",
      in: .market, wrong: #""candles": {}"#, right: #""$comment": "no order book yet""#),
    DiagnosticStory(
      .conflictingKeys, "keys that exclude each other",
      """
      Each of these keys says all by itself where a value comes from, or what a condition tests. Two of them have no \
      meaning together.
      """,
      in: .market, wrong: #""where": [{ "path": "$.state", "equals": "on", "in": ["on", "live"] }]"#,
      right: #""where": [{ "path": "$.state", "in": ["on", "live"] }]"#),
  ]

  /// An exchange for examples that need two of them.
  static func exchange(_ name: String, host: String, more: String = "") -> String {
    """
    "\(name)": {\(more)
      "baseUrls": ["https://\(host).example"], "request": { "path": "/tickers" }, "rows": "$[*]",
      "symbol": { "path": "$.symbol", "split": "-" }, "fields": { "price": "$.last" },
      "markets": { "spot": { "tickers": {} } } }
    """
  }
}
