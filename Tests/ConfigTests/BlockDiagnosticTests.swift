import Testing

/// Diagnostics of order book, trade and candle blocks, each at its exact position.
@Suite struct BlockDiagnosticTests {
  private static let fields =
    #""fields": {"time": {"path": "$[0]", "unit": "s"}, "open": "$[1]", "high": "$[2]", "low": "$[3]", "close": "$[4]"}"#

  /// Candles with these keys.
  private static func candles(
    _ keys: String, request: String = #"{"path": "/c/{asset}{payment}/{interval}"}"#, fields: String = fields,
    _ messages: String...
  ) -> FindingCase {
    FindingCase(candles: #""candles": {"request": \#(request), "rows": "$[*]", \#(keys), \#(fields)}"#, messages)
  }

  private static func trades(_ fields: String, keys: String = "", _ messages: String...) -> FindingCase {
    FindingCase(
      candles: #""trades": {"request": {"path": "/t/{asset}{payment}"}, "rows": "$[*]", \#(keys)"fields": \#(fields)}"#,
      messages)
  }

  static let cases = [
    candles(#""intervals": {"1m": "1", "1h": 60, "1d": {"word": "D", "zone": "+08:00"}}"#),
    candles(
      #""intervals": {👉"60m": "60"}"#,
      "MKT021 unknown interval '60m'; expected 1m, 3m, 5m, 10m, 15m, 30m, 1h, 2h, 4h, 6h, 8h, 12h, 1d or 1w; did you mean '1h'?"
    ),
    candles(#""intervals": 👉{}"#, "MKT010 expected at least one interval, found an object"),
    candles(
      #""intervals": {"1m": "1", "1h": 👉"1"}"#,
      "MKT023 the word '1' requests the same candles as '1m'; each interval needs its own word"),
    candles(
      #""intervals": {"1m": "1", "1h": {"word": "1", "request": {"path": "/hours/{asset}{payment}/{interval}"}}}"#),
    candles(
      #""intervals": {"1m": "1", "1h": "60"}"#, request: #"👉{"path": "/c/{asset}{payment}"}"#,
      "MKT011 missing {interval} in a request shared by several intervals; put it where the exchange expects its word"),
    candles(#""intervals": {"1m": "1"}"#, request: #"{"path": "/c/{asset}{payment}"}"#),
    candles(
      #""zone": 👉"+09:00", "intervals": {"1m": "1"}"#,
      "warning MKT080 'zone' has no effect: every interval is an hour or less; remove it, or add intervals of a "
        + "day or more"
    ),
    candles(
      #""intervals": {"1d": {"word": "D", 👉"zonee": "+09:00"}}"#, "MKT021 unknown key 'zonee'; did you mean 'zone'?"),
    candles(
      #""intervals": {"1m": "1"}"#, fields: #""fields": 👉{"time": {"path": "$[0]", "unit": "s"}, "open": "$[1]"}"#,
      "MKT011 missing 'high', 'low' and 'close' in these fields"),
    candles(#""count": 👉[100, 20], "intervals": {"1m": "1"}"#, "MKT013 expected at least two rising numbers"),
    candles(#""count": 👉0, "intervals": {"1m": "1"}"#, "MKT013 expected a whole number from 1 to 1000000"),
    candles(
      #""count": 👉1, "intervals": {"1m": "1"}"#,
      request: #"{"path": "/c/{asset}{payment}", "query": {"from": "{from.s}"}}"#,
      "MKT013 expected at least 2 candles in a request that names {from…}"),
    candles(
      #""count": 100, "intervals": {"1m": "1"}"#,
      request: #"{"path": "/c/{asset}{payment}", "query": {"from": "{👉from}"}}"#,
      "MKT034 unknown placeholder '{from}'; did you mean '{from.s}'?"),
    trades(#"👉{"price": "$.p"}"#, "MKT011 missing 'time' in these fields"),
    trades(
      #"{"price": "$.p", "time": 👉{"path": "$.t"}}"#,
      "MKT052 missing key 'unit' or 'format' in a time; the unit is s, ms, us, ns or iso8601"),
    trades(
      #"{"price": "$.p", "time": {"path": "$.t", "unit": "s"}, "side": 👉{"path": "$.s", "buy": "b"}}"#,
      "MKT011 missing words for 'sell' in a side; write the exchange's words for a taker buy and a taker sell"
    ),
    trades(
      #"{"price": "$.p", "time": {"path": "$.t", "unit": "s"}, "side": 👉{"path": "$.s", "buy": ["b", "B"], "sell": "b"}}"#,
      "MKT023 'b' means both 'buy' and 'sell'"),
    trades(
      #"{"price": {"path": "$.p", 👉"buy": "b"}, "time": {"path": "$.t", "unit": "s"}}"#, "MKT021 unknown key 'buy'"),
    trades(#"{"price": "$.p", "time": {"path": "$.t", "unit": "s"}, 👉"volume": "$.v"}"#, "MKT021 unknown key 'volume'"),
    FindingCase(
      candles:
        #""orderbook": {"request": {"path": "/b/{asset}{payment}/{👉from.s}"}, "bids": "$.b[*]", "asks": "$.a[*]", "price": "$[0]", "size": "$[1]"}"#,
      ["MKT034 unknown placeholder '{from.s}'; expected {asset}, {payment}, {count} or {symbol}"]),
    FindingCase(
      candles:
        #""orderbook": 👉{"request": {"path": "/b/{asset}{payment}/{count}"}, "bids": "$.b[*]", "asks": "$.a[*]", "price": "$[0]", "size": "$[1]"}"#,
      ["MKT011 missing key 'count' in this block, whose request names {count}"]),
    FindingCase(
      candles: #""orderbook": 👉{"request": {"path": "/b"}, "bids": "$.b[*]", "price": "$[0]", "size": "$[1]"}"#,
      ["MKT011 missing key 'asks' in 'orderbook'"]),
    FindingCase(
      candles: #""orderbook": 👉{"request": {"path": "/b"}, "bids": "$.b[*]", "asks": "$.a[*]", "price": "$[0]"}"#,
      ["MKT011 missing key 'size' in 'orderbook'"]),
    // Without a request there is no block: the exchange does not offer it.
    FindingCase(candles: #""orderbook": {"bids": "$.b[*]"}"#, []),
    FindingCase(candles: #""candles": null"#, []),
  ]

  @Test(arguments: cases) func block(_ finding: FindingCase) throws { try finding.check() }
}

extension FindingCase {
  /// Members of an exchange whose market has a table.
  fileprivate init(candles members: String, _ messages: [String]) {
    self.init(blocks: TestExchange.config(exchange: TestExchange.base + ", " + members), messages)
  }
}
