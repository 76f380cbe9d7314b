import Config
import HTTP
import Mapping
import MarketData
import Quotes
import Testing
import Transport

/// Symbols with a product suffix: `BTCUSDT_UMCBL`, `BTCPERP_CMCBL`, `BTCUSD_DMCBL`.
@Suite("Retired Bitget payloads")
struct BitgetV1Tests {
  static let now = Instant(nanoseconds: 1_695_793_701_269_000_000)

  /// The bodies by address; an address without one times out.
  static let bodies: [String: String] = [
    "https://api.bitget.com/api/spot/v1/market/tickers": answer([
      #"{"symbol":"BTCUSDT","high24h":"26500","low24h":"26000","close":"26234.5","quoteVol":"2623450","baseVol":"100","#
        + #""usdtVol":"2624000","ts":"1695793701000","buyOne":"26234","sellOne":"26235","change":"0.0123"}"#,
      #"{"symbol":"ETHBTC","high24h":"0.061","low24h":"0.059","close":"0.06","quoteVol":"6","baseVol":"100","#
        + #""usdtVol":"157407","ts":"1695793701000","buyOne":"0.0599","sellOne":"0.06","change":"-0.004"}"#,
    ]),
    mix("umcbl"): answer([
      future("BTCUSDT_UMCBL", price: "26240"), future("BTCUSDT_UMCBL_230929", price: "26260"),
      future("A_B_C_D", price: "1"), future("BTCUSDT", price: "26240"),
    ]),
    mix("cmcbl"): answer([
      future("BTCPERP_CMCBL", price: "26245"), future("ETHUSDC_CMCBL", price: "1600"),
    ]),
    mix("dmcbl"): answer([
      future("BTCUSD_DMCBL", price: "26231"), future("BTCUSD_DMCBL_230929", price: "26280"),
    ]),
  ]

  private static func mix(_ type: String) -> String {
    "https://api.bitget.com/api/mix/v1/market/tickers?productType=\(type)"
  }

  private static func answer(_ rows: [String]) -> String {
    #"{"code":"00000","msg":"success","requestTime":1695793701200,"data":[\#(rows.joined(separator: ","))]}"#
  }

  private static func future(_ symbol: String, price: String) -> String {
    #"{"symbol":"\#(symbol)","last":"\#(price)","bestAsk":"\#(price)","bestBid":"\#(price)","high24h":"\#(price)","#
      + #""low24h":"\#(price)","timestamp":"1695793701000","priceChangePercent":"0.01","baseVolume":"1","#
      + #""quoteVolume":"\#(price)","usdtVolume":"\#(price)"}"#
  }

  private func report(on market: Market, without missing: String = "-") async throws -> ExchangeReport {
    let handler: HTTPHandler = { request throws(TransportError) in
      guard let url = request.urls.first, !url.hasSuffix(missing), let body = Self.bodies[url] else { throw .timeout }
      return HTTPResponse(status: 200, headers: [], body: Array(body.utf8), arrival: Self.now, url: url)
    }
    let client = MarketClient(
      handler: handler, credentials: Credentials(nil) { _ in nil }, hooks: HookRegistry(),
      now: { Self.now })
    let exchange = try #require(try BitgetV1Config.exchange())
    let query = TableQuery(options: .shipped())
    return await client.report(on: try #require(exchange.market(market)), of: exchange, query)
  }

  @Test func productSuffixIsRemovedFromSymbol() async throws {
    let table = try await report(on: .futures).table
    let rows = table.rows.map { "\($0.ticker.symbol) \($0.ticker.pair) \($0.ticker.product ?? "-")" }
    #expect(
      rows == [
        "BTCUSDT_UMCBL BTC/USDT umcbl", "BTCPERP_CMCBL BTC/USDC cmcbl", "ETHUSDC_CMCBL ETH/USDC cmcbl",
        "BTCUSD_DMCBL BTC/USD dmcbl",
      ])
    #expect(table.rows.allSatisfy { $0.ticker.flags.isEmpty })
  }

  /// Coin-margined dated contracts are dropped on purpose; symbols that no rule splits are reported with their product.
  @Test func nonPerpetualsAreSkippedOrReported() async throws {
    let table = try await report(on: .futures).table
    #expect(table.dropped == [.symbolRule: 1])
    #expect(
      table.unsplit.map { "\($0.product ?? "-") \($0.symbol)" } == [
        "umcbl BTCUSDT_UMCBL_230929", "umcbl A_B_C_D", "umcbl BTCUSDT",
      ])
  }

  @Test(arguments: ["umcbl", "cmcbl", "dmcbl"])
  func failingRequestLosesOnlyItsRows(type: String) async throws {
    let whole = try await report(on: .futures).table.rows.map(\.ticker)
    let report = try await report(on: .futures, without: type)
    #expect(report.status == .partial)
    #expect(report.reason == "type=\(type): timeout")
    #expect(report.table.rows.map(\.ticker) == whole.filter { $0.product != type })
  }

  @Test func turnoverIsInPaymentCurrency() async throws {
    let rows = try await report(on: .spot).table.rows.map(\.ticker)
    #expect(rows.map { $0.text(.turnover24) } == ["2623450", "6"])
    #expect(rows.map { $0.text(.changePricePercent24) } == ["+1.23", "-0.40"])
    #expect(rows.allSatisfy { $0.flags.isEmpty })
  }
}
