import Testing

/// The figures of a day beside messages of the next one.
@Suite struct EndedDayMessageTests {
  /// The trades were before 15:00 UTC, when the day in Korea ended. The messages arrive at 15:30.
  private static let table = #"""
    [{"s": "BTC-USDT", "p": "3150", "c": "5", "h": "3200", "l": "2990", "t": 1709218722000},
     {"s": "ETH-USDT", "p": "3150", "c": "5", "h": "3200", "l": "2990", "t": 1709218722000}]
    """#
  private static let tickers = #"""
    "fields": {
      "price": "$.p", "changePricePercent24": {"path": "$.c", "basis": "kstDay"},
      "high": {"path": "$.h", "basis": "kstDay"}, "low": {"path": "$.l", "basis": "kstDay"},
      "time": {"path": "$.t", "unit": "ms", "basis": "trade"}}
    """#

  @Test func figuresOfEndedDay() throws {
    try StreamCase(
      "a message of the next day, or about a trade of an ended one", tickers: Self.tickers, table: Self.table,
      [
        // What it repeats is of the day before, unless it says that nothing was traded since.
        (
          #"{"s": "BTC-USDT", "p": "3150", "c": "5", "h": "3200", "l": "2990", "t": 1709218740000}"#,
          "BTC/USDT 3150 stale stale stale 2024-02-29T14:59:00Z"
        ),
        (
          #"{"s": "BTC-USDT", "p": "3150", "c": "0", "h": "3150", "l": "3150", "t": 1709218740000}"#,
          "BTC/USDT 3150 +0.00 3150 3150 2024-02-29T14:59:00Z"
        ),
        // What it does not have does not become that of its day.
        (
          #"{"s": "ETH-USDT", "p": "3155", "t": 1709220599000}"#, "ETH/USDT 3155 stale stale stale 2024-02-29T15:29:59Z"
        ),
        (
          #"{"s": "ETH-USDT", "p": "3155", "c": "0.16", "h": "3155", "l": "3150", "t": 1709220599500}"#,
          "ETH/USDT 3155 +0.16 3155 3150 2024-02-29T15:29:59.5Z"
        ),
      ]
    ).check()
  }
}
