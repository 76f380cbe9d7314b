import Config
import HTTP
import Mapping
import Quotes
import Testing

/// Trades are read by the same plan as tickers, in one pass and through a tree.
@Suite struct TradePlanTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    /// The path of the rows, and the values of `price`, `size`, `side`, `id` and `time`.
    var rows: String
    var values: [String]
    var buy: [String]
    var sell: [String]
    var body: String
    /// `time price size side id`, oldest first; then the number of rows without a price or time.
    var expected: [String]
  }

  static let cases = [
    Case(
      testDescription: "objects, with the maker's flag", rows: #""$[*]""#,
      values: [
        #""path": "$.price""#, #""path": "$.qty""#, #""path": "$.isBuyerMaker""#, #""path": "$.id""#,
        #""path": "$.time", "unit": "ms""#,
      ],
      buy: ["false"], sell: ["true"],
      body: """
        [{"id": 1, "price": "65000.1", "qty": "0.5", "time": 1709220600000, "isBuyerMaker": true},
         {"id": 2, "price": "65000.2", "qty": "0", "time": 1709220600250, "isBuyerMaker": false},
         {"id": 3, "price": "0", "qty": "1", "time": 1709220600300, "isBuyerMaker": false},
         {"id": 2, "price": "65000.2", "qty": "0", "time": 1709220600250, "isBuyerMaker": false}]
        """,
      expected: [
        "2024-02-29T15:30:00Z 65000.1 0.5 sell 1", "2024-02-29T15:30:00.25Z 65000.2 zero buy 2", "incomplete 1",
      ]),
    Case(
      testDescription: "columns, newest first, with a sign for the side",
      rows: #"{"zip": ["$.t", "$.p", "$.s", "$.id"]}"#,
      values: [
        #""path": "$[1]""#, #""path": "$[2]", "capture": "-?(?<value>.+)""#,
        #""path": "$[2]", "capture": "(?<value>-?).*", "missing": []"#, #""path": "$[3]""#,
        #""path": "$[0]", "unit": "s""#,
      ],
      buy: [""], sell: ["-"],
      body:
        #"{"t": [1709220601.5, 1709220600.25, 1709220600.25], "p": ["65000.1", "65000.2", "65000.3"], "s": [-30, 200, "x"], "id": [12, 11, 10]}"#,
      expected: [
        "2024-02-29T15:30:00.25Z 65000.3 not-a-number buy 10", "2024-02-29T15:30:00.25Z 65000.2 200 buy 11",
        "2024-02-29T15:30:01.5Z 65000.1 30 sell 12", "incomplete 0",
      ]),
    Case(
      testDescription: "an auction has no taker, and all trades have one time", rows: #""$.trades[*]""#,
      values: [
        #""path": "$.p""#, #""path": "$.q""#, #""path": "$.side""#, #""path": "$.n""#,
        #""path": "$.at", "unit": "iso8601""#,
      ],
      buy: ["B", "bid"], sell: ["S"],
      body:
        #"{"trades": [{"p": 2, "q": 1, "side": "auction", "n": 8, "at": "2024-02-29T15:30:00Z"}, {"p": 1, "q": 1, "side": "BID", "n": 7, "at": "2024-02-29T15:30:00Z"}]}"#,
      expected: ["2024-02-29T15:30:00Z 1 1 buy 7", "2024-02-29T15:30:00Z 2 1 - 8", "incomplete 0"]),
  ]

  @Test(arguments: cases) func reads(_ example: Case) throws {
    let spec = try table(example)
    let lines = try [true, false].map { try self.lines(TradePlan(spec, usesScan: $0), Array(example.body.utf8)) }
    #expect(lines[0] == example.expected)
    #expect(lines[1] == lines[0], "the scan and the tree read the answer differently")
  }

  /// Responses without trades or with unreadable ones: the reason is what the first trade lacks.
  @Test(arguments: [
    ("[]", Missing.emptyAnswer, nil), ("<html>", .notJSON, "the answer is an HTML or XML page"),
    (#"[{"price": "0", "time": 1709220600000}]"#, .emptyAnswer, "no row has a price and a time: price is zero"),
    (#"[{"price": "-1", "time": 1709220600000}]"#, .negative, "no row has a price and a time: price is negative"),
    (
      #"[{"price": "1,5", "time": 1709220600000}, {"time": 1}]"#, .notANumber,
      "no row has a price and a time: price is not-a-number"
    ), (#"[{"time": 1709220600000}]"#, .pathMiss, "no row has a price and a time: price is path-miss"),
    (#"[{"price": 2, "time": "noon"}]"#, .notANumber, "no row has a price and a time: time is not-a-number"),
    (
      #"[{"price": 1, "time": 1709220600000}, {"price": 2, "time": 1709220600000, "price": 3}]"#, .pathMany,
      "a member of the row is repeated"
    ),
  ])
  func failures(_ body: String, _ reason: Missing, _ message: String?) throws {
    let spec = try table(Self.cases[0])
    for usesScan in [true, false] {
      #expect(throws: AnswerFailure(reason, message)) {
        try lines(TradePlan(spec, usesScan: usesScan), Array(body.utf8))
      }
    }
  }

  private func lines(_ plan: TradePlan, _ body: [UInt8]) throws -> [String] {
    let request = RequestContext(pair: Pair(asset: "BTC", payment: "USDT"), now: Asked().now)
    let (trades, incomplete) = try plan.trades(
      in: HTTPResponse(body: body), ReadingContext(request))
    return trades.map { trade in
      let size = trade.size.value?.shortest ?? trade.size.missing?.code ?? ""
      return "\(trade.time.iso8601) \(trade.price) \(size) \(trade.side?.rawValue ?? "-") \(trade.id ?? "-")"
    } + ["incomplete \(incomplete)"]
  }

  /// Returns a table for the example. The config has no trades block yet, so conditions and a time carry the values.
  private func table(_ example: Case) throws -> TableSpec {
    let conditions = example.values.dropLast().map { #"{\#($0), "is": "present"}"# }
    var spec = try TestTable(
      #""rows": \#(example.rows), "where": [\#(conditions.joined(separator: ", "))], "fields": {"time": {\#(example.values[4])}}"#
    ).part()
    for (field, condition) in zip([TradeField.price, .size, .side, .id], spec.conditions) {
      spec.fields[field.rawValue] = condition.value
    }
    spec.fields[TradeField.side.rawValue]?.side = SideWords(buy: example.buy, sell: example.sell)
    spec.conditions = []
    spec.symbol = .request
    return spec
  }
}
