import Testing

/// A pattern with named groups, a text, and the captures; nil if there is no match.
struct CaptureCase: Sendable, CustomTestStringConvertible {
  var pattern: String
  var text: String
  var captures: [String: String]?

  init(_ pattern: String, _ text: String, _ captures: [String: String]?) {
    self.pattern = pattern
    self.text = text
    self.captures = captures
  }

  var testDescription: String { "\(pattern) on '\(text)'" }

  static let all = [
    CaptureCase("(?<asset>[A-Z]+)-(?<payment>[A-Z]+)", "BTC-USDT", ["asset": "BTC", "payment": "USDT"]),
    CaptureCase("(?<asset>[A-Z]+)-(?<payment>[A-Z]+)", "BTCUSDT", nil),
    CaptureCase("(?<asset>.+)(?<payment>USDT|USD|KRW)", "BTCUSDT", ["asset": "BTC", "payment": "USDT"]),
    CaptureCase("(?<asset>.+)(?<payment>USDT|BTC|USD)", "USDTUSDT", ["asset": "USDT", "payment": "USDT"]),
    CaptureCase("t(?<asset>[A-Z0-9]{3,}):?(?<payment>[A-Z]{3})", "tDOGE:USD", ["asset": "DOGE", "payment": "USD"]),
    CaptureCase("(?<multiplier>1(0{3,}))?(?<asset>[A-Z]+)", "1000PEPE", ["multiplier": "1000", "asset": "PEPE"]),
    CaptureCase("(?<multiplier>1(0{3,}))?(?<asset>[A-Z]+)", "PEPE", ["asset": "PEPE"]),
    // Greedy: the first quantifier takes all it can.
    CaptureCase("(?<a>a*)(?<b>a*)", "aaa", ["a": "aaa", "b": ""]),
    CaptureCase("(?<a>a+)(?<b>a+)", "aaa", ["a": "aa", "b": "a"]),
    CaptureCase("(?<a>a?)(?<b>a{1,2})(?<c>a*)", "aaa", ["a": "a", "b": "aa", "c": ""]),
    CaptureCase("(?<a>a{1,2})(?<b>a{2})", "aaa", ["a": "a", "b": "aa"]),
    // The first alternative that leads to a match wins, not the longest.
    CaptureCase("(?<a>a|ab)(?<b>c|bcd)(?<c>d*)", "abcd", ["a": "a", "b": "bcd", "c": ""]),
    CaptureCase("(?<a>ab|a)(?<b>bcd|c)(?<c>d*)", "abcd", ["a": "ab", "b": "c", "c": "d"]),
    CaptureCase("(?<a>|a)(?<b>a?)", "a", ["a": "", "b": "a"]),
    // Repeated groups hold their last repetition, and so do nested ones.
    CaptureCase("((?<x>[a-z])|(?<y>[0-9]))*", "a1b", ["x": "b", "y": "1"]),
    CaptureCase("(?<outer>a(?<inner>b|c))+", "abac", ["outer": "ac", "inner": "c"]),
    CaptureCase("(?<a>)", "", ["a": ""]),
    CaptureCase("(?<a>x*)*", "x", ["a": "x"]),
    CaptureCase("(?<a>x*)*", "", ["a": ""]),
    CaptureCase("(?<a>x*)+", "", ["a": ""]),
    CaptureCase("x", "x", [:]),
    CaptureCase("(?<a>.+)/(?<b>.+)", "원화/₩", ["a": "원화", "b": "₩"]),
  ]
}
