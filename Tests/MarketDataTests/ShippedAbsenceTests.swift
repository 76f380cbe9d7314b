import Config
import HTTP
import Mapping
import MarketData
import Quotes
import Testing

/// What the shipped config makes of answers about a pair that an exchange does not trade now, or does not list, in the
/// shapes that the exchanges document.
@Suite struct ShippedAbsenceTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let exchange: String
    var market = Market.spot
    let pair: Pair
    /// By a part of the address: the first that fits counts. Other requests get no answer.
    let answers: [(address: String, body: String)]
    /// The status, and the reason if there is one.
    let status: String
  }

  static let cases =
    [
      Case(
        testDescription: "BingX contract that is paused", exchange: "Bingx", market: .futures,
        pair: Pair(asset: "BTC", payment: "USDT"),
        answers: [
          ("ticker?symbol=BTC-USDT", #"{"code":109415,"msg":"BTC-USDT is pause currently","data":{}}"#),
          ("quote/ticker", #"{"code":0,"msg":"","data":[{"symbol":"ETH-USDT","lastPrice":"3000"}]}"#),
        ], status: "halted halted"),
      Case(
        testDescription: "BingX contract that does not exist", exchange: "Bingx", market: .futures,
        pair: Pair(asset: "NOPE", payment: "USDT"),
        answers: [
          ("ticker?symbol=NOPE-USDT", #"{"code":109425,"msg":"NOPE-USDT not exist","data":{}}"#),
          ("quote/ticker", #"{"code":0,"msg":"","data":[{"symbol":"ETH-USDT","lastPrice":"3000"}]}"#),
        ], status: "not-listed not-listed"),
    ]
    + [
      ("open", "ok"), ("limit_only", "ok"), ("cancel_only", "halted halted"), ("post_only", "halted halted"),
      ("closed", "halted halted"),
    ].map { state, status in
      Case(
        testDescription: "Gemini pair that is \(state)", exchange: "Gemini", pair: Pair(asset: "ETH", payment: "USD"),
        answers: [
          ("v2/ticker/ethusd", #"{"symbol":"ETHUSD","open":"3000","high":"3100","low":"2900","close":"3050"}"#),
          ("v1/pubticker/ethusd", #"{"last":"3050","volume":{"ETH":"7","USD":"21350","timestamp":1763442727000}}"#),
          (
            "v1/symbols/details/ethusd",
            #"{"symbol":"ETHUSD","base_currency":"ETH","quote_currency":"USD","status":"\#(state)","product_type":"spot"}"#
          ),
        ], status: status)
    }
    + [
      Case(
        testDescription: "Gemini pair whose state is unknown", exchange: "Gemini",
        pair: Pair(asset: "ETH", payment: "USD"),
        answers: [
          ("v2/ticker/ethusd", #"{"symbol":"ETHUSD","open":"3000","high":"3100","low":"2900","close":"3050"}"#),
          ("v1/pubticker/ethusd", #"{"last":"3050","volume":{"ETH":"7","USD":"21350","timestamp":1763442727000}}"#),
        ], status: "ok lookup pairs: timeout")
    ]
    + [
      ("traded", #"[{"name":"ETH_USDT","tradesEnabled":true,"type":"spot"}]"#, "ok"),
      ("halted, so not in the list of markets", #"[{"name":"BTC_USDT","tradesEnabled":true}]"#, "halted halted"),
      ("perhaps traded", "maintenance", "ok lookup markets: not-json"),
    ].map { state, list, status in
      Case(
        testDescription: "WhiteBIT pair that is \(state)", exchange: "Whitebit",
        pair: Pair(asset: "ETH", payment: "USDT"),
        answers: [
          (
            "v1/public/ticker?market=ETH_USDT",
            #"{"success":true,"result":{"bid":"3049","ask":"3051","open":"3000","high":"3100","low":"2900","last":"3050","volume":"7","deal":"21350"}}"#
          ), ("v4/public/markets", list),
        ], status: status)
    }
    + [
      ("traded", "ETHUSDT", "2", "ok"), ("halted", "ETHUSDT", "1", "halted halted"),
      ("unknown", "XRPUSDT", "2", "not-listed not-listed"),
    ].map { state, symbol, code, status in
      Case(
        testDescription: "LBank contract that is \(state)", exchange: "Lbank", market: .futures,
        pair: Pair(asset: "ETH", payment: "USDT"),
        answers: [
          (
            "marketData?productGroup=SwapU",
            #"{"data":[{"symbol":"BTCUSDT","lastPrice":"91575","instrumentStatus":"2"},{"symbol":"\#(symbol)","lastPrice":"3050","instrumentStatus":"\#(code)"}],"error_code":0,"msg":"Success","result":"true","success":true}"#
          )
        ], status: status)
    }

  @Test(arguments: cases) func status(_ sample: Case) async throws {
    let exchange = try #require(ShippedConfig.exchanges.first { $0.name == sample.exchange })
    let market = try #require(exchange.market(sample.market))
    let query = TableQuery(pair: sample.pair, options: .shipped())
    let report = await Self.client(sample.answers).report(on: market, of: exchange, query)
    #expect([report.status.rawValue, report.reason].compactMap(\.self).joined(separator: " ") == sample.status)
  }

  /// A request for the book of a contract that LBank's futures do not have, or no longer.
  @Test func bookOfUnlistedContract() async throws {
    let exchange = try #require(ShippedConfig.exchanges.first { $0.name == "Lbank" })
    let market = try #require(exchange.market(.futures))
    let client = Self.client([
      (
        "marketOrder?symbol=NOPEUSDT",
        #"{"error_code":20156,"msg":"This product has been delisted","result":"false","success":false}"#
      ),
      (
        "marketData?productGroup=SwapU",
        #"{"data":[{"symbol":"BTCUSDT","lastPrice":"91575"}],"error_code":0,"msg":"Success","result":"true","success":true}"#
      ),
    ])
    let query = PairQuery(Pair(asset: "NOPE", payment: "USDT"), .shipped())
    let answer = await client.orderbook(query, count: 10, on: market, of: exchange.name)
    #expect(answer.failure == AnswerFailure(.notListed))
  }

  private static func client(_ answers: [(address: String, body: String)]) -> MarketClient {
    let now = StubExchanges.arrival
    return MarketClient(
      handler: { request throws(TransportError) in
        let url = request.urls[0]
        guard let answer = answers.first(where: { url.contains($0.address) }) else { throw .timeout }
        return HTTPResponse(status: 200, body: Array(answer.body.utf8), arrival: now, url: url)
      }, credentials: Credentials(nil) { _ in nil }, hooks: HookRegistry(), now: { now })
  }
}
