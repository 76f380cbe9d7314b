import Cassettes
import Config
import Files
import HTTP
import Hooks
import JSON
import Mapping
import MarketData
import Quotes
import Transport

/// Everything a command needs to ask exchanges: the config, the wire or a replay in its place, the clock.
struct Desk {
  let config: ConfigLoader
  let gatherer: Gatherer
  let clock: @Sendable () -> Instant
  /// The directory of the recordings that answer instead of the network.
  let replay: String?
  /// nil in a replay.
  private let client: HTTPClient?

  /// Those compiled in.
  static let hooks = HookRegistry(shippedHooks)

  var configuration: Configuration { config.configuration }

  /// - Parameter moment: another moment to answer for, given what is now. Recorded answers count as if they had come then;
  ///   without recordings nobody is asked, and what is remembered is all there is.
  init(
    _ config: ConfigLoader, _ options: AskingOptions, in context: Context,
    at moment: ((_ now: Instant) throws -> Instant)? = nil
  ) throws {
    self.config = config
    let credentials = try Self.credentials(in: context)
    let wire = context.now
    if let directory = options.replay {
      let player = try Self.player(directory)
      let date = player.latestArrival
      let other = try moment?(date ?? wire())
      clock = { other ?? date ?? wire() }
      replay = directory
      client = nil
      gatherer = Gatherer(
        handler: other.map { Self.arriving(at: $0, player.handler) } ?? player.handler, credentials: credentials,
        hooks: Self.hooks, now: clock)
      return
    }
    if let moment {
      let other = try moment(wire())
      clock = { other }
      (replay, client) = (nil, nil)
      gatherer = Gatherer(
        handler: { _ throws(TransportError) in throw .other("nothing is asked for a moment other than now") },
        rates: RateMemory(Self.rateCache(in: context), mayCall: false), credentials: credentials, hooks: Self.hooks,
        now: clock)
      return
    }
    var limits = HTTPClient.Options(userAgent: "market/\(Version.number)")
    let timeout: Duration = .milliseconds(
      options.timeoutMilliseconds ?? config.configuration.settings.timeoutMilliseconds)
    limits.timeout = timeout
    limits.connectTimeout = timeout
    limits.deadline = timeout
    let client = HTTPClient(limits)
    self.client = client
    var handler = client.handler
    // What is kept is not asked for, and a recording without it would play something else.
    var recordKept: (@Sendable (HTTPRequest, HTTPResponse) async -> Void)?
    if let directory = options.record {
      // Joined above the recorder too, so that equal requests are written once.
      let recorder = CassetteRecorder(directory: directory) { context.now() }
      handler = RequestCoalescer().coalescing(recorder.recording(handler))
      recordKept = { request, response in
        _ = try? await recorder.recording { _ throws(TransportError) in response }(request)
      }
    }
    clock = wire
    replay = nil
    gatherer = Gatherer(
      handler: handler, cache: context.paths.cache.map { DiskCache(directory: "\($0)/lookups") },
      rates: RateMemory(Self.rateCache(in: context), used: recordKept),
      credentials: credentials, hooks: Self.hooks, now: clock)
  }

  /// Loads libcurl where the words of a command line look like a question to exchanges: to be called while the process has
  /// one thread, which makes the loading a third shorter.
  ///
  /// A guess: where it is wrong, libcurl is loaded for nothing, or with the first request.
  static func prepare(for words: some Collection<String>) {
    guard let command = words.first, ["show", "premium", "tickers"].contains(command) || words.contains("--live")
    else { return }
    let needless = ["--replay", "--response", "-r", "--help", "-h"]
    if words.contains(where: { word in needless.contains { word.hasPrefix($0) } }) { return }
    HTTPClient.preload()
  }

  /// Throws where this system cannot send requests at all: said once, rather than for each exchange.
  func requireNetwork() throws(CommandError) {
    if client != nil, let problem = HTTPClient.problem { throw .noAnswer("\(problem)") }
  }

  /// Asks all exchanges of the config that are enabled, and says on stderr which blocks are broken.
  ///
  /// - Parameter markets: which markets of an exchange to ask.
  func reportsOfAll(_ question: TableQuestion, _ markets: [Market], in context: Context) async -> [ExchangeReport] {
    let configuration = configuration
    let results = await gatherer.reports(of: configuration.exchanges, markets, question) {
      (source, extent) throws(UnreadableExchange) in
      let (exchange, diagnostics) = configuration.read(source, extent, hooks: Self.hooks.names)
      guard let exchange else { throw UnreadableExchange(name: source.name, diagnostics: diagnostics) }
      return exchange
    }
    var reports: [ExchangeReport] = []
    for result in results {
      switch result {
      case .success(let own): reports += own
      case .failure(let broken): config.report(broken, in: context)
      }
    }
    return reports
  }

  /// Ends the network's thread; to be called once all questions are answered.
  func close() { client?.shutDown() }

  func interpretation(traces: Bool = false) -> Interpretation {
    Interpretation(
      globalAliases: configuration.aliases, check: MeaningCheck(configuration.settings),
      hooks: gatherer.hooks,
      traces: traces)
  }

  /// What is remembered of exchange rates between runs; nil without a home folder.
  static func rateCache(in context: Context) -> DiskCache? {
    context.paths.cache.map { DiskCache(directory: "\($0)/rates") }
  }

  /// The same answers as if they had come at one moment.
  private static func arriving(at moment: Instant, _ handler: @escaping HTTPHandler) -> HTTPHandler {
    { request throws(TransportError) in
      var response = try await handler(request)
      response.arrival = moment
      return response
    }
  }

  private static func player(_ directory: String) throws -> CassettePlayer {
    do {
      return try CassettePlayer(directory: directory)
    } catch {
      throw CommandError.noAnswer("\(error)")
    }
  }

  private static func credentials(in context: Context) throws -> Credentials {
    let environment = context.environment
    var document: JSONDocument?
    if let folder = context.paths.config, FileSystem.isReadable("\(folder)/credentials.json") {
      let path = "\(folder)/credentials.json"
      guard FileSystem.isPrivate(path) else {
        throw CommandError.invalidConfig("\(path) can be read by others; run: chmod 600 '\(path)'")
      }
      document = try? JSONDocument(parsing: try FileSystem.read(path))
      // Its text must not get into a message, so neither place nor excerpt is shown.
      if document == nil { throw CommandError.invalidConfig("\(path) is no JSON text") }
    }
    return Credentials(document) { environment[$0] }
  }
}
