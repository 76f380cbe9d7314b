import Config
import Files
import Hooks
import Mapping
import MarketData
import Quotes
import TestSupport
import Testing

@testable import Transport

/// One pair on the shipped exchanges over the wire: failures of some do not affect the rest, and the run ends in time.
@Suite(.timeLimit(.minutes(10))) struct AllExchangesTests {
  private static let pair = Pair(asset: "BTC", payment: "USDT")
  /// The timeout of the slow exchange. The policies' clock stands still, so each request has all of it from its sending
  /// on; server and network have their own threads, so the healthy responses arrive long before, however busy
  /// concurrent tests are.
  private static let timeout = Duration.seconds(5)
  private static let recorded = Result { try RecordedExchanges() }

  /// How some exchanges' hosts misbehave.
  private struct HostFaults {
    var slow: Set<String> = []
    var dead: Set<String> = []
    /// A price, and the false one sent instead.
    var lying: [String: (price: String, lie: String)] = [:]

    func steps(_ request: LoopbackServer.Received, _ truth: [UInt8]) -> [LoopbackServer.Step] {
      let host = RecordedExchanges.host(of: request)
      if slow.contains(host) { return [.hold] }
      if dead.contains(host) { return [.close] }
      guard let (price, lie) = lying[host] else { return [.bytes(truth)] }
      let text = String(decoding: truth, as: UTF8.self)
      let body = text.split(separator: "\r\n\r\n", maxSplits: 1).last ?? ""
      return [.bytes(Answer.ok(body.split(separator: price, omittingEmptySubsequences: false).joined(separator: lie)))]
    }
  }

  /// Returns every enabled market of the shipped config, with its hosts moved to the server.
  ///
  /// - Parameter names: the only exchanges wanted; nil for all.
  private static func markets(
    at server: LoopbackServer, of names: Set<String>?
  ) throws -> [(exchange: Exchange, market: ExchangeMarket)] {
    let text = String(decoding: try FileSystem.read(Checkout.path("exchanges.json")), as: UTF8.self)
    var moved = text
    for (scheme, local) in [("https", "http"), ("wss", "ws")] {
      moved = moved.split(separator: "\"\(scheme)://", omittingEmptySubsequences: false)
        .joined(separator: "\"\(local)://127.0.0.1:\(server.port)/")
    }
    let file = try ConfigFile(name: "exchanges.json", bytes: Array(moved.utf8))
    let configuration = try Configuration(file) { () throws(ConfigSyntaxError) in file }
    let exchanges = configuration.exchanges.filter { names?.contains($0.name) ?? true }
    // Pages are never on this machine.
    var extent = ExchangeExtent.whole
    extent.hasPages = false
    return exchanges.compactMap { configuration.read($0, extent).exchange }.filter(\.isEnabled).flatMap { exchange in
      exchange.markets.filter(\.isEnabled).map { market in
        // The cassettes contain every exchange's table of all pairs.
        var market = market
        if !market.tickers.isEmpty { market.ticker = [] }
        return (exchange, market)
      }
    }
  }

  private static func hosts(of name: String) throws -> Set<String> {
    let file = try ConfigFile(name: "exchanges.json", bytes: try FileSystem.read(Checkout.path("exchanges.json")))
    let configuration = try Configuration(file) { () throws(ConfigSyntaxError) in file }
    let source = try #require(configuration.exchange(named: name))
    let tables = try #require(configuration.read(source).exchange).markets.flatMap { $0.tickers }
    return Set(tables.flatMap(\.baseURLs).compactMap { $0.split(separator: "/").dropFirst().first.map(String.init) })
  }

  /// - Parameters:
  ///   - names: the only exchanges wanted; nil for all.
  ///   - timeout: nil if nothing can go wrong, however busy the machine is.
  private static func snapshot(
    of names: Set<String>? = nil, _ mischief: HostFaults = HostFaults(), timeout: Duration? = nil
  ) async throws -> (Snapshot, took: Duration) {
    let exchanges = try recorded.get()
    let moment = "\(exchanges.time / 1_000_000)"
    let server = try LoopbackServer { mischief.steps($0, exchanges.answer(to: $0, moment: moment)) }
    defer { server.stop() }
    let markets = try Self.markets(at: server, of: names)
    let network = HTTPClient.forTesting {
      if let timeout {
        $0.timeout = timeout
        $0.connectTimeout = timeout
        $0.deadline = timeout
        $0.clock.now = { 0 }
      }
      $0.retryRule = RetryRule()
      $0.clock.wall = { Instant(nanoseconds: exchanges.time) }
    }
    let start = ContinuousClock.now
    let now = Instant(nanoseconds: exchanges.time)
    let client = MarketClient(
      handler: network.handler, credentials: Credentials(nil) { _ in nil }, hooks: HookRegistry(shippedHooks),
      now: { now })
    let check = MeaningCheck()
    let reports = await client.reports(
      on: markets,
      TableQuery(pair: pair, options: Interpretation(globalAliases: ["XBT": "BTC"], check: check)))
    let took = ContinuousClock.now - start
    network.shutDown()
    return (Snapshot(pair: pair, time: now, reports: reports, rate: nil, check: check, rule: .standard), took)
  }

  @Test func everyExchangeResponds() async throws {
    let (healthy, _) = try await Self.snapshot()
    #expect(healthy.failures.map { "\($0.exchange) \($0.market) \($0.reason ?? "")" } == [])
    #expect(Set(healthy.reports.map(\.exchange)).count >= 30)
  }

  @Test func slowDeadAndLyingExchangesDoNotAffectOthers() async throws {
    let bad: Set = ["Bybit", "Okx", "Kucoin"]
    let names = bad.union(["Binance", "Bitget", "Upbit", "Gate", "Htx", "Mexc", "Kraken", "Bitvavo", "Hyperliquid"])
    let (healthy, _) = try await Self.snapshot(of: names)
    #expect(healthy.failures.map { "\($0.exchange) \($0.market) \($0.reason ?? "")" } == [])
    let honest = try #require(healthy.spot.first { $0.ticker.exchange == "Kucoin" }).ticker
    let price = try #require(honest.text(.price))
    // The decimal point one place further to the right.
    let lie = try #require(Decimal(price)?.scaledByPowerOfTen(1)).shortest

    var mischief = HostFaults()
    mischief.slow = try Self.hosts(of: "Bybit")
    mischief.dead = try Self.hosts(of: "Okx")
    for host in try Self.hosts(of: "Kucoin") { mischief.lying[host] = (price, lie) }
    let (snapshot, took) = try await Self.snapshot(of: names, mischief, timeout: Self.timeout)

    func rows(_ snapshot: Snapshot) -> [Ticker] {
      (snapshot.spot + snapshot.futures).map(\.ticker).filter { !bad.contains($0.exchange) }.map { row in
        // Its response arrived at another moment.
        var row = row
        row.arrival = nil
        return row
      }
    }
    #expect(rows(snapshot) == rows(healthy))
    #expect(rows(snapshot).count >= 6)
    let failures = snapshot.failures.map { report in
      "\(report.exchange) \(report.market) \(report.failures.map(\.failure.reason.code).joined(separator: ", "))"
    }
    #expect(
      Set(failures) == [
        "Bybit spot timeout", "Bybit futures timeout", "Okx spot no-answer unreachable",
        "Okx futures no-answer unreachable",
      ])
    let liar = try #require(snapshot.spot.first { $0.ticker.exchange == "Kucoin" }).ticker
    #expect(liar.text(.price) == lie)
    #expect(liar.flags.contains { $0.excludes })
    let premium = try #require(try? snapshot.premium.get())
    for row in [premium.high, premium.low] { #expect(!bad.contains(snapshot.spot[row].ticker.exchange)) }
    // The slow exchange takes the full time; a test that never ends never passes.
    #expect(took >= Self.timeout - .milliseconds(500))
  }
}
