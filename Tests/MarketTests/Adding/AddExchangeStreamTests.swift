import HTTP
import Testing

@testable import market

/// What recorded messages propose for an exchange that is there.
@Suite struct AddExchangeStreamTests {
  private let adding: AddingWorld

  init() throws { adding = try AddingWorld() }

  private static let config = """
    {
      "version": 1,
      "exchanges": {
        "Newex": {
          "baseUrls": ["https://api.newex.example"],
          "rows": "$[*]",
          "symbol": { "path": "$.market", "split": "-" },
          "fields": { "price": "$.last", "open": "$.open", "high": "$.high", "low": "$.low", "volume24": "$.vol" },
          "markets": {
            "spot": { "tickers": { "request": { "path": "/all" } } } } }
      }
    }

    """

  private static let table = """
    [{"market": "BTC-USDT", "last": "65000.5", "open": "64012.25", "high": "66007.75", "low": "63001.5", "vol": "1203.4512"},
     {"market": "ETH-USDT", "last": "3201.25", "open": "3110.75", "high": "3305.5", "low": "3051.25", "vol": "20411.75"}]
    """

  private static let messages = """
    {"result": null, "id": 1}
    {"topic": "spot.tickers.BTC-USDT", "data": {"last": "65001.5", "o": "64012.25", "h": "66007.75", "low": "63001.5", "x": "1203.9512"}}
    {"topic": "spot.depth.BTC-USDT", "data": {"last": "1", "o": "2", "h": "3", "low": "4", "x": "5"}}
    {"topic": "spot.tickers.ETH-USDT", "data": {"last": "3202.5", "o": "3110.75", "h": "3305.5", "low": "3051.25", "x": "20413.25"}}
    {"topic": "spot.tickers.BTC-USDT", "data": {"last": "65002", "o": "64012.25", "h": "66007.75", "low": "63001.5", "x": "1204.2512"}}

    """

  @Test func isProposedFromMessages() async throws {
    _ = try adding.save(Self.config, as: "exchanges.json")
    let file = try adding.save(Self.messages, as: "messages.ndjson")
    let outcome = try await adding.run(["add-exchange", "Newex", "--stream-sample", file], answer: Self.table)
    #expect(outcome.code == .answer, "\(outcome.everything)")
    #expect(
      outcome.output == """
        rows    $.data
        symbol  response $.topic spot[.]tickers[.](?<value>.+)
        when    { "path": "$.topic", "prefix": "spot.tickers." }
        taken   3 of 5 messages

        field     path    example    sure  evidence
        price     $.last  65001.5     97%  where the table has it; within 0.002 % of the table's
        high      $.h     66007.75    85%  the table's own number in 3 of 3 rows
        low       $.low   63001.5     97%  where the table has it; the table's own number in 3 of 3 rows
        open      $.o     64012.25    85%  the table's own number in 3 of 3 rows
        volume24  $.x     1203.9512   80%  the only member; within 0.04 % of the table's

        pair        price  changePricePercent24    volume24  bid  ask
        BTC/USDT  65002                       -   1204.2512    -    -
        ETH/USDT   3202.5                     -  20413.25      -    -

        "streams": {
          "ticker": {
            "when": [{ "path": "$.topic", "prefix": "spot.tickers." }],
            "rows": "$.data",
            "symbol": { "from": "response", "path": "$.topic", "capture": "spot[.]tickers[.](?<value>.+)" },
            "fields": { "high": "$.h", "open": "$.o", "volume24": "$.x" } } }

        """)
    #expect(outcome.errorOutput.contains("nothing is written: put it into Newex, at markets.spot"))
    #expect(try adding.text(of: "exchanges.json") == Self.config)
    #expect(adding.sent.all.map(\.urls) == [["https://api.newex.example/all"]])
  }

  /// A recording says where the connection was opened and what was sent, too.
  @Test func aRecordingSaysItsAddressAndItsSubscription() async throws {
    _ = try adding.save(Self.config, as: "exchanges.json")
    let file = try adding.save(
      """
      {"at":1794978727300,"open":"wss://ws.newex.example/v1"}
      {"at":1794978727340,"sent":"{\\"op\\":\\"sub\\",\\"args\\":[\\"tickers.btc-usdt\\"]}"}
      {"at":1794978727400,"got":"{\\"e\\":\\"ticker\\",\\"s\\":\\"btc-usdt\\",\\"last\\":\\"65001.5\\",\\"v\\":\\"1204.2\\"}"}

      """, as: "tape.ndjson")
    let outcome = try await adding.run(["add-exchange", "Newex", "--stream-sample", file], answer: Self.table)
    #expect(outcome.code == .answer, "\(outcome.everything)")
    let flat = outcome.output.split { $0.isWhitespace }.joined(separator: " ")
    #expect(
      flat.hasSuffix(
        #"""
        "streams": { "urls": ["wss://ws.newex.example/v1"], "ticker": { "subscribe": { "op": "sub", "args": \#
        ["tickers.{symbol|lower}"] }, "when": [{ "path": "$.e", "equals": "ticker" }], "rows": "$", "symbol": "$.s", \#
        "fields": { "high": null, "low": null, "open": null, "volume24": "$.v" } } }
        """#), "\(flat)")
  }

  @Test(arguments: [
    (#"{"s": "DOGE-USDT", "last": "0.1"}"#, table, "no message names a pair of the table and has its numbers"),
    ("<html>", table, "no message is JSON"),
    (
      #"{"market": "BTC-USDT", "last": "65000.5"}"#, "[]",
      "the table of Newex gives no rows to hold the messages against"
    ),
  ])
  func whatSaysNothingIsRefused(_ messages: String, _ answer: String, _ reason: String) async throws {
    _ = try adding.save(Self.config, as: "exchanges.json")
    let file = try adding.save(messages, as: "messages.ndjson")
    let outcome = try await adding.run(["add-exchange", "Newex", "--stream-sample", file], answer: answer)
    #expect(outcome.code == .noAnswer)
    #expect(outcome.errorOutput.contains(reason), "\(outcome.everything)")
  }

  @Test func anUnknownExchangeIsNamed() async throws {
    _ = try adding.save(Self.config, as: "exchanges.json")
    let file = try adding.save(Self.messages, as: "messages.ndjson")
    let outcome = try await adding.run(["add-exchange", "Nowhere", "--stream-sample", file], answer: Self.table)
    #expect(outcome.code == .noAnswer)
    #expect(outcome.errorOutput.contains("Nowhere"), "\(outcome.everything)")
  }
}
