import Config

// Explanations of the text as a whole, and the shapes of values.

extension DiagnosticExplanation {
  static let texts = [
    DiagnosticExplanation(
      .notJSON, "the config is not JSON",
      """
      A config is one JSON text (RFC 8259): names and texts in double quotes, a comma between two members and none \
      after the last, every bracket closed, no comments; the file is UTF-8 without a byte order mark. Where a bracket \
      is missing or too many, the indentation shows where it was meant to be. --fix removes commas before a bracket, \
      and the mark.
      """,
      in: .file, wrong: #"{ "version": 1 "settings": { "colors": "us" } }"#,
      right: #"{ "version": 1, "settings": { "colors": "us" } }"#),
    DiagnosticExplanation(
      .duplicateKey, "a duplicate key",
      """
      Of two members with one name the last would win in silence, and the first would be read by people who never see \
      the second. --fix takes the second away where both say the same.
      """,
      in: .market, wrong: #""rows": "$.data[*]", "rows": "$.list[*]""#, right: #""rows": "$.list[*]""#),
    DiagnosticExplanation(
      .unsupportedVersion, "the config is newer than the program",
      """
      The number names the version of the config language. A program reads no version above its own, because it would \
      not see what is new in it.
      """,
      in: .file, wrong: #"{ "version": 2 }"#, right: #"{ "version": 1 }"#),
    DiagnosticExplanation(
      .ambiguousName, "one name for two exchanges",
      """
      An exchange can be asked for by its name or one of its names, without regard to case. A name that two of them \
      have would mean the one that happens to stand first.
      """,
      in: .exchanges, wrong: exchange("Example", host: "one") + ",\n" + exchange("EXAMPLE", host: "two"),
      right: exchange("Example", host: "one") + ",\n" + exchange("Another", host: "two")),
    DiagnosticExplanation(
      .sharedSecret, "a secret of another owner",
      """
      A secret that credentials.json does not have is read from one variable of the environment, whose name is made of the \
      owner's and the secret's. Two owners that come to one variable would read each other's keys, and so would an exchange \
      with the name of a rate provider. What ships with the program keeps its names.
      """,
      in: .exchanges,
      wrong: exchange("One", host: "one", more: key("two_key")) + ",\n"
        + exchange("One Two", host: "two", more: key("key")),
      right: exchange("One", host: "one", more: key("two_key")) + ",\n" + exchange("Two", host: "two", more: key("key"))
    ),
  ]

  static let shapes = [
    DiagnosticExplanation(
      .wrongType, "a value of the wrong kind",
      """
      Every key takes one kind of value: a text, a number, true or false, a list, an object. JSON tells them apart by \
      their quotes and brackets.
      """,
      in: .market, wrong: #""baseUrls": "https://api.exchange.example""#,
      right: #""baseUrls": ["https://api.exchange.example"]"#),
    DiagnosticExplanation(
      .missingKey, "a missing key",
      """
      The object means nothing without that key. For a table it may stand on any level: on the exchange, the market, \
      the tickers, or a part of them, or come from the exchange named by "like".
      """,
      in: .market, wrong: #""limit": { "requests": 10 }"#, right: #""limit": { "requests": 10, "per": "1s" }"#),
    DiagnosticExplanation(
      .unknownValue, "an unknown value",
      "Some keys take one word of a short list. The list is in the message.",
      in: .market, wrong: #""where": [{ "path": "$.state", "is": "presnt" }]"#,
      right: #""where": [{ "path": "$.state", "is": "present" }]"#),
    DiagnosticExplanation(
      .invalidNumber, "a number out of bounds",
      "The number is read exactly, and has bounds: a factor is above zero, a count is whole.",
      in: .market, wrong: #""limit": { "requests": 0, "per": "1s" }"#,
      right: #""limit": { "requests": 10, "per": "1s" }"#),
    DiagnosticExplanation(
      .invalidDuration, "an invalid duration",
      "A duration is a whole number and a unit, without a blank: 500ms, 5s, 1m, 1h, 1d.",
      in: .market, wrong: #""limit": { "requests": 10, "per": "1 second" }"#,
      right: #""limit": { "requests": 10, "per": "1s" }"#),
    DiagnosticExplanation(
      .invalidBaseURL, "an invalid base URL",
      """
      A base URL has a scheme, a host and perhaps a path; parameters belong into "query". The scheme is https: what \
      comes by http may have been changed on the way. http is for this machine alone.
      """,
      in: .market, wrong: #""baseUrls": ["http://api.exchange.example"]"#,
      right: #""baseUrls": ["https://api.exchange.example"]"#),
    DiagnosticExplanation(
      .invalidOffset, "an invalid offset from UTC",
      """
      A zone is written as its offset from UTC, since an offset is what the digits of an answer are in. Names of zones \
      and summer time are not known.
      """,
      in: .market, wrong: #""fields": { "time": { "path": "$.ts", "unit": "ms", "zone": "KST" } }"#,
      right: #""fields": { "time": { "path": "$.ts", "unit": "ms", "zone": "+09:00" } }"#),
    DiagnosticExplanation(
      .invalidText, "a text of another form",
      "The text has a form of its own, such as a day, an address, or a badge of three letters.",
      in: .market, wrong: #""verified": "20 November""#, right: #""verified": "2026-11-20""#),
    DiagnosticExplanation(
      .refusedHeader, "a header of the connection",
      """
      The program writes the headers that say where a request goes and where it ends (Host, Content-Length, \
      Transfer-Encoding, Connection and the like). Others in their place would ask another host, or hide a second request \
      in the first. What is no name of a header is refused as well.
      """,
      in: .market, wrong: #""headers": { "Host": "internal.exchange.example" }"#,
      right: #""headers": { "Accept": "application/json" }"#),
    DiagnosticExplanation(
      .localHost, "a local host beside others",
      """
      A config may come from anywhere, and services of this machine or its network are not meant for strangers. An \
      exchange asks local hosts alone or none of them; "localHosts" in the settings of your own file allows them beside \
      others. What a local host answers never goes into a request to another one.
      """,
      in: .market, wrong: #""baseUrls": ["https://api.exchange.example", "http://127.0.0.1:8500"]"#,
      right: #""baseUrls": ["http://127.0.0.1:8500"]"#),
  ]

  static let keys = [
    DiagnosticExplanation(
      .unknownKey, "an unknown key",
      """
      A key that the program does not know would be without effect, and nobody would notice: most of them are slips of \
      the hand. A note for people can stand under "note" or "$comment".
      """,
      in: .market, wrong: #""feilds": { "price": "$.last" }"#, right: #""fields": { "price": "$.last" }"#),
    DiagnosticExplanation(
      .reservedKey, "a key of a later version",
      "The name is reserved. This program reads past it, so the block can be written for a newer one already.",
      in: .market, wrong: #""columns": {}"#, right: #""$comment": "no columns yet""#),
    DiagnosticExplanation(
      .conflictingKeys, "keys that cannot be combined",
      """
      Each of these keys says all by itself where a value comes from, or what a condition tests. Two of them have no \
      meaning together.
      """,
      in: .market, wrong: #""where": [{ "path": "$.state", "equals": "on", "in": ["on", "live"] }]"#,
      right: #""where": [{ "path": "$.state", "in": ["on", "live"] }]"#),
  ]

  private static func key(_ name: String) -> String { "\n  \"headers\": { \"X-Api-Key\": \"{secret:\(name)}\" }," }

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

// Explanations of strings with their own grammar, and names that refer to something.

extension DiagnosticExplanation {
  static let grammars = [
    DiagnosticExplanation(
      .strayBrace, "an unmatched brace",
      """
      In a template {asset} is filled in. A closing brace alone is sent as it stands, which is hardly meant; a brace \
      that is meant is written {{.
      """,
      in: .wholeMarket,
      wrong: #""tickers": { "request": { "path": "/tickers", "query": { "symbol": "asset}{payment}" } } }"#,
      right: #""tickers": { "request": { "path": "/tickers", "query": { "symbol": "{asset}{payment}" } } }"#),
    DiagnosticExplanation(
      .invalidPath, "an invalid JSONPath",
      """
      Paths are those of RFC 9535: $.name, $['any name'], $[0], $[*], $.*, $..name, $[?@.state=='on']. The caret \
      stands where the path ceases to be one.
      """,
      in: .market, wrong: #""rows": "$.data[""#, right: #""rows": "$.data[*]""#),
    DiagnosticExplanation(
      .pathSelectsMany, "a path that may select several values",
      """
      A wildcard, a slice, a filter or .. can find many values where one is needed. If it does, the cell stays empty: \
      path-many. Name the one that is meant.
      """,
      in: .market, wrong: #""fields": { "bid": "$.bids[*].price" }"#, right: #""fields": { "bid": "$.bids[0].price" }"#),
    DiagnosticExplanation(
      .invalidTemplate, "an invalid template",
      """
      A placeholder is a name in braces, {asset}, perhaps with |lower or |upper: {asset|lower}. A brace of the text \
      itself is written {{.
      """,
      in: .wholeMarket, wrong: #""tickers": { "request": { "path": "/tickers/{asset|small}" } }"#,
      right: #""tickers": { "request": { "path": "/tickers/{asset|lower}" } }"#),
    DiagnosticExplanation(
      .unknownPlaceholder, "an unknown placeholder",
      """
      Known are asset and payment, keys in a batch, the names of "set", and {now.ms} {now.s} {date:yyyyMMdd} \
      {secret:name}. A placeholder that nothing fills would be sent as it stands.
      """,
      in: .wholeMarket, wrong: #""tickers": { "request": { "path": "/tickers/{aset}" } }"#,
      right: #""tickers": { "request": { "path": "/tickers/{asset}" } }"#),
    DiagnosticExplanation(
      .invalidRegularExpression, "an invalid regular expression",
      """
      Regular expressions are those of RFC 9485 with named groups. They fit the whole text, so ^ and $ are not needed; \
      there is no looking ahead and no \\d: write [0-9].
      """,
      in: .market, wrong: #""where": [{ "path": "$.symbol", "match": "[A-Z+" }]"#,
      right: #""where": [{ "path": "$.symbol", "match": "[A-Z]+" }]"#),
    DiagnosticExplanation(
      .invalidTimeFormat, "an invalid time format",
      "A format is made of yyyy MM dd HH mm ss SSS and the characters between them.",
      in: .market, wrong: #""fields": { "time": { "path": "$.time", "format": "YYYY/DD" } }"#,
      right: #""fields": { "time": { "path": "$.time", "format": "yyyy-MM-dd HH:mm:ss" } }"#),
    DiagnosticExplanation(
      .textForNumber, "a text where a number is needed",
      """
      A text that begins with $ is a path, any other is a constant. A constant price would be the same on every row: \
      the $. was forgotten.
      """,
      in: .market, wrong: #""fields": { "price": "last" }"#, right: #""fields": { "price": "$.last" }"#),
    DiagnosticExplanation(
      .invalidRows, "invalid rows",
      "Rows are a path, or { \"zip\": [path, path] } for arrays that stand side by side, of which there are two at least.",
      in: .market, wrong: #""rows": { "zip": ["$.names"] }"#, right: #""rows": { "zip": ["$.names", "$.prices"] }"#),
    DiagnosticExplanation(
      .invalidRequestPath, "an invalid path of a request",
      "The path is put behind the base URL: it begins with a slash. Parameters stand in \"query\", where they are escaped.",
      in: .wholeMarket, wrong: #""tickers": { "request": { "path": "/tickers?type=spot" } }"#,
      right: #""tickers": { "request": { "path": "/tickers", "query": { "type": "spot" } } }"#),
    DiagnosticExplanation(
      .constantLooksLikePath, "a constant that looks like a path",
      """
      Only a text that begins with $ is a path. This one begins with a dot or a bracket, is a constant, and so the \
      same on every row.
      """,
      in: .market, wrong: #""symbol": { "asset": ".base", "payment": "$.quote" }"#,
      right: #""symbol": { "asset": "$.base", "payment": "$.quote" }"#),
  ]

  static let references = [
    DiagnosticExplanation(
      .unknownSource, "an unknown source",
      "\"from\" says what $ is: response, key, request, or the name of a lookup of this table. Without it, $ is the row.",
      in: .market, wrong: #""fields": { "price": { "from": "respons", "path": "$.last" } }"#,
      right: #""fields": { "price": { "from": "response", "path": "$.last" } }"#),
    DiagnosticExplanation(
      .unknownExchange, "an unknown exchange",
      "\"like\" starts from an exchange of this config, or of the shipped one where the file extends that.",
      in: .exchanges,
      wrong: #""Mine": { "like": "Exampel", "baseUrls": ["https://mine.example"] },"# + "\n"
        + exchange("Example", host: "api"),
      right: #""Mine": { "like": "Example", "baseUrls": ["https://mine.example"] },"# + "\n"
        + exchange("Example", host: "api")),
    DiagnosticExplanation(
      .chainedLike, "a chain of \"like\"",
      """
      An exchange starts from one that is written out. A chain would make a change far away have effects that nobody \
      expects.
      """,
      in: .exchanges,
      wrong: #""A": { "like": "Example", "baseUrls": ["https://a.example"] },"# + "\n"
        + #""B": { "like": "A", "baseUrls": ["https://b.example"] },"# + "\n" + exchange("Example", host: "api"),
      right: #""A": { "like": "Example", "baseUrls": ["https://a.example"] },"# + "\n"
        + #""B": { "like": "Example", "baseUrls": ["https://b.example"] },"# + "\n" + exchange("Example", host: "api")),
    DiagnosticExplanation(
      .unknownHook, "an unknown hook",
      """
      A hook is Swift code in Plugins/ that is compiled into the program; the message lists those that are. Most \
      exchanges need none.
      """,
      in: .market, wrong: #""hook": "my-hook""#, right: #""note": "no hook is needed""#),
    DiagnosticExplanation(
      .circularLookups, "lookups in a circle",
      "To find its row, each of these lookups needs a value from another of them: none can be read first.",
      in: .market,
      wrong: #""fields": { "bid": { "from": "a", "path": "$.bid" } },"# + "\n"
        + #""lookups": {"# + "\n"
        + #"  "a": { "rows": "$.a[*]", "key": "$.id", "match": { "from": "b", "path": "$.id" } },"# + "\n"
        + #"  "b": { "rows": "$.b[*]", "key": "$.id", "match": { "from": "a", "path": "$.id" } } }"#,
      right: #""fields": { "bid": { "from": "a", "path": "$.bid" } },"# + "\n"
        + #""lookups": {"# + "\n"
        + #"  "a": { "rows": "$.a[*]", "key": "$.id", "match": { "from": "b", "path": "$.id" } },"# + "\n"
        + #"  "b": { "rows": "$.b[*]", "key": "$.id", "match": "$.symbol" } }"#),
    DiagnosticExplanation(
      .misplacedSource, "a source that has no meaning there",
      """
      A rule for success looks at the answer before there are rows, so there is no key; a lookup's own rows are kept \
      on disk and know no request.
      """,
      in: .market, wrong: #""success": { "where": [{ "from": "key", "equals": "ok" }] }"#,
      right: #""success": { "where": [{ "path": "$.status", "equals": "ok" }] }"#),
    DiagnosticExplanation(
      .unknownProvider, "an unknown rate provider",
      "A route names providers of \"fx\".\"providers\".",
      in: .rates, wrong: #""routes": { "USD/KRW": { "rules": [{ "use": "Exampel" }] } },"# + "\n" + provider,
      right: #""routes": { "USD/KRW": { "rules": [{ "use": "Example" }] } },"# + "\n" + provider),
    DiagnosticExplanation(
      .wordAsSeparator, "a word as a separator",
      """
      "split": "payment" looks for the longest payment currency at the end. Any other text is what stands between the \
      two, and a whole word hardly does.
      """,
      in: .market,
      wrong: #""symbol": { "path": "$.symbol", "split": "paymnt" }, "paymentCurrencies": { "stable": ["USDT"] }"#,
      right: #""symbol": { "path": "$.symbol", "split": "payment" }, "paymentCurrencies": { "stable": ["USDT"] }"#),
    DiagnosticExplanation(
      .doubledBrace, "a brace doubled before a placeholder",
      """
      {{ writes one brace, for a text that holds one itself. So {{asset} is sent as {asset}, letter by letter, and the \
      exchange is asked for a pair of that name. A placeholder has one brace on either side.
      """,
      in: .wholeMarket,
      wrong: #""tickers": { "request": { "path": "/tickers", "query": { "symbol": "{{asset}{payment}" } } }"#,
      right: #""tickers": { "request": { "path": "/tickers", "query": { "symbol": "{asset}{payment}" } } }"#),
    DiagnosticExplanation(
      .rowsFromEveryDepth, "rows from every depth",
      """
      Two dots go down to every depth of the answer and take each member of that name as a row, also in places that \
      hold something else. It is mostly one dot too many; where it is meant, the members on the way say the same.
      """,
      in: .market, wrong: #""rows": "$..list[*]""#, right: #""rows": "$.data.list[*]""#),
  ]

  static let provider = """
    "providers": { "Example": { "pairs": ["USD/*"], "baseUrls": ["https://rates.example"],
      "rate": { "request": { "path": "/latest" }, "rows": "$", "symbol": "request", "fields": { "rate": "$.rate" } } } }
    """
}
