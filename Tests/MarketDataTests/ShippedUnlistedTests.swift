import Config
import HTTP
import Mapping
import Quotes
import Testing

/// What exchanges answer about the order book, trades and candles of a pair that they do not list.
@Suite struct ShippedUnlistedTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let exchange: String
    let market: Market
    let kind: BlockKind
    let status: Int
    let body: String
    let reason: String

    init(
      _ exchange: String, _ market: Market, _ kind: BlockKind, status: Int = 200, _ body: String,
      _ reason: String = "not-listed"
    ) {
      (self.exchange, self.market, self.kind, self.status) = (exchange, market, kind, status)
      (self.body, self.reason) = (body, reason)
    }

    var testDescription: String { "\(exchange) \(market.rawValue) \(kind.rawValue) \(status) \(body)" }
  }

  private static let page = "<html><head><title>404 Not Found</title></head></html>"

  static let cases = [
    Case("Kucoin", .futures, .orderbook, #"{"code":"200003","msg":"Invalid symbol."}"#),
    Case("Kucoin", .futures, .trades, #"{"code":"200003","msg":"Invalid symbol."}"#),
    Case("Kucoin", .futures, .candles, #"{"code":"200003","msg":"Invalid symbol."}"#),
    Case("Kucoin", .futures, .orderbook, #"{"code":"429000","msg":"Too many requests"}"#, "venue-error 429000"),
    Case("Hyperliquid", .spot, .orderbook, "null"), Case("Hyperliquid", .futures, .orderbook, "null"),
    // Of an exchange that is down, the lack of an answer proves nothing.
    Case("Hyperliquid", .spot, .orderbook, status: 500, "null", "http-500"),
    Case("Bitstamp", .spot, .orderbook, status: 404, page), Case("Bitstamp", .futures, .orderbook, status: 404, page),
    Case("Bitstamp", .spot, .trades, status: 404, page), Case("Bitstamp", .spot, .candles, status: 404, page),
    Case("Bitstamp", .spot, .orderbook, status: 500, page, "http-500"),
  ]

  @Test(arguments: cases) func unlistedPairIsNoFailure(_ unlisted: Case) throws {
    let shipped = try #require(
      ShippedConfig.markets.first { $0.exchange.name == unlisted.exchange && $0.market.market == unlisted.market })
    let answer = HTTPResponse(status: unlisted.status, body: Array(unlisted.body.utf8))
    let context = ReadingContext(
      RequestContext(pair: Pair(asset: "NOPE", payment: "USD"), now: Instant(nanoseconds: 0)))
    let failure = #expect(throws: AnswerFailure.self) {
      switch unlisted.kind {
      case .orderbook: _ = try BookPlan(try #require(shipped.market.orderbooks.first)).book(in: answer, context)
      case .trades: _ = try TradePlan(try #require(shipped.market.trades.first)).trades(in: answer, context)
      case .candles:
        _ = try CandlePlan(try #require(shipped.market.candles.first?.intervals.first)).candles(in: answer, context)
      }
    }
    #expect(failure?.reason.code == unlisted.reason)
  }
}
