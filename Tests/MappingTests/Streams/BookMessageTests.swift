import Config
import Mapping
import Quotes
import Testing

/// Order books, full and incremental.
@Suite struct BookMessageTests {
  private static let levels = #""bids": "$.b[*]", "asks": "$.a[*]", "price": "$[0]", "size": "$[1]""#
  private static let whole = #""whole": [{"path": "$.t", "equals": "w"}]"#
  private static let orders =
    #""bids": "$.b[*]", "asks": "$.a[*]", "key": "$[0]", "price": "$[1]", "size": "$[2]""#

  private static func message(_ type: String, _ bids: String, _ asks: String, _ more: String = "") -> String {
    #"{"t": "\#(type)", "s": "BTC-USDT", "b": [\#(bids)], "a": [\#(asks)]\#(more)}"#
  }

  /// Returns a message about two pairs.
  private static func both(
    _ type: String, btc bids: String, _ asks: String, eth others: String, _ otherAsks: String
  ) -> String {
    #"{"t": "\#(type)", "d": [{"s": "BTC-USDT", "b": [\#(bids)], "a": [\#(asks)]}, {"s": "ETH-USDT", "b": [\#(others)], "a": [\#(otherAsks)]}]}"#
  }

  static let cases: [StreamCase] = [
    StreamCase(
      "whole each time, in any order, without padding", channel: .orderbook, own: levels,
      [
        (message("", "[1, 1], [2, 3]", "[4, 0], [3, 5]"), "BTC/USDT 2x3 1x1 | 3x5"),
        (message("", "", "[3, 5]"), "BTC/USDT  | 3x5"), (#"{"s": "X", "b": [[1, 1]], "a": []}"#, "-"),
        (message("", "[5, 1]", "[4, 1]"), "unusable BTC/USDT stream-bad (a bid is not below the best ask)"),
        (
          message("", #"["x", 1]"#, ""),
          "unusable BTC/USDT not-a-number (a level of the order book has no price or no size)"
        ),
        (message("", "[1, 1]", "[2, 2]"), "BTC/USDT 1x1 | 2x2"),
      ]),
    StreamCase(
      "each level stands for its price, a size of zero takes it away", channel: .orderbook, own: "\(levels), \(whole)",
      [
        (message("c", "[1, 1]", ""), "-"), (message("w", "[2, 1], [1, 1]", "[3, 1]"), "BTC/USDT 2x1 1x1 | 3x1"),
        (message("c", "[2.0, 5], [1.5, 2]", "[4, 1]"), "BTC/USDT 2.0x5 1.5x2 1x1 | 3x1 4x1"),
        (message("c", "[2, 0], [9, 0]", "[3, 0.0], [-1, 4]"), "BTC/USDT 1.5x2 1x1 | 4x1"),
        (message("c", "", ""), "-"), (#"{"t": "c", "s": "BTC-USDT", "bids": [[9, 1]]}"#, "-"),
        (message("c", "[4, 1]", ""), "gap BTC/USDT (a bid is not below the best ask)"),
        // Starts over.
        (message("c", "[1, 1]", ""), "-"), (message("w", "[1, 1]", "[2, 1]"), "BTC/USDT 1x1 | 2x1"),
        (
          message("c", #"["x", 1]"#, ""),
          "gap BTC/USDT (a level of the order book has no price or no size)"
        ),
        (message("c", "[1, 1]", ""), "-"),
        // A size below zero may be a difference.
        (message("w", "[2, 5]", "[3, 1]"), "BTC/USDT 2x5 | 3x1"),
        (message("c", "[2, -1]", ""), "gap BTC/USDT (a level of the order book has a negative price or size)"),
      ]),
    StreamCase(
      "bids may reach asks for a moment", channel: .orderbook, own: #"\#(levels), \#(whole), "mayCross": true"#,
      [
        (message("w", "[2, 1]", "[3, 1]"), "BTC/USDT 2x1 | 3x1"), (message("c", "[3, 2]", ""), "-"),
        (message("c", "[1, 4]", ""), "-"),
        (message("c", "", "[3, 0], [4, 1]"), "BTC/USDT 3x2 2x1 1x4 | 4x1"),
        (message("w", "[5, 1]", "[4, 1]"), "-"), (message("c", "", "[4, 0], [6, 1]"), "BTC/USDT 5x1 | 6x1"),
      ]),
    StreamCase(
      "a gap of one pair is none of the others", channel: .orderbook, own: #"\#(levels), \#(whole), "rows": "$.d[*]""#,
      [
        (
          both("w", btc: "[1, 1]", "[3, 1]", eth: "[5, 1]", "[6, 1]"),
          "BTC/USDT 1x1 | 3x1, ETH/USDT 5x1 | 6x1"
        ),
        (
          both("c", btc: "[4, 1]", "", eth: "[5, 0], [4, 2]", ""),
          "ETH/USDT 4x2 | 6x1 + gap BTC/USDT (a bid is not below the best ask)"
        ),
        (both("c", btc: "[1, 9]", "", eth: "[4, 3]", ""), "ETH/USDT 4x3 | 6x1"),
        (
          both("c", btc: "", "", eth: "[7, 3]", ""),
          "- + gap ETH/USDT (a bid is not below the best ask)"
        ),
      ]),
    StreamCase(
      "a number that rises", channel: .orderbook, own: #"\#(levels), \#(whole), "sequence": "$.n""#,
      [
        (message("w", "[1, 1]", "", #", "n": 5"#), "BTC/USDT 1x1 |  #5"),
        // In flight before the snapshot.
        (message("c", "[1, 2]", "", #", "n": 5"#), "-"), (message("c", "[1, 2]", "", #", "n": 4"#), "-"),
        (message("c", "[1, 3]", "", #", "n": "9""#), "BTC/USDT 1x3 |  #9"),
        // Again.
        (message("c", "[1, 3]", "", #", "n": 9"#), "-"),
        (message("c", "[1, 4]", ""), "gap BTC/USDT (a change without a number)"),
      ]),
    StreamCase(
      "a text in place of a number, which cannot say what came before", channel: .orderbook,
      own: #"\#(levels), \#(whole), "sequence": "$.n""#,
      [
        (
          message("w", "[1, 1]", "", #", "n": "x7""#),
          "unusable BTC/USDT not-a-number (the sequence 'x7' is not a number)"
        ),
        (message("c", "[1, 2]", "", #", "n": 8"#), "-"),
        (message("w", "[1, 1]", "", #", "n": 7"#), "BTC/USDT 1x1 |  #7"),
        (message("c", "[1, 2]", "", #", "n": "x8""#), "gap BTC/USDT (a change without a number)"),
      ]),
    StreamCase(
      "a text in place of the number of whole books alone", channel: .orderbook, own: #"\#(levels), "sequence": "$.n""#,
      [
        (message("", "[1, 1]", "", #", "n": 7"#), "BTC/USDT 1x1 |  #7"),
        (
          message("", "[1, 2]", "", #", "n": "x8""#),
          "unusable BTC/USDT not-a-number (the sequence 'x8' is not a number)"
        ),
        (message("", "[1, 3]", "", #", "n": null"#), "BTC/USDT 1x3 | "),
        (message("", "[1, 4]", "", #", "n": 9"#), "BTC/USDT 1x4 |  #9"),
      ]),
    StreamCase(
      "a time of its own, which may be old, of the future, unreadable or missing", channel: .orderbook,
      own: #"\#(levels), \#(whole), "time": {"path": "$.at", "unit": "s"}"#,
      [
        (message("w", "[1, 1]", "", #", "at": 1709220599.5"#), "BTC/USDT 1x1 |  @2024-02-29T15:29:59.5Z"),
        // Without a time the last one is not that of the book any more.
        (message("c", "[1, 2]", ""), "BTC/USDT 1x2 | "),
        (message("c", "[1, 3]", "", #", "at": "1709220000""#), "BTC/USDT 1x3 |  @2024-02-29T15:20:00Z !stale"),
        (message("c", "[1, 4]", "", #", "at": 1709220606"#), "BTC/USDT 1x4 |  @2024-02-29T15:30:06Z !stale"),
        (message("c", "[1, 5]", "", #", "at": "soon""#), "BTC/USDT 1x5 |  !time"),
        // Nothing has changed, so neither has the time of the book.
        (message("c", "", "", #", "at": 1709220600"#), "-"),
        (message("c", "[1, 6]", "", #", "at": 1709220600"#), "BTC/USDT 1x6 |  @2024-02-29T15:30:00Z"),
      ]),
    StreamCase(
      "the time of the message", channel: .orderbook,
      own: #"\#(levels), "rows": "$.d", "time": {"from": "response", "path": "$.ts", "unit": "ms"}"#,
      [
        (
          #"{"ts": 1709220600000, "d": {"s": "BTC-USDT", "b": [[1, 1]], "a": [[2, 2]]}}"#,
          "BTC/USDT 1x1 | 2x2 @2024-02-29T15:30:00Z"
        )
      ]),
    StreamCase(
      "numbers that begin anew", channel: .orderbook, own: #"\#(levels), \#(whole), "sequence": "$.n""#,
      [
        (message("w", "[1, 1]", "", #", "n": 5"#), "BTC/USDT 1x1 |  #5"),
        (message("c", "[1, 3]", "", #", "n": 9"#), "BTC/USDT 1x3 |  #9"),
        (message("c", "[1, 4]", "", #", "n": 1"#), "gap BTC/USDT (after 9 came 1)"),
        (message("c", "[1, 5]", "", #", "n": 10"#), "-"),
        (message("w", "[1, 6]", "", #", "n": 2"#), "BTC/USDT 1x6 |  #2"),
        (message("c", "[1, 7]", "", #", "n": 3"#), "BTC/USDT 1x7 |  #3"),
      ]),
    StreamCase(
      "a whole book that comes late, or twice", channel: .orderbook,
      own: #"\#(levels), \#(whole), "sequence": "$.n""#,
      [
        (message("w", "[1, 1]", "", #", "n": 7"#), "BTC/USDT 1x1 |  #7"),
        (message("c", "[1, 2]", "", #", "n": 9"#), "BTC/USDT 1x2 |  #9"),
        (
          message("w", "[1, 1]", "", #", "n": 7"#), "gap BTC/USDT (after 9 came a whole book numbered 7)"
        ),
        (message("c", "[1, 3]", "", #", "n": 10"#), "-"),
        (message("w", "[1, 4]", "", #", "n": 11"#), "BTC/USDT 1x4 |  #11"),
        (message("w", "[1, 4]", "", #", "n": 11"#), "BTC/USDT 1x4 |  #11"),
      ]),
    StreamCase(
      "whole books alone: one that comes late says nothing new", channel: .orderbook,
      own: #"\#(levels), "sequence": "$.n""#,
      [
        (message("", "[1, 1]", "", #", "n": 7"#), "BTC/USDT 1x1 |  #7"),
        (message("", "[1, 3]", "", #", "n": 9"#), "BTC/USDT 1x3 |  #9"),
        (message("", "[1, 2]", "", #", "n": 8"#), "-"),
        (message("", "[1, 4]", "", #", "n": 10"#), "BTC/USDT 1x4 |  #10"),
      ]),
    StreamCase(
      "whole books alone, without numbers: one sent earlier than the last says nothing new", channel: .orderbook,
      own: #"\#(levels), "time": {"path": "$.at", "unit": "s"}"#,
      [
        (message("", "[1, 1]", "[2, 1]", #", "at": 1709220600"#), "BTC/USDT 1x1 | 2x1 @2024-02-29T15:30:00Z"),
        (message("", "[1, 2]", "[2, 1]", #", "at": 1709220596"#), "-"),
        (message("", "[1, 3]", "[2, 1]", #", "at": 1709220600"#), "BTC/USDT 1x3 | 2x1 @2024-02-29T15:30:00Z"),
        // Whether it is late cannot be told of one without a time, nor of one after it.
        (message("", "[1, 4]", "[2, 1]", ""), "BTC/USDT 1x4 | 2x1"),
        (message("", "[1, 5]", "[2, 1]", #", "at": 1709220596"#), "BTC/USDT 1x5 | 2x1 @2024-02-29T15:29:56Z"),
        // After a time of the future every other would be late.
        (message("", "[1, 6]", "[2, 1]", #", "at": 1709220606"#), "BTC/USDT 1x6 | 2x1 @2024-02-29T15:30:06Z !stale"),
        (message("", "[1, 7]", "[2, 1]", #", "at": 1709220600"#), "BTC/USDT 1x7 | 2x1 @2024-02-29T15:30:00Z"),
      ]),
    StreamCase(
      "the one that must have come before", channel: .orderbook,
      own: #"\#(levels), \#(whole), "sequence": "$.n", "previous": {"difference": ["$.n", 1]}"#,
      [
        (message("w", "[1, 1]", "", #", "n": 5"#), "BTC/USDT 1x1 |  #5"),
        // In flight before the snapshot.
        (message("c", "[1, 9]", "", #", "n": 4"#), "-"), (message("c", "[1, 9]", "", #", "n": 5"#), "-"),
        (message("c", "[1, 2]", "", #", "n": 6"#), "BTC/USDT 1x2 |  #6"),
        // Again.
        (message("c", "[1, 2]", "", #", "n": 6"#), "-"),
        (message("c", "[1, 3]", "", #", "n": 8"#), "gap BTC/USDT (after 6 came a change that follows 7)"),
      ]),
    StreamCase(
      "changes before the first whole book, some of which follow it", channel: .orderbook,
      own: #"\#(levels), \#(whole), "sequence": "$.n", "previous": {"difference": ["$.n", 1]}"#,
      [
        (message("c", "[1, 7]", "", #", "n": 6"#), "-"), (message("c", "[1, 8]", "", #", "n": 7"#), "-"),
        (message("c", "[1, 2], [0.5, 1]", "", #", "n": 8"#), "-"),
        (message("w", "[1, 1]", "", #", "n": 7"#), "BTC/USDT 1x2 0.5x1 |  #8"),
        (message("c", "[1, 3]", "", #", "n": 9"#), "BTC/USDT 1x3 0.5x1 |  #9"),
      ]),
    StreamCase(
      "changes before the first whole book, none of which can be known to follow it", channel: .orderbook,
      own: #"\#(levels), \#(whole), "sequence": "$.n", "previous": {"difference": ["$.n", 1]}"#,
      [
        (message("c", "[1, 2]", "", #", "n": 8"#), "-"), (message("c", "[1, 4]", "", #", "n": 10"#), "-"),
        (message("w", "[1, 1]", "", #", "n": 7"#), "BTC/USDT 1x1 |  #7"),
        (message("c", "[1, 2]", "", #", "n": 8"#), "BTC/USDT 1x2 |  #8"),
      ]),
    StreamCase(
      "changes before a whole book later on tell nothing about it", channel: .orderbook,
      own: #"\#(levels), \#(whole), "sequence": "$.n", "previous": {"difference": ["$.n", 1]}"#,
      [
        (message("w", "[1, 1]", "", #", "n": 1"#), "BTC/USDT 1x1 |  #1"),
        (message("c", "[1, 2]", "", #", "n": 3"#), "gap BTC/USDT (after 1 came a change that follows 2)"),
        (message("c", "[1, 2]", "", #", "n": 8"#), "-"),
        (message("w", "[1, 1]", "", #", "n": 7"#), "BTC/USDT 1x1 |  #7"),
      ]),
    StreamCase(
      "numbers begin anew, and nobody says after which one", channel: .orderbook,
      own: #"\#(levels), \#(whole), "sequence": "$.n", "previous": {"difference": ["$.n", 1]}"#,
      [
        (message("w", "[1, 1]", "", #", "n": 5"#), "BTC/USDT 1x1 |  #5"),
        (message("c", "[1, 2]", "", #", "n": 6"#), "BTC/USDT 1x2 |  #6"),
        (message("c", "[1, 3]", "", #", "n": 1"#), "gap BTC/USDT (after 6 came a change that follows 0)"),
      ]),
    StreamCase(
      "numbers begin anew with a whole book sent later, which the next change names", channel: .orderbook,
      own:
        #"\#(levels), \#(whole), "sequence": "$.n", "previous": {"difference": ["$.n", 1]}, "time": {"path": "$.at", "unit": "ms"}"#,
      [
        (message("w", "[1, 1]", "", #", "n": 5, "at": 1709220600100"#), "BTC/USDT 1x1 |  #5 @2024-02-29T15:30:00.1Z"),
        (message("c", "[1, 2]", "", #", "n": 6, "at": 1709220600200"#), "BTC/USDT 1x2 |  #6 @2024-02-29T15:30:00.2Z"),
        (message("w", "[1, 3]", "", #", "n": 1, "at": 1709220600300"#), "BTC/USDT 1x3 |  #1 @2024-02-29T15:30:00.3Z"),
        (message("c", "[1, 4]", "", #", "n": 2, "at": 1709220600400"#), "BTC/USDT 1x4 |  #2 @2024-02-29T15:30:00.4Z"),
        // One that is not later may have come late.
        (
          message("w", "[1, 3]", "", #", "n": 1, "at": 1709220600400"#),
          "gap BTC/USDT (after 2 came a whole book numbered 1)"
        ),
        (message("w", "[1, 5]", "", #", "n": 7, "at": 1709220600500"#), "BTC/USDT 1x5 |  #7 @2024-02-29T15:30:00.5Z"),
        (message("w", "[1, 6]", "", #", "n": 3, "at": 1709220600600"#), "BTC/USDT 1x6 |  #3 @2024-02-29T15:30:00.6Z"),
        (
          message("c", "[1, 7]", "", #", "n": 8, "at": 1709220600700"#),
          "gap BTC/USDT (after 3 came a change that follows 7)"
        ),
      ]),
    StreamCase(
      "numbers begin anew with a whole book, and changes name none before", channel: .orderbook,
      own: #"\#(levels), \#(whole), "sequence": "$.n", "time": {"path": "$.at", "unit": "ms"}"#,
      [
        (message("w", "[1, 1]", "", #", "n": 5, "at": 1709220600100"#), "BTC/USDT 1x1 |  #5 @2024-02-29T15:30:00.1Z"),
        (
          message("w", "[1, 3]", "", #", "n": 1, "at": 1709220600300"#),
          "gap BTC/USDT (after 5 came a whole book numbered 1)"
        ),
      ]),
    StreamCase(
      "numbers begin anew, and the changes go on", channel: .orderbook,
      own: #"\#(levels), \#(whole), "sequence": "$.n", "previous": "$.before""#,
      [
        (message("w", "[1, 1]", "", #", "n": 10, "before": -1"#), "BTC/USDT 1x1 |  #10"),
        (message("c", "[1, 2]", "", #", "n": 15, "before": 10"#), "BTC/USDT 1x2 |  #15"),
        // A heartbeat.
        (message("c", "", "", #", "n": 15, "before": 15"#), "-"),
        (message("c", "[1, 3]", "", #", "n": 3, "before": 15"#), "BTC/USDT 1x3 |  #3"),
        (message("c", "", "", #", "n": 3, "before": 3"#), "-"),
        (message("c", "[1, 4]", "", #", "n": 5, "before": 3"#), "BTC/USDT 1x4 |  #5"),
        (message("c", "[1, 4]", "", #", "n": 5, "before": 3"#), "-"),
        (
          message("c", "[1, 5]", "", #", "n": 15, "before": 10"#),
          "gap BTC/USDT (after 5 came a change that follows 10)"
        ),
      ]),
    StreamCase(
      "what came before a change that was taken is missing once numbers begin anew", channel: .orderbook,
      own: #"\#(levels), \#(whole), "sequence": "$.n", "previous": "$.before""#,
      [
        (message("w", "[1, 1]", "", #", "n": 10"#), "BTC/USDT 1x1 |  #10"),
        (message("c", "[1, 2]", "", #", "n": 15, "before": 10"#), "BTC/USDT 1x2 |  #15"),
        (message("c", "[1, 3]", "", #", "n": 5, "before": 3"#), "gap BTC/USDT (after 15 came a change that follows 3)"),
        (message("w", "[1, 1]", ""), "BTC/USDT 1x1 | "),
        (
          message("c", "[1, 2]", "", #", "n": 15, "before": 10"#),
          "gap BTC/USDT (the book before the change has no number)"
        ),
      ]),
    StreamCase(
      "a member that names the one before", channel: .orderbook,
      own: #"\#(levels), \#(whole), "sequence": "$.n", "previous": "$.before""#,
      [
        (message("w", "[1, 1]", "", #", "n": 5"#), "BTC/USDT 1x1 |  #5"),
        (message("c", "[1, 2]", "", #", "n": 9, "before": 5"#), "BTC/USDT 1x2 |  #9"),
        (message("c", "[1, 2]", "", #", "n": 10"#), "gap BTC/USDT (a change that does not say which one it follows)"),
      ]),
    StreamCase(
      "so many levels are kept", channel: .orderbook, own: #"\#(levels), \#(whole), "count": 2"#,
      [
        (message("w", "[3, 1], [2, 1], [1, 1]", "[4, 1], [5, 1], [6, 1]"), "BTC/USDT 3x1 2x1 | 4x1 5x1"),
        (message("c", "[2.5, 1]", "[4, 0]"), "BTC/USDT 3x1 2.5x1 | 5x1"),
      ]),
    StreamCase(
      "a change is written otherwise", channel: .orderbook,
      own:
        #"\#(levels), "whole": [{"path": "$.b", "is": "array"}], "changes": {"bids": {"rows": "$", "where": [{"path": "$.side", "equals": "buy"}], "price": "$.p"}, "asks": {"rows": "$.x[*]", "where": [{"path": "$.side", "equals": "sell"}]}, "size": "$.q"}"#,
      [
        (message("", "[1, 1]", "[2, 1]"), "BTC/USDT 1x1 | 2x1"),
        (#"{"s": "BTC-USDT", "side": "buy", "p": 1, "q": 7}"#, "BTC/USDT 1x7 | 2x1"),
        (
          #"{"s": "BTC-USDT", "side": "none", "x": [{"0": 1, "side": "sell", "q": 3}]}"#,
          "gap BTC/USDT (a level of the order book has no price or no size)"
        ),
      ]),
    StreamCase(
      "both sides in one list, and a level of neither", channel: .orderbook,
      own:
        #""bids": {"rows": "$.l[*]", "where": [{"path": "$.x", "equals": "b"}]}, "asks": {"rows": "$.l[*]", "where": [{"path": "$.x", "equals": "a"}]}, "price": "$.p", "size": "$.q", \#(whole)"#,
      [
        (
          #"{"t": "w", "s": "BTC-USDT", "l": [{"x": "b", "p": 1, "q": 1}, {"x": "a", "p": 2, "q": 1}]}"#,
          "BTC/USDT 1x1 | 2x1"
        ),
        (
          #"{"t": "c", "s": "BTC-USDT", "l": [{"x": "b", "p": 1, "q": 3}, {"x": "ask", "p": 2, "q": 0}]}"#,
          "gap BTC/USDT (1 of 2 levels are of neither side)"
        ),
        (
          #"{"t": "w", "s": "BTC-USDT", "l": [{"x": "bid", "p": 1, "q": 1}, {"x": "a", "p": 2, "q": 1}]}"#,
          "unusable BTC/USDT no-answer book-side (1 of 2 levels are of neither side)"
        ),
      ]),
    StreamCase(
      "one list with other things in it, told apart by more than one value", channel: .orderbook,
      own:
        #""bids": {"rows": "$.l[*]", "where": [{"path": "$.x", "equals": "b"}, {"path": "$.k", "is": "present"}]}, "asks": {"rows": "$.l[*]", "where": [{"path": "$.x", "equals": "a"}, {"path": "$.k", "is": "present"}]}, "price": "$.p", "size": "$.q""#,
      [
        (
          #"{"s": "BTC-USDT", "l": [{"x": "b", "k": 1, "p": 1, "q": 1}, {"x": "a", "p": 2, "q": 1}]}"#,
          "BTC/USDT 1x1 | "
        )
      ]),
    StreamCase(
      "order by order", channel: .orderbook, own: #"\#(orders), \#(whole)"#,
      [
        (
          message("w", #"[1, 2, 5], [2, 2, 1], [3, 1, 7]"#, #"["x", 3.0, 1], [5, 3, 2]"#), "BTC/USDT 2x6 1x7 | 3.0x3"
        ),
        // Less of one, another price of one, and nothing of one.
        (message("c", "[1, null, 4], [3, 1.5, null]", "[5, null, 0]"), "BTC/USDT 2x5 1.5x7 | 3x1"),
        // An order keeps its side, whichever list names it, until it is removed.
        (message("c", "", "[2, null, 0], [1, 1.75, 1]"), "BTC/USDT 1.75x1 1.5x7 | 3x1"),
        (message("c", "", "[1, null, 0], [1, 4, 2]"), "BTC/USDT 1.5x7 | 3x1 4x2"),
        // An order that the book never had.
        (message("c", "[99, null, 0]", ""), "BTC/USDT 1.5x7 | 3x1 4x2"), (message("c", "", ""), "-"),
        (message("c", "[98, 1, null]", ""), "gap BTC/USDT (an order without a price or a size is not known)"),
        (message("c", "[3, null, 1]", ""), "-"),
        // A whole book begins anew.
        (message("w", "[3, 1, 1]", "[1, 2, 1]"), "BTC/USDT 1x1 | 2x1"),
        (message("c", "[3, null, 2]", ""), "BTC/USDT 1x2 | 2x1"),
        (message("c", #"[3, "x", 2]"#, ""), "gap BTC/USDT (the price or the size of an order is not a number)"),
        (message("w", "[3, 1, 1]", "[null, 2, 1]"), "unusable BTC/USDT path-miss (an order has no key)"),
        (
          message("w", "[3, 1, -1]", ""),
          "unusable BTC/USDT not-a-number (a level of the order book has a negative price or size)"
        ),
      ]),
    StreamCase(
      "order by order: what comes again changes nothing", channel: .orderbook,
      own: #"\#(orders), \#(whole), "sequence": "$.n""#,
      [
        (message("w", "[1, 1, 1]", "", #", "n": 5"#), "BTC/USDT 1x1 |  #5"),
        (message("c", "[1, null, 0], [2, 1, 3]", "", #", "n": 5"#), "-"),
        (message("c", "[1, null, 2]", "", #", "n": 6"#), "BTC/USDT 1x2 |  #6"),
        (message("c", "[1, null, 2], [2, 1, 3]", "", #", "n": 6"#), "-"),
        (message("c", "[2, 1, 3]", "", #", "n": 7"#), "BTC/USDT 1x5 |  #7"),
      ]),
    StreamCase(
      "contracts of a thousand", channel: .orderbook, own: "\(levels), \(whole)",
      tickers: #""multiplier": {"1000": 1000}, "fields": {"price": "$.p"}"#,
      table: #"[{"s": "1000PEPE-USDT", "p": "0.02"}]"#,
      [
        (
          #"{"t": "w", "s": "1000PEPE-USDT", "b": [["0.01", 5]], "a": [["0.02", 2]]}"#,
          "PEPE/USDT 0.00001x5000 | 0.00002x2000"
        ),
        (#"{"t": "c", "s": "1000PEPE-USDT", "b": [["0.01", 0]], "a": []}"#, "PEPE/USDT  | 0.00002x2000"),
      ]),
    StreamCase(
      "sizes in contracts", channel: .orderbook,
      own: #"\#(levels), "size": {"product": ["$[1]", {"from": "sizes", "path": "$.size"}]}"#
        .replacing(#""size": "$[1]", "#, with: ""),
      streams: #""symbol": "$.s", "lookups": {"sizes": {"match": "{symbol}"}}"#,
      tickers:
        #""lookups": {"sizes": {"request": {"path": "/sizes"}, "rows": "$[*]", "key": "$.id", "match": "$.s"}}, "fields": {"price": "$.p"}"#,
      lookups: ["sizes": #"[{"id": "BTC-USDT", "size": "0.01"}]"#],
      [
        (message("", "[1, 300]", ""), "BTC/USDT 1x3.00 | "),
        (
          #"{"s": "ETH-USDT", "b": [[1, 300]], "a": []}"#,
          "unusable ETH/USDT lookup-miss (the unit of the sizes is unknown)"
        ),
      ]),
    StreamCase(
      "several books in one message", channel: .orderbook, own: #"\#(levels), \#(whole), "rows": "$.d[*]""#,
      [
        (
          #"{"t": "w", "d": [{"s": "BTC-USDT", "b": [[1, 1]], "a": []}, {"s": "ETH-USDT", "b": [[2, 2]], "a": []}]}"#,
          "BTC/USDT 1x1 | , ETH/USDT 2x2 | "
        ),
        (#"{"t": "c", "d": [{"s": "ETH-USDT", "b": [[2, 3]], "a": []}]}"#, "ETH/USDT 2x3 | "),
      ]),
    StreamCase(
      "a whole book has two sides, a change may lack one", channel: .orderbook, own: "\(levels), \(whole)",
      [
        (
          #"{"t": "w", "s": "BTC-USDT", "b": [[1, 1]]}"#,
          "unusable BTC/USDT path-miss (the path of the rows leads to nothing)"
        ), (message("w", "[1, 1]", "[2, 2]"), "BTC/USDT 1x1 | 2x2"),
        (#"{"t": "c", "s": "BTC-USDT", "b": [[1, 3]]}"#, "BTC/USDT 1x3 | 2x2"),
        (
          #"{"t": "w", "s": "BTC-USDT", "a": [[2, 2]]}"#,
          "unusable BTC/USDT path-miss (the path of the rows leads to nothing)"
        ),
        // The book from before the invalid one is no longer valid.
        (#"{"t": "c", "s": "BTC-USDT", "b": [[1, 4]]}"#, "-"),
      ]),
    StreamCase(
      "one book of two is unusable", channel: .orderbook, own: #"\#(levels), "rows": "$.d[*]""#,
      [
        (
          #"{"d": [{"s": "BTC-USDT", "b": [[1, 1]], "a": [[2, 2]]}, {"s": "ETH-USDT", "b": [[3, 3]]}]}"#,
          "BTC/USDT 1x1 | 2x2, unusable ETH/USDT path-miss (the path of the rows leads to nothing)"
        )
      ]),
  ]

  @Test(arguments: cases) func books(_ example: StreamCase) throws { try example.check() }

  /// Numbers that restart right after the snapshot look like changes from before it: this is believed for a while.
  @Test(arguments: [#""sequence": "$.n""#, #""sequence": "$.n", "previous": {"difference": ["$.n", 1]}"#])
  func changesNumberedBeforeSnapshot(_ order: String) throws {
    let stream = try StreamCase("anew", channel: .orderbook, own: "\(Self.levels), \(Self.whole), \(order)", [])
      .stream()
    /// Returns the first non-heartbeat of `count` changes numbered from `number` and `milliseconds` apart.
    func first(of count: Int, every milliseconds: Int, from number: Int = 1) -> String {
      var reader = stream.reader()
      _ = reader.read(Array(Self.message("w", "[1, 1]", "[2, 1]", #", "n": 1000"#).utf8), arrival: stream.arrival)
      for place in 0..<count {
        let message = Self.message("c", "[1, 2]", "", #", "n": \#(number + place)"#)
        let arrival = stream.arrival.advanced(by: .milliseconds((place + 1) * milliseconds))
        let line = reader.read(Array(message.utf8), arrival: arrival).map(stream.line).joined()
        if line != "-" { return "\(place + 1): \(line)" }
      }
      return "none"
    }
    func gap(_ number: Int) -> String {
      "\(number): gap BTC/USDT (changes numbered below the whole book's 1000 keep coming: \(number))"
    }
    #expect(first(of: 300, every: 10) == gap(101))
    #expect(first(of: 300, every: 1000) == gap(11))
    #expect(first(of: 300, every: 60_000) == gap(1))
    #expect(first(of: 100, every: 100) == "none")
    // Those that do reach it.
    #expect(first(of: 300, every: 10, from: 950) == "52: BTC/USDT 1x2 | 2x1 #1001")
    // The snapshot's number repeated is a heartbeat.
    #expect(first(of: 1, every: 600_000, from: 1000) == "none")
  }

  /// A book that may be crossed may be so for less than ten seconds, whether changes or whole books keep it so.
  @Test(arguments: [
    ("c", "gap BTC/USDT (a bid is not below the best ask)"),
    ("w", "unusable BTC/USDT stream-bad (a bid is not below the best ask)"),
  ])
  func crossedBooksAreAwaited(_ kind: String, _ fault: String) throws {
    let own = #"\#(Self.levels), \#(Self.whole), "mayCross": true"#
    let stream = try StreamCase("crosses", channel: .orderbook, own: own, []).stream()
    var reader = stream.reader()
    let lines = [
      (0, Self.message("w", "[1, 1]", "[2, 1]")), (1, Self.message(kind, "[3, 1]", "[2, 1]")),
      (10, Self.message(kind, "[3, 2]", "[2, 1]")), (11, Self.message(kind, "[3, 3]", "[2, 1]")),
    ].map { seconds, message in
      let arrival = stream.arrival.advanced(by: .seconds(seconds))
      return reader.read(Array(message.utf8), arrival: arrival).map(stream.line).joined()
    }
    #expect(lines == ["BTC/USDT 1x1 | 2x1", "-", "-", fault])
  }

  /// The order book of an exchange that never removes a level ends where it becomes impossible.
  @Test func bookSizeIsBounded() throws {
    let stream = try StreamCase("grows", channel: .orderbook, own: "\(Self.levels), \(Self.whole)", []).stream()
    var reader = stream.reader()
    _ = reader.read(Array(Self.message("w", "", "[1, 1]").utf8), arrival: stream.arrival)
    let levels = (2...30_001).map { "[\($0), 1]" }.joined(separator: ",")
    let readings = Array(reader.read(Array(Self.message("c", "", levels).utf8), arrival: stream.arrival))
    #expect(readings.map(stream.line) == ["gap BTC/USDT (more than 30000 levels on one side)"])
  }
}
