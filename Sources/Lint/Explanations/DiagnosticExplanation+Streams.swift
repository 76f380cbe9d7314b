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
  ]

  private static func stream(_ subscribe: String) -> String {
    #"""
    "streams": { "urls": ["wss://stream.example.com/ws"], "rows": "$.data", "symbol": "$.s",
      "ticker": {
        "subscribe": \#(subscribe),
        "fields": { "price": "$.p" } } }
    """#
  }
}
