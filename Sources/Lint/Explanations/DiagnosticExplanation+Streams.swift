import Config

// Explanations of streams.

extension DiagnosticExplanation {
  static let streams = [
    DiagnosticExplanation(
      .secretInStream, "a secret in a stream",
      """
      Streams carry only public data: a secret in an address or a message would be sent over a connection that stays \
      open for days, and would end up in its recordings.
      """,
      in: .market, wrong: stream(#"{ "op": "subscribe", "key": "{secret:key}", "args": ["{symbol}"] }"#),
      right: stream(#"{ "op": "subscribe", "args": ["{symbol}"] }"#)),
    DiagnosticExplanation(
      .invalidSubscription, "a subscription that does not fit its channel",
      """
      "tickers" subscribes to all pairs with one message, any other channel to the pairs that are needed: its message \
      has {symbol}, or {asset} and {payment}. An address with these is about one pair: its connection needs "max": 1, \
      and may need no message. "batch" puts several pairs in one message, and needs an array with an element that names \
      the pair.
      """,
      in: .market, wrong: stream(#"{ "op": "subscribe", "args": ["all"] }"#),
      right: stream(#"{ "op": "subscribe", "args": ["{symbol}"] }"#)),
    DiagnosticExplanation(
      .offerOfChanges, "an offer read from changes of a book",
      """
      A message that changes an order book begins with whatever changed, often with a level that is gone, not with the \
      best one. Where the order book has "whole", bid and ask are read from whole books only.
      """,
      in: .market, wrong: book(#"[{ "path": "$.topic", "prefix": "book." }]"#),
      right: book(#"[{ "path": "$.topic", "prefix": "book." }, { "path": "$.type", "equals": "snapshot" }]"#)),
  ]

  private static func book(_ conditions: String) -> String {
    #"""
    "streams": { "urls": ["wss://stream.example.com/ws"], "rows": "$.data", "symbol": "$.s",
      "offers": {
        "subscribe": { "op": "subscribe", "args": ["book.1.{symbol}"] },
        "when": \#(conditions),
        "fields": { "bid": "$.b[0][0]", "ask": "$.a[0][0]" } },
      "orderbook": {
        "subscribe": { "op": "subscribe", "args": ["book.50.{symbol}"] },
        "when": [{ "path": "$.topic", "prefix": "book." }], "whole": [{ "path": "$.type", "equals": "snapshot" }],
        "bids": "$.b[*]", "asks": "$.a[*]", "price": "$[0]", "size": "$[1]" } }
    """#
  }

  private static func stream(_ subscribe: String) -> String {
    #"""
    "streams": { "urls": ["wss://stream.example.com/ws"], "rows": "$.data", "symbol": "$.s",
      "ticker": {
        "subscribe": \#(subscribe),
        "fields": { "price": "$.p" } } }
    """#
  }
}
