import Config
import Mapping
import Quotes
import Testing

/// The readings of a connection's messages, by scan and by tree.
@Suite struct StreamReaderTests {
  static let pong =
    #""symbol": "$.s", "pong": {"when": [{"path": "$.op", "in": ["ping", null]}], "set": {"n": "$.ping"}, "send": {"pong": "{n}"}}"#
  static let success =
    #""symbol": "$.s", "success": {"where": [{"path": "$.ok", "notIn": [false]}], "code": "$.code", "message": ["$.msg"]}"#

  /// Kinds of messages.
  static let kinds: [StreamCase] = [
    StreamCase(
      "a row of the channel, and nothing else",
      [
        (#"{"s": "BTC-USDT", "p": "65001", "v": "13"}"#, "BTC/USDT 65001 13"),
        (#"{"s": "btc-usdt", "p": "65002", "v": "13"}"#, "BTC/USDT 65002 13"),
        (#"{"s": "DOGE-USDT", "p": "0.1", "v": "13"}"#, "-"), (#"{"event": "subscribed"}"#, "-"), ("[]", "-"),
        ("5", "-"),
        ("null", "-"), (#""BTC-USDT""#, "-"), ("{}", "-"),
      ]),
    StreamCase(
      "conditions come before rows", own: #""when": [{"path": "$.type", "equals": "ticker"}], "rows": "$.data[*]""#,
      [
        (#"{"type": "ticker", "data": [{"s": "BTC-USDT", "p": 1, "v": 2}]}"#, "BTC/USDT 1 2"),
        (#"{"type": "trade", "data": [{"s": "BTC-USDT", "p": 3, "v": 4}]}"#, "-"),
        // The members of an object would be rows too.
        (#"{"type": "ack", "data": {"a": {"s": "BTC-USDT", "p": 5, "v": 6}}}"#, "-"),
        (#"{"type": "ticker", "data": []}"#, "-"),
        (#"{"type": "ticker"}"#, "rowless (the path of the rows leads to nothing)"),
        (#"{"type": "ticker", "data": 1}"#, "rowless (the path of the rows leads to a number)"),
      ]),
    StreamCase(
      "a ping is looked at first, and needs every value", own: "", streams: pong,
      [
        (#"{"ping": 1492420473027}"#, "ping n=1492420473027"), (#"{"op": "ping", "ping": "a7"}"#, #"ping n="a7""#),
        (#"{"op": "pong", "ping": 1}"#, "-"), (#"{"op": "ping"}"#, "-"),
        (#"{"op": "ping", "ping": 1e3, "s": "BTC-USDT", "p": 1, "v": 2}"#, "ping n=1e3"),
      ]),
    StreamCase(
      "an error is a message of no channel that the rule refuses", own: #""when": [{"path": "$.p", "is": "present"}]"#,
      streams: success,
      [
        (#"{"ok": false, "code": 400, "msg": "no such pair"}"#, "refused venue-error 400 (no such pair)"),
        (#"{"ok": true}"#, "-"), (#"{"s": "BTC-USDT", "p": 1, "v": 2, "ok": false}"#, "BTC/USDT 1 2"),
        (
          #"{"ok": false}"#,
          "refused venue-error (the response does not meet the success conditions; $.ok: expected none of "
            + "'false', found 'false')"
        ),
      ]),
    StreamCase(
      "what is no JSON is the text of itself",
      streams:
        #""symbol": "$.s", "pong": {"set": {"n": {"path": "$", "capture": "primus::ping::(?<value>[0-9]+)"}}, "send": "pong {n}"}"#,
      [
        ("primus::ping::17", #"ping n="17""#), (#""primus::ping::18""#, #"ping n="18""#), ("primus::pong::17", "-"),
        ("", "-"), ("Ping", "-"), ("\u{0}", "-"), ("\u{FEFF}", "-"),
        ("\u{FEFF}{\"s\": \"BTC-USDT\"", "refused not-json (a message is not valid JSON)"),
        ("{\"s\": \"BTC-USDT\"", "refused not-json (a message is not valid JSON)"),
        (" [1", "refused not-json (a message is not valid JSON)"),
      ]),
    StreamCase(
      "several texts, one a line",
      streams:
        #""symbol": "$.s", "pong": {"set": {"n": {"path": "$", "capture": "ping(?<value>[0-9]*)"}}, "send": "pong"}"#,
      [
        (
          "{\"s\": \"BTC-USDT\", \"p\": 1, \"v\": 2}\n{\"s\": \"ETH-USDT\", \"p\": 3, \"v\": 4}",
          "BTC/USDT 1 2 + ETH/USDT 3 4"
        ),
        ("{}\r\n\r\nping1\n", "- + ping n=\"1\""),
        // One JSON text spread over several lines.
        ("{\"s\":\n\"BTC-USDT\",\n\"p\": 5, \"v\": 6}\n", "BTC/USDT 5 6"),
      ]),
  ]

  /// The pairs of rows.
  static let symbols: [StreamCase] = [
    StreamCase(
      "in the message, beside the rows", own: #""rows": "$.data", "when": [{"path": "$.ch", "suffix": ".ticker"}]"#,
      streams: #""symbol": {"from": "response", "path": "$.ch", "capture": "market[.](?<value>[^.]+)[.].+"}"#,
      [
        (#"{"ch": "market.BTC-USDT.ticker", "data": {"p": 1, "v": 2}}"#, "BTC/USDT 1 2"),
        (#"{"ch": "market.eth-usdt.ticker", "data": {"p": 1, "v": 2}}"#, "ETH/USDT 1 2"),
        (#"{"ch": "BTC-USDT.ticker", "data": {"p": 1, "v": 2}}"#, "-"),
      ]),
    StreamCase(
      "the name of a member", own: #""rows": "$.mids.*", "fields": {"price": "$", "volume24": null}"#,
      streams: #""symbol": {"from": "key"}"#,
      [
        (
          #"{"mids": {"BTC-USDT": "1", "ETH-USDT": "2", "X": "3", "ETH\u002dUSDT": "4"}}"#,
          "BTC/USDT 1 12.5, ETH/USDT 4 7"
        )
      ]),
    StreamCase(
      "a rule, where the stream spells it otherwise",
      streams: #""symbol": {"path": "$.s", "split": "/"}, "aliases": {"XBT": "BTC"}"#,
      [
        (#"{"s": "XBT/USDT", "p": 1, "v": 2}"#, "BTC/USDT 1 2"), (#"{"s": "BTC-USDT", "p": 1, "v": 2}"#, "-"),
        (#"{"s": "DOGE/USDT", "p": 1, "v": 2}"#, "-"),
      ]),
    StreamCase(
      "the rule of the table", streams: #""max": 10"#,
      [(#"{"s": "BTC-USDT", "p": 1, "v": 2}"#, "BTC/USDT 1 2"), (#"{"s": "BTCUSDT", "p": 1, "v": 2}"#, "-")]),
    StreamCase(
      "two that differ by their case alone",
      tickers:
        #""symbol": {"path": "$.s", "match": "(?<asset>[A-Za-z]+)-(?<payment>.+)"}, "aliases": {"kPEPE": "PEPE"}, \#(StreamCase.fields)"#,
      table: #"[{"s": "KPEPE-USDT", "p": 1, "v": 1}, {"s": "kPEPE-USDT", "p": 2, "v": 2}]"#,
      [
        (#"{"s": "KPEPE-USDT", "p": 3, "v": 3}"#, "KPEPE/USDT 3 3"),
        (#"{"s": "kPEPE-USDT", "p": 4, "v": 4}"#, "PEPE/USDT 4 4"),
      ]),
    StreamCase(
      "a number that an earlier message explains",
      own: #""when": [{"path": "$[1]", "is": "array"}], "rows": "$[1]", "fields": {"price": "$[0]", "volume24": null}"#,
      streams:
        #""symbol": {"from": "channels", "path": "$.symbol"}, "lookups": {"channels": {"when": [{"path": "$.event", "equals": "subscribed"}], "rows": "$", "key": "$.chanId", "match": {"from": "response", "path": "$[0]"}}}"#,
      [
        (#"[17, ["1"]]"#, "-"), (#"{"event": "subscribed", "chanId": 17, "symbol": "BTC-USDT"}"#, "-"),
        (#"[17, ["2"]]"#, "BTC/USDT 2 12.5"), (#"[18, ["3"]]"#, "-"),
        (#"{"event": "subscribed", "chanId": 18, "symbol": "ETH-USDT"}"#, "-"), (#"[18, ["3"]]"#, "ETH/USDT 3 7"),
        (#"[17, "hb"]"#, "-"), (#"[17, ["4"]]"#, "BTC/USDT 4 12.5"),
        // Of two with the same number, the later counts.
        (#"{"event": "subscribed", "chanId": 17, "symbol": "ETH-USDT"}"#, "-"), (#"[17, ["5"]]"#, "ETH/USDT 5 7"),
        (#"{"event": "subscribed"}"#, "-"),
      ]),
  ]

  /// The cells of rows.
  static let cells: [StreamCase] = [
    StreamCase(
      "what is not said keeps the table's value", own: #""fields": {"volume24": null}"#,
      [(#"{"s": "BTC-USDT", "p": "1", "v": "99"}"#, "BTC/USDT 1 12.5")]),
    StreamCase(
      "a path that leads to nothing leaves its cell, any other reason is shown",
      [
        (#"{"s": "BTC-USDT", "p": "1"}"#, "BTC/USDT 1 12.5"),
        (#"{"s": "BTC-USDT", "v": null}"#, "BTC/USDT 1 json-null"),
        (#"{"s": "BTC-USDT", "p": "-", "v": "x"}"#, "BTC/USDT not-a-number not-a-number"),
        (#"{"s": "BTC-USDT", "p": "0", "v": "3"}"#, "BTC/USDT zero 3"),
        (#"{"s": "BTC-USDT", "p": {}, "v": "3"}"#, "BTC/USDT not-a-number 3"),
      ]),
    StreamCase(
      "of bid and ask, the one that a message lacks beside the other is gone",
      own: #""fields": {"volume24": null, "bid": "$.b[0]", "ask": "$.a[0]"}"#,
      [
        (#"{"s": "BTC-USDT", "p": "5", "b": ["4"], "a": ["6"]}"#, "BTC/USDT 5 12.5 4 6"),
        (#"{"s": "BTC-USDT", "p": "7"}"#, "BTC/USDT 7 12.5 4 6"),
        (#"{"s": "BTC-USDT", "p": "8", "b": ["7"], "a": []}"#, "BTC/USDT 8 12.5 7 path-miss"),
        (#"{"s": "BTC-USDT", "p": "8", "b": null, "a": ["9"]}"#, "BTC/USDT 8 12.5 path-miss 9"),
      ]),
    StreamCase(
      "offers with neither side leave none", channel: .offers,
      own: #""fields": {"bid": "$.q[0].p", "ask": "$.q[1].p"}"#,
      [
        (#"{"s": "BTC-USDT", "q": [{"p": "4"}, {"p": "6"}]}"#, "BTC/USDT 65000.50 12.5 4 6"),
        (#"{"s": "BTC-USDT", "q": [{"p": "5"}, null]}"#, "BTC/USDT 65000.50 12.5 5 path-miss"),
        (#"{"s": "BTC-USDT", "q": [null, null]}"#, "BTC/USDT 65000.50 12.5 path-miss path-miss"),
      ]),
    StreamCase(
      "of several rows of one pair the latest counts, without times the last", own: #""rows": "$[*]""#,
      [
        (
          #"[{"s": "BTC-USDT", "p": "1"}, {"s": "ETH-USDT", "p": "9"}, {"s": "BTC-USDT", "p": "2"}]"#,
          "ETH/USDT 9 7, BTC/USDT 2 12.5"
        )
      ]),
    StreamCase(
      "an older message says nothing new",
      own: #""rows": "$[*]", "fields": {"volume24": null, "time": {"path": "$.t", "unit": "ms"}}"#,
      [
        (
          #"[{"s": "BTC-USDT", "p": "2", "t": 1709220599002}, {"s": "BTC-USDT", "p": "1", "t": 1709220599001}]"#,
          "BTC/USDT 2 12.5 2024-02-29T15:29:59.002Z"
        ),
        (#"[{"s": "BTC-USDT", "p": "3", "t": 1709220599001}]"#, "-"),
        (#"[{"s": "ETH-USDT", "p": "3", "t": 1709220599001}]"#, "ETH/USDT 3 7 2024-02-29T15:29:59.001Z"),
        (#"[{"s": "BTC-USDT", "p": "4", "t": 1709220599002}]"#, "BTC/USDT 4 12.5 2024-02-29T15:29:59.002Z"),
        // Without a time, only a row's order is known. An earlier time is not that of the new price.
        (#"[{"s": "BTC-USDT", "p": "5"}]"#, "BTC/USDT 5 12.5 path-miss"),
      ]),
    StreamCase(
      "of rows with one time the one with the highest number counts",
      own:
        #""rows": "$[*]", "sequence": "$.n", "fields": {"volume24": null, "time": {"path": "$.t", "unit": "s"}}"#,
      [
        (
          #"[{"s": "BTC-USDT", "p": "3", "t": 1709220599, "n": 10}, {"s": "BTC-USDT", "p": "2", "t": 1709220599, "n": 9}]"#,
          "BTC/USDT 3 12.5 2024-02-29T15:29:59Z"
        ),
        (#"[{"s": "BTC-USDT", "p": "1", "t": 1709220599, "n": 8}]"#, "-"),
        (#"[{"s": "ETH-USDT", "p": "3", "t": 1709220599, "n": 8}]"#, "ETH/USDT 3 7 2024-02-29T15:29:59Z"),
        // The same number, a higher one written as a text, and a row without one.
        (#"[{"s": "BTC-USDT", "p": "4", "t": 1709220599, "n": 10}]"#, "BTC/USDT 4 12.5 2024-02-29T15:29:59Z"),
        (#"[{"s": "BTC-USDT", "p": "5", "t": 1709220599, "n": "11"}]"#, "BTC/USDT 5 12.5 2024-02-29T15:29:59Z"),
        (#"[{"s": "BTC-USDT", "p": "6", "t": 1709220599}]"#, "BTC/USDT 6 12.5 2024-02-29T15:29:59Z"),
        (
          #"[{"s": "BTC-USDT", "p": "8", "t": 1709220599, "n": "x12"}]"#,
          "unusable BTC/USDT not-a-number (the sequence 'x12' is not a number)"
        ),
        // A later time counts whatever the number.
        (#"[{"s": "BTC-USDT", "p": "7", "t": 1709220600, "n": 1}]"#, "BTC/USDT 7 12.5 2024-02-29T15:30:00Z"),
      ]),
    StreamCase(
      "a message without a price has no time of it",
      own: #""rows": "$[*]", "fields": {"time": {"path": "$.t", "unit": "ms"}}"#,
      [
        (#"[{"s": "BTC-USDT", "p": "2", "v": "8", "t": 1709220599000}]"#, "BTC/USDT 2 8 2024-02-29T15:29:59Z"),
        (#"[{"s": "BTC-USDT", "last": "3", "v": "9", "t": 1709220600000}]"#, "BTC/USDT 2 9 2024-02-29T15:29:59Z"),
        (#"[{"s": "BTC-USDT", "p": "3", "v": "9", "t": 1709220600000}]"#, "BTC/USDT 3 9 2024-02-29T15:30:00Z"),
      ]),
    StreamCase(
      "offers are laid into the row", channel: .offers, own: #""fields": {"bid": "$.b", "ask": "$.a"}"#,
      [
        (#"{"s": "BTC-USDT", "b": "65000", "a": "65001"}"#, "BTC/USDT 65000.50 12.5 65000 65001"),
        (#"{"s": "BTC-USDT", "b": "65000.2"}"#, "BTC/USDT 65000.50 12.5 65000.2 path-miss"),
      ]),
    StreamCase(
      "the pair's own spelling in a lookup, and a lookup that failed",
      own: #""fields": {"volume24": {"product": ["$.v", {"from": "sizes", "path": "$.size"}]}}"#,
      streams: #""symbol": "$.s", "lookups": {"sizes": {"match": "{symbol}"}}"#,
      tickers:
        #""lookups": {"sizes": {"request": {"path": "/sizes"}, "rows": "$[*]", "key": "$.id", "match": "$.s"}}, "fields": {"price": "$.p", "volume24": "$.v"}"#,
      lookups: ["sizes": #"[{"id": "BTC-USDT", "size": "0.01"}]"#],
      [
        (#"{"s": "btc-usdt", "p": 1, "v": 300}"#, "BTC/USDT 1 3"),
        (#"{"s": "ETH-USDT", "p": 1, "v": 300}"#, "ETH/USDT 1 lookup-miss"),
      ]),
    StreamCase(
      "a contract of a thousand",
      own: #""fields": {"changePricePercent24": {"fromOpen": "$.o", "basis": "rolling24h"}}"#,
      tickers: #""multiplier": {"1000": 1000}, "fields": {"price": "$.p", "volume24": "$.v", "open": "$.o"}"#,
      table: #"[{"s": "1000PEPE-USDT", "p": "0.02", "v": "5", "o": "0.01"}]"#,
      [
        (#"{"s": "1000PEPE-USDT", "p": "0.03", "v": "6", "o": "0.02"}"#, "PEPE/USDT 0.00003 +50.00 6000 0.00002"),
        (#"{"s": "1000PEPE-USDT", "o": "0.03"}"#, "PEPE/USDT 0.00003 +50.00 6000 0.00003"),
      ]),
    StreamCase(
      "a change from the price and an open in units of a thousand",
      own:
        #""fields": {"volume24": null, "open": null, "changePricePercent24": {"fromOpen": "$.o", "basis": "rolling24h"}}"#,
      tickers: #""multiplier": {"1000": 1000}, "fields": {"price": "$.p", "volume24": "$.v", "open": "$.o"}"#,
      table: #"[{"s": "1000PEPE-USDT", "p": "0.03", "v": "5", "o": "0.01"}]"#,
      [(#"{"s": "1000PEPE-USDT", "p": "0.03", "o": "0.02"}"#, "PEPE/USDT 0.00003 +50.00 5000 0.00001")]),
    StreamCase(
      "of a member that is repeated the last counts, and is doubted",
      [
        (#"{"s": "BTC-USDT", "p": "102", "v": "3", "p": "99"}"#, "BTC/USDT 99 3 !malformed"),
        (#"{"s": "BTC-USDT", "p": "102", "v": "3"}"#, "BTC/USDT 102 3"),
      ]),
    StreamCase(
      "two symbols of one pair stay two, whatever their messages say",
      tickers: #""aliases": {"XBT": "BTC"}, \#(StreamCase.fields)"#,
      table: #"[{"s": "BTC-USDT", "p": "100", "v": "1"}, {"s": "XBT-USDT", "p": "90", "v": "1"}]"#,
      [
        (#"{"s": "BTC-USDT", "p": "101"}"#, "BTC/USDT 101 1 !duplicate"),
        (#"{"s": "XBT-USDT", "p": "91"}"#, "BTC/USDT 91 1 !duplicate"),
      ]),
    StreamCase(
      "figures that only the table has prove nothing about a price of the stream", own: #""fields": \#(onlyPrice)"#,
      tickers: wide, table: #"[{"s": "BTC-USDT", "p": 101, "o": 100, "h": 102, "l": 99, "b": 101, "a": 102, "c": 1}]"#,
      [
        (#"{"s": "BTC-USDT", "p": 105}"#, "BTC/USDT 105 +5.00 100 102 99 stale stale"),
        (#"{"s": "BTC-USDT", "p": 60}"#, "BTC/USDT 60 -40.00 100 102 99 stale stale"),
      ]),
    StreamCase(
      "a change from the table's open moves with the price, also if it was sent rounded",
      own: #""fields": \#(onlyPrice)"#,
      tickers: wide, table: #"[{"s": "BTC-USDT", "p": 103, "o": 101, "h": 104, "l": 99, "c": 1.98}]"#,
      [
        (#"{"s": "BTC-USDT", "p": 102}"#, "BTC/USDT 102 +0.99 101 104 99 path-miss path-miss"),
        (#"{"s": "BTC-USDT", "p": null}"#, "BTC/USDT json-null +0.99 101 104 99 path-miss path-miss"),
      ]),
    StreamCase(
      "what the table's own figures show stays", own: #""fields": \#(onlyPrice)"#,
      tickers: wide, table: #"[{"s": "BTC-USDT", "p": 101, "o": 100, "h": 102, "l": 99, "b": 101, "a": 102, "c": 50}]"#,
      [(#"{"s": "BTC-USDT", "p": 102}"#, "BTC/USDT 102 +50.00 100 102 99 stale stale !change")]),
    StreamCase(
      "offers that are left out beside a new price do not speak against it", own: #""fields": \#(onlyPrice)"#,
      tickers: wide, table: #"[{"s": "BTC-USDT", "p": 101, "o": 100, "h": 102, "l": 99, "b": 103, "a": 102, "c": 1}]"#,
      [(#"{"s": "BTC-USDT", "p": 102}"#, "BTC/USDT 102 +2.00 100 102 99 stale stale")]),
    StreamCase(
      "what it shows about figures that messages have is theirs to judge",
      tickers: #""fields": {"price": "$.p", "high": "$.h", "low": "$.l"}"#,
      table: #"[{"s": "BTC-USDT", "p": 101, "h": 100, "l": 99}]"#,
      [
        (#"{"s": "BTC-USDT", "p": 101, "h": 102, "l": 99}"#, "BTC/USDT 101 102 99"),
        (#"{"s": "BTC-USDT", "p": 103}"#, "BTC/USDT 103 102 99 !range"),
        (#"{"s": "BTC-USDT", "h": 103}"#, "BTC/USDT 103 103 99"),
      ]),
    StreamCase(
      "nothing traded and no offers in the table", own: #""fields": {"bid": null, "ask": null}"#,
      tickers: #""fields": {"price": "$.p", "volume24": "$.v", "bid": "$.b", "ask": "$.a"}"#,
      table: #"[{"s": "BTC-USDT", "p": 5, "v": 0, "b": 0, "a": 0}]"#,
      [
        (#"{"s": "BTC-USDT", "p": 5, "v": 0}"#, "BTC/USDT 5 0 zero zero !dead"),
        (#"{"s": "BTC-USDT", "p": 5, "v": 1}"#, "BTC/USDT 5 1 zero zero"),
      ]),
    StreamCase(
      "checks of meaning", own: #""fields": {"bid": "$.b", "ask": "$.a"}"#,
      [
        (#"{"s": "BTC-USDT", "p": 1, "b": 2, "a": 1}"#, "BTC/USDT 1 12.5 2 1 !bid-ask"),
        (#"{"s": "BTC-USDT", "p": 1, "b": 1, "a": 1}"#, "BTC/USDT 1 12.5 1 1"),
      ]),
  ]

  /// A table with every figure, and a stream that has the price alone.
  private static let wide = #"""
    "fields": {"price": "$.p", "changePricePercent24": {"path": "$.c", "basis": "rolling24h"}, "open": "$.o",
               "high": "$.h", "low": "$.l", "bid": "$.b", "ask": "$.a"}
    """#
  private static let onlyPrice =
    #"{"changePricePercent24": null, "open": null, "high": null, "low": null, "bid": null, "ask": null}"#

  /// Messages that contain only changes.
  static let changes: [StreamCase] = [
    StreamCase(
      "members are merged, arrays replaced", own: whole + #", "rows": "$.d", "fields": {"volume24": "$.v[1]"}"#,
      [
        (#"{"t": "delta", "d": {"s": "BTC-USDT", "p": "1"}}"#, "-"),
        (#"{"t": "snapshot", "d": {"s": "BTC-USDT", "p": "1", "v": [1, 2]}}"#, "BTC/USDT 1 2"),
        (#"{"t": "delta", "d": {"s": "BTC-USDT", "p": "3"}}"#, "BTC/USDT 3 2"),
        (#"{"t": "delta", "d": {"s": "BTC-USDT", "v": [5]}}"#, "BTC/USDT 3 2"),
        (#"{"t": "delta", "d": {"s": "BTC-USDT", "v": [5, 6], "p": null}}"#, "BTC/USDT json-null 6"),
        (#"{"t": "delta", "d": {"s": "ETH-USDT", "p": "9"}}"#, "-"),
        (#"{"t": "snapshot", "d": {"s": "BTC-USDT", "p": "7"}}"#, "BTC/USDT 7 6"),
        (#"{"t": "delta", "d": {"s": "X-USDT", "p": "9"}}"#, "-"), (#"{"t": "delta", "d": 5}"#, "-"),
        (#"{"t": "delta", "d": {"s": "BTC-USDT", "p": "8", "p": "9"}}"#, "BTC/USDT 9 6 !malformed"),
        (#"{"t": "delta", "d": {"s": "BTC-USDT", "p": "10"}}"#, "BTC/USDT 10 6"),
      ]),
    StreamCase(
      "members in members, and several rows",
      own: whole + #", "rows": "$.d[*]", "fields": {"price": "$.x.p", "volume24": "$.x.v"}"#,
      [
        (
          #"{"t": "snapshot", "d": [{"s": "BTC-USDT", "x": {"p": 1, "v": 2}}, {"s": "ETH-USDT", "x": {"p": 3, "v": 4}}]}"#,
          "BTC/USDT 1 2, ETH/USDT 3 4"
        ),
        (
          #"{"t": "delta", "d": [{"s": "ETH-USDT", "x": {"p": 5}}, {"s": "Y", "x": {}}, {"s": "BTC-USDT", "x": {"v": 6}}]}"#,
          "ETH/USDT 5 4, BTC/USDT 1 6"
        ),
      ]),
    StreamCase(
      "a change older than the row is not part of it",
      own: whole + #", "rows": "$.d", "fields": {"time": {"path": "$.at", "unit": "ms"}}"#,
      [
        (
          #"{"t": "snapshot", "d": {"s": "BTC-USDT", "p": "1", "v": "2", "at": 1709220599000}}"#,
          "BTC/USDT 1 2 2024-02-29T15:29:59Z"
        ),
        (
          #"{"t": "delta", "d": {"s": "BTC-USDT", "v": "3", "at": 1709220599200}}"#,
          "BTC/USDT 1 3 2024-02-29T15:29:59.2Z"
        ),
        (#"{"t": "delta", "d": {"s": "BTC-USDT", "p": "9", "v": "9", "at": 1709220599100}}"#, "-"),
        (
          #"{"t": "delta", "d": {"s": "BTC-USDT", "at": 1709220599300}}"#, "BTC/USDT 1 3 2024-02-29T15:29:59.3Z"
        ),
      ]),
    StreamCase(
      "a complete row that comes late is not what changes apply to",
      own: whole + #", "rows": "$.d[*]", "fields": {"time": {"path": "$.at", "unit": "ms"}}"#,
      [
        (
          #"{"t": "snapshot", "d": [{"s": "BTC-USDT", "p": "1", "v": "14", "at": 1709220599002}]}"#,
          "BTC/USDT 1 14 2024-02-29T15:29:59.002Z"
        ),
        (#"{"t": "snapshot", "d": [{"s": "BTC-USDT", "p": "2", "v": "10", "at": 1709220599001}]}"#, "-"),
        (
          #"{"t": "delta", "d": [{"s": "BTC-USDT", "p": "3", "at": 1709220599003}]}"#,
          "BTC/USDT 3 14 2024-02-29T15:29:59.003Z"
        ),
        (
          #"""
          {"t": "snapshot", "d": [{"s": "BTC-USDT", "p": "5", "v": "25", "at": 1709220599005},
            {"s": "BTC-USDT", "p": "4", "v": "24", "at": 1709220599004}]}
          """#,
          "BTC/USDT 5 25 2024-02-29T15:29:59.005Z"
        ),
        (
          #"{"t": "delta", "d": [{"s": "BTC-USDT", "p": "6", "at": 1709220599006}]}"#,
          "BTC/USDT 6 25 2024-02-29T15:29:59.006Z"
        ),
      ]),
    StreamCase(
      "the message itself is the row", own: #""whole": [{"path": "$.t", "equals": "snapshot"}]"#,
      [
        (#"{"t": "snapshot", "s": "BTC-USDT", "p": 1, "v": 2}"#, "BTC/USDT 1 2"),
        (#"{"t": "delta", "s": "BTC-USDT", "p": 3}"#, "BTC/USDT 3 2"),
      ]),
  ]

  private static let whole = #""whole": [{"path": "$.t", "equals": "snapshot"}]"#

  @Test(arguments: kinds) func distinguishesMessages(_ example: StreamCase) throws { try example.check() }
  @Test(arguments: symbols) func findsThePair(_ example: StreamCase) throws { try example.check() }
  @Test(arguments: cells) func overlaysCells(_ example: StreamCase) throws { try example.check() }
  @Test(arguments: changes) func mergesChanges(_ example: StreamCase) throws { try example.check() }

  /// A row from a table requested again is the base for what arrives after it.
  @Test func replacedRowIsBaseForLaterMessages() throws {
    let stream = try StreamCase("rows", own: #""fields": {"volume24": null}"#, []).stream()
    var reader = stream.reader()
    var row = stream.pairs[0].row
    row.volume24 = .value(Decimal(99))
    reader.replaceRow(of: 0, by: row)
    let readings = Array(reader.read(Array(#"{"s": "BTC-USDT", "p": 1}"#.utf8), arrival: stream.arrival))
    #expect(readings.map(stream.line) == ["BTC/USDT 1 99"])
  }

  /// The explanation of a change that no message has names the open from which it is computed.
  @Test func explainsAChangeFromTheTablesOpen() throws {
    let table = #"[{"s": "BTC-USDT", "p": 101, "o": 100, "c": 1}]"#
    let stream = try StreamCase("rows", own: #""fields": \#(Self.onlyPrice)"#, tickers: Self.wide, table: table, [])
      .stream()
    var reader = stream.reader()
    reader.explain(true)
    let readings = Array(reader.read(Array(#"{"s": "BTC-USDT", "p": 102}"#.utf8), arrival: stream.arrival))
    guard case .updates(let updates)? = readings.first else {
      Issue.record("no row: \(readings)")
      return
    }
    let fields = updates[0].explained?.records.flatMap(\.fields) ?? []
    let texts = fields.filter { ["changePricePercent24", "open"].contains($0.name) }.map { field in
      let sources = field.sources.map { "\($0.from) \($0.raw ?? "-")" }
      return ([field.name, field.result, field.operation ?? "-"] + sources).joined(separator: ", ")
    }
    #expect(texts == ["changePricePercent24, +2.00, from open, table 100", "open, 100, -, table 100"])
  }

  /// Changes before anything that they could apply to are told apart from signs of life, with their pair.
  @Test(arguments: [StreamChannel.ticker, .orderbook]) func changesOfNothing(_ channel: StreamChannel) throws {
    let levels = #""bids": "$.b[*]", "asks": "$.a[*]", "price": "$[0]", "size": "$[1]""#
    let own = channel == .orderbook ? "\(Self.whole), \(levels)" : Self.whole
    let stream = try StreamCase("changes", channel: channel, own: own, []).stream()
    let message = #"{"t": "delta", "s": "ETH-USDT", "p": 1, "b": [[1, 1]], "a": []}"#
    let outcomes = stream.readings([Array(message.utf8)]).flatMap { $0.map { ReadingOutcome($0) } }
    #expect(outcomes == [.baseless([1])])
  }

  /// A message without a price renews the row, but not its price; nor do bids and asks beside a price of the table.
  @Test(
    arguments: [
      (StreamChannel.ticker, #"{"s": "BTC-USDT", "p": 1, "b": 0.9}"#, 1),
      (.ticker, #"{"s": "BTC-USDT", "b": 0.9}"#, 0), (.ticker, #"{"s": "BTC-USDT", "p": null, "b": 0.9}"#, 0),
      (.offers, #"{"s": "BTC-USDT", "p": 1, "b": 0.9}"#, 0),
    ] as [(StreamChannel, String, Int64)])
  func priceKeepsItsArrival(_ channel: StreamChannel, _ message: String, after seconds: Int64) throws {
    let bid = #""fields": {"bid": "$.b"}"#
    let stream = try StreamCase("rows", channel: channel, own: bid, []).stream()
    var reader = stream.reader()
    var row = stream.pairs[0].row
    row.arrival = stream.arrival
    reader.replaceRow(of: 0, by: row)
    let moments = [1, 2].map { stream.arrival.advanced(by: .seconds($0)) }
    let readings = Array(reader.read(Array(message.utf8), arrival: moments[0]))
    guard case .updates(let updates)? = readings.first, case .ticker(let new)? = updates.first?.value else {
      Issue.record("no row: \(readings)")
      return
    }
    #expect(new.arrival == moments[0])
    #expect(new.priceArrival == stream.arrival.advanced(by: .seconds(seconds)))
    let later = Array(reader.read(Array(#"{"s": "BTC-USDT", "b": 0.8}"#.utf8), arrival: moments[1]))
    guard case .updates(let others)? = later.first, case .ticker(let last)? = others.first?.value else {
      Issue.record("no row: \(later)")
      return
    }
    #expect(last.arrival == moments[1])
    #expect(last.priceArrival == new.priceArrival)
  }
}
