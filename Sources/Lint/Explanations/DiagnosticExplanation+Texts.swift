import Config

// Explanations of the text as a whole, and the shapes of values.

extension DiagnosticExplanation {
  static let texts = [
    DiagnosticExplanation(
      .notJSON, "the config is not JSON",
      """
      A config is one JSON text (RFC 8259): names and strings in double quotes, a comma between two members and none \
      after the last, every bracket closed, no comments; the file is UTF-8 without a byte order mark. If a bracket is \
      missing or extra, the indentation shows where it belongs. --fix removes commas before a bracket, and the mark. \
      "extends": "builtin" needs the exchanges.json that ships with the program: if it is missing, only mistakes \
      that do not depend on it are reported.
      """,
      in: .file, wrong: #"{ "version": 1 "settings": { "colors": "us" } }"#,
      right: #"{ "version": 1, "settings": { "colors": "us" } }"#),
    DiagnosticExplanation(
      .duplicateKey, "a duplicate key",
      """
      Of two members with the same name, the last would silently win, while readers may see only the first. --fix \
      removes the second if both say the same.
      """,
      in: .market, wrong: #""rows": "$.data[*]", "rows": "$.list[*]""#, right: #""rows": "$.list[*]""#),
    DiagnosticExplanation(
      .unsupportedVersion, "the config is newer than the program",
      """
      The number is the version of the config language. The program rejects versions above its own, because it would \
      miss what is new in them.
      """,
      in: .file, wrong: #"{ "version": 2 }"#, right: #"{ "version": 1 }"#),
    DiagnosticExplanation(
      .ambiguousName, "one name for two exchanges",
      """
      An exchange can be requested by its name or any of its other names, ignoring case. A name shared by two of them \
      would mean whichever comes first. To change an exchange of the shipped config, use its name as it is written \
      there; --fix does so.
      """,
      in: .exchanges, wrong: exchange("Example", host: "one") + ",\n" + exchange("EXAMPLE", host: "two"),
      right: exchange("Example", host: "one") + ",\n" + exchange("Another", host: "two")),
    DiagnosticExplanation(
      .sharedSecret, "a secret that belongs to another owner",
      """
      A secret of an owner without any in credentials.json is read from an environment variable, whose name is made of \
      the owner's name and the secret's. Two owners with the same variable would read each other's keys, and so would \
      an exchange with the name of a rate provider. What ships with the program keeps its names.
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
      Every key takes one kind of value: a string, a number, true or false, an array, an object. Quotes and brackets \
      distinguish them in JSON.
      """,
      in: .market, wrong: #""baseUrls": "https://api.exchange.example""#,
      right: #""baseUrls": ["https://api.exchange.example"]"#),
    DiagnosticExplanation(
      .missingKey, "a missing key",
      """
      The object has no meaning without that key. For a table it may be on any level: on the exchange, the market, the \
      tickers, or a part of them, or come from the exchange named by "like".
      """,
      in: .market, wrong: #""limit": { "requests": 10 }"#, right: #""limit": { "requests": 10, "per": "1s" }"#),
    DiagnosticExplanation(
      .unknownValue, "an unknown value",
      "Some keys take one word from a short list. The message shows the list.",
      in: .market, wrong: #""where": [{ "path": "$.state", "is": "presnt" }]"#,
      right: #""where": [{ "path": "$.state", "is": "present" }]"#),
    DiagnosticExplanation(
      .invalidNumber, "a number out of bounds",
      """
      The number is read exactly, and has bounds: a factor is above zero, a count is a whole number, a request costs no \
      more than its limit allows at once, and "1000" multiplies by 1000.
      """,
      in: .market, wrong: #""limit": { "requests": 0, "per": "1s" }"#,
      right: #""limit": { "requests": 10, "per": "1s" }"#),
    DiagnosticExplanation(
      .invalidDuration, "an invalid duration",
      """
      A duration is a whole number and a unit, without a space: 500ms, 5s, 1m, 1h, 1d. Each key has wide bounds, which \
      refuse only what cannot be meant, such as a request every 0s.
      """,
      in: .market, wrong: #""limit": { "requests": 10, "per": "1 second" }"#,
      right: #""limit": { "requests": 10, "per": "1s" }"#),
    DiagnosticExplanation(
      .invalidBaseURL, "an invalid base URL",
      """
      A base URL has a scheme, a host and perhaps a path; parameters belong in "query". The scheme is https: what \
      arrives over http may have been changed on the way. Use http only for this machine.
      """,
      in: .market, wrong: #""baseUrls": ["http://api.exchange.example"]"#,
      right: #""baseUrls": ["https://api.exchange.example"]"#),
    DiagnosticExplanation(
      .invalidOffset, "an invalid offset from UTC",
      """
      A zone is written as its offset from UTC, since the digits of an answer are in an offset. Zone names and \
      daylight saving time are not supported.
      """,
      in: .market, wrong: #""fields": { "time": { "path": "$.ts", "unit": "ms", "zone": "KST" } }"#,
      right: #""fields": { "time": { "path": "$.ts", "unit": "ms", "zone": "+09:00" } }"#),
    DiagnosticExplanation(
      .invalidText, "a malformed string",
      """
      The string must have a certain form, such as a day, an address, or a badge of three letters. What "strip" removes \
      of a number has no digit and no minus sign.
      """,
      in: .market, wrong: #""verified": "20 November""#, right: #""verified": "2026-11-20""#),
    DiagnosticExplanation(
      .refusedHeader, "a header of the connection",
      """
      The program writes the headers that say where a request goes and where it ends (Host, Content-Length, \
      Transfer-Encoding, Connection and the like). Replacing them could send the request to another host, or hide a \
      second request in the first. Anything that is not a valid header name is refused as well.
      """,
      in: .market, wrong: #""headers": { "Host": "internal.exchange.example" }"#,
      right: #""headers": { "Accept": "application/json" }"#),
    DiagnosticExplanation(
      .localHost, "a local host beside others",
      """
      A config may come from anywhere, and services on this machine or its network are not meant for strangers. All \
      hosts of an exchange are local, or none are; "localHosts" in the settings of your own file allows both. The \
      answer of a local host never goes into a request to another one.
      """,
      in: .market, wrong: #""baseUrls": ["https://api.exchange.example", "http://127.0.0.1:8500"]"#,
      right: #""baseUrls": ["http://127.0.0.1:8500"]"#),
  ]

  static let keys = [
    DiagnosticExplanation(
      .unknownKey, "an unknown key",
      """
      An unknown key would have no effect, and that would go unnoticed: most are typos. Put notes for people under \
      "note" or "$comment".
      """,
      in: .market, wrong: #""feilds": { "price": "$.last" }"#, right: #""fields": { "price": "$.last" }"#),
    DiagnosticExplanation(
      .reservedKey, "a key of a future version",
      "The name is reserved. This program ignores it, so the block can already be written for a newer one.",
      in: .market, wrong: #""columns": {}"#, right: #""$comment": "no columns yet""#),
    DiagnosticExplanation(
      .conflictingKeys, "keys that cannot be combined",
      """
      Each of these keys alone says where a value comes from, or what a condition tests. Two of them together have no \
      meaning.
      """,
      in: .market, wrong: #""where": [{ "path": "$.state", "equals": "on", "in": ["on", "live"] }]"#,
      right: #""where": [{ "path": "$.state", "in": ["on", "live"] }]"#),
  ]

  private static func key(_ name: String) -> String { "\n  \"headers\": { \"X-Api-Key\": \"{secret:\(name)}\" }," }

  /// An exchange for examples that need two of them.
  static func exchange(
    _ name: String, host: String, more: String = "", spot: String = #""tickers": {}"#
  ) -> String {
    """
    "\(name)": {\(more)
      "baseUrls": ["https://\(host).example"], "request": { "path": "/tickers" }, "rows": "$[*]",
      "symbol": { "path": "$.symbol", "split": "-" }, "fields": { "price": "$.last" },
      "markets": { "spot": { \(spot) } } }
    """
  }
}

// Explanations of strings with their own grammar, and names that refer to something.

extension DiagnosticExplanation {
  static let grammars = [
    DiagnosticExplanation(
      .strayBrace, "an unmatched brace",
      """
      In a template, {asset} is filled in. A lone closing brace is sent literally, which is rarely intended; a literal \
      brace is written {{.
      """,
      in: .wholeMarket,
      wrong: #""ticker": { "request": { "path": "/ticker", "query": { "symbol": "asset}{payment}" } } }"#,
      right: #""ticker": { "request": { "path": "/ticker", "query": { "symbol": "{asset}{payment}" } } }"#),
    DiagnosticExplanation(
      .invalidPath, "an invalid JSONPath",
      """
      Paths follow RFC 9535: $.name, $['any name'], $[0], $[*], $.*, $..name, $[?@.state=='on']. The caret shows where \
      the path becomes invalid.
      """,
      in: .market, wrong: #""rows": "$.data[""#, right: #""rows": "$.data[*]""#),
    DiagnosticExplanation(
      .pathSelectsMany, "a path that may select several values",
      """
      A wildcard, a slice, a filter or .. can find many values where one is needed. If it does, the cell stays empty: \
      path-many. Select a single value instead.
      """,
      in: .market, wrong: #""fields": { "bid": "$.bids[*].price" }"#, right: #""fields": { "bid": "$.bids[0].price" }"#),
    DiagnosticExplanation(
      .invalidTemplate, "an invalid template",
      """
      A placeholder is a name in braces, {asset}, optionally with |lower or |upper: {asset|lower}. A literal brace is \
      written {{.
      """,
      in: .wholeMarket, wrong: #""ticker": { "request": { "path": "/ticker/{asset|small}" } }"#,
      right: #""ticker": { "request": { "path": "/ticker/{asset|lower}" } }"#),
    DiagnosticExplanation(
      .unknownPlaceholder, "an unknown placeholder",
      """
      Known placeholders are asset and payment, keys in a batch, the names in "set", and {now.ms} {now.s} \
      {date:yyyyMMdd} {secret:name}. A placeholder that nothing fills in would be sent literally.
      """,
      in: .wholeMarket, wrong: #""ticker": { "request": { "path": "/ticker/{aset}" } }"#,
      right: #""ticker": { "request": { "path": "/ticker/{asset}" } }"#),
    DiagnosticExplanation(
      .invalidRegularExpression, "an invalid regular expression",
      """
      Regular expressions follow RFC 9485, with named groups. They match the whole string, so ^ and $ are not needed; \
      there is no lookahead and no \\d: write [0-9].
      """,
      in: .market, wrong: #""where": [{ "path": "$.symbol", "match": "[A-Z+" }]"#,
      right: #""where": [{ "path": "$.symbol", "match": "[A-Z]+" }]"#),
    DiagnosticExplanation(
      .invalidTimeFormat, "an invalid time format",
      """
      A format consists of yyyy MM dd HH mm ss SSS, MMM for a month's English name, hh and a for 12 hours with AM or PM, \
      Z for an offset such as +0900, M d H h for one or two digits, and the characters between them; letters among \
      these go between apostrophes. Anything else, such as a weekday, is dropped by a capture.
      """,
      in: .market, wrong: #""fields": { "time": { "path": "$.time", "format": "YYYY/DD" } }"#,
      right: #""fields": { "time": { "path": "$.time", "format": "yyyy-MM-dd HH:mm:ss" } }"#),
    DiagnosticExplanation(
      .textForNumber, "a string where a number is needed",
      """
      A string that begins with $ is a path; any other is a constant. A constant price would be the same in every row: \
      the $. was forgotten.
      """,
      in: .market, wrong: #""fields": { "price": "last" }"#, right: #""fields": { "price": "$.last" }"#),
    DiagnosticExplanation(
      .invalidRows, "invalid rows",
      "Rows are a path, or { \"zip\": [path, path] } for at least two parallel arrays.",
      in: .market, wrong: #""rows": { "zip": ["$.names"] }"#, right: #""rows": { "zip": ["$.names", "$.prices"] }"#),
    DiagnosticExplanation(
      .invalidRequestPath, "an invalid request path",
      """
      The path is appended to the base URL, so it begins with a slash. Parameters go under \"query\", where they are \
      escaped. In the path, blanks and letters beyond ASCII are written escaped: %20.
      """,
      in: .wholeMarket, wrong: #""tickers": { "request": { "path": "/tickers?type=spot" } }"#,
      right: #""tickers": { "request": { "path": "/tickers", "query": { "type": "spot" } } }"#),
    DiagnosticExplanation(
      .constantLooksLikePath, "a constant that looks like a path",
      """
      Only a string that begins with $ is a path. This one begins with a dot or a bracket, so it is a constant, the \
      same in every row.
      """,
      in: .market, wrong: #""symbol": { "asset": ".base", "payment": "$.quote" }"#,
      right: #""symbol": { "asset": "$.base", "payment": "$.quote" }"#),
  ]

  static let references = [
    DiagnosticExplanation(
      .unknownSource, "an unknown source",
      """
      \"from\" says what $ is: response, key, request, or the name of a lookup in this table. Without it, $ is the \
      row.
      """,
      in: .market, wrong: #""fields": { "price": { "from": "respons", "path": "$.last" } }"#,
      right: #""fields": { "price": { "from": "response", "path": "$.last" } }"#),
    DiagnosticExplanation(
      .unknownExchange, "an unknown exchange",
      "\"like\" starts from an exchange of this config, or of the shipped one if the file extends that.",
      in: .exchanges,
      wrong: #""Mine": { "like": "Exampel", "baseUrls": ["https://mine.example"] },"# + "\n"
        + exchange("Example", host: "api"),
      right: #""Mine": { "like": "Example", "baseUrls": ["https://mine.example"] },"# + "\n"
        + exchange("Example", host: "api")),
    DiagnosticExplanation(
      .chainedLike, "a chain of \"like\"",
      """
      An exchange can only start from one that is written out in full. With a chain, a change in one place would have \
      unexpected effects far away.
      """,
      in: .exchanges,
      wrong: #""A": { "like": "Example", "baseUrls": ["https://a.example"] },"# + "\n"
        + #""B": { "like": "A", "baseUrls": ["https://b.example"] },"# + "\n" + exchange("Example", host: "api"),
      right: #""A": { "like": "Example", "baseUrls": ["https://a.example"] },"# + "\n"
        + #""B": { "like": "Example", "baseUrls": ["https://b.example"] },"# + "\n" + exchange("Example", host: "api")),
    DiagnosticExplanation(
      .unknownHook, "an unknown hook",
      """
      A hook is Swift code in Plugins/ that is compiled into the program; the message lists those available. Most \
      exchanges need none.
      """,
      in: .market, wrong: #""hook": "my-hook""#, right: #""note": "no hook is needed""#),
    DiagnosticExplanation(
      .circularLookups, "circular lookups",
      "To find its row, each of these lookups needs a value from another of them, so none can be read first.",
      in: .market,
      wrong: lookups(matching: #"{ "from": "a", "path": "$.id" }"#), right: lookups(matching: #""$.symbol""#)),
    DiagnosticExplanation(
      .misplacedSource, "a source that is not available there",
      """
      A success rule looks at the answer before there are rows, so there is no key; a lookup's own rows are kept on \
      disk, independent of any request. Rows that are the elements of several lists have indexes for keys, not the names \
      of these lists. A table of all pairs is requested without a pair: what names one belongs in "ticker".
      """,
      in: .market, wrong: #""success": { "where": [{ "from": "key", "equals": "ok" }] }"#,
      right: #""success": { "where": [{ "path": "$.status", "equals": "ok" }] }"#),
    DiagnosticExplanation(
      .unknownProvider, "an unknown rate provider",
      "A route uses providers from \"fx\".\"providers\".",
      in: .rates, wrong: rates(#""USD/KRW": { "rules": [{ "use": "Exampel" }] }"#),
      right: rates(#""USD/KRW": { "rules": [{ "use": "Example" }] }"#)),
    DiagnosticExplanation(
      .wordAsSeparator, "a word as a separator",
      """
      "split": "payment" looks for the longest payment currency at the end. Any other string is the separator between \
      the two, which is hardly ever a whole word.
      """,
      in: .market,
      wrong: #""symbol": { "path": "$.symbol", "split": "paymnt" }, "paymentCurrencies": { "stable": ["USDT"] }"#,
      right: #""symbol": { "path": "$.symbol", "split": "payment" }, "paymentCurrencies": { "stable": ["USDT"] }"#),
    DiagnosticExplanation(
      .doubledBrace, "a doubled brace before a placeholder",
      """
      {{ writes one literal brace. So {{asset} is sent literally as {asset}, and the exchange is asked for a pair of \
      that name. A placeholder has one brace on each side.
      """,
      in: .wholeMarket,
      wrong: #""ticker": { "request": { "path": "/ticker", "query": { "symbol": "{{asset}{payment}" } } }"#,
      right: #""ticker": { "request": { "path": "/ticker", "query": { "symbol": "{asset}{payment}" } } }"#),
    DiagnosticExplanation(
      .rowsFromEveryDepth, "rows from every depth",
      """
      Two dots descend to every depth of the answer and take each member of that name as a row, even in places that \
      hold something else. It is usually one dot too many; if it is intended, name the members on the way instead.
      """,
      in: .market, wrong: #""rows": "$..list[*]""#, right: #""rows": "$.data.list[*]""#),
  ]

  /// Returns two lookups, of which the first needs the second; `match` says what the second needs.
  private static func lookups(matching match: String) -> String {
    #"""
    "fields": { "bid": { "from": "a", "path": "$.bid" } },
    "lookups": {
      "a": { "rows": "$.a[*]", "key": "$.id", "match": { "from": "b", "path": "$.id" } },
      "b": { "rows": "$.b[*]", "key": "$.id", "match": \#(match) } }
    """#
  }
}
