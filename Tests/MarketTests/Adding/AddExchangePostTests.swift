import HTTP
import Testing

@testable import Shell

/// Exchanges that are asked with POST: what a curl line sends and the config says.
@Suite struct AddExchangePostTests {
  private let adding: AddingWorld

  init() throws { adding = try AddingWorld() }

  private static let table = """
    [{"m":"BTC-KRW","last":"100500000","high":"101000000","low":"99000000"},
    {"m":"ETH-KRW","last":"4950000","high":"5100000","low":"4900000"},
    {"m":"XRP-KRW","last":"800","high":"812","low":"790"}]
    """

  /// Names of coins beside their prices, and the book of one of them.
  private static let config = """
    { "version": 1, "exchanges": { "Newex": {
      "baseUrls": ["https://api.newex.example"],
      "markets": { "spot": {
        "paymentCurrencies": { "fiat": ["USD"] },
        "rows": { "zip": ["$[0].universe", "$[1]"] }, "symbol": { "path": "$[0].name", "payment": "USD" },
        "fields": { "price": "$[1].p", "volume24": "$[1].v" },
        "tickers": { "request": { "method": "POST", "path": "/info", "body": { "type": "all" } } } } } } } }

    """

  private static let prices =
    #"[{"universe":[{"name":"BTC"},{"name":"kPEPE"}]},[{"p":"103","v":"5000"},{"p":"103","v":"5000"}]]"#

  private static let book = """
    {"levels":[[{"px":"100.4","sz":"2"},{"px":"100.3","sz":"7.5"},{"px":"100.1","sz":"1"}],
    [{"px":"100.5","sz":"3"},{"px":"100.6","sz":"0.5"},{"px":"100.9","sz":"11"}]]}
    """

  @Test func aTableIsAskedForWithABody() async throws {
    let line = #"curl https://api.newex.example/info -H 'Content-Type: application/json' -d '{"type":"all"}'"#
    let done = try await adding.run(["add-exchange", "Newex", "--from-curl", line, "--yes"], answer: Self.table)
    #expect(done.code == .answer && !done.errorOutput.contains("left out"), "\(done.everything)")
    let sent = try #require(adding.sent.all.first)
    #expect(sent.method == "POST" && sent.body.map { String(decoding: $0, as: UTF8.self) } == #"{"type":"all"}"#)
    #expect(
      try adding.written().contains(#""request": { "method": "POST", "path": "/info", "body": { "type": "all" } }"#))
  }

  /// A block asks for its pair in the body: by its currency, or by the name that the table has.
  @Test(arguments: [
    ("BTC", "BTC/USD", "{asset}"), ("kPEPE", "kPEPE/USD", "{symbol}"), ("{symbol}", "BTC/USD", "{symbol}"),
  ])
  func aBlockIsAskedForWithABody(_ coin: String, _ pair: String, _ written: String) async throws {
    _ = try adding.save(Self.config, as: "exchanges.json")
    let (table, book) = (try adding.save(Self.prices, as: "all.json"), try adding.save(Self.book, as: "book.json"))
    let line = #"curl https://api.newex.example/info -d '{"type":"l2Book","coin":"\#(coin)"}'"#
    let done = try await adding.run([
      "add-exchange", "Newex", "--symbol", pair, "--from-sample", "orderbook=\(book)", "--from-sample",
      "tickers=\(table)", "--from-curl", line, "--yes",
    ])
    #expect(done.code == .answer, "\(done.everything)")
    let request = #""method": "POST", "path": "/info", "body": { "type": "l2Book", "coin": "\#(written)" }"#
    let block = try adding.written()
    #expect(block.contains(request), "\(block)")
  }

  @Test func anAddressForAnotherMethodSaysSo() async throws {
    let done = try await adding.run(
      ["add-exchange", "Newex", "https://api.newex.example/info", "--yes"], answer: "no", status: 405)
    #expect(
      done.errorOutput == """
        error: https://api.newex.example/info answered with status 405: no; the address takes another method: give the \
        request as a curl line, such as --from-curl 'curl -X POST ADDRESS'

        """)
  }
}
