import Config

// Explanations of what is read from where in tickers, order books, trades and candles.

extension DiagnosticExplanation {
  static let blocks = [
    DiagnosticExplanation(
      .idleZone, "a zone without effect",
      """
      "zone" says at whose midnight days begin. Candles of an hour or less begin at the same moments in every zone of \
      whole hours.
      """,
      in: .market, wrong: candles(#""zone": "+09:00", "intervals": { "1m": "1m", "1h": "1h" }"#),
      right: candles(#""zone": "+09:00", "intervals": { "1m": "1m", "1d": "1d" }"#)),
    DiagnosticExplanation(
      .samePlace, "one place read as two numbers",
      """
      "volume" is counted in the asset and "turnover" in the payment currency, so one number cannot be both. If an \
      exchange sends only one of them, map only that one. The same applies to any two numbers of a row, such as bid \
      and ask, high and low, price and size, free and locked. Nor is anything paid for with itself: the asset and the \
      payment currency of a pair have different places. An amount is divided by the price, never the price by it.
      """,
      in: .market, wrong: candles(#""intervals": { "1m": "1m" }"#, fields: #", "volume": "$[5]", "turnover": "$[5]""#),
      right: candles(#""intervals": { "1m": "1m" }"#, fields: #", "volume": "$[5]", "turnover": "$[6]""#)),
    DiagnosticExplanation(
      .swappedSides, "swapped sides",
      """
      "side" is what the taker did. If the buyer is the maker, the taker sold, so a true "isBuyerMaker" is a sell; a true \
      "isSellerMaker" or "isBuyerTaker" is a buy.
      """,
      in: .market, wrong: trades(#""buy": true, "sell": false"#), right: trades(#""buy": false, "sell": true"#)),
    DiagnosticExplanation(
      .conflictingName, "a member whose name says something else",
      """
      A mark, index or mid price is close to the last one in every row, so no check of numbers tells them apart; with \
      "basis" it is labeled, and kept out of premiums. What was traded in 30 days looks like a busy day. Nor do numbers \
      show that a price and a bid, or what is free and what is locked, are each read from the place of the other.
      """,
      in: .market, wrong: #""fields": { "price": "$.markPrice", "volume24": "$.volume30d" }"#,
      right: #""fields": { "price": { "path": "$.markPrice", "basis": "mark" }, "volume24": "$.volume24h" }"#),
  ]

  private static func trades(_ words: String) -> String {
    #"""
    "trades": { "request": { "path": "/trades/{asset}{payment}" }, "rows": "$[*]",
      "fields": { "price": "$.price", "time": { "path": "$.time", "unit": "ms" },
        "side": { "path": "$.isBuyerMaker", \#(words) } } }
    """#
  }

  private static func candles(_ keys: String, fields: String = "") -> String {
    #"""
    "candles": { "request": { "path": "/candles/{interval}", "query": { "pair": "{asset}{payment}" } }, "rows": "$[*]",
      \#(keys),
      "fields": { "time": { "path": "$[0]", "unit": "s" },
        "open": "$[1]", "high": "$[2]", "low": "$[3]", "close": "$[4]"\#(fields) } }
    """#
  }
}
