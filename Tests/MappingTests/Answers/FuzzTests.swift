import Mapping
import TestSupport
import Testing

/// Mutated responses: whatever an exchange sends, both engines read the same rows or give the same reason.
@Suite struct FuzzTests {
  /// A mapping and an initial response.
  struct Seed: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let members: String
    let answer: String
  }

  static let seeds = [
    Seed(
      testDescription: "array of objects",
      members: #"""
        "success": {"where": [{"path": "$.code", "in": ["0", null]}], "code": "$.code", "message": ["$.msg"]},
        "rows": "$.data[*]", "where": [{"path": "$.state", "notIn": ["dead"]}],
        "multiplier": {"1000": 1000}, "aliases": {"XBT": "BTC"},
        "fields": {"price": "$.last", "open": {"path": "$.c[-1]", "scale": "1e-2"}, "volume24": {"sum": ["$.v", 1]},
          "changePricePercent24": {"fromOpen": "$.c[0]", "basis": "utcDay"},
          "time": {"path": "$.ts", "unit": "ms", "zone": "+09:00", "missing": ["", "0"]}}
        """#,
      answer:
        #"{"code":"0","msg":"","data":[{"s":"XBT-USDT","last":"65000.50","c":[1,2.5e3],"v":12,"ts":"1709220600123","state":"live"},{"s":"1000PEPE-USDT","last":1e-8,"c":[null],"v":"\u0031","ts":0}]}"#
    ),
    Seed(
      testDescription: "dict by symbol",
      members: #"""
        "rows": "$.result.*", "symbol": {"from": "key", "split": "payment"},
        "paymentCurrencies": {"a": ["USD", "ZUSD", "EUR"]},
        "fields": {"price": {"first": ["$.c[0]", "$.b[0]"]}, "volume24": {"path": "$.v", "strip": ","},
          "turnover24": {"path": "$.q", "from": "response"}}
        """#,
      answer:
        #"{"error":[],"q":7,"result":{"XXBTZUSD":{"c":["65000.1","1"],"v":"1,000"},"ETHEUR":{"b":["3000"],"v":"N/A"}}}"#
    ),
    Seed(
      testDescription: "one object",
      members: #"""
        "rows": "$.ticker", "symbol": {"path": "$.pair", "match": "(?<asset>[a-z]+)_(?<payment>[a-z]+)"},
        "fields": {"price": {"path": "$.last", "decimals": "$.digits"}, "bid": {"quotient": ["$.bid", "$.digits"]},
          "time": {"path": "$.at", "unit": "iso8601"}}
        """#,
      answer: #"{"ticker":{"pair":"btc_idr","last":"123456","digits":2,"bid":1,"at":"2024-02-29T15:30:00.123Z"}}"#),
    Seed(
      testDescription: "rows of arrays",
      members: #"""
        "symbol": {"path": "$[0]", "rules": [{"prefix": "f", "skip": true, "payment": "X"}, {"prefix": "t", "split": ":"}]},
        "fields": {"price": "$[1]", "high": "$[2]", "low": "$[-1]", "volume24": {"from": "key"}}
        """#,
      answer: #"[["tBTC:USD",65000,66000,64000],["fUSD",1,2,3],["tETH:USD",null,true,{}]]"#),
  ]

  @Test(arguments: seeds) func mutations(_ seed: Seed) throws {
    let table = try TestTable(seed.members)
    #expect(try table.plan().isScanned)
    var random = SeededGenerator(seed: 2026)
    for _ in 0..<400 {
      var body = Array(seed.answer.utf8)
      for _ in 0..<Int.random(in: 1...3, using: &random) { Self.mutate(&body, &random) }
      // Either rows or one failure; that both engines agree is checked where the table is read.
      let read = try table.table(body)
      #expect(read.failures.count + read.answered == 1)
    }
  }

  private static let pieces = [
    "null", "true", "-0", "1e999999999", "0.00000000000000000000000000000000000000000000000001", "\"\\ud800\"",
    "99999999999999999999999999999999999999999999999999", "-9223372036854775808", "\"\\u0000\"", "\u{1B}[2J",
    "\u{202E}",
    "[[[[[[[[[[]]]]]]]]]]", "{\"a\":{}}", "\"\"", "\"nan\"", ",", "\"", "\\", "\u{0}", "é", "1e400",
  ].map { Array($0.utf8) }

  private static func mutate(_ body: inout [UInt8], _ random: inout SeededGenerator) {
    guard !body.isEmpty else { return }
    let index = Int.random(in: body.indices, using: &random)
    let end = min(body.count, index + Int.random(in: 1...12, using: &random))
    switch Int.random(in: 0..<7, using: &random) {
    case 0: body[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    case 1: body.removeSubrange(index..<end)
    case 2: body.removeSubrange(index...)
    case 3: body.insert(contentsOf: body[index..<end], at: index)
    case 4: body[index] = UInt8.random(in: 0...255, using: &random)
    case 5: body.insert(contentsOf: [UInt8](repeating: UInt8(ascii: "["), count: 600), at: index)
    default: replaceValue(in: &body, at: index, with: pieces.randomElement(using: &random) ?? [])
    }
  }

  /// Replaces the start of a value with a piece, so that most responses remain JSON.
  private static func replaceValue(in body: inout [UInt8], at index: Int, with piece: [UInt8]) {
    let marks = Array(":,[".utf8)
    guard let start = body[index...].firstIndex(where: marks.contains).map({ $0 + 1 }) else { return }
    let end = body[start...].firstIndex { Array(",]}".utf8).contains($0) } ?? body.endIndex
    body.replaceSubrange(start..<end, with: piece)
  }
}
