import Config
import Testing

/// Messages with JSON inside text, by scan and by tree.
@Suite struct UnwrappingTests {
  static let cases: [StreamCase] = [
    StreamCase(
      "a member that holds an object",
      own: #""unwrap": "$.o", "rows": "$.o", "when": [{"path": "$.n", "equals": "t"}]"#,
      [
        (#"{"n": "t", "o": "{\"s\": \"BTC-USDT\", \"p\": \"1\", \"v\": \"2\"}"}"#, "BTC/USDT 1 2"),
        // Already an object, an acknowledgement, and a ping.
        (#"{"n": "t", "o": {"s": "BTC-USDT", "p": 3, "v": 4}}"#, "BTC/USDT 3 4"), (#"{"n": "x", "o": "{}"}"#, "-"),
        ("ping", "-"), ("", "-"),
        (#"{"n": "t", "o": "5"}"#, "rowless (the path of the row leads to a string)"),
        (#"{"n": "t", "o": "{\"s\": 1"}"#, "refused not-json (a message is not valid JSON)"),
        // It does not become two members.
        (#"{"n": "t", "o": "{}, \"p\": 1"}"#, "refused not-json (a message is not valid JSON)"),
        (#"{"n": "t", "o": "#, "refused not-json (a message is not valid JSON)"),
      ]),
    StreamCase(
      "the pair is beside the text",
      own: #""unwrap": "$.data", "rows": "$.data""#,
      streams: #""symbol": {"from": "response", "path": "$.channel", "capture": "trades_(?<value>.*)"}"#,
      [
        (#"{"channel": "trades_btc-usdt", "data": "{\"p\": 1, \"v\": 2}"}"#, "BTC/USDT 1 2"),
        (#"{"event": "subscribed", "channel": "trades_btc-usdt", "data": "{}"}"#, "-"),
      ]),
    StreamCase(
      "behind a number", own: #""unwrap": {"capture": "42(?<value>.*)"}, "rows": "$[1]""#,
      [
        (#"42["t",{"s":"BTC-USDT","p":1,"v":2}]"#, "BTC/USDT 1 2"), (#"0{"sid":"a"}"#, "-"), ("2", "-"), ("42", "-"),
        ("42x", "-"), (#"42["t",{"#, "refused not-json (a message is not valid JSON)"),
      ]),
    StreamCase(
      "texts in a list behind a letter",
      own: #""unwrap": [{"capture": "a(?<value>.*)"}, "$[*]"], "rows": "$[*]""#,
      [
        (
          #"a["{\"s\":\"BTC-USDT\",\"p\":1,\"v\":2}","{\"s\":\"ETH-USDT\",\"p\":3,\"v\":4}"]"#,
          "BTC/USDT 1 2, ETH/USDT 3 4"
        ),
        ("o", "-"), ("h", "-"), (#"c[3000,"Go away!"]"#, "-"),
      ]),
    StreamCase(
      "the body of a frame of STOMP",
      own: #""unwrap": {"capture": "MESSAGE[^{]*(?<value>[{](.|\n)*[}])."}, "rows": "$""#,
      [
        ("MESSAGE\ndestination:/t\n\n{\"s\":\"BTC-USDT\",\n\"p\":1,\"v\":2}\u{0}", "BTC/USDT 1 2"),
        ("CONNECTED\nversion:1.2\n\n\u{0}", "- + -"),
      ]),
    StreamCase(
      "JSON text that is a JSON string", own: #""unwrap": "$", "rows": "$""#,
      [
        (#""{\"s\":\"BTC-USDT\",\"p\":1,\"v\":2}""#, "BTC/USDT 1 2"),
        (#"{"s":"ETH-USDT","p":3,"v":4}"#, "ETH/USDT 3 4"),
      ]),
    StreamCase(
      "changes", own: #""unwrap": "$.o", "rows": "$.o", "whole": [{"path": "$.n", "equals": "w"}]"#,
      [
        (#"{"n": "w", "o": "{\"s\": \"BTC-USDT\", \"p\": 1, \"v\": 2}"}"#, "BTC/USDT 1 2"),
        (#"{"n": "c", "o": "{\"s\": \"BTC-USDT\", \"p\": 3}"}"#, "BTC/USDT 3 2"),
      ]),
    StreamCase(
      "a book", channel: .orderbook,
      own: #"""
        "unwrap": "$.o", "rows": "$", "symbol": "$.n", "bids": "$.o[0][*]", "asks": "$.o[1][*]", "price": "$[0]",
        "size": "$[1]"
        """#,
      [(#"{"n": "BTC-USDT", "o": "[[[1, 2]], [[3, 4]]]"}"#, "BTC/USDT 1x2 | 3x4")]),
  ]

  @Test(arguments: cases) func readsJSONInText(_ example: StreamCase) throws { try example.check() }
}
