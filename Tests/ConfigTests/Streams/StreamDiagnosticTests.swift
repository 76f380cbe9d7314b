import Testing

/// Diagnostics of streams, each at its exact position.
@Suite struct StreamDiagnosticTests {
  static let subscribe: String = #""subscribe": {"args": ["{symbol}"]}"#
  static let levels: String = #""bids": "$.b[*]", "asks": "$.a[*]", "price": "$[0]", "size": "$[1]""#

  /// Keys of the exchange's `streams`, besides those that every stream needs.
  private static func streams(
    _ members: String, urls: String? = #"["wss://stream.test/ws"]"#, _ messages: String...
  ) -> FindingCase {
    let hosts = urls.map { #""urls": \#($0), "# } ?? ""
    return FindingCase(
      blocks: TestExchange.config(
        exchange: TestExchange.base + #", "streams": {\#(hosts)"symbol": "$.s", \#(members)}"#), messages)
  }

  /// Keys of the ticker stream.
  private static func ticker(_ members: String, _ messages: String...) -> FindingCase {
    FindingCase(
      blocks: TestExchange.config(
        exchange: TestExchange.base
          + #", "streams": {"urls": ["wss://stream.test/ws"], "symbol": "$.s", "ticker": {\#(members)}}"#), messages)
  }

  /// Keys beside a ticker subscription.
  private static func connection(_ members: String, _ messages: String...) -> FindingCase {
    FindingCase(
      blocks: TestExchange.config(
        exchange: TestExchange.base
          + #", "streams": {"urls": ["wss://stream.test/ws"], "symbol": "$.s", "ticker": {\#(subscribe)}, \#(members)}"#
      ),
      messages)
  }

  private static func book(_ members: String, _ messages: String...) -> FindingCase {
    FindingCase(
      blocks: TestExchange.config(
        exchange: TestExchange.base
          + #", "streams": {"urls": ["wss://stream.test/ws"], "symbol": "$.s", "orderbook": {\#(subscribe), \#(members)}}"#
      ),
      messages)
  }

  static let keys: [FindingCase] = [
    ticker(subscribe),
    streams(#"👉"tikcer": {}"#, #"MKT021 unknown key 'tikcer'; did you mean 'ticker'?"#),
    ticker(#"\#(subscribe), 👉"subscibe": 1"#, "MKT021 unknown key 'subscibe'; did you mean 'subscribe'?"),
    ticker(#"\#(subscribe), 👉"bids": "$.b""#, "MKT021 unknown key 'bids'"),
    ticker(#"\#(subscribe), "fields": {👉"last": "$.p"}"#, "MKT021 unknown key 'last'"),
    streams(#""offers": {\#(subscribe), "fields": {"bid": "$.b", 👉"price": "$.p"}}"#, "MKT021 unknown key 'price'"),
    streams(
      #""trades": {\#(subscribe), "fields": {"price": "$.p", 👉"bid": "$.b"}}"#,
      "MKT021 unknown key 'bid'; did you mean 'id'?"),
    streams(#""ticker": 👉[]"#, "MKT010 expected an object, found an array"),
    // A level overridden by nearer ones is checked too.
    FindingCase(
      TestExchange.config(
        tickers:
          #""forEach": [{"set": {"n": 1}, "streams": {👉"tickr": null}}]"#, request: #"{"path": "/{n}"}"#),
      "MKT021 unknown key 'tickr'; did you mean 'ticker'?"),
    // Disabled streams are not read further.
    streams(#""ticker": null, "trades": {"enabled": false}"#),
    FindingCase(TestExchange.config(exchange: TestExchange.base + #", "streams": {"enabled": false, "ticker": {}}"#)),
    FindingCase(TestExchange.config(exchange: TestExchange.base + #", "streams": null"#)),
  ]

  static let addresses: [FindingCase] = [
    streams(
      #""ticker": 👉{\#(subscribe)}"#, urls: nil,
      #"MKT011 missing 'urls' for this stream; write "urls": ["wss://…"] on the channel or on a level of 'streams'"#),
    streams(
      #""ticker": {\#(subscribe)}"#, urls: #"[👉"https://stream.test"]"#,
      "MKT015 invalid stream address 'https://stream.test'; write wss://host/path; ws:// only to this machine"),
    streams(
      #""ticker": {\#(subscribe)}"#, urls: #"[👉"ws://stream.test/ws?key=abc"]"#,
      "MKT015 invalid stream address 'ws://stream.test/ws?*'; write wss://host/path; ws:// only to this machine"),
    streams(
      #""ticker": {\#(subscribe)}"#, urls: #"[👉"wss://me:pw@stream.test"]"#,
      "MKT015 invalid stream address 'wss://me:pw@stream.test'; write wss://host/path; ws:// only to this machine"),
    streams(
      #""ticker": {\#(subscribe)}"#, urls: #"["wss://stream.test/{👉token}"]"#,
      "MKT034 unknown placeholder '{token}'; expected {id}, {symbol}, {asset} or {payment}"),
    streams(
      #""max": 1, "ticker": {}"#, urls: #"["wss://stream.test/{symbol|lower}", "wss://b.test?p={asset}-{payment}"]"#),
    streams(
      #""max": 1, "candles": {"subscribe": {"op": "all"}, "intervals": {"1m": 1}, "fields": {"time": {"path": "$.t", "unit": "s"}, "open": "$.o", "high": "$.h", "low": "$.l", "close": "$.c"}}"#,
      urls: #"["wss://stream.test/{symbol}/{interval}"]"#),
    streams(
      #""ticker": 👉{}"#, urls: #"["wss://stream.test/", 👉"wss://stream.test/{symbol}"]"#,
      "MKT086 the address names the pair, but a connection may have 100 pairs; write \"max\": 1",
      "MKT011 missing key 'subscribe' in 'ticker'"),
    streams(
      #""max": 1, "tickers": {"subscribe": "all"}"#, urls: #"[👉"wss://stream.test/{symbol}"]"#,
      "MKT086 'tickers' subscribes to all pairs, but this names one; write it under 'ticker'"),
    streams(
      #""max": 1, "ticker": {\#(subscribe)}"#, urls: #"[👉"wss://{symbol}.stream.test/ws"]"#,
      "MKT015 invalid stream address 'wss://{symbol}.stream.test/ws'; write wss://host/path; ws:// only to this machine"
    ),
    streams(#""ticker": {\#(subscribe)}, "set": {"token": "abc"}"#, urls: #"["wss://stream.test/{token}?c={id}"]"#),
    streams(#""ticker": {\#(subscribe)}"#, urls: "👉[]", "MKT010 expected at least one address, found an array"),
    connection(
      #""headers": {👉"Origin": "x", 👉"Sec-WebSocket-Protocol": "y", 👉"host": "z", "X-Client": "market"}"#,
      "MKT018 the header 'Origin' cannot be set by a config; remove it; the program writes the connection's headers",
      "MKT018 the header 'Sec-WebSocket-Protocol' cannot be set by a config; remove it; the program writes the "
        + "connection's headers",
      "MKT018 the header 'host' cannot be set by a config; remove it; the program writes the connection's headers"
    ),
    connection(
      #""set": {👉"token": "$.data.token"}"#,
      "MKT011 missing 'request': 'token' of 'set' reads its answer; add the request, or write a constant"),
    connection(#""set": {"token": "$.data.token", "kind": "spot"}, "request": {"path": "/token", "method": "POST"}"#),
    connection(
      #""set": {"token": {"path": "$.t", 👉"froom": "key"}}, "request": {"path": "/t"}"#,
      "MKT021 unknown key 'froom'; did you mean 'from'?"),
    FindingCase(
      TestExchange.config(
        exchange: TestExchange.base.replacing(#""https://exchange.test""#, with: #"👉"http://127.0.0.1:8080""#)
          + #", "streams": {"urls": ["wss://stream.test/ws"], "symbol": "$.s", "ticker": {\#(subscribe)}}"#),
      "MKT019 the local host '127.0.0.1' is listed alongside 'stream.test' of 'streams'; an exchange must be entirely local "
        + "or entirely remote; or list the host in 'localHosts' in the settings of your own file, "
        + "~/.config/market/exchanges.json"
    ),
  ]

  static let subscriptions: [FindingCase] = [
    streams(#""ticker": 👉{}"#, "MKT011 missing key 'subscribe' in 'ticker'"),
    ticker(
      #""subscribe": 👉{"op": "all"}"#,
      "MKT086 'ticker' subscribes to named pairs, but this names none; add {symbol}, or write it under 'tickers'"),
    streams(
      #""trades": {"subscribe": 👉["all"], "fields": {"price": "$.p"}}"#,
      "MKT086 'trades' subscribes to named pairs, but this names none; add {symbol}"),
    streams(
      #""tickers": {"subscribe": 👉{"args": ["{asset}-{payment}"]}}"#,
      "MKT086 'tickers' subscribes to all pairs, but this names one; write it under 'ticker'"),
    streams(#""tickers": {"subscribe": "all"}"#),
    ticker(#""subscribe": {"each": [{"sub": "{symbol}"}, "get {asset}"]}"#),
    ticker(#""subscribe": {"each": 👉[]}"#, "MKT010 expected at least one message, found an array"),
    ticker(#""subscribe": {"each": 👉"{symbol}"}"#, "MKT010 expected an array, found a string"),
    ticker(
      #""subscribe": {"each": [{"sub": "{symbol}"}, 👉{"get": "all"}]}"#,
      "MKT086 'ticker' subscribes to named pairs, but this names none; add {symbol}, or write it under 'tickers'"),
    ticker(
      #""subscribe": {"each": [["{symbol}"], {"get": "{symbol}", "key": "{👉token}"}]}, "batch": {"max": 5}"#,
      "MKT034 unknown placeholder '{token}'; expected {id}, {symbol}, {asset} or {payment}"),
    // Another member makes it a message.
    ticker(#""subscribe": {"each": ["{symbol}"], "op": "subscribe"}"#),
    ticker(#""subscribe": 👉5"#, "MKT010 expected an object, an array or a string, found a number"),
    ticker(
      #""subscribe": {"args": ["{symbol}.{👉interval}"]}"#,
      "MKT034 unknown placeholder '{interval}'; expected {id}, {symbol}, {asset} or {payment}"),
    ticker(
      #""subscribe": {"args": ["{symbol}"], "key": "{👉token}"}"#,
      "MKT034 unknown placeholder '{token}'; expected {id}, {symbol}, {asset} or {payment}"),
    ticker(
      #""subscribe": 👉{"args": ["{symbol}"], "key": "{secret:key}"}"#,
      "MKT085 a stream cannot use a secret; streams carry only public data"),
    connection(
      #""set": {"kind": "a"}, "headers": {"X-Kind": "{kind}", "X-Key": "{👉token}"}"#,
      "MKT034 unknown placeholder '{token}'; expected {id} or {kind}"),
    connection(
      #""headers": {"X-Key": 👉"{secret:key}"}"#,
      "MKT085 a stream cannot use a secret; streams carry only public data"),
    connection(
      #""request": 👉{"path": "/token", "body": {"key": "{secret:key}"}}"#,
      "MKT085 a stream cannot use a secret; streams carry only public data"),
    ticker(
      #""subscribe": {"sub": "{symbol}"}, "batch": 👉{"max": 2}"#,
      "MKT086 'batch' has nothing to repeat: no element of an array in 'subscribe' names the pair; put {symbol} in an array, or remove 'batch'"
    ),
    ticker(#""subscribe": {"sub": "{symbol}"}, "batch": {"max": 1}"#),
    connection(#""limit": {"requests": 1, "per": "1s", "shared": true}"#),
    connection(
      #""limit": {"requests": 1, "per": "1s", "shared": 👉"host"}"#, "MKT010 expected true or false, found a string"),
    connection(#""batch": {"max": 👉0}"#, "MKT013 expected a whole number from 1 to 100000"),
    connection(#""batch": 👉{}"#, "MKT011 missing key 'max' in 'batch'"),
    connection(#""protocol": "v1.json""#),
    connection(#""protocol": 👉"v1.json, v2.json""#, "MKT017 expected one subprotocol, without spaces or commas"),
    connection(#""max": 👉0"#, "MKT013 expected a whole number from 1 to 100000"),
    connection(
      #""deadAfter": 👉"soon""#, "MKT014 invalid duration 'soon'; write a number and a unit: 500ms, 5s, 1m, 1h, 1d"),
    connection(
      #""deadAfter": 👉"0s", "ping": {"every": 👉"2d"}"#,
      "MKT014 invalid duration '0s'; write a duration from 100ms to 1d",
      "MKT014 invalid duration '2d'; write a duration from 100ms to 1d"),
    connection(#""pong": 👉{"set": {"n": "$.ping"}}"#, "MKT011 missing key 'send' in 'pong'"),
    connection(
      #""pong": {"set": {"n": "$.ping"}, "send": {"pong": "{👉m}"}}"#,
      "MKT034 unknown placeholder '{m}'; expected {id} or {n}"),
    connection(
      #""pong": {"set": {"n": {"from": 👉"key"}}, "send": {"pong": "{n}"}}"#,
      "MKT046 the source 'key' is not available in 'set'"),
    connection(#""hello": 👉{}"#, "MKT011 missing 'send' or 'when' in 'hello'"),
    connection(#""hello": {"when": [{"path": "$.type", "equals": "welcome"}]}"#),
    connection(
      #""ping": {"every": "10s", "sent": "ping"}"#.replacing(#""sent""#, with: #"👉"sent""#),
      "MKT021 unknown key 'sent'; did you mean 'send'?"),
  ]

  static let unwrapping: [FindingCase] = [
    ticker(#"\#(subscribe), "unwrap": "$.o""#),
    ticker(
      #"\#(subscribe), "unwrap": [{"capture": "a(?<value>.*)"}, "$[*]", {"path": "$..o", "capture": "(?<value>.+)x"}]"#),
    ticker(#"\#(subscribe), "unwrap": 👉{}"#, "MKT011 missing 'path' or 'capture' in 'unwrap'"),
    ticker(#"\#(subscribe), "unwrap": 👉[]"#, "MKT010 expected at least one path, found an array"),
    ticker(#"\#(subscribe), "unwrap": 👉5"#, "MKT010 expected an object, found a number"),
    ticker(
      #"\#(subscribe), "unwrap": {"path": "$.o", 👉"captur": "a"}"#,
      "MKT021 unknown key 'captur'; did you mean 'capture'?"),
    ticker(#"\#(subscribe), "unwrap": {"capture": 👉"a.*"}"#, "MKT035 regular expression: missing group (?<value>…)"),
  ]

  static let rows: [FindingCase] = [
    ticker(#"\#(subscribe), "sequence": "$.n", "fields": {"time": {"path": "$.t", "unit": "s"}}"#),
    ticker(
      #"\#(subscribe), "sequence": 👉"$.n""#,
      "MKT011 missing key 'time' in the fields, though 'sequence' orders rows of one time"),
    // One of all channels may be meant for the book.
    connection(#""sequence": "$.n""#),
    streams(#""trades": {\#(subscribe), "fields": 👉{"size": "$.q"}}"#, "MKT011 missing 'price' in these fields"),
    streams(
      #""trades": {\#(subscribe), "fields": {"price": "$.p", "side": 👉{"path": "$.s", "buy": "b"}}}"#,
      "MKT011 missing words for 'sell' in a side; write the exchange's words for a taker buy and a taker sell"
    ),
    streams(
      #""candles": 👉{"subscribe": {"args": ["{symbol}_{interval}"]}, "fields": {"time": {"path": "$.t", "unit": "s"}, "open": "$.o", "high": "$.h", "low": "$.l", "close": "$.c"}}"#,
      "MKT011 missing key 'intervals' in 'candles'"),
    streams(
      #""candles": {"subscribe": {"args": ["{symbol}_{interval}"]}, "intervals": {"1m": 1, 👉"2m": "x"}, "fields": {"time": {"path": "$.t", "unit": "s"}, "open": "$.o", "high": "$.h", "low": "$.l", "close": "$.c"}}"#,
      "MKT021 unknown interval '2m'; expected 1m, 3m, 5m, 10m, 15m, 30m, 1h, 2h, 4h, 6h, 8h, 12h, 1d or 1w"
    ),
    ticker(
      #"\#(subscribe), "lookups": {"channels": {"when": [{"path": "$.e", "equals": "on"}], "request": 👉{"path": "/l"}, "rows": "$", "key": "$.id"}}"#,
      "MKT023 'when' and 'request' cannot be combined; keep one of them"),
    ticker(
      #"\#(subscribe), "lookups": {"channels": 👉{"when": [{"path": "$.e", "equals": "on"}]}}"#,
      "MKT011 missing key 'key' in the lookup 'channels'"),
    ticker(
      #"\#(subscribe), "lookups": {"contracts": 👉{"match": "{symbol}"}}"#,
      "MKT011 missing key 'when' in the lookup 'contracts', which a market's table lacks; without it, it changes the table's lookup; write it in the 'streams' of the market that has one"
    ),
    ticker(
      #"\#(subscribe), "fields": {"price": {"from": 👉"contract", "path": "$.p"}}"#,
      "MKT041 unknown source 'contract'; expected response, key or request"),
    ticker(
      #"\#(subscribe), "when": [👉{"path": "$.a"}]"#,
      "MKT011 missing key 'equals', 'in', 'notIn', 'prefix', 'suffix', 'match', 'above' or 'is' in this condition"),
  ]

  /// The streams of an exchange whose table has a price.
  private static func priced(_ members: String, isRejected: Bool) -> FindingCase {
    let message =
      "MKT011 missing 'price' in a channel of rows, whose table has one; if messages have only bids and asks, use "
      + "'offers'"
    return FindingCase(
      blocks: TestExchange.config(
        tickers: #""fields": {"price": "$.p", "bid": "$.b"}"#,
        exchange: TestExchange.base
          + #", "streams": {"urls": ["wss://stream.test/ws"], "symbol": "$.s", \#(members)}"#),
      isRejected ? [message] : [])
  }

  static let prices: [FindingCase] = [
    priced(#""ticker": {\#(subscribe), "fields": {"price": 👉null}}"#, isRejected: true),
    priced(#""tickers": {"subscribe": "all"}, "fields": {"price": 👉null}"#, isRejected: true),
    priced(#""ticker": 👉{\#(subscribe), "fields": null}"#, isRejected: true),
    priced(#""ticker": {\#(subscribe), "fields": {"bid": null}}"#, isRejected: false),
    priced(#""ticker": {\#(subscribe), "fields": {"price": "$.x"}}, "fields": {"price": null}"#, isRejected: false),
    priced(#""offers": {\#(subscribe), "fields": {"bid": "$.b"}}"#, isRejected: false),
  ]

  static let books: [FindingCase] = [
    book(levels),
    book(
      #"\#(levels), "changes": 👉{"price": "$.p"}"#,
      "MKT011 missing 'whole' in a stream with 'changes'; add conditions that identify a complete message"),
    book(
      #"\#(levels), "sequence": "$.s", "previous": 👉"$.p""#,
      "MKT011 missing 'whole' in a stream with 'previous'; add conditions that identify a complete message"),
    book(
      #"\#(levels), "whole": [{"path": "$.t", "equals": "s"}], "previous": 👉"$.p""#,
      "MKT011 missing key 'sequence' in a book with 'previous'"),
    book(
      #"\#(levels), "whole": [{"path": "$.t", "equals": "s"}], "changes": {👉"bid": "$.b"}"#,
      "MKT021 unknown key 'bid'; did you mean 'bids'?"),
    book(#"\#(levels), "time": {"path": "$.ts", "unit": "ms"}"#),
    book(
      #"\#(levels), "time": 👉"$.ts""#,
      "MKT052 missing key 'unit' or 'format' in a time; the unit is s, ms, us, ns or iso8601"),
    book(#"\#(levels), "whole": [{"path": "$.t", "equals": "s"}], "key": "$.id", "changes": {"key": "$.i"}"#),
    book(
      #"\#(levels), "key": 👉"$.id""#,
      "MKT011 missing 'whole' in a stream with 'key'; add conditions that identify a complete message"),
    book(
      #"\#(levels), "whole": [{"path": "$.t", "equals": "s"}], "changes": {"key": 👉"$.i"}"#,
      "MKT011 missing key 'key' in a book whose 'changes' have one"),
    book(
      #"\#(levels), "whole": [{"path": "$.t", "equals": "s"}], "key": 👉"$.id", "count": 5"#,
      "MKT023 'key' and 'count' cannot be combined; keep one of them"),
    book(#"\#(levels), "count": 👉0"#, "MKT013 expected a whole number from 1 to 1000000"),
    book(#"\#(levels), 👉"fields": {}"#, "MKT021 unknown key 'fields'"),
    FindingCase(
      TestExchange.config(
        exchange: TestExchange.base
          + #", "streams": {"urls": ["wss://stream.test/ws"], "symbol": "$.s", "orderbook": 👉{\#(subscribe), "asks": "$.a[*]", "price": "$[0]", "size": "$[1]"}}"#
      ), "MKT011 missing key 'bids' in 'orderbook'"),
  ]

  /// What only one market lacks is reported where the others have it from, with its name.
  static let markets: [FindingCase] = [
    FindingCase(
      market(streams: #", "streams": {"ticker": {\#(subscribe)}}"#, ticker: #"👉{"max": 5}"#),
      "MKT011 missing key 'subscribe' in 'ticker' of markets.futures; write it in 'streams' there, or switch the channel "
        + #"off: "ticker": null"#),
    FindingCase(
      market(streams: #", "streams": {"ticker": null}"#, ticker: #"👉{"max": 5}"#),
      "MKT011 missing key 'subscribe' in 'ticker' of markets.futures; write it in 'streams' there, or switch the channel "
        + #"off: "ticker": null"#),
    FindingCase(
      market(streams: #", "streams": {"ticker": 👉{"max": 5}}"#, ticker: "null"),
      "MKT011 missing key 'subscribe' in 'ticker'"),
  ]

  /// An exchange with a channel, and two markets, of which `spot` has more members.
  private static func market(streams: String, ticker: String) -> String {
    #"""
    {"version": 1, "exchanges": {"Exchange": {\#(TestExchange.base), "fields": {"price": "$.p"},
      "streams": {"urls": ["wss://stream.test/ws"], "symbol": "$.s", "ticker": \#(ticker)},
      "markets": {"spot": {"tickers": {"request": {"path": "/t"}}\#(streams)},
        "futures": {"tickers": {"request": {"path": "/f"}}}}}}}
    """#
  }

  @Test(arguments: markets) func marketFindings(_ finding: FindingCase) throws { try finding.check() }
  @Test(arguments: keys) func keyFindings(_ finding: FindingCase) throws { try finding.check() }
  @Test(arguments: addresses) func addressFindings(_ finding: FindingCase) throws { try finding.check() }
  @Test(arguments: subscriptions) func subscriptionFindings(_ finding: FindingCase) throws { try finding.check() }
  @Test(arguments: unwrapping) func unwrappingFindings(_ finding: FindingCase) throws { try finding.check() }
  @Test(arguments: rows) func rowFindings(_ finding: FindingCase) throws { try finding.check() }
  @Test(arguments: prices) func priceFindings(_ finding: FindingCase) throws { try finding.check() }
  @Test(arguments: books) func bookFindings(_ finding: FindingCase) throws { try finding.check() }
}
