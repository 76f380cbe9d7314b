import Config

// Texts with a grammar of their own, and names that refer to something.

extension DiagnosticStory {
  static let grammars = [
    DiagnosticStory(
      .strayBrace, "a brace without its partner",
      """
      In a template {asset} is filled in. A closing brace alone is sent as it stands, which is hardly meant; a brace \
      that is meant is written {{.
      """,
      in: .wholeMarket,
      wrong: #""tickers": { "request": { "path": "/tickers", "query": { "symbol": "asset}{payment}" } } }"#,
      right: #""tickers": { "request": { "path": "/tickers", "query": { "symbol": "{asset}{payment}" } } }"#),
    DiagnosticStory(
      .invalidPath, "no JSONPath",
      """
      Paths are those of RFC 9535: $.name, $['any name'], $[0], $[*], $.*, $..name, $[?@.state=='on']. The caret \
      stands where the path ceases to be one.
      """,
      in: .market, wrong: #""rows": "$.data[""#, right: #""rows": "$.data[*]""#),
    DiagnosticStory(
      .pathSelectsMany, "a path that may select several values",
      """
      A wildcard, a slice, a filter or .. can find many values where one is needed. If it does, the cell stays empty: \
      path-many. Name the one that is meant.
      """,
      in: .market, wrong: #""fields": { "bid": "$.bids[*].price" }"#, right: #""fields": { "bid": "$.bids[0].price" }"#),
    DiagnosticStory(
      .invalidTemplate, "no template",
      """
      A placeholder is a name in braces, {asset}, perhaps with |lower or |upper: {asset|lower}. A brace of the text \
      itself is written {{.
      """,
      in: .wholeMarket, wrong: #""tickers": { "request": { "path": "/tickers/{asset|small}" } }"#,
      right: #""tickers": { "request": { "path": "/tickers/{asset|lower}" } }"#),
    DiagnosticStory(
      .unknownPlaceholder, "an unknown placeholder",
      """
      Known are asset and payment, keys in a batch, the names of "set", and {now.ms} {now.s} {date:yyyyMMdd} \
      {secret:name}. A placeholder that nothing fills would be sent as it stands.
      """,
      in: .wholeMarket, wrong: #""tickers": { "request": { "path": "/tickers/{aset}" } }"#,
      right: #""tickers": { "request": { "path": "/tickers/{asset}" } }"#),
    DiagnosticStory(
      .invalidRegularExpression, "no regular expression",
      """
      Regular expressions are those of RFC 9485 with named groups. They fit the whole text, so ^ and $ are not needed; \
      there is no looking ahead and no \\d: write [0-9].
      """,
      in: .market, wrong: #""where": [{ "path": "$.symbol", "match": "[A-Z+" }]"#,
      right: #""where": [{ "path": "$.symbol", "match": "[A-Z]+" }]"#),
    DiagnosticStory(
      .invalidTimeFormat, "no time format",
      "A format is made of yyyy MM dd HH mm ss SSS and the characters between them.",
      in: .market, wrong: #""fields": { "time": { "path": "$.time", "format": "YYYY/DD" } }"#,
      right: #""fields": { "time": { "path": "$.time", "format": "yyyy-MM-dd HH:mm:ss" } }"#),
    DiagnosticStory(
      .textForNumber, "a text where a number is needed",
      """
      A text that begins with $ is a path, any other is a constant. A constant price would be the same on every row: \
      the $. was forgotten.
      """,
      in: .market, wrong: #""fields": { "price": "last" }"#, right: #""fields": { "price": "$.last" }"#),
    DiagnosticStory(
      .invalidRows, "rows that are none",
      "Rows are a path, or { \"zip\": [path, path] } for arrays that stand side by side, of which there are two at least.",
      in: .market, wrong: #""rows": { "zip": ["$.names"] }"#, right: #""rows": { "zip": ["$.names", "$.prices"] }"#),
    DiagnosticStory(
      .invalidRequestPath, "no path of a request",
      "The path is put behind the base URL: it begins with a slash. Parameters stand in \"query\", where they are escaped.",
      in: .wholeMarket, wrong: #""tickers": { "request": { "path": "/tickers?type=spot" } }"#,
      right: #""tickers": { "request": { "path": "/tickers", "query": { "type": "spot" } } }"#),
    DiagnosticStory(
      .constantLooksLikePath, "a constant that looks like a path",
      """
      Only a text that begins with $ is a path. This one begins with a dot or a bracket, is a constant, and so the \
      same on every row.
      """,
      in: .market, wrong: #""symbol": { "asset": ".base", "payment": "$.quote" }"#,
      right: #""symbol": { "asset": "$.base", "payment": "$.quote" }"#),
  ]

  static let references = [
    DiagnosticStory(
      .unknownSource, "an unknown source",
      "\"from\" says what $ is: response, key, request, or the name of a lookup of this table. Without it, $ is the row.",
      in: .market, wrong: #""fields": { "price": { "from": "respons", "path": "$.last" } }"#,
      right: #""fields": { "price": { "from": "response", "path": "$.last" } }"#),
    DiagnosticStory(
      .unknownExchange, "an unknown exchange",
      "\"like\" starts from an exchange of this config, or of the shipped one where the file extends that.",
      in: .exchanges,
      wrong: #""Mine": { "like": "Exampel", "baseUrls": ["https://mine.example"] },"# + "\n"
        + exchange("Example", host: "api"),
      right: #""Mine": { "like": "Example", "baseUrls": ["https://mine.example"] },"# + "\n"
        + exchange("Example", host: "api")),
    DiagnosticStory(
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
    DiagnosticStory(
      .unknownHook, "an unknown hook",
      """
      A hook is Swift code in Plugins/ that is compiled into the program; the message lists those that are. Most \
      exchanges need none.
      """,
      in: .market, wrong: #""hook": "my-hook""#, right: #""note": "no hook is needed""#),
    DiagnosticStory(
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
    DiagnosticStory(
      .misplacedSource, "a source that has no meaning there",
      """
      A rule for success looks at the answer before there are rows, so there is no key; a lookup's own rows are kept \
      on disk and know no request.
      """,
      in: .market, wrong: #""success": { "where": [{ "from": "key", "equals": "ok" }] }"#,
      right: #""success": { "where": [{ "path": "$.status", "equals": "ok" }] }"#),
    DiagnosticStory(
      .unknownProvider, "an unknown rate provider",
      "A route names providers of \"fx\".\"providers\".",
      in: .rates, wrong: #""routes": { "USD/KRW": { "rules": [{ "use": "Exampel" }] } },"# + "\n" + provider,
      right: #""routes": { "USD/KRW": { "rules": [{ "use": "Example" }] } },"# + "\n" + provider),
    DiagnosticStory(
      .wordAsSeparator, "a word as a separator",
      """
      "split": "payment" looks for the longest payment currency at the end. Any other text is what stands between the \
      two, and a whole word hardly does.
      """,
      in: .market,
      wrong: #""symbol": { "path": "$.symbol", "split": "paymnt" }, "paymentCurrencies": { "stable": ["USDT"] }"#,
      right: #""symbol": { "path": "$.symbol", "split": "payment" }, "paymentCurrencies": { "stable": ["USDT"] }"#),
    DiagnosticStory(
      .doubledBrace, "a brace doubled before a placeholder",
      """
      {{ writes one brace, for a text that holds one itself. So {{asset} is sent as {asset}, letter by letter, and the \
      exchange is asked for a pair of that name. A placeholder has one brace on either side.
      """,
      in: .wholeMarket,
      wrong: #""tickers": { "request": { "path": "/tickers", "query": { "symbol": "{{asset}{payment}" } } }"#,
      right: #""tickers": { "request": { "path": "/tickers", "query": { "symbol": "{asset}{payment}" } } }"#),
    DiagnosticStory(
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
