import Mapping
import Testing

/// The time of a last trade, which a table has, beside messages that have the time at which they were sent.
@Suite struct LastTradeTimeTests {
  /// BTC was last traded two hours before the messages, ETH ten seconds, and when XRP was is unknown.
  private static let table = #"""
    [{"s": "BTC-USDT", "p": "65000.50", "v": "12.5", "l": 1709213400000},
     {"s": "ETH-USDT", "p": "3000", "v": "7", "l": 1709220590000}, {"s": "XRP-USDT", "p": "0.5", "v": "9"}]
    """#
  private static let tickers =
    #""fields": {"price": "$.p", "volume24": "$.v", "time": {"path": "$.l", "unit": "ms", "basis": "trade"}}"#

  private static func example(
    _ description: String, own: String, _ messages: [(message: String, line: String)]
  ) -> StreamCase {
    StreamCase(description, own: own, tickers: tickers, table: table, messages)
  }

  private static let sent = #""time": {"path": "$.t", "unit": "ms"}"#

  private static let prices: [(message: String, line: String)] = [
    // The first volume is compared with none: that of the table may be of other hours.
    (
      #"{"s": "BTC-USDT", "p": "65000.5", "v": "12.6", "t": 1709220599000}"#,
      "BTC/USDT 65000.5 12.6 2024-02-29T13:30:00Z !stale"
    ),
    (
      #"{"s": "BTC-USDT", "p": "65000.5", "v": "12.5", "t": 1709220599100}"#,
      "BTC/USDT 65000.5 12.5 2024-02-29T13:30:00Z !stale"
    ),
    // More volume is another trade.
    (
      #"{"s": "BTC-USDT", "p": "65000.5", "v": "12.51", "t": 1709220599200}"#,
      "BTC/USDT 65000.5 12.51 2024-02-29T15:29:59.2Z"
    ),
    (
      #"{"s": "BTC-USDT", "p": "65000.5", "v": "12.51", "t": 1709220599300}"#,
      "BTC/USDT 65000.5 12.51 2024-02-29T15:29:59.2Z"
    ),
    // So is another price, and the one before.
    (
      #"{"s": "BTC-USDT", "p": "65001", "v": "12.5", "t": 1709220599400}"#,
      "BTC/USDT 65001 12.5 2024-02-29T15:29:59.4Z"
    ),
    (
      #"{"s": "BTC-USDT", "p": "65000.5", "v": "12.5", "t": 1709220599500}"#,
      "BTC/USDT 65000.5 12.5 2024-02-29T15:29:59.5Z"
    ),
    (
      #"{"s": "BTC-USDT", "p": "65000.5", "v": "12.4", "t": 1709220599600}"#,
      "BTC/USDT 65000.5 12.4 2024-02-29T15:29:59.5Z"
    ),
    // A message without a time has the price of a trade that is known; one with another price does not.
    (#"{"s": "BTC-USDT", "p": "65000.5", "v": "12.4"}"#, "BTC/USDT 65000.5 12.4 2024-02-29T15:29:59.5Z"),
    (#"{"s": "BTC-USDT", "p": "65002", "v": "12.4"}"#, "BTC/USDT 65002 12.4 path-miss"),
    (
      #"{"s": "BTC-USDT", "p": "65002", "v": "12.4", "t": 1709220599900}"#,
      "BTC/USDT 65002 12.4 2024-02-29T15:29:59.9Z"
    ),
    (
      #"{"s": "BTC-USDT", "p": "65002", "v": "12.4", "t": 1709220599950}"#,
      "BTC/USDT 65002 12.4 2024-02-29T15:29:59.9Z"
    ),
    // Nor does one with a time that cannot be read. The next that has one dates it, once.
    (#"{"s": "BTC-USDT", "p": "65003", "v": "12.4", "t": "x"}"#, "BTC/USDT 65003 12.4 not-a-number !time"),
    (
      #"{"s": "BTC-USDT", "p": "65003", "v": "12.4", "t": 1709220599970}"#,
      "BTC/USDT 65003 12.4 2024-02-29T15:29:59.97Z"
    ),
    (
      #"{"s": "BTC-USDT", "p": "65003", "v": "12.4", "t": 1709220599980}"#,
      "BTC/USDT 65003 12.4 2024-02-29T15:29:59.97Z"
    ),
  ]

  static let cases = [
    example("another price, or more volume, is a later trade", own: #""fields": {\#(sent)}"#, prices),
    example(
      "so it is of a price that is no plain number",
      own: #""fields": {"price": {"first": ["$.p", "$.q"]}, \#(sent)}"#, prices),
    example(
      "a message that is late or of the future proves nothing about now, whenever the last trade was",
      own: #""fields": {\#(sent)}"#,
      [
        (
          #"{"s": "ETH-USDT", "p": "3000", "v": "7", "t": 1709220400000}"#,
          "ETH/USDT 3000 7 2024-02-29T15:29:50Z !stale"
        ),
        (
          #"{"s": "ETH-USDT", "p": "3000", "v": "7", "t": 1709220500000}"#,
          "ETH/USDT 3000 7 2024-02-29T15:29:50Z !stale"
        ),
        (#"{"s": "ETH-USDT", "p": "3000", "v": "7", "t": 1709220590000}"#, "ETH/USDT 3000 7 2024-02-29T15:29:50Z"),
        (
          #"{"s": "ETH-USDT", "p": "3000", "v": "7", "t": 1709220700000}"#,
          "ETH/USDT 3000 7 2024-02-29T15:29:50Z !stale"
        ),
      ]),
    example(
      "a message without the price says nothing of its trade", own: #""fields": {\#(sent)}"#,
      [
        (#"{"s": "BTC-USDT", "v": "13", "t": 1709220599000}"#, "BTC/USDT 65000.50 13 2024-02-29T13:30:00Z !stale"),
        (#"{"s": "BTC-USDT", "v": "14", "t": 1709220599100}"#, "BTC/USDT 65000.50 14 2024-02-29T13:30:00Z !stale"),
        // But the next one with it does.
        (#"{"s": "BTC-USDT", "p": "65000.5", "t": 1709220599200}"#, "BTC/USDT 65000.5 14 2024-02-29T15:29:59.2Z"),
        (#"{"s": "BTC-USDT", "p": null, "t": 1709220599300}"#, "BTC/USDT json-null 14 2024-02-29T15:29:59.2Z"),
        (#"{"s": "BTC-USDT", "p": "65000.5", "t": 1709220599400}"#, "BTC/USDT 65000.5 14 2024-02-29T15:29:59.2Z"),
      ]),
    example(
      "messages that have the time of their trades are believed",
      own: #""fields": {"time": {"path": "$.t", "unit": "ms", "basis": "trade"}}"#,
      [
        (
          #"{"s": "BTC-USDT", "p": "65000.5", "v": "12.5", "t": 1709213500000}"#,
          "BTC/USDT 65000.5 12.5 2024-02-29T13:31:40Z !stale"
        ),
        (
          #"{"s": "BTC-USDT", "p": "65000.5", "v": "12.5", "t": 1709220599000}"#,
          "BTC/USDT 65000.5 12.5 2024-02-29T15:29:59Z"
        ),
      ]),
    example(
      "where no trade is known, the time is that of a quote", own: #""fields": {\#(sent)}"#,
      [
        (#"{"s": "XRP-USDT", "p": "0.5", "v": "9", "t": 1709220599000}"#, "XRP/USDT 0.5 9 2024-02-29T15:29:59Z"),
        (#"{"s": "XRP-USDT", "p": "0.5", "v": "9", "t": 1709220599500}"#, "XRP/USDT 0.5 9 2024-02-29T15:29:59.5Z"),
        // Another price is a trade that is known.
        (#"{"s": "XRP-USDT", "p": "0.6", "v": "9", "t": 1709220599600}"#, "XRP/USDT 0.6 9 2024-02-29T15:29:59.6Z"),
        (#"{"s": "XRP-USDT", "p": "0.6", "v": "9", "t": 1709220599700}"#, "XRP/USDT 0.6 9 2024-02-29T15:29:59.6Z"),
      ]),
  ]

  @Test(arguments: cases) func timesOfRows(_ example: StreamCase) throws { try example.check() }

  /// The volume of an answer is not that of a message, which may count other hours or be newer.
  @Test func answersDoNotMakeVolumesGrow() throws {
    let stream = try Self.example("answered", own: #""fields": {\#(Self.sent)}"#, []).stream()
    var reader = stream.reader()
    let lines = [1_709_220_599_000, 1_709_220_599_100].map { time in
      let message = #"{"s": "BTC-USDT", "p": "65000.5", "v": "12.6", "t": \#(time)}"#
      let line = reader.read(Array(message.utf8), arrival: stream.arrival).map(stream.line).joined()
      reader.replaceRow(of: 0, by: stream.pairs[0].row)
      return line
    }
    #expect(lines == Array(repeating: "BTC/USDT 65000.5 12.6 2024-02-29T13:30:00Z !stale", count: 2))
  }

  /// The explanation shows a time from before as one, beside the one in the message.
  @Test func explainsATimeFromBefore() throws {
    let stream = try Self.example("explained", own: #""fields": {\#(Self.sent)}"#, []).stream()
    var reader = stream.reader()
    reader.explain(true)
    let texts = [("65000.5", "1709220599000"), ("65001", "1709220599100")].map { price, time in
      let message = #"{"s": "BTC-USDT", "p": "\#(price)", "t": \#(time)}"#
      let readings = Array(reader.read(Array(message.utf8), arrival: stream.arrival))
      guard case .updates(let updates)? = readings.first else { return "no row" }
      let fields = updates[0].explained?.records.flatMap(\.fields) ?? []
      return fields.filter { $0.name == "time" }.map { field in
        let steps = field.steps.map { "\($0.key) \($0.value)" }
        return ([field.result] + field.sources.map { $0.raw ?? "-" } + steps).joined(separator: ", ")
      }.joined()
    }
    #expect(
      texts == [
        "2024-02-29T13:30:00Z, 1709220599000, kept from before", "2024-02-29T15:29:59.1Z, 1709220599100, unit ms",
      ])
  }
}
