import Config
import Files
import HTTP
import JSON
import Mapping
import Quotes

/// The individual steps of reading a table, on one thread.
struct TableBenchmarks {
  private let config: [UInt8]
  private let body: [UInt8]
  private let plan: TablePlan

  init(config path: String, body bodyPath: String) throws {
    config = try FileSystem.read(path)
    body = try FileSystem.read(bodyPath)
    let configuration = try Self.configuration(config)
    guard let source = configuration.exchange(named: "Binance"), let exchange = configuration.read(source).exchange,
      let spec = exchange.markets.first(where: { $0.market == .spot })?.tickers.first
    else { throw MissingExchange() }
    plan = Self.plan(spec, .spot)
  }

  struct MissingExchange: Error {}

  func measured() throws -> [(String, Double)] {
    let document = Self.best { try? JSONDocument(parsing: body) }
    let scan = Self.best { try? Self.scanPlan.scan(body) }
    let table = interpreted()
    let interpretation = Self.best { interpreted() }
    let check = MeaningCheck()
    let checks = Self.best {
      table.rows.reduce(0) { count, row in
        count
          + check.findings(row.ticker, arrival: nil, changeIsFromOpen: false, turnoverIsComputed: false).count
      }
    }
    let numbers = table.rows.map { Array(($0.ticker.price.value ?? 0).description.utf8) }
    let decimals = Self.best { numbers.reduce(0) { $0 + Self.parsed($1).significantDigits } }
    let compilation = Self.best(of: 50) { try? Self.compile(config) }
    let oneExchange = Self.best(of: 50) { try? Self.compile(config, only: "Upbit") }
    return [
      ("scan", scan), ("document", document), ("interpretation", interpretation), ("meaning checks", checks),
      ("decimals", decimals), ("config", compilation), ("config of one exchange", oneExchange),
      ("rows", Double(table.rows.count)), ("thousand route decisions", try thousandDecisions()),
      ("filter key", FilterBenchmarks.slowestKey()), ("redaction", RedactionBenchmarks.measured()),
    ]
  }

  /// USD/KRW at night, the longest path: the day's rule falls through, and the open comes from another provider.
  private func thousandDecisions() throws -> Double {
    let pair = Pair(asset: "USD", payment: "KRW")
    guard let route = try Self.configuration(config).routes.route(for: pair),
      let night = Instant.iso8601("2026-11-19T03:00:00+09:00", defaultOffsetSeconds: 0)
    else { throw MissingExchange() }
    func said(_ rate: Decimal, hoursAgo: Int64) -> RouteProvider {
      var reading = RateReading(pair: pair, rate: rate)
      reading.time = Instant(nanoseconds: night.nanoseconds - hoursAgo * 3_600_000_000_000)
      reading.date = hoursAgo == 0 ? nil : "2026-11-18"
      return .known(ProviderState(replies: [.init(.success(reading), arrival: night)]))
    }
    let states = ["Dunamu": said(1461, hoursAgo: 4), "OpenExchangeRates": said(1462, hoursAgo: 0)]
    return Self.best {
      (0..<1000).reduce(0) { count, _ in
        count + RateDecision(route, at: night, states, known: .rate(1461)).verdicts.count
      }
    }
  }

  private func interpreted() -> TickerTable {
    plan.interpret(
      HTTPResponse(body: body), request: RequestContext(now: Instant(nanoseconds: 0)), lookups: [:],
      Interpretation(globalAliases: ["XBT": "BTC"], check: MeaningCheck()))
  }

  private static func parsed(_ bytes: [UInt8]) -> Decimal {
    var wasRounded = false
    return bytes.withUnsafeBufferPointer { Decimal.parse($0, wasRounded: &wasRounded) } ?? 0
  }

  /// The paths of Binance's fields.
  private static let scanPlan = ScanPlan(
    rowContainer: ScanPath(),
    rowPaths: [
      "symbol", "lastPrice", "priceChangePercent", "volume", "quoteVolume", "openPrice", "highPrice", "lowPrice",
      "bidPrice", "askPrice", "closeTime",
    ].map { ScanPath(steps: [.member($0)]) },
    responsePaths: [])

  private static func configuration(_ bytes: [UInt8]) throws -> Configuration {
    let file = try ConfigFile(name: "exchanges.json", bytes: bytes)
    return try Configuration(file) { () throws(ConfigSyntaxError) in file }
  }

  /// - Parameter name: the only exchange wanted; nil for all.
  private static func compile(_ bytes: [UInt8], only name: String? = nil) throws -> Int {
    let configuration = try configuration(bytes)
    let sources = name.map { [configuration.exchange(named: $0)].compactMap(\.self) } ?? configuration.exchanges
    return sources.reduce(0) { count, source in
      guard let exchange = configuration.read(source).exchange else { return count }
      return count
        + exchange.markets.reduce(0) { count, market in
          count + (market.tickers + market.ticker).count { plan($0, market.market).isScanned }
        }
    }
  }

  private static func plan(_ spec: TableSpec, _ market: Market) -> TablePlan {
    TablePlan(spec, market: market)
  }

  /// Reads the table `times` times without measuring, for profilers.
  func interpret(times: Int) {
    for _ in 0..<times { Self.keep(interpreted()) }
  }

  /// Reads and compiles the config `times` times without measuring, for profilers.
  func compile(times: Int) {
    for _ in 0..<times { Self.keep(try? Self.compile(config)) }
  }

  /// Returns the shortest of many runs, in milliseconds.
  static func best<Value>(of runs: Int = 200, _ work: () -> Value) -> Double {
    var best = Duration.seconds(1000)
    for _ in 0..<runs { best = min(best, ContinuousClock().measure { keep(work()) }) }
    return Double(best.components.attoseconds) / 1e15 + Double(best.components.seconds) * 1000
  }

  /// Consumes a value so that computing it is not optimized away.
  @inline(never)
  private static func keep<Value>(_ value: Value) {}
}
