import Config
import Mapping
import Testing

/// Trades and candles by stream.
@Suite struct RecordMessageTests {
  private static let trade =
    #""rows": "$.d[*]", "fields": {"price": "$.p", "size": "$.q", "side": {"path": "$.m", "buy": false, "sell": true}, "time": {"path": "$.t", "unit": "ms"}, "id": "$.i"}"#
  private static let candle =
    #""intervals": {"1m": "1"}, "fields": {"time": {"path": "$.t", "unit": "s"}, "open": "$.o", "high": "$.h", "low": "$.l", "close": "$.c", "volume": "$.v"}"#

  static let cases: [StreamCase] = [
    StreamCase(
      "oldest first, and one of one time as they came", channel: .trades, own: trade,
      [
        (
          #"{"d": [{"s": "BTC-USDT", "p": 2, "q": 1, "m": true, "t": 1709220600000, "i": "b"}, {"s": "BTC-USDT", "p": 3, "q": 1, "m": false, "t": 1709220600000, "i": "a"}]}"#,
          "BTC/USDT 2024-02-29T15:30:00Z 2 1 sell b; 2024-02-29T15:30:00Z 3 1 buy a"
        ),
        (
          #"{"d": [{"s": "BTC-USDT", "p": 2, "q": 1, "t": 1709220600002, "i": 8}, {"s": "BTC-USDT", "p": 3, "q": 1, "t": 1709220600001, "i": 7}]}"#,
          "BTC/USDT 2024-02-29T15:30:00.001Z 3 1 side-unknown 7; 2024-02-29T15:30:00.002Z 2 1 side-unknown 8"
        ),
        // One at the same time, with descending numbers.
        (
          #"{"d": [{"s": "BTC-USDT", "p": 2, "q": 1, "t": 1709220600002, "i": 8}, {"s": "BTC-USDT", "p": 3, "q": 1, "t": 1709220600002, "i": 7}]}"#,
          "BTC/USDT 2024-02-29T15:30:00.002Z 3 1 side-unknown 7; 2024-02-29T15:30:00.002Z 2 1 side-unknown 8"
        ),
      ]),
    StreamCase(
      "without repeats, by pair, and rows that are no trades", channel: .trades, own: trade,
      [
        (
          #"{"d": [{"s": "BTC-USDT", "p": 2, "q": 1, "t": 1, "i": 5}, {"s": "X", "p": 9, "t": 1}, {"s": "ETH-USDT", "p": 4, "q": 1, "t": 1, "i": 5}, {"s": "BTC-USDT", "p": 2, "q": 1, "t": 1, "i": 5}, {"s": "BTC-USDT", "q": 1, "t": 1}]}"#,
          "BTC/USDT 1970-01-01T00:00:00.001Z 2 1 side-unknown 5, unusable BTC/USDT not-a-number (a trade without a readable price or time), ETH/USDT 1970-01-01T00:00:00.001Z 4 1 side-unknown 5"
        ),
        (#"{"d": [{"s": "X", "p": 9, "t": 1}]}"#, "-"),
        (
          #"{"d": [{"s": "BTC-USDT", "p": "x", "t": 1}]}"#,
          "unusable BTC/USDT not-a-number (a trade without a readable price or time)"
        ),
        (
          #"{"d": [{"s": "BTC-USDT", "p": 1, "q": 2, "q": 3, "t": 1}]}"#,
          "unusable BTC/USDT path-many (a member of the row is repeated)"
        ),
      ]),
    StreamCase(
      "fills that share an id, as those of one match, and one of them twice", channel: .trades, own: trade,
      [
        (
          #"{"d": [{"s": "BTC-USDT", "p": 2, "q": 1, "m": true, "t": 1, "i": 5}, {"s": "BTC-USDT", "p": 2, "q": 3, "m": true, "t": 1, "i": 5}, {"s": "BTC-USDT", "p": 2, "q": 1, "m": false, "t": 1, "i": 5}, {"s": "BTC-USDT", "p": 2, "q": 1, "m": true, "t": 1, "i": 5}, {"s": "BTC-USDT", "p": 2, "q": 1, "m": true, "t": 2, "i": 5}]}"#,
          "BTC/USDT 1970-01-01T00:00:00.001Z 2 1 sell 5; 1970-01-01T00:00:00.001Z 2 3 sell 5; 1970-01-01T00:00:00.001Z 2 1 buy 5; 1970-01-01T00:00:00.002Z 2 1 sell 5"
        )
      ]),
    StreamCase(
      "a time that is said and cannot be read is not that of arrival", channel: .trades,
      own: #""rows": "$.d[*]", "fields": {"price": "$.p", "size": "$.q", "time": {"path": "$.t", "unit": "ms"}}"#,
      [
        (
          #"{"d": [{"s": "BTC-USDT", "p": "1", "q": "1", "t": 1709220600000}, {"s": "BTC-USDT", "p": "2", "q": "1", "t": 1709220600000000000}]}"#,
          "BTC/USDT 2024-02-29T15:30:00Z 1 1 side-unknown -, unusable BTC/USDT not-a-number (a trade without a readable price or time)"
        ),
        (
          #"{"d": [{"s": "BTC-USDT", "p": "1", "q": "1", "t": "yesterday"}]}"#,
          "unusable BTC/USDT not-a-number (a trade without a readable price or time)"
        ),
        (
          #"{"d": [{"s": "BTC-USDT", "p": "1", "q": "1", "t": null}]}"#,
          "unusable BTC/USDT not-a-number (a trade without a readable price or time)"
        ),
      ]),
    StreamCase(
      "the time of arrival stands for one that is not said", channel: .trades,
      own: #""fields": {"price": "$.p", "size": "$.q"}"#,
      [
        (
          #"{"s": "BTC-USDT", "p": 2, "q": "0"}"#,
          "BTC/USDT 2024-02-29T15:30:00Z 2 zero side-unknown -"
        )
      ]),
    StreamCase(
      "trades of a contract of a thousand", channel: .trades, own: #""fields": {"price": "$.p", "size": "$.q"}"#,
      tickers: #""multiplier": {"1000": 1000}, "fields": {"price": "$.p"}"#,
      table: #"[{"s": "1000PEPE-USDT", "p": "0.02"}]"#,
      [(#"{"s": "1000PEPE-USDT", "p": "0.03", "q": 2}"#, "PEPE/USDT 2024-02-29T15:30:00Z 0.00003 2000 side-unknown -")]),
    StreamCase(
      "the running candle", channel: .candles, own: candle,
      [
        (
          #"{"s": "BTC-USDT", "t": 1709220600, "o": 1, "h": 4, "l": 1, "c": 3, "v": 9}"#,
          "BTC/USDT 2024-02-29T15:30:00Z 1 4 1 3 9 not-offered"
        ),
        (
          #"{"s": "BTC-USDT", "t": 1709220600, "o": 1, "h": 4, "l": 1, "v": 9}"#,
          "unusable BTC/USDT not-a-number (a candle has no time, or lacks one of its prices)"
        ),
        (#"{"s": "X", "t": 1709220600, "o": 1, "h": 4, "l": 1, "c": 3, "v": 9}"#, "-"),
      ]),
    StreamCase(
      "several candles, oldest first, that say when they end", channel: .candles,
      own: #""rows": "$[*]", "#
        + candle.replacing(#""unit": "s"}"#, with: #""unit": "s", "basis": "end"}"#),
      [
        (
          #"[{"s": "BTC-USDT", "t": 1709220660, "o": 1, "h": 1, "l": 1, "c": 1}, {"s": "BTC-USDT", "t": 1709220600, "o": 2, "h": 2, "l": 2, "c": 2}]"#,
          "BTC/USDT 2024-02-29T15:29:00Z 2 2 2 2 path-miss not-offered, BTC/USDT 2024-02-29T15:30:00Z 1 1 1 1 path-miss not-offered"
        )
      ]),
  ]

  @Test(arguments: cases) func records(_ example: StreamCase) throws { try example.check() }
}
