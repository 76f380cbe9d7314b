import Config
import Files
import HTTP
import Mapping
import MarketData
import Quotes
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Requesting, reading and joining pages of a thousand candles, with a server that answers at once.
struct PageBenchmarks {
  private let market: ExchangeMarket
  private let settings: Settings

  init(config path: String) throws {
    let file = try ConfigFile(name: "exchanges.json", bytes: try FileSystem.read(path))
    let configuration = try Configuration(file) { () throws(ConfigSyntaxError) in file }
    guard let source = configuration.exchange(named: "Binance"),
      let market = configuration.read(source).exchange?.market(.spot)
    else { throw TableBenchmarks.MissingExchange() }
    self.market = market
    settings = configuration.settings
  }

  /// Returns the milliseconds for ten and for a hundred pages, and the process's memory growth between its tenth and
  /// hundredth page, in bytes per candle.
  func measured() async throws -> [(String, Double)] {
    let memory = Memory()
    // The bodies are built before anything is measured.
    let bodies = (0...100).map { page in Array(PairBody.candles.text(rows: Self.size, from: page * Self.step).utf8) }
    let ten = try await milliseconds(pages: 10, bodies) { _ in }
    let hundred = try await milliseconds(pages: 100, bodies) { memory.note($0) }
    let grown = memory.peak(afterPage: 100) - memory.peak(afterPage: 10)
    return [
      ("ten pages", ten), ("hundred pages", hundred),
      ("bytes a candle", Double(grown) / Double((100 - 10) * Self.step)),
    ]
  }

  /// The candles in one response; neighbouring pages share one candle.
  private static let size = 1000
  private static let step = size - 1

  /// - Parameter note: called for each page requested, counted from 1.
  private func milliseconds(
    pages: Int, _ bodies: [[UInt8]], _ note: @escaping @Sendable (Int) -> Void
  ) async throws -> Double {
    // The candle before the span is requested as well.
    let wanted = Self.size + (pages - 1) * Self.step - 1
    let start = PairBody.firstCandle
    let last = start + Int64(100 * Self.step + Self.size - 1) * 60_000
    let client = MarketClient(
      handler: { request throws(TransportError) in
        let url = request.urls.first ?? ""
        let page = Int((Self.start(in: url) - start) / 60_000) / Self.step
        guard bodies.indices.contains(page) else { throw .other("page not found") }
        return HTTPResponse(body: bodies[page], url: url)
      }, credentials: Credentials(nil) { _ in nil }, hooks: HookRegistry(),
      now: { Instant(nanoseconds: (last + 30_000) * 1_000_000) })
    let query = CandleQuery(
      PairQuery(Pair(asset: "BTC", payment: "USDT"), Interpretation(check: MeaningCheck(settings))), .oneMinute,
      .newest(wanted))
    let clock = ContinuousClock()
    let begin = clock.now
    let answer = await client.candles(query, on: market, of: "Binance") { page, _ in note(page) }
    let duration = clock.now - begin
    note(pages + 1)
    guard answer.value?.series.candles.count == wanted, answer.value?.shortfall == nil else {
      throw WrongCandles(found: answer.value?.series.candles.count, failure: "\(String(describing: answer.failure))")
    }
    return Double(duration.components.seconds) * 1e3 + Double(duration.components.attoseconds) * 1e-15
  }

  private struct WrongCandles: Error {
    let found: Int?
    let failure: String
  }

  /// The start named by the request, or 0 if it names none.
  private static func start(in url: String) -> Int64 {
    url.split(separator: "startTime=").last.flatMap { Int64($0.prefix { $0.isNumber }) } ?? 0
  }
}

/// The process's peak memory, page by page.
private final class Memory: Sendable {
  private let peaks = Mutex<[Int: Int]>([:])

  func note(_ page: Int) { peaks.withLock { $0[page - 1] = Self.peak } }

  /// The peak in bytes.
  func peak(afterPage page: Int) -> Int { peaks.withLock { $0[page] ?? 0 } }

  private static var peak: Int {
    var usage = rusage()
    #if canImport(Darwin)
      getrusage(RUSAGE_SELF, &usage)
      return usage.ru_maxrss
    #else
      getrusage(RUSAGE_SELF.rawValue, &usage)
      return usage.ru_maxrss << 10
    #endif
  }
}
