import Config
import HTTP
import Mapping
import MarketData
import Quotes
import Testing
import Transport

/// Three exchanges of the same shape with made-up responses: `alpha`, `beta` and `gamma`, each at a host of its name.
struct StubExchanges {
  typealias Reply = Result<(status: Int, body: [UInt8]), TransportError>

  static let arrival = Instant(nanoseconds: 1_763_442_727_000_000_000)

  let configuration: Configuration
  let exchanges: [Exchange]

  /// - Parameter config: the exchanges' blocks; by default three that differ only in their host.
  init(config: String = StubExchanges.config) throws {
    let configuration = try Configuration(text: config, name: "stub.json")
    self.configuration = configuration
    exchanges = configuration.exchanges.compactMap { configuration.read($0).exchange }
  }

  /// Queries all exchanges for one pair; the stub responds by host.
  func snapshot(
    of pair: Pair = Pair(asset: "BTC", payment: "USDT"),
    _ reply: @escaping @Sendable (_ host: String, _ url: String) -> Reply
  ) async -> Snapshot {
    let options = Interpretation(check: MeaningCheck())
    let query = TableQuery(pair: pair, options: options)
    let markets = exchanges.flatMap { exchange in exchange.markets.map { (exchange, $0) } }
    let reports = await client(reply).reports(on: markets, query)
    return Snapshot(pair: pair, time: Self.arrival, reports: reports, rate: nil, check: options.check, rule: .standard)
  }

  /// Returns the newest candles of a pair on the first exchange's spot market.
  func candles(
    of pair: Pair, _ interval: CandleInterval, zoneSeconds: Int? = nil, newest count: Int, now: Instant,
    headers: [HTTPHeader] = [], _ reply: @escaping @Sendable (_ url: String) -> Reply
  ) async throws -> PairAnswer<CandleList> {
    let query = CandleQuery(
      PairQuery(pair, Interpretation(check: MeaningCheck())), interval, zoneSeconds: zoneSeconds, .newest(count))
    return await client(at: now, headers: headers) { _, url in reply(url) }
      .candles(query, on: exchanges[0].markets[0], of: exchanges[0].name)
  }

  /// Returns the newest trades of a pair on the first exchange's spot market.
  func trades(
    of pair: Pair, now: Instant, _ reply: @escaping @Sendable (_ url: String) -> Reply
  ) async throws -> PairAnswer<TradeList> {
    await client(at: now) { _, url in reply(url) }.trades(
      PairQuery(pair, Interpretation(check: MeaningCheck())), count: 100, on: exchanges[0].markets[0],
      of: exchanges[0].name)
  }

  func client(
    at now: Instant = arrival, headers: [HTTPHeader] = [],
    _ reply: @escaping @Sendable (_ host: String, _ url: String) -> Reply
  ) -> MarketClient {
    MarketClient(
      handler: { request throws(TransportError) in
        let url = request.urls[0]
        let host = url.split(separator: "/")[1].split(separator: ".")[0]
        let (status, body) = try reply(String(host), url).get()
        return HTTPResponse(
          status: status, headers: headers, body: body, arrival: now, url: url, attempts: 1)
      },
      credentials: Credentials(nil) { _ in nil }, hooks: HookRegistry(), now: { now })
  }

  /// Returns a good response with this price.
  static func good(_ price: String) -> Reply {
    let body =
      #"{"ok":true,"list":[{"s":"BTC-USDT","p":"\#(price)","t":1763442726500},{"s":"ETH-USDT","p":"3000","t":1763442726500}]}"#
    return .success((200, Array(body.utf8)))
  }

  static let config = """
    { "version": 1, "exchanges": { \(["alpha", "beta", "gamma"].map(block).joined(separator: ",\n")) } }
    """

  private static func block(_ name: String) -> String {
    """
    "\(name)": { "baseUrls": ["https://\(name).example"],
      "success": { "where": [{ "path": "$.ok", "equals": true }], "code": "$.code", "message": ["$.message"],
                   "unlisted": [{ "path": "$.code", "equals": 404 }] },
      "rows": "$.list[*]", "symbol": { "path": "$.s", "split": "-" },
      "fields": { "price": "$.p", "time": { "path": "$.t", "unit": "ms" } },
      "markets": { "spot": { "tickers": { "request": { "path": "/all" } } } } }
    """
  }
}
