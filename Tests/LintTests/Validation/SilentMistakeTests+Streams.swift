@testable import Lint

extension SilentMistakeTests {
  /// Returns the case of offers in the messages of a book.
  private static func offers(
    _ description: String, when: String = #"[{ "path": "$.c", "prefix": "b." }]"#,
    whole: String = #""whole": [{ "path": "$.t", "equals": "s" }], "#, changes: String = "",
    fields: String = #"{ "bid": "$.b[0][0]", "ask": "$.a[0].p" }"#, findings: [String] = []
  ) -> Case {
    Case(
      testDescription: "offers \(description)", scene: .market,
      config: #"""
        "streams": { "urls": ["wss://stream.example"], "rows": "$.data", "symbol": "$.s",
        "orderbook": { "subscribe": { "args": ["b.50.{symbol}"] }, "when": [{ "path": "$.c", "prefix": "b." }, { "path": "$.x", "is": "absent" }],
        \#(whole)"price": "$[0]", "size": "$[1]",
        "bids": "$.b[*]", "asks": { "rows": "$.a[*]", "price": "$.p", "size": "$.q" }\#(changes) },
        "offers": { "subscribe": { "args": ["b.1.{symbol}"] }, "when": \#(when),
        "fields": \#(fields) } }
        """#, findings: findings)
  }

  /// Streams are checked like tables, and so are their messages.
  static let streams = [
    Case(
      testDescription: "two fields of a stream from one place", scene: .market,
      config: #"""
        "streams": { "urls": ["wss://stream.example"], "symbol": "$.s",
        "ticker": { "subscribe": { "args": ["{symbol}"] }, "fields": { "price": "$.p", "bid": "$.b", "ask": { "path": "$['b']" } } } }
        """#,
      findings: [
        "8:109 warning MKT081 'ask' is read from the same place as 'bid'; one number cannot be both; remove the one the exchange does not have"
      ]),
    Case(
      testDescription: "a field of a stream beside one of the table", scene: .market,
      config: #"""
        "fields": { "bid": "$.b", "ask": "$.a" },
        "streams": { "urls": ["wss://stream.example"], "symbol": "$.s",
        "ticker": { "subscribe": { "args": ["{symbol}"] }, "fields": { "ask": "$.b" } } }
        """#,
      findings: [
        "9:79 warning MKT081 'ask' is read from the same place as 'bid'; one number cannot be both; remove the one the exchange does not have"
      ]),
    Case(
      testDescription: "a change measured from the price itself", scene: .market,
      config: #"""
        "streams": { "urls": ["wss://stream.example"], "symbol": "$.s",
        "ticker": { "subscribe": { "args": ["{symbol}"] }, "fields": { "price": "$.p",
        "changePricePercent24": { "fromOpen": "$['p']", "basis": "rolling24h" } } } }
        """#,
      findings: [
        "9:47 warning MKT081 'fromOpen' is read from the same place as 'price'; one number cannot be both; remove the one the exchange does not have"
      ]),
    Case(
      testDescription: "both sides of a book from one place, and both numbers of a level", scene: .market,
      config: #"""
        "streams": { "urls": ["wss://stream.example"], "symbol": "$.s",
        "orderbook": { "subscribe": { "args": ["{symbol}"] }, "bids": "$.b[*]", "asks": "$['b'][*]", "price": "$[0]", "size": "$[0]" } }
        """#,
      findings: [
        "8:89 warning MKT081 'ask' is read from the same place as 'bid'; one number cannot be both; remove the one the exchange does not have",
        "8:127 warning MKT081 'size' is read from the same place as 'price'; one number cannot be both; remove the one the exchange does not have",
      ]),
    Case(
      testDescription: "the side of a taker read the wrong way round", scene: .market,
      config: #"""
        "streams": { "urls": ["wss://stream.example"], "symbol": "$.s",
        "trades": { "subscribe": { "args": ["{symbol}"] }, "fields": { "price": "$.p", "time": { "path": "$.t", "unit": "s" }, "side": { "path": "$.taker_is_seller", "buy": 1, "sell": 0 } } } }
        """#,
      findings: [
        "8:136 warning MKT082 'buy' and 'sell' are swapped: the taker sold where 'taker_is_seller' is true; swap their words"
      ]),
    Case(
      testDescription: "sides told apart by names or conditions", scene: .market,
      config: #"""
        "streams": { "urls": ["wss://stream.example"], "symbol": "$.s",
        "orderbook": { "subscribe": { "args": ["{symbol}"] }, "bids": { "rows": "$.l[*]", "price": "$.bp", "size": "$.bs" }, "asks": { "rows": "$.l[*]", "price": "$.ap", "size": "$.as" } } }
        """#),
    Case(
      testDescription: "circular aliases, one without effect", scene: .market,
      config: #"""
        "streams": { "urls": ["wss://stream.example"], "symbol": "$.s",
        "aliases": { "A": "B", "B": "A", "C": "C" },
        "ticker": { "subscribe": { "args": ["{symbol}"] }, "fields": { "price": "$.p" } } }
        """#,
      findings: [
        "8:22 MKT057 circular aliases: A -> B -> A",
        "8:42 warning MKT064 the alias 'C' has no effect: it names itself",
      ]),
    Case(
      testDescription: "a factor applied twice, a constant, and one that looks like a path", scene: .market,
      config: #"""
        "streams": { "urls": ["wss://stream.example"], "symbol": "$.s",
        "ticker": { "subscribe": { "args": ["{symbol}"] }, "fields": { "price": 7, "changePricePercent24": { "fromOpen": "$.o", "scale": 100, "basis": "utcDay" }, "time": { "first": ["$.t", ".v"], "unit": "s" } } } }
        """#,
      findings: [
        #"8:81 warning MKT059 'price' is the same constant in every row; write the number's path in the answer, such as "$.price""#,
        "8:138 warning MKT058 scaled twice: the change from an open is already a percentage; keep one of the two",
        "8:191 warning MKT040 the constant '.v' looks like a path; did you mean '$.v'?",
      ]),
    Case(
      testDescription: "what nothing uses", scene: .market,
      config: #"""
        "streams": { "urls": ["wss://stream.example"], "symbol": "$.s",
        "set": { "unused": "x" }, "lookups": { "names": { "when": [{ "path": "$.t", "equals": "n" }], "key": "$.s" } },
        "ticker": { "subscribe": { "args": ["{symbol}"] }, "fields": { "price": "$.p" } } }
        """#,
      findings: [
        "8:18 warning MKT062 unused constant 'unused'; use it as {unused} in a request, or remove it",
        #"8:48 warning MKT063 unused lookup 'names'; read it with "from": "names", or remove it"#,
      ]),
    Case(
      testDescription: "a lookup of sequence numbers", scene: .market,
      config: #"""
        "streams": { "urls": ["wss://stream.example"], "symbol": "$.s",
        "lookups": { "numbers": { "when": [{ "path": "$.t", "equals": "n" }], "key": "$.s" } },
        "ticker": { "subscribe": { "args": ["{symbol}"] }, "sequence": { "from": "numbers", "path": "$.n" }, "fields": { "time": { "path": "$.ts", "unit": "ms" }, "price": "$.p" } } }
        """#,
      findings: []),
    Case(
      testDescription: "what something uses", scene: .market,
      config: #"""
        "streams": { "urls": ["wss://stream.example"], "symbol": "$.s",
        "set": { "kind": "x" }, "lookups": { "names": { "when": [{ "path": "$.t", "equals": "n" }], "key": "$.s" } },
        "hello": { "send": "{kind}" }, "ticker": { "subscribe": { "args": ["{symbol}"] }, "fields": { "price": { "from": "names", "path": "$.p" } } } }
        """#),
    offers(
      "at the beginning of changes of a book",
      fields: #"{ "bid": { "path": "$['b'][0][0]" }, "ask": { "first": ["$.x", "$.a[0].p"] } }"#,
      findings: [
        "12:28 warning MKT087 'bid' is the first level of messages that 'orderbook' takes for changes; add the conditions of 'whole' to 'when'",
        "12:82 warning MKT087 'ask' is the first level of messages that 'orderbook' takes for changes; add the conditions of 'whole' to 'when'",
      ]),
    offers("of whole books only", when: #"[{ "path": "$.c", "prefix": "b." }, { "path": "$.t", "equals": "s" }]"#),
    offers("of messages that may be others altogether", when: "[]"),
    offers("of a book that is always whole", whole: ""),
    offers(
      "of a list that no change has",
      changes: #", "changes": { "bids": "$.u.b[*]", "asks": "$.u.a[*]", "price": "$[0]", "size": "$[1]" }"#),
    offers("of another list, and of its last level", fields: #"{ "bid": "$.best.b[0]", "ask": "$.a[-1].p" }"#),
    Case(
      testDescription: "a channel that is off may use what the others do not", scene: .market,
      config: #"""
        "streams": { "urls": ["wss://stream.example"], "symbol": "$.s",
        "set": { "kind": "x" }, "trades": { "enabled": false },
        "ticker": { "subscribe": { "args": ["{symbol}"] }, "fields": { "price": "$.p" } } }
        """#),
    Case(
      testDescription: "rows at every depth, and an impossible day", scene: .market,
      config: #"""
        "streams": { "urls": ["wss://stream.example"], "symbol": "$.s",
        "verified": "2026-02-30", "rows": "$..data",
        "ticker": { "subscribe": { "args": ["{symbol}"] }, "fields": { "price": "$.p" } } }
        """#,
      findings: [
        #"8:21 MKT017 expected a day such as "2026-01-31""#,
        "8:45 warning MKT050 '..' finds rows at every depth of the answer; name the members on the way, with one dot per step",
      ]),
    Case(
      testDescription: "braces in messages", scene: .market,
      config: #"""
        "streams": { "urls": ["wss://stream.example"], "symbol": "$.s",
        "hello": { "send": "{{symbol}" }, "ping": { "send": "ping}" },
        "ticker": { "subscribe": { "args": ["{symbol}"] }, "fields": { "price": "$.p" } } }
        """#,
      findings: [
        "8:29 warning MKT049 '{{' writes a brace, so '{symbol}' is not filled in; write {symbol}",
        "8:66 warning MKT030 unmatched '}'; write a placeholder as {asset}, a brace as {{",
      ]),
  ]
}
